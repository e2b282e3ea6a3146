"""Asking all at once: plan order, reports, cancellation, and the isolation of a bad adapter."""

import asyncio
import contextlib
import os
import signal
import threading
import time
from pathlib import Path

import pytest

from majordomus_reasoning.advisors.adapters import find_adapter
from majordomus_reasoning.advisors.cancellation import Cancellation
from majordomus_reasoning.advisors.consult import consult, wait_for
from majordomus_reasoning.advisors.contract import Answer, HttpRequest, RunProcess, Sleep, run, send
from majordomus_reasoning.advisors.failures import AdvisorFailure, failure
from majordomus_reasoning.advisors.question import question
from majordomus_reasoning.core.catalogue import Catalogue, Model, Models, Vendor
from majordomus_reasoning.core.records import Assessment, Evidence
from majordomus_reasoning.testing import ScriptedAdvisors, advisor_state, plan_asking

QUESTION = question(
    Assessment(
        kind="assessment",
        subject="timeouts",
        evidence=(Evidence(kind="file", reference="src/worker.py:10"),),
    )
)
YES = {"conclusion": "keep it", "stance": "supports", "confidence": "high", "risks": ["none"]}
NO = {"conclusion": "drop it", "stance": "opposes"}


def consulting(adapters, *advisors, deadline=20, **options):
    plan = plan_asking(*(advisor_state(name, "any") for name in advisors))
    options = {"catalogue": Catalogue(), "environment": {}, "folder": Path(), **options}
    return consult(plan, QUESTION, adapters=adapters, deadline=deadline, **options)


def beside(bad, good):
    """Adapters of which the advisor `bad` has the bad one."""
    return lambda name: lambda asking: (bad if asking.advisor == "bad" else good(name))(asking)


def endings(outcomes):
    return [each.failure.reason if each.failure else each.status for each in outcomes]


def test_outcomes_stand_in_plan_order_and_are_reported_as_they_become_known():
    script = ScriptedAdvisors({"a": YES, "b": NO, "c": failure("rate_limit", 7)}, after={"a": 0.2})
    told = []
    found = asyncio.run(consulting(script, "a", "b", "c", on_outcome=told.append))
    assert [each.advisor for each in found] == ["a", "b", "c"]
    assert [each.advisor for each in told] == ["b", "c", "a"]
    assert endings(found) == ["completed", "completed", "rate_limit"]


def test_reports_wait_for_plan_order_where_that_is_asked():
    script = ScriptedAdvisors({"a": YES, "b": NO}, after={"a": 0.1})
    told = []
    asyncio.run(consulting(script, "a", "b", on_outcome=told.append, in_plan_order=True))
    assert [each.advisor for each in told] == ["a", "b"]


def test_all_are_asked_at_once():
    names = [f"advisor-{number}" for number in range(6)]
    script = ScriptedAdvisors(dict.fromkeys(names, YES), after=dict.fromkeys(names, 0.3))
    started = time.monotonic()
    asyncio.run(consulting(script, *names))
    assert time.monotonic() - started < 1.5


def test_only_some_of_a_plan_are_asked_where_that_is_wanted():
    script = ScriptedAdvisors({"a": YES, "b": NO})
    found = asyncio.run(consulting(script, "a", "b", only={"b"}))
    assert [each.advisor for each in found] == ["b"]
    assert [each.advisor for each in script.asked] == ["b"]


def test_nobody_to_ask_is_no_outcome():
    assert asyncio.run(consulting(ScriptedAdvisors({}))) == ()


def test_an_answer_becomes_the_body_of_a_record():
    (found,) = asyncio.run(consulting(ScriptedAdvisors({"a": YES}), "a"))
    body = found.body("plan-1")
    assert body.pop("duration_ms") >= 0
    assert body == {
        "kind": "consultation",
        "plan": "plan-1",
        "advisor": "a",
        "status": "completed",
        "question": QUESTION.asked,
        "evidence": [{"kind": "file", "reference": "src/worker.py:10"}],
        "conclusion": "keep it",
        "stance": "supports",
        "risks": ["none"],
        "confidence": "high",
    }
    assert found.exchange.question_sha256 == QUESTION.sha256
    assert found.exchange.answer_bytes == len(str(YES))


