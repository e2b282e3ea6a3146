"""The eight kinds of record and their envelope: the wire format.

A body that a caller authors is an `Input`; what the writer adds stands in the subclass that is
stored (`Plan`, `Conclusion`). What was set is what is written: optional fields that are empty are
left out before a body is made, so that a record read and written again has the same bytes.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from datetime import datetime
from functools import cache, cached_property
from typing import Annotated, Any, Generic, Literal, TypeVar, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter

from majordomus_reasoning.core.words import (
    LARGEST_NUMBER,
    LONGEST_WAIT_SECONDS,
    VERSION,
    AdvisorStatus,
    Confidence,
    ConsultationStatus,
    EvidenceKind,
    Materiality,
    Mode,
    Origin,
    PlanOutcome,
    Reason,
    Stance,
    Transport,
    ValidationOutcome,
    instant,
    is_plain_name,
)


def _is_stamp(stamp: str) -> str:
    instant(stamp)
    return stamp


def _is_plain(name: str) -> str:
    if not is_plain_name(name):
        raise ValueError("not a plain name of at most 200 bytes")
    return name


Stamp = Annotated[str, AfterValidator(_is_stamp)]
PlainName = Annotated[str, AfterValidator(_is_plain)]
Count = Annotated[int, Field(ge=0, le=LARGEST_NUMBER)]


class Part(BaseModel):
    """A piece of a record: types are never coerced, unknown fields are kept."""

    model_config = ConfigDict(extra="allow", strict=True, frozen=True, defer_build=True)

    def unknown_fields(self) -> Iterator[str]:
        """The dotted paths of the fields that this version does not know."""
        yield from self.model_extra or {}
        for name in type(self).model_fields:
            value = getattr(self, name)
            for place, part in enumerate(value) if isinstance(value, tuple) else [(None, value)]:
                if isinstance(part, Part):
                    prefix = name if place is None else f"{name}[{place}]"
                    yield from (f"{prefix}.{field}" for field in part.unknown_fields())

    def plain(self) -> dict[str, Any]:
        """The piece as JSON holds it: what was set, and nothing else."""
        return self.model_dump(mode="json", by_alias=True, exclude_unset=True)


Texts = tuple[str, ...]


class Evidence(Part):
    """One reference that supports a statement: `file` is `path` or `path:line`."""

    kind: EvidenceKind
    reference: str
    note: str | None = None


class Usage(Part):
    """Tokens as the adapter reported them, never estimated."""

    input_tokens: Count | None = None
    output_tokens: Count | None = None


class Position(Part):
    """Who holds what: `source` is `primary` or the id of a completed consultation."""

    source: str
    position: str


class Selection(Part):
    """An advisor that a plan asks, the requested capabilities it adds, and why it was chosen."""

    advisor: str
    covers: Texts
    why: str


class Exclusion(Part):
    """An advisor that a plan does not ask, and why not."""

    advisor: str
    status: AdvisorStatus
    reason: str


class Circuit(Part):
    """An open circuit: the outcome that opened it, the run of failures, when it ends."""

    opened_by: str
    failures: Count
    until: Stamp


class AdvisorState(Part):
    """What was known of one advisor at one moment; `credential` is a variable's name."""

    id: str
    title: str
    transport: Transport
    adapter: str
    capabilities: Texts
    source: str | None = None
    model: str | None = None
    executable: str | None = None
    credential: str | None = None
    status: AdvisorStatus
    reason: Reason
    probe: str
    recovering: bool
    circuit: Circuit | None = None

    @property
    def independent_source(self) -> str:
        """Whose opinion this advisor's is: answers of one source are one opinion."""
        return self.source or self.adapter


class ReviewPlan(Part):
    """Whether independent review is worth having, and from whom; computed, never supplied."""

    mode: Mode
    mode_source: str
    materiality: Materiality
    confidence: Confidence
    capabilities: Texts
    budget: Count
    outcome: PlanOutcome
    reason: str
    selected: tuple[Selection, ...]
    excluded: tuple[Exclusion, ...]
    available: Count
    local_review: Texts = ()


class Assessment(Part):
    """An uncertainty, stated with its evidence."""

    kind: Literal["assessment"]
    subject: str
    materiality: Materiality = "low"
    confidence: Confidence = "medium"
    hypothesis: str | None = None
    affects: Texts = ()
    facts: Texts = ()
    assumptions: Texts = ()
    questions: Texts = ()
    evidence: tuple[Evidence, ...] = ()
    capabilities: Texts = ()
    new_evidence: bool = False


class PlanInput(Part):
    """A request to plan; the plan itself is computed."""

    kind: Literal["plan"]
    assessment: str


class Plan(PlanInput):
    """A recorded plan, with every advisor's state at that moment."""

    plan: ReviewPlan
    availability: tuple[AdvisorState, ...]


class Consultation(Part):
    """One outcome of asking one advisor under one plan."""

    kind: Literal["consultation"]
    plan: str
    advisor: str
    status: ConsultationStatus
    question: str | None = None
    evidence: tuple[Evidence, ...] = ()
    conclusion: str | None = None
    stance: Stance | None = None
    assumptions: Texts = ()
    risks: Texts = ()
    actions: Texts = ()
    falsifiers: Texts = ()
    confidence: Confidence | None = None
    duration_ms: Count | None = None
    usage: Usage | None = None
    diagnostic: str | None = None
    retry_after_seconds: Annotated[int, Field(ge=0, le=LONGEST_WAIT_SECONDS)] | None = None


class Disagreement(Part):
    """Positions that cannot all be right, and the question that tells them apart."""

    kind: Literal["disagreement"]
    assessment: str
    positions: tuple[Position, ...]
    divergent_assumptions: Texts = ()
    discriminating_question: str
    experiment: str | None = None


