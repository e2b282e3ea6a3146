"""A frozen checkout proves: what it tells is what is recorded, the same bytes everywhere."""

from __future__ import annotations

import pytest

import majordomus_reasoning as mr
from majordomus_reasoning.errors import NotFound, Refusal, StoreError, WouldWrite
from majordomus_reasoning.testing import deterministic_checkout

EVIDENCE = ["file:src/worker.py:1"]


@pytest.fixture
def live(tmp_path):
    """A checkout in which one decision was made and kept."""
    (tmp_path / "live" / "src").mkdir(parents=True)
    (tmp_path / "live" / "src" / "worker.py").write_text("wait()\n")
    checkout = deterministic_checkout(root=tmp_path / "live")
    decide(checkout)
    checkout.keep(tmp_path / "kept")
    return checkout


def decide(checkout, decision: str = "keep it"):
    question = checkout.assess("lock scope", materiality="high", evidence=EVIDENCE)
    plan = checkout.plan(question)
    verdict = checkout.conclude(
        question, decision=decision, rationale="it holds", evidence=EVIDENCE,
        validation_plan=["run it"],
    )  # fmt: skip
    return question, plan, verdict, checkout.validate(verdict, check="ran it", outcome="pass")


def test_the_same_verbs_give_the_records_that_are_there(live, tmp_path, files_of) -> None:
    before = files_of(tmp_path)
    frozen = mr.open(tmp_path / "kept", frozen=True)

    handles = decide(frozen)

    assert [each.record for each in handles] == list(live.ledger)
    assert all(each.reused for each in handles)
    assert [repr(each) for each in handles] == [repr(each) for each in decide(live)]
    assert files_of(tmp_path) == before


def test_again_gives_what_is_there_too(live, tmp_path) -> None:
    frozen = mr.open(tmp_path / "kept", frozen=True)

    question = frozen.assess("lock scope", materiality="high", evidence=EVIDENCE, again=True)

    assert question.record == next(iter(live.ledger))


def test_a_verb_without_its_record_would_write(live, tmp_path) -> None:
    frozen = mr.open(tmp_path / "kept", frozen=True)

    with pytest.raises(WouldWrite) as refused:
        decide(frozen, decision="change it")

    verdict = list(live.ledger)[2]
    assert refused.value.nearest == verdict.id
    assert str(refused.value) == (
        "no such conclusion is recorded, and a frozen checkout writes nothing: the nearest, "
        f"{verdict.id}, differs in decision ('keep it' there, 'change it' here); "
        "run it live, and keep the records."
    )


def test_the_nearest_is_the_one_with_the_fewest_differences(tmp_path) -> None:
    live = deterministic_checkout(root=tmp_path)
    for subject in ("a migration that may be undone", "timeout semantics of the worker", "caches"):
        live.assess(subject)
    frozen = mr.open(tmp_path, frozen=True)

    with pytest.raises(WouldWrite) as refused:
        frozen.assess("timeout semantics of a worker")

    assert refused.value.nearest == list(live.ledger)[1].id


def test_without_any_record_of_the_kind_nothing_is_near(live, tmp_path) -> None:
    frozen = mr.open(tmp_path / "kept", frozen=True)

    with pytest.raises(WouldWrite, match="it holds no attempt"):
        frozen.attempt("retry", observed_failure="it hung")


def test_a_body_of_the_wrong_shape_is_refused_as_ever(live, tmp_path) -> None:
    with pytest.raises(Refusal):
        mr.open(tmp_path / "kept", frozen=True).assess(" ")


def test_clock_mode_and_presence_are_what_the_records_say(live, tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("MAJORDOMUS_REASONING_MODE", "strict")
    monkeypatch.setenv("OPENAI_API_KEY", "x")
    frozen = mr.open(tmp_path / "kept", frozen=True)

    assert frozen.now() == list(live.ledger)[-1].at
    assert frozen.mode == ("standard", "default")
    assert [each.status for each in frozen.advisors()] == [each.status for each in live.advisors()]
    assert frozen.review_plan(mr.Request("high")).outcome == "decide_locally"
    assert repr(frozen).splitlines()[0] == "mode: standard (default)"


def test_a_time_to_look_from_freezes_too(live, tmp_path) -> None:
    frozen = mr.open(tmp_path / "kept", now="2027-01-01T00:00:00Z")

    assert isinstance(frozen, mr.FrozenCheckout)
    assert frozen.now().isoformat() == "2027-01-01T00:00:00+00:00"
    assert frozen.conclusions()["days_stood"].tolist() == [31]


def test_an_empty_store_can_be_frozen(tmp_path) -> None:
    frozen = mr.open(tmp_path, frozen=True)

    assert frozen.report() == ""
    assert frozen.advisors() == ()
    assert "records: 0" in repr(frozen)


def test_keep_copies_the_task_byte_for_byte_and_again_changes_nothing(
    live, tmp_path, files_of
) -> None:
    stored = files_of(live.store.root)
    kept = files_of(tmp_path / "kept")
    assert kept == stored

    paths = live.keep(tmp_path / "kept")

    assert files_of(tmp_path / "kept") == kept
    assert [path.stem for path in paths] == [record.id for record in live.ledger]


def test_keep_takes_what_the_task_cites_from_other_tasks_along(tmp_path) -> None:
    live = deterministic_checkout(root=tmp_path / "live")
    current = live.root / ".ai/local/state/current.yaml"
    current.parent.mkdir(parents=True)
    current.write_text("id: first\n")
    earlier, unrelated = live.assess("earlier"), live.assess("unrelated")
    current.write_text("id: second\n")
    later = live.assess("later", evidence=[f"record:{earlier}"])

    kept = [path.stem for path in live.keep(tmp_path / "kept")]

    assert kept == [earlier.id, later.id]
    assert unrelated.id not in kept


def test_keep_never_overwrites(live, tmp_path) -> None:
    path = next((tmp_path / "kept").rglob("plan-*.json"))
    path.write_text("{}")

    with pytest.raises(StoreError, match="another file has this name"):
        live.keep(tmp_path / "kept")

    assert path.read_text() == "{}"


def test_a_folder_that_is_not_there_is_not_guessed_at(tmp_path) -> None:
    with pytest.raises(NotFound, match="name a checkout"):
        mr.open(tmp_path / "nothing")


def test_a_kept_folder_within_a_checkout_finds_the_files_it_cites(live, tmp_path) -> None:
    live.keep(live.root / "notebooks" / "stores" / "x")
    frozen = mr.open(live.root / "notebooks" / "stores" / "x", frozen=True)

    assert frozen.root == live.root
    assert {each.status for each in frozen.drift(frozen.explain(next(iter(live.ledger)).id))} == {
        "unchanged"
    }


def test_the_records_of_the_own_task_come_first(tmp_path) -> None:
    live = deterministic_checkout(root=tmp_path)
    current = live.root / ".ai/local/state/current.yaml"
    current.parent.mkdir(parents=True)
    for name in ("other", "own"):
        current.write_text(f"id: {name}\n")
        live.assess("lock scope", materiality="high", evidence=EVIDENCE)
    own = live.plan(list(live.ledger)[-1].id)

    frozen = mr.open(tmp_path, frozen=True)
    question = frozen.assess("lock scope", materiality="high", evidence=EVIDENCE)

    assert question.record.task == "own"
    assert frozen.plan(question) == own


def test_a_frozen_checkout_keeps_nothing(live, tmp_path) -> None:
    with pytest.raises(WouldWrite, match="open it live"):
        mr.open(tmp_path / "kept", frozen=True).keep(tmp_path / "elsewhere")

    assert not (tmp_path / "elsewhere").exists()
