"""A window on a long list: the latest, or those before a cursor; going on loses none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from majordomus_reasoning.core.paging import Page, window
from majordomus_reasoning.core.timeline import Step
from majordomus_reasoning.errors import NotFound, Refusal

STEPS = [
    Step(f"2026-10-01T00:00:{place:02d}.000Z", f"r{place}", "attempt", "") for place in range(9)
]

WINDOWS = [
    (Page(), "012345678", None),
    (Page(limit=3), "678", "r6"),
    (Page(limit=3, cursor="r6"), "345", "r3"),
    (Page(limit=3, cursor="r3"), "012", None),
    (Page(limit=99), "012345678", None),
    (Page(cursor="r0"), "", None),
    (Page(since="2026-10-01T00:00:05Z"), "5678", None),
    (Page(since="2026-10-01T00:00:05Z", limit=3), "678", "r6"),
    (Page(since="2026-10-01T00:00:05Z", limit=3, cursor="r6"), "5", None),
    (Page(since="2027-01-01T00:00:00Z"), "", None),
]


@pytest.mark.parametrize(("page", "places", "cursor"), WINDOWS)
def test_a_window_shows_the_latest_before_the_cursor(page, places, cursor) -> None:
    seen = window(STEPS, page)

    assert seen.ids == {f"r{place}" for place in places}
    assert seen.cursor == cursor


@given(st.integers(1, 12), st.integers(0, 9))
def test_going_on_shows_every_step_once(limit, begin) -> None:
    since = f"2026-10-01T00:00:{begin:02d}Z"
    shown, cursor = [], None
    while True:
        seen = window(STEPS, Page(limit, since, cursor))
        shown += seen.ids
        cursor = seen.cursor
        if cursor is None:
            break

    assert sorted(shown) == [each.id for each in STEPS[begin:]]


def test_a_cursor_that_is_no_step_is_named() -> None:
    with pytest.raises(NotFound, match="nothing"):
        window(STEPS, Page(cursor="nothing"))


def test_a_moment_that_is_none_is_refused() -> None:
    with pytest.raises(Refusal, match="yesterday"):
        window(STEPS, Page(since="yesterday"))