class Resolution(Part):
    """The evidence that settles a disagreement; `favours` names a source or `neither`."""

    kind: Literal["resolution"]
    disagreement: str
    experiment: str
    outcome: str
    favours: str
    evidence: tuple[Evidence, ...]


class ConclusionInput(Part):
    """A decision as its author states it; who reviewed it is computed."""

    kind: Literal["conclusion"]
    assessment: str
    decision: str
    rationale: str
    evidence: tuple[Evidence, ...] = ()
    consultations: Texts = ()
    disagreements: Texts = ()
    rejected: Texts = ()
    assumptions: Texts = ()
    risks: Texts = ()
    validation_plan: Texts = ()
    confidence: Confidence = "medium"
    supersedes: str | None = None


class Conclusion(ConclusionInput):
    """A recorded decision: `reviewed_by` are the advisors whose answers it cites, each once."""

    reviewed_by: Texts
    independent_review_count: Count


class Validation(Part):
    """Whether a decision held."""

    kind: Literal["validation"]
    conclusion: str
    check: str
    command: str | None = None
    outcome: ValidationOutcome
    evidence: tuple[Evidence, ...] = ()


class Attempt(Part):
    """Something tried that failed, and what that taught."""

    kind: Literal["attempt"]
    assessment: str | None = None
    attempt: str
    observed_failure: str
    assumption_invalidated: str | None = None
    evidence: tuple[Evidence, ...] = ()
    updated_hypothesis: str | None = None


Body = (
    Assessment | Plan | Consultation | Disagreement | Resolution | Conclusion | Validation | Attempt
)
Input = (
    Assessment
    | PlanInput
    | Consultation
    | Disagreement
    | Resolution
    | ConclusionInput
    | Validation
    | Attempt
)
TaggedBody = Annotated[Body, Field(discriminator="kind")]
INPUTS: dict[str, type[Input]] = {
    get_args(model.model_fields["kind"].annotation)[0]: model for model in get_args(Input)
}
BODIES: dict[str, type[Body]] = {
    get_args(model.model_fields["kind"].annotation)[0]: model for model in get_args(Body)
}
KINDS = tuple(BODIES)

# Each kind's place in the chain of its assessment: the field that names the record it belongs to.
PARENT_FIELD = {
    "plan": "assessment",
    "consultation": "plan",
    "disagreement": "assessment",
    "resolution": "disagreement",
    "conclusion": "assessment",
    "validation": "conclusion",
    "attempt": "assessment",
}


class Exchange(Part):
    """What is kept of an exchange that our driver performed: digests and sizes, no raw text."""

    model: str | None = None
    client: str | None = None
    client_version: str | None = None
    question_template: str | None = None
    question_sha256: str | None = None
    answer_sha256: str | None = None
    question_bytes: Count | None = None
    answer_bytes: Count | None = None


class Pin(Part):
    """A `file` reference as it was when the record was made, so that drift can be shown."""

    reference: str
    sha256: str
    line: str | None = None
    commit: str | None = None


class Writer(Part):
    """The package that wrote a record, and its version."""

    package: str
    version: str


B = TypeVar("B", bound=Part, covariant=True)


class Record(Part, Generic[B]):
    """One record: the envelope that the writer stamps, around a body."""

    schema_: Annotated[Literal["majordomus/reasoning-record"], Field(alias="schema")]
    version: Annotated[int, Field(ge=VERSION, le=VERSION)]  # a literal 1 would let true through
    id: PlainName
    task: PlainName
    recorded_at: str
    head: str | None = None
    redacted: Texts = ()
    body: B
    origin: Origin | None = None
    exchange: Exchange | None = None
    cites: dict[str, str] | None = None
    pins: tuple[Pin, ...] = ()
    writer: Writer | None = None

    def __repr__(self) -> str:
        return f"Record({self.id}, task {self.task}, {self.recorded_at})"

    @property
    def kind(self) -> str:
        """The kind of the body, one of `KINDS`."""
        return str(getattr(self.body, "kind"))  # noqa: B009 - B is any body; all have a kind

    @cached_property
    def key(self) -> tuple[datetime, str]:
        """The order of records, everywhere: by time, then by id.

        Raises ValueError where the stamp names no moment; a reader asks before it lets a record in.
        """
        return (instant(self.recorded_at), self.id)

    @cached_property
    def digest(self) -> str:
        """The SHA-256 of the canonical JSON of the body, in hexadecimal: what `cites` holds."""
        return body_digest(self.body)

    @property
    def at(self) -> datetime:
        """The moment of recording, in UTC."""
        return self.key[0]


@cache
def record_type() -> TypeAdapter[Record[Body]]:
    """What reads a record of any kind.

    Made when it is first needed: making it takes longer than all else that an import does.
    """
    return TypeAdapter(Record[TaggedBody])


def record_bytes(record: Record[Body]) -> bytes:
    """The file of a record: UTF-8, two-space indent, final newline."""
    return (json.dumps(record.plain(), ensure_ascii=False, indent=2) + "\n").encode("utf-8")


def canonical(value: Any) -> str:
    """Canonical JSON: sorted keys, no white space.

    >>> canonical({"b": 1, "a": ["é"]})
    '{"a":["é"],"b":1}'
    """
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def body_digest(body: Part) -> str:
    """The SHA-256, in hexadecimal, of the canonical JSON of a body: what `cites` holds."""
    return hashlib.sha256(canonical(body.plain()).encode("utf-8")).hexdigest()


def texts_of(value: object) -> Iterator[str]:
    """Every text in a JSON value, keys left out, in order.

    >>> list(texts_of({"a": "x", "b": [1, {"c": "y"}]}))
    ['x', 'y']
    """
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from texts_of(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from texts_of(item)
