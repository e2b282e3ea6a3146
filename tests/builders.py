"""Small builders: bodies with what their kind requires, and the rules with nothing around them."""

from __future__ import annotations

import contextlib
import itertools
import json
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from majordomus_reasoning.core.admission import admit
from majordomus_reasoning.core.availability import (
    CircuitPolicy,
    ModeSource,
    Peer,
    Presence,
    Situation,
)
from majordomus_reasoning.core.catalogue import Advisors, Catalogue, Models, parse
from majordomus_reasoning.core.draft import draft
from majordomus_reasoning.core.ledger import Ledger
from majordomus_reasoning.core.records import AdvisorState, Body, Record, record_type
from majordomus_reasoning.core.words import to_stamp
from majordomus_reasoning.errors import Refusal
from majordomus_reasoning.store.files import Store, Surroundings, Written
from majordomus_reasoning.testing import START, TickingClock, seeded_suffix

Json = dict[str, Any]
EVIDENCE = [{"kind": "file", "reference": "src/worker.py:10"}]
VOCABULARY = ("independent_reasoning", "code_review", "security_review", "test_review")


def _body(kind: str, authored: Mapping[str, Any], changes: Mapping[str, Any]) -> Json:
    """A body; a change to None leaves the field out."""
    body = {"kind": kind, **authored, **changes}
    return {name: value for name, value in body.items() if value is not None}


def assessment(subject: str = "lock scope", **changes: Any) -> Json:
    return _body(
        "assessment", {"subject": subject, "materiality": "high", "evidence": EVIDENCE}, changes
    )


def plan(of: str, **changes: Any) -> Json:
    return _body("plan", {"assessment": of}, changes)


def answer(under: str, advisor: str = "one", **changes: Any) -> Json:
    said = {"status": "completed", "conclusion": "keep it", "stance": "supports"}
    return _body("consultation", {"plan": under, "advisor": advisor, **said}, changes)


def failure(under: str, advisor: str = "one", status: str = "timeout", **changes: Any) -> Json:
    return _body("consultation", {"plan": under, "advisor": advisor, "status": status}, changes)


def disagreement(on: str, *sources: str, **changes: Any) -> Json:
    positions = [
        {"source": source, "position": f"position {place}"}
        for place, source in enumerate(sources or ("primary",))
    ]
    question = "does any caller retry?"
    return _body(
        "disagreement",
        {"assessment": on, "positions": positions, "discriminating_question": question},
        changes,
    )


def resolution(of: str, favours: str = "primary", **changes: Any) -> Json:
    done = {"experiment": "run the test", "outcome": "no caller retries", "evidence": EVIDENCE}
    return _body("resolution", {"disagreement": of, **done, "favours": favours}, changes)


def conclusion(on: str, **changes: Any) -> Json:
    why = {"rationale": "the failure tests show it", "evidence": EVIDENCE}
    plan_of = {"validation_plan": ["run the tests"]}
    return _body("conclusion", {"assessment": on, "decision": "keep it", **why, **plan_of}, changes)


def validation(of: str, outcome: str = "pass", **changes: Any) -> Json:
    return _body(
        "validation", {"conclusion": of, "check": "the tests pass", "outcome": outcome}, changes
    )


def attempt(**changes: Any) -> Json:
    said = {"attempt": "share the client", "observed_failure": "it is not thread safe"}
    return _body("attempt", said, changes)


def catalogue(*advisors: str) -> Catalogue:
    """Advisors that are client tools, each with its own adapter, offering everything."""
    declared = [
        {
            "id": name,
            "title": name.title(),
            "transport": "cli",
            "adapter": f"adapter-{name}",
            "executable": f"run-{name}",
            "capabilities": ["independent_reasoning"],
        }
        for name in advisors
    ]
    words = [{"id": word, "description": word} for word in VOCABULARY]
    data = {"version": 1, "capabilities": words, "advisors": declared}
    return Catalogue(parse(Advisors, data, "advisors.yaml"), Models(version=1))


def situation(
    *advisors: str,
    absent: Iterable[str] = (),
    mode: str = "standard",
    peers: Sequence[Peer] = (),
    policy: CircuitPolicy | None = None,
) -> Situation:
    """The advisors named, all present but those absent."""
    present = frozenset(f"run-{name}" for name in set(advisors) - set(absent))
    return Situation(
        mode=ModeSource(mode, "default"),
        catalogue=catalogue(*advisors),
        presence=Presence(executables=present),
        peers=tuple(peers),
        circuit_policy=policy or CircuitPolicy(),
    )


def advisor_state(name: str = "a", **changes: Any) -> AdvisorState:
    facts = {
        "id": name,
        "title": name.title(),
        "transport": "cli",
        "adapter": f"adapter-{name}",
        "capabilities": ["independent_reasoning"],
        "status": "available",
        "reason": "present",
        "probe": "on PATH",
        "recovering": False,
        **changes,
    }
    return AdvisorState.model_validate_json(json.dumps(facts))


