"""Adapters are found by name: here, or by the entry point of another package."""

import pytest

from majordomus_reasoning.advisors.adapters import adapter_names, find_adapter
from majordomus_reasoning.advisors.failures import AdvisorFailure


def test_the_adapters_of_this_package_are_all_found():
    assert len(adapter_names()) >= 9
    for name in adapter_names():
        assert callable(find_adapter(name))


@pytest.mark.parametrize("name", ["oracle", "Oracle 2.0"])
def test_another_package_adds_an_adapter_by_an_entry_point(other_package, asking, play, name):
    assert name in adapter_names()
    ending = play(find_adapter(name), asking, None)
    assert ending.opinion["conclusion"] == "ask again"


@pytest.mark.parametrize("name", ["absent", "lacking", "leaving"])
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
