"""The command `majordomus-reasoning`: the capabilities and their sections, as text or JSON.

Exit codes: 0 done; 1 it could not be done; 2 wrong arguments; 3 a record refused; 4 not there;
10 findings.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, get_args

import click

from majordomus_reasoning.core.draft import LARGEST_BODY, read_json
from majordomus_reasoning.core.redaction import strip_controls
from majordomus_reasoning.core.words import Confidence, Materiality
from majordomus_reasoning.errors import NotFound, ReasoningError, Refusal
from majordomus_reasoning.store.situation import find_checkout
from majordomus_reasoning.version import PACKAGE, __version__

if TYPE_CHECKING:
    from majordomus_reasoning.checkout import Checkout

COMMAND = "majordomus-reasoning"
REFUSED, NOT_THERE, FINDINGS = 3, 4, 10


@dataclass(frozen=True)
class Options:
    """The options for all verbs; they may stand before or after the verb."""

    repo: Path | None = None
    share: Path | None = None
    format: str = "text"

    @property
    def root(self) -> Path:
        """The checkout that the options name, else the nearest one."""
        return find_checkout(self.repo or Path.cwd())

    def checkout(self) -> Checkout:
        """A handle on that checkout."""
        from majordomus_reasoning.checkout import Checkout

        return Checkout(self.root, share=self.share)


def _with_options(verb: Callable[..., None]) -> Callable[..., None]:
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


class _Verbs(click.Group):
    """The group of verbs; an error of ours becomes its sentence and its exit code."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except ReasoningError as error:
            options = ctx.obj if isinstance(ctx.obj, Options) else Options()
            _fail(error, options, ctx.invoked_subcommand)


def _fail(error: ReasoningError, options: Options, verb: str | None) -> NoReturn:
    code = 1
    if isinstance(error, NotFound):
        code = NOT_THERE
    elif isinstance(error, Refusal):
        code = 2 if verb in {"plan", "status"} else REFUSED
    if options.format == "json":
        _print_json({"error": {"code": error.code, "message": strip_controls(str(error))}})
    else:
        click.echo(f"{COMMAND}: {_printable(str(error))}", err=True)
    raise click.exceptions.Exit(code)


def _print_json(value: object) -> None:
    # ASCII alone: no control character reaches a terminal, no locale matters.
    click.echo(json.dumps(value, indent=2, ensure_ascii=True))


def _print_lines(lines: Iterable[str]) -> None:
    for line in lines:
        click.echo(_printable(line))


def _printable(text: str) -> str:
    return strip_controls(text).encode("utf-8", errors="replace").decode("utf-8")


def _show(options: Options, answer: Any, as_text: Callable[[Any], Iterable[str]]) -> None:
    if options.format == "json":
        _print_json(answer.plain())
    else:
        _print_lines(as_text(answer))


@click.group(COMMAND, cls=_Verbs, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, package_name=PACKAGE, prog_name=COMMAND)
@_with_options
def main(_options: Options) -> None:
    """Material uncertainty as records: assessed, planned, reviewed, concluded, validated.

    Options may stand before or after the verb. Nobody is contacted by any verb below.
    """


@main.command()
@_with_options
def advisors(options: Options) -> None:
    """Who could be asked now, and why not the others."""
    from majordomus_reasoning.surfaces import capabilities, text

    answer = capabilities.advisors(options.checkout(), capabilities.AskedNothing())
    _show(options, answer, text.advisors_text)


@main.command()
@click.option("--materiality", type=click.Choice(get_args(Materiality)), default="low")
@click.option("--confidence", type=click.Choice(get_args(Confidence)), default="medium")
@click.option("--capabilities", "wanted", default="", help="Capability words, comma separated.")
@_with_options
def plan(options: Options, materiality: Materiality, confidence: Confidence, wanted: str) -> None:
    """The plan that these words would get now; nothing is recorded."""
    from majordomus_reasoning.surfaces import capabilities, text

    words = tuple(word.strip() for word in wanted.split(",") if word.strip())
    asked = capabilities.AskedPlan(
        materiality=materiality, confidence=confidence, capabilities=words
    )
    _show(options, capabilities.plan(options.checkout(), asked), text.plan_text)


@main.command()
@click.option(
    "--file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The file that holds the body; else standard input.",
)
@click.option("--once", is_flag=True, help="Return the record that says the same, if there is one.")
@_with_options
def record(options: Options, file: Path | None, once: bool) -> None:
    """Record a JSON body tagged by its kind, from a file or from standard input."""
    from majordomus_reasoning.surfaces import capabilities, text

    body = _body(file)
    asked = capabilities.AskedRecord(record=body, once=once)
    _show(options, capabilities.record(options.checkout(), asked), text.record_text)


