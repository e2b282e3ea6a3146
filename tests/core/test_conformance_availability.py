"""availability.json: every advisor's state, from presence, mode and recorded outcomes."""

from __future__ import annotations

import pytest
import vectors
from builders import moment, outcome

from majordomus_reasoning.core.availability import (
    CircuitPolicy,
    ModeSource,
    Peer,
    Presence,
    Situation,
)
from majordomus_reasoning.core.catalogue import Advisors, Catalogue, Models, parse
from majordomus_reasoning.core.ledger import Ledger
from majordomus_reasoning.core.words import instant, to_stamp

FILE = vectors.load("availability.json")
KNOWN = {"name", "presence", "mode", "disabled", "history", "peers", "now", "cooldown", "expect"}


def test_the_file_holds_nothing_else():
    vectors.assert_known(FILE, {"about", "catalogue", "models", "cases"})


def situation_of(case) -> Situation:
    catalogue = Catalogue(
        parse(Advisors, FILE["catalogue"], "advisors.yaml"),
        parse(Models, FILE["models"], "models.yaml"),
    )
    return Situation(
        mode=ModeSource(case["mode"], "default"),
        catalogue=catalogue,
        presence=Presence(
            frozenset(case["presence"]["executables"]), frozenset(case["presence"]["variables"])
        ),
        disabled=frozenset(case["disabled"]),
        peers=tuple(
            Peer(peer["runtime"], peer["name"], tuple(peer["features"])) for peer in case["peers"]
        ),
        circuit_policy=CircuitPolicy(override_seconds=case["cooldown"]),
    )


def history_of(case) -> Ledger:
    known = {"id", "advisor", "status", "at", "retry_after_seconds"}
    records = []
    for told in case["history"]:
        vectors.assert_known(told, known)
        wait = {"retry_after_seconds": told.get("retry_after_seconds")}
        stamp = to_stamp(moment(told["at"]))
        records.append(outcome(told["id"], stamp, told["status"], told["advisor"], **wait))
    return Ledger(records)


@pytest.mark.parametrize("case", vectors.cases("availability.json", "cases"))
def test_availability(case):
    vectors.assert_known(case, KNOWN)
    states = situation_of(case).states(history_of(case), moment(case["now"]))
    for expected in case["expect"]:
        vectors.assert_known(expected, {"id", "status", "reason", "recovering", "circuit"})
    assert [
        {
            "id": state.id,
            "status": state.status,
            "reason": state.reason,
            "recovering": state.recovering,
            "circuit": state.circuit
            and {
                "opened_by": state.circuit.opened_by,
                "failures": state.circuit.failures,
                "until": instant(state.circuit.until).timestamp(),
            },
        }
        for state in states
    ] == case["expect"]
