"""The checks: what is wrong in a repository, its catalogue and its records, as findings.

Each check reads and judges; none changes anything, starts anything or contacts anybody.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from pathlib import Path

from majordomus_reasoning import claims, pairs, sources
from majordomus_reasoning.advisors.adapters import find_adapter
from majordomus_reasoning.advisors.failures import AdvisorFailure
from majordomus_reasoning.core.audit import faults
from majordomus_reasoning.core.availability import as_mode
from majordomus_reasoning.core.catalogue import Catalogue
from majordomus_reasoning.core.words import MODES
from majordomus_reasoning.errors import CatalogueError, ReasoningError
from majordomus_reasoning.store.files import Store
from majordomus_reasoning.store.situation import declared_mode, profile_files, read_catalogue
from majordomus_reasoning.texts import Found


@dataclass(frozen=True)
class Finding:
    """One fault: the check that found it, where it stands, and what it is."""

    check: str
    subject: str
    message: str


@dataclass(frozen=True)
class Report:
    """The checks that ran and what they found, in order; `ok` when that is nothing."""

    ok: bool
    checks: tuple[str, ...]
    findings: tuple[Finding, ...]


@dataclass(frozen=True)
class Examined:
    """What the checks look at: a repository, its share directory, its store, the time."""

    root: Path
    share: Path
    store: Store
    now: datetime

    @cached_property
    def catalogue(self) -> Catalogue | CatalogueError:
        """The catalogue, or what is wrong with its files."""
        try:
            return read_catalogue(self.share)
        except CatalogueError as error:
            return error

    def declared(self) -> Catalogue:
        """The catalogue; an empty one where its files are broken, which `catalogue` reports."""
        return self.catalogue if isinstance(self.catalogue, Catalogue) else Catalogue()


def run_checks(examined: Examined) -> Report:
    """Every check over one repository."""
    findings = tuple(
        Finding(name, subject, message)
        for name, find in CHECKS.items()
        for subject, message in find(examined)
    )
    return Report(not findings, tuple(CHECKS), findings)


def _catalogue(examined: Examined) -> Iterator[Found]:
    if isinstance(examined.catalogue, CatalogueError):
        yield Found(Path(examined.catalogue.file).name, str(examined.catalogue))
        return
    for each in examined.catalogue.diagnostics():
        yield Found(each.subject, each.message)


def _adapters(examined: Examined) -> Iterator[Found]:
    declared = examined.declared().advisors
    named = {advisor.adapter: advisor.id for advisor in reversed(declared.advisors)}
    if declared.peers:
        named.setdefault(declared.peers.adapter, "peers")
    for adapter, advisor in named.items():
        try:
            find_adapter(adapter)
        except AdvisorFailure as failure:
            yield Found(advisor, f"its adapter {adapter} cannot be loaded ({failure.reason})")


def _coupling(examined: Examined) -> Iterable[Found]:
    return sources.coupling(examined.root, examined.declared().words())


def _network(examined: Examined) -> Iterable[Found]:
    return sources.network(examined.root)


def _ci(examined: Examined) -> Iterable[Found]:
    vendors = examined.declared().models.vendors
    variables = {vendor.credential_env for vendor in vendors if vendor.credential_env}
    return sources.ci_credentials(examined.root, variables)


def _claims(examined: Examined) -> Iterable[Found]:
    declared = examined.declared().advisors
    names = {name for advisor in declared.advisors for name in (advisor.id, advisor.title)}
    return claims.claims(examined.root, declared.forbidden_claims, names)


def _profiles(examined: Examined) -> Iterator[Found]:
    for path in profile_files(examined.root):
        try:
            word = declared_mode(path)
        except CatalogueError as error:
            yield Found(path.name, str(error))
            continue
        if as_mode(word) is None:
            said = f"reasoning: {word}" if word else "no reasoning mode"
            yield Found(path.name, f"it declares {said}: write one of {', '.join(MODES)}")


def _records(examined: Examined) -> Iterator[Found]:
    try:
        ledger = examined.store.load()
    except ReasoningError as error:
        yield Found("the store", str(error))
        return
    for fault in examined.store.unreadable:
        where = f", field {fault.field}" if fault.field else ""
        yield Found(fault.path, f"it is no record{where}: {fault.error}")
    for shown, home in examined.store.misplaced():
        yield Found(shown, f"its name or folder is not that of its record: rename it to {home}")
    catalogue = examined.catalogue if isinstance(examined.catalogue, Catalogue) else None
    for record, message in faults(ledger, examined.now, catalogue):
        yield Found(record, message)


def _notebooks(examined: Examined) -> Iterable[Found]:
    return pairs.notebook_pairs(examined.root)


CHECKS: Mapping[str, Callable[[Examined], Iterable[Found]]] = {
    "catalogue": _catalogue,
    "adapters": _adapters,
    "coupling": _coupling,
    "network": _network,
    "ci": _ci,
    "claims": _claims,
    "profiles": _profiles,
    "records": _records,
    "notebooks": _notebooks,
}