def _body(file: Path | None) -> dict[str, Any]:
    try:
        if file is None:
            data = sys.stdin.buffer.read(LARGEST_BODY + 1)
        else:
            with file.open("rb") as stream:
                data = stream.read(LARGEST_BODY + 1)
        body = read_json(data)
    except OSError as error:
        raise click.FileError(str(file or "standard input"), hint=error.strerror) from None
    if not isinstance(body, dict):
        raise Refusal("invalid_value", "a record is a JSON object with a field kind.")
    return body


@main.command()
@click.option("--task", help="A task, or `all`; without it the open task, or all where none is.")
@click.option("--report", is_flag=True, help="Print the report, as Markdown.")
@_with_options
def status(options: Options, task: str | None, report: bool) -> None:
    """What the records say: where each assessment stands, and the timeline."""
    from majordomus_reasoning.surfaces import capabilities, text

    answer = capabilities.status(options.checkout(), capabilities.AskedStatus(task=task))
    for problem in answer.diagnostics:
        click.echo(f"{COMMAND}: {_printable(problem)}", err=True)
    if report and options.format == "text":
        click.echo(_printable(answer.report), nl=False)
    else:
        _show(options, answer, text.status_text)


@main.command()
@click.argument("id_", metavar="ID")
@_with_options
def explain(options: Options, id_: str) -> None:
    """A record, its assessment's whole chain, and whether its evidence still stands."""
    from majordomus_reasoning.surfaces import capabilities, text

    answer = capabilities.explain(options.checkout(), capabilities.AskedExplain(id=id_))
    _show(options, answer, text.explain_text)


@main.command()
@_with_options
def check(options: Options) -> None:
    """Every check over the repository, its catalogue and its records; 10 where one finds."""
    from majordomus_reasoning.surfaces import capabilities, text

    answer = capabilities.check(options.checkout(), capabilities.AskedNothing())
    _show(options, answer, text.check_text)
    if not answer.ok:
        raise click.exceptions.Exit(FINDINGS)


@main.command()
@_with_options
def env(options: Options) -> None:
    """The snapshot of the environment: a one-line banner, or JSON."""
    from majordomus_reasoning.surfaces import environment

    answer = environment.snapshot(options.root, options.share, os.environ)
    for problem in answer.diagnostics:
        click.echo(f"{COMMAND}: {_printable(problem)}", err=True)
    _show(options, answer, environment.banner)


@main.command()
@_with_options
def doctor(options: Options) -> None:
    """Run every check; advisors are information, findings are failures."""
    from majordomus_reasoning.surfaces import doctor as examination

    answer = examination.diagnose(options.checkout())
    _show(options, answer, examination.diagnosis_text)
    if not answer.ok:
        raise click.exceptions.Exit(FINDINGS)


@main.command()
@_with_options
def context(options: Options) -> None:
    """The Reasoning section that a session reads when it enters."""
    from majordomus_reasoning.surfaces import capabilities, sections

    answer = capabilities.status(options.checkout(), capabilities.AskedStatus())
    _print_section(options, answer.state.task, sections.context_section(answer))


@main.command()
@click.option("--derive", is_flag=True, help="Add what is left to do, derived from the records.")
@_with_options
def handover(options: Options, derive: bool) -> None:
    """The Reasoning section that a session leaves behind."""
    from majordomus_reasoning.surfaces import capabilities, sections

    answer = capabilities.status(options.checkout(), capabilities.AskedStatus())
    _print_section(options, answer.state.task, sections.handover(answer, derive=derive))


def _print_section(options: Options, task: str | None, section: str) -> None:
    if options.format == "json":
        _print_json({"task": task, "section": section})
    else:
        click.echo(_printable(section), nl=False)


@main.command()
@click.argument("conclusion")
@click.option(
    "--dir",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    help="The folder of decision records; else docs/decisions of the checkout.",
)
@_with_options
def adr(options: Options, conclusion: str, folder: Path | None) -> None:
    """Write a conclusion as a draft decision record (MADR), numbered, never overwriting."""
    from majordomus_reasoning.surfaces import sections

    checkout = options.checkout()
    folder = folder or checkout.root / "docs" / "decisions"
    path = sections.write_decision_record(checkout, conclusion, folder)
    if options.format == "json":
        _print_json({"path": str(path)})
    else:
        click.echo(_printable(str(path)))


@main.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print the completion script of a shell, to be sourced by its start file."""
    from click.shell_completion import get_completion_class

    kind = get_completion_class(shell)
    if kind is None:
        raise click.UsageError(f"{shell} has no completion here.")
    variable = f"_{COMMAND.replace('-', '_').upper()}_COMPLETE"
    click.echo(kind(main, {}, COMMAND, variable).source())


@main.command()
@click.option(
    "--dir",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    help="The folder for the page; else build/demo.",
)
def demo(folder: Path | None) -> None:
    """Do the main job once, alone: execute the example notebook and show what it records."""
    from majordomus_reasoning.surfaces.demo import run_demo

    _print_lines(run_demo(folder or Path("build", "demo")))
