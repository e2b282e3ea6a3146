"""How one consultation ended, and what of it becomes a record."""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from majordomus_reasoning.advisors.contract import Answer
from majordomus_reasoning.advisors.failures import AdvisorFailure
from majordomus_reasoning.advisors.masking import masked
from majordomus_reasoning.advisors.normalise import Opinion
from majordomus_reasoning.advisors.question import Question
from majordomus_reasoning.core.records import Exchange, Usage
from majordomus_reasoning.core.redaction import clean_text
from majordomus_reasoning.core.words import ConsultationStatus

LONGEST_NAME = 200


@dataclass(frozen=True)
class Outcome:
    """The one typed result of asking one advisor: an opinion, or a failure.

    `exchange` is what is kept of the exchange itself: names, digests and sizes, no raw text.
    """

    advisor: str
    question: Question
    duration_ms: int
    exchange: Exchange
    opinion: Opinion | None = None
    failure: AdvisorFailure | None = None
    usage: Usage | None = None

    @property
    def status(self) -> ConsultationStatus:
        """The status that the consultation is recorded with."""
        return "completed" if self.failure is None else self.failure.status

    @property
    def diagnostic(self) -> str | None:
        """`<reason>: <sentence>` of a failure, None for an answer."""
        return self.failure.diagnostic if self.failure else None

    def body(self, plan: str) -> dict[str, Any]:
        """The body of the consultation's record, under the plan of that id; nothing empty in it."""
        found: dict[str, Any] = {
            "question": self.question.asked,
            "evidence": [each.plain() for each in self.question.evidence],
            **(self.opinion.plain() if self.opinion else {}),
            "usage": self.usage.plain() if self.usage else None,
            "diagnostic": self.diagnostic,
            "retry_after_seconds": self.failure.retry_after_seconds if self.failure else None,
        }
        named = {"kind": "consultation", "plan": plan, "advisor": self.advisor}
        kept = {name: value for name, value in found.items() if value not in (None, "", [])}
        return {**named, "status": self.status, **kept, "duration_ms": self.duration_ms}


def exchange_of(
    question: Question, answer: Answer | None, secrets: Collection[str] = ()
) -> Exchange:
    """What is kept of an exchange; of one without an answer, only what was sent.

    The names are the server's words: each of the secrets that were sent is masked in them.
    """
    facts: dict[str, Any] = {
        "question_template": question.template,
        "question_sha256": question.sha256,
        "question_bytes": question.size,
    }
    if answer is not None:
        said = answer.text.encode("utf-8", "surrogatepass")
        facts |= {
            "model": _name(answer.model, secrets),
            "client": _name(answer.client, secrets),
            "client_version": _name(answer.client_version, secrets),
            "answer_sha256": hashlib.sha256(said).hexdigest(),
            "answer_bytes": len(said),
        }
    known = {name: value for name, value in facts.items() if value is not None}
    return Exchange.model_validate(known)


def usage_of(answer: Answer | None) -> Usage | None:
    """The tokens that an answer reports; None where it reports none, or what none can be."""
    reported = {name: getattr(answer and answer.usage, name, None) for name in Usage.model_fields}
    known = {name: value for name, value in reported.items() if value is not None}
    try:
        return Usage.model_validate(known) if known else None
    except ValidationError:
        return None


def _name(given: str | None, secrets: Collection[str]) -> str | None:
    if not given:
        return None
    # Secrets go before the name is cut, since nobody would know the half of one.
    return masked(clean_text(given)[0].strip(), secrets)[:LONGEST_NAME].strip() or None
