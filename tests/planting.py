"""Repositories with and without planted faults, for the tests of the checks."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from majordomus_reasoning.checks import Examined, Report, run_checks
from majordomus_reasoning.store.files import LOCATION, Store

PROJECT = Path(__file__).resolve().parents[1]
NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
FILES = {
    "majordomus_reasoning/core/rules.py": "import json\nWORD = 'geminis'\n",
    "majordomus_reasoning/advisors/adapters/gemini_cli.py": "NAME = 'gemini'\n",
    "majordomus_reasoning/advisors/driver.py": "import subprocess\n",
    "majordomus_reasoning/testing.py": "import socket\nNAME = 'codex'\n",
    "majordomus_reasoning/surfaces/http.py": "import http.server\n",
    "docs/page.md": "No advisor is required. The advisors never voted.\n",
    ".github/workflows/ci.yml": "env:\n  MY_OPENAI_API_KEY_NAME: x\n",
    ".ai/repo/profiles/deep.yaml": "reasoning: strict\n",
}


def write(root: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def make_repository(root: Path) -> Path:
    """A repository in which every check has something to read and nothing to find."""
    shutil.copytree(PROJECT / "share", root / "share")
    write(root, FILES)
    return root


def examined(root: Path, now: datetime = NOW) -> Examined:
    return Examined(root, root / "share", Store(root / LOCATION), now)


def examine(root: Path) -> Report:
    return run_checks(examined(root))


def plant_record(root: Path, body: Mapping[str, Any], **envelope: Any) -> str:
    """Write a record past the writer, as only a person with an editor could."""
    store = root / LOCATION / "task"
    store.mkdir(parents=True, exist_ok=True)
    number = len(list(store.iterdir()))
    record = {
        "schema": "majordomus/reasoning-record",
        "version": 1,
        "id": f"{body['kind']}-{number}",
        "task": "task",
        "recorded_at": f"2026-10-01T00:00:{number:02d}.000Z",
        "body": body,
        **envelope,
    }
    (store / f"{record['id']}.json").write_text(json.dumps(record), encoding="utf-8")
    return str(record["id"])
