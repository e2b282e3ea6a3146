"""Adapters are found by name: here, or by the entry point of another package."""

import sys

import pytest

from majordomus_reasoning.advisors.adapters import adapter_names, find_adapter
from majordomus_reasoning.advisors.failures import AdvisorFailure


@pytest.fixture
def other_package(tmp_path, monkeypatch):
    """Install a package that provides an adapter `oracle`, and two that cannot be loaded."""
    (tmp_path / "oracle_package.py").write_text(
        "from majordomus_reasoning.advisors.contract import Answer, Sleep\n"
        "def ask(asking):\n"
        "    yield Sleep(0)\n"
        '    return Answer(\'{"conclusion": "ask again", "stance": "inconclusive"}\')\n'
    )
    info = tmp_path / "oracle_package-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: oracle-package\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[majordomus_reasoning.adapters]\n"
        "oracle = oracle_package:ask\n"
        "Oracle 2.0 = oracle_package:ask\n"
        "absent = no_such_module:ask\n"
        "lacking = oracle_package:no_such_name\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    yield
    sys.modules.pop("oracle_package", None)


def test_the_adapters_of_this_package_are_all_found():
    assert len(adapter_names()) >= 9
    for name in adapter_names():
        assert callable(find_adapter(name))


@pytest.mark.parametrize("name", ["oracle", "Oracle 2.0"])
def test_another_package_adds_an_adapter_by_an_entry_point(other_package, asking, play, name):
    assert name in adapter_names()
    ending = play(find_adapter(name), asking, None)
    assert ending.opinion["conclusion"] == "ask again"


@pytest.mark.parametrize("name", ["absent", "lacking"])
def test_an_adapter_that_cannot_be_loaded_is_a_typed_failure(other_package, name):
    with pytest.raises(AdvisorFailure, match=f"no_adapter: The adapter {name} cannot be loaded"):
        find_adapter(name)


@pytest.mark.parametrize(
    "name", ["", "no-such-dialect", "-http", "_http", "../x", "os.path", "x" * 999]
)
def test_a_name_that_nobody_provides_is_a_typed_failure(name):
    with pytest.raises(AdvisorFailure) as caught:
        find_adapter(name)
    assert (caught.value.status, caught.value.reason) == ("unavailable", "no_adapter")
