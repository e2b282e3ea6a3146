"""The pages on advisors tell every status, reason and adapter, and their example works."""

import re
from pathlib import Path

import yaml

from majordomus_reasoning import testing
from majordomus_reasoning.advisors.adapters import adapter_names
from majordomus_reasoning.advisors.failures import REASONS
from majordomus_reasoning.core.catalogue import Advisors, Catalogue, Models

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "advisors.md").read_text(encoding="utf-8")
WRITING = (DOCS / "writing_an_adapter.md").read_text(encoding="utf-8")


def test_the_table_of_statuses_holds_each_reason_beside_its_status():
    rows = re.findall(r"^\| `(\w+)` \| [^|]+ \| ([^|]*)\|$", PAGE, re.MULTILINE)
    told = {reason: status for status, cell in rows for reason in re.findall(r"`(\w+)`", cell)}
    assert told == {reason: meant.status for reason, meant in REASONS.items()}


def test_the_table_of_dialects_holds_each_adapter():
    rows = re.findall(r"^\| `([a-z-]+)` \|", PAGE, re.MULTILINE)
    assert set(rows) - {"completed", "timeout"} >= set(adapter_names())


def test_the_example_of_an_adapter_asks_and_answers(asking, response, play):
    example = re.search(r"```python\n(from .*?)```", WRITING, re.DOTALL)[1]
    names = {}
    exec(example, names)
    ending = play(names["ask"], asking, response({"conclusion": "ask again"}))
    assert ending.effects[0].url == "http://127.0.0.1:7000/ask"
    assert ending.opinion["conclusion"] == "ask again"
    assert play(names["ask"], asking, response("", 429)).wait == 60


def test_the_doubles_that_are_told_of_are_there():
    told = re.findall(r"^\| `(\w+)` \|", WRITING, re.MULTILINE)
    assert {*told} >= {"ScriptedServer", "ScriptedClients", "forbid_network"}
    effects = {"HttpRequest", "RunProcess", "Sleep"}
    assert {*told} - effects <= {*testing.__all__}


def test_the_script_that_is_shown_can_be_followed(tmp_path):
    script = re.search(r"```yaml\n(codex:.*?)```", WRITING, re.DOTALL)[1]
    (tmp_path / "script.yaml").write_text(script)
    clients = testing.ScriptedClients.from_yaml(tmp_path, tmp_path / "script.yaml")
    assert Path(clients.environment["PATH"], "codex").is_file()


def test_the_entries_that_are_shown_make_an_advisor():
    page = (DOCS / "adding_an_advisor.md").read_text(encoding="utf-8")
    shown = [yaml.safe_load(each) for each in re.findall(r"```yaml\n(.*?)```", page, re.DOTALL)]
    words = [{"id": word, "description": word} for word in ("independent_reasoning", "code_review")]
    advisors = Advisors(version=1, capabilities=words, **shown[0])
    catalogue = Catalogue(advisors, Models(version=1, **shown[1]))
    assert catalogue.model("house-1").native_id == "house-1-large"
    assert advisors.advisors[0].adapter in adapter_names()