def test_a_failure_becomes_the_body_of_a_record():
    (found,) = asyncio.run(consulting(ScriptedAdvisors({"a": failure("rate_limit", 7)}), "a"))
    body = found.body("plan-1")
    assert body["status"] == "rate_limited"
    assert body["retry_after_seconds"] == 7
    assert body["diagnostic"] == "rate_limit: The service limits the rate of requests."
    assert "conclusion" not in body
    assert found.exchange.answer_sha256 is None


def test_a_report_that_fails_loses_no_other_and_is_raised_afterwards():
    told = []

    def report(outcome):
        told.append(outcome.advisor)
        if outcome.advisor == "a":
            raise LookupError("the store is gone")

    script = ScriptedAdvisors({"a": YES, "b": NO}, after={"b": 0.1})
    with pytest.raises(LookupError, match="the store is gone"):
        asyncio.run(consulting(script, "a", "b", on_outcome=report))
    assert told == ["a", "b"]


def forever(_asking):
    while True:
        yield Sleep(60)


def test_an_advisor_that_never_answers_is_left_at_the_deadline():
    found = asyncio.run(consulting(lambda _name: forever, "a", deadline=0.1))
    assert [each.status for each in found] == ["timeout"]


@pytest.mark.parametrize("when", ["before", "meanwhile"])
def test_a_cancellation_gives_cancelled_outcomes_and_keeps_those_that_came(when):
    cancel = Cancellation()
    script = ScriptedAdvisors({"a": YES, "b": NO}, after={"b": 60})

    def report(outcome):
        if outcome.advisor == "a":
            threading.Thread(target=cancel.cancel).start()

    if when == "before":
        cancel.cancel()
    found = asyncio.run(consulting(script, "a", "b", cancel=cancel, on_outcome=report))
    kept = ["completed"] if when == "meanwhile" else ["withdrawn"]
    assert endings(found) == [*kept, "withdrawn"]


def test_the_cancellation_of_the_task_goes_on_once_all_were_reported():
    told = []
    script = ScriptedAdvisors({"a": YES, "b": NO}, after={"b": 60})

    async def cancelled():
        work = asyncio.ensure_future(consulting(script, "a", "b", on_outcome=told.append))
        await asyncio.wait([work], timeout=0.1)
        work.cancel()
        await work

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(cancelled())
    assert [(each.advisor, each.status) for each in told] == [
        ("a", "completed"),
        ("b", "cancelled"),
    ]


def test_a_cancellation_that_is_over_has_no_one_to_tell():
    cancel = Cancellation()
    asyncio.run(consulting(ScriptedAdvisors({"a": YES}), "a", cancel=cancel))
    cancel.cancel()
    assert cancel.requested


def test_a_caller_that_is_not_async_waits_in_a_script_and_beside_a_running_loop():
    script = ScriptedAdvisors({"a": YES})
    cancel = Cancellation()

    def waited():
        return endings(wait_for(consulting(script, "a", cancel=cancel), cancel))

    async def in_a_loop():
        return waited()

    assert waited() == ["completed"]
    assert asyncio.run(in_a_loop()) == ["completed"]


def test_an_interrupt_beside_a_running_loop_withdraws_what_was_asked():
    told = []
    cancel = Cancellation()
    script = ScriptedAdvisors({"a": YES, "b": NO}, after={"b": 60})

    def report(outcome):
        told.append(outcome)
        if outcome.advisor == "a":
            os.kill(os.getpid(), signal.SIGINT)

    async def in_a_loop():
        wait_for(consulting(script, "a", "b", cancel=cancel, on_outcome=report), cancel)

    loop = asyncio.new_event_loop()  # as a notebook's: it leaves the interrupt to Python
    with pytest.raises(KeyboardInterrupt), contextlib.closing(loop):
        loop.run_until_complete(in_a_loop())
    assert [each.status for each in told] == ["completed", "cancelled"]


def yields_rubbish(_asking):
    yield "rubbish"


def returns_rubbish(_asking):
    yield Sleep(0)
    return "rubbish"


def answers_no_text(_asking):
    yield Sleep(0)
    return Answer(None)


def names_no_model(_asking):
    yield Sleep(0)
    return Answer('{"conclusion": "keep it"}', model=7)


