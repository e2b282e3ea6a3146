"""Every check fires on its planted fault, and on nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest
from planting import PROJECT, examine, examined, plant_record, write

from majordomus_reasoning.checks import CHECKS, run_checks
from majordomus_reasoning.store.files import LOCATION, Store, system_clock


def test_a_clean_repository_has_no_findings(repository: Path) -> None:
    assert examine(repository).findings == ()


def test_the_project_itself_has_no_findings() -> None:
    found = run_checks(examined(PROJECT, system_clock()))

    assert found.ok, found.findings
    assert found.checks == tuple(CHECKS)


MODULE = "majordomus_reasoning/core/rules.py"
FILE_FAULTS = [
    ("coupling", MODULE, "x = 1\nNAME = 'gemini'\n", f"{MODULE}:2"),
    ("coupling", MODULE, "if x == 'codex-exec':\n    pass\n", f"{MODULE}:1"),
    ("coupling", MODULE, "'''gpt-5.1'''\n", f"{MODULE}:1"),
    ("coupling", MODULE, "match x:\n    case 'openai':\n        pass\n", f"{MODULE}:2"),
    ("coupling", MODULE, "this is no Python\n", MODULE),
    ("network", MODULE, "import socket\n", f"{MODULE}:1"),
    ("network", MODULE, "from http import client\n", f"{MODULE}:1"),
    ("network", MODULE, "import urllib.request as asked\n", f"{MODULE}:1"),
    ("network", MODULE, "def f():\n    from subprocess import run\n", f"{MODULE}:2"),
    ("network", MODULE, "__import__('httpx')\n", f"{MODULE}:1"),
    ("network", MODULE, "importlib.import_module('requests.sessions')\n", f"{MODULE}:1"),
    ("ci", ".github/workflows/ci.yml", "env:\n  A: ${{ secrets.OPENAI_API_KEY }}\n", ":2"),
    ("ci", ".ci/run", "#!/bin/sh\nexport GEMINI_API_KEY=x\n", ".ci/run:2"),
    ("ci", ".gitlab-ci.yml", "ANTHROPIC_API_KEY: x\n", ".gitlab-ci.yml:1"),
    ("claims", "README.md", "# A\n\nIt was reviewed by\nconsensus.\n", "README.md:3"),
    ("claims", "docs/page.rst", "An advisor is required.\n", "docs/page.rst:1"),
    ("claims", "docs/page.md", "This needs at least one advisor to work.\n", "docs/page.md:1"),
    ("claims", "docs/page.md", "Fine.\n- you must install Codex CLI first\n", "docs/page.md:2"),
    ("claims", "docs/page.md", "Ollama must be running.\n", "docs/page.md:1"),
    ("profiles", ".ai/repo/profiles/deep.yaml", "reasoning: deep\n", "deep.yaml"),
    ("profiles", ".ai/repo/profiles/none.yaml", "title: x\n", "none.yaml"),
    ("profiles", ".ai/repo/profiles/upper.yaml", "reasoning: STRICT\n", "upper.yaml"),
    ("profiles", ".ai/repo/profiles/broken.yaml", "reasoning: [\n", "broken.yaml"),
    ("catalogue", "share/advisors.yaml", "version: 1\nadvisor: []\n", "advisors.yaml"),
    ("catalogue", "share/models.yaml", "version: 1\n", "chatgpt"),
    ("catalogue", "share/providers.yaml", "version: 1\n", "gemini"),
    ("records", ".ai/local/state/reasoning/task/x.json", "{", "task/x.json"),
]


@pytest.mark.parametrize(("check", "name", "text", "subject"), FILE_FAULTS)
def test_a_planted_fault_is_found_by_its_check_alone(
    repository: Path, check: str, name: str, text: str, subject: str
) -> None:
    write(repository, {name: text})

    found = examine(repository)

    assert not found.ok
    assert {finding.check for finding in found.findings} == {check}
    assert any(finding.subject.endswith(subject) for finding in found.findings), found.findings


INNOCENT = [
    (MODULE, "x = f'gemini{1}'\n"),
    (MODULE, "gemini = {'geminis': 1}\n"),
    (MODULE, "from urllib.parse import quote\nfrom http import HTTPStatus\n"),
    ("docs/page.md", "Nothing here is reviewed by consensus.\n"),
    ("docs/page.md", "No advisor is required, and you need not install Codex CLI.\n"),
    ("docs/page.md", "An advisor that needs a key is asked with it.\n"),
    ("tests/data/page.md", "An advisor is required.\n"),
    (".github/workflows/ci.yml", "OPENAI_API_KEYS: x\n"),
]


@pytest.mark.parametrize(("name", "text"), INNOCENT)
def test_what_only_looks_like_a_fault_is_let_through(
    repository: Path, name: str, text: str
) -> None:
    write(repository, {name: text})

    assert examine(repository).findings == ()


ADVISOR = """
  - id: extra
    title: Extra
    transport: {transport}
    adapter: codex-exec
    {line}
    capabilities: [{capability}]
