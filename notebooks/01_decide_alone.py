# ---
# jupyter:
#   jupytext:
#     formats: ipynb,py:percent
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # Deciding alone: is a timeout a failure?
#
# **Question.** A worker runs a job and gives up waiting after a while. May its caller treat the
# timeout as a failure, and simply run the job again? Nobody is there to ask: no key, no network,
# no advisor. Can the uncertainty still be turned into a decision that somebody else can follow,
# check and reuse?

# %% [markdown]
# ## Data
#
# A fresh checkout whose clock and ids are fixed, so that this page is the same everywhere. In it
# stands the code that the question is about: it waits for a job, and cancels the job when the
# time is up.

# %%
import runpy
import threading
from concurrent.futures import ThreadPoolExecutor

from majordomus_reasoning.testing import deterministic_checkout

checkout = deterministic_checkout(seed=1)
source = checkout.root / "src" / "worker.py"
source.parent.mkdir()
source.write_text(
    """\
def run(pool, job, seconds):
    future = pool.submit(job)
    try:
        return future.result(timeout=seconds)
    except TimeoutError:
        future.cancel()
        raise
""",
    encoding="utf-8",
)
checkout

# %% [markdown]
# ## Method
#
# State the uncertainty with its evidence, let the policy plan, and do what the plan says.

# %%
question = checkout.assess(
    "timeout semantics of the worker",
    materiality="high",
    hypothesis="a timeout is a failure: the job has ended, and running it again is safe",
    facts=["run() cancels the future when the time is up, then lets TimeoutError pass"],
    assumptions=["cancel() stops a job that is running"],
    questions=["does a job go on after its caller was told of the timeout?"],
    evidence=["file:src/worker.py:6"],
)
question

# %%
plan = checkout.plan(question)
assert plan.body.plan.outcome == "decide_locally"
assert plan.body.plan.available == 0
plan

# %% [markdown]
# Nobody can be asked, so the plan gives the five steps of a structured local review.
#
# 1. *Hypothesis*: a timeout is a failure. *Strongest alternative*: only the waiting has ended,
#    and the job's outcome is unknown.
# 2. *Assumption*: `cancel()` stops a running job. Nothing supports it yet.
# 3. *What would falsify the hypothesis*: a job whose effect appears after its timeout.
# 4. *The smallest experiment that tells the two apart*: a job that waits until we let it go on,
#    under a timeout that is shorter. No luck is involved: the job cannot end before we say so.


# %%
class PatientPool(ThreadPoolExecutor):
    """A pool whose `submit` returns when the job has begun, so that no run of luck decides."""

    def submit(self, job):
        begun = threading.Event()
        future = super().submit(lambda: (begun.set(), job()))
        begun.wait()
        return future


def observe():
    """What the worker's caller is told, and the job's effects then and after the job went on."""
    worker = runpy.run_path(str(source))
    go_on, effects = threading.Event(), []

    def job():
        go_on.wait()
        effects.append("charged the card")

    with PatientPool(max_workers=1) as pool:
        try:
            worker["run"](pool, job, seconds=0.01)
            told = "done"
        except Exception as error:
            told = type(error).__name__
        at_timeout = list(effects)
        go_on.set()
    return told, at_timeout, effects


told, at_timeout, afterwards = observe()
assert told == "TimeoutError"
assert at_timeout == []
assert afterwards == ["charged the card"]
told, at_timeout, afterwards

# %% [markdown]
# The caller was told `TimeoutError`, and the card was charged all the same. The hypothesis is
# refuted: `cancel()` only stops a job that has not begun. What was tried and failed is recorded
# too, since it is the first thing that the next person would try.

# %%
attempt = checkout.attempt(
    "cancel the future when the time is up",
    observed_failure="the running job went on and its effect appeared after the timeout",
    assumption_invalidated="cancel() stops a job that is running",
    updated_hypothesis="a timeout ends the waiting; the outcome of the job is unknown",
    assessment=question,
    evidence=["runtime:a job held by an event, under a timeout of 10 ms"],
)
attempt

# %%
verdict = checkout.conclude(
    question,
    decision="a timeout is an unknown outcome, not a failure: raise OutcomeUnknown",
    rationale="a running job cannot be cancelled, so its effect may appear after the timeout; "
    "a caller that repeats it may do it twice, and must look for the effect first",
    evidence=["file:src/worker.py:6", f"record:{attempt}"],
    rejected=[
        "a timeout is a failure: refuted by the experiment",
        "wait without limit: a job that hangs would hang its caller",
    ],
    assumptions=["the effect of a job can be looked up by its caller"],
    risks=["a caller that catches Exception still repeats the job"],
    validation_plan=["the same job under the changed worker: the caller is told OutcomeUnknown"],
    confidence="high",
)
assert verdict.body.independent_review_count == 0
verdict

# %% [markdown]
# The decision is carried out, and the same experiment is run on the changed worker. Whether the
# decision held is a record of its own.

# %%
source.write_text(
    '''\
class OutcomeUnknown(Exception):
    """The waiting has ended, the job has not: look for its effect before running it again."""


def run(pool, job, seconds):
    future = pool.submit(job)
    try:
        return future.result(timeout=seconds)
    except TimeoutError:
        raise OutcomeUnknown(f"no outcome within {seconds} s") from None
''',
    encoding="utf-8",
)
told, at_timeout, afterwards = observe()
validation = checkout.validate(
    verdict,
    check="a job held beyond its timeout, under the changed worker",
    outcome="pass" if told == "OutcomeUnknown" else "fail",
    evidence=["file:src/worker.py:10"],
)
assert validation.body.outcome == "pass"
validation

# %% [markdown]
# ## Reading
#
# Some days later somebody meets the same question, in other letters. The standing decision
# answers it, by name; nobody is asked and nothing is decided twice.

# %%
again = checkout.assess(
    "Timeout  semantics of the WORKER",
    materiality="high",
    evidence=["file:src/worker.py:5"],
)
reuse = checkout.plan(again)
assert reuse.body.plan.outcome == "reuse_prior"
assert verdict.id in reuse.body.plan.reason
reuse

# %% [markdown]
# The report says what a later session needs first. The review count is computed from the
# records: nobody was asked, so it says *local reasoning*, and no field could claim otherwise.

# %% tags=["report"]
print(checkout.report())

# %% [markdown]
# The timeline tells how it came about.

# %% tags=["timeline"]
for step in checkout.state().timeline:
    print(f"{step.at[11:19]}  {step.phase:<11}  {step.summary}")

# %% [markdown]
# The evidence was pinned when it was cited. The worker has changed since, and the explanation of
# the decision says so: the line that the assessment rests on is gone, as decided.

# %%
drift = checkout.drift(checkout.explain(verdict))
for each in drift:
    print(f"{each.record.partition('-')[0]:<11}  {each.reference:<20}  {each.status}")
assert [each.status for each in drift] == ["line_changed", "line_changed", "unchanged"]

# %% [markdown]
# A verb that is called again with the same words writes nothing: it finds the record.

# %%
before = len(checkout.ledger)
same = checkout.validate(
    verdict,
    check="a job held beyond its timeout, under the changed worker",
    outcome="pass",
    evidence=["file:src/worker.py:10"],
)
assert same.reused
assert same.id == validation.id
assert len(checkout.ledger) == before == 7

# %% [markdown]
# ## Limits
#
# - One person reasoned here. The record says so; it does not make the decision wrong, and an
#   independent review of it can still be recorded later, under a new assessment with new evidence.
# - The experiment is about threads of one process. A job in another process can be ended, and
#   would need an experiment of its own.
# - That a validation passed says that the decision held there and then, not that it always will.
