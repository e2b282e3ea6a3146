"""A store that the original tool wrote opens here, and what we write opens there."""

from __future__ import annotations

import json
import shutil

import pytest
import vectors
from builders import EVIDENCE, validation

from majordomus_reasoning.core.records import record_bytes, record_type
from majordomus_reasoning.core.state import derive_state
from majordomus_reasoning.store.files import LOCATION, Store
from majordomus_reasoning.testing import deterministic_checkout

ORIGINAL = vectors.FOLDER / "original-store"
EXPECTED = vectors.load("original-store/expected.json")
STORE = ORIGINAL / LOCATION
# The envelope of the original, and what we add to it; it ignores what it does not know.
THEIRS = {"schema", "version", "id", "task", "recorded_at", "head", "redacted", "body"}
OURS = {"origin", "exchange", "cites", "pins", "writer"}


@pytest.fixture
def state():
    store = Store(STORE)
    return derive_state(store.load(), unreadable=store.unreadable)


def shown(state):
    return {
        "records": state.totals.records,
        "unreadable": [fault.path for fault in state.unreadable],
        "standing": {each.id: each.standing for each in state.assessments},
        "totals": {name: getattr(state.totals, name) for name in EXPECTED["totals"]},
        "favours": next(each.favours for each in state.disagreements),
    }


def test_it_holds_what_is_expected(state):
    vectors.assert_known(EXPECTED, {"about", *shown(state)})
    assert {"about": EXPECTED["about"], **shown(state)} == EXPECTED


def test_each_unreadable_file_says_why(state):
    reasons = {fault.path: fault.field for fault in state.unreadable}
    assert reasons == {
        "untasked/broken.json": None,
        "untasked/foreign.json": "schema",
        "untasked/newer.json": "version",
    }


@pytest.mark.parametrize("path", sorted(STORE.rglob("*-2026*.json")), ids=lambda path: path.name)
def test_each_record_written_again_has_the_same_content(path):
    content = path.read_bytes()
    written = record_bytes(record_type().validate_json(content))
    assert json.loads(written) == json.loads(content)


def test_reading_it_changes_nothing(tmp_path, files_of):
    shutil.copytree(STORE, tmp_path / "store")
    before = files_of(tmp_path)
    Store(tmp_path / "store").load()
    assert files_of(tmp_path) == before
    assert not (tmp_path / "store" / ".lock").exists()


def test_what_is_written_beside_it_has_only_envelope_fields_that_the_original_ignores(tmp_path):
    shutil.copytree(ORIGINAL, tmp_path, dirs_exist_ok=True)
    checkout = deterministic_checkout(root=tmp_path)
    concluded = next(record.id for record in checkout.ledger if record.body.kind == "conclusion")
    written = checkout.record(validation(concluded, evidence=EVIDENCE))
    envelope = json.loads(written.path.read_bytes())
    assert envelope.keys() <= THEIRS | OURS
    assert envelope["body"].keys() == {"kind", "conclusion", "check", "outcome", "evidence"}
    assert len(checkout.ledger) == EXPECTED["records"] + 1
