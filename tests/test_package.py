"""What a notebook imports: the names of `__all__`, cheaply."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

import majordomus_reasoning as mr

HEAVY = {"pandas", "numpy", "altair", "ipywidgets", "dulwich", "httpx", "fastapi", "IPython"}


@pytest.mark.parametrize("name", mr.__all__)
def test_every_name_of_all_can_be_had(name):
    assert getattr(mr, name) is not None
    assert name in dir(mr)


def test_all_is_sorted_and_has_each_name_once():
    assert mr.__all__ == sorted(set(mr.__all__))


def test_a_name_that_is_not_in_all_is_no_attribute():
    with pytest.raises(AttributeError, match="no attribute 'Chekout'"):
        mr.Chekout  # noqa: B018 - asking is the test


def test_the_names_are_those_of_the_rooms_that_define_them():
    from majordomus_reasoning import checkout, errors, frozen, handles

    assert mr.Checkout is checkout.Checkout
    assert mr.Handle is handles.Handle
    assert mr.Refusal is errors.Refusal
    assert mr.open is frozen.open_checkout


def loaded_by(code: str, folder) -> set[str]:
    script = f"{code}\nimport json, sys\nprint(json.dumps(sorted(sys.modules)))"
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=folder, capture_output=True, text=True, check=True
    )
    return {name.partition(".")[0] for name in json.loads(done.stdout)}


@pytest.mark.parametrize(
    "code",
    [
        "import majordomus_reasoning",
        "import majordomus_reasoning as mr; mr.open()",
        "import majordomus_reasoning as mr; repr(mr.open()); mr.open().report()",
        "import majordomus_reasoning as mr; mr.open().assess('x')",
    ],
)
def test_importing_opening_and_recording_load_nothing_heavy(code, tmp_path):
    assert not loaded_by(code, tmp_path) & HEAVY


def test_importing_alone_loads_no_rules_either(tmp_path):
    assert "pydantic" not in loaded_by("import majordomus_reasoning", tmp_path)
