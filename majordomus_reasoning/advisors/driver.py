"""The driver: it performs the effects that adapters ask for.

The only module of this room that opens a socket or starts a process. Asking one advisor ends in
exactly one typed `Outcome`, whatever an adapter, a service or a client does; none is tried again.
"""

from __future__ import annotations

import asyncio
import errno
import hashlib
import os
import re
import shutil
import signal
import subprocess
import tempfile
import zlib
from collections.abc import Callable, Iterator, Mapping
from contextlib import AsyncExitStack, contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple, Self, TypeVar

import httpx

from majordomus_reasoning.advisors.asking import Selected
from majordomus_reasoning.advisors.cancellation import Cancellation
from majordomus_reasoning.advisors.contract import (
    LARGEST_ANSWER,
    Adapter,
    Answer,
    Credential,
    Effect,
    HttpRequest,
    HttpResponse,
    Performed,
    ProcessResult,
    RunProcess,
    Sleep,
    Steps,
)
from majordomus_reasoning.advisors.failures import AdvisorFailure, failure
from majordomus_reasoning.advisors.loopback import is_loopback, without_proxy
from majordomus_reasoning.advisors.normalise import Opinion, normalise
from majordomus_reasoning.advisors.outcome import Outcome, exchange_of, usage_of
from majordomus_reasoning.advisors.private import PrivateFolder
from majordomus_reasoning.advisors.question import Question
from majordomus_reasoning.core.records import Usage
from majordomus_reasoning.version import PACKAGE, __version__

VERSION_SECONDS = 5.0  # a client's version is asked for meanwhile, and never worth more
GRACE_SECONDS = 1.0  # between the request to end and the end of a group of processes
POLL_SECONDS = 0.02
LONGEST_VERSION = 40

# What the HTTP client raises, as the reasons of failures; the first that fits decides.
TRANSPORT_REASONS: dict[type[Exception], str] = {
    httpx.ConnectError: "no_connection",
    httpx.ConnectTimeout: "no_connection",
    httpx.PoolTimeout: "no_connection",
    httpx.ProxyError: "no_connection",
    httpx.UnsupportedProtocol: "bad_endpoint",
    httpx.LocalProtocolError: "bad_endpoint",
    httpx.InvalidURL: "bad_endpoint",
    httpx.HTTPError: "broken_connection",
}
# What starting a process raises; anything else of the system means that it cannot run so.
START_REASONS: dict[int, str] = {
    errno.ENOENT: "not_installed",
    errno.EACCES: "not_installed",
    errno.E2BIG: "context_length",
}
FindAdapter = Callable[[str], Adapter]
A = TypeVar("A")
T = TypeVar("T")