def fails(_asking):
    yield Sleep(0)
    raise KeyError("a-secret-value")


def fails_at_once(_asking):
    raise ZeroDivisionError


def is_no_generator(_asking):
    return Answer("x")


def recurses(asking):
    yield from recurses(asking)


def raising(error):
    def raises(_asking):
        yield Sleep(0)
        raise error

    return raises


def exits_at_once(_asking):
    raise SystemExit(3)


def exits_when_it_is_closed(_asking):
    try:
        yield "rubbish"
    finally:
        raise SystemExit(3)


@pytest.mark.parametrize(
    "bad",
    [
        yields_rubbish,
        returns_rubbish,
        answers_no_text,
        names_no_model,
        fails,
        fails_at_once,
        is_no_generator,
        recurses,
        raising(SystemExit(3)),
        raising(KeyboardInterrupt()),
        raising(GeneratorExit()),
        raising(asyncio.CancelledError()),
        exits_at_once,
        exits_when_it_is_closed,
    ],
)
def test_a_bug_in_an_adapter_is_an_error_of_that_advisor_alone(bad):
    good = ScriptedAdvisors({"good": YES})
    found = asyncio.run(consulting(beside(bad, good), "bad", "good"))
    assert endings(found) == ["adapter_fault", "completed"]
    assert found[0].status == "error"
    assert "a-secret-value" not in found[0].diagnostic


def never_gives_up(_asking):
    while True:
        try:
            yield from run(RunProcess(("absent",)))
        except AdvisorFailure:
            continue


def test_an_adapter_that_never_gives_up_neither_blocks_the_others_nor_outlives_the_deadline():
    good = ScriptedAdvisors({"good": YES}, after={"good": 0.05})
    found = asyncio.run(consulting(beside(never_gives_up, good), "bad", "good", deadline=0.3))
    assert endings(found) == ["deadline", "completed"]


def test_an_adapter_may_go_on_after_an_effect_that_could_not_be_performed():
    def falls_back(_asking):
        try:
            yield from send(HttpRequest("GET", "no address"))
        except AdvisorFailure as told:
            return Answer(f'{{"conclusion": "{told.reason}"}}')

    (found,) = asyncio.run(consulting(lambda _name: falls_back, "a"))
    assert found.opinion.conclusion == "bad_endpoint"


def test_an_adapter_that_nobody_provides_is_a_typed_failure():
    found = asyncio.run(
        consult(
            plan_asking(advisor_state("a", "no-such-dialect"), advisor_state("b", "../evil")),
            QUESTION,
            catalogue=Catalogue(),
            environment={},
            folder=Path(),
        )
    )
    assert endings(found) == ["no_adapter", "no_adapter"]
    assert {each.status for each in found} == {"unavailable"}


def test_an_advisor_without_a_snapshot_in_its_plan_is_a_typed_failure():
    plan = plan_asking(advisor_state("a", "any")).model_copy(update={"availability": ()})
    work = consult(
        plan, QUESTION, catalogue=Catalogue(), environment={}, folder=Path(), adapters=find_adapter
    )
    assert endings(asyncio.run(work)) == ["no_adapter"]


def test_an_adapter_is_told_the_native_model_and_sees_no_credential():
    catalogue = Catalogue(
        models=Models(
            version=1,
            vendors=(Vendor(id="v", title="V", inference="remote", credential_env="V_KEY"),),
            models=(
                Model(
                    id="m", vendor="v", native_id="m-1", aliases=("short",), parameters={"seed": 7}
                ),
            ),
        )
    )
    script = ScriptedAdvisors({"a": YES})
    state = advisor_state("a", "any", model="short", executable="tool", credential="OWN_KEY")
    environment = {"V_KEY": "secret", "OWN_KEY": "secret", "V_BASE_URL": "http://here"}
    asyncio.run(
        consult(
            plan_asking(state),
            QUESTION,
            catalogue=catalogue,
            environment=environment,
            folder=Path(),
            adapters=script,
        )
    )
    (asking,) = script.asked
    assert (asking.model, asking.executable, asking.credential) == ("m-1", "tool", "OWN_KEY")
    assert asking.parameters == {"seed": 7}
    assert asking.environment == {"V_BASE_URL": "http://here"}
    assert "http://here" not in repr(asking)
