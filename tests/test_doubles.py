"""The public doubles: nothing about them changes from run to run."""

from __future__ import annotations

from itertools import islice

from majordomus_reasoning.testing import (
    START,
    TickingClock,
    deterministic_checkout,
    seeded_suffix,
)


def test_the_clock_ticks_by_the_second_and_can_be_advanced():
    clock = TickingClock()
    assert [(clock() - START).total_seconds() for _ in range(3)] == [0, 1, 2]
    clock.advance(3_600)
    assert (clock() - START).total_seconds() == 3_603


def test_ids_are_the_same_for_the_same_seed_and_others_for_another():
    one, same, other = (list(islice(seeded_suffix(seed), 5)) for seed in (1, 1, 2))
    assert one == same != other
    assert all(len(suffix) == 6 for suffix in one)


def test_the_same_seed_gives_the_same_bytes(tmp_path, files_of):
    for name, seed in (("a", 7), ("b", 7), ("c", 8)):
        checkout = deterministic_checkout(seed, root=tmp_path / name)
        checkout.plan(checkout.assess("x", materiality="high", evidence=["file:x"]))
    first, same, other = (files_of(tmp_path / name) for name in "abc")
    assert first == same != other


def test_nothing_of_this_machine_is_seen(tmp_path, monkeypatch):
    monkeypatch.setenv("CI", "true")
    monkeypatch.setenv("OPENAI_API_KEY", "x")
    checkout = deterministic_checkout(root=tmp_path)
    assert checkout.mode == ("standard", "default")
    assert {state.status for state in checkout.advisors()} == {"unavailable", "not_configured"}


def test_without_a_root_it_lives_in_a_folder_of_its_own():
    one, other = deterministic_checkout(), deterministic_checkout()
    one.assess("x")
    assert len(one.ledger) == 1
    assert len(other.ledger) == 0
