"""The driver over real loopback connections: each ends in one typed outcome, in time."""

import asyncio
import gzip
import json
import time
from pathlib import Path

import httpx
import pytest
from hostile_server import (
    RawServer,
    cut,
    dripping,
    endless,
    endless_after,
    garbage,
    hanging,
    replying,
)

from majordomus_reasoning.advisors.consult import consult
from majordomus_reasoning.advisors.contract import (
    LARGEST_ANSWER,
    Answer,
    Credential,
    HttpRequest,
    send,
)
from majordomus_reasoning.advisors.driver import TRANSPORT_REASONS
from majordomus_reasoning.advisors.failures import REASONS
from majordomus_reasoning.advisors.question import question
from majordomus_reasoning.core.catalogue import Catalogue
from majordomus_reasoning.core.records import Assessment
from majordomus_reasoning.testing import advisor_state, plan_asking

OPINION = json.dumps({"conclusion": "keep it", "stance": "supports"}).encode()
QUESTION = question(Assessment(kind="assessment", subject="timeouts"))
SECRET = "made-up-secret-value-0123456789"


def adapter_for(base, credential=None):
    """An adapter that reads an address: the advisor's id is the path."""

    def ask(asking):
        url = base + asking.advisor if asking.advisor.startswith("/") else asking.advisor
        response = yield from send(HttpRequest("POST", url, b"{}", {}, credential))
        return Answer(response.body.decode())

    return lambda _name: ask


def outcomes(base, *paths, credential=None, environment=None, **options):
    plan = plan_asking(*(advisor_state(path, "any") for path in paths))
    options.setdefault("deadline", 5)
    return asyncio.run(
        consult(
            plan,
            QUESTION,
            catalogue=Catalogue(),
            environment=environment or {},
            folder=Path(),
            adapters=adapter_for(base, credential),
            **options,
        )
    )


def ending(outcome):
    return outcome.failure.reason if outcome.failure else outcome.status


BOMB = gzip.compress(b" " * (64 * 1024 * 1024))
BEHAVIOURS = {
    "/good": replying(OPINION),
    "/packed": replying(gzip.compress(OPINION), content_encoding="gzip"),
    "/bomb": replying(BOMB, content_encoding="gzip"),
    "/not-packed": replying(b"plain", content_encoding="gzip"),
    "/packed-with-a-tail": endless_after(gzip.compress(OPINION), content_encoding="gzip"),
    "/packed-under-an-endless-name": endless_after(
        b"\x1f\x8b\x08\x08" + bytes(6), content_encoding="gzip"
    ),
    "/packed-and-cut": replying(gzip.compress(OPINION)[:-9], content_encoding="gzip"),
    "/packed-without-a-trailer": replying(gzip.compress(OPINION)[:-8], content_encoding="gzip"),
    "/packed-nothing": replying(b"", content_encoding="gzip"),
    "/cut": cut,
    "/garbage": garbage,
    "/closed": lambda connection, _server: None,
    "/endless": endless,
    "/large": replying(b" " * (LARGEST_ANSWER + 1)),
    "/hang": hanging,
    "/drip": dripping,
}


@pytest.fixture
def server():
    with RawServer(BEHAVIOURS) as running:
        yield running


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/good", "completed"),
        ("/packed", "completed"),
        ("/bomb", "too_large"),
        ("/not-packed", "broken_connection"),
        ("/packed-with-a-tail", "completed"),
        ("/packed-under-an-endless-name", "too_large"),
        ("/packed-and-cut", "broken_connection"),
        ("/packed-without-a-trailer", "broken_connection"),
        ("/packed-nothing", "no_text"),
        ("/cut", "broken_connection"),
        ("/garbage", "broken_connection"),
        ("/closed", "broken_connection"),
        ("/endless", "too_large"),
        ("/large", "too_large"),
        ("http://127.0.0.1:1/", "no_connection"),
        ("http://[::1]:1/", "no_connection"),
        ("http://", "bad_endpoint"),
        ("ftp://127.0.0.1/", "bad_endpoint"),
        ("no address", "bad_endpoint"),
    ],
)
def test_a_connection_ends_as_its_cause(server, path, expected):
    (outcome,) = outcomes(server.address, path)
    assert ending(outcome) == expected


