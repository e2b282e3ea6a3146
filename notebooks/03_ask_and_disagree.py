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
# # Asking and disagreeing: do time stamps sort as text?
#
# **Question.** A log writes its time stamps as ISO 8601 texts in UTC, and a report sorts the
# events by that text. Is the order of the texts the order of the moments? Three independent
# reviewers are asked and do not agree. What may decide: how many hold what, how sure they are,
# or what can be observed?
#
# **The reviewers of this page are scripted.** Their answers were written for it, by its author.
# They are asked as real ones are, through the same adapters, over real connections to a server on
# this machine. What they say shows how answers are handled, and is no opinion of any model.

# %% [markdown]
# ## Data
#
# A fresh checkout with the two functions that the question is about, and the script of the three
# reviewers. Each answers in the dialect of its service; the first to be asked takes the longest.

# %%
import contextlib
import json
import runpy
import sys
import tempfile
from pathlib import Path

from majordomus_reasoning.testing import ScriptedServer, deterministic_checkout

SCRIPT = {
    "openai": [
        {
            "after": 0.2,
            "answer": {
                "conclusion": "The order of the texts is the order of the moments: ISO 8601 was "
                "made so, and all stamps are in UTC.",
                "stance": "supports",
                "confidence": "high",
                "assumptions": ["all stamps carry the same offset"],
                "falsifiers": ["a stamp of another offset in the log"],
                "actions": ["look for a stamp that does not end in Z"],
            },
        }
    ],
    "anthropic": [
        {
            "after": 0.1,
            "answer": {
                "conclusion": "The orders differ: isoformat() leaves the fraction out where it is "
                "nought, and a full stop sorts before the letter Z.",
                "stance": "opposes",
                "confidence": "low",
                "risks": ["an event on a full second is reported after later ones"],
                "falsifiers": ["no pair out of order among stamps with and without a fraction"],
                "actions": ["sort stamps around a full second and count the pairs out of order"],
            },
        }
    ],
    "gemini": [
        {
            "answer": {
                "conclusion": "Write every stamp with the same number of digits; then it does not "
                "matter how the texts sort today.",
                "stance": "alternative",
                "confidence": "medium",
                "risks": ["stamps that were written before keep their width"],
            }
        }
    ],
}
LOG = '''\
"""What a log writes of a moment, and the order in which a report reads it."""


def stamp(moment):
    return moment.isoformat().replace("+00:00", "Z")


def in_order(events):
    return sorted(events, key=lambda event: event["at"])
'''

services = contextlib.ExitStack()
server = services.enter_context(ScriptedServer(SCRIPT))
tools = Path(services.enter_context(tempfile.TemporaryDirectory()))
(tools / "python3").symlink_to(sys.executable)

checkout = deterministic_checkout(
    seed=3,
    environment={
        **server.environment,
        "PATH": str(tools),
        "MAJORDOMUS_REASONING_MODE": "strict",
    },
)
source = checkout.root / "log.py"
source.write_text(LOG, encoding="utf-8")
checkout

# %% [markdown]
# The addresses of the three services in this checkout's environment lead to the scripted server,
# and the credentials are made up.

# %% [markdown]
# ## Method
#
# State the uncertainty and the hypothesis, plan, look at what would leave the machine, ask, state
# the disagreement with the question that decides it, and let an experiment answer that question.

# %%
TEXT_ORDER = "the order of the texts is the order of the moments"
OTHER_ORDER = "the orders differ where one of two stamps has no fraction"

question = checkout.assess(
    "order of the log's time stamps",
    materiality="critical",
    hypothesis=TEXT_ORDER,
    facts=["every moment is in UTC before it is written"],
    assumptions=["texts in ISO 8601 sort as the moments they name"],
    questions=["Can a report sort the events by the text of their stamps?"],
    evidence=["file:log.py:5"],
)
plan = checkout.plan(question)
assert [each.advisor for each in plan.body.plan.selected] == ["chatgpt", "claude", "gemini-api"]
plan

# %% [markdown]
# Nothing has been sent yet. This is the whole of what each of them would be sent: one text, the
# same for all, with the cited file around its line. It marks the hypothesis as an opinion
# and names nobody who holds it.

# %%
sent = checkout.question(plan)
assert sent.redacted == ()
print(sent)

# %% [markdown]
# All three are asked at once. Each outcome is recorded when it is known, here in the order of the
# plan.

# %%
answers = await checkout.consult(plan)
assert [*answers] == ["chatgpt", "claude", "gemini-api"]
assert len(answers.completed) == 3
answers

# %% [markdown]
# What the server received is what was shown, once for each; and of the answers the fields, sizes
# and digests were kept.

# %%
received = dict(server.requests)
texts = {
    "openai": received["openai"]["messages"][0]["content"],
    "anthropic": received["anthropic"]["messages"][0]["content"],
    "gemini": received["gemini"]["contents"][0]["parts"][0]["text"],
}
assert set(texts.values()) == {sent.text}
assert len(server.requests) == 3
exchange = answers["claude"].record.exchange
assert exchange.question_sha256 == sent.sha256
assert exchange.answer_bytes == len(json.dumps(SCRIPT["anthropic"][0]["answer"]))

# %% [markdown]
# Two of them cannot both be right, and one of the two agrees with the author of the hypothesis.
# The third proposes something that is useful whoever is right, so it takes no side. What is
# recorded is who holds what, and the question that tells the two apart. `claude` was the less sure
# of itself; that is not asked.

# %%
quarrel = checkout.disagree(
    question,
    {"primary": TEXT_ORDER, answers["chatgpt"]: TEXT_ORDER, answers["claude"]: OTHER_ORDER},
    decided_by="Is there a pair of stamps whose texts sort otherwise than their moments?",
)
quarrel

