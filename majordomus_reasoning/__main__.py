"""The command, as `majordomus-reasoning` and as `python -m majordomus_reasoning`."""

from __future__ import annotations

import gc
import os


def main() -> None:
    """Run the command.

    A short verb is all start: so no garbage is looked for in what the imports make, since all of it
    stays, and no plugin of pydantic, which reads the metadata of every installed package.
    """
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    gc.disable()
    from majordomus_reasoning.surfaces.cli import main as command

    gc.freeze()
    gc.enable()
    command()


if __name__ == "__main__":
    main()