@dataclass
class Driver:
    """Performs effects: `environment` is where credentials are read, `folder` where clients run.

    An async context; the connections it made are closed at its end.
    """

    environment: Mapping[str, str] = field(repr=False)
    folder: Path
    version_seconds: float = VERSION_SECONDS
    _clients: dict[bool, httpx.AsyncClient] = field(default_factory=dict)
    _sent: set[str] = field(default_factory=set, repr=False)
    _open: AsyncExitStack = field(default_factory=AsyncExitStack)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._open.aclose()

    async def outcome(
        self, chosen: Selected, question: Question, adapters: FindAdapter, until: float
    ) -> Outcome:
        """The one outcome of asking one advisor until a moment of the loop's clock."""
        loop = asyncio.get_running_loop()
        started = loop.time()
        exchange = exchange_of(question, None)
        answer: Answer | None = None
        opinion: Opinion | None = None
        told: AdvisorFailure | None = None
        try:
            answer = await self._answer(adapters, chosen, until)
            exchange = exchange_of(question, answer, self._sent)
            opinion = normalise(answer.text, cut=answer.cut).without(self._sent)
        except AdvisorFailure as failed:
            told = failed.recordable(self._sent)
        except asyncio.CancelledError:
            told = failure("withdrawn")
        except Exception as fault:  # noqa: BLE001 - a bug of one adapter is that advisor's alone
            told = _fault(fault)
        return Outcome(
            advisor=chosen.asking.advisor,
            question=question,
            duration_ms=round((loop.time() - started) * 1_000),
            exchange=exchange,
            opinion=opinion,
            failure=told,
            usage=usage_of(answer),
        )

    async def _answer(self, adapters: FindAdapter, chosen: Selected, until: float) -> Answer:
        """Drive an adapter to its end; what could not be performed is raised where it waits."""
        adapter = _own(adapters, chosen.adapter)
        with _closing(_own(adapter, chosen.asking)) as steps:
            try:
                effect = _own(next, steps)
                while True:
                    await asyncio.sleep(0)  # even an adapter that never waits lets the others run
                    if asyncio.get_running_loop().time() >= until:
                        raise failure("deadline")
                    try:
                        performed = await self.perform(effect, until)
                    except AdvisorFailure as failed:
                        effect = _own(steps.throw, failed)
                    else:
                        effect = _own(steps.send, performed)
            except StopIteration as ended:
                answer = ended.value
                if isinstance(answer, Answer) and isinstance(answer.usage, Usage | None):
                    return answer
                raise TypeError("an adapter returns an Answer") from None

    async def perform(self, effect: Effect, until: float) -> Performed:
        """What comes of one effect; AdvisorFailure where it cannot be performed."""
        if isinstance(effect, HttpRequest):
            return await self._send(effect, until)
        if isinstance(effect, RunProcess):
            return await self._run(effect, until)
        if isinstance(effect, Sleep):
            left = until - asyncio.get_running_loop().time()
            await asyncio.sleep(min(effect.seconds, left))
            if effect.seconds > left:
                raise failure("deadline")
            return None
        raise TypeError("an adapter yields HttpRequest, RunProcess or Sleep")

    # Requests

    async def _send(self, request: HttpRequest, until: float) -> HttpResponse:
        try:
            async with asyncio.timeout_at(until):
                return await self._exchange(request)
        except TimeoutError:
            raise failure("deadline") from None
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            # Its text may hold the address or a header, so it is not passed on.
            reasons = TRANSPORT_REASONS.items()
            raise failure(next(r for kind, r in reasons if isinstance(error, kind))) from None

    async def _exchange(self, request: HttpRequest) -> HttpResponse:
        headers = {
            "user-agent": f"{PACKAGE}/{__version__}",
            "accept-encoding": "identity",  # what is packed can unpack to more than is read
            **request.headers,
            **self._credential(request.credential),
        }
        url = httpx.URL(request.url)
        client = self._client(loopback=is_loopback(url.host))
        async with client.stream(
            request.method, url, headers=headers, content=request.body
        ) as response:
            body = await _bounded_body(response)
            return HttpResponse(
                response.status_code, dict(response.headers), body, datetime.now(UTC)
            )

    def _credential(self, credential: Credential | None) -> dict[str, str]:
        """The header that sends a credential: the one place where its value is read."""
        if credential is None:
            return {}
        value = self.environment.get(credential.variable, "").strip()
        if not value:
            if credential.optional:
                return {}
            raise failure("no_credential")
        if not re.fullmatch(r"[!-~]+", value):  # no header can hold it
            raise failure("credential_refused")
        self._sent.add(value)
        return {credential.header: f"{credential.prefix}{value}"}

    def _client(self, *, loopback: bool) -> httpx.AsyncClient:
        """The HTTP client for this machine, which knows no proxy, or the one for all others."""
        if loopback not in self._clients:
            limits = httpx.Limits(max_connections=None)
            try:
                client = httpx.AsyncClient(trust_env=not loopback, timeout=None, limits=limits)  # noqa: S113 - the deadline is ours
            except (ValueError, ImportError, httpx.InvalidURL, OSError):
                raise failure("config") from None  # a proxy or certificate variable is not usable
            self._clients[loopback] = client
            self._open.push_async_callback(client.aclose)
        return self._clients[loopback]

    # Processes

    async def _run(self, effect: RunProcess, until: float) -> ProcessResult:
        executable = self._executable(effect)
        if not effect.version_arguments:
            return await self._left(executable, effect, until)
        asked = RunProcess((effect.arguments[0], *effect.version_arguments))
        version = asyncio.ensure_future(self._version(executable, asked, until))
        try:
            result = await self._left(executable, effect, until)
            return replace(result, version=await version)
        finally:
            version.cancel()
            await asyncio.wait([version])

    async def command(self, words: tuple[str, ...], until: float) -> ProcessResult:
        """What a command leaves that a person named, by a path too."""
        effect = RunProcess(words)
        if Path(words[0]).name == words[0]:
            return await self._left(self._executable(effect), effect, until)
        path = self.folder / words[0]
        if not (path.is_file() and os.access(path, os.X_OK)):
            raise failure("not_installed")
        return await self._left(str(path), effect, until)

    def _executable(self, effect: RunProcess) -> str:
        """The path of an effect's executable; a name with a separator is never found."""
        name = effect.arguments[0]
        folders = self.environment.get("PATH", "").split(os.pathsep)
        path = os.pathsep.join(each for each in folders if Path(each).is_absolute())
        if not isinstance(name, str) or name != Path(name).name:
            raise failure("not_installed")
        found = shutil.which(name, path=path) if path else None
        if found is None:
            raise failure("not_installed")
        return found

    async def _version(self, executable: str, asked: RunProcess, until: float) -> str | None:
        soon = asyncio.get_running_loop().time() + self.version_seconds
        try:
            result = await self._left(executable, asked, min(until, soon))
        except AdvisorFailure:
            return None  # a client that does not tell its version is asked all the same
        told = re.search(r"\d+(?:\.\d+)+[\w.+-]*", result.stdout[:1_000])
        return told.group()[:LONGEST_VERSION] if told else None

    async def _left(self, executable: str, effect: RunProcess, until: float) -> ProcessResult:
        """What a process leaves that ends by itself or at the deadline, with its whole group."""
        with tempfile.TemporaryDirectory(
            prefix=f"{PACKAGE}-", ignore_cleanup_errors=True
        ) as folder:
            place = PrivateFolder(Path(folder))
            place.write(effect.files)
            process = self._start(executable, effect, place)
            try:
                timed_out = not await _ended(process, until, place)
            finally:
                await _end_group(process, place)
            return ProcessResult(
                exit_code=process.returncode,
                stdout=place.read(place.stdout),
                stderr=place.read(place.stderr),
                at=datetime.now(UTC),
                timed_out=timed_out,
                files={name: place.read(place.file(name)) for name in effect.reads},
            )

    def _start(
        self, executable: str, effect: RunProcess, place: PrivateFolder
    ) -> subprocess.Popen[bytes]:
        private = {name: place.argument(value) for name, value in effect.environment.items()}
        environment = {
            **self.environment,
            **without_proxy(self.environment),
            **dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(place.temporary)),
            **private,
        }
        arguments = [place.argument(argument) for argument in effect.arguments[1:]]
        try:
            with place.stdout.open("wb") as stdout, place.stderr.open("wb") as stderr:
                return subprocess.Popen(  # noqa: S603 - a declared name, found on the PATH
                    [executable, *arguments],
                    stdin=subprocess.DEVNULL,
                    stdout=stdout,
                    stderr=stderr,
                    cwd=self.folder,
                    env=environment,
                    start_new_session=True,
                )
        except OSError as error:
            raise failure(START_REASONS.get(error.errno or 0, "config")) from None


