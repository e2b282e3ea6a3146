"""What every verb of the command shares: its options, what it prints where, its exit codes."""

from __future__ import annotations

import contextlib
import errno
import io
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TextIO

import click

from majordomus_reasoning.core.redaction import clean_text, strip_controls
from majordomus_reasoning.errors import NotFound, ReasoningError, Refusal
from majordomus_reasoning.store.situation import find_checkout

if TYPE_CHECKING:
    from majordomus_reasoning.checkout import Checkout

COMMAND = "majordomus-reasoning"
REFUSED, NOT_THERE, FINDINGS, INTERRUPTED = 3, 4, 10, 130


@dataclass(frozen=True)
class Options:
    """The options for all verbs; they may stand before or after the verb."""

    repo: Path | None = None
    share: Path | None = None
    format: str = "text"

    @property
    def root(self) -> Path:
        """The checkout that the options name, else the nearest one."""
        return find_checkout(self.repo or Path())

    def checkout(self) -> Checkout:
        """A handle on that checkout."""
        from majordomus_reasoning.frozen import open_checkout

        return open_checkout(self.repo or ".", share=self.share)


def with_options(verb: Callable[..., None]) -> Callable[..., None]:
    """Add `--repo`, `--share` and `--format` to a verb, and hand it the `Options`."""

    def with_options(
        repo: Path | None, share: Path | None, format_: str | None, **given: Any
    ) -> None:
        root = click.get_current_context().find_root()
        named = {"repo": repo, "share": share, "format": format_}
        said = {name: value for name, value in named.items() if value is not None}
        root.obj = replace(root.obj or Options(), **said)
        verb(root.obj, **given)

    with_options.__doc__ = verb.__doc__
    with_options.__name__ = verb.__name__
    with_options.__click_params__ = getattr(verb, "__click_params__", [])  # type: ignore[attr-defined]
    folder = click.Path(exists=True, file_okay=False, path_type=Path)
    for decorate in (
        click.option("--format", "format_", type=click.Choice(["text", "json"])),
        click.option("--share", type=folder, help="The folder that declares the advisors."),
        click.option("--repo", type=folder, help="The checkout; else the nearest one."),
    ):
        with_options = decorate(with_options)
    return with_options


class Verbs(click.Group):
    """The group of verbs; an error becomes its sentence, without secrets, and its exit code."""

    def main(self, *arguments: Any, **settings: Any) -> Any:
        """Run the command on streams that can be sent every character, escaped where need be."""
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="backslashreplace")
        return super().main(*arguments, **settings)

    def make_context(self, *arguments: Any, **settings: Any) -> click.Context:
        """Read the options; what a message says of them is cleaned."""
        with _cleaned_messages():
            return super().make_context(*arguments, **settings)

    def invoke(self, ctx: click.Context) -> Any:
        """Run a verb; of an error of ours, or of the system's, only the sentence is printed."""
        try:
            try:
                with _cleaned_messages():
                    return super().invoke(ctx)
            except ReasoningError as error:
                options = ctx.obj if isinstance(ctx.obj, Options) else Options()
                _fail(error, options, ctx.invoked_subcommand)
        except OSError as error:
            if error.errno == errno.EPIPE:  # whoever read the answer has read enough
                raise
            _fail_to_answer(error)


@contextlib.contextmanager
def _cleaned_messages() -> Iterator[None]:
    """Take the secrets out of click's own messages, which repeat what was typed."""
    try:
        yield
    except click.ClickException as error:
        message = error.format_message()
        cleaned, found = clean_text(message)
        if not found:
            raise
        if isinstance(error, click.UsageError):
            raise click.UsageError(cleaned, error.ctx) from None
        raise click.ClickException(cleaned) from None


def _fail(error: ReasoningError, options: Options, verb: str | None) -> NoReturn:
    code = 1
    if isinstance(error, NotFound):
        code = NOT_THERE
    elif isinstance(error, Refusal):
        code = 2 if verb in {"plan", "status", "explain", "table"} else REFUSED
    if options.format == "json":
        message = one_line(clean_text(str(error))[0])
        print_json({"error": {"code": error.code, "message": message}})
    else:
        tell(str(error))
    raise click.exceptions.Exit(code)


def _fail_to_answer(error: OSError) -> NoReturn:
    """Say why the system ended a verb: mostly an answer that cannot be written where it goes."""
    where = error.filename
    if where is None:
        where = "the answer cannot be written, but what was recorded is"
        _discard(sys.stdout)
    try:
        tell(f"{where} ({error.strerror}).")
    except OSError:  # standard error is as full: nobody can be told
        _discard(sys.stderr)
    raise click.exceptions.Exit(1)


def _discard(stream: TextIO) -> None:
    """Send what is left in a stream's buffer nowhere: it would fail once more at the end."""
    with contextlib.suppress(OSError, AttributeError):  # it has no file, or is closed
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def tell(message: str) -> None:
    """Print one line for a person to standard error, without secrets."""
    click.echo(f"{COMMAND}: {one_line(clean_text(message)[0])}", err=True)


def print_json(value: object) -> None:
    """Print a JSON value in ASCII alone: no control character reaches a terminal."""
    click.echo(json.dumps(value, indent=2, ensure_ascii=True))


def print_lines(lines: Iterable[str]) -> None:
    """Print lines of text, each as one line whatever it holds, cleaned for a terminal."""
    for line in lines:
        click.echo(one_line(line))


def print_text(options: Options, name: str, text: str) -> None:
    """Print a text as it is, or as the JSON object that holds it under a name."""
    if options.format == "json":
        print_json({name: text})
    else:
        click.echo(printable(text))


def printable(text: str) -> str:
    """A text as a terminal may be sent it: no escapes, and nothing that UTF-8 cannot hold."""
    return strip_controls(text).encode("utf-8", errors="replace").decode("utf-8")


def one_line(text: str) -> str:
    r"""A text as one line of a terminal.

    >>> one_line("a file named\nso\x1b[2J")
    'a file named so'
    """
    return " ".join(printable(text).splitlines())


def show(options: Options, answer: Any, as_text: Callable[[Any], Iterable[str]]) -> None:
    """Print an answer in the format that the options name."""
    if options.format == "json":
        print_json(answer.plain())
    else:
        print_lines(as_text(answer))
