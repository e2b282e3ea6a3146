"""Measure the promised ratios in one run, and print each beside its bound.

python benchmarks/run.py [NAME …]
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from consult import consult
from measure import Ratio, fastest
from synthetic import records, write_store
from tables import tables

from majordomus_reasoning.core.ledger import Ledger
from majordomus_reasoning.core.records import record_type
from majordomus_reasoning.core.state import derive_state
from majordomus_reasoning.store.files import Store


def loading() -> Iterator[Ratio]:
    """Loading a store, and loading it again with ten new records."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        paths = write_store(root, 20_000)
        plain = fastest(lambda: [json.loads(path.read_bytes()) for path in paths])
        first = fastest(lambda: Store(root).load())
        yield Ratio("load 20,000 records / read and json.loads", first, plain, 2.5)
        store = Store(root)
        store.load()
        write_store(root, 20_010, start=20_000)
        again = fastest(store.load, rounds=1)
        yield Ratio("load again with 10 new / first load", again, first, 1 / 20)


def state() -> Iterator[Ratio]:
    """Deriving the state over twice the records."""
    parsed = [record_type().validate_python(each, strict=False) for each in records(40_000)]
    half, whole = Ledger(parsed[:20_000]), Ledger(parsed)
    yield Ratio(
        "state of 40,000 records / of 20,000",
        fastest(lambda: derive_state(whole)),
        fastest(lambda: derive_state(half)),
        2.5,
    )


def env() -> Iterator[Ratio]:
    """The command at an entry, against importing its two largest libraries."""
    command = [sys.executable, "-m", "majordomus_reasoning", "env"]
    plain = [sys.executable, "-c", "import pydantic, yaml"]

    def run(arguments: list[str]) -> float:
        return fastest(
            lambda: subprocess.run(arguments, check=True, stdout=subprocess.DEVNULL), rounds=15
        )

    yield Ratio("majordomus-reasoning env / import pydantic, yaml", run(command), run(plain), 3)


BENCHMARKS = {
    "loading": loading,
    "state": state,
    "env": env,
    "tables": tables,
    "consult": consult,
}


def main(names: list[str]) -> None:
    """Run the named benchmarks, or all."""
    for name in names or BENCHMARKS:
        for ratio in BENCHMARKS[name]():
            print(ratio, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
