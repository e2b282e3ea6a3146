"""Records built for the tests of the tables: every value differs, so that a wrong path shows."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pandas as pd

from majordomus_reasoning.core.ledger import Ledger, Unreadable
from majordomus_reasoning.core.records import record_type
from majordomus_reasoning.core.words import to_stamp
from majordomus_reasoning.frames import TABLES, History
from majordomus_reasoning.store.evidence import Drift

START = datetime(2026, 10, 1, 9, 0, tzinfo=UTC)
FIRST_COMMIT = "1f" * 20
SECOND_COMMIT = "2e" * 20
CONFORMANCE = Path(__file__).parents[1] / "conformance" / "original-store"
ORIGINAL = CONFORMANCE / ".ai" / "local" / "state" / "reasoning"


def at(seconds):
    return START + timedelta(seconds=seconds)


def record(record_id, seconds, body, *, task="retry", **envelope):
    """A record at so many seconds; its kind is what its id begins with."""
    return record_type().validate_json(
        json.dumps(
            {
                "schema": "majordomus/reasoning-record",
                "version": 1,
                "id": record_id,
                "task": task,
                "recorded_at": to_stamp(at(seconds)),
                "body": {"kind": record_id.partition("-")[0], **body},
                **envelope,
            }
        )
    )


def advisor_state(name, **changes):
    return {
        "id": name,
        "title": name.title(),
        "transport": "cli",
        "adapter": f"{name}-adapter",
        "capabilities": ["independent_reasoning"],
        "status": "available",
        "reason": "present",
        "probe": "made up",
        "recovering": False,
        **changes,
    }


def plan(assessment, *, selected=(), excluded=(), states=(), **changes):
    """The body of a plan; `selected` are pairs of an advisor and what it covers."""
    return {
        "assessment": assessment,
        "plan": {
            "mode": "standard",
            "mode_source": "default",
            "materiality": "high",
            "confidence": "low",
            "capabilities": ["independent_reasoning"],
            "budget": len(selected),
            "outcome": "consult" if selected else "decide_locally",
            "reason": "as the test wants it",
            "selected": [
                {"advisor": name, "covers": covers, "why": f"{name} was wanted"}
                for name, covers in selected
            ],
            "excluded": list(excluded),
            "available": len(selected),
            **changes,
        },
        "availability": list(states),
    }


def consultation(plan_id, advisor, status, **fields):
    return {"plan": plan_id, "advisor": advisor, "status": status, **fields}


def conclusion(assessment, decision, *, reviewed_by=(), **fields):
    return {
        "assessment": assessment,
        "decision": decision,
        "rationale": "as the test wants it",
        "reviewed_by": list(reviewed_by),
        "independent_review_count": len(reviewed_by),
        **fields,
    }


def _disputed_decision():
    """A decision that was disputed, settled, validated, and has not weighed a later answer."""
    yield from _asked()
    yield from _answered()
    yield from _settled()


def _asked():
    yield record(
        "assessment-1",
        0,
        {
            "subject": "what a timeout means",
            "materiality": "high",
            "confidence": "low",
            "questions": ["who retries?", "who restarts?"],
            "evidence": [
                {"kind": "file", "reference": "src/x.py:42", "note": "where it is raised"},
                {"kind": "file", "reference": "README.md"},
                {"kind": "adr", "reference": "0024"},
            ],
        },
        head=FIRST_COMMIT,
        origin="written",
        redacted=["jwt", "openai-key"],
        pins=[
            {"reference": "src/x.py:42", "sha256": "aa", "line": "raise", "commit": "c0ffee"},
            {"reference": "README.md", "sha256": "bb"},
        ],
    )
    yield record(
        "plan-1",
        60,
        plan(
            "assessment-1",
            mode="strict",
            selected=[
                ("gamma", ["code_review"]),
                ("beta", ["independent_reasoning", "test_review"]),
            ],
            excluded=[{"advisor": "delta", "status": "rate_limited", "reason": "it is resting"}],
            states=[
                advisor_state("beta", source="vendor-b", model="b-declared", recovering=True),
                advisor_state("gamma", transport="api", model="g-declared"),
                advisor_state(
                    "delta",
                    status="rate_limited",
                    reason="rate_limited",
                    circuit={
                        "opened_by": "consultation-0",
                        "failures": 3,
                        "until": to_stamp(at(500)),
                    },
                ),
            ],
        ),
        head=FIRST_COMMIT,
    )


def _answered():
    yield record(
        "consultation-1",
        75.5,
        consultation(
            "plan-1",
            "beta",
            "completed",
            conclusion="B",
            stance="opposes",
            confidence="high",
            duration_ms=2150,
            usage={"input_tokens": 412, "output_tokens": 96},
        ),
        origin="asked",
        exchange={"model": "b-served", "client": "b-client", "client_version": "1.2"},
    )
    yield record(
        "consultation-2",
        80,
        consultation("plan-1", "gamma", "timeout", duration_ms=90004, diagnostic="no answer"),
    )
    yield record(
        "consultation-3",
        90,
        consultation("plan-1", "gamma", "rate_limited", retry_after_seconds=120),
    )
    yield record(
        "consultation-4",
        95,
        consultation("plan-1", "gamma", "completed", conclusion="b", stance="alternative"),
    )


def _settled():
    yield record(
        "disagreement-1",
        100,
        {
            "assessment": "assessment-1",
            "positions": [
                {"source": "primary", "position": "A"},
                {"source": "consultation-1", "position": "Restart  it"},
                {"source": "consultation-4", "position": "restart it"},
            ],
            "discriminating_question": "does any caller retry?",
        },
    )
    yield record(
        "resolution-1",
        161.9,
        {
            "disagreement": "disagreement-1",
            "experiment": "run the failure test",
            "outcome": "nobody retries",
            "favours": "consultation-4",
            "evidence": [{"kind": "command", "reference": "pytest"}],
        },
    )
    yield record(
        "conclusion-1",
        200,
        conclusion(
            "assessment-1",
            "restart it",
            reviewed_by=["beta", "gamma"],
            confidence="medium",
            consultations=["consultation-1", "consultation-4"],
            disagreements=["disagreement-1"],
            validation_plan=["run it", "watch it"],
        ),
        head=SECOND_COMMIT,
    )
    yield record(
        "validation-1", 260, {"conclusion": "conclusion-1", "check": "it ran", "outcome": "pass"}
    )
    yield record(
        "attempt-1",
        300,
        {"assessment": "assessment-1", "attempt": "retry twice", "observed_failure": "it hung"},
    )
    yield record("plan-2", 390, plan("assessment-1", selected=[("beta", ["code_review"])]))
    yield record(
        "consultation-5",
        400,
        consultation("plan-2", "beta", "completed", conclusion="A", stance="supports"),
    )


def _superseded_decision():
    """A decision made alone in another task, refuted, and replaced two days later."""
    yield record(
        "assessment-2",
        1000,
        {"subject": "where to cache", "materiality": "low", "questions": ["how large?"]},
        task="cache",
    )
    yield record("plan-3", 1001, plan("assessment-2"), task="cache")
    yield record("conclusion-2", 2000, conclusion("assessment-2", "in memory"), task="cache")
    yield record(
        "validation-2",
        2001,
        {"conclusion": "conclusion-2", "check": "load", "outcome": "fail"},
        task="cache",
    )
    yield record(
        "conclusion-3",
        2000 + 2 * 86_400 + 5,
        conclusion(
            "assessment-2", "on disk", supersedes="conclusion-2", validation_plan=["measure it"]
        ),
        task="cache",
    )
    yield record(
        "attempt-2",
        2000 + 2 * 86_400 + 60,
        {"attempt": "share it", "observed_failure": "it is not thread-safe"},
        task="untasked",
    )


def story():
    """All records of the sample, in order."""
    return [*_disputed_decision(), *_superseded_decision()]


UNREADABLE = (Unreadable("cache/plan-9.json", "body.plan", "field required"),)


def drift(_record_id, pin):
    return Drift("", pin.reference, {"aa": "line_moved", "bb": "changed"}[pin.sha256])


def history(records=None, **changes):
    """The sample's history, ten days after it began; or that of other records."""
    facts = {"unreadable": UNREADABLE, "now": at(10 * 86_400), "drift": drift, **changes}
    return History(Ledger(story() if records is None else records), **facts)


def values(frame):
    """The rows of a frame as dictionaries of plain values, None for what is missing."""
    cells = frame.astype("object")
    rows = cells.where(cells.notna(), None).to_dict(orient="records")
    return [
        {
            name: value.to_pydatetime() if isinstance(value, pd.Timestamp) else value
            for name, value in row.items()
        }
        for row in rows
    ]


def table_values(name, source=None, **options):
    """The rows of a table of the sample, or of another history, as plain values."""
    return values(TABLES[name].frame(source or history(), **options))
