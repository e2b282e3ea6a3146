"""The wheel, installed where no checkout is: everything that it needs is in it."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from planting import PROJECT

pytestmark = pytest.mark.slow
SHIPPED = ("01_decide_alone", "03_ask_and_disagree")  # the sample of the other is no part of it


@pytest.fixture(scope="module")
def installed(tmp_path_factory) -> Path:
    """A folder with the content of the wheel, which is what installing it gives."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder)]
    subprocess.run([*build, str(PROJECT)], check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder / "site")
    return folder / "site"


def run(installed: Path, where: Path, *arguments: str) -> str:
    environment = {"PATH": "", "PYTHONPATH": str(installed), "HOME": str(where)}
    return subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "majordomus_reasoning", *arguments],
        cwd=where,
        env=environment,
        check=True,
        capture_output=True,
        text=True,
    ).stdout


def test_the_shipped_catalogue_is_found_in_the_wheel(installed, tmp_path) -> None:
    snapshot = json.loads(run(installed, tmp_path, "env", "--format", "json"))

    assert snapshot["share"] == str(installed / "majordomus_reasoning" / "share")
    assert snapshot["advisors_unavailable"] == 8
    assert "nothing found" in run(installed, tmp_path, "check")


def test_the_demo_runs_from_the_wheel(installed, tmp_path) -> None:
    out = run(installed, tmp_path, "demo")

    pages = [tmp_path / "build/demo" / f"{name}.html" for name in SHIPPED]
    assert out.splitlines()[-len(pages) :] == [str(page) for page in pages]
    assert all(page.is_file() for page in pages)


def test_the_wheel_holds_the_types_the_licence_and_nothing_of_the_tests(installed) -> None:
    names = {path.relative_to(installed).as_posix() for path in installed.rglob("*")}

    assert "majordomus_reasoning/py.typed" in names
    assert any(name.endswith("licenses/LICENSE") for name in names)
    assert not [name for name in names if name.startswith(("tests", "benchmarks", "docs"))]


def test_the_version_is_said_once() -> None:
    import tomllib

    from majordomus_reasoning import __version__

    project = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]
    assert project["version"] == __version__
    assert all("==" in line for line in (PROJECT / "constraints.txt").read_text().split())
