"""The ledger: records in order, indexed; each ledger sees its own past and no more."""

from __future__ import annotations

import itertools

import pytest
from builders import (
    Desk,
    answer,
    assessment,
    attempt,
    conclusion,
    decided,
    disagreement,
    moment,
    outcome,
    plan,
    record,
    validation,
)
from hypothesis import given
from hypothesis import strategies as st

from majordomus_reasoning.core.ledger import Ledger, same_subject
from majordomus_reasoning.core.records import Assessment, Conclusion, Plan, Validation
from majordomus_reasoning.testing import START


def concluded(on: str, supersedes: str) -> dict:
    """A conclusion as it is stored."""
    computed = {"reviewed_by": [], "independent_review_count": 0}
    return {**conclusion(on, supersedes=supersedes), **computed}


@st.composite
def stores(draw):
    """Records of several kinds that refer to each other, some at equal moments."""
    names = [f"r{number}" for number in range(draw(st.integers(0, 10)))]
    records = []
    for number, name in enumerate(names):
        other = draw(st.sampled_from([*names, "gone"]))
        bodies = [
            assessment(f"subject {number % 2}"),
            attempt(assessment=other),
            validation(other),
            concluded(other, supersedes=other),
        ]
        seconds, body = draw(st.integers(0, 5)), draw(st.sampled_from(bodies))
        records.append(record(name, seconds, body, task=draw(st.sampled_from(["t1", "t2"]))))
    asked = draw(st.lists(st.integers(0, 5), max_size=4))
    return records + [outcome(f"c{n}", at, "timeout") for n, at in enumerate(asked)]


def seen(ledger: Ledger) -> dict:
    """Everything that a ledger answers, to compare two of them."""
    names = [f"r{number}" for number in range(10)] + ["gone"]
    return {
        "ids": [each.id for each in ledger],
        "length": len(ledger),
        "backwards": [each.id for each in reversed(ledger)],
        "get": [ledger.get(name) for name in names],
        "kinds": [[each.id for each in ledger.of_kind(k)] for k in (Assessment, Conclusion)],
        "subject": [each.id for each in ledger.on_subject("subject 0")],
        "outcomes": [each.id for each in ledger.outcomes("one")],
        "checks": [[each.id for each in ledger.children(name, Validation)] for name in names],
        "superseding": [ledger.superseding(name) for name in names],
        "standing": [ledger.standing_conclusion(name) for name in names],
        "chains": [[each.id for each in ledger.chain(name)] for name in names],
    }


@given(stores(), st.randoms(use_true_random=False))
def test_the_order_in_which_records_arrive_changes_nothing(records, random):
    shuffled = list(records)
    random.shuffle(shuffled)
    assert seen(Ledger(shuffled)) == seen(Ledger(records))


@given(stores(), st.lists(st.integers(0, 14), max_size=4))
def test_appending_in_any_batches_is_building_at_once(records, cuts):
    ledger = Ledger()
    places = [0, *sorted(cuts), len(records)]
    for start, end in itertools.pairwise(places):
        ledger = ledger.append(*records[start:end])
    assert seen(ledger) == seen(Ledger(records))


@given(stores(), stores())
def test_a_ledger_stays_as_it_is_when_another_grows_from_it(records, more):
    ledger = Ledger(records)
    before = seen(ledger)
    known = {each.id for each in records}
    ledger.append(*(each for each in more if each.id not in known))
    assert seen(ledger) == before


@given(stores(), st.integers(-1, 6))
def test_until_shows_only_what_was_stamped_at_the_moment_or_before(records, seconds):
    cut = moment(START.timestamp() + seconds)
    past = [each for each in records if each.at <= cut]
    assert seen(Ledger(records).until(cut)) == seen(Ledger(past))


@given(stores())
def test_before_shows_only_what_comes_before_a_record(records):
    ledger = Ledger(records)
    for each in records:
        past = [other for other in records if other.key < each.key]
        assert seen(ledger.before(each)) == seen(Ledger(past))


@given(stores(), st.integers(0, 6))
def test_a_past_can_grow_into_another_present(records, seconds):
    past = Ledger(records).until(moment(START.timestamp() + seconds))
    new = record("new", 3, assessment())
    assert seen(past.append(new)) == seen(Ledger([*past, new]))


