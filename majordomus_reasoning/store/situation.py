"""The situation of a checkout, resolved from its files, the environment and the PATH.

Nothing is started and nobody is contacted: presence is a file on the PATH, or a variable that is
set. A credential's value is never held.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel

from majordomus_reasoning.core.availability import (
    MODE_VARIABLE,
    CircuitPolicy,
    ModeSource,
    Presence,
    Situation,
    as_mode,
    resolve_mode,
)
from majordomus_reasoning.core.catalogue import Advisors, Catalogue, Models, Providers, parse
from majordomus_reasoning.core.redaction import shown
from majordomus_reasoning.core.words import UNTASKED, is_plain_name
from majordomus_reasoning.errors import CatalogueError, NotFound
from majordomus_reasoning.store.declarations import read_yaml
from majordomus_reasoning.store.names import unfit_name, unfit_task
from majordomus_reasoning.store.reading import is_folder, is_there, resolved

SHARE_VARIABLE = "MAJORDOMUS_SHARE"
DISABLE_VARIABLE = "MAJORDOMUS_ADVISORS_DISABLE"
COOLDOWN_VARIABLE = "MAJORDOMUS_REASONING_COOLDOWN_SECONDS"
CURRENT = Path(".ai/local/state/current.yaml")
PROFILES = Path(".ai/repo/profiles")
T = TypeVar("T", bound=BaseModel)


def find_checkout(start: Path) -> Path:
    """The nearest folder, from `start` upwards, that holds `.ai` or `.git`; else `start`.

    Raises NotFound where the working folder, which `start` is relative to, is gone.
    """
    try:
        start = resolved(start)
    except (OSError, ValueError):
        raise NotFound(f"the folder {shown(start)!r}", "change to one that is") from None
    holders = (each for each in (start, *start.parents) if _is_checkout(each))
    return next(holders, start)


def _is_checkout(folder: Path) -> bool:
    return is_there(folder / ".ai") or is_there(folder / ".git")


def is_store(folder: Path) -> bool:
    """Whether a folder is no checkout but holds records by task, as kept ones lie."""
    return not _is_checkout(folder) and any(folder.glob("*/*.json"))


def shipped_share() -> Path:
    """The share directory that the package ships, in a wheel or beside the package's source."""
    package = Path(__file__).resolve().parent.parent
    inside = package / "share"
    return inside if inside.is_dir() else package.parent / "share"


def find_share(checkout: Path, given: Path | None, environment: Mapping[str, str]) -> Path:
    """The share directory: given, else the variable, else the checkout's, else the shipped one.

    A variable that leads to no folder is skipped. A folder of the checkout that may not be searched
    is taken, so that reading it says so.
    """
    if given is not None:
        return given
    return _named_share(environment) or _own_share(checkout) or shipped_share()


def _named_share(environment: Mapping[str, str]) -> Path | None:
    named = environment.get(SHARE_VARIABLE, "").strip()
    return Path(named) if named and is_folder(Path(named)) else None


def _own_share(checkout: Path) -> Path | None:
    own = checkout / "share"
    try:
        return own if (own / "advisors.yaml").is_file() else None
    except OSError:
        return own


def read_catalogue(share: Path) -> Catalogue:
    """The catalogue of a share directory; an absent file is an empty table.

    Raises CatalogueError naming the file and the field.
    """
    return Catalogue(
        _table(share / "advisors.yaml", Advisors),
        _table(share / "models.yaml", Models),
        _table(share / "providers.yaml", Providers),
    )


def _table(path: Path, model: type[T]) -> T:
    return parse(model, read_yaml(path, absent={"version": 1}), str(path))


@dataclass(frozen=True)
class Task:
    """The open task and its profile: its name, and the mode word it declares."""

    id: str = UNTASKED
    profile: str | None = None
    declared_mode: str | None = None

    @property
    def is_open(self) -> bool:
        """Whether a task is open at all."""
        return self.id != UNTASKED


