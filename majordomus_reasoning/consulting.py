"""Asking the advisors that a plan selected, and running an experiment: the verbs that reach out."""

from __future__ import annotations

import re
import shlex
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from majordomus_reasoning.core.availability import Situation
from majordomus_reasoning.core.draft import LONGEST_TEXT
from majordomus_reasoning.core.ledger import Ledger
from majordomus_reasoning.core.records import Assessment, Consultation, Exchange, Plan, Record
from majordomus_reasoning.core.redaction import clean_text, shown
from majordomus_reasoning.errors import NotFound, Refusal, StoreError
from majordomus_reasoning.handles import Handle
from majordomus_reasoning.store.evidence import excerpt
from majordomus_reasoning.store.files import Written
from majordomus_reasoning.verbs import Named, Verbs

if TYPE_CHECKING:
    from majordomus_reasoning.advisors.cancellation import Cancellation
    from majordomus_reasoning.advisors.driver import FindAdapter
    from majordomus_reasoning.advisors.outcome import Outcome
    from majordomus_reasoning.advisors.question import Question

RUN_SECONDS = 600.0
SHELL_WORDS = frozenset({"|", "||", "&&", "&", ";", ">", ">>", "<", "2>", "2>&1"})
Progress = Callable[[Handle], object]


class Answers(Mapping[str, Handle]):
    """The outcomes under a plan by advisor, in plan order: each advisor's answer, else its last.

    Given to `conclude`, those that completed are cited.
    """

    def __init__(self, handles: Mapping[str, Handle]) -> None:
        self._handles = dict(handles)

    def __getitem__(self, advisor: str) -> Handle:
        return self._handles[advisor]

    def __iter__(self) -> Iterator[str]:
        return iter(self._handles)

    def __len__(self) -> int:
        return len(self._handles)

    @property
    def completed(self) -> tuple[Handle, ...]:
        """The answers, without what did not complete."""
        return tuple(each for each in self.values() if each.body.status == "completed")

    def __repr__(self) -> str:
        return "\n".join(map(repr, self.values())) or "nobody was asked"

    def _repr_html_(self) -> str:
        return "".join(each._repr_html_() for each in self.values()) or "nobody was asked"


class CommandEvidence(dict[str, str]):
    """`command` evidence of a run: the command line, and in the note how it ended; no output.

    `reused` says that it was recorded before, and nothing ran.
    """

    reused = False

    @property
    def exit_code(self) -> int | None:
        """The exit code that the note tells, None where it tells none."""
        told = re.match(r"exit (-?\d+)", self.get("note", ""))
        return int(told[1]) if told else None


def _words(command: str) -> list[str]:
    if not isinstance(command, str):
        raise Refusal("invalid_value", "the command is no text: write it as one line.", "command")
    try:
        words = shlex.split(command)
    except ValueError as error:  # a quotation that never closes
        message = f"the command cannot be read ({error}): close what is open."
        raise Refusal("invalid_value", message.lower(), "command") from None
    if not words:
        raise Refusal("blank_field", "the command is blank: name one.", "command")
    if SHELL_WORDS & set(words):
        message = "no shell reads the command: name sh -c and quote what the shell is to read."
        raise Refusal("invalid_value", message, "command")
    return words


