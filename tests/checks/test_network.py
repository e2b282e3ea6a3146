"""The check `network`: only the driver, the surfaces and the doubles reach out."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from planting import PROJECT, examine, write

MODULE = "majordomus_reasoning/core/rules.py"
REACHING = [
    "import socket",
    "import _socket",
    "import _posixsubprocess",
    "import tornado.httpclient",
    "import niquests",
    "import grpc",
    "import asyncio.subprocess",
    "from asyncio import subprocess",
    "from asyncio import create_subprocess_exec",
    "from asyncio.subprocess import Process",
    "import asyncio; asyncio.create_subprocess_shell('x')",
    "import asyncio as a; a.subprocess.create_subprocess_exec('x')",
    "import asyncio; asyncio.open_connection('x', 1)",
    "import asyncio; asyncio.start_server(print)",
    "from concurrent.futures import ProcessPoolExecutor",
    "import concurrent.futures; concurrent.futures.ProcessPoolExecutor()",
    "import os; os.system('x')",
    "import os; os.popen('x')",
    "import os; os.execvp('x', [])",
    "import os; os.posix_spawn('x', [], {})",
    "import os; os.spawnl(0, 'x')",
    "import os; os.fork()",
    "import os as o; start = o.system",
    "from os import system as start",
    "import posix; posix.system('x')",
    "__import__('socket')",
    "import importlib; importlib.import_module(name='socket')",
    "import importlib; importlib.import_module('http.client')",
    "from importlib import import_module as load; load('socket')",
]


@pytest.mark.parametrize("text", REACHING)
def test_a_module_that_reaches_out_is_found_once(repository: Path, text: str) -> None:
    write(repository, {MODULE: f"{text}\n"})

    found = examine(repository).findings

    assert [(each.check, each.subject) for each in found] == [("network", f"{MODULE}:1")]


KEEPING_TO_ITSELF = [
    "import os; os.path.join('a', 'b'); os.environ; os.execution = 1; os.scandir('.')",
    "from os import path as system; system.join('a')",
    "import asyncio; asyncio.run(main()); asyncio.create_task(main())",
    "from concurrent.futures import ThreadPoolExecutor",
    "import platform; platform.system()",
    "from . import socket",
    "from .requests import session",
    "import socketless",
    "self.system('x'); system('y')",
    "import importlib; importlib.import_module(name)",
]


@pytest.mark.parametrize("text", KEEPING_TO_ITSELF)
def test_a_module_that_keeps_to_itself_is_let_through(repository: Path, text: str) -> None:
    write(repository, {MODULE: f"{text}\n"})

    assert examine(repository).findings == ()


def test_every_room_that_may_not_reach_out_is_under_contract() -> None:
    with (PROJECT / "pyproject.toml").open("rb") as file:
        contracts = tomllib.load(file)["tool"]["importlinter"]["contracts"]
    covered = {
        module.removeprefix("majordomus_reasoning.")
        for each in contracts
        if each["name"].endswith("network or starts a process")
        for module in each["source_modules"]
    }
    rooms = {path.stem for path in (PROJECT / "majordomus_reasoning").glob("[a-z]*")}

    assert rooms - covered <= {"surfaces", "testing", "py", "share", "notebooks"}
