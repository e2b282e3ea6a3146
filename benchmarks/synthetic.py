"""Synthetic stores of any size for the benchmarks: whole decisions, one after the other."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

START = datetime(2026, 1, 1, tzinfo=UTC)
CAPABILITIES = ["independent_reasoning"]
ADVISORS = ("alpha", "beta", "gamma")
FAILURES = ("timeout", "rate_limited", "error")
LENGTH = 9  # records of a decision


def _state(name: str) -> dict[str, Any]:
    return {
        "id": name,
        "title": name.title(),
        "transport": "cli",
        "adapter": f"{name}-x",
        "capabilities": CAPABILITIES,
        "executable": name,
        "status": "available",
        "reason": "present",
        "probe": f"executable {name} on PATH",
        "recovering": False,
    }


def _plan() -> dict[str, Any]:
    return {
        "mode": "standard",
        "mode_source": "default",
        "materiality": "high",
        "confidence": "medium",
        "capabilities": CAPABILITIES,
        "budget": 3,
        "outcome": "consult",
        "reason": "three reviews within the budget",
        "selected": [{"advisor": name, "covers": CAPABILITIES, "why": "it"} for name in ADVISORS],
        "excluded": [{"advisor": "delta", "status": "unavailable", "reason": "it is not there"}],
        "available": 3,
    }


def _conclusion(evidence: list[dict[str, str]]) -> dict[str, Any]:
    return {
        "kind": "conclusion",
        "assessment": "{0}",
        "decision": "keep it",
        "rationale": "the failure tests show it",
        "evidence": evidence,
        "consultations": ["{2}", "{3}"],
        "disagreements": ["{5}"],
        "validation_plan": ["run the tests"],
        "confidence": "medium",
        "reviewed_by": ["alpha", "beta"],
        "independent_review_count": 2,
    }


def _last(number: int) -> dict[str, Any]:
    """A validation of two decisions of three, so that the others are due."""
    if number % 3:
        return {"kind": "validation", "conclusion": "{7}", "check": "tests", "outcome": "pass"}
    return {"kind": "attempt", "assessment": "{0}", "attempt": "wait", "observed_failure": "hung"}


def _decision(number: int) -> list[dict[str, Any]]:
    """The bodies of one decision, with `{n}` for the id of the n-th record of this decision."""
    evidence = [{"kind": "file", "reference": f"src/module_{number}.py:{number % 90 + 1}"}]
    answer = {"kind": "consultation", "plan": "{1}", "status": "completed", "confidence": "high"}
    failure = {"kind": "consultation", "plan": "{1}", "advisor": "gamma"}
    return [
        {
            "kind": "assessment",
            "subject": f"the semantics of module {number}",
            "materiality": "high",
            "confidence": "medium",
            "hypothesis": "the present behaviour is the one that callers rely on",
            "questions": ["does any caller retry?"],
            "evidence": evidence,
            "new_evidence": False,
        },
        {
            "kind": "plan",
            "assessment": "{0}",
            "plan": _plan(),
            "availability": [_state(name) for name in (*ADVISORS, "delta")],
        },
        {
            **answer,
            "advisor": "alpha",
            "conclusion": "keep it",
            "stance": "supports",
            "duration_ms": 2100,
        },
        {
            **answer,
            "advisor": "beta",
            "conclusion": "change it",
            "stance": "opposes",
            "duration_ms": 900,
            "usage": {"input_tokens": 410, "output_tokens": 96},
        },
        {**failure, "status": FAILURES[number % 3], "diagnostic": "no answer within 90 s"},
        {
            "kind": "disagreement",
            "assessment": "{0}",
            "positions": [
                {"source": "primary", "position": "keep it"},
                {"source": "{2}", "position": "Keep it"},
                {"source": "{3}", "position": "change it"},
            ],
            "discriminating_question": "does any caller retry?",
        },
        {
            "kind": "resolution",
            "disagreement": "{5}",
            "experiment": "run the failure test",
            "outcome": "no caller retries",
            "favours": "{2}",
            "evidence": [{"kind": "test", "reference": f"tests/test_module_{number}.py::test"}],
        },
        _conclusion(evidence),
        _last(number),
    ]


def records(count: int) -> Iterator[dict[str, Any]]:
    """`count` records in order, as JSON values."""
    for decision in range(-(-count // LENGTH)):
        first = decision * LENGTH
        ids = [f"record-{first + place:07d}" for place in range(LENGTH)]
        text = json.dumps(_decision(decision))
        for place, name in enumerate(ids):
            text = text.replace(f'"{{{place}}}"', f'"{name}"')
        for place, body in enumerate(json.loads(text)[: count - first]):
            stamp = (START + timedelta(seconds=first + place)).isoformat(timespec="milliseconds")
            yield {
                "schema": "majordomus/reasoning-record",
                "version": 1,
                "id": ids[place],
                "task": f"task-{decision % 20}",
                "recorded_at": stamp.replace("+00:00", "Z"),
                "body": body,
            }


def write_store(root: Path, count: int, start: int = 0) -> list[Path]:
    """Write records `start` to `count` as files below `root`; returns the paths."""
    paths = []
    for number, record in enumerate(records(count)):
        if number < start:
            continue
        path = root / record["task"] / f"{record['id']}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")
        paths.append(path)
    return paths