def _fault(raised: BaseException) -> AdvisorFailure:
    """The failure of an adapter that raised what it should not."""
    sentence = f"The adapter failed with {type(raised).__name__}."
    return AdvisorFailure("error", "adapter_fault", sentence)


def _own(step: Callable[[A], T], argument: A) -> T:
    """What a step of an adapter returns; whatever the adapter raises in it is a failure of its own.

    The exit that it asks for too, or the cancellation: no task is cancelled within a step.
    """
    try:
        return step(argument)
    except (AdvisorFailure, StopIteration):
        raise
    except BaseException as raised:  # noqa: BLE001 - it must not end those that are asked beside
        raise _fault(raised) from None


@contextmanager
def _closing(steps: Steps) -> Iterator[Steps]:
    """Close an adapter in the end, which may run some of it."""
    try:
        yield steps
    finally:
        _own(lambda ended: ended.close(), steps)


async def _ended(process: subprocess.Popen[bytes], until: float, place: PrivateFolder) -> bool:
    """Whether a process ends by itself before the deadline.

    It is looked at, not waited for on its pipes: a grandchild may hold those for ever.
    """
    loop = asyncio.get_running_loop()
    while process.poll() is None:
        if place.overflows():
            raise failure("too_large")
        left = until - loop.time()
        if left <= 0:
            return False
        await asyncio.sleep(min(POLL_SECONDS, left))
    return True


