"""One decision of the sample history, from its assessment to its validation and beyond.

A decision is told by a generator: it records what happens now and yields how long it then waits,
so that many decisions go on at once on one clock.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from random import Random
from typing import Any, TypeVar, cast

import truth
from author import Author, Json, Question
from world import World, working

from majordomus_reasoning.core.records import Body, Plan, Record

T = TypeVar("T")
Waits = Iterator[timedelta]
Told = Generator[timedelta, None, T]  # waits, and what comes of it in the end
MATERIALITY = {"trivial": 0.03, "low": 0.08, "material": 0.22, "high": 0.34, "critical": 0.33}
SURENESS = {"low": 1, "medium": 2, "high": 3}
TELL_NO_TOKENS = frozenset({"rowan", "peer:tansy"})
# Minutes after which somebody asks again, by how it failed.
PATIENCE = {
    "timeout": (0.5, 4),
    "unavailable": (0.5, 25),
    "error": (0.5, 4),
    "malformed": (0.2, 2),
    "empty": (0.2, 2),
    "rate_limited": (3, 45),
    "auth_failed": (62, 200),
}
MOST_REPEATS = 4
# How likely it is that …
REPORTED = 0.25  # somebody asks with a tool of their own, and reports the answer
REPEATED = 0.60  # an advisor that failed is asked again
PLANNED_ANEW = 0.70  # another plan is made where nobody answered
ABANDONED = 0.02  # nothing comes of it
LATE = 0.08  # an answer comes after the decision
TURNED = 0.70  # a late answer of another side is disputed
DISPUTED = 0.75  # different answers are recorded as a disagreement
LEFT_OPEN = 0.08  # nobody settles that
LEFT_OPEN_LATE = 0.35  # nobody settles it, once there is a decision
EXPERIMENTED = 0.65  # the author alone runs the experiment
TRIED = 0.18  # something is tried first
VALIDATED = 0.66
REVISED = 0.70  # a decision that failed is revised
ASKED_AGAIN = 0.24  # the same comes up again
NEW_EVIDENCE = 0.07


@dataclass
class Answer:
    """A completed consultation: the side it takes, if one, and how sure it says it is."""

    id: str
    side: str | None
    confidence: str


@dataclass
class Facts:
    """What is true of single records: kept beside the records, never in them."""

    assessments: dict[str, str] = field(default_factory=dict)
    answers: dict[str, bool | None] = field(default_factory=dict)


class Decision:
    """One question, on its way from doubt to a decision that held or did not."""

    def __init__(
        self, world: World, question: Question, content: Json, facts: Facts, rng: Random
    ) -> None:
        self.world, self.question, self.facts, self.rng = world, question, facts, rng
        self.author = Author(question, content, rng)
        self.materiality = truth.pick(rng, MATERIALITY)
        self.assessment = ""
        self.answers: list[Answer] = []
        self.late: list[tuple[str, truth.Outcome]] = []
        self.disagreements: list[str] = []

    def tell(self) -> Waits:
        """The first decision, then the times that its question comes up again."""
        conclusion = yield from self._decide()
        if conclusion and self._chance(ASKED_AGAIN):
            yield self._hours(70, 600)
            # Reused, unless the decision is in doubt by now: then it is an inquiry of its own.
            conclusion = (yield from self._decide()) or conclusion
        if conclusion and self._chance(NEW_EVIDENCE):
            yield self._hours(100, 500)
            yield from self._decide(new_evidence=True, supersedes=conclusion)

    def _chance(self, probability: float) -> bool:
        return self.rng.random() < probability

    def _minutes(self, least: float, most: float) -> timedelta:
        return timedelta(milliseconds=round(self.rng.uniform(least, most) * 60_000))

    def _hours(self, least: float, most: float) -> timedelta:
        """A wait that ends in a working hour."""
        end = self.world.now + self._minutes(60 * least, 60 * most)
        return working(end) - self.world.now

    def _record(self, body: Json, **options: Any) -> Record[Body]:
        return self.world.record(self.question.task, body, **options)

    def _decide(
        self, *, new_evidence: bool = False, supersedes: str | None = None
    ) -> Told[str | None]:
        """One assessment with all that follows from it; the id of its last conclusion, if any."""
        self.answers, self.late, self.disagreements = [], [], []
        body = self.author.assessment(self.materiality, new_evidence=new_evidence)
        self.assessment = self._record(body).id
        self.facts.assessments[self.assessment] = self.question.true
        if self._chance(ABANDONED):
            return None
        yield self._minutes(1, 25)
        plan = self._plan()
        if plan.body.plan.outcome == "reuse_prior":
            return None
        yield from self._consult(plan)
        if self._chance(TRIED):
            yield self._hours(0.3, 5)
            self._record(self.author.attempt(self.assessment))
        side = yield from self._weigh(alone=bool(plan.body.plan.local_review))
        if side is None:
            return None
        yield self._minutes(4, 90)
        conclusion = self._conclude(side, supersedes)
        replaced = yield from self._hear_late(conclusion)
        if replaced:
            conclusion, side = replaced, self.question.true
        return (yield from self._prove(conclusion, side))

    def _plan(self) -> Record[Plan]:
        record = self._record({"kind": "plan", "assessment": self.assessment})
        return cast("Record[Plan]", record)

    # Asking

    def _consult(self, plan: Record[Plan]) -> Waits:
        """Ask whom the plan selects; where nobody answered, plan anew from the state of now."""
        asked = [selection.advisor for selection in plan.body.plan.selected]
        failed = yield from self._ask(plan.id, asked)
        for _ in range(MOST_REPEATS):
            patience = [PATIENCE[status] for status in failed.values() if status in PATIENCE]
            if not patience or not self._chance(REPEATED):
                break
            yield self._minutes(*max(patience))
            failed = yield from self._ask(plan.id, list(failed))
        if failed and not self.answers and not self.late and self._chance(PLANNED_ANEW):
            yield self._minutes(2, 30)
            other = self._plan()
            others = [selection.advisor for selection in other.body.plan.selected]
            if set(others) != set(asked):
                yield from self._ask(other.id, others)

    def _ask(self, plan: str, names: Sequence[str]) -> Told[dict[str, str]]:
        """Ask all at once, record each outcome as it comes; the status of those who failed."""
        asked, arrivals = self.world.now, []
        for name in names:
            outcome = truth.outcome(name, self.materiality, asked, self.rng)
            reported = outcome.status in {"completed", "timeout"} and self._chance(REPORTED)
            took = timedelta(milliseconds=outcome.duration_ms)
            took += self._minutes(2, 40) if reported else timedelta()
            if outcome.status == "completed" and self._chance(LATE):
                self.late.append((plan, outcome))
            else:
                arrivals.append((asked + took, outcome, reported))
        for moment, outcome, reported in sorted(arrivals, key=lambda each: each[0]):
            yield max(moment - self.world.now, timedelta())
            self._note(plan, outcome, reported=reported)
        failures = [each for _, each, _ in arrivals if each.status != "completed"]
        return {outcome.advisor: outcome.status for outcome in failures}

    def _note(self, plan: str, outcome: truth.Outcome, *, reported: bool) -> None:
        """Record what asking came to: with its exchange, unless somebody reports it."""
        side = self.author.side(outcome)
        body = self.author.consultation(plan, outcome, side, reported=reported)
        said, exchange = body.get("conclusion"), None
        if not reported:
            question = self.question.asked
            exchange = self.world.exchange(outcome.advisor, question, said)
            if said and outcome.advisor not in TELL_NO_TOKENS:
                body["usage"] = {
                    "input_tokens": 310 + len(question),
                    "output_tokens": 40 + len(said),
                }
        record = self._record(body, exchange=exchange)
        if outcome.confidence:
            self.answers.append(Answer(record.id, side, outcome.confidence))
            self.facts.answers[record.id] = outcome.right

    # Weighing and deciding

    def _weigh(self, *, alone: bool) -> Told[str | None]:
        """The side that the author comes down on; None where a disagreement is left open."""
        sided = [answer for answer in self.answers if answer.side]
        if {answer.side for answer in sided} - {"claim"} and self._chance(DISPUTED):
            yield self._minutes(5, 60)
            return (yield from self._dispute(sided, LEFT_OPEN))
        if alone and self._chance(EXPERIMENTED):
            yield self._hours(1, 20)
            return self.question.true
        # Not the most frequent answer but the surest one, the first of equals: a habit, no rule.
        surest = max(sided, key=lambda answer: SURENESS[answer.confidence], default=None)
        return surest.side if surest else "claim"

    def _dispute(self, answers: Sequence[Answer], left_open: float) -> Told[str | None]:
        """Record who holds what, and settle it by the experiment; the true side once settled."""
        sides = {answer.id: answer.side for answer in answers if answer.side}
        holders: Mapping[str, str] = {"primary": "claim", **sides}
        disagreement = self._record(self.author.disagreement(self.assessment, holders)).id
        if self._chance(left_open):
            return None
        yield self._hours(0.5, 40)
        self._record(self.author.resolution(disagreement, holders))
        self.disagreements.append(disagreement)
        return self.question.true

    def _conclude(self, side: str, supersedes: str | None) -> str:
        answers = [answer.id for answer in self.answers]
        body = self.author.conclusion(
            self.assessment, side, answers, self.disagreements, supersedes
        )
        return self._record(body).id

    # What comes of it

    def _hear_late(self, conclusion: str) -> Told[str | None]:
        """Answers that come after the decision; the conclusion that replaces it, if one does."""
        heard = len(self.answers)
        for plan, outcome in self.late:
            yield self._hours(1, 50)
            self._note(plan, outcome, reported=True)
        differ = [answer for answer in self.answers[heard:] if answer.side not in {None, "claim"}]
        if not differ or not self._chance(TURNED):
            return None
        yield self._hours(0.5, 8)
        settled = yield from self._dispute(differ, LEFT_OPEN_LATE)
        if settled is None or self._chance(0.4):  # settled, but not weighed yet
            return None
        yield self._minutes(10, 120)
        return self._conclude(settled, conclusion)

    def _prove(self, conclusion: str, side: str) -> Told[str]:
        """Validate a decision, and revise one that failed; the id of the last conclusion."""
        if not self._chance(VALIDATED):
            return conclusion
        yield self._hours(20, 400)
        outcome = self._validate(conclusion, right=side == self.question.true)
        unsettled = self.world.store.load().unsettled(self.assessment)
        if outcome == "pass" or unsettled or not self._chance(REVISED):
            return conclusion
        yield self._hours(1, 60)
        if self._chance(0.5):
            self._record(self.author.attempt(self.assessment))
            yield self._hours(1, 20)
        revised = self._conclude(self.question.true, conclusion)
        if self._chance(VALIDATED):
            yield self._hours(20, 200)
            self._validate(revised, right=True)
        return revised

    def _validate(self, conclusion: str, *, right: bool) -> str:
        outcome = truth.validates(right, self.rng)
        self._record(self.author.validation(conclusion, outcome))
        return outcome
