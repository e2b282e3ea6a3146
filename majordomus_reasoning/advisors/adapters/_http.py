"""What the dialects over HTTP share: a JSON request, and the reading of what comes back."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from majordomus_reasoning.advisors.classify import (
    CODES,
    HTTP,
    LONGEST_READ,
    Signal,
    Table,
    classify,
    codes_in,
    http_code,
)
from majordomus_reasoning.advisors.contract import (
    Asking,
    Credential,
    HttpRequest,
    HttpResponse,
    Yielding,
    send,
)
from majordomus_reasoning.advisors.failures import AdvisorFailure, failure
from majordomus_reasoning.advisors.parsing import strict_json
from majordomus_reasoning.core.records import Usage
from majordomus_reasoning.core.redaction import clean_text
from majordomus_reasoning.core.words import LARGEST_NUMBER

LONGEST_MODEL_NAME = 200


def base_address(asking: Asking, variable: str, default: str) -> str:
    """The address that a variable names, without a slash at its end; empty counts as unset."""
    return asking.variable(variable, default).rstrip("/")


def post(
    url: str, body: Mapping[str, Any], credential: Credential | None = None, **headers: str
) -> Yielding[HttpResponse]:
    """Have a JSON body posted; its response."""
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return send(
        HttpRequest(
            method="POST",
            url=url,
            body=json.dumps(body, ensure_ascii=True).encode("ascii"),
            headers={"content-type": "application/json", "accept": "application/json", **named},
            credential=credential,
        )
    )


def get(url: str, credential: Credential | None = None) -> Yielding[HttpResponse]:
    """Have an address read; its response."""
    headers = {"accept": "application/json"}
    return send(HttpRequest(method="GET", url=url, headers=headers, credential=credential))


def credential_of(asking: Asking, header: str, prefix: str = "") -> Credential:
    """The credential of an asking; AdvisorFailure where the catalogue declares none."""
    if not asking.credential:
        raise failure("no_credential")
    return Credential(asking.credential, header, prefix)


def model_of(asking: Asking) -> str:
    """The model to ask; AdvisorFailure where the catalogue names none."""
    if not asking.model:
        raise failure("config")
    return asking.model


def text_of(response: HttpResponse) -> str:
    """The body as text, without a byte order mark."""
    return response.body.decode("utf-8", "replace").removeprefix("\ufeff").strip()


def object_of(response: HttpResponse, table: Table) -> dict[str, Any]:
    """The JSON object of a response that reports no failure.

    Raises AdvisorFailure: by the table where the response reports one, `unexpected_stream`,
    `no_text`, or what is wrong with its JSON.
    """
    refuse_failure(response, table)
    text = text_of(response)
    if is_event_stream(text):
        for error in _stream_errors(text):
            raise failure_of(response, error, table, otherwise="mid_stream")
        raise failure("unexpected_stream")
    if not text:
        raise failure("no_text")
    value = strict_json(text)
    if isinstance(value, list) and value and all(isinstance(part, dict) for part in value):
        raise failure("unexpected_stream")
    if not isinstance(value, dict):
        raise failure("not_an_object")
    if value.get("error"):
        raise failure_of(response, value, table, otherwise="unclassified")
    return value


def refuse_failure(response: HttpResponse, table: Table) -> None:
    """Raise the failure that a status or a web page tells; nothing where there is none."""
    page = is_page(response)
    if 200 <= response.status < 300 and not page:
        return
    raise failure_of(response, _lenient(response), table, otherwise="unclassified")


def failure_of(
    response: HttpResponse, body: Mapping[str, Any], table: Table, *, otherwise: str
) -> AdvisorFailure:
    """The failure that a body tells, in the terms of a dialect's table, then of HTTP."""
    told = body.get("error")
    error = told if isinstance(told, dict) else {} if told else body
    message = told if isinstance(told, str) else error.get("message")
    inner = http_code(error.get("code")) or http_code(error.get("status"))
    signal = Signal(
        at=response.at,
        http=inner if 200 <= response.status < 300 else response.status,
        codes=codes_in(error),
        message=message[:LONGEST_READ] if isinstance(message, str) else "",
        is_page=is_page(response),
        headers=response.headers,
        error=error,
    )
    return classify(signal, (*table, *HTTP, *CODES)) or failure(otherwise)


def is_page(response: HttpResponse) -> bool:
    """Whether a web page came where JSON was due."""
    start = response.body[:200].decode("utf-8", "replace").lstrip("\ufeff \t\r\n")
    media = response.headers.get("content-type", "").lower()
    return start.startswith("<") or (media.startswith("text/html") and start[:1] not in {"{", "["})


def is_event_stream(text: str) -> bool:
    """Whether a text is a stream of server-sent events."""
    return text.startswith(("data:", "event:", "id:", ": ", ":\n"))


def _stream_errors(text: str) -> Iterator[dict[str, Any]]:
    for line in text.splitlines():
        if line.startswith("data:") and "error" in line:
            try:
                event = strict_json(line.removeprefix("data:").strip())
            except AdvisorFailure:
                continue  # a line that is no JSON tells no error; the stream itself is refused
            if isinstance(event, dict) and event.get("error"):
                yield event


def _lenient(response: HttpResponse) -> Mapping[str, Any]:
    """The body of a failure as an object: its status tells enough where it is none."""
    try:
        value = strict_json(text_of(response))
    except AdvisorFailure:
        return {}
    value = value[0] if isinstance(value, list) and value else value
    return value if isinstance(value, dict) else {}


def dictionary(value: object) -> dict[str, Any]:
    """The value where it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def objects(value: object) -> list[dict[str, Any]]:
    """The objects of a list, none where it is no list."""
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def text(value: object) -> str:
    """The value where it is a text, else an empty one."""
    return value if isinstance(value, str) else ""


def usage_of(counts: object, sent: str, received: str) -> Usage | None:
    """The tokens that a service reports, None where it reports none; never estimated."""
    reported = dictionary(counts)
    names = {"input_tokens": sent, "output_tokens": received}
    found = {name: reported.get(key) for name, key in names.items()}
    known = {name: count for name, count in found.items() if _is_count(count)}
    return Usage.model_validate(known) if known else None


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= LARGEST_NUMBER


def name_of(value: object) -> str | None:
    """A name as a service gives it, cleaned and bounded; None where it gives none."""
    return clean_text(text(value)[:LONGEST_MODEL_NAME])[0].strip() or None
