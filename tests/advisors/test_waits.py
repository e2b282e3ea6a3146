"""The wait that a service names, in every form in which services name one."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from majordomus_reasoning.advisors.waits import duration, named_wait, said_wait

NOW = datetime(2026, 10, 21, 7, 27, 30, tzinfo=UTC)
DATE = "Wed, 21 Oct 2026 07:28:00 GMT"


def wait(headers=None, error=None, message=""):
    return named_wait(headers or {}, error or {}, message, NOW)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after-ms": "1"}, 1),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 2),
        ({"x-ms-retry-after-ms": "2001", "retry-after": "9"}, 3),
        ({"retry-after": "0"}, 0),
        ({"retry-after": " 7 "}, 7),
        ({"retry-after": "7.0001"}, 8),
        ({"retry-after": ".5"}, 1),
        ({"retry-after": "-5"}, 0),
        ({"retry-after": "9" * 400}, 86_400),
        ({"retry-after": "86401"}, 86_400),
        ({"retry-after": DATE}, 30),
        ({"retry-after": "Wednesday, 21-Oct-26 07:28:00 GMT"}, 30),
        ({"retry-after": "Wed Oct 21 07:28:00 2026"}, 30),
        ({"retry-after": "Wed, 21 Oct 2026 09:28:00 +0200"}, 30),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "1e3"}, None),
        ({"retry-after": "٣"}, None),
        ({"retry-after": ""}, None),
        ({"retry-after": "Wed, 99 Oct 2026 99:99:99 GMT"}, None),
        ({"retry-after-ms": "soon", "retry-after": "9"}, 9),
        ({"retry-after-ms": "nan", "retry-after": "inf", "x-ms-retry-after-ms": "1000"}, 1),
    ],
)
def test_a_header_that_names_seconds_or_a_date(headers, seconds):
    assert wait(headers) == seconds


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        (
            {
                "anthropic-ratelimit-requests-remaining": "0",
                "anthropic-ratelimit-requests-reset": "2026-10-21T07:28:30Z",
                "anthropic-ratelimit-tokens-remaining": "12",
                "anthropic-ratelimit-tokens-reset": "2026-10-21T09:00:00Z",
            },
            60,
        ),
        (
            {
                "anthropic-ratelimit-input-tokens-remaining": "0",
                "anthropic-ratelimit-input-tokens-reset": "2026-10-21T09:27:40+02:00",
            },
            10,
        ),
        (
            {
                "anthropic-ratelimit-requests-remaining": "0",
                "anthropic-ratelimit-requests-reset": "2026-10-21T07:28:30",
            },
            None,
        ),
        ({"x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "6m0s"}, 360),
        ({"x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "12ms"}, 1),
        ({"x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "2m59.56s"}, 180),
        ({"x-ratelimit-remaining-tokens": "1", "x-ratelimit-reset-tokens": "6m0s"}, None),
        ({"x-ratelimit-remaining-tokens": "0"}, None),
        ({"x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "later"}, None),
        (
            {
                "x-ratelimit-remaining-tokens": "0",
                "x-ratelimit-reset-tokens": "1s",
                "x-ratelimit-remaining-requests": "0",
                "x-ratelimit-reset-requests": "1m",
            },
            60,
        ),
        (
            {
                "retry-after": "5",
                "x-ratelimit-remaining-tokens": "0",
                "x-ratelimit-reset-tokens": "6m0s",
            },
            5,
        ),
    ],
)
def test_the_reset_of_the_dimension_of_which_nothing_remains(headers, seconds):
    assert wait(headers) == seconds


@pytest.mark.parametrize(
    ("error", "seconds"),
    [
        ({"details": [{"@type": "x/google.rpc.RetryInfo", "retryDelay": "34s"}]}, 34),
        ({"details": [{}, {"retryDelay": "34.07s"}]}, 35),
        ({"details": [{"retryDelay": "nans"}]}, None),
        ({"details": {"retryDelay": "34s"}}, None),
        ({"resets_in_seconds": 90}, 90),
        ({"resets_in_seconds": 90.2}, 91),
        ({"resets_in_seconds": True}, None),
        ({"resets_in_seconds": "90"}, None),
        ({"resets_in_seconds": float("nan")}, None),
        ({"resets_in_seconds": float("inf")}, None),
        ({"resets_in_seconds": 10**400}, None),
        ({"resets_at": (NOW + timedelta(seconds=45)).timestamp()}, 45),
        ({"resets_at": (NOW - timedelta(seconds=45)).timestamp()}, 0),
    ],
)
def test_the_body_of_an_error(error, seconds):
    assert wait(error=error) == seconds


@pytest.mark.parametrize(
    ("message", "seconds"),
    [
        ("Please try again in 6m0s.", 360),
        ("Please retry in 34.07s.", 35),
        ("Rate limit reached. Please try again in 1.5s. Visit us.", 2),
        ("try again in 2 days 17 hours 14 minutes.", 86_400),
        ("try again in 3 hours and 5 minutes", 11_100),
        ("Try again in 20 seconds", 20),
        ("try again in 500ms", 1),
        ("Your quota will reset after 4h30m5s.", 16_205),
        ("try again at 7:58 PM", None),
        ("try again later", None),
        ("try again in 5 apples", None),
        ("try again in 5", None),
        ("it took 5s", None),
        ("You've hit your session limit · resets 3:50pm (Asia/Tokyo)", 84_150),
        ("resets 5pm (Asia/Tokyo)", 1_950),
        ("resets 12am (UTC)", 59_550),
        ("resets 3:50pm (Nowhere/Land)", None),
        ("resets 3:50pm (../../etc)", None),
        ("resets 25:99pm (UTC)", None),
        ("resets 3:50pm", None),
    ],
)
def test_the_words_of_a_message(message, seconds):
    assert wait(message=message) == seconds


def test_a_header_counts_before_the_body_and_the_body_before_the_words():
    error = {"details": [{"retryDelay": "3s"}]}
    assert wait({"retry-after": "2"}, error, "try again in 4s") == 2
    assert wait({"retry-after": "soon"}, error, "try again in 4s") == 3
    assert wait({}, {}, "try again in 4s") == 4


@settings(deadline=None)
@given(st.text(max_size=60), st.text(max_size=60))
def test_no_text_is_read_as_more_than_a_day_or_less_than_nothing(header, message):
    seconds = wait({"retry-after": header, "retry-after-ms": message}, {}, message)
    assert seconds is None or 0 <= seconds <= 86_400


@settings(deadline=None)
@given(st.integers(0, 23), st.integers(0, 59), st.integers(0, 59), st.integers(0, 999))
def test_a_duration_of_any_parts_is_their_sum(hours, minutes, seconds, milliseconds):
    text = f"{hours}h{minutes}m{seconds}s{milliseconds}ms"
    expected = hours * 3_600 + minutes * 60 + seconds + milliseconds / 1_000
    assert duration(text) == pytest.approx(expected)
    assert said_wait(f"try again in {text}", NOW) == pytest.approx(expected)
