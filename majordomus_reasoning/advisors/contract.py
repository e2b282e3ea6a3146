"""The contract of an adapter: what it is told, the effects it asks for, the answer it returns.

An adapter does no I/O. It is a generator function that is told whom to ask what (`Asking`), yields
effects (`HttpRequest`, `RunProcess`, `Sleep`), is sent what came of them, and returns an `Answer`
or raises `AdvisorFailure`:

    def ask(asking: Asking) -> Steps:
        response = yield from send(HttpRequest("GET", "http://127.0.0.1:1234/opinion"))
        return Answer(response.body.decode("utf-8", "replace"))

The driver performs the effects under one deadline and one cancellation. Where an effect cannot be
performed (nothing listens, no such executable) it raises the AdvisorFailure at the `yield`.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import TypeVar

from majordomus_reasoning.core.records import Usage

LARGEST_ANSWER = 8 * 1024 * 1024


@dataclass(frozen=True)
class Credential:
    """A credential by the name of its variable; the driver reads the value when it sends it.

    It is sent as the header `header`, after `prefix`. An `optional` one is left out where it is
    not set.
    """

    variable: str
    header: str
    prefix: str = ""
    optional: bool = False


@dataclass(frozen=True)
class HttpRequest:
    """Send one request; redirects are not followed."""

    method: str
    url: str
    body: bytes | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    credential: Credential | None = None


@dataclass(frozen=True)
class HttpResponse:
    """A response: header names in lower case, at most `LARGEST_ANSWER` bytes, when it came."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    at: datetime


@dataclass(frozen=True)
class PrivateFile:
    """A file in the folder that the driver makes for one process and deletes after it."""

    name: str


@dataclass(frozen=True)
class RunProcess:
    """Run a client tool, in the checkout, with no standard input and a session of its own.

    The first argument is the name of an executable on the PATH. A `PrivateFile` among the arguments
    or the values of `environment` becomes its path; `files` are written before the start, `reads`
    are read after the end. `version_arguments` ask the same executable for its version, meanwhile.
    """

    arguments: tuple[str | PrivateFile, ...]
    environment: Mapping[str, str | PrivateFile] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)
    reads: tuple[str, ...] = ()
    version_arguments: tuple[str, ...] = ()


@dataclass(frozen=True)
class ProcessResult:
    """What a process left: its exit code (negative for a signal), output decoded as UTF-8.

    `timed_out` says that the deadline ended it: a cause that the output names wins over that.
    """

    exit_code: int | None
    stdout: str
    stderr: str
    at: datetime
    timed_out: bool = False
    files: Mapping[str, str] = field(default_factory=dict)
    version: str | None = None


@dataclass(frozen=True)
class Sleep:
    """Wait that many seconds."""

    seconds: float


@dataclass(frozen=True)
class Asking:
    """What an adapter is told of one consultation.

    `model` is the name that the service knows, `credential` the name of a variable, `environment`
    the variables without any credential, `parameters` what the model's catalogue entry asks to be
    sent beside the question.
    """

    advisor: str
    question: str
    subject: str = ""
    model: str | None = None
    executable: str | None = None
    credential: str | None = None
    environment: Mapping[str, str] = field(default_factory=dict, repr=False)
    parameters: Mapping[str, object] = field(default_factory=dict)

    def variable(self, name: str, default: str = "") -> str:
        """A variable's value, trimmed; an empty one counts as unset."""
        return self.environment.get(name, "").strip() or default


@dataclass(frozen=True)
class Answer:
    """What an advisor said, as its dialect carries it: the text alone is kept as digest and fields.

    `cut` says that the server ended it early: then nothing of the text is repaired. `model` is the
    model as the server named it.
    """

    text: str
    cut: bool = False
    usage: Usage | None = None
    model: str | None = None
    client: str | None = None
    client_version: str | None = None


Effect = HttpRequest | RunProcess | Sleep
Performed = HttpResponse | ProcessResult | None
T = TypeVar("T")
Yielding = Generator[Effect, Performed, T]
Steps = Yielding[Answer]
Adapter = Callable[[Asking], Steps]


def send(request: HttpRequest) -> Yielding[HttpResponse]:
    """Have a request sent; its response."""
    performed = yield request
    if not isinstance(performed, HttpResponse):
        raise TypeError("the driver answers an HttpRequest by an HttpResponse")
    return performed


def run(process: RunProcess) -> Yielding[ProcessResult]:
    """Have a process run; what it left."""
    performed = yield process
    if not isinstance(performed, ProcessResult):
        raise TypeError("the driver answers a RunProcess by a ProcessResult")
    return performed


def sleep(seconds: float) -> Yielding[None]:
    """Have the driver wait."""
    yield Sleep(seconds)
