"""The driver with real processes: each ends in one typed outcome, in time, and leaves nobody."""

import asyncio
import json
import os
import threading
import time
from pathlib import Path

import pytest

from majordomus_reasoning.advisors.consult import consult
from majordomus_reasoning.advisors.contract import (
    LARGEST_ANSWER,
    Answer,
    PrivateFile,
    RunProcess,
    run,
)
from majordomus_reasoning.advisors.driver import GRACE_SECONDS, Driver
from majordomus_reasoning.advisors.question import question
from majordomus_reasoning.core.catalogue import Catalogue
from majordomus_reasoning.core.records import Assessment
from majordomus_reasoning.testing import advisor_state, client_tool, plan_asking

QUESTION = question(Assessment(kind="assessment", subject="timeouts"))
OPINION = json.dumps({"conclusion": "keep it", "stance": "supports"})
STUBBORN = "import signal\nfor number in (1, 2, 15): signal.signal(number, signal.SIG_IGN)\n"
TELL_PID = "import os, sys\nopen('pids', 'a').write(f'{os.getpid()} ')\n"
WAIT = "import time\ntime.sleep(60)\n"
CHILD = (
    f"import subprocess\nsubprocess.Popen([sys.executable, '-c', {STUBBORN + TELL_PID + WAIT!r}])\n"
)