class Consulting(Verbs):
    """The verbs that reach beyond the records: `consult` and `run`."""

    root: Path
    environment: Mapping[str, str]
    adapters: FindAdapter | None
    fixed_duration_ms: int | None

    @property
    @abstractmethod
    def ledger(self) -> Ledger:
        """All records, in order."""

    @abstractmethod
    def situation(self) -> Situation:
        """Mode, catalogue, presence and the rest, as they are now."""

    @abstractmethod
    def head(self) -> str | None:
        """The commit that the checkout is on."""

    @abstractmethod
    def record_asked(self, body: Mapping[str, Any], exchange: Exchange) -> Written:
        """Record the outcome of an exchange that was performed here."""

    def question(
        self,
        about: Named,
        *,
        asked: str | None = None,
        excerpts: bool = True,
        prior_opinions: Iterable[str] = (),
    ) -> Question:
        """Exactly what each advisor would be sent; its `text` is all that would leave.

        `about` is a plan, or any other record of the assessment. `asked` replaces the assessment's
        own questions. With `excerpts`, each cited file is shown around its line, secrets taken out.
        `prior_opinions` are shown as opinions, without names.
        Raises NotFound where there is no such record, or it belongs to no assessment; Refusal where
        the question is longer than a record can hold, since its outcome could not be kept.
        """
        from majordomus_reasoning.advisors.asking import reviewer_names
        from majordomus_reasoning.advisors.question import Excerpt, question

        assessment = self._assessment(about)
        shown = []
        for each in assessment.evidence if excerpts else ():
            text = excerpt(self.root, each.reference) if each.kind == "file" else None
            if text is not None:
                shown.append(Excerpt(each.reference, text))
        made = question(
            assessment,
            asked=asked,
            excerpts=shown,
            opinions=tuple(prior_opinions),
            hidden_names=reviewer_names(self.situation().catalogue),
        )
        if len(made.asked) > LONGEST_TEXT:
            told = f"the question has {len(made.asked)} characters: {LONGEST_TEXT} is the most."
            raise Refusal("invalid_value", told, "question")
        return made

    async def consult(
        self,
        plan: Named,
        *,
        asked: str | None = None,
        excerpts: bool = True,
        prior_opinions: Iterable[str] = (),
        deadline: float | None = None,
        again: bool = False,
        on_outcome: Progress | None = None,
        cancel: Cancellation | None = None,
    ) -> Answers:
        """Ask all that a plan selected and who have no outcome yet, at once; record each outcome.

        Returns the outcomes under the plan. `again` asks those anew who did not complete. Each
        outcome is recorded as it becomes known, and `on_outcome` called with its handle. After
        `deadline` seconds (180 unless given) whoever has not answered is a timeout.
        """
        from majordomus_reasoning.advisors.adapters import find_adapter
        from majordomus_reasoning.advisors.consult import DEADLINE_SECONDS, consult

        planned = self._plan(plan)
        waiting = self.unasked(planned.id, again=again)
        if waiting:
            question = self.question(
                planned.id, asked=asked, excerpts=excerpts, prior_opinions=prior_opinions
            )

            def report(outcome: Outcome) -> None:
                handle = self._record_outcome(planned.id, outcome)
                if on_outcome:
                    on_outcome(handle)

            await consult(
                planned.body,
                question,
                catalogue=self.situation().catalogue,
                environment=self.environment,
                folder=self.root,
                adapters=self.adapters or find_adapter,
                only=waiting,
                deadline=DEADLINE_SECONDS if deadline is None else deadline,
                cancel=cancel,
                on_outcome=report,
                in_plan_order=self.fixed_duration_ms is not None,
            )
        return self.answers(planned.id)

    def consult_sync(
        self, plan: Named, *, cancel: Cancellation | None = None, **options: Any
    ) -> Answers:
        """What `consult` does, for a script; the options are the same."""
        from majordomus_reasoning.advisors.cancellation import Cancellation
        from majordomus_reasoning.advisors.consult import wait_for

        wish = cancel or Cancellation()
        return wait_for(self.consult(plan, cancel=wish, **options), wish)

    def unasked(self, plan: Named, *, again: bool = False) -> tuple[str, ...]:
        """Whom a plan selected and who has no outcome under it, in plan order.

        With `again`, those too who did not complete.
        """
        planned = self._plan(plan)
        outcomes = self.ledger.children(planned.id, Consultation)
        settled = {
            each.body.advisor for each in outcomes if not again or each.body.status == "completed"
        }
        selected = (each.advisor for each in planned.body.plan.selected)
        return tuple(advisor for advisor in selected if advisor not in settled)

    def answers(self, plan: Named) -> Answers:
        """The outcomes under a plan, as they are recorded."""
        planned = self._plan(plan)
        found: dict[str, Record[Consultation]] = {}
        for each in self.ledger.children(planned.id, Consultation):
            known = found.get(each.body.advisor)
            if known is None or known.body.status != "completed":
                found[each.body.advisor] = each
        names = (each.advisor for each in planned.body.plan.selected)
        return Answers({name: Handle(found[name], reused=True) for name in names if name in found})

    def run(
        self,
        command: str,
        *,
        evidence_for: Named | None = None,
        again: bool = False,
        deadline: float = RUN_SECONDS,
    ) -> CommandEvidence:
        """Run a command in the checkout, and return it as evidence; its output is not kept.

        The note tells the exit code, the digest of the output and the commit. With `evidence_for`,
        a run that is recorded already for that assessment (any of its records) is returned instead,
        unless `again`. Raises NotFound where the command is not there, StoreError where it does not
        end in time.
        """
        words = _words(command)
        if evidence_for is not None and not again:
            recorded = self.recorded_run(command, evidence_for)
            if recorded is not None:
                return recorded
        return self._ran(command, words, deadline)

    def recorded_run(self, command: str, owner: Named | None) -> CommandEvidence | None:
        """The latest recorded evidence of a command, of one assessment or (None) of any."""
        ledger = self.ledger
        records: Iterable[Record[Any]] = ledger
        if owner is not None:
            record = ledger.get(str(owner))
            assessment = ledger.assessment_of(record) if record else None
            records = ledger.chain(assessment.id) if assessment else ()
        cleaned = clean_text(command)[0]
        for each in reversed([*records]):
            for cited in getattr(each.body, "evidence", ()):
                if cited.kind == "command" and cited.reference == cleaned:
                    found = CommandEvidence(cited.plain())
                    found.reused = True
                    return found
        return None

    def _ran(self, command: str, words: list[str], deadline: float) -> CommandEvidence:
        from majordomus_reasoning.advisors.cancellation import Cancellation
        from majordomus_reasoning.advisors.consult import wait_for
        from majordomus_reasoning.advisors.driver import run_command
        from majordomus_reasoning.advisors.failures import AdvisorFailure

        wish = Cancellation()
        running = run_command(tuple(words), self.environment, self.root, deadline, wish)
        try:
            ended = wait_for(running, wish)
        except AdvisorFailure as failed:
            if failed.reason != "not_installed":
                raise StoreError(shown(command), f"it cannot be run ({failed.reason})") from None
            remedy = "name an executable on the PATH, or the path of one"
            raise NotFound(f"the command {shown(words[0])!r}", remedy) from None
        if ended.timed_out:
            reason = f"the command did not end within {deadline:g} s, give it more"
            raise StoreError(shown(command), reason)
        commit = self.head()
        note = f"exit {ended.exit_code}; output sha256 {ended.digest}"
        if commit:
            note += f"; commit {commit}"
        return CommandEvidence(kind="command", reference=command, note=note)

    def _record_outcome(self, plan: str, outcome: Outcome) -> Handle:
        if self.fixed_duration_ms is not None:
            outcome = replace(outcome, duration_ms=self.fixed_duration_ms)
        written = self.record_asked(outcome.body(plan), outcome.exchange)
        return Handle(written.record)

    def _plan(self, plan: Named) -> Record[Plan]:
        found = self.ledger.find(str(plan), Plan)
        if found is None:
            raise NotFound(f"the plan {shown(plan)!r}", "record one with plan()")
        return found

    def _assessment(self, about: Named) -> Assessment:
        record = self.ledger.get(str(about))
        found = self.ledger.assessment_of(record) if record else None
        if found is None:
            raise NotFound(f"the assessment of {shown(about)!r}", "name a plan or an assessment")
        return found.body
