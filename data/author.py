"""What is written in the sample history: the bodies of its records, worded from its questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import truth
from world import digest

Json = dict[str, Any]
STANCES = {"claim": "supports", "counter": "opposes", "third": "alternative", None: "inconclusive"}
ASSESSED = {"low": 0.35, "medium": 0.57, "high": 0.08}
CONCLUDED = {"low": 0.15, "medium": 0.55, "high": 0.30}
RESTS_SECONDS = (30, 60, 120, 600, 1200, 3600)


@dataclass(frozen=True)
class Question:
    """What is uncertain about one part of one task, and which of three answers is true."""

    task: str
    part: str
    file: str
    texts: Mapping[str, str]
    capabilities: Sequence[str]
    true: str

    @property
    def name(self) -> str:
        """The part as the name of a module."""
        return self.part.replace(" ", "_")

    @property
    def asked(self) -> str:
        """What an advisor is sent."""
        return "\n".join(self.texts[name] for name in ("subject", "claim", "fact", "ask"))


class Author:
    """The one who asks and decides: gives the body of each record, in words of the question."""

    def __init__(self, question: Question, content: Json, rng: Random) -> None:
        self.question, self.texts, self.rng = question, question.texts, rng
        self.phrases: Mapping[str, Sequence[str]] = content["phrases"]
        self.diagnostics: Mapping[str, Sequence[str]] = content["diagnostics"]

    def _chance(self, probability: float) -> bool:
        return self.rng.random() < probability

    def _phrase(self, name: str) -> str:
        return self.rng.choice(self.phrases[name]).format(part=self.question.part, **self.texts)

    def _phrases(self, name: str, most: int) -> list[str]:
        return self.rng.sample(self.phrases[name], self.rng.randint(1, most))

    def _file(self) -> Json:
        return {"kind": "file", "reference": f"{self.question.file}:{self.rng.randint(8, 240)}"}

    def _evidence(self) -> list[Json]:
        name = self.question.name
        more = (
            {"kind": "test", "reference": f"tests/test_{name}.py::test_{name}"},
            {"kind": "adr", "reference": f"{self.rng.randint(3, 60):04d}"},
            {"kind": "commit", "reference": digest(f"{name}{self.rng.random()}")[:12]},
            {"kind": "document", "reference": "docs/operations.md", "note": "the runbook"},
            {"kind": "rule", "reference": "one writer for each table"},
            {"kind": "runtime", "reference": f"metrics of the {self.question.part}"},
        )
        return [self._file(), *self.rng.sample(more, self.rng.randint(0, 2))]

    def assessment(self, materiality: str, *, new_evidence: bool) -> Json:
        """The uncertainty as it is stated."""
        return {
            "kind": "assessment",
            "subject": self.texts["subject"],
            "materiality": materiality,
            "confidence": truth.pick(self.rng, ASSESSED),
            "hypothesis": self.texts["claim"],
            "affects": [self.question.part],
            "facts": [self.texts["fact"]],
            "assumptions": self._phrases("assumption", 2),
            "questions": [self.texts["ask"]],
            "evidence": self._evidence(),
            "capabilities": list(self.question.capabilities),
            "new_evidence": new_evidence,
        }

    def attempt(self, assessment: str) -> Json:
        """Something that was tried and failed; now and then nobody says what for."""
        return {
            "kind": "attempt",
            "assessment": assessment if self._chance(0.85) else None,
            "attempt": self._phrase("attempt"),
            "observed_failure": self._phrase("observed"),
            "assumption_invalidated": self.rng.choice(self.phrases["assumption"]),
        }

    def side(self, outcome: truth.Outcome) -> str | None:
        """The side that an answer takes: the true one where it is right, else another."""
        if outcome.right is None:
            return None
        if outcome.right:
            return self.question.true
        return self.rng.choice([side for side in truth.TRUE if side != self.question.true])

    def consultation(
        self, plan: str, outcome: truth.Outcome, side: str | None, *, reported: bool
    ) -> Json:
        """What asking came to; who reports it often did not take the time."""
        answered = outcome.status == "completed"
        return {
            "kind": "consultation",
            "plan": plan,
            "advisor": outcome.advisor,
            "status": outcome.status,
            "question": self.texts["ask"],
            "duration_ms": None if reported and self._chance(0.6) else outcome.duration_ms,
            **(self._answered(outcome, side) if answered else self._failed(outcome.status)),
        }

    def _answered(self, outcome: truth.Outcome, side: str | None) -> Json:
        said = f"{self.texts[side]}: {self._phrase('because')}" if side else self._phrase("unsure")
        return {
            "conclusion": said,
            "stance": STANCES[side],
            "confidence": outcome.confidence,
            "assumptions": self._phrases("assumption", 1),
            "risks": [self.texts["risk"]] if self._chance(0.5) else [],
            "actions": self._phrases("action", 2),
            "falsifiers": [self.texts["experiment"]] if self._chance(0.6) else [],
        }

    def _failed(self, status: str) -> Json:
        body: Json = {"diagnostic": self.rng.choice(self.diagnostics[status])}
        if status == "rate_limited" and self._chance(0.75):
            body["retry_after_seconds"] = self.rng.choice(RESTS_SECONDS)
        return body

    def disagreement(self, assessment: str, holders: Mapping[str, str]) -> Json:
        """Who holds what, by source."""
        return {
            "kind": "disagreement",
            "assessment": assessment,
            "positions": [
                {"source": source, "position": self.texts[side]} for source, side in holders.items()
            ],
            "discriminating_question": self.texts["ask"],
            "experiment": self.texts["experiment"],
            "divergent_assumptions": self._phrases("assumption", 1),
        }

    def resolution(self, disagreement: str, holders: Mapping[str, str]) -> Json:
        """What the experiment showed, which is always the truth; of several it favours one."""
        true = self.question.true
        right = [source for source, side in holders.items() if side == true]
        command = f"python experiments/{self.question.name}.py"
        return {
            "kind": "resolution",
            "disagreement": disagreement,
            "experiment": self.texts["experiment"],
            "outcome": self.texts[true],
            "favours": self.rng.choice(right) if right else "neither",
            "evidence": [{"kind": "command", "reference": command, "note": "exit code 0"}],
        }

    def conclusion(
        self,
        assessment: str,
        side: str,
        consultations: Sequence[str],
        disagreements: Sequence[str],
        supersedes: str | None,
    ) -> Json:
        """The decision for a side, with what it weighs."""
        rejected = [self.texts[other] for other in truth.TRUE if other != side]
        settled = [{"kind": "record", "reference": name} for name in disagreements]
        return {
            "kind": "conclusion",
            "assessment": assessment,
            "decision": self.texts[side],
            "rationale": self._phrase("rationale"),
            "evidence": [self._file(), *settled],
            "consultations": list(consultations),
            "disagreements": list(disagreements),
            "rejected": rejected[: self.rng.randint(1, 2)],
            "risks": [self.texts["risk"]],
            "validation_plan": [self.texts["experiment"], *self._phrases("action", 1)],
            "confidence": truth.pick(self.rng, CONCLUDED),
            "supersedes": supersedes,
        }

    def validation(self, conclusion: str, outcome: str) -> Json:
        """Whether the decision held."""
        name = self.question.name
        return {
            "kind": "validation",
            "conclusion": conclusion,
            "check": f"{self.texts['experiment']}, with the decision carried out",
            "command": f"pytest tests/test_{name}.py",
            "outcome": outcome,
            "evidence": [
                {"kind": "test", "reference": f"tests/test_{name}.py::test_after_the_change"}
            ],
        }
