"""The catalogue: advisors, vendors, models and client tools, declared once as data.

`advisors.yaml` is strict, since a misspelt field there would silently change who is asked; the two
tables that other tools share, `models.yaml` and `providers.yaml`, may hold fields we do not know.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from majordomus_reasoning.core.records import PlainName
from majordomus_reasoning.core.words import Transport
from majordomus_reasoning.errors import CatalogueError


class _Declared(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)


class _Shared(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True, defer_build=True)


class Capability(_Declared):
    """A word of the vocabulary, and what it means."""

    id: str
    description: str


class Advisor(_Declared):
    """One advisory role; provider, vendor and model are references into the other tables."""

    id: PlainName
    title: str
    transport: Transport
    adapter: str
    provider: str | None = None
    vendor: str | None = None
    model: str | None = None
    executable: str | None = None
    capabilities: tuple[str, ...]
    note: str | None = None


class Peers(_Declared):
    """What makes a linked runtime an advisor, and what it then offers."""

    feature: str
    adapter: str
    capabilities: tuple[str, ...]


class Advisors(_Declared):
    """`advisors.yaml`: declaration order is preference order."""

    version: Literal[1]
    capabilities: tuple[Capability, ...] = ()
    advisors: tuple[Advisor, ...] = ()
    peers: Peers | None = None
    forbidden_claims: tuple[str, ...] = ()


class Vendor(_Shared):
    """A party that offers models; `credential_env` is the variable that holds its credential."""

    id: str
    title: str
    inference: Literal["remote", "local"]
    credential_env: str | None = None


class Model(_Shared):
    """A model; `native_id` is what an adapter sends, `parameters` what it sends beside."""

    id: str
    vendor: str
    native_id: str
    aliases: tuple[str, ...] = ()
    context_window: int | None = None
    capabilities: tuple[str, ...] = ()
    parameters: dict[str, Any] = {}
    note: str | None = None


class Models(_Shared):
    """`models.yaml`."""

    version: Literal[1]
    vendors: tuple[Vendor, ...] = ()
    models: tuple[Model, ...] = ()


class Provider(_Shared):
    """A client tool that works in a repository."""

    title: str
    vendor: str | None = None


class Providers(_Shared):
    """`providers.yaml`."""

    version: Literal[1]
    providers: dict[str, Provider] = {}


T = TypeVar("T", bound=BaseModel)


def parse(model: type[T], data: object, file: str) -> T:
    """What a catalogue file declares; CatalogueError naming the file and the field otherwise."""
    try:
        return model.model_validate(data)
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"]) or "the whole file"
        raise CatalogueError(file, field, _words(first["type"], first["msg"])) from None


def _words(kind: str, message: str) -> str:
    known = {"extra_forbidden": "no such field is known", "missing": "the field is required"}
    return known.get(kind, message[:1].lower() + message[1:])


@dataclass(frozen=True)
class Diagnostic:
    """Something wrong in the catalogue that does not stop it from being read."""

    subject: str
    message: str


@dataclass(frozen=True)
class Catalogue:
    """The three tables together, with the lookups that cross them."""

    advisors: Advisors = Advisors(version=1)
    models: Models = Models(version=1)
    providers: Providers = Providers(version=1)

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """The capability words that an assessment may ask for."""
        return frozenset(capability.id for capability in self.advisors.capabilities)

    def advisor(self, name: str) -> Advisor | None:
        """The advisor declared under that id, None when there is none."""
        return next((each for each in self.advisors.advisors if each.id == name), None)

    def vendor(self, name: str | None) -> Vendor | None:
        """The vendor of that id, None when there is none."""
        return next((each for each in self.models.vendors if each.id == name), None)

    def model(self, reference: str | None) -> Model | None:
        """The model that an id or an alias names, None when there is none."""
        models = self.models.models
        by_id = next((each for each in models if each.id == reference), None)
        return by_id or next((each for each in models if reference in each.aliases), None)

    def credential(self, advisor: Advisor) -> str | None:
        """The name of the variable that holds an advisor's credential, None when undeclared."""
        vendor = self.vendor(advisor.vendor)
        return (vendor.credential_env or None) if vendor else None

    def source(self, advisor: Advisor) -> str:
        """Whose opinion an advisor's is: its vendor, its provider's vendor, else its adapter."""
        return advisor.vendor or self._provided_by(advisor) or advisor.adapter

    def _provided_by(self, advisor: Advisor) -> str | None:
        provider = self.providers.providers.get(advisor.provider or "")
        return provider.vendor if provider else None

    def words(self) -> frozenset[str]:
        """Every word of the catalogue that no other source file may spell."""
        found: set[str | None] = set(self.providers.providers)
        for advisor in self.advisors.advisors:
            found |= {advisor.id, advisor.adapter, advisor.provider, advisor.vendor}
            found |= {advisor.model, advisor.executable}
        if self.advisors.peers:
            found.add(self.advisors.peers.adapter)
        found |= {vendor.id for vendor in self.models.vendors}
        for model in self.models.models:
            found |= {model.id, model.native_id, *model.aliases}
        return frozenset(word for word in found if word)

    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """What is wrong across the three tables, in declaration order."""
        return tuple(self._diagnostics())

    def _repeated(self) -> Iterator[Diagnostic]:
        names_of: Mapping[str, Iterable[str]] = {
            "capability": (capability.id for capability in self.advisors.capabilities),
            "advisor": (advisor.id for advisor in self.advisors.advisors),
            "vendor": (vendor.id for vendor in self.models.vendors),
            "model": (name for model in self.models.models for name in {model.id, *model.aliases}),
        }
        for what, names in names_of.items():
            for name, count in Counter(names).items():
                if count > 1:
                    yield Diagnostic(name, f"the {what} {name} is declared {count} times")

    def _diagnostics(self) -> Iterator[Diagnostic]:
        yield from self._repeated()
        for model in self.models.models:
            if not self.vendor(model.vendor):
                yield Diagnostic(model.id, f"its vendor {model.vendor} is not in models.yaml")
        for name, provider in self.providers.providers.items():
            if provider.vendor and not self.vendor(provider.vendor):
                yield Diagnostic(name, f"its vendor {provider.vendor} is not in models.yaml")
        for advisor in self.advisors.advisors:
            problems = (*self._references(advisor), *self._presence(advisor))
            yield from (Diagnostic(advisor.id, message) for message in problems)
        if self.advisors.peers:
            for message in self._words_unknown(self.advisors.peers.capabilities):
                yield Diagnostic("peers", message)

    def _references(self, advisor: Advisor) -> Iterator[str]:
        yield from self._words_unknown(advisor.capabilities)
        if advisor.provider and advisor.provider not in self.providers.providers:
            yield f"its provider {advisor.provider} is not in providers.yaml"
        if advisor.vendor and not self.vendor(advisor.vendor):
            yield f"its vendor {advisor.vendor} is not in models.yaml"
        model = self.model(advisor.model)
        if advisor.model and not model:
            yield f"its model {advisor.model} is not in models.yaml"
        vendor = advisor.vendor or self._provided_by(advisor)
        if model and vendor and model.vendor != vendor:
            yield f"its model {model.id} is of the vendor {model.vendor}, not {vendor}"

    def _presence(self, advisor: Advisor) -> Iterator[str]:
        if advisor.transport == "peer":
            yield "a peer is linked at run time, never declared; remove the entry"
        elif advisor.transport == "api":
            if not self.credential(advisor):
                yield "its presence cannot be probed: its vendor declares no credential_env"
        elif not advisor.executable:
            yield "its presence cannot be probed: it declares no executable"
        elif "/" in advisor.executable or "\\" in advisor.executable:
            yield f"its executable {advisor.executable} is a path, which is never found"

    def _words_unknown(self, capabilities: Iterable[str]) -> Iterator[str]:
        for word in capabilities:
            if word not in self.vocabulary:
                yield f"the capability {word} is not in the vocabulary"
