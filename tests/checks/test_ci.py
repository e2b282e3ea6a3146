"""The check `ci`: nothing that continuous integration runs names a credential's variable."""

from __future__ import annotations

from pathlib import Path

import pytest
from planting import examine, write

RUN_BY_CI = [
    *(".github/workflows/ci.yml", ".github/scripts/ask.sh", ".github/actions/ask/entry.sh"),
    *(".gitlab-ci.yml", ".gitlab/ci/ask.sh", ".semaphore/semaphore.yml", ".tekton/run.yaml"),
    *("ci/run.sh", "ci/nested/run", ".ci/run", ".circleci/config.yml", ".buildkite/pipeline.sh"),
    *("Jenkinsfile", "azure-pipelines-nightly.yml"),
]


@pytest.mark.parametrize("name", RUN_BY_CI)
def test_a_file_of_ci_that_names_a_credential_is_found(repository: Path, name: str) -> None:
    write(repository, {name: "x: 1\nkey: ${OPENAI_API_KEY}\n"})

    found = examine(repository).findings

    assert [(each.check, each.subject) for each in found] == [("ci", f"{name}:2")]


RUN_BY_NOBODY = [
    *(".github/dependabot.yml", ".github/CONTRIBUTING.md", ".github/ISSUE_TEMPLATE/bug.yml"),
    *("ci/README.md", "circuit/run.sh", "docs/ci/run.sh", "run.sh"),
]


@pytest.mark.parametrize("name", RUN_BY_NOBODY)
def test_a_file_that_ci_does_not_run_may_name_it(repository: Path, name: str) -> None:
    write(repository, {name: "key: ${OPENAI_API_KEY}\n"})

    assert examine(repository).ok
