"""A new advisor: one entry in the catalogue and one function outside the package, nothing else."""

import pytest

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
def share(tmp_path):
    folder = tmp_path / "declared"
    folder.mkdir()
    (folder / "advisors.yaml").write_text(ADVISORS)
    (folder / "models.yaml").write_text(MODELS)
    return folder


def test_it_is_planned_asked_and_recorded_through_a_checkout(share, tmp_path, other_package):
    root = tmp_path / "checkout"
    root.mkdir()
    environment = {"DELPHI_KEY": "made-up"}
    checkout = deterministic_checkout(root=root, share=share, environment=environment)
    assessment = checkout.assess(
        "timeout semantics", materiality="high", evidence=["test:tests/test_worker.py"]
    )
    plan = checkout.plan(assessment)
    answers = checkout.consult_sync(plan)
    assert [*answers] == ["pythia"]
    said = answers["pythia"].body
    assert (said.status, said.conclusion, said.stance) == ("completed", "ask again", "inconclusive")
    assert said.evidence[0].reference == "tests/test_worker.py"
    assert answers["pythia"].record.origin == "asked"
    assert answers["pythia"].record.exchange.answer_bytes > 0
    verdict = checkout.conclude(
        assessment, decision="wait", rationale="it said so", evidence=["test:tests/test_worker.py"],
        consultations=answers, validation_plan=["ask again"],
    )  # fmt: skip
    assert verdict.body.reviewed_by == ("pythia",)


@pytest.fixture
def told(command, share, other_package):
    """What a verb of the command answers as JSON, with the new advisor declared and set up."""

    def ran(*arguments, **options):
        given = (*arguments, "--share", str(share), "--format", "json")
        result = command(*given, DELPHI_KEY="made-up", **options)
        assert result.exit_code == 0, result.out + result.err
        return result.json

    return ran


def test_the_command_lists_plans_asks_and_tables_it(told):
    body = {
        "kind": "assessment",
        "subject": "timeout semantics",
        "materiality": "high",
        "evidence": [{"kind": "test", "reference": "tests/test_worker.py"}],
    }
    assessment = told("record", given=body)["record"]["id"]
    (listed,) = told("advisors")["advisors"]
    assert (listed["id"], listed["adapter"], listed["status"]) == ("pythia", "oracle", "available")
    planned = told("plan", "--materiality", "high")
    assert [each["advisor"] for each in planned["selected"]] == ["pythia"]

    consulted = told("consult", "--assessment", assessment)

    (said,) = consulted["consultations"]
    assert (said["advisor"], said["status"], said["conclusion"]) == (
        *("pythia", "completed", "ask again"),
    )
    table = told("table", "consultations")
    (row,) = table
    assert (row["advisor"], row["adapter"], row["answer_origin"]) == ("pythia", "oracle", "asked")


def test_without_its_package_it_is_a_typed_failure_and_nothing_breaks(share, tmp_path):
    root = tmp_path / "checkout"
    root.mkdir()
    environment = {"DELPHI_KEY": "made-up"}
    checkout = deterministic_checkout(root=root, share=share, environment=environment)
    plan = checkout.plan(checkout.assess("x", materiality="high", evidence=["test:t.py"]))
    said = checkout.consult_sync(plan)["pythia"].body
    assert (said.status, said.diagnostic.partition(":")[0]) == ("unavailable", "no_adapter")
