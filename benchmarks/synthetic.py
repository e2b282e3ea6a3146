"""Synthetic stores of any size for the benchmarks: whole decisions, one after the other."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

START = datetime(2026, 1, 1, tzinfo=UTC)
CAPABILITIES = ["independent_reasoning"]


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


def _decision(number: int) -> list[dict[str, Any]]:
    """The bodies of one decision, with `{n}` for the id of the n-th record of this decision."""
    evidence = [{"kind": "file", "reference": f"src/module_{number}.py:{number % 90 + 1}"}]
    advisors = ["alpha", "beta"]
    plan = {
        "mode": "standard",
        "mode_source": "default",
        "materiality": "high",
        "confidence": "medium",
        "capabilities": CAPABILITIES,
        "budget": 2,
        "outcome": "consult",
        "reason": "two reviews within the budget",
        "selected": [{"advisor": name, "covers": CAPABILITIES, "why": "it"} for name in advisors],
        "excluded": [],
        "available": 2,
    }
    answer = {"kind": "consultation", "plan": "{1}", "status": "completed", "stance": "supports"}
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
            "plan": plan,
            "availability": [_state(name) for name in advisors],
        },
        {**answer, "advisor": "alpha", "conclusion": "keep it", "duration_ms": 2100},
        {**answer, "advisor": "beta", "conclusion": "keep it too", "duration_ms": 900},
        {
            "kind": "conclusion",
            "assessment": "{0}",
            "decision": "keep it",
            "rationale": "the failure tests show it",
            "evidence": evidence,
            "consultations": ["{2}", "{3}"],
            "validation_plan": ["run the tests"],
            "confidence": "medium",
            "reviewed_by": advisors,
            "independent_review_count": 2,
        },
    ]


def records(count: int) -> Iterator[dict[str, Any]]:
    """`count` records in order, as JSON values."""
    for number in range(count):
        decision, place = divmod(number, 5)
        ids = [f"record-{decision * 5 + n:07d}" for n in range(5)]
        body = json.loads(
            json.dumps(_decision(decision)[place])
            .replace('"{', '"%')
            .replace("%0}", ids[0])
            .replace("%1}", ids[1])
            .replace("%2}", ids[2])
            .replace("%3}", ids[3])
        )
        stamp = (START + timedelta(seconds=number)).isoformat(timespec="milliseconds")
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
