"""A clock that is set back by more than the skew: what was known is told by what is cited."""

from __future__ import annotations

from datetime import timedelta

import pytest
from builders import (
    Writer,
    answer,
    assessment,
    conclusion,
    decided,
    disagreement,
    plan,
    resolution,
    validation,
)

from majordomus_reasoning.core.audit import faults
from majordomus_reasoning.core.ledger import Ledger
from majordomus_reasoning.core.records import record_type
from majordomus_reasoning.core.state import derive_state
from majordomus_reasoning.testing import START, TickingClock

AN_HOUR = 3_600
AFTERWARDS = START + timedelta(days=1)


class CorrectedWriter(Writer):
    """The one writer, with a clock that is set back by an hour before some of its records."""

    def __init__(self, root, *set_back_before: int) -> None:
        self.clock = TickingClock()
        self.set_back_before = set_back_before
        super().__init__(root, clock=self.clock)

    def write(self, body, task="untasked", **options):
        if len(self.store.load()) in self.set_back_before:
            self.clock.advance(-AN_HOUR)
        return super().write(body, task, **options)

    @property
    def ledger(self) -> Ledger:
        return self.store.load()

    def findings(self) -> list[str]:
        return [message for _record, message in faults(self.ledger, AFTERWARDS)]

    def unweighed(self) -> dict[str, tuple[str, ...]]:
        return {each.id: each.unweighed_since for each in derive_state(self.ledger).conclusions}


@pytest.mark.parametrize("place", range(1, 8))
def test_what_the_writer_admits_is_admitted_by_the_check_wherever_the_clock_is_set_back(
    tmp_path, place
):
    writer = CorrectedWriter(tmp_path, place)
    ids = decided(writer)
    assert writer.findings() == []
    (assessed,) = derive_state(writer.ledger).assessments
    assert (assessed.standing, assessed.conclusion) == ("validated", ids["k"])
    assert writer.unweighed() == {ids["k"]: ()}


@pytest.mark.parametrize("places", [(2, 5), (3, 4, 6), (1, 2, 3, 4, 5, 6, 7)])
def test_nor_does_it_matter_how_often(tmp_path, places):
    writer = CorrectedWriter(tmp_path, *places)
    decided(writer)
    assert writer.findings() == []


def test_what_is_made_after_the_clock_was_set_back_is_backdated(tmp_path):
    writer = CorrectedWriter(tmp_path, 2)
    on = writer.record(assessment())
    under = writer.record(plan(on))
    said = writer.record(answer(under))
    other = writer.record(assessment("another"))
    decision = writer.record(conclusion(on, consultations=[said]))
    assert writer.ledger.backdated == {said, decision}, f"{other} cites nothing"


@pytest.mark.parametrize("planned_anew", [False, True])
def test_an_answer_after_the_decision_is_late_though_it_is_stamped_before_it(
    tmp_path, planned_anew
):
    writer = CorrectedWriter(tmp_path, 3)
    on = writer.record(assessment())
    under = writer.record(plan(on))
    decision = writer.record(conclusion(on))
    said = writer.record(answer(writer.record(plan(on)) if planned_anew else under))
    assert writer.unweighed() == {decision: (said,)}
    assert writer.findings() == []
    quarrel = writer.record(disagreement(on, "primary", said))
    assert writer.unweighed() == {decision: (said, quarrel)}
    writer.record(resolution(quarrel))
    cited = {"consultations": [said], "disagreements": [quarrel]}
    second = writer.record(conclusion(on, supersedes=decision, **cited))
    assert writer.unweighed() == {decision: (), second: ()}
    assert writer.findings() == []


def test_decisions_that_replace_each_other_across_a_correction_are_admitted(tmp_path):
    writer = CorrectedWriter(tmp_path, 2, 4)
    on = writer.record(assessment())
    standing = writer.record(conclusion(on))
    for number in range(4):
        decision = conclusion(on, decision=f"decision {number}", supersedes=standing)
        standing = writer.record(decision)
        writer.record(validation(standing))
    assert writer.findings() == []


def altered(ledger: Ledger, name: str, **envelope) -> Ledger:
    """The ledger with one record as a person with an editor could have left it."""
    changed = [
        record_type().validate_python({**record.plain(), **envelope}, strict=False)
        if record.id == name
        else record
        for record in ledger
    ]
    return Ledger(changed)


def test_only_a_digest_that_fits_proves_that_a_record_was_there(tmp_path):
    writer = CorrectedWriter(tmp_path, 1)
    on = writer.record(assessment())
    decision = writer.record(conclusion(on))
    assert writer.findings() == []
    for cites in ({on: "0" * 64}, None):
        found = [
            message
            for _, message in faults(altered(writer.ledger, decision, cites=cites), AFTERWARDS)
        ]
        assert any("unknown_reference" in message for message in found)


def test_an_answer_that_was_there_has_to_be_cited_all_the_same(tmp_path):
    writer = CorrectedWriter(tmp_path, 3)
    on = writer.record(assessment())
    said = writer.record(answer(writer.record(plan(on))))
    decision = writer.record(conclusion(on, consultations=[said]))
    body = writer.ledger.get(decision).body.plain()
    del body["consultations"]
    forged = altered(writer.ledger, decision, body=body, recorded_at="2027-01-01T00:00:00.000Z")
    found = [message for _, message in faults(forged, AFTERWARDS + timedelta(days=365))]
    assert any("unweighed_answer" in message for message in found)
