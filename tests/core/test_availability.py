"""Every advisor's state: gates, presence, and what its recorded outcomes say."""

from __future__ import annotations

from datetime import timedelta

import pytest
from builders import outcome, situation
from hypothesis import given
from hypothesis import strategies as st

from majordomus_reasoning.core.availability import (
    CircuitPolicy,
    ModeSource,
    Peer,
    Presence,
    Situation,
    resolve_mode,
)
from majordomus_reasoning.core.catalogue import Advisors, Catalogue, Models, Providers, parse
from majordomus_reasoning.core.ledger import Ledger
from majordomus_reasoning.core.words import MODES
from majordomus_reasoning.testing import START

STATUSES = [
    "completed",
    "timeout",
    "rate_limited",
    "auth_failed",
    "malformed",
    "empty",
    "unavailable",
    "cancelled",
    "error",
]


def at(seconds: float):
    return START + timedelta(seconds=seconds)


def state_of(*outcomes, now: float, policy: CircuitPolicy | None = None):
    (state,) = situation("one", policy=policy).states(Ledger(outcomes), at(now))
    return state


@st.composite
def histories(draw):
    """Outcomes of two advisors; equal stamps now and then, in any order."""
    told = st.tuples(
        st.integers(0, 2_000), st.sampled_from(STATUSES), st.sampled_from(["one", "two"])
    )
    return [
        outcome(f"c{number}", seconds, status, advisor)
        for number, (seconds, status, advisor) in enumerate(draw(st.lists(told, max_size=8)))
    ]


@given(histories(), st.randoms(use_true_random=False), st.integers(0, 8_000))
def test_the_order_in_which_outcomes_are_listed_never_changes_a_circuit(records, random, now):
    shuffled = list(records)
    random.shuffle(shuffled)
    here = situation("one", "two")
    assert here.states(Ledger(records), at(now)) == here.states(Ledger(shuffled), at(now))


@given(histories(), st.integers(0, 8_000))
def test_an_advisor_is_kept_out_exactly_while_its_circuit_is_open(records, now):
    for state in situation("one", "two").states(Ledger(records), at(now)):
        assert (state.circuit is not None) == (state.status != "available")
        assert not (state.recovering and state.circuit)
        assert (state.reason == "present") == (state.status == "available")


@given(histories(), st.integers(0, 8_000))
def test_a_cancelled_outcome_changes_nothing(records, now):
    here = situation("one", "two")
    told = [record for record in records if record.body.status != "cancelled"]
    assert here.states(Ledger(records), at(now)) == here.states(Ledger(told), at(now))


@pytest.mark.parametrize(
    ("ahead", "status"),
    [(0, "temporarily_failed"), (300, "temporarily_failed"), (301, "available")],
)
def test_an_outcome_more_than_300_seconds_ahead_is_ignored(ahead, status):
    assert state_of(outcome("c", ahead, "auth_failed"), now=0).status == status


def test_with_an_outcome_from_the_future_the_one_before_it_decides():
    told = [outcome("c1", 0, "auth_failed"), outcome("c2", 10_000, "completed")]
    assert state_of(*told, now=5).circuit.opened_by == "c1"


def test_the_end_of_a_circuit_is_told_in_rfc_3339():
    state = state_of(outcome("c", 0.25, "auth_failed"), now=1)
    assert state.circuit.until == "2026-11-30T13:00:00.250Z"


def test_an_advisor_stays_recovering_until_it_answers():
    failed = outcome("c1", 0, "auth_failed")
    assert state_of(failed, now=10**7).recovering
    assert not state_of(failed, outcome("c2", 4_000, "completed"), now=4_001).recovering


@pytest.mark.parametrize("status", ["timeout", "unavailable", "error"])
def test_after_a_rate_limit_one_transient_failure_opens_nothing(status):
    told = [outcome("c1", 0, "rate_limited", retry_after_seconds=10), outcome("c2", 20, status)]
    state = state_of(*told, now=21)
    assert (state.status, state.recovering) == ("available", False)


@pytest.mark.parametrize(
    ("policy", "status", "until"),
    [
        (CircuitPolicy(failure_seconds=60), "timeout", 61),
        (CircuitPolicy(authentication_seconds=60), "auth_failed", 61),
        (CircuitPolicy(rate_limit_seconds=60), "rate_limited", 61),
        (CircuitPolicy(override_seconds=60), "auth_failed", 61),
        (CircuitPolicy(consecutive_failures=1), "timeout", 601),
        (CircuitPolicy(consecutive_failures=2), "timeout", 601),
    ],
)
def test_a_circuit_policy_varies_the_cooldowns(policy, status, until):
    told = [outcome("c1", 0, status), outcome("c2", 1, status)]
    assert state_of(*told, now=until - 0.001, policy=policy).circuit
    assert state_of(*told, now=until, policy=policy).recovering


def test_a_circuit_policy_varies_the_run_of_failures_that_opens():
    told = [outcome("c1", 0, "timeout"), outcome("c2", 1, "error")]
    assert state_of(*told, now=2, policy=CircuitPolicy(consecutive_failures=3)).circuit is None


def test_a_gated_or_absent_advisor_shows_no_circuit():
    failed = Ledger([outcome("c", 0, "auth_failed")])
    for here in (situation("one", mode="ci"), situation("one", absent=["one"])):
        (state,) = here.states(failed, at(1))
        assert (state.circuit, state.recovering) == (None, False)


