"""A new advisor: one entry in the catalogue and one function outside the package, nothing else."""

import asyncio

import pytest

from majordomus_reasoning.advisors.consult import consult
from majordomus_reasoning.advisors.question import question
from majordomus_reasoning.testing import deterministic_checkout

ADVISORS = """
version: 1
capabilities: [{id: independent_reasoning, description: reasons}]
advisors:
  - id: pythia
    title: The oracle
    transport: api
    adapter: oracle
    vendor: delphi
    model: smoke
    capabilities: [independent_reasoning]
"""
MODELS = """
version: 1
vendors: [{id: delphi, title: Delphi, inference: remote, credential_env: DELPHI_KEY}]
models: [{id: smoke, vendor: delphi, native_id: smoke-1}]
"""


@pytest.fixture
def checkout(tmp_path):
    share = tmp_path / "share"
    share.mkdir()
    (share / "advisors.yaml").write_text(ADVISORS)
    (share / "models.yaml").write_text(MODELS)
    root = tmp_path / "checkout"
    root.mkdir()
    return deterministic_checkout(root=root, share=share, environment={"DELPHI_KEY": "made-up"})


def test_it_is_planned_asked_and_recorded(checkout, other_package):
    assessment = checkout.assess(
        "timeout semantics", materiality="high", evidence=["test:tests/test_worker.py"]
    )
    plan = checkout.plan(assessment)
    (outcome,) = asyncio.run(
        consult(
            plan.body,
            question(assessment.body),
            catalogue=checkout.situation().catalogue,
            environment=checkout.environment,
            folder=checkout.root,
        )
    )
    recorded = checkout.record(outcome.body(plan.id)).record.body
    assert (recorded.advisor, recorded.status) == ("pythia", "completed")
    assert (recorded.conclusion, recorded.stance) == ("ask again", "inconclusive")
    assert recorded.evidence[0].reference == "tests/test_worker.py"