def envelope(name: str, at: str | float, body: Mapping[str, Any], **changes: Any) -> Json:
    """A record as a file holds it; `at` is a stamp, or seconds since the start of the tests."""
    stamp = at if isinstance(at, str) else to_stamp(START + timedelta(seconds=at))
    return {
        "schema": "majordomus/reasoning-record",
        "version": 1,
        "id": name,
        "task": "untasked",
        "recorded_at": stamp,
        "body": body,
        **changes,
    }


def record(name: str, at: str | float, body: Mapping[str, Any], **changes: Any) -> Record[Body]:
    return record_type().validate_json(json.dumps(envelope(name, at, body, **changes)))


def outcome(
    name: str, at: float | str, status: str, advisor: str = "one", **changes: Any
) -> Record[Body]:
    """A recorded consultation."""
    build = answer if status == "completed" else failure
    body = build("plan-of-nobody", advisor, **changes)
    return record(name, at, {**body, "status": status})


def put(root: Path, name: str, content: Any, task: str = "untasked") -> Path:
    """A file in a store: a JSON value, or bytes or text as they are."""
    path = root / task / name
    path.parent.mkdir(parents=True, exist_ok=True)
    if isinstance(content, bytes):
        path.write_bytes(content)
    else:
        text = content if isinstance(content, str) else json.dumps(content, indent=2) + "\n"
        path.write_text(text, encoding="utf-8")
    return path


# A process that holds the lock of a store until its standard input ends.
_HOLDER = """
import sys
from filelock import FileLock
lock = FileLock(sys.argv[1] + "/.lock")
lock.acquire()
print("held", flush=True)
sys.stdin.read()
"""


@contextlib.contextmanager
def held_lock(root: Path) -> Iterator[None]:
    """The lock of a store, held by another process meanwhile."""
    root.mkdir(parents=True, exist_ok=True)
    with subprocess.Popen(
        [sys.executable, "-c", _HOLDER, str(root)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as holder:
        assert holder.stdout.readline() == b"held\n"
        try:
            yield
        finally:
            holder.stdin.close()


def refusal(call, *arguments: Any, **options: Any) -> Refusal:
    """The refusal that a call raises."""
    with pytest.raises(Refusal) as caught:
        call(*arguments, **options)
    return caught.value


class Desk:
    """The rules over records in memory: what `Store.write` does, without a file."""

    def __init__(self, situation: Situation | None = None) -> None:
        self.situation = situation or _default_situation()
        self.ledger = Ledger()
        self.now = START
        self._numbers = itertools.count(1)

    def record(self, body: Mapping[str, Any], **envelope_fields: Any) -> str:
        """Admit a body; the id of its record, `<kind>-<number>`."""
        self.now += timedelta(seconds=1)
        admitted = admit(draft(body).body, self.ledger, lambda: self.situation, self.now)
        name = f"{admitted.kind}-{next(self._numbers)}"
        stamp = to_stamp(self.now)
        self.ledger = self.ledger.append(record(name, stamp, admitted.plain(), **envelope_fields))
        return name

    def body(self, name: str) -> Any:
        found = self.ledger.get(name)
        assert found is not None
        return found.body


class Writer:
    """The one writer over a folder, with a clock that ticks and ids that repeat."""

    def __init__(self, root: Path, situation: Situation | None = None, clock=None) -> None:
        suffixes = seeded_suffix(0)
        self.root = root
        self.situation = situation or _default_situation()
        self.store = Store(root, clock or TickingClock(), lambda: next(suffixes), lock_seconds=0.2)

    def write(self, body: Mapping[str, Any], task: str = "untasked", **options: Any) -> Written:
        return self.store.write(body, lambda: self.situation, Surroundings(task), **options)

    def record(self, body: Mapping[str, Any], task: str = "untasked", **options: Any) -> str:
        return self.write(body, task, **options).record.id


def _default_situation() -> Situation:
    return situation("one", "two")


def decided(desk: Desk | Writer) -> dict[str, str]:
    """One decision with a disagreement, from assessment to validation; ids by short names."""
    ids = {"a": desk.record(assessment())}
    ids["p"] = desk.record(plan(ids["a"]))
    ids["c1"] = desk.record(answer(ids["p"], "one"))
    ids["c2"] = desk.record(answer(ids["p"], "two", stance="opposes", conclusion="change it"))
    ids["d"] = desk.record(disagreement(ids["a"], "primary", ids["c2"]))
    ids["r"] = desk.record(resolution(ids["d"]))
    cited = {"consultations": [ids["c1"], ids["c2"]], "disagreements": [ids["d"]]}
    ids["k"] = desk.record(conclusion(ids["a"], **cited))
    ids["v"] = desk.record(validation(ids["k"]))
    return ids


def moment(seconds: float) -> datetime:
    """Seconds since the epoch, as conformance vectors tell time."""
    return datetime.fromtimestamp(seconds, UTC)
