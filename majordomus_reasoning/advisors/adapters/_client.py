"""What the client tools share: how they are started, and how their output is read.

The client's own error object decides first, the exit code second; a cause that the output names
wins over the deadline that ended the client.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from majordomus_reasoning.advisors.classify import (
    CODES,
    HTTP,
    LONGEST_READ,
    Row,
    Signal,
    Table,
    classify,
    codes_in,
    http_code,
)
from majordomus_reasoning.advisors.contract import (
    Asking,
    PrivateFile,
    ProcessResult,
    RunProcess,
    Yielding,
    run,
)
from majordomus_reasoning.advisors.failures import AdvisorFailure, failure
from majordomus_reasoning.core.redaction import strip_controls

MOST_OBJECTS = 100_000
MOST_BROKEN = 1_000
LONGEST_ARGUMENT = 128 * 1024 - 1
Argument = str | PrivateFile

# What a client prints when it does not even begin; each dialect puts its own rows first.
START: Table = (
    Row("not_installed", says=r"native binary not installed|cannot find module|no such file or d"),
    Row("config", says=r"unknown (?:option|argument|arguments)|unexpected argument|unrecognized "),
    Row("config", says=r"error loading config|invalid (?:configuration|settings)|unsupported node"),
)
# What a client says of a connection that it could not make or keep.
NETWORK: Table = (
    Row("no_connection", says=r"econnrefused|enotfound|eai_again|ehostunreach|enetunreach"),
    Row(
        "no_connection", says=r"connection (?:failed|refused|error)|unable to connect|fetch failed"
    ),
    Row("no_connection", says=r"waiting for network|error sending request|connection_failed"),
    Row("broken_connection", says=r"stream (?:disconnected|closed)|premature close|econnreset"),
    Row("broken_connection", says=r"socket hang up|connection (?:closed|reset)|idle timeout"),
)
_STATUS = re.compile(
    r"(?:unexpected status|last status:|failed with status|status code|status:|\(|API Error:)"
    r"\s{0,3}([345][0-9]{2})\b"
)
# What follows the bracket can stand in JSON: `[WARN]` is not even tried.
_OBJECT_LINE = re.compile(r"""(?m)^[ \t]{0,8}(?:\{(?=\s{0,8}["}])|\[(?=\s{0,8}[\[{"\]\d-]))""")
_DECODER = json.JSONDecoder()


def start(
    asking: Asking,
    arguments: tuple[Argument, ...],
    environment: Mapping[str, str],
    reads: tuple[str, ...] = (),
) -> Yielding[ProcessResult]:
    """Have the client of an asking run; what it left.

    Raises AdvisorFailure where the catalogue declares no executable, and where the question is
    longer than an argument can be.
    """
    if not asking.executable:
        raise failure("config")
    if any(_size(argument) > LONGEST_ARGUMENT for argument in arguments):
        raise failure("context_length")
    process = RunProcess(
        arguments=(asking.executable, *arguments),
        environment=environment,
        reads=reads,
        version_arguments=("--version",),
    )
    return run(process)


def _size(argument: Argument) -> int:
    return len(argument.encode("utf-8", "replace")) if isinstance(argument, str) else 0


def inert(question: str) -> str:
    """The question such that no client takes a part of it for a file to read and send along.

    >>> inert("what does @secrets.txt hold?")
    'what does \\\\@secrets.txt hold?'
    """
    return question.replace("@", "\\@")


def objects_printed(output: str) -> list[dict[str, Any]]:
    """The JSON objects that begin a line of a client's output, those of a list among them.

    What is no JSON is passed over: clients print warnings and stack traces between. What is read in
    vain is bounded, in pieces and in length.

    >>> objects_printed('[WARN] retrying' + chr(10) + '{"type": "result"}')
    [{'type': 'result'}]
    """
    found: list[dict[str, Any]] = []
    output = strip_controls(output)
    place = broken = read_in_vain = 0
    while len(found) < MOST_OBJECTS and broken < MOST_BROKEN and read_in_vain <= len(output):
        line = _OBJECT_LINE.search(output, place)
        if line is None:
            break
        try:
            value, place = _DECODER.raw_decode(output, line.end() - 1)
        except json.JSONDecodeError as error:  # making it costs a look at all that came before
            place = line.end()
            broken += 1
            read_in_vain += error.pos - place
            continue
        except (ValueError, RecursionError):  # a number or a depth that no client prints
            break
        values = value if isinstance(value, list) else [value]
        found += [each for each in values if isinstance(each, dict)]
    return found


def failure_of(
    result: ProcessResult,
    message: str,
    table: Table,
    *,
    error: Mapping[str, Any] | None = None,
    codes: frozenset[str] = frozenset(),
    http: int | None = None,
) -> AdvisorFailure:
    """The failure that a client tells; the deadline, or that it failed, where it tells none."""
    error = error or {}
    message = strip_controls(message[-LONGEST_READ:])
    signal = Signal(
        at=result.at,
        http=http or http_code(error.get("code")) or _status_said(message),
        codes=codes | codes_in(error),
        message=message,
        error=error,
    )
    named = classify(signal, (*table, *START, *NETWORK, *HTTP, *CODES))
    if named:
        return named
    if result.timed_out:
        return failure("deadline")
    silent = result.exit_code == 0 and not result.stdout.strip() and "rror" not in result.stderr
    return failure("no_text" if silent else "client_failed")


def _status_said(message: str) -> int | None:
    statuses = _STATUS.findall(message)
    return int(statuses[-1]) if statuses else None
