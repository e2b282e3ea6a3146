"""The command `majordomus-reasoning`: the capabilities and their sections, as text or JSON.

Exit codes: 0 done; 1 it could not be done; 2 wrong arguments; 3 a record refused; 4 not there;
10 findings.
"""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import click

from majordomus_reasoning.core.draft import LARGEST_BODY, read_json
from majordomus_reasoning.core.words import Confidence, Materiality
from majordomus_reasoning.errors import Refusal
from majordomus_reasoning.surfaces.authoring import authoring_commands
from majordomus_reasoning.surfaces.console import (
    COMMAND,
    FINDINGS,
    INTERRUPTED,
    Options,
    Verbs,
    print_json,
    print_lines,
    print_text,
    printable,
    show,
    tell,
    with_options,
)
from majordomus_reasoning.version import PACKAGE, __version__


@click.group(COMMAND, cls=Verbs, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, package_name=PACKAGE, prog_name=COMMAND)
@with_options
def main(_options: Options) -> None:
    """Material uncertainty as records: assessed, planned, reviewed, concluded, validated.

    Options may stand before or after the verb. Only `consult` contacts anybody.
    """


@main.command()
@with_options
def advisors(options: Options) -> None:
    """Who could be asked now, and why not the others."""
    from majordomus_reasoning.surfaces import capabilities, text

    answer = capabilities.advisors(options.checkout(), capabilities.AskedNothing())
    show(options, answer, text.advisors_text)


@main.command()
@click.option("--materiality", type=click.Choice(get_args(Materiality)), default="low")
@click.option("--confidence", type=click.Choice(get_args(Confidence)), default="medium")
@click.option("--capabilities", "wanted", default="", help="Capability words, comma separated.")
@with_options
def plan(options: Options, materiality: Materiality, confidence: Confidence, wanted: str) -> None:
    """The plan that these words would get now; nothing is recorded."""
    from majordomus_reasoning.surfaces import capabilities, text

    words = tuple(word.strip() for word in wanted.split(",") if word.strip())
    asked = capabilities.AskedPlan(
        materiality=materiality, confidence=confidence, capabilities=words
    )
    show(options, capabilities.plan(options.checkout(), asked), text.plan_text)


@main.command()
@click.option(
    "--file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The file that holds the body; else standard input.",
)
@click.option("--once", is_flag=True, help="Return the record that says the same, if there is one.")
@with_options
def record(options: Options, file: Path | None, once: bool) -> None:
    """Record a JSON body tagged by its kind, from a file or from standard input."""
    from majordomus_reasoning.surfaces import capabilities, text

    body = _body(file)
    asked = capabilities.AskedRecord(record=body, once=once)
    show(options, capabilities.record(options.checkout(), asked), text.record_text)


def _body(file: Path | None) -> dict[str, Any]:
    try:
        if file is None:
            if sys.stdin is None:
                raise Refusal("invalid_value", "standard input is closed: name a file with --file.")
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


def _paged(verb: Callable[..., None]) -> Callable[..., None]:
    """Add the options of a window on a long answer."""
    for decorate in (
        click.option("--cursor", help="Only the records before, as the answer before said."),
        click.option("--since", help="Only records of this moment or later."),
        click.option("--limit", type=click.IntRange(min=1), help="At most so many, the latest."),
    ):
        verb = decorate(verb)
    return verb


@main.command()
@click.option("--task", help="A task, or `all`; without it the open task, or all where none is.")
@click.option("--report", is_flag=True, help="Print the report, as Markdown.")
@_paged
@with_options
def status(options: Options, report: bool, **asked: Any) -> None:
    """What the records say: where each assessment stands, and the timeline."""
    from majordomus_reasoning.surfaces import capabilities, text

    answer = capabilities.status(options.checkout(), capabilities.AskedStatus(**asked))
    for problem in answer.diagnostics:
        tell(problem)
    if report and options.format == "text":
        click.echo(printable(answer.report), nl=False)
    else:
        show(options, answer, text.status_text)


@main.command()
@click.argument("id_", metavar="ID")
@_paged
@with_options
def explain(options: Options, id_: str, **asked: Any) -> None:
    """A record, its assessment's whole chain, and whether its evidence still stands."""
    from majordomus_reasoning.surfaces import capabilities, text

    answer = capabilities.explain(options.checkout(), capabilities.AskedExplain(id=id_, **asked))
    show(options, answer, text.explain_text)


