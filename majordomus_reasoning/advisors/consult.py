"""Asking all that a plan selected, at once: one deadline, one cancellation, one outcome each."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Collection, Coroutine, Mapping, Sequence
from concurrent.futures import Future, wait
from pathlib import Path
from typing import Any, TypeVar

from majordomus_reasoning.advisors.adapters import find_adapter
from majordomus_reasoning.advisors.asking import selected
from majordomus_reasoning.advisors.cancellation import Cancellation
from majordomus_reasoning.advisors.driver import Driver, FindAdapter
from majordomus_reasoning.advisors.outcome import Outcome
from majordomus_reasoning.advisors.question import Question
from majordomus_reasoning.core.catalogue import Catalogue
from majordomus_reasoning.core.records import Plan

DEADLINE_SECONDS = 180.0
T = TypeVar("T")
Report = Callable[[Outcome], object]


async def consult(
    plan: Plan,
    question: Question,
    *,
    catalogue: Catalogue,
    environment: Mapping[str, str],
    folder: Path,
    adapters: FindAdapter = find_adapter,
    only: Collection[str] | None = None,
    deadline: float = DEADLINE_SECONDS,
    cancel: Cancellation | None = None,
    on_outcome: Report | None = None,
    in_plan_order: bool = False,
) -> tuple[Outcome, ...]:
    """Ask every advisor that a plan selected (`only` some of them), all at once.

    Returns one outcome each, in plan order, after at most `deadline` seconds and the moment that
    ending a client takes. `on_outcome` is called with each as it becomes known (`in_plan_order`:
    not before those above it); what it raises is raised once all were reported. Clients run in
    `folder`. A `cancel` makes each unfinished outcome `cancelled`; so does the cancellation of this
    task, which goes on once all are reported and every client has ended.
    """
    until = asyncio.get_running_loop().time() + deadline
    chosen = selected(plan, question, catalogue, environment, only)
    async with Driver(environment, folder) as driver:
        tasks = [
            asyncio.ensure_future(driver.outcome(each, question, adapters, until))
            for each in chosen
        ]
        with (cancel or Cancellation()).telling(_withdrawal(tasks)):
            await _settle(tasks, on_outcome or _unreported, in_plan_order=in_plan_order)
    return tuple(task.result() for task in tasks)


def wait_for(consultation: Coroutine[Any, Any, T], cancel: Cancellation) -> T:
    """The result of a coroutine for a caller that is not async, beside a running loop too.

    `cancel` is the coroutine's own: an interrupt withdraws what it asks, then goes on.
    """
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(consultation)
    result: Future[T] = Future()
    thread = threading.Thread(target=_run_into, args=(result, consultation))
    try:
        thread.start()
        return result.result()
    except KeyboardInterrupt:  # it may come while the thread is being started, too
        cancel.cancel()
        wait([result], timeout=None if thread.ident else 1)
        raise


def _run_into(result: Future[T], consultation: Coroutine[Any, Any, T]) -> None:
    try:
        result.set_result(asyncio.run(consultation))
    except BaseException as error:  # noqa: BLE001 - whoever waits for the result gets it
        result.set_exception(error)


def _unreported(_outcome: Outcome) -> None:
    """Nobody listens."""


def _withdrawal(tasks: Sequence[asyncio.Task[Outcome]]) -> Callable[[], None]:
    loop = asyncio.get_running_loop()

    def withdraw() -> None:
        for task in tasks:
            loop.call_soon_threadsafe(task.cancel)

    return withdraw


async def _settle(
    tasks: Sequence[asyncio.Task[Outcome]], report: Report, *, in_plan_order: bool
) -> None:
    """Wait for all tasks, report each outcome; raise afterwards what came between."""
    waiting = list(tasks)
    raised: list[BaseException] = []
    while waiting:
        try:
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        except asyncio.CancelledError as withdrawn:
            # A second one reaches the tasks while they end their clients, and makes that short.
            raised.insert(0, withdrawn)
            for task in waiting:
                task.cancel()
        while ready := next((task for task in waiting if task.done()), None):
            if in_plan_order and ready is not waiting[0]:
                break
            waiting.remove(ready)
            try:
                report(ready.result())
            except Exception as error:  # noqa: BLE001 - one record that fails must not lose others
                raised.append(error)
    if raised:
        raise raised[0]
