"""The command, as `majordomus-reasoning` and as `python -m majordomus_reasoning`."""

from __future__ import annotations

import gc


def main() -> None:
    """Run the command."""
    # What an import makes stays: looking for garbage in it takes a tenth of a short verb's time.
    gc.disable()
    from majordomus_reasoning.surfaces.cli import main as command

    gc.enable()
    command()


if __name__ == "__main__":
    main()
