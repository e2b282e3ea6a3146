"""What a checkout shows of itself: small, whatever its store holds."""

from __future__ import annotations

import pytest
from builders import assessment


@pytest.mark.parametrize(
    ("count", "shown"),
    [
        (0, "nothing"),
        (1, "lock 1 (open)"),
        (3, "lock 1 (open); lock 2 (open); lock 3 (open)"),
        (5, "5, the latest: lock 3 (open); lock 4 (open); lock 5 (open)"),
    ],
)
def test_of_many_unresolved_assessments_their_number_and_the_latest_are_shown(
    checkout, count, shown
):
    for number in range(count):
        checkout.record(assessment(f"lock {number + 1}"))

    assert repr(checkout).splitlines()[-1] == f"unresolved: {shown}"
    assert f"<td style='text-align:left'>{shown}</td>" in checkout._repr_html_()
