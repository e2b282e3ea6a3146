"""Fixtures shared by all tests, and one way of running properties everywhere."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from typing import Any

import pytest
from builders import Desk, Writer
from command import Command
from hypothesis import HealthCheck, settings
from planting import make_repository

from majordomus_reasoning.checkout import Checkout
from majordomus_reasoning.testing import TickingClock, deterministic_checkout, forbid_network

# The same examples in every run: a suite that fails now and then is no specification.
settings.register_profile(
    "stable",
    derandomize=True,
    deadline=None,
    max_examples=100,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("stable")


def pytest_configure(config: pytest.Config) -> None:
    """Let nothing of the suite reach beyond loopback, the doctests of the package among it."""
    held = ExitStack()
    held.enter_context(forbid_network())
    config.add_cleanup(held.close)


@pytest.fixture(autouse=True)
def no_network() -> Iterator[None]:
    """Fail the very test that reached beyond loopback, whatever it did with what it got.

    Processes that a test starts are not held: they see to themselves.
    """
    with forbid_network():
        yield


@pytest.fixture
def desk() -> Desk:
    """The rules alone: records in memory, no file."""
    return Desk()


@pytest.fixture
def writer(tmp_path) -> Writer:
    """The one writer over an empty store, with two advisors at hand."""
    return Writer(tmp_path / "reasoning")


@pytest.fixture
def clock() -> TickingClock:
    return TickingClock()


@pytest.fixture
def checkout(tmp_path, clock) -> Checkout:
    """A deterministic checkout with the shipped advisors, none of them present."""
    return deterministic_checkout(root=tmp_path, clock=clock)


@pytest.fixture
def bound_by_permissions(tmp_path_factory) -> None:
    """Only for who cannot read a file that nobody may read, as root can."""
    closed = tmp_path_factory.mktemp("closed") / "file"
    closed.touch(mode=0)
    if os.access(closed, os.R_OK):
        pytest.skip("this user may read and write everything")


@pytest.fixture
def files_of():
    """What lies below a folder, as name to bytes: what a refusal must leave as it was."""

    def contents(root) -> Mapping[str, Any]:
        return {
            str(path.relative_to(root)): path.read_bytes()
            for path in sorted(root.rglob("*"))
            if path.is_file() and path.name not in {".lock", ".gitignore"}
        }

    return contents


@pytest.fixture
def repository(tmp_path):
    """A repository in which every check has something to read and nothing to find."""
    return make_repository(tmp_path)


@pytest.fixture
def command(tmp_path):
    """The command in an empty checkout, with nothing on its PATH."""
    (tmp_path / ".ai").mkdir(exist_ok=True)
    return Command(tmp_path)
