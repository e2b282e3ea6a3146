"""The verbs of a decision, each one record: what a notebook calls, in the words of its person."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from typing import Any, get_args

from majordomus_reasoning.core.draft import DEEPEST_BODY
from majordomus_reasoning.core.redaction import shown
from majordomus_reasoning.core.words import EvidenceKind
from majordomus_reasoning.errors import Refusal
from majordomus_reasoning.handles import Handle
from majordomus_reasoning.store.files import Written

EVIDENCE_KINDS = frozenset(get_args(EvidenceKind))
Named = Handle | str
Cited = Mapping[str, Any] | str


class Verbs(ABC):
    """The verbs that record, over the one path that writes.

    Verbs are idempotent by content: the same authored body in the same task gives the record that
    is there, unless `again=True`. Each returns a `Handle`, and raises `Refusal` where the rules
    forbid the record. Evidence is written as `kind:reference`, or as a mapping.
    """

    @abstractmethod
    def record(self, body: Mapping[str, Any], *, once: bool = False) -> Written:
        """Record a body tagged by its `kind`."""

    def assess(
        self, subject: str, *, evidence: Iterable[Cited] = (), again: bool = False, **fields: Any
    ) -> Handle:
        """State an uncertainty; `fields` are those of an assessment."""
        body = {"kind": "assessment", "subject": subject, "evidence": evidence, **fields}
        return self._verb(body, again)

    def plan(self, assessment: Named, *, again: bool = False) -> Handle:
        """Plan whether review is worth having, and from whom: the latest plan, else a new one."""
        return self._verb({"kind": "plan", "assessment": assessment}, again)

    def disagree(
        self,
        assessment: Named,
        positions: Mapping[Named, str],
        *,
        decided_by: str,
        again: bool = False,
        **fields: Any,
    ) -> Handle:
        """State who holds what, and the question that tells the positions apart."""
        held = [{"source": str(source), "position": said} for source, said in positions.items()]
        body = {"kind": "disagreement", "assessment": assessment, "positions": held, **fields}
        return self._verb({**body, "discriminating_question": decided_by}, again)

    def resolve(
        self,
        disagreement: Named,
        *,
        experiment: str,
        outcome: str,
        favours: Named,
        evidence: Iterable[Cited],
        again: bool = False,
    ) -> Handle:
        """Settle a disagreement by the evidence of an experiment."""
        body = {"kind": "resolution", "disagreement": disagreement, "experiment": experiment}
        return self._verb(
            {**body, "outcome": outcome, "favours": favours, "evidence": evidence}, again
        )

    def conclude(
        self,
        assessment: Named,
        *,
        decision: str,
        rationale: str,
        evidence: Iterable[Cited] = (),
        consultations: Iterable[Named] | Mapping[str, Named] = (),
        disagreements: Iterable[Named] = (),
        again: bool = False,
        **fields: Any,
    ) -> Handle:
        """Decide; every answer and disagreement of the assessment must be cited."""
        answers = _advice(consultations) if isinstance(consultations, Mapping) else consultations
        body = {"kind": "conclusion", "assessment": assessment, "decision": decision, **fields}
        cited = {"consultations": [*answers], "disagreements": [*disagreements]}
        return self._verb({**body, "rationale": rationale, "evidence": evidence, **cited}, again)

    def validate(
        self,
        conclusion: Named,
        *,
        check: str,
        outcome: str,
        evidence: Iterable[Cited] = (),
        again: bool = False,
        **fields: Any,
    ) -> Handle:
        """Record whether a decision held: `pass` or `fail`."""
        body = {"kind": "validation", "conclusion": conclusion, "check": check, **fields}
        return self._verb({**body, "outcome": outcome, "evidence": evidence}, again)

    def attempt(
        self,
        attempt: str,
        *,
        observed_failure: str,
        evidence: Iterable[Cited] = (),
        again: bool = False,
        **fields: Any,
    ) -> Handle:
        """Record what was tried and failed, and what that taught."""
        body = {"kind": "attempt", "attempt": attempt, "observed_failure": observed_failure}
        return self._verb({**body, "evidence": evidence, **fields}, again)

    def _verb(self, body: Mapping[str, Any], again: bool) -> Handle:
        written = self.record(authored_body(body), once=not again)
        return Handle(written.record, written.reused)


def _advice(answers: Mapping[str, Named]) -> list[Named]:
    """What a mapping of answers can be cited for: what did not complete is no advice."""
    return [
        each
        for each in answers.values()
        if not isinstance(each, Handle) or getattr(each.body, "status", "completed") == "completed"
    ]


def authored_body(value: Any, levels: int = DEEPEST_BODY) -> Any:
    """A verb's arguments as the body they mean: handles are ids, evidence texts are references.

    Raises Refusal where they nest deeper than a body may, as a list that holds itself does.
    """
    if isinstance(value, Handle):
        return value.id
    if isinstance(value, str) or not isinstance(value, Iterable):
        return value
    if not levels:
        raise Refusal("invalid_value", f"the record nests deeper than {DEEPEST_BODY} levels.")
    if isinstance(value, Mapping):
        authored = {name: authored_body(item, levels - 1) for name, item in value.items()}
        if isinstance(authored.get("evidence"), str):
            authored["evidence"] = [authored["evidence"]]
        if isinstance(authored.get("evidence"), list):
            authored["evidence"] = [_evidence(item) for item in authored["evidence"]]
        return authored
    return [authored_body(item, levels - 1) for item in value]


def _evidence(cited: Any) -> Any:
    """`file:src/x.py:42` as an evidence object; an object stays what it is."""
    if not isinstance(cited, str):
        return cited
    kind, colon, reference = cited.partition(":")
    if not colon or kind.strip() not in EVIDENCE_KINDS:
        example = f"such as file:{shown(cited)}" if "." in kind else "such as file:src/x.py:42"
        message = f"evidence {shown(cited)!r} names no kind: write it as kind:reference, {example}."
        raise Refusal("invalid_value", message, "evidence")
    return {"kind": kind.strip(), "reference": reference.strip()}
