"""The page on advisors tells every status, reason and adapter, and its example works."""

import re
from pathlib import Path

from majordomus_reasoning.advisors.adapters import adapter_names
from majordomus_reasoning.advisors.failures import REASONS

PAGE = (Path(__file__).parents[2] / "docs" / "advisors.md").read_text(encoding="utf-8")


def test_the_table_of_statuses_holds_each_reason_beside_its_status():
    rows = re.findall(r"^\| `(\w+)` \| [^|]+ \| ([^|]*)\|$", PAGE, re.MULTILINE)
    told = {reason: status for status, cell in rows for reason in re.findall(r"`(\w+)`", cell)}
    assert told == {reason: meant.status for reason, meant in REASONS.items()}


def test_the_table_of_dialects_holds_each_adapter():
    rows = re.findall(r"^\| `([a-z-]+)` \|", PAGE, re.MULTILINE)
    assert set(rows) - {"completed", "timeout"} >= set(adapter_names())


def test_the_example_of_an_adapter_asks_and_answers(asking, response, play):
    example = re.search(r"```python\n(from .*?)```", PAGE, re.DOTALL)[1]
    names = {}
    exec(example, names)
    ending = play(names["ask"], asking, response({"conclusion": "ask again"}))
    assert ending.effects[0].url == "http://127.0.0.1:7000/ask"
    assert ending.opinion["conclusion"] == "ask again"
    assert play(names["ask"], asking, response("", 429)).wait == 60
