"""The small facts about words, names and stamps that every rule shares."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from majordomus_reasoning.core.words import instant, is_blank, is_plain_name, to_stamp


@pytest.mark.parametrize(
    "text", ["", " ", "\n\t", "\u00a0", "\u3000", "\u200b", "\ufeff", "\u2060"]
)
def test_white_space_and_invisible_characters_are_blank(text):
    assert is_blank(text)


@pytest.mark.parametrize("text", ["x", " x ", ".", "日本", "\u200bx", "0", "—"])
def test_anything_that_shows_is_not_blank(text):
    assert not is_blank(text)


@pytest.mark.parametrize(
    "name", ["a", "retry-task", "A.b_c-1", "x" * 200, "é" * 100, "two words", "日本", "...", "-x"]
)
def test_a_plain_name_names_one_file(name):
    assert is_plain_name(name)


@pytest.mark.parametrize(
    "name",
    [
        "",
        " ",
        ".",
        "..",
        "a/b",
        "/a",
        "a\\b",
        "a\nb",
        "a\x00",
        "\x7f",
        "\ud800",
        "x" * 201,
        "é" * 100 + "x",
        "\u200b",
    ],
    ids=ascii,
)
def test_a_separator_a_control_character_dots_or_200_bytes_too_many_is_no_plain_name(name):
    assert not is_plain_name(name)


@given(st.text(st.characters(exclude_categories=[]), max_size=30))
def test_whether_a_name_is_plain_is_never_an_error(name):
    if is_plain_name(name):
        assert "/" not in name
        assert len(name.encode()) <= 200


@pytest.mark.parametrize(
    ("stamp", "seconds"),
    [
        ("2026-10-01T09:30:01Z", 1),
        ("2026-10-01T09:30:01.5Z", 1.5),
        ("2026-10-01T09:30:01.123456Z", 1.123456),
        ("2026-10-01T09:30:01+00:00", 1),
        ("2026-10-01T11:30:01+02:00", 1),
    ],
)
def test_a_stamp_of_any_rfc_3339_form_names_a_moment(stamp, seconds):
    assert instant(stamp) == datetime(2026, 10, 1, 9, 30, tzinfo=UTC) + timedelta(seconds=seconds)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "today",
        "2026-10-01",
        "2026-10-01 09:30:01Z",
        "2026-10-01T09:30:01",
        "1764504000",
        "2026-02-30T00:00:00Z",
        "0001-01-01T00:00:00+23:00",
        "9999-12-31T23:59:59-01:00",
    ],
)
def test_text_that_names_no_moment_or_no_zone_is_a_value_error(text):
    with pytest.raises(ValueError, match=r"."):
        instant(text)


@given(st.datetimes(min_value=datetime(1000, 1, 1), timezones=st.just(UTC)))  # noqa: DTZ001 - hypothesis wants it bare
def test_a_stamp_read_again_is_the_moment_in_whole_milliseconds(moment):
    whole = moment.replace(microsecond=moment.microsecond // 1000 * 1000)
    assert instant(to_stamp(moment)) == whole


def test_a_stamp_is_told_in_utc():
    there = datetime(2026, 10, 1, 11, 30, tzinfo=timezone(timedelta(hours=2)))
    assert to_stamp(there) == "2026-10-01T09:30:00.000Z"
