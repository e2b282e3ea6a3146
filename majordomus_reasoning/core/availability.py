"""Who may be asked: presence, mode and recorded outcomes become a state for every advisor.

Absence is a status, never an error. Nothing here asks an advisor anything: a failure is learned by
asking and is read back from the records.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from majordomus_reasoning.core.catalogue import Advisor, Catalogue
from majordomus_reasoning.core.ledger import Ledger
from majordomus_reasoning.core.records import AdvisorState, Circuit, Consultation, Record
from majordomus_reasoning.core.words import (
    MODES,
    TRANSIENT,
    AdvisorStatus,
    Mode,
    Reason,
    Transport,
    to_stamp,
)

SKEW = timedelta(seconds=300)
MODE_VARIABLE = "MAJORDOMUS_REASONING_MODE"
CI_VARIABLE = "CI"


class ModeSource(NamedTuple):
    """The reasoning mode, and what decided it."""

    mode: Mode
    source: str


def resolve_mode(
    environment: Mapping[str, str], profile: str | None, declared: str | None
) -> ModeSource:
    """The mode: the variable, else CI, else the profile, else `standard`.

    A word that names no mode is skipped.

    >>> resolve_mode({"CI": "true"}, "deep-work", "strict")
    ModeSource(mode='ci', source='CI')
    """
    named = as_mode(environment.get(MODE_VARIABLE, "").strip())
    if named:
        return ModeSource(named, MODE_VARIABLE)
    if environment.get(CI_VARIABLE, "").lower() not in {"", "0", "false"}:
        return ModeSource("ci", CI_VARIABLE)
    by_profile = as_mode(declared)
    if by_profile:
        return ModeSource(by_profile, f"profile {profile}")
    return ModeSource("standard", "default")


def as_mode(word: str | None) -> Mode | None:
    """The mode that a word names, None for any other word."""
    return next((mode for mode in MODES if mode == word), None)


class Standing(NamedTuple):
    """What the recorded outcomes say of an advisor; `status` None when they say nothing."""

    status: AdvisorStatus | None = None
    reason: Reason | None = None
    circuit: Circuit | None = None
    recovering: bool = False


@dataclass(frozen=True)
class CircuitPolicy:
    """The thresholds and cooldowns (seconds) that open and close an advisor's circuit."""

    consecutive_failures: int = 2
    failure_seconds: int = 600
    rate_limit_seconds: int = 900
    authentication_seconds: int = 3_600
    override_seconds: int | None = None

    def standing(self, newest_first: Iterable[Record[Consultation]], now: datetime) -> Standing:
        """What an advisor's outcomes, newest first, say at `now`.

        The newest that was not withdrawn decides; reading stops where the run of failures ends.
        """
        told = (
            outcome
            for outcome in newest_first
            if outcome.body.status != "cancelled" and outcome.at - now <= SKEW
        )
        newest = next(told, None)
        if newest is None:
            return Standing()
        failures = 1
        if newest.body.status in TRANSIENT:
            for outcome in told:
                if outcome.body.status not in TRANSIENT:
                    break
                failures += 1
        return self._judged(newest, failures, now)

    def _judged(self, newest: Record[Consultation], failures: int, now: datetime) -> Standing:
        status: AdvisorStatus = "temporarily_failed"
        reason: Reason
        if newest.body.status == "auth_failed":
            reason, seconds = "authentication_failed", self.authentication_seconds
        elif newest.body.status == "rate_limited":
            status = reason = "rate_limited"
            named = newest.body.retry_after_seconds
            seconds = self.rate_limit_seconds if named is None else named
        elif newest.body.status in TRANSIENT and failures >= self.consecutive_failures:
            reason, seconds = "consecutive_failures", self.failure_seconds
        else:
            return Standing()
        if self.override_seconds is not None:
            seconds = self.override_seconds
        until = newest.at + timedelta(seconds=seconds)
        if now >= until:
            return Standing(recovering=True)
        circuit = Circuit(opened_by=newest.id, failures=failures, until=to_stamp(until))
        return Standing(status, reason, circuit)


@dataclass(frozen=True)
class Presence:
    """What is on this machine: names found, never contents or values."""

    executables: frozenset[str] = frozenset()
    variables: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Peer:
    """A linked runtime and the features it carries."""

    runtime: str
    name: str
    features: tuple[str, ...] = ()


