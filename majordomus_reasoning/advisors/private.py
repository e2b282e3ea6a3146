"""The private folder of one process: its output, its files, its temporary folder."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from majordomus_reasoning.advisors.contract import LARGEST_ANSWER, PrivateFile
from majordomus_reasoning.advisors.failures import failure


class PrivateFolder:
    """A folder that is made for one process and deleted after it, laid out."""

    def __init__(self, folder: Path) -> None:
        self.stdout = folder / "stdout"
        self.stderr = folder / "stderr"
        self.temporary = folder / "temporary"
        self._files = folder / "files"
        self.temporary.mkdir()
        self._files.mkdir()

    def file(self, name: str) -> Path:
        """Where the private file of that name is."""
        return self._files / Path(name).name

    def argument(self, value: str | PrivateFile) -> str:
        """An argument as the process gets it: a private file is its path."""
        return str(self.file(value.name)) if isinstance(value, PrivateFile) else value

    def write(self, files: Mapping[str, str]) -> None:
        """Write the private files that the process is to find."""
        for name, content in files.items():
            self.file(name).write_text(content, encoding="utf-8")

    def overflows(self) -> bool:
        """Whether the process has printed more than is read."""
        return any(path.stat().st_size > LARGEST_ANSWER for path in (self.stdout, self.stderr))

    def read(self, path: Path) -> str:
        """A file as text, empty where there is none; AdvisorFailure where it is too large."""
        if not path.is_file():
            return ""
        with path.open("rb") as file:
            content = file.read(LARGEST_ANSWER + 1)
        if len(content) > LARGEST_ANSWER:
            raise failure("too_large")
        return content.decode("utf-8", "replace")
