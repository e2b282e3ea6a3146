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
# # Reading a history: whom could we rely on?
#
# **Question.** For three months, seven advisors were asked about six tasks. Which of them could be
# asked when it mattered, what did it cost to rely on each, and whom did evidence favour where they
# disagreed?

# %% [markdown]
# ## Data
#
# The sample history: invented, but admitted record by record under the same rules as a real one.
# It is opened frozen. Nobody is asked, nothing is written, and the clock stands at the end of
# November, so that this page is the same everywhere.

# %%
from pathlib import Path

import pandas as pd

import majordomus_reasoning as mr

here = Path.cwd()
data = next(each / "data" for each in (here, *here.parents) if (each / "data/sample").is_dir())
history = mr.open(data / "sample", share=data / "share", now="2026-11-30T12:00:00Z")
history

# %% [markdown]
# A row for each kind of record, a column for each month.

# %%
records = history.records(columns=["kind", "recorded_at"])
assert len(records) > 1500
pd.crosstab(records["kind"], records["recorded_at"].dt.strftime("%B").rename("2026"))[
    ["September", "October", "November"]
]

# %% [markdown]
# Three files of the store are no records. They are listed with the reason, never dropped in
# silence; all else was read.

# %%
unreadable = history.unreadable(columns=["task", "field", "error"])
assert len(unreadable) == 3
unreadable

# %% [markdown]
# ## Method
#
# Each part of the question is one or two tables, counted by advisor.
#
# | part | table | a row is |
# |---|---|---|
# | could it be asked? | `advisor_states` | an advisor at the moment of one plan |
# | why not? | `failures` | an advisor asked once, without an answer |
# | for how long? | `circuits` | an interval of one advisor |
# | what did it cost? | `consultations` | an advisor asked once |
# | whom did evidence favour? | `positions` | who held what in a disagreement |
#
# **Could it be asked?** At every plan the state of every advisor was written down. A circuit opens
# when an advisor fails twice, is rate limited or is refused, and it is not asked meanwhile.

# %%
states = history.advisor_states()
could = pd.crosstab(states["advisor"], states["status"])
could

# %% [markdown]
# `disabled` is a choice: mode, task or budget left the advisor out. `temporarily_failed` and
# `rate_limited` are not, and two advisors have all of them.

# %%
out = could[["temporarily_failed", "rate_limited"]].sum(axis="columns")
assert set(out[out > 0].index) == {"alder", "birch"}

failures = history.failures()
reasons = pd.crosstab(failures["advisor"], failures["status"])
reasons

# %% [markdown]
# *When* was that? The days with the most failures tell three stories: an outage of `alder`, a storm
# of rate limits that hit two, and a week in which the credential of `birch` was wrong. An hour of
# silence after a refused credential did not help: it was as wrong as before.