# %% [markdown]
# The experiment is the one that the minority named as the smallest: two seconds of moments, a
# hundredth apart, written by the log's own function; every pair is compared both ways.

# %%
experiment = checkout.root / "experiment.py"
experiment.write_text(
    """\
from datetime import datetime, timedelta, timezone
from itertools import combinations

from log import stamp

START = datetime(2026, 11, 30, 12, 0, tzinfo=timezone.utc)
moments = [START + timedelta(milliseconds=10 * step) for step in range(200)]
stamps = [stamp(moment) for moment in moments]
pairs = list(combinations(stamps, 2))
wrong = [pair for pair in pairs if pair[0] > pair[1]]

if __name__ == "__main__":
    print(f"{len(wrong)} of {len(pairs)} pairs are out of order")
    raise SystemExit(bool(wrong))
""",
    encoding="utf-8",
)
observed = checkout.run("python3 experiment.py", evidence_for=question)
assert observed.exit_code == 1
observed

# %% [markdown]
# It ended with 1: there are such pairs. The record keeps the exit code and the digest of what was
# printed. Looked at from here, the wrong pairs are these:

# %%
with contextlib.ExitStack() as importing:
    sys.path.insert(0, str(checkout.root))
    importing.callback(sys.path.remove, str(checkout.root))
    seen = runpy.run_path(str(experiment))

assert (len(seen["wrong"]), len(seen["pairs"])) == (198, 19_900)
assert all("." not in earlier and "." in later for earlier, later in seen["wrong"])
seen["wrong"][:2], seen["wrong"][-1]

# %% [markdown]
# In each of them the earlier stamp stands on a full second and has no fraction. The evidence
# favours the position that one of three held.

# %%
settled = checkout.resolve(
    quarrel,
    experiment="compare the order of 200 stamps, 10 ms apart, with that of their moments",
    outcome="198 of 19,900 pairs are out of order, each with a full second as the earlier stamp",
    favours=answers["claude"],
    evidence=[observed, "file:experiment.py:10"],
)
settled

# %% [markdown]
# The conclusion weighs every answer: it would be refused if one were left out, or while the
# disagreement was open. The answer that was right about the fault and the one that named the
# remedy are both in it, and the rejected one with the reason.

# %%
verdict = checkout.conclude(
    question,
    decision="write every stamp with six digits of the second, then sort the texts",
    rationale="without a fraction Z stands where a full stop stands otherwise, and sorts after it; "
    "texts of one width in one offset sort as their moments do",
    evidence=[observed, f"record:{settled}"],
    consultations=answers,
    disagreements=[quarrel],
    rejected=[
        "keep sorting the texts as they are: refuted by the experiment, however sure it was held",
        "parse every stamp before sorting: right too, but every reader of the log would have to",
    ],
    assumptions=["all stamps stay in UTC"],
    risks=["stamps that were written before keep their width: they are parsed once and rewritten"],
    validation_plan=["the same experiment on the changed function ends with 0"],
    confidence="high",
)
assert verdict.body.independent_review_count == 3
verdict

# %% [markdown]
# The review count was computed from the records: three answers, of three vendors. It says who was
# heard, and nothing about who was right.
#
# The decision is carried out, and the same experiment is run again.

# %%
source.write_text(
    LOG.replace("isoformat()", 'isoformat(timespec="microseconds")'), encoding="utf-8"
)
afterwards = checkout.run("python3 experiment.py", evidence_for=question, again=True)
validation = checkout.validate(
    verdict,
    check="the order of the same 200 stamps, written with six digits",
    outcome="pass" if afterwards.exit_code == 0 else "fail",
    evidence=[afterwards, "file:log.py:5"],
)
assert validation.body.outcome == "pass"
validation

# %% [markdown]
# ## Reading
#
# Who was asked, and what came of it. That the outcomes were asked for by this tool, and not
# reported to it, is told by `answer_origin`.

# %%
asked = checkout.consultations()
assert set(asked["answer_origin"]) == {"asked"}
asked[["advisor", "status", "stance", "confidence", "answer_origin", "model", "duration_ms"]]

# %% [markdown]
# Who held what, and which position the evidence favoured.

# %%
held = checkout.positions()
assert held.loc[held["favoured"], "advisor"].tolist() == ["claude"]
held[["advisor", "position", "favoured"]]

# %% [markdown]
# What most of them held is described beside what the evidence said. Nothing reads it to decide: a
# count would have kept the fault.

# %%
disputed = checkout.disagreements()
assert disputed["majority_position"].tolist() == [TEXT_ORDER]
assert not disputed["evidence_agreed"].any()
disputed[["favoured_advisor", "majority_position", "majority_share", "evidence_agreed"]].T

# %% [markdown]
# Asked again, nobody is asked: all have answered under this plan.

# %%
again = await checkout.consult(plan)
assert [each.id for each in again.values()] == [each.id for each in answers.values()]
assert len(server.requests) == 3
services.close()

# %% [markdown]
# The report tells the whole of it to whoever comes next.

# %%
print(checkout.report())

# %% [markdown]
# ## Limits
#
# - The reviewers are scripted. Whether a real one would have seen the fault is not shown, nor how
#   often the lone one is right: that is a question for the tables of many decisions.
# - Three answers of three vendors count as three sources. Models that learned from the same texts
#   can err alike, and no count of them would show it.
# - The experiment is about stamps in UTC, within two seconds, as this function writes them. Stamps
#   with other offsets do not sort as text either, and were not tried.
