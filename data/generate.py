"""Write the sample history anew: `data/sample/` and `data/truth.json`, the same bytes every time.

    python data/generate.py [FOLDER]

Three months of decisions are played on a simulated clock, and every record is admitted by the one
writer. Chance comes from the seed alone. The page `docs/sample.md` tells what the history holds.
"""

from __future__ import annotations

import heapq
import json
import shutil
import sys
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

import truth
import yaml
from author import Question
from stories import Decision, Facts, Waits
from world import END, START, World, working

SEED = 20260901
FOLDER = Path(__file__).parent
DAYS = 84  # on which questions first come up; the last ones are left for what follows
BUSY_DAYS = (33, 53)  # the weeks before a release, in which a third of them come up

UNREADABLE = {
    # A copy that was cut off.
    "worker-timeouts/consultation-20261006T101512300Z-cut0ff.json": '{\n  "schema": "majordom',
    # A record of a version that does not exist yet.
    "cache-coherence/assessment-20261102T090000000Z-0000ff.json": json.dumps(
        {
            "schema": "majordomus/reasoning-record",
            "version": 2,
            "id": "assessment-20261102T090000000Z-0000ff",
            "task": "cache-coherence",
            "recorded_at": "2026-11-02T09:00:00.000Z",
            "body": {"kind": "assessment", "subject": "size of the price cache"},
        }
    ),
    # Somebody's notes, in the wrong folder.
    "access-tokens/notes.json": '["ask again about the print station"]\n',
}


def questions(texts: dict[str, Any], rng: Random) -> list[Question]:
    """Every question of every part, in the order in which they come up."""
    found = [
        _question(task, part, asked, content["folder"], rng)
        for task, content in texts["tasks"].items()
        for part in content["parts"]
        for asked in content["questions"]
    ]
    rng.shuffle(found)
    return found


def _question(task: str, part: str, asked: dict[str, Any], folder: str, rng: Random) -> Question:
    texts = {name: text.format(part=part) for name, text in asked.items() if isinstance(text, str)}
    file = f"{folder}/{part.replace(' ', '_')}.py"
    return Question(task, part, file, texts, asked["capabilities"], truth.pick(rng, truth.TRUE))


def beginnings(count: int, rng: Random) -> list[datetime]:
    """When each question comes up: in working hours, over all days."""
    days = [
        rng.uniform(*BUSY_DAYS) if place % 3 == 0 else rng.uniform(0, DAYS)
        for place in range(count)
    ]
    return [working(START + timedelta(seconds=round(day * 86_400, 3))) for day in sorted(days)]


def play(world: World, stories: Iterable[tuple[datetime, Waits]]) -> None:
    """Let all decisions go on side by side, each when its time has come, until the end."""
    queue = [(moment, number, story) for number, (moment, story) in enumerate(stories)]
    heapq.heapify(queue)
    while queue:
        moment, number, story = heapq.heappop(queue)
        if moment > END:
            return
        world.now = moment
        wait = next(story, None)
        if wait is not None:
            heapq.heappush(queue, (moment + wait, number, story))


def decisions(world: World, facts: Facts) -> Iterator[tuple[datetime, Waits]]:
    """Every decision, and when it begins; each has a source of chance of its own."""
    texts = yaml.safe_load((FOLDER / "questions.yaml").read_text(encoding="utf-8"))
    rng = Random(SEED)
    asked = questions(texts, rng)
    for number, (moment, question) in enumerate(
        zip(beginnings(len(asked), rng), asked, strict=True)
    ):
        own = Random(f"{SEED}:{number}")
        yield moment, Decision(world, question, texts, facts, own).tell()


def generate(folder: Path) -> None:
    """Write `sample/` and `truth.json` below a folder, in place of what is there."""
    sample = folder / "sample"
    shutil.rmtree(sample, ignore_errors=True)
    world, facts = World(sample, SEED), Facts()
    play(world, decisions(world, facts))
    for name, content in UNREADABLE.items():
        (sample / name).write_text(content, encoding="utf-8", newline="\n")
    (sample / ".lock").unlink(missing_ok=True)  # what the writer leaves for the next one
    told = {
        "seed": SEED,
        **truth.declared(),
        "unreadable": sorted(UNREADABLE),
        "assessments": facts.assessments,
        "answers": facts.answers,
    }
    content = json.dumps(told, indent=2) + "\n"
    (folder / "truth.json").write_text(content, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    generate(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
