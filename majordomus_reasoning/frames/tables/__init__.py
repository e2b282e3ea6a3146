"""One module per table: its columns as data, its rows. `TABLES` holds them in a fixed order."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from majordomus_reasoning.frames.table import Table
from majordomus_reasoning.frames.tables import (
    advisor_states,
    assessments,
    circuits,
    conclusions,
    consultations,
    disagreements,
    due,
    evidence,
    failures,
    positions,
    records,
    selections,
    timeline,
    unreadable,
)

TABLES: Mapping[str, Table] = MappingProxyType(
    {
        module.TABLE.name: module.TABLE
        for module in (
            records,
            timeline,
            assessments,
            consultations,
            advisor_states,
            selections,
            disagreements,
            positions,
            conclusions,
            due,
            evidence,
            failures,
            circuits,
            unreadable,
        )
    }
)
