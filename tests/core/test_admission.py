"""Walks through the rules: whatever is tried in whatever order, what is admitted holds."""

from __future__ import annotations

import random

import pytest
from builders import (
    Desk,
    answer,
    assessment,
    attempt,
    conclusion,
    decided,
    disagreement,
    failure,
    plan,
    refusal,
    resolution,
    situation,
    validation,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from majordomus_reasoning.core.admission import check_vocabulary, judge
from majordomus_reasoning.core.catalogue import Catalogue
from majordomus_reasoning.core.records import Conclusion, Consultation, Disagreement
from majordomus_reasoning.errors import CatalogueError, Refusal

FAILURES = ("timeout", "rate_limited", "auth_failed", "cancelled", "error")


class Walk:
    """Random inputs about the records that are there; many are refused, and should be."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.desk = Desk(situation("one", "two", "three", mode="strict"))
        self.admitted: list[str] = []

    def step(self) -> None:
        try:
            self.admitted.append(self.desk.record(self.body()))
        except Refusal:
            return
        self.check(self.admitted[-1])

    def body(self):
        kinds = (
            *(self.assess, self.plan, self.answer, self.answer, self.fail, self.disagree),
            *(self.resolve, self.conclude, self.conclude, self.validate, self.attempt),
        )
        return self.random.choice(kinds)()

    def one(self, *kinds: str) -> str:
        """An id of one of these kinds; of any other now and then, or of nobody."""
        fit = [name for name in self.admitted if name.startswith(kinds)]
        pool = fit if fit and self.random.random() < 0.95 else [*self.admitted, "nobody"]
        return self.random.choice(pool)

    def some(self, kind: str) -> list[str]:
        """All ids of a kind, or only some of them."""
        fit = [name for name in self.admitted if name.startswith(kind)]
        return fit if self.random.random() < 0.7 else [n for n in fit if self.random.random() < 0.5]

    def about(self, names: list[str], on: str) -> list[str]:
        """Those that belong to an assessment; all of them now and then."""
        if self.random.random() < 0.1:
            return names
        owner = self.desk.ledger.assessment_of
        return [n for n in names if getattr(owner(self.desk.ledger.get(n)), "id", None) == on]

    def assess(self):
        return assessment(f"subject {self.random.randrange(2)}", materiality="critical")

    def plan(self):
        return plan(self.one("assessment"))

    def answer(self):
        return answer(self.one("plan"), self.random.choice(["one", "two", "three"]))

    def fail(self):
        chosen = self.random.choice(["one", "two", "three"])
        return failure(self.one("plan"), chosen, self.random.choice(FAILURES))

    def disagree(self):
        return disagreement(self.one("assessment"), "primary", self.one("consultation"))

    def resolve(self):
        return resolution(self.one("disagreement"), self.random.choice(["primary", "neither"]))

    def conclude(self):
        on = self.one("assessment")
        answers = [name for name in self.some("consultation") if self.completed(name)]
        cited = {
            "consultations": self.about(answers, on),
            "disagreements": self.about(self.some("disagreement"), on),
        }
        if self.random.random() < 0.5:
            cited["supersedes"] = self.one("conclusion")
        return conclusion(on, **cited)

    def completed(self, name: str) -> bool:
        return self.desk.body(name).status == "completed" or self.random.random() < 0.1

    def validate(self):
        return validation(self.one("conclusion"), self.random.choice(["pass", "fail"]))

    def attempt(self):
        return attempt(assessment=self.one("assessment"))

    def check(self, name: str) -> None:
        """What must hold at the moment a record was admitted."""
        record = self.desk.ledger.get(name)
        if isinstance(record.body, Conclusion):
            self.check_conclusion(self.desk.ledger.before(record), record.body)

    def check_conclusion(self, before, body: Conclusion) -> None:
        # Said anew from the records alone, not through the indexes that the rules use.
        on = body.assessment
        disagreements = [
            each for each in before.of_kind(Disagreement) if each.body.assessment == on
        ]
        settled = {each.body.disagreement for each in before if each.body.kind == "resolution"}
        assert {each.id for each in disagreements} <= settled
        assert {each.id for each in disagreements} <= set(body.disagreements)
        answers = {
            each.id: each.body.advisor
            for each in before.of_kind(Consultation)
            if each.body.status == "completed" and before.get(each.body.plan).body.assessment == on
        }
        assert set(body.consultations) == set(answers)
        assert body.reviewed_by == tuple(sorted(set(answers.values())))
        assert body.independent_review_count == len(set(answers.values()))


@settings(max_examples=60)
@given(st.integers(0, 2**32))
def test_no_conclusion_leaves_a_disagreement_unsettled_or_an_answer_unweighed(seed):
    walk = Walk(seed)
    for _ in range(60):
        walk.step()


def test_the_walks_reach_reviewed_disputed_and_superseding_conclusions():
    conclusions = []
    for seed in range(30):
        walk = Walk(seed)
        for _ in range(60):
            walk.step()
        conclusions += [each.body for each in walk.desk.ledger.of_kind(Conclusion)]
    assert any(each.independent_review_count > 1 for each in conclusions)
    assert any(each.disagreements for each in conclusions)
    assert any(each.supersedes for each in conclusions)


@settings(max_examples=30)
@given(st.integers(0, 2**32))
def test_what_was_admitted_passes_the_same_rules_when_it_is_checked_later(seed):
    walk = Walk(seed)
    for _ in range(40):
        walk.step()
    for record in walk.desk.ledger:
        judge(record.body, walk.desk.ledger.before(record))


def test_one_advisor_that_answered_twice_is_one_reviewer(desk):
    on = desk.record(assessment())
    answers = [desk.record(answer(desk.record(plan(on)))) for _ in range(2)]
    body = desk.body(desk.record(conclusion(on, consultations=answers)))
    assert (body.reviewed_by, body.independent_review_count) == (("one",), 1)


def test_an_answer_cited_twice_counts_once(desk):
    on = desk.record(assessment())
    said = desk.record(answer(desk.record(plan(on))))
    body = desk.body(desk.record(conclusion(on, consultations=[said, said])))
    assert body.independent_review_count == 1


def test_whether_an_answer_was_asked_or_reported_does_not_change_the_count(desk):
    on = desk.record(assessment())
    under = desk.record(plan(on))
    cited = [
        desk.record(answer(under, "one"), origin="asked"),
        desk.record(answer(under, "two"), origin="reported"),
    ]
    assert desk.body(desk.record(conclusion(on, consultations=cited))).reviewed_by == ("one", "two")


def test_a_plan_is_made_of_the_assessment_and_the_moment(desk):
    on = desk.record(assessment(materiality="material", confidence="low"))
    body = desk.body(desk.record(plan(on)))
    assert (body.plan.materiality, body.plan.confidence, body.plan.budget) == (
        "material",
        "low",
        1,
    )
    assert [state.id for state in body.availability] == ["one", "two"]
    desk.situation = situation("one", "two", absent=["one"])
    later = desk.body(desk.record(plan(on)))
    assert [selection.advisor for selection in later.plan.selected] == ["two"]


def test_a_second_assessment_is_answered_by_the_earlier_decision_named(desk):
    decision = decided(desk)["k"]
    later = desk.record(assessment("Lock  SCOPE"))
    body = desk.body(desk.record(plan(later)))
    assert body.plan.outcome == "reuse_prior"
    assert decision in body.plan.reason
    assert all(decision in exclusion.reason for exclusion in body.plan.excluded)


def test_new_evidence_asks_again(desk):
    decided(desk)
    later = desk.record(assessment(new_evidence=True))
    assert desk.body(desk.record(plan(later))).plan.outcome == "consult"


def test_a_broken_catalogue_stops_plans_and_requested_capabilities_and_nothing_else(desk):
    ids = decided(desk)

    class Broken:
        @property
        def catalogue(self) -> Catalogue:
            raise CatalogueError("advisors.yaml", "version", "broken")

        def states(self, *_):
            raise CatalogueError("advisors.yaml", "version", "broken")

    desk.situation = Broken()
    assert desk.record(assessment("another"))
    assert desk.record(validation(ids["k"]))
    with pytest.raises(CatalogueError):
        desk.record(plan(ids["a"]))
    with pytest.raises(CatalogueError):
        desk.record(assessment(capabilities=["code_review"]))


@pytest.mark.parametrize("subject", ["\x1b[31m", "\u200b", "\x00"])
def test_text_is_cleaned_before_it_is_judged(desk, subject):
    assert refusal(desk.record, assessment(subject)).code == "blank_field"


@pytest.mark.parametrize(("words", "times"), [(["code_review"] * 1_000, 1), ([], 0)])
def test_the_situation_is_looked_at_once_however_many_capabilities_are_asked_for(words, times):
    looks = []
    check_vocabulary(words, lambda: looks.append(1) or situation())
    assert len(looks) == times
