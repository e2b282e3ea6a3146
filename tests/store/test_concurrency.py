"""Several processes and one store: admission and writing are one step."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path

import pytest
from builders import (
    Writer,
    answer,
    assessment,
    conclusion,
    disagreement,
    held_lock,
    plan,
    resolution,
)

from majordomus_reasoning.core.availability import Situation
from majordomus_reasoning.errors import StoreLocked
from majordomus_reasoning.store.files import Store, Surroundings

# A process that waits until it is told to go, then writes one record and says what came of it.
RACER = """
import json, sys
from pathlib import Path
from majordomus_reasoning.core.availability import Situation
from majordomus_reasoning.errors import Refusal
from majordomus_reasoning.store.files import Store, Surroundings

store = Store(Path(sys.argv[1]))
print("ready", flush=True)
for line in sys.stdin:
    try:
        written = store.write(json.loads(line), Situation, Surroundings("untasked"))
        print("admitted", flush=True)
    except Refusal as refused:
        print(refused.code, flush=True)
"""
# A process that writes without end.
BUSY = """
import itertools, sys
from pathlib import Path
from majordomus_reasoning.core.availability import Situation
from majordomus_reasoning.store.files import Store, Surroundings

store = Store(Path(sys.argv[1]))
for number in itertools.count():
    body = {"kind": "assessment", "subject": f"subject {number}", "facts": ["x" * 500] * 50}
    store.write(body, Situation, Surroundings("untasked"))
    if number == 0:
        print("writing", flush=True)
"""


def start(code: str, root: Path) -> subprocess.Popen:
    return subprocess.Popen(
        [sys.executable, "-c", code, str(root)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def stop(process: subprocess.Popen) -> None:
    process.kill()
    process.communicate()


@pytest.fixture
def racers(tmp_path):
    processes = [start(RACER, tmp_path / "reasoning") for _ in range(2)]
    for process in processes:
        assert process.stdout.readline() == "ready\n"
    yield processes
    for process in processes:
        stop(process)


def race(racers, body) -> list[str]:
    for process in racers:
        process.stdin.write(json.dumps(body) + "\n")
        process.stdin.flush()
    return sorted(process.stdout.readline().strip() for process in racers)


def test_of_two_that_settle_one_disagreement_exactly_one_is_admitted(writer, racers):
    for number in range(10):
        on = writer.record(assessment(f"subject {number}"))
        quarrel = writer.record(disagreement(on, "primary", answer_of(writer, on)))
        assert race(racers, resolution(quarrel)) == ["admitted", "resolved_already"]
    assert len(Store(writer.root).load()) == 50


def test_of_two_that_supersede_one_conclusion_exactly_one_is_admitted(writer, racers):
    on = writer.record(assessment())
    latest = writer.record(conclusion(on))
    for _ in range(10):
        outcome = race(racers, conclusion(on, supersedes=latest))
        assert outcome == ["admitted", "concluded_already"]
        latest = writer.store.load().standing_conclusion(on).id
    assert len(Store(writer.root).load()) == 12


def answer_of(writer: Writer, on: str) -> str:
    return writer.record(answer(writer.record(plan(on))))


def test_writers_at_the_same_time_give_stamps_that_are_strictly_increasing(writer, racers):
    for number in range(10):
        assert race(racers, assessment(f"subject {number}")) == ["admitted", "admitted"]
    stamps = [record.recorded_at for record in Store(writer.root).load()]
    assert len(set(stamps)) == len(stamps) == 20


def test_threads_that_share_a_store_read_and_write_each_record_once(tmp_path):
    store = Store(tmp_path / "reasoning")
    done = threading.Event()

    def write(name: int) -> None:
        for number in range(10):
            body = assessment(f"{name} {number}")
            store.write(body, Situation, Surroundings("untasked"))

    def read() -> None:
        while not done.is_set():
            known = [record.id for record in store.load()]
            assert len(known) == len(set(known))
            assert all(store.path(name) for name in known)

    with ThreadPoolExecutor() as pool:
        reading = [pool.submit(read) for _ in range(2)]
        writing = wait([pool.submit(write, name) for name in range(2)]).done
        done.set()
        for each in [*reading, *writing]:
            each.result()
    assert [record.id for record in store.load()] == [
        record.id for record in Store(store.root).load()
    ]
    assert len(store.load()) == 20


def test_a_store_that_another_process_holds_is_locked_and_nothing_is_written(writer):
    with held_lock(writer.root), pytest.raises(StoreLocked, match="try again") as caught:
        writer.write(assessment())
    assert (caught.value.path, caught.value.seconds) == (str(writer.root), 0.2)
    assert list(writer.root.rglob("*.json")) == []
    assert writer.record(assessment())


@pytest.mark.skipif(os.name == "nt", reason="a process cannot be killed that way there")
def test_a_writer_killed_at_any_moment_leaves_whole_records_and_a_store_that_goes_on(tmp_path):
    root = tmp_path / "reasoning"
    known: set[str] = set()
    for written_before_the_kill in range(6):
        process = start(BUSY, root)
        assert process.stdout.readline() == "writing\n"
        wait_for_records(process, root, len(known) + 1 + written_before_the_kill)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        store = Store(root)
        loaded = {record.id for record in store.load()}
        assert store.unreadable == ()
        assert known < loaded
        known = loaded
    assert Writer(root).record(assessment())
    assert len(Store(root).load()) == len(known) + 1


def wait_for_records(process: subprocess.Popen, root: Path, count: int) -> None:
    while len(list(root.glob("*/*.json"))) < count:
        assert process.poll() is None
        os.sched_yield()