# %%
days = failures.assign(day=failures["at"].dt.strftime("%Y-%m-%d"))
days = days.groupby(["day", "advisor", "status"], observed=True).agg(
    failures=("record_id", "size"), minutes_out=("seconds_out", lambda each: each.sum() // 60)
)
worst = days.sort_values(["failures", "minutes_out"], ascending=False).head(10).sort_index()
assert {"unavailable", "rate_limited", "auth_failed"} <= set(worst.index.get_level_values("status"))
worst

# %% [markdown]
# One day of the outage, as the circuit of `alder` went through it: open while nobody may ask,
# *recovering* from the end of the cooldown until it is asked again.

# %%
circuits = history.circuits(advisor="alder")
day = circuits[circuits["start"].dt.strftime("%Y-%m-%d") == "2026-10-05"]
assert set(day["state"]) == {"open", "recovering"}
pd.DataFrame(
    {
        "from": day["start"].dt.strftime("%H:%M:%S"),
        "state": day["state"],
        "minutes": ((day["end"] - day["start"]).dt.total_seconds() / 60).round(1),
        "failures_so_far": day["failures"],
    }
).head(8)

# %% [markdown]
# **What did it cost?** Of all times that an advisor was asked: how many brought an answer, how long
# an answer took, and how much was written, where the adapter reported it.

# %%
asked = history.consultations()
answers = asked[asked["status"] == "completed"]
cost = pd.DataFrame(
    {
        "asked": asked.groupby("advisor").size(),
        "answered": answers.groupby("advisor").size(),
        "median_seconds": (answers.groupby("advisor")["duration_ms"].median() / 1000).round(1),
        "output_tokens": answers.groupby("advisor")["output_tokens"].sum(min_count=1),
    }
)
assert cost["median_seconds"].idxmax() == "linden"
cost

# %% [markdown]
# **Whom did evidence favour?** Not every question is disputed, and what most sources said decides
# nothing. Where positions could not all be right, an experiment settled it. Counted here are the
# settled positions of each advisor; the author of the question appears as `primary`.


# %%
def favoured(**filters):
    """Positions in settled disagreements, and how many evidence favoured, by who held them."""
    settled = history.positions(**filters).dropna(subset="favoured")
    counted = settled.groupby("advisor")["favoured"].agg(settled="size", favoured="sum")
    return counted.assign(share=(counted["favoured"] / counted["settled"]).round(2))


now = favoured()
now

# %% [markdown]
# Evidence did not side with the larger number: in a good part of the disagreements that had a
# majority, the minority was right.

# %%
disagreements = history.disagreements()
majority = disagreements.dropna(subset="evidence_agreed")
minority_was_right = int((~majority["evidence_agreed"]).sum())
assert minority_was_right > 10
pd.DataFrame(
    {
        "disagreements": [len(disagreements)],
        "settled": [int(disagreements["settled"].sum())],
        "with a majority": [len(majority)],
        "minority was right": [minority_was_right],
        "neither was right": [int((disagreements["favours"] == "neither").sum())],
    },
    index=[""],
)

# %% [markdown]
# ## Reading
#
# The three counts side by side. `kept_out` are the plans at which the advisor could not be asked
# for a failure of its own.

# %%
together = pd.DataFrame(
    {
        "kept_out": out,
        "answered_of_asked": (cost["answered"] / cost["asked"]).round(2),
        "median_seconds": cost["median_seconds"],
        "settled": now["settled"].drop("primary"),
        "share_favoured": now["share"].drop("primary"),
    }
).sort_values(["share_favoured", "settled"], ascending=False)
assert together.index[0] == "linden"
assert set(together.index[-2:]) == {"rowan", "sorrel"}
assert set(together["answered_of_asked"].nsmallest(2).index) == {"alder", "birch"}
together

# %% [markdown]
# - **`linden` was worth the wait.** It takes the better part of a minute, and some of its answers
#   never came in time; but evidence favoured four of five of its positions, and no other held as
#   many. `peer:tansy` has the same share, of few positions.
# - **`alder` and `birch` come first in the order of preference, and were out most often.** About
#   half of the times that they were asked brought an answer; evidence favoured about six of ten of
#   their positions.
# - **`rowan` and `sorrel` hardly ever left us alone**, and were wrong more often than right where
#   it came to a dispute. That they answer in seconds makes them quick, not reliable.
#
# **What did we know on 1 October?** The same table as of then, before the outage and the storm:
# nothing that was recorded later is in it. From a handful of positions each, `birch` looked nearly
# as good as `linden`, and `hazel` had been right every time.

# %%
then = favoured(as_of="2026-10-01T00:00:00Z")
assert then["settled"].sum() < now["settled"].sum() / 3
assert then["share"].idxmax() == "hazel"
then

# %% [markdown]
# **What is due?** A decision that nobody validated tells nothing about who was right. These wait
# longest; the table holds the plan of their authors for proving them.

# %%
due = history.due(columns=["subject", "materiality", "why", "age_days"])
assert due["age_days"].is_monotonic_decreasing
due.head(6)

# %%
conclusions = history.conclusions()
standing = conclusions["standing"].value_counts(sort=False).rename("conclusions")
assert int(standing["validation_failed"]) > 0
standing.to_frame().rename_axis("standing")

# %% [markdown]
# ## Limits
#
# - These are counts. Of a dozen positions a share of 0.8 says little, and no interval stands
#   beside it: that takes statistics, not a table. Nothing here is a ranking.
# - Who is asked follows from availability, capabilities and the order of preference. An advisor
#   that was asked about hard questions alone looks worse than it is.
# - Only disputed questions were settled by an experiment. An answer that everybody believed may be
#   as wrong, and does not show.
# - `favours` was judged by the one who asked. Two advisors of one source (`alder` and `hazel`) are
#   one opinion twice.
# - Time is counted for failures alone: that an advisor was `disabled` or had no credential stands
#   in `advisor_states`, at the moment of each plan, and nowhere else.
# - The history is invented. What it should show stands in `data/truth.json`.
