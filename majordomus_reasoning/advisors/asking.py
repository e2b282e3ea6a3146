"""From a recorded plan to what each adapter is told."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from majordomus_reasoning.advisors.contract import Asking
from majordomus_reasoning.advisors.question import Question
from majordomus_reasoning.core.catalogue import Catalogue
from majordomus_reasoning.core.records import AdvisorState, Plan


@dataclass(frozen=True)
class Selected:
    """One advisor to ask: the name of its adapter, and what that adapter is told."""

    adapter: str
    asking: Asking


def selected(
    plan: Plan,
    question: Question,
    catalogue: Catalogue,
    environment: Mapping[str, str],
    only: Collection[str] | None = None,
) -> tuple[Selected, ...]:
    """Whom a plan selected, in its order, as the plan's own snapshot describes them.

    `only` leaves out the others. No credential is among the variables that an adapter sees.
    """
    states = {state.id: state for state in plan.availability}
    secret = {vendor.credential_env for vendor in catalogue.models.vendors}
    secret |= {state.credential for state in plan.availability}
    visible = {name: value for name, value in environment.items() if name not in secret}
    names = [each.advisor for each in plan.plan.selected if only is None or each.advisor in only]
    return tuple(_selected(name, states.get(name), question, catalogue, visible) for name in names)


def _selected(
    advisor: str,
    state: AdvisorState | None,
    question: Question,
    catalogue: Catalogue,
    visible: Mapping[str, str],
) -> Selected:
    if state is None:  # a plan of another writer may hold no snapshot: no adapter has that name
        return Selected("", Asking(advisor, question.text, question.subject))
    model = catalogue.model(state.model)
    asking = Asking(
        advisor=advisor,
        question=question.text,
        subject=question.subject,
        model=model.native_id if model else None,
        executable=state.executable,
        credential=state.credential,
        environment=visible,
        parameters=model.parameters if model else {},
    )
    return Selected(state.adapter, asking)


def reviewer_names(catalogue: Catalogue) -> frozenset[str]:
    """The names by which an opinion could give its author away.

    Those of advisors, of models with their aliases, of vendors and of providers.
    """
    names = {name for each in catalogue.advisors.advisors for name in (each.id, each.title)}
    names |= {name for each in catalogue.models.vendors for name in (each.id, each.title)}
    for model in catalogue.models.models:
        names |= {model.id, model.native_id, *model.aliases}
    for name, provider in catalogue.providers.providers.items():
        names |= {name, provider.title}
    return frozenset(names)