@pytest.mark.parametrize("path", ["/hang", "/drip"])
def test_a_server_that_never_comes_to_an_end_is_left_at_the_deadline(server, path):
    started = time.monotonic()
    (outcome,) = outcomes(server.address, path, deadline=0.2)
    assert (outcome.status, ending(outcome)) == ("timeout", "deadline")
    assert outcome.duration_ms >= 200
    assert time.monotonic() - started < 4


def test_a_hostile_server_hurts_only_its_own_advisor_and_results_stand_in_plan_order(server):
    found = outcomes(
        server.address, "/hang", "/endless", "/good", "/bomb", "/cut", "/packed", deadline=2
    )
    assert [ending(each) for each in found] == [
        "deadline",
        "too_large",
        "completed",
        "too_large",
        "broken_connection",
        "completed",
    ]


def test_a_name_that_stands_for_two_addresses_is_tried_at_both(server):
    (outcome,) = outcomes("", f"http://localhost:{server.port}/good")
    assert outcome.status == "completed"


def test_a_redirect_is_not_followed_and_no_credential_goes_with_it():
    with RawServer({"/good": replying(OPINION)}) as other:
        target = f"{other.address}/good"
        with RawServer({"/moved": replying(b"", "302 Found", location=target)}) as server:
            (outcome,) = outcomes(
                server.address,
                "/moved",
                credential=Credential("SOME_KEY", "x-key"),
                environment={"SOME_KEY": SECRET},
            )
        assert outcome.status == "empty"
        assert other.requests == []


def test_loopback_is_reached_without_the_proxy_that_the_environment_names(server, monkeypatch):
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    (outcome,) = outcomes(server.address, "/good")
    assert outcome.status == "completed"


def test_a_credential_is_sent_under_its_header_and_stands_nowhere_else():
    echo = {"conclusion": f"your key is {SECRET}", "stance": "opposes", "risks": [SECRET]}
    with RawServer({"/good": replying(json.dumps(echo).encode())}) as server:
        (outcome,) = outcomes(
            server.address,
            "/good",
            credential=Credential("SOME_KEY", "Authorization", "Bearer "),
            environment={"SOME_KEY": f" {SECRET}\n"},
        )
        assert f"authorization: Bearer {SECRET}\r\n".encode() in server.requests[0].replace(
            b"Authorization", b"authorization"
        )
    assert outcome.opinion.conclusion == "your key is [redacted:credential]"
    assert SECRET not in f"{outcome!r}{outcome.body('plan-1')}"


def test_a_failure_that_is_kept_holds_on_to_no_request():
    (outcome,) = outcomes(
        "http://127.0.0.1:1",
        "/good",
        credential=Credential("SOME_KEY", "x-key"),
        environment={"SOME_KEY": SECRET},
    )
    assert ending(outcome) == "no_connection"
    assert outcome.failure.__context__ is None
    assert outcome.failure.__traceback__ is None


@pytest.mark.parametrize(
    ("value", "optional", "expected"),
    [
        (None, False, "no_credential"),
        (" ", False, "no_credential"),
        ("two\nlines", False, "credential_refused"),
        ("schlüssel", False, "credential_refused"),
        (None, True, "completed"),
    ],
)
def test_a_credential_that_is_missing_or_fits_no_header_is_told_without_asking(
    server, value, optional, expected
):
    (outcome,) = outcomes(
        server.address,
        "/good",
        credential=Credential("SOME_KEY", "x-key", optional=optional),
        environment={} if value is None else {"SOME_KEY": value},
    )
    assert ending(outcome) == expected
    assert len(server.requests) == (expected == "completed")


def test_a_proxy_that_cannot_be_used_is_told_and_loopback_does_without_it(server, monkeypatch):
    for name in ("HTTP_PROXY", "http_proxy"):
        monkeypatch.setenv(name, "nonsense://127.0.0.1:1")
    far, near = outcomes(server.address, "http://192.0.2.1/", "/good")
    assert (ending(far), ending(near)) == ("config", "completed")


def test_whatever_the_http_client_can_raise_has_a_reason():
    kinds = [httpx.InvalidURL, httpx.HTTPError]
    for kind in kinds:
        kinds.extend(kind.__subclasses__())
    for kind in kinds:
        reason = next(
            reason for known, reason in TRANSPORT_REASONS.items() if issubclass(kind, known)
        )
        assert REASONS[reason].status == "unavailable"
