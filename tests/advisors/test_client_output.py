"""What client tools print: their JSON is found among whatever else stands there."""

import json

import pytest

from majordomus_reasoning.advisors.adapters._client import MOST_OBJECTS, objects_printed

EVENT = {"type": "result"}
LINE = json.dumps(EVENT)


@pytest.mark.parametrize(
    ("printed", "found"),
    [
        ("", []),
        (LINE, [EVENT]),
        (f"{LINE}\n{LINE}\n", [EVENT, EVENT]),
        (json.dumps([EVENT, 1, EVENT]), [EVENT, EVENT]),
        (json.dumps(EVENT, indent=2), [EVENT]),
        (f"  {LINE}", [EVENT]),
        (f"[WARN] retrying in 5 s\n{LINE}", [EVENT]),
        (f"{{not json}}\n[STARTUP] ready\n{LINE}\n[DONE]", [EVENT]),
        (f"\x1b[31m[ERROR]\x1b[0m what?\n{LINE}", [EVENT]),
        (f"[12:00:01] waiting\n[\n  {LINE}\n]\n", [EVENT]),
        (f"said: {LINE}", []),
        (f'{{"a": [1, 2\n{LINE}', [EVENT]),
        ("[1, 2]", []),
    ],
)
def test_objects_that_begin_a_line_are_found(printed, found):
    assert objects_printed(printed) == found


@pytest.mark.parametrize(
    "printed",
    [
        "[" * 1_000_000,
        "[\n" * 1_000_000,
        '{"a": ' * 500_000,
        "[WARN]\n" * 500_000,
        "[12:00] waiting\n" * 300_000,
        ("[" + "0," * 4_000 + "\n") * 500,
        "{" * 1_000_000,
        f"[{'9' * 1_000_000}]\n",
    ],
    ids=["brackets", "lines", "objects", "warnings", "times", "long lists", "braces", "a number"],
)
def test_what_never_becomes_an_object_is_read_in_passing(printed):
    """Each of these would take minutes if it were read anew from line to line."""
    assert objects_printed(printed) == []


def test_no_more_objects_are_kept_than_anybody_reads():
    assert len(objects_printed("{}\n" * (MOST_OBJECTS + 5))) == MOST_OBJECTS