async def _end_group(process: subprocess.Popen[bytes], place: PrivateFolder) -> None:
    """End all that is left of a process and its children: a request, a short wait, then the end.

    There is no wait for one that has printed more than is read, lest it fill the disk meanwhile.
    """
    try:
        gone = not _signal_group(process, signal.SIGTERM)
        for _ in range(int(GRACE_SECONDS / POLL_SECONDS)):
            if gone or place.overflows():
                break
            await asyncio.sleep(POLL_SECONDS)
            gone = process.poll() is not None and not _signal_group(process, 0)
    finally:
        _signal_group(process, signal.SIGKILL)
        with suppress(subprocess.TimeoutExpired):
            process.wait(GRACE_SECONDS)


def _signal_group(process: subprocess.Popen[bytes], number: int) -> bool:
    """Signal the group of a process; whether anybody was there to receive it."""
    try:
        os.killpg(process.pid, number)
    except (ProcessLookupError, PermissionError):
        return False
    return True


async def _bounded_body(response: httpx.Response) -> bytes:
    """The body of a response, unpacked, of at most `LARGEST_ANSWER` bytes packed or not.

    What follows the end of a packed body is not read; one that has no end was cut.
    """
    packed = response.headers.get("content-encoding", "identity").lower() not in {"", "identity"}
    unpack = zlib.decompressobj(wbits=47) if packed else None  # 47: gzip or zlib, as it comes
    body = bytearray()
    received = 0
    try:
        async for chunk in response.aiter_raw():
            received += len(chunk)
            room = LARGEST_ANSWER + 1 - len(body)
            body += unpack.decompress(chunk, room) if unpack else chunk
            if max(received, len(body)) > LARGEST_ANSWER:
                raise failure("too_large")
            if unpack and unpack.eof:
                break
    except zlib.error:
        raise failure("broken_connection") from None
    if unpack and received and not unpack.eof:
        raise failure("broken_connection")
    return bytes(body)


class Ended(NamedTuple):
    """How a command ended, and the SHA-256 of all that it printed."""

    exit_code: int | None
    digest: str
    timed_out: bool


async def run_command(
    words: tuple[str, ...],
    environment: Mapping[str, str],
    folder: Path,
    seconds: float,
    cancel: Cancellation,
) -> Ended:
    """Run a command that a person named, as client tools are run; its output is not kept.

    A name with a separator is a path from the folder, any other is looked up on the PATH. The
    digest is of standard output, then standard error. A `cancel` ends the command. Raises
    AdvisorFailure where it cannot be started, or prints more than is read.
    """
    loop = asyncio.get_running_loop()
    async with Driver(environment, folder) as driver:
        running = asyncio.ensure_future(driver.command(words, loop.time() + seconds))

        def withdraw() -> None:
            loop.call_soon_threadsafe(running.cancel)

        with cancel.telling(withdraw):
            result = await running
    digest = hashlib.sha256(result.stdout.encode() + result.stderr.encode()).hexdigest()
    return Ended(result.exit_code, digest, result.timed_out)
