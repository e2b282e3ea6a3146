"""The sample history: made again byte for byte, admitted whole, and true to its hidden truth."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from itertools import pairwise
from math import sqrt

import pandas as pd
import pytest
from planting import PROJECT

import majordomus_reasoning as mr
from majordomus_reasoning.checks import Examined, run_checks
from majordomus_reasoning.core.words import instant
from majordomus_reasoning.store.files import Store

DATA = PROJECT / "data"
NOW = "2026-11-30T12:00:00Z"
TRUTH = json.loads((DATA / "truth.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def sample():
    return mr.open(DATA / "sample", share=DATA / "share", now=NOW)


@pytest.fixture(scope="module")
def consultations(sample) -> pd.DataFrame:
    return sample.consultations()


@pytest.fixture(scope="module")
def conclusions(sample) -> pd.DataFrame:
    return sample.conclusions()


def during(frame: pd.DataFrame, name: str) -> pd.DataFrame:
    """The rows of a table that lie in an incident and are of its advisors."""
    incident = next(each for each in TRUTH["incidents"] if each["name"] == name)
    within = frame["at"].between(instant(incident["start"]), instant(incident["end"]))
    return frame[within & frame["advisor"].isin(incident["advisors"])]


def words(column: pd.Series) -> set[str]:
    return set(column.dropna())


@pytest.mark.slow
def test_the_script_makes_the_same_bytes_again(tmp_path, files_of):
    command = [sys.executable, str(DATA / "generate.py"), str(tmp_path)]
    subprocess.run(command, check=True, cwd=PROJECT)

    made, kept = files_of(tmp_path / "sample"), files_of(DATA / "sample")
    assert [name for name in made.keys() | kept if made.get(name) != kept.get(name)] == []
    assert (tmp_path / "truth.json").read_bytes() == (DATA / "truth.json").read_bytes()


def test_the_checks_find_the_planted_files_and_nothing_else():
    examined = Examined(PROJECT, DATA / "share", Store(DATA / "sample"), instant(NOW))
    findings = run_checks(examined).findings

    assert [finding.subject for finding in findings] == TRUTH["unreadable"]
    assert {finding.check for finding in findings} == {"records"}


def test_it_holds_three_months_of_six_tasks(sample):
    records = sample.records(columns=["task", "recorded_at", "kind"])

    assert len(records) >= 1_500
    assert records["task"].nunique() == 6
    assert set(records["recorded_at"].dt.month) == {9, 10, 11}
    assert records["recorded_at"].max() <= instant(NOW)
    assert set(records["kind"]) == set(records["kind"].cat.categories)


def test_seven_advisors_answered_over_four_transports_asked_and_reported(consultations):
    answers = consultations[consultations["status"] == "completed"]

    assert words(answers["advisor"]) == set(TRUTH["advisors"])
    assert words(answers["transport"]) == {"api", "cli", "local_runtime", "peer"}
    assert words(answers["answer_origin"]) == {"asked", "reported"}
    assert answers["advisor"].value_counts().min() >= 20


def test_every_way_to_end_happened(consultations):
    assert words(consultations["status"]) == set(consultations["status"].cat.categories)


@pytest.mark.parametrize(
    ("incident", "statuses", "reason"),
    [
        ("outage", {"unavailable", "timeout"}, "consecutive_failures"),
        ("storm of rate limits", {"rate_limited"}, "rate_limited"),
        ("wrong credential", {"auth_failed"}, "authentication_failed"),
    ],
)
def test_in_an_incident_circuits_open_and_the_advisor_returns_as_recovering(
    sample, consultations, incident, statuses, reason
):
    failed = during(consultations, incident)
    failed = failed[failed["status"] != "completed"]
    states = during(sample.advisor_states(), incident)

    assert len(failed) >= 8
    assert Counter(failed["status"]).most_common(1)[0][0] in statuses
    assert (states["reason"] == reason).any()
    assert states["recovering"].any()


def test_one_advisor_is_slow_and_sometimes_too_slow(consultations):
    by_advisor = consultations.groupby("advisor")
    median = by_advisor["duration_ms"].median()
    timeouts = (consultations["status"] == "timeout").groupby(consultations["advisor"]).sum()

    assert median.idxmax() == "linden"
    assert timeouts["linden"] >= 5


def test_evidence_settled_disagreements_for_the_minority_the_majority_and_neither(sample):
    disagreements = sample.disagreements()

    assert disagreements["evidence_agreed"].value_counts().min() >= 10
    assert (disagreements["favours"] == "neither").sum() >= 5
    assert (~disagreements["settled"]).sum() >= 5


def test_decisions_were_reused_superseded_and_refuted(sample, conclusions):
    assert (sample.assessments()["plan_outcome"] == "reuse_prior").sum() >= 20
    assert conclusions["superseded_by"].notna().sum() >= 20
    assert (conclusions["validations_failed"] > 0).sum() >= 10
    assert (conclusions["standing"] == "validation_failed").any()


def test_answers_and_disagreements_came_after_the_decision(conclusions):
    late = conclusions["unweighed_since"].dropna().str.cat(sep=", ")

    assert late.count("consultation-") >= 5
    assert late.count("disagreement-") >= 1


def test_advisors_were_absent_for_every_reason_of_its_time(sample):
    reasons = words(sample.advisor_states()["reason"])

    assert reasons >= {
        *("present", "peer_linked", "executable_not_found", "credential_absent"),
        *("mode_offline", "mode_ci", "disabled_by_configuration"),
    }


def test_a_secret_in_a_diagnostic_was_removed(sample):
    assert words(sample.records()["redacted"]) == {"bearer-token"}


def test_the_truth_names_the_answers_and_the_assessments_that_are_there(sample, consultations):
    answers = consultations[consultations["status"] == "completed"]

    assert set(TRUTH["answers"]) == words(answers["record_id"])
    assert set(TRUTH["assessments"]) == words(sample.assessments()["record_id"])


@pytest.mark.parametrize("advisor", TRUTH["advisors"])
def test_answers_are_right_as_often_as_the_truth_says(consultations, advisor):
    """Within three standard deviations of the sum of the single probabilities."""
    truth = TRUTH["advisors"][advisor]
    answers = consultations[consultations["record_id"].isin(TRUTH["answers"])]
    decided = [
        (truth["right"][answer.confidence] + truth["shift"].get(answer.materiality, 0), right)
        for answer in answers[answers["advisor"] == advisor].itertuples()
        if (right := TRUTH["answers"][answer.record_id]) is not None
    ]
    expected = sum(chance for chance, _ in decided)
    deviation = sqrt(sum(chance * (1 - chance) for chance, _ in decided))

    assert abs(sum(right for _, right in decided) - expected) <= 3 * deviation


def test_evidence_favours_the_positions_that_are_true_and_no_other(sample):
    """The experiments of this history never mislead."""
    held = sample.positions().dropna(subset=["consultation_id", "favoured"])
    right = held["consultation_id"].map(TRUTH["answers"])

    assert list(held["favoured"]) == list(right)


def test_the_circuits_tile_the_observed_time(sample):
    for _advisor, intervals in sample.circuits().groupby("advisor"):
        assert all(
            one["end"] == other["start"]
            for one, other in pairwise(intervals.to_dict(orient="records"))
        )
