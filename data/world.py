"""The world of the sample history: its clock, its working hours, who is there when, its store."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from majordomus_reasoning.core.availability import ModeSource, Peer, Presence, Situation
from majordomus_reasoning.core.records import Body, Exchange, Record
from majordomus_reasoning.store.files import Store, Surroundings
from majordomus_reasoning.store.situation import read_catalogue
from majordomus_reasoning.testing import seeded_suffix

SHARE = Path(__file__).parent / "share"
START = datetime(2026, 9, 1, 8, 0, tzinfo=UTC)
END = datetime(2026, 11, 30, 11, 30, tzinfo=UTC)
HOURS = range(8, 18)

# The profile of each task: its mode, and which advisors its configuration leaves out.
STANDARD = ModeSource("standard", "default")
CAREFUL = ModeSource("strict", "profile careful")
PRIVATE = ModeSource("offline", "profile private")
MODES: Mapping[str, ModeSource] = {
    "schema-migration": CAREFUL,
    "cache-coherence": CAREFUL,
    "import-pipeline": PRIVATE,
    "access-tokens": CAREFUL,
}
DISABLED: Mapping[str, frozenset[str]] = {"access-tokens": frozenset({"alder", "hazel"})}
LOCAL = frozenset({"rowan", "sorrel"})
CLIENTS = frozenset({"hazel", "linden"})

# What a server calls its model, and the client that asks it.
SERVED: Mapping[str, tuple[str, str]] = {
    "alder": ("northbank-large-2026-08", "majordomus-reasoning"),
    "birch": ("southgate-reason-4", "majordomus-reasoning"),
    "hazel": ("northbank-large-2026-08", "hazel"),
    "linden": ("eastmere-deep-1", "linden"),
    "rowan": ("rowan-small-q4", "majordomus-reasoning"),
    "sorrel": ("sorrel-medium-q5", "majordomus-reasoning"),
    "peer:tansy": ("tansy-host", "majordomus-reasoning"),
}


def digest(text: str) -> str:
    """The SHA-256 of a text, in hexadecimal."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()


def working(moment: datetime) -> datetime:
    """The moment, or the same minute of the first working hour after it."""
    while moment.weekday() > 4 or moment.hour not in HOURS:
        moment += timedelta(hours=1)
    return moment


def _on(now: datetime, month: int, first: int, last: int | None = None) -> bool:
    return now.month == month and first <= now.day <= (last or first)


class World:
    """The one store, written as time goes on."""

    def __init__(self, root: Path, seed: int) -> None:
        suffixes = seeded_suffix(seed)
        self.now = START
        self.store = Store(root, lambda: self.now, lambda: next(suffixes))
        self.catalogue = read_catalogue(SHARE)

    def record(
        self, task: str, body: Mapping[str, Any], exchange: Exchange | None = None
    ) -> Record[Body]:
        """Have a body admitted and written now, in a task."""
        surroundings = Surroundings(task, lambda: digest(f"{self.now:%Y-%m-%d}")[:40])
        written = self.store.write(
            body, lambda: self.situation(task), surroundings, exchange=exchange
        )
        return written.record

    def situation(self, task: str) -> Situation:
        """Who is there now, and what the task allows."""
        return Situation(
            mode=self._mode(task),
            catalogue=self.catalogue,
            presence=Presence(self._executables(), self._credentials()),
            disabled=self._disabled(task),
            peers=self._peers(),
        )

    def _mode(self, task: str) -> ModeSource:
        if _on(self.now, 9, 24):  # a day on the train
            return ModeSource("offline", "MAJORDOMUS_REASONING_MODE")
        if _on(self.now, 11, 16, 18) and task == "release-tooling":  # what ran in CI these days
            return ModeSource("ci", "CI")
        if _on(self.now, 11, 23, 25) and task == "worker-timeouts":
            return ModeSource("fast", "profile hurried")
        return MODES.get(task, STANDARD)

    def _executables(self) -> frozenset[str]:
        installed = CLIENTS | LOCAL
        return installed - {"sorrel"} if _on(self.now, 9, 1, 4) else installed

    def _credentials(self) -> frozenset[str]:
        vendors = {"NORTHBANK_CREDENTIAL", "SOUTHGATE_CREDENTIAL"}
        if _on(self.now, 9, 1, 8):  # the contract with the second vendor was not signed yet
            vendors.remove("SOUTHGATE_CREDENTIAL")
        return frozenset(vendors)

    def _disabled(self, task: str) -> frozenset[str]:
        used_up = {"alder"} if _on(self.now, 11, 26, 27) else set()  # the month's budget
        return DISABLED.get(task, frozenset()) | used_up

    def _peers(self) -> tuple[Peer, ...]:
        if _on(self.now, 10, 12, 16):  # its host was being moved
            return ()
        return (Peer("tansy", "Tansy", ("reviews",)),)

    def exchange(self, advisor: str, question: str, answer: str | None) -> Exchange:
        """What our driver would have kept of an exchange."""
        model, client = SERVED[advisor]
        updated = self.now >= datetime(2026, 10, 9, 15, tzinfo=UTC)
        facts = {
            "model": model,
            "client": client,
            "client_version": ("2.1.0" if updated else "1.9.3") if client in CLIENTS else "0.1.0",
            "question_template": "1",
            "question_sha256": digest(question),
            "question_bytes": len(question.encode("utf-8")),
        }
        if answer is not None:
            facts |= {
                "answer_sha256": digest(answer),
                "answer_bytes": len(answer.encode("utf-8")),
            }
        return Exchange.model_validate(facts)
