"""Each error is one sentence that names the thing, with its data in fields."""

from __future__ import annotations

import pytest

from majordomus_reasoning import errors

ERRORS = [
    (errors.Refusal("blank_field", "subject is blank: say it in words.", "subject"), "blank_field"),
    (errors.NotFound("the record 'x'", "`status` lists the ids"), "not_found"),
    (errors.UnreadableRecord("t/x.json", "id", "it is no name"), "unreadable_record"),
    (errors.CatalogueError("advisors.yaml", "version", "it is required"), "catalogue_error"),
    (errors.StoreError("store", "cannot be written (disk full)"), "store_error"),
    (errors.StoreLocked("store", 0.5), "store_locked"),
    (errors.WouldWrite("no such record: the nearest is x.", "x"), "would_write"),
]


@pytest.mark.parametrize(("error", "code"), ERRORS, ids=lambda value: str(value)[:20])
def test_it_belongs_to_the_tree_and_has_a_code(error, code):
    assert isinstance(error, errors.ReasoningError)
    assert error.code == code


@pytest.mark.parametrize(("error", "code"), ERRORS, ids=lambda value: str(value)[:20])
def test_a_notebook_shows_one_sentence_and_no_traceback(error, code):
    assert error._render_traceback_() == [f"{type(error).__name__}: {error}"]
    assert str(error).endswith(".")
    assert "\n" not in str(error)


def test_the_data_stand_in_fields():
    refusal, missing, unreadable, catalogue, store, locked, frozen = (e for e, _ in ERRORS)
    assert (refusal.code, refusal.field) == ("blank_field", "subject")
    assert missing.what == "the record 'x'"
    assert (unreadable.path, unreadable.field) == ("t/x.json", "id")
    assert (catalogue.file, catalogue.field) == ("advisors.yaml", "version")
    assert store.path == "store"
    assert (locked.path, locked.seconds) == ("store", 0.5)
    assert frozen.nearest == "x"


def test_every_error_of_the_tree_is_here():
    classes = {
        each
        for each in vars(errors).values()
        if isinstance(each, type) and issubclass(each, errors.ReasoningError)
    }
    assert classes - {errors.ReasoningError} == {type(error) for error, _ in ERRORS}


def test_a_locked_store_is_a_store_error():
    assert issubclass(errors.StoreLocked, errors.StoreError)