def read_task(checkout: Path) -> Task:
    """The open task of a checkout; CatalogueError where its file is broken or its name unfit."""
    path = checkout / CURRENT
    current = _mapping(path)
    name = _name(current, "id", path, unfit_task)
    profile = _name(current, "profile", path, unfit_name)
    declared = None
    if profile:
        declared = declared_mode(checkout / PROFILES / f"{profile}.yaml")
    return Task(name or UNTASKED, profile, declared)


def _mapping(path: Path) -> Mapping[str, Any]:
    data = read_yaml(path, words_only=True)
    if data is None or data == "":
        return {}
    if not isinstance(data, Mapping):
        raise CatalogueError(path, "the whole file", "a mapping was expected")
    return data


def _text(data: Mapping[str, Any], field: str) -> str | None:
    value = data.get(field)
    return value.strip() or None if isinstance(value, str) else None


def _name(
    data: Mapping[str, Any], field: str, path: Path, unfit: Callable[[str], str | None]
) -> str | None:
    value = data.get(field)
    if value in (None, "", "null", "~"):  # words alone are read: YAML's own null among them
        return None
    reason = unfit(value) if isinstance(value, str) else "a name was expected"
    if reason:
        raise CatalogueError(path, field, reason)
    return str(value)


def profile_files(checkout: Path) -> list[Path]:
    """The files of the profiles that a checkout declares, by name.

    A folder that cannot be listed stands for its files: reading it says why.
    """
    folder = checkout / PROFILES
    try:
        return sorted(path for path in folder.iterdir() if path.suffix == ".yaml")
    except (FileNotFoundError, NotADirectoryError):
        return []
    except OSError:
        return [folder]


def declared_mode(profile: Path) -> str | None:
    """The mode word that a profile's file declares, None when it declares none."""
    return _text(_mapping(profile), "reasoning")


def read_presence(catalogue: Catalogue, environment: Mapping[str, str]) -> Presence:
    """Which of the catalogue's executables and credential variables are here."""
    path = os.pathsep.join(filter(None, environment.get("PATH", "").split(os.pathsep)))
    executables = {advisor.executable for advisor in catalogue.advisors.advisors} - {None, ""}
    variables = {vendor.credential_env for vendor in catalogue.models.vendors} - {None, ""}
    return Presence(
        frozenset(name for name in executables if name and _on_path(name, path)),
        frozenset(name for name in variables if name and environment.get(name)),
    )


def _on_path(name: str, path: str) -> bool:
    return is_plain_name(name) and bool(path) and shutil.which(name, path=path) is not None


def read_cooldown(environment: Mapping[str, str]) -> int | None:
    """The cooldown override in seconds, None when there is none or it is unreadable."""
    word = environment.get(COOLDOWN_VARIABLE, "").strip()
    return int(word) if word.isascii() and word.isdigit() and len(word) <= 10 else None


def unreadable_values(environment: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The variables whose value was skipped since nobody can read it, and what is wrong with it."""
    mode = environment.get(MODE_VARIABLE, "").strip()
    if mode and as_mode(mode) is None:
        yield MODE_VARIABLE, "it names no mode: offline, ci, fast, standard or strict"
    if environment.get(COOLDOWN_VARIABLE, "").strip() and read_cooldown(environment) is None:
        yield COOLDOWN_VARIABLE, "it is no whole number of seconds"
    if environment.get(SHARE_VARIABLE, "").strip() and _named_share(environment) is None:
        yield SHARE_VARIABLE, "it leads to no folder"


def mode_of(task: Task, environment: Mapping[str, str]) -> ModeSource:
    """The mode that environment and task give, and what decided it."""
    return resolve_mode(environment, task.profile, task.declared_mode)


def read_situation(share: Path, task: Task, environment: Mapping[str, str]) -> Situation:
    """Everything that availability and policy depend on; CatalogueError where a file is broken."""
    catalogue = read_catalogue(share)
    disabled = environment.get(DISABLE_VARIABLE, "").split(",")
    return Situation(
        mode=mode_of(task, environment),
        catalogue=catalogue,
        presence=read_presence(catalogue, environment),
        disabled=frozenset(name.strip() for name in disabled if name.strip()),
        circuit_policy=CircuitPolicy(override_seconds=read_cooldown(environment)),
    )