@main.command()
@with_options
def check(options: Options) -> None:
    """Every check over the repository, its catalogue and its records; 10 where one finds."""
    from majordomus_reasoning.surfaces import capabilities, text

    answer = capabilities.check(options.checkout(), capabilities.AskedNothing())
    show(options, answer, text.check_text)
    if not answer.ok:
        raise click.exceptions.Exit(FINDINGS)


def _number(_context: click.Context, _option: click.Parameter, value: float | None) -> float | None:
    if value is not None and math.isnan(value):  # which every range lets through
        raise click.BadParameter("nan is no number of seconds.")
    return value


@main.command()
@click.option("--assessment", required=True, help="The id of the assessment.")
@click.option("--question", help="What to ask, in the place of the assessment's own questions.")
@click.option(
    "--timeout",
    type=click.FloatRange(0, 86_400, min_open=True),
    callback=_number,
    help="Seconds until whoever has not answered is a timeout; else 180.",
)
@click.option("--prior-opinion", "prior_opinions", multiple=True, help="Shown as an opinion.")
@click.option("--no-excerpts", is_flag=True, help="Send no lines of the cited files.")
@click.option("--again", is_flag=True, help="Plan anew from the availability of now.")
@click.option("--show", "only_show", is_flag=True, help="Print what would leave; ask nobody.")
@with_options
def consult(options: Options, only_show: bool, no_excerpts: bool, **given: Any) -> None:
    """Ask whom the plan selects, all at once, and record each outcome."""
    from majordomus_reasoning.surfaces import asking

    asked = asking.AskedConsult(excerpts=not no_excerpts, **given)
    checkout = options.checkout()
    if only_show:
        question = checkout.question(
            asked.assessment,
            asked=asked.question,
            excerpts=asked.excerpts,
            prior_opinions=asked.prior_opinions,
        )
        print_text(options, "question", question.text)
        return
    plan = asking.plan_to_follow(checkout, asked)
    interactive = options.format == "text"
    try:
        with asking.progress(checkout.unasked(plan), shown=interactive) as report:
            answer = asking.consult(checkout, asked, plan, report)
    except KeyboardInterrupt:
        click.echo(
            "interrupted: what had come is recorded, the rest as cancelled; "
            "`status` shows both, and consulting again goes on.",
            err=True,
        )
        raise click.exceptions.Exit(INTERRUPTED) from None
    show(options, answer, lambda found: asking.consult_text(found, plan.body.plan.reason))


class _TableName(click.ParamType[str]):
    """The name of a table; the tables are loaded when one is asked for."""

    name = "table"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        from majordomus_reasoning.frames import TABLES

        if value not in TABLES:
            self.fail(f"{value!r} is no table: name one of {', '.join(TABLES)}.", param, ctx)
        return value

    def shell_complete(
        self, _ctx: click.Context, _param: click.Parameter, incomplete: str
    ) -> list[Any]:
        from click.shell_completion import CompletionItem

        from majordomus_reasoning.frames import TABLES

        return [CompletionItem(name) for name in TABLES if name.startswith(incomplete)]


@main.command()
@click.argument("name", type=_TableName())
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write a file instead: .csv, .json, .parquet or .xlsx.",
)
@click.option("--columns", help="Only these columns, comma separated, in this order.")
@click.option("--since", help="Only rows of this moment or later, such as 2026-10-01T09:30:00Z.")
@click.option("--as-of", help="What was known at a moment, or at the last record of a commit.")
@click.option("--task", help="Only rows of this task.")
@click.option("--advisor", help="Only rows of this advisor.")
@with_options
def table(
    options: Options, name: str, out: Path | None, columns: str | None, **filters: str | None
) -> None:
    """Print a table, or write it to a file."""
    from majordomus_reasoning.frames import TABLES, table_rows, write_table

    chosen = [word.strip() for word in columns.split(",") if word.strip()] if columns else None
    frame = options.checkout().table(name, columns=chosen, **filters)
    if out:
        print_lines([str(write_table(frame, out))])
    elif options.format == "json":
        print_json(table_rows(frame))
    else:
        from majordomus_reasoning.surfaces.terminal import print_table

        print_table(TABLES[name], frame)