"""


def test_an_adapter_that_nobody_provides_is_a_finding(repository: Path) -> None:
    path = repository / "share" / "advisors.yaml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("adapter: codex-exec", "adapter: no-such-dialect"))

    found = examine(repository).findings

    assert [(each.check, each.subject) for each in found] == [("adapters", "codex")]
    assert "no-such-dialect" in found[0].message


CATALOGUE_FAULTS = [
    ("api", "vendor: nobody", "code_review", "vendor nobody"),
    ("api", "vendor: openai\n    model: nothing", "code_review", "model nothing"),
    ("api", "vendor: google\n    model: gpt", "code_review", "of the vendor openai"),
    ("cli", "provider: nobody\n    executable: x", "code_review", "provider nobody"),
    ("cli", "note: x", "code_review", "declares no executable"),
    ("cli", "executable: bin/x", "code_review", "is a path"),
    ("peer", "note: x", "code_review", "linked at run time"),
    ("cli", "executable: x", "mind_reading", "mind_reading"),
]


@pytest.mark.parametrize(("transport", "line", "capability", "message"), CATALOGUE_FAULTS)
def test_an_advisor_that_refers_to_nothing_is_a_finding(
    repository: Path, transport: str, line: str, capability: str, message: str
) -> None:
    path = repository / "share" / "advisors.yaml"
    entry = ADVISOR.format(transport=transport, line=line, capability=capability)
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("\n# What makes a linked", entry + "\n# What makes a linked"))

    found = [each for each in examine(repository).findings if each.check == "catalogue"]

    assert any(each.subject == "extra" and message in each.message for each in found), found


def test_a_broken_catalogue_is_reported_and_the_records_are_still_checked(repository: Path) -> None:
    write(repository, {"share/advisors.yaml": "version: 2\n"})
    plant_record(repository, {"kind": "plan", "assessment": "nothing"} | PLAN)

    found = examine(repository).findings

    assert [each.check for each in found] == ["catalogue", "records"]
    assert "advisors.yaml, field version" in found[0].message


PLAN = {
    "plan": {
        "mode": "standard",
        "mode_source": "default",
        "materiality": "high",
        "confidence": "medium",
        "capabilities": ["independent_reasoning"],
        "budget": 2,
        "outcome": "consult",
        "reason": "two may be asked",
        "selected": [{"advisor": "gemini", "covers": ["independent_reasoning"], "why": "first"}],
        "excluded": [],
        "available": 1,
    },
    "availability": [
        {
            "id": "gemini",
            "title": "Gemini CLI",
            "transport": "cli",
            "adapter": "gemini-cli",
            "capabilities": ["independent_reasoning"],
            "status": "available",
            "reason": "present",
            "probe": "executable gemini on PATH",
            "recovering": False,
        }
    ],
}
EVIDENCE = [{"kind": "test", "reference": "tests/x.py::test_it"}]
ASSESSMENT = {
    "kind": "assessment",
    "subject": "lock scope",
    "materiality": "high",
    "confidence": "medium",
    "evidence": EVIDENCE,
    "new_evidence": False,
}
CONCLUSION = {
    "kind": "conclusion",
    "assessment": "assessment-0",
    "decision": "keep it",
    "rationale": "it holds",
    "evidence": EVIDENCE,
    "validation_plan": ["run it"],
    "confidence": "medium",
    "reviewed_by": [],
    "independent_review_count": 0,
}
ANSWER = {
    "kind": "consultation",
    "plan": "plan-1",
    "advisor": "gemini",
    "status": "completed",
    "conclusion": "keep it",
    "stance": "supports",
}
HISTORY = [ASSESSMENT, {"kind": "plan", "assessment": "assessment-0", **PLAN}, ANSWER]


def test_a_history_as_the_writer_makes_it_has_no_findings(repository: Path) -> None:
    weighed = {"consultations": ["consultation-2"], "reviewed_by": ["gemini"]}
    for body in [*HISTORY, CONCLUSION | weighed | {"independent_review_count": 1}]:
        plant_record(repository, body)

    assert examine(repository).findings == ()


UNDECLARED_PLAN = {
    "kind": "plan",
    "assessment": "assessment-0",
    "plan": PLAN["plan"] | {"selected": [{"advisor": "oracle", "covers": [], "why": "x"}]},
    "availability": [PLAN["availability"][0] | {"id": "oracle"}],
}
RECORD_FAULTS = [
    ([ASSESSMENT | {"evidence": []}], "evidence_missing"),
    ([ASSESSMENT | {"subject": " "}], "blank_field"),
    ([ASSESSMENT | {"capabilities": ["mind_reading"]}], "unknown_capability"),
    ([ASSESSMENT | {"colour": "blue"}], "holds colour"),
    ([ASSESSMENT | {"subject": "a\x1b[31mb"}], "control characters"),
    ([ASSESSMENT | {"hypothesis": "the key is AKIA" + "A" * 16}], "secret's shape"),
    ([*HISTORY[:2], ANSWER | {"advisor": "codex"}], "not_selected"),
    ([HISTORY[0], UNDECLARED_PLAN, ANSWER | {"advisor": "oracle"}], "declared by nobody"),
    ([*HISTORY, CONCLUSION], "unweighed_answer"),
    ([ASSESSMENT, CONCLUSION | {"independent_review_count": 2}], "its review is 2"),
    ([ASSESSMENT, CONCLUSION | {"reviewed_by": ["gemini"]}], "its review is 0 (gemini)"),
    ([ASSESSMENT, CONCLUSION, CONCLUSION], "concluded_already"),
    ([CONCLUSION], "unknown_reference"),
    (
        [ASSESSMENT, HISTORY[1] | {"plan": PLAN["plan"] | {"budget": 0}}],
        "with a budget of 0",
    ),
    (
        [
            ASSESSMENT,
            HISTORY[1] | {"availability": [PLAN["availability"][0] | {"status": "unavailable"}]},
        ],
        "not available",
    ),
]


@pytest.mark.parametrize(("bodies", "message"), RECORD_FAULTS)
def test_a_record_that_the_rules_would_not_admit_is_a_finding(
    repository: Path, bodies: list[dict[str, object]], message: str
) -> None:
    for body in bodies:
        last = plant_record(repository, body)

    found = examine(repository).findings

    assert {finding.check for finding in found} == {"records"}
    assert any(last == each.subject and message in each.message for each in found), found


ENVELOPE_FAULTS = [
    ({"recorded_at": "2026-11-30T12:05:01.000Z"}, "in the future"),
    ({"cites": {"assessment-0": "0" * 64}}, "not the one that it cites"),
    ({"cites": {"assessment-9": "0" * 64}}, "which is not recorded"),
]


@pytest.mark.parametrize(("envelope", "message"), ENVELOPE_FAULTS)
def test_an_envelope_that_does_not_fit_is_a_finding(
    repository: Path, envelope: dict[str, object], message: str
) -> None:
    plant_record(repository, ASSESSMENT)
    plant_record(repository, CONCLUSION, **envelope)

    found = examine(repository).findings

    assert [finding.check for finding in found] == ["records"]
    assert message in found[0].message


def test_a_rule_is_held_against_what_was_known_when_the_record_was_made(repository: Path) -> None:
    for body in [*HISTORY[:2], CONCLUSION, ANSWER]:
        plant_record(repository, body)

    assert examine(repository).findings == (), "the answer came after the decision"


def test_a_store_that_cannot_be_read_is_a_finding(repository: Path) -> None:
    write(repository, {str(LOCATION): "a file where the folder should be"})

    found = examine(repository).findings

    assert [finding.check for finding in found] == ["records"]
    assert "cannot be read" in found[0].message


def test_checking_changes_nothing(repository: Path) -> None:
    plant_record(repository, ASSESSMENT)
    before = {path: path.read_bytes() for path in repository.rglob("*") if path.is_file()}

    examine(repository)

    assert {p: p.read_bytes() for p in repository.rglob("*") if p.is_file()} == before
    assert len(Store(repository / LOCATION).load()) == 1
