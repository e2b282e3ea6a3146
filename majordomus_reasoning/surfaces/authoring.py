"""The verbs of a decision on the command line, made from the fields of the kinds they record."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Literal, get_args, get_origin

import click
from pydantic.fields import FieldInfo

from majordomus_reasoning.core.records import INPUTS, Evidence, Position
from majordomus_reasoning.errors import Refusal
from majordomus_reasoning.surfaces.console import Options, show, with_options

# A verb, the kind it records, and what it is for; plans and answers have verbs of their own.
VERBS = (
    ("assess", "assessment", "State an uncertainty with its evidence."),
    ("disagree", "disagreement", "State who holds what, and what tells the positions apart."),
    ("resolve", "resolution", "Settle a disagreement by the evidence of an experiment."),
    ("conclude", "conclusion", "Decide; every answer and disagreement must be cited."),
    ("validate", "validation", "Record whether a decision held."),
    ("attempt", "attempt", "Record what was tried and failed, and what that taught."),
)
# Fields whose option has the name that the verb has for them in Python, or of one item.
OPTION_NAMES = {"discriminating_question": "decided_by", "positions": "position"}


def authoring_commands() -> Iterator[click.Command]:
    """A command for each verb: its first required field an argument, every other an option."""
    for verb, kind, summary in VERBS:
        fields = {name: each for name, each in INPUTS[kind].model_fields.items() if name != "kind"}
        first = next(name for name, field in fields.items() if field.is_required())
        decorated = click.option("--again", is_flag=True, help="Record it even if it is there.")(
            _recording(kind)
        )
        for name in reversed([each for each in fields if each != first]):
            decorated = _option(name, fields[name])(decorated)
        decorated = click.argument(first, metavar=first.upper())(decorated)
        yield click.command(verb, help=summary)(with_options(decorated))


def _recording(kind: str) -> Callable[..., None]:
    def record_it(options: Options, *, again: bool, **given: Any) -> None:
        from majordomus_reasoning.surfaces import capabilities, text
        from majordomus_reasoning.verbs import authored_body

        said = {name: value for name, value in given.items() if value not in (None, (), False)}
        if "positions" in said:
            said["positions"] = [_position(each) for each in said["positions"]]
        body = authored_body({"kind": kind, **said})
        asked = capabilities.AskedRecord(record=body, once=not again)
        show(options, capabilities.record(options.checkout(), asked), text.record_text)

    return record_it


def _option(name: str, field: FieldInfo) -> Callable[[Callable[..., None]], Callable[..., None]]:
    shown = f"--{OPTION_NAMES.get(name, name).replace('_', '-')}"
    words = _words(field.annotation)
    item = _item(field.annotation)
    settings: dict[str, Any] = {"required": field.is_required(), "multiple": item is not None}
    if field.annotation is bool:
        settings["is_flag"] = True
    elif words:
        settings["type"] = click.Choice(words)
    elif item is Evidence:
        settings |= {"metavar": "KIND:REFERENCE", "help": "May be given several times."}
    elif item is Position:
        settings |= {"metavar": "SOURCE=TEXT", "help": "Two or more; a source is an id or primary."}
    elif item is not None:
        settings["help"] = "May be given several times."
    return click.option(shown, name, **settings)


def _words(annotation: Any) -> tuple[str, ...]:
    """The words of a literal, alone or optional; none for any other field."""
    if get_origin(annotation) is Literal:
        return get_args(annotation)
    return next(filter(None, map(_words, get_args(annotation))), ())


def _item(annotation: Any) -> Any:
    """What a list field holds; None for a field that is no list."""
    return get_args(annotation)[0] if get_origin(annotation) is tuple else None


def _position(text: str) -> dict[str, str]:
    source, equals, position = text.partition("=")
    if not equals:
        message = f"the position {text[:80]!r} names no source: write it as source=position."
        raise Refusal("invalid_value", message, "positions")
    return {"source": source.strip(), "position": position.strip()}