@main.command()
@with_options
def env(options: Options) -> None:
    """The snapshot of the environment: a one-line banner, or JSON."""
    from majordomus_reasoning.surfaces import environment

    answer = environment.snapshot(options.root, options.share, os.environ)
    for problem in answer.diagnostics:
        tell(problem)
    show(options, answer, environment.banner)


@main.command()
@with_options
def doctor(options: Options) -> None:
    """Run every check; advisors are information, findings are failures."""
    from majordomus_reasoning.surfaces import doctor as examination

    answer = examination.diagnose(options.checkout())
    show(options, answer, examination.diagnosis_text)
    if not answer.ok:
        raise click.exceptions.Exit(FINDINGS)


@main.command()
@with_options
def context(options: Options) -> None:
    """The Reasoning section that a session reads when it enters."""
    from majordomus_reasoning.surfaces import capabilities, sections

    answer = capabilities.status(options.checkout(), capabilities.AskedStatus())
    _print_section(options, answer.state.task, sections.context_section(answer))


@main.command()
@click.option("--derive", is_flag=True, help="Add what is left to do, derived from the records.")
@with_options
def handover(options: Options, derive: bool) -> None:
    """The Reasoning section that a session leaves behind."""
    from majordomus_reasoning.surfaces import capabilities, sections

    answer = capabilities.status(options.checkout(), capabilities.AskedStatus())
    _print_section(options, answer.state.task, sections.handover(answer, derive=derive))


def _print_section(options: Options, task: str | None, section: str) -> None:
    if options.format == "json":
        print_json({"task": task, "section": section})
    else:
        click.echo(printable(section), nl=False)


@main.command()
@click.argument("conclusion")
@click.option(
    "--dir",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    help="The folder of decision records; else docs/decisions of the checkout.",
)
@with_options
def adr(options: Options, conclusion: str, folder: Path | None) -> None:
    """Write a conclusion as a draft decision record (MADR), numbered, never overwriting."""
    from majordomus_reasoning.surfaces import sections

    checkout = options.checkout()
    folder = folder or checkout.root / "docs" / "decisions"
    path = sections.write_decision_record(checkout, conclusion, folder)
    if options.format == "json":
        print_json({"path": str(path)})
    else:
        print_lines([str(path)])


@main.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@with_options
def keep(options: Options, folder: Path) -> None:
    """Copy the open task's records, and those they cite, to a folder that git may track."""
    paths = [str(path) for path in options.checkout().keep(folder)]
    if options.format == "json":
        print_json({"paths": paths})
    else:
        print_lines(paths)


@main.command()
@click.argument("command")
@click.option("--evidence-for", help="The assessment; a run recorded for it is not run again.")
@click.option("--again", is_flag=True, help="Run it even if a run is recorded.")
@with_options
def run(options: Options, command: str, evidence_for: str | None, again: bool) -> None:
    """Run a command and print it as evidence: exit code and digest of the output, no output."""
    ran = options.checkout().run(command, evidence_for=evidence_for, again=again)
    if options.format == "json":
        print_json(ran)
    else:
        print_lines([f"{ran['kind']}:{ran['reference']}", ran["note"]])


@main.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@with_options
def completion(options: Options, shell: str) -> None:
    """Print the completion script of a shell, to be sourced by its start file."""
    from click.shell_completion import ShellComplete, get_completion_class

    kind = get_completion_class(shell)
    if kind is None:
        raise click.UsageError(f"{shell} has no completion here.")
    variable = f"_{COMMAND.replace('-', '_').upper()}_COMPLETE"
    # Its own `source` may start the shell, to ask for its version.
    print_text(options, "script", ShellComplete.source(kind(main, {}, COMMAND, variable)))


@main.command()
@click.option(
    "--dir",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    help="The folder for the pages; else build/demo.",
)
@with_options
def demo(options: Options, folder: Path | None) -> None:
    """Do the main job once, alone: execute the example notebooks and show what they record."""
    from majordomus_reasoning.surfaces.demo import run_demo

    lines = run_demo(folder or Path("build", "demo"))
    if options.format == "json":
        print_json({"lines": [*lines]})
    else:
        print_lines(lines)


for each in authoring_commands():
    main.add_command(each)
