"""Every Python example of the README and the pages runs, in a checkout with the sample at hand."""

from __future__ import annotations

import re

import pytest
from planting import PROJECT

PAGES = [PROJECT / "README.md", *sorted((PROJECT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)
EXAMPLES = {path.name: "\n".join(BLOCK.findall(path.read_text())) for path in PAGES}


def test_there_are_examples() -> None:
    assert {"README.md", "checkout.md", "running_again.md"} <= {
        name for name, code in EXAMPLES.items() if code
    }


@pytest.mark.parametrize("name", [name for name, code in EXAMPLES.items() if code])
def test_an_example_runs(name, tmp_path, monkeypatch) -> None:
    (tmp_path / ".ai").mkdir()
    (tmp_path / "data").symlink_to(PROJECT / "data")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", "")

    exec(compile(EXAMPLES[name], name, "exec"), {})


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_every_link_of_a_page_leads_somewhere(path) -> None:
    links = re.findall(r"\]\(([^)#\s]+)", path.read_text())
    local = [link for link in links if "://" not in link]

    assert [link for link in local if not (path.parent / link).exists()] == []
