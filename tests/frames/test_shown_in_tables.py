"""What is asked of a table is told without secrets where it is not there."""

from __future__ import annotations

import pytest

from majordomus_reasoning.errors import ReasoningError

SECRET = "sk-ant-" + "a1B2c" * 5  # made when the test runs
ASKED = [
    ([SECRET], {}),
    (["records"], {"columns": [SECRET]}),
    (["records"], {"since": SECRET}),
    (["records"], {"as_of": SECRET}),
    (["records"], {"errors": SECRET}),
]


@pytest.mark.parametrize(("words", "filters"), ASKED)
def test_no_message_of_a_table_repeats_a_secret(checkout, words, filters):
    with pytest.raises(ReasoningError) as told:
        checkout.table(*words, **filters)
    assert SECRET not in str(told.value)
    assert "[redacted:anthropic-key]" in str(told.value)
