"""The situation of a checkout, resolved from its files, the environment and the PATH.

Nothing is started and nobody is contacted: presence is a file on the PATH, or a variable that is
set. A credential's value is never held.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping
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
from majordomus_reasoning.core.words import UNTASKED, is_plain_name
from majordomus_reasoning.errors import CatalogueError

SHARE_VARIABLE = "MAJORDOMUS_SHARE"
DISABLE_VARIABLE = "MAJORDOMUS_ADVISORS_DISABLE"
COOLDOWN_VARIABLE = "MAJORDOMUS_REASONING_COOLDOWN_SECONDS"
CURRENT = Path(".ai/local/state/current.yaml")
PROFILES = Path(".ai/repo/profiles")
T = TypeVar("T", bound=BaseModel)


def find_checkout(start: Path) -> Path:
    """The nearest folder, from `start` upwards, that holds `.ai` or `.git`; else `start`."""
    start = start.resolve()
    holders = (each for each in (start, *start.parents) if _is_checkout(each))
    return next(holders, start)


def _is_checkout(folder: Path) -> bool:
    return (folder / ".ai").exists() or (folder / ".git").exists()


def is_store(folder: Path) -> bool:
    """Whether a folder is no checkout but holds records by task, as kept ones lie."""
    return not _is_checkout(folder) and any(folder.glob("*/*.json"))


def shipped_share() -> Path:
    """The share directory that the package ships, in a wheel or beside the package's source."""
    package = Path(__file__).resolve().parent.parent
    inside = package / "share"
    return inside if inside.is_dir() else package.parent / "share"


def find_share(checkout: Path, given: Path | None, environment: Mapping[str, str]) -> Path:
    """The share directory: given, else the variable, else the checkout's, else the shipped one."""
    if given is not None:
        return given
    named = environment.get(SHARE_VARIABLE, "").strip()
    if named:
        return Path(named)
    own = checkout / "share"
    return own if (own / "advisors.yaml").is_file() else shipped_share()


def read_yaml(path: Path, *, words_only: bool = False) -> Any:
    """What a YAML file holds, None when it is absent; CatalogueError when it is no YAML.

    With `words_only` every scalar is read as text, so that an id of digits stays one.
    """
    import yaml

    loader: Any = yaml.BaseLoader if words_only else getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        return yaml.load(path.read_text(encoding="utf-8"), Loader=loader)  # noqa: S506 - both safe
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, UnicodeDecodeError) as error:
        reason = f"cannot be read ({type(error).__name__})"
        raise CatalogueError(path, "the whole file", reason) from None
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        mark = getattr(error, "problem_mark", None)
        place = f"line {mark.line + 1}" if mark else "the whole file"
        raise CatalogueError(path, place, "it is no YAML") from None


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
    data = read_yaml(path) if path.exists() else {"version": 1}
    return parse(model, data, str(path))


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
    name = _name(current, "id", path)
    profile = _name(current, "profile", path)
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


def _name(data: Mapping[str, Any], field: str, path: Path) -> str | None:
    value = data.get(field)
    if value in (None, "", "null", "~"):  # words alone are read: YAML's own null among them
        return None
    if not (isinstance(value, str) and is_plain_name(value)):
        raise CatalogueError(path, field, "it is no plain name of at most 200 bytes")
    return value


def profile_files(checkout: Path) -> list[Path]:
    """The files of the profiles that a checkout declares, by name."""
    return sorted((checkout / PROFILES).glob("*.yaml"))


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
    """The variables whose value was skipped since nobody can read it, and what they should say."""
    mode = environment.get(MODE_VARIABLE, "").strip()
    if mode and as_mode(mode) is None:
        yield MODE_VARIABLE, "it names no mode: offline, ci, fast, standard or strict"
    if environment.get(COOLDOWN_VARIABLE, "").strip() and read_cooldown(environment) is None:
        yield COOLDOWN_VARIABLE, "it is no whole number of seconds"


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