@pytest.fixture
def tools(tmp_path):
    """Make a client tool of a program; the folder it runs in is beside."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "checkout").mkdir()
    return lambda name, program: client_tool(tmp_path / "bin", name, program)


@pytest.fixture
def ask(tmp_path):
    """Ask client tools by name; the outcomes and what each process left."""

    def asked(*names, options=None, **more):
        seen = []

        def adapter(asking):
            result = yield from run(RunProcess((asking.executable, "say"), **(options or {})))
            seen.append(result)
            return Answer(result.stdout, client=asking.executable, client_version=result.version)

        more.setdefault("environment", {"PATH": str(tmp_path / "bin")})
        more.setdefault("deadline", 20)
        plan = plan_asking(*(advisor_state(name, "any", executable=name) for name in names))
        work = consult(
            plan,
            QUESTION,
            catalogue=Catalogue(),
            folder=tmp_path / "checkout",
            adapters=lambda _name: adapter,
            **more,
        )
        return asyncio.run(work), seen

    return asked


def assert_nobody_is_left(folder):
    """Every process that told its id ends at once: it is gone, or only its exit code is left."""
    pids = [int(pid) for pid in (folder / "checkout" / "pids").read_text().split()]
    assert pids
    for pid in pids:
        wait_until(lambda pid=pid: has_ended(pid))


def has_ended(pid):
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return True
    return state in {"Z", "X"}


def wait_until(told):
    until = time.monotonic() + 10
    while not told():
        assert time.monotonic() < until
        time.sleep(0.01)


def test_a_client_is_started_with_no_input_in_a_session_and_folder_of_its_own(ask, tools, tmp_path):
    tools(
        "client",
        "import json, os, sys\n"
        "print(json.dumps({'stdin': sys.stdin.read(), 'leads': os.getsid(0) == os.getpid(),\n"
        "  'tty': sys.stdout.isatty(), 'cwd': os.getcwd(), 'args': sys.argv[1:],\n"
        "  'environment': dict(os.environ)}))\n",
    )
    environment = {
        "PATH": str(tmp_path / "bin"),
        "no_proxy": "intranet",
        "HTTP_PROXY": "http://127.0.0.1:1",
        "KEY": "value",
    }
    options = {"environment": {"MINE": "set", "FILE": PrivateFile("a.txt")}}
    _, (result,) = ask("client", environment=environment, options=options)
    told = json.loads(result.stdout)
    assert told["stdin"] == ""
    assert told["leads"]
    assert not told["tty"]
    assert told["cwd"] == str(tmp_path / "checkout")
    assert told["args"] == ["say"]
    assert told["environment"]["NO_PROXY"] == told["environment"]["no_proxy"]
    assert told["environment"]["NO_PROXY"] == "intranet,localhost,127.0.0.1,::1"
    assert told["environment"]["KEY"] == "value"
    assert told["environment"]["MINE"] == "set"
    assert not Path(told["environment"]["TMPDIR"]).exists()
    assert not Path(told["environment"]["FILE"]).parent.exists()


def test_private_files_are_written_read_and_deleted(ask, tools):
    tools(
        "client",
        "import os\npath = os.environ['OUT']\n"
        "print(open(os.environ['IN']).read(), os.path.exists(path))\n"
        "open(path, 'w').write('written')\n",
    )
    options = {
        "environment": {"IN": PrivateFile("in.txt"), "OUT": PrivateFile("out.txt")},
        "files": {"in.txt": "given"},
        "reads": ("out.txt", "absent.txt"),
    }
    _, (result,) = ask("client", options=options)
    assert result.stdout == "given False\n"
    assert result.files == {"out.txt": "written", "absent.txt": ""}


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        (f"print({OPINION!r})", "completed"),
        ("", "no_text"),
        ("import sys; sys.stdout.buffer.write(b'\\xff\\xfe no object')", "no_object"),
        (f"print('x' * {20 * 1024 * 1024})", "too_large"),
        (
            f"import sys; sys.stderr.write('x' * {LARGEST_ANSWER + 1}); print({OPINION!r})",
            "too_large",
        ),
        ("while True: print('x' * 65536)", "too_large"),
    ],
    ids=["answers", "says nothing", "is no UTF-8", "20 MiB", "loud on stderr", "endless"],
)
def test_what_a_client_prints_is_bounded_and_read_as_utf8(ask, tools, program, expected):
    tools("client", program)
    ((outcome,), _) = ask("client")
    assert (outcome.failure.reason if outcome.failure else outcome.status) == expected


FLOOD = (
    "import os, signal, time\n"
    "def flood(*_):\n"
    "    while True:\n"
    "        os.write(1, b'x' * 1024 * 1024)\n"
    "        open('mebibytes', 'a').write('x')\n"
    "        time.sleep(0.005)\n"
)


@pytest.mark.parametrize(
    ("begins", "deadline"),
    [("flood()", 20), ("signal.signal(15, flood); time.sleep(60)", 1)],
    ids=["at once", "once it is asked to end"],
)
def test_a_stubborn_client_that_floods_gets_no_grace(ask, tools, tmp_path, begins, deadline):
    tools("client", STUBBORN + FLOOD + begins)
    ((outcome,), _) = ask("client", deadline=deadline)
    assert outcome.failure.reason == "too_large"
    assert len((tmp_path / "checkout" / "mebibytes").read_text()) < 40


def test_exit_code_and_both_outputs_reach_the_adapter(ask, tools):
    tools("client", "import sys; print('out'); print('err', file=sys.stderr); sys.exit(145)")
    _, (result,) = ask("client")
    assert (result.exit_code, result.stdout, result.stderr) == (145, "out\n", "err\n")
    assert not result.timed_out


def test_a_stubborn_client_and_its_children_end_at_the_deadline(ask, tools, tmp_path):
    tools("client", STUBBORN + TELL_PID + "print('so far', flush=True)\n" + CHILD + WAIT)
    started = time.monotonic()
    ((outcome,), (result,)) = ask("client", deadline=1)
    assert time.monotonic() - started < 1 + GRACE_SECONDS + 3
    assert result.timed_out
    assert result.stdout == "so far\n"
    assert outcome.status == "malformed"
    assert_nobody_is_left(tmp_path)


def test_a_grandchild_that_holds_the_output_is_not_waited_for_and_ends(ask, tools, tmp_path):
    tools(
        "client",
        TELL_PID + CHILD + "import time\n"
        "while len(open('pids').read().split()) < 2: time.sleep(0.01)\n"
        f"print({OPINION!r})\n",
    )
    started = time.monotonic()
    ((outcome,), _) = ask("client")
    assert outcome.status == "completed"
    assert time.monotonic() - started < 10
    assert_nobody_is_left(tmp_path)


def test_clients_run_at_once_and_a_hostile_one_hurts_only_itself(ask, tools):
    tools("hangs", STUBBORN + WAIT)
    tools("floods", "while True: print('x' * 65536)")
    tools("answers", f"print({OPINION!r})")
    (found, _) = ask("hangs", "answers", "floods", "absent", deadline=1)
    assert [each.status for each in found] == ["empty", "completed", "malformed", "unavailable"]
    assert found[3].failure.reason == "not_installed"


@pytest.mark.parametrize("times", [1, 2])
def test_a_withdrawn_client_ends_with_its_children_and_its_outcome_is_cancelled(
    ask, tools, tmp_path, times
):
    tools("client", STUBBORN + TELL_PID + CHILD + WAIT)
    pids = tmp_path / "checkout" / "pids"
    found = []

    async def withdrawn():
        work = asyncio.ensure_future(
            consult(
                plan_asking(advisor_state("client", "any", executable="client")),
                QUESTION,
                catalogue=Catalogue(),
                environment={"PATH": str(tmp_path / "bin")},
                folder=tmp_path / "checkout",
                adapters=lambda _name: lambda _asking: run(RunProcess(("client",))),
                on_outcome=found.append,
            )
        )
        while not (pids.exists() and len(pids.read_text().split()) == 2):  # noqa: ASYNC110 - a file
            await asyncio.sleep(0.01)
        work.cancel()
        await asyncio.sleep(0.05)
        if times == 2:
            work.cancel()  # from an impatient person: no more grace
        with pytest.raises(asyncio.CancelledError):
            await work

    asyncio.run(withdrawn())
    assert [each.status for each in found] == ["cancelled"]
    assert_nobody_is_left(tmp_path)


@pytest.mark.parametrize(
    ("printed", "version"),
    [
        ("some-cli 0.171.0", "0.171.0"),
        ("2.1.332 (Some Code)", "2.1.332"),
        ("none", None),
        ("1.2-" + "x" * 500, "1.2-" + "x" * 36),
    ],
)
def test_the_version_of_a_client_is_read_from_what_it_prints(ask, tools, printed, version):
    tools("client", f"import sys\nprint({printed!r} if '--version' in sys.argv else {OPINION!r})")
    ((outcome,), _) = ask("client", options={"version_arguments": ("--version",)})
    assert outcome.status == "completed"
    assert outcome.exchange.client == "client"
    assert outcome.exchange.client_version == version


def test_a_client_that_does_not_tell_its_version_in_time_is_heard_all_the_same(tools, tmp_path):
    tools(
        "client",
        TELL_PID
        + f"import time\ntime.sleep(60) if '--version' in sys.argv else print({OPINION!r})\n",
    )
    environment = {"PATH": str(tmp_path / "bin")}
    effect = RunProcess(("client",), version_arguments=("--version",))

    async def performed():
        async with Driver(environment, tmp_path / "checkout", version_seconds=0.5) as driver:
            return await driver.perform(effect, asyncio.get_running_loop().time() + 20)

    started = time.monotonic()
    result = asyncio.run(performed())
    assert (result.stdout, result.version) == (f"{OPINION}\n", None)
    assert time.monotonic() - started < 10
    assert_nobody_is_left(tmp_path)


@pytest.mark.parametrize(
    ("name", "mode", "content", "reason"),
    [
        ("absent", None, "", "not_installed"),
        ("../bin/client", 0o755, "#!/bin/sh\n", "not_installed"),
        ("client", 0o644, "#!/bin/sh\n", "not_installed"),
        ("client", 0o755, "#!/nowhere/interpreter\n", "not_installed"),
        ("client", 0o755, "no program", "config"),
    ],
)
def test_a_client_that_cannot_be_started_is_told_by_its_cause(
    ask, tmp_path, tools, name, mode, content, reason
):
    if mode:
        path = tmp_path / "bin" / "client"
        path.write_text(content)
        path.chmod(mode)
    ((outcome,), _) = ask(name)
    assert (outcome.status, outcome.failure.reason) == ("unavailable", reason)


def test_an_executable_is_looked_for_in_absolute_folders_only(ask, tools, tmp_path, monkeypatch):
    tools("client", f"print({OPINION!r})")
    monkeypatch.chdir(tmp_path / "bin")
    ((outcome,), _) = ask("client", environment={"PATH": f".{os.pathsep}"})
    assert outcome.failure.reason == "not_installed"


def test_an_argument_that_the_system_refuses_is_a_question_too_long(ask, tools):
    tools("client", f"print({OPINION!r})")
    ((outcome,), _) = ask("client", options={"environment": {"LONG": "x" * 200_000}})
    assert outcome.failure.reason == "context_length"


def test_nothing_runs_on_after_the_loop_has_ended(ask, tools):
    tools("client", f"print({OPINION!r})")
    before = threading.active_count()
    ask("client", "client", "client")
    wait_until(lambda: threading.active_count() <= before)
