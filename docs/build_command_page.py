"""Write `command.md` from the command itself: every verb's own help, and what holds for all.

python docs/build_command_page.py
"""

from __future__ import annotations

from pathlib import Path

import click

from majordomus_reasoning.surfaces.cli import COMMAND, main

PAGE = Path(__file__).parent / "command.md"
HEAD = """\
# The command

`majordomus-reasoning` does what the Python verbs do. Only `consult` contacts a model. The verbs
that write records are `assess`, `attempt`, `conclude`, `consult`, `disagree`, `record`, `resolve`
and `validate`; `adr`, `demo`, `keep` and `table --out` write files, `run` runs a command that you
name; all others only read.

The options `--repo`, `--share` and `--format` may stand before or after the verb. With
`--format json` the answer is JSON on standard output, and so is a refusal:
`{"error": {"code": …, "message": …}}`. Text goes to standard output, diagnostics go to standard
error; there is no colour.

| exit code | means |
|---|---|
| 0 | done |
| 1 | it could not be done: a broken file, a store that cannot be written |
| 130 | `consult` was interrupted; what had come is recorded, the rest as cancelled |
| 2 | wrong arguments |
| 3 | a record was refused |
| 4 | the thing asked for is not there |
| 10 | there are findings |

Completion: `majordomus-reasoning completion bash`, `zsh` or `fish` prints a script for the shell's
start file.
"""


def page() -> str:
    """The whole page, as Markdown."""
    context = click.Context(main, info_name=COMMAND, terminal_width=88, **main.context_settings)
    parts = [HEAD]
    for name in sorted(main.commands):
        verb = main.commands[name]
        inner = click.Context(verb, context, info_name=name)
        parts.append(f"## {name}\n\n```text\n{verb.get_help(inner)}\n```\n")
    return "\n".join(parts)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
