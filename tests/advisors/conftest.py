"""What the tests of this room share: exchanges made up at the level of effects."""

import json
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from majordomus_reasoning.advisors.contract import Asking, HttpResponse, ProcessResult
from majordomus_reasoning.advisors.failures import AdvisorFailure
from majordomus_reasoning.advisors.normalise import normalise

NOW = datetime(2026, 10, 21, 7, 27, 30, tzinfo=UTC)


@pytest.fixture(scope="session")
def asking():
    """An asking of the kind that any adapter can be told."""
    return Asking(
        advisor="someone",
        question="Is it so?",
        subject="timeouts",
        model="some-model",
        executable="some-client",
        credential="SOME_CREDENTIAL",
        environment={"MAJORDOMUS_SERVER_URL": "http://127.0.0.1:1"},
    )


@pytest.fixture(scope="session")
def response():
    """Make a response; a body that is no text is sent as JSON."""

    def made(body="", status=200, headers=None, at=NOW):
        sent = body if isinstance(body, str | bytes) else json.dumps(body)
        sent = sent.encode() if isinstance(sent, str) else sent
        return HttpResponse(status, headers or {}, sent, at)

    return made


@pytest.fixture(scope="session")
def left():
    """Make what a process left."""

    def made(stdout="", stderr="", exit_code=0, **more):
        return ProcessResult(exit_code, stdout, stderr, NOW, **more)

    return made


@pytest.fixture(scope="session")
def play():
    """Run an adapter on scripted outcomes; how it ends, as a driver would record it."""

    def played(adapter, asking, *outcomes):
        steps = adapter(asking)
        effects = []
        sent = None
        for outcome in (*outcomes, None):
            try:
                effects.append(steps.send(sent))
            except StopIteration as ended:
                return Ending(effects, ended.value)
            except AdvisorFailure as failure:
                return Ending(effects, failure)
            if isinstance(outcome, AdvisorFailure):
                try:
                    steps.throw(outcome)
                except AdvisorFailure as failure:
                    return Ending(effects, failure)
            sent = outcome
        return Ending(effects, None)

    return played


class Ending:
    """The effects an adapter asked for, and the answer or the failure it ended in."""

    def __init__(self, effects, end):
        self.effects = effects
        self.answer = None
        self.opinion = None
        self.failure = end if isinstance(end, AdvisorFailure) else None
        if end is not None and self.failure is None:
            self.answer = end
            try:
                self.opinion = normalise(end.text, cut=end.cut).plain()
            except AdvisorFailure as failure:
                self.failure = failure

    @property
    def status(self):
        return "completed" if self.opinion else self.failure and self.failure.status

    @property
    def reason(self):
        return self.failure and self.failure.reason

    @property
    def wait(self):
        return self.failure and self.failure.retry_after_seconds


@pytest.fixture(scope="session")
def vectors():
    """The cases of a conformance file."""

    def read(name):
        path = Path(__file__).parent.parent / "conformance" / f"{name}.json"
        return json.loads(path.read_text(encoding="utf-8"))["cases"]

    return read


@pytest.fixture
def other_package(tmp_path, monkeypatch):
    """Install a package that provides an adapter `oracle`, and three that cannot be loaded."""
    (tmp_path / "oracle_package.py").write_text(
        "from majordomus_reasoning.advisors.contract import Answer, Sleep\n"
        "def ask(asking):\n"
        "    yield Sleep(0)\n"
        '    return Answer(\'{"conclusion": "ask again", "stance": "inconclusive"}\')\n'
    )
    (tmp_path / "leaving_package.py").write_text("import sys\nsys.exit(3)\n")
    info = tmp_path / "oracle_package-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: oracle-package\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[majordomus_reasoning.adapters]\n"
        "oracle = oracle_package:ask\n"
        "Oracle 2.0 = oracle_package:ask\n"
        "absent = no_such_module:ask\n"
        "lacking = oracle_package:no_such_name\n"
        "leaving = leaving_package:ask\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    yield
    sys.modules.pop("oracle_package", None)