DECLARED = [
    {"id": "keyed", "transport": "api", "vendor": "acme"},
    {"id": "keyless", "transport": "api", "vendor": "free"},
    {"id": "vendorless", "transport": "api"},
    {"id": "tool", "transport": "cli", "executable": "tool", "provider": "client"},
    {"id": "toolless", "transport": "cli"},
    {"id": "runtime", "transport": "local_runtime", "executable": "rt"},
    {"id": "static", "transport": "peer"},
]
VENDORS = [
    {"id": "acme", "title": "Acme", "inference": "remote", "credential_env": "ACME_KEY"},
    {"id": "free", "title": "Free", "inference": "local"},
]


def declared(mode="standard", present=(), peers=(), disabled=()) -> Situation:
    whole = [
        {"title": "T", "adapter": "x", "capabilities": ["code_review"], **each} for each in DECLARED
    ]
    block = {"feature": "reviews", "adapter": "mesh", "capabilities": ["code_review"]}
    advisors = {"version": 1, "advisors": whole, "peers": block}
    providers = {"version": 1, "providers": {"client": {"title": "C", "vendor": "acme"}}}
    return Situation(
        mode=ModeSource(mode, "default"),
        catalogue=Catalogue(
            parse(Advisors, advisors, "advisors.yaml"),
            parse(Models, {"version": 1, "vendors": VENDORS}, "models.yaml"),
            parse(Providers, providers, "providers.yaml"),
        ),
        presence=Presence(frozenset(present), frozenset(present)),
        peers=tuple(peers),
        disabled=frozenset(disabled),
    )


def reasons(here: Situation) -> dict[str, str]:
    states = here.states(Ledger(), START)
    return {state.id: f"{state.status}/{state.reason}" for state in states}


def test_presence_says_what_is_missing():
    assert reasons(declared()) == {
        "keyed": "not_configured/credential_absent",
        "keyless": "not_configured/credential_undeclared",
        "vendorless": "not_configured/credential_undeclared",
        "tool": "unavailable/executable_not_found",
        "toolless": "unavailable/executable_undeclared",
        "runtime": "unavailable/executable_not_found",
        "static": "unavailable/peer_declared_statically",
    }


def test_what_is_present_is_available():
    found = reasons(declared(present=["ACME_KEY", "tool", "rt"]))
    available = [name for name, reason in found.items() if reason == "available/present"]
    assert available == ["keyed", "tool", "runtime"]


def test_offline_gates_everything_but_local_runtimes_and_ci_everything():
    peer = Peer("n1", "one", ("reviews",))
    present = ["ACME_KEY", "tool", "rt"]
    offline = reasons(declared("offline", present, [peer]))
    assert offline.pop("runtime") == "available/present"
    assert set(offline.values()) == {"disabled/mode_offline"}
    assert set(reasons(declared("ci", present, [peer])).values()) == {"disabled/mode_ci"}


def test_the_disable_list_names_advisors_peers_or_all():
    peer = Peer("n1", "one", ("reviews",))
    found = reasons(declared(present=["rt"], peers=[peer], disabled=["runtime", "peer:n1"]))
    assert found["runtime"] == found["peer:n1"] == "disabled/disabled_by_configuration"
    assert found["tool"] == "unavailable/executable_not_found"
    every = reasons(declared(peers=[peer], disabled=["all"]))
    assert set(every.values()) == {"disabled/disabled_by_configuration"}


def test_linked_peers_follow_the_declared_ones_sorted_by_runtime():
    peers = [
        Peer("n2", "two", ("reviews",)),
        Peer("n1", "one", ("x", "reviews")),
        Peer("n0", "none", ("sessions",)),
    ]
    states = declared(peers=peers).states(Ledger(), START)
    assert [(state.id, state.reason, state.adapter) for state in states[len(DECLARED) :]] == [
        ("peer:n1", "peer_linked", "mesh"),
        ("peer:n2", "peer_linked", "mesh"),
    ]


def test_without_a_declaration_no_peer_is_an_advisor():
    linked = situation("one", peers=[Peer("n1", "one", ("reviews",))])
    assert [state.id for state in linked.states(Ledger(), START)] == ["one"]


def test_a_state_tells_its_source_where_that_is_not_its_adapter():
    sources = {state.id: state.source for state in declared().states(Ledger(), START)}
    known = {name: source for name, source in sources.items() if source}
    assert known == {"keyed": "acme", "keyless": "free", "tool": "acme"}


def test_a_state_names_the_variable_of_a_credential():
    (keyed, *_) = declared(present=["ACME_KEY"]).states(Ledger(), START)
    assert (keyed.credential, keyed.probe) == ("ACME_KEY", "credential variable ACME_KEY set")


@given(
    st.dictionaries(
        st.sampled_from(["MAJORDOMUS_REASONING_MODE", "CI", "OTHER"]),
        st.one_of(st.text(max_size=8), st.sampled_from(MODES)),
    ),
    st.one_of(st.none(), st.text(max_size=5)),
    st.one_of(st.none(), st.text(max_size=8), st.sampled_from(MODES)),
)
def test_mode_resolution_never_raises_and_always_names_a_mode(environment, profile, declared_mode):
    resolved = resolve_mode(environment, profile, declared_mode)
    assert resolved.mode in MODES
    sources = {"MAJORDOMUS_REASONING_MODE", "CI", f"profile {profile}", "default"}
    assert resolved.source in sources