@dataclass(frozen=True)
class Situation:
    """All that availability and policy depend on beside the records and the clock."""

    mode: ModeSource = ModeSource("standard", "default")
    catalogue: Catalogue = Catalogue()
    presence: Presence = Presence()
    disabled: frozenset[str] = frozenset()
    peers: tuple[Peer, ...] = ()
    circuit_policy: CircuitPolicy = CircuitPolicy()

    def states(self, ledger: Ledger, now: datetime) -> tuple[AdvisorState, ...]:
        """The state of every advisor at `now`: the declared ones in order, then the peers."""
        declared = (self._declared(advisor) for advisor in self.catalogue.advisors.advisors)
        candidates: dict[str, _Candidate] = {}
        for candidate in (*declared, *self._linked()):
            # An id that is declared twice is a finding; here its first declaration counts.
            candidates.setdefault(str(candidate.facts["id"]), candidate)
        return tuple(self._state(each, ledger, now) for each in candidates.values())

    def _declared(self, advisor: Advisor) -> _Candidate:
        source = self.catalogue.source(advisor)
        credential = self.catalogue.credential(advisor) if advisor.transport == "api" else None
        present, reason, probe = self._presence(advisor, credential)
        return _Candidate(
            {
                "id": advisor.id,
                "title": advisor.title,
                "transport": advisor.transport,
                "adapter": advisor.adapter,
                "capabilities": advisor.capabilities,
                "source": None if source == advisor.adapter else source,
                "model": advisor.model,
                "executable": advisor.executable,
                "credential": credential,
                "probe": probe,
            },
            advisor.transport,
            present,
            reason,
        )

    def _presence(
        self, advisor: Advisor, credential: str | None
    ) -> tuple[AdvisorStatus, Reason, str]:
        if advisor.transport == "peer":
            return "unavailable", "peer_declared_statically", "a runtime is linked, not declared"
        if advisor.transport == "api":
            if credential is None:
                return "not_configured", "credential_undeclared", "no credential variable declared"
            probe = f"credential variable {credential} set"
            if credential in self.presence.variables:
                return "available", "present", probe
            return "not_configured", "credential_absent", probe
        if not advisor.executable:
            return "unavailable", "executable_undeclared", "no executable declared"
        probe = f"executable {advisor.executable} on PATH"
        if advisor.executable in self.presence.executables:
            return "available", "present", probe
        return "unavailable", "executable_not_found", probe

    def _linked(self) -> Iterable[_Candidate]:
        declaration = self.catalogue.advisors.peers
        if declaration is None:
            return
        for peer in sorted(self.peers, key=lambda peer: peer.runtime):
            if declaration.feature in peer.features:
                facts = {
                    "id": f"peer:{peer.runtime}",
                    "title": peer.name,
                    "transport": "peer",
                    "adapter": declaration.adapter,
                    "capabilities": declaration.capabilities,
                    "probe": f"runtime {peer.runtime} linked",
                }
                yield _Candidate(facts, "peer", "available", "peer_linked")

    def _gate(self, candidate: _Candidate) -> Reason | None:
        if self.mode.mode == "ci":
            return "mode_ci"
        if self.mode.mode == "offline" and candidate.transport != "local_runtime":
            return "mode_offline"
        if self.disabled & {"all", str(candidate.facts["id"])}:
            return "disabled_by_configuration"
        return None

    def _state(self, candidate: _Candidate, ledger: Ledger, now: datetime) -> AdvisorState:
        gate = self._gate(candidate)
        status: AdvisorStatus = "disabled" if gate else candidate.status
        reason = gate or candidate.reason
        standing = Standing()
        if status == "available":
            outcomes = reversed(ledger.outcomes(str(candidate.facts["id"])))
            standing = self.circuit_policy.standing(outcomes, now)
        facts = {
            **candidate.facts,
            "status": standing.status or status,
            "reason": standing.reason or reason,
            "recovering": standing.recovering,
            "circuit": standing.circuit,
        }
        known = {name: value for name, value in facts.items() if value is not None}
        return AdvisorState.model_validate(known)


class _Candidate(NamedTuple):
    facts: Mapping[str, object]
    transport: Transport
    status: AdvisorStatus
    reason: Reason
