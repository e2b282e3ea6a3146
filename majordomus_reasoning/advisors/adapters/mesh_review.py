"""`mesh-review`: a linked runtime is asked for a review, through this machine's server."""

from __future__ import annotations

import hashlib
from typing import Any

from majordomus_reasoning.advisors.adapters._http import (
    base_address,
    dictionary,
    get,
    object_of,
    objects,
    post,
    text,
)
from majordomus_reasoning.advisors.classify import Table
from majordomus_reasoning.advisors.contract import Answer, Asking, Credential, Steps, sleep
from majordomus_reasoning.advisors.failures import failure
from majordomus_reasoning.core.records import canonical
from majordomus_reasoning.core.words import Stance, is_blank

ADDRESS_VARIABLE = "MAJORDOMUS_SERVER_URL"
TOKEN_VARIABLE = "MAJORDOMUS_SERVER_TOKEN"  # noqa: S105 - the name of a variable
POLL_SECONDS = 1.0
FAILURES: Table = ()  # the server is one of ours: its HTTP status says it all
VERDICTS: dict[str, Stance] = {
    "approved": "supports",
    "changes_requested": "opposes",
    "commented": "inconclusive",
}


def ask(asking: Asking) -> Steps:
    """Leave a request for a review, then look for its answer until the deadline.

    A request that is not answered in time stays, and can still be answered later.
    """
    base = base_address(asking, ADDRESS_VARIABLE, "")
    if not base:
        raise failure("config")
    token = Credential(
        asking.credential or TOKEN_VARIABLE, "Authorization", "Bearer ", optional=True
    )
    request = {
        "session": hashlib.sha256(asking.question.encode("utf-8")).hexdigest()[:16],
        "subject": asking.subject,
        "reviewer": asking.advisor.removeprefix("peer:"),
        "question": asking.question,
    }
    left = object_of((yield from post(f"{base}/api/v1/mesh/reviews", request, token)), FAILURES)
    key = text(left.get("key"))
    if not key:
        raise failure("no_choices")
    while True:
        seen = object_of((yield from get(f"{base}/api/v1/mesh/state", token)), FAILURES)
        answered = _answer_in(seen, key)
        if answered:
            return Answer(text=_as_answer(answered))
        yield from sleep(POLL_SECONDS)


def _answer_in(seen: dict[str, Any], key: str) -> dict[str, Any] | None:
    """The latest answer to the request of that key, None while there is none."""
    reviews = objects(dictionary(seen.get("state")).get("reviews"))
    answers = [
        answer
        for review in reviews
        if review.get("key") == key
        for answer in objects(review.get("answers"))
    ]
    return answers[-1] if answers else None


def _as_answer(answered: dict[str, Any]) -> str:
    """A verdict as the JSON object that any advisor answers with; its note is the conclusion."""
    verdict = text(answered.get("verdict"))
    note = text(answered.get("note"))
    stance = VERDICTS.get(verdict, "inconclusive")
    return canonical({"conclusion": verdict if is_blank(note) else note, "stance": stance})