def test_a_ledger_answers_none_for_what_is_not_there():
    assert Ledger().get("x") is None
    assert Ledger().get(None) is None
    assert Ledger().find("x", Plan) is None
    assert Ledger().standing_conclusion("x") is None


def test_find_gives_a_record_only_if_it_is_of_the_kind(desk):
    on = desk.record(assessment())
    assert desk.ledger.find(on, Assessment).id == on
    assert desk.ledger.find(on, Plan) is None


def test_every_record_of_a_decision_belongs_to_its_assessment(desk):
    ids = decided(desk)
    tried = desk.record(attempt(assessment=ids["a"]))
    for name in (*ids.values(), tried):
        assert desk.ledger.assessment_of(desk.ledger.get(name)).id == ids["a"]
    assert [each.id for each in desk.ledger.chain(ids["a"])] == [*ids.values(), tried]


def test_an_attempt_of_no_assessment_belongs_to_none(desk):
    alone = desk.record(attempt())
    assert desk.ledger.assessment_of(desk.ledger.get(alone)) is None


def test_records_that_refer_to_each_other_in_a_circle_end_nowhere():
    circle = record("k", 0, concluded("k", supersedes="k"))
    ledger = Ledger([circle])
    assert ledger.assessment_of(circle) is None
    assert ledger.superseding("k") is None


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("lock scope", " Lock\t\n SCOPE ", True),
        ("straße", "STRASSE", True),
        ("ΣΊΣΥΦΟΣ", "σίσυφος", True),
        ("a\u00a0b", "a b", True),
        ("a\u3000b", "a b", True),
        ("lockscope", "lock scope", False),
        ("lock scope", "lock-scope", False),
        ("", " ", True),
    ],
)
def test_subjects_are_the_same_when_white_space_and_letter_case_are_all_that_differs(
    one, other, same
):
    assert (same_subject(one) == same_subject(other)) is same


@given(st.text())
def test_every_subject_is_the_same_as_itself_spread_out(subject):
    assert same_subject(f" {subject}\n") == same_subject(subject)
    assert same_subject(same_subject(subject)) == same_subject(subject)


class TestPrior:
    """The decision that answers a later question on the same subject."""

    @pytest.fixture
    def question(self, desk):
        return desk.record(assessment())

    @pytest.fixture
    def first(self, desk, question):
        return desk.record(conclusion(question))

    def prior(self, desk: Desk) -> str | None:
        later = desk.record(assessment("LOCK   scope"))
        found = desk.ledger.prior_decision(desk.ledger.get(later))
        return found.id if found else None

    def test_is_the_standing_conclusion_of_another_assessment(self, desk, first):
        assert self.prior(desk) == first

    def test_is_none_for_the_assessment_that_was_concluded(self, desk, question, first):
        assert desk.ledger.prior_decision(desk.ledger.get(question)) is None

    def test_is_the_latest_that_has_one(self, desk, first):
        second = desk.record(conclusion(desk.record(assessment()), decision="another"))
        desk.record(assessment())
        assert self.prior(desk) == second

    def test_is_none_once_a_validation_of_it_failed(self, desk, first):
        desk.record(validation(first, "fail"))
        desk.record(validation(first, "pass"))
        assert self.prior(desk) is None

    def test_is_none_while_its_assessment_is_disputed(self, desk, question, first):
        said = desk.record(answer(desk.record(plan(question))))
        desk.record(disagreement(question, "primary", said))
        assert self.prior(desk) is None

    def test_comes_from_any_task(self, desk):
        on = desk.record(assessment(), task="another")
        decision = desk.record(conclusion(on), task="another")
        assert self.prior(desk) == decision

    def test_is_the_one_that_superseded(self, desk, question, first):
        second = desk.record(conclusion(question, supersedes=first))
        assert self.prior(desk) == second


def test_outcomes_are_those_of_one_advisor_from_all_tasks():
    records = [
        outcome("c1", 1, "timeout", "one"),
        outcome("c2", 0, "completed", "one"),
        outcome("c3", 0, "timeout", "two"),
    ]
    assert [each.id for each in Ledger(records).outcomes("one")] == ["c2", "c1"]
