"""The situation of a checkout: share, mode, presence, task and profile, the environment."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from majordomus_reasoning.core.catalogue import Advisors, Catalogue, Models, parse
from majordomus_reasoning.errors import CatalogueError, NotFound
from majordomus_reasoning.store.situation import (
    COOLDOWN_VARIABLE,
    Task,
    declared_mode,
    find_checkout,
    find_share,
    mode_of,
    profile_files,
    read_catalogue,
    read_cooldown,
    read_presence,
    read_situation,
    read_task,
    shipped_share,
    unreadable_values,
)

MODE = "MAJORDOMUS_REASONING_MODE"
DISABLE = "MAJORDOMUS_ADVISORS_DISABLE"
SHARE = "MAJORDOMUS_SHARE"
SECRET = "ghp_" + "a" * 20


def put(path: Path, text: str = "") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def current(root: Path, text: str) -> Path:
    return put(root / ".ai/local/state/current.yaml", text)


def profile(root: Path, name: str, text: str) -> Path:
    return put(root / f".ai/repo/profiles/{name}.yaml", text)


class TestCheckout:
    @pytest.mark.parametrize("mark", [".ai", ".git"])
    def test_is_the_nearest_parent_that_is_marked(self, tmp_path, mark):
        (tmp_path / mark).mkdir()
        inner = tmp_path / "a" / "b"
        inner.mkdir(parents=True)
        assert find_checkout(inner) == tmp_path.resolve()

    def test_is_the_folder_itself_where_no_parent_is_marked(self, tmp_path):
        assert find_checkout(tmp_path) == tmp_path.resolve()

    def test_is_found_past_a_loop_of_links(self, tmp_path):
        (tmp_path / ".git").mkdir()
        (tmp_path / "a").mkdir()
        (tmp_path / "a" / ".ai").symlink_to(tmp_path / "a" / ".ai")
        assert find_checkout(tmp_path / "a") == tmp_path.resolve()

    @pytest.mark.usefixtures("bound_by_permissions")
    def test_is_found_from_below_a_folder_that_may_not_be_searched(self, tmp_path, monkeypatch):
        inner = tmp_path / "closed" / "inner"
        inner.mkdir(parents=True)
        monkeypatch.chdir(inner)
        inner.parent.chmod(0)
        try:
            assert find_checkout(inner) == inner
        finally:
            inner.parent.chmod(0o700)

    def test_of_a_working_folder_that_is_gone_is_an_error_of_ours(self, tmp_path, monkeypatch):
        gone = tmp_path / "gone"
        gone.mkdir()
        monkeypatch.chdir(gone)
        gone.rmdir()
        with pytest.raises(NotFound, match="is not there: change to one that is"):
            find_checkout(Path())

    def test_of_a_name_that_no_folder_can_have_is_an_error_of_ours(self):
        with pytest.raises(NotFound):
            find_checkout(Path("\x00"))

    def test_may_be_a_worktree_whose_mark_is_a_file(self, tmp_path):
        put(tmp_path / ".git", "gitdir: elsewhere")
        assert find_checkout(tmp_path / "a") == tmp_path.resolve()


class TestShare:
    @pytest.fixture
    def root(self, tmp_path):
        put(tmp_path / "share/advisors.yaml", "version: 1\n")
        return tmp_path

    def test_given_outranks_everything(self, root):
        assert find_share(root, Path("given"), {SHARE: str(root)}) == Path("given")

    def test_then_the_variable(self, root):
        assert find_share(root, None, {SHARE: f" {root}\n"}) == root

    @pytest.mark.parametrize(
        "named", ["nowhere", "share/advisors.yaml", "loop", "a\x00b"], ids=ascii
    )
    def test_a_variable_that_leads_to_no_folder_is_skipped_and_reported(self, root, named):
        (root / "loop").symlink_to(root / "loop")
        environment = {SHARE: str(root / named)}
        assert find_share(root, None, environment) == root / "share"
        assert list(unreadable_values(environment)) == [(SHARE, "it leads to no folder")]

    @pytest.mark.usefixtures("bound_by_permissions")
    def test_a_variable_that_leads_into_a_closed_folder_is_skipped_and_reported(self, root):
        (root / "closed" / "share").mkdir(parents=True)
        (root / "closed").chmod(0)
        environment = {SHARE: str(root / "closed" / "share")}
        try:
            assert find_share(root, None, environment) == root / "share"
            assert [name for name, _ in unreadable_values(environment)] == [SHARE]
        finally:
            (root / "closed").chmod(0o700)

    @pytest.mark.parametrize("environment", [{}, {SHARE: ""}, {SHARE: "  "}])
    def test_then_that_of_the_checkout(self, root, environment):
        assert find_share(root, None, environment) == root / "share"

    def test_then_the_shipped_one(self, root):
        (root / "share/advisors.yaml").unlink()
        assert find_share(root, None, {}) == shipped_share()
        assert (shipped_share() / "advisors.yaml").is_file()

    @pytest.mark.usefixtures("bound_by_permissions")
    def test_of_the_checkout_that_may_not_be_searched_is_named_and_not_passed_over(self, root):
        (root / "share").chmod(0)
        try:
            assert find_share(root, None, {}) == root / "share"
            with pytest.raises(CatalogueError, match="Permission denied"):
                read_catalogue(root / "share")
        finally:
            (root / "share").chmod(0o700)


class TestTask:
    def test_is_untasked_without_a_file(self, tmp_path):
        assert read_task(tmp_path) == Task("untasked", None, None)
        assert not read_task(tmp_path).is_open

    @pytest.mark.parametrize(
        ("text", "task"),
        [
            ("", Task()),
            ("# nothing\n", Task()),
            ("title: x\n", Task()),
            ("id: retry-task\n", Task("retry-task")),
            ("id: 0042\n", Task("0042")),
            ("id: 2026-10-01\n", Task("2026-10-01")),
            ("id: true\n", Task("true")),
            ("id: ''\n", Task()),
            ("id: null\n", Task()),
            ("id: ~\nprofile: null\n", Task()),
            ("id:\nprofile:\n", Task()),
            ("id: x\nprofile: gone\n", Task("x", "gone")),
        ],
    )
    def test_is_what_the_file_names(self, tmp_path, text, task):
        current(tmp_path, text)
        assert read_task(tmp_path) == task

    def test_has_the_mode_that_its_profile_declares(self, tmp_path):
        current(tmp_path, "id: x\nprofile: deep-work\n")
        profile(tmp_path, "deep-work", "reasoning: ' strict '\nother: [1]\n")
        task = read_task(tmp_path)
        assert task == Task("x", "deep-work", "strict")
        assert mode_of(task, {}) == ("strict", "profile deep-work")
        assert mode_of(task, {"CI": "1"}) == ("ci", "CI")
        assert mode_of(task, {MODE: "offline", "CI": "1"}) == ("offline", MODE)

    @pytest.mark.parametrize("text", ["", "reasoning:\n", "reasoning: [strict]\n", "other: x\n"])
    def test_has_no_declared_mode_where_its_profile_says_none(self, tmp_path, text):
        current(tmp_path, "id: x\nprofile: p\n")
        profile(tmp_path, "p", text)
        assert mode_of(read_task(tmp_path), {}) == ("standard", "default")

    @pytest.mark.parametrize(
        ("text", "field"),
        [
            ("id: [a\n", "line"),
            ("- a\n- b\n", "the whole file"),
            ("just words\n", "the whole file"),
            ("id: ../x\n", "id"),
            ("id: a/b\n", "id"),
            ("id: ..\n", "id"),
            ("id: [a]\n", "id"),
            ("id: {a: b}\n", "id"),
            (f"id: {'x' * 201}\n", "id"),
            ("id: all\n", "id"),
            ("id: .lock\n", "id"),
            (f"id: {SECRET}\n", "id"),
            (f"profile: {SECRET}\n", "profile"),
            ("id: x\nprofile: ../p\n", "profile"),
            ("id: x\nprofile: [p]\n", "profile"),
        ],
        ids=lambda value: value[:20],
    )
    def test_that_is_broken_is_an_error_naming_file_and_field(self, tmp_path, text, field):
        path = current(tmp_path, text)
        with pytest.raises(CatalogueError) as caught:
            read_task(tmp_path)
        assert caught.value.file == str(path)
        assert caught.value.field.startswith(field)
        assert SECRET not in str(caught.value)

    @pytest.mark.parametrize("text", ["reasoning: [a\n", "- strict\n"])
    def test_whose_profile_is_broken_is_an_error_naming_the_profile(self, tmp_path, text):
        current(tmp_path, "id: x\nprofile: p\n")
        path = profile(tmp_path, "p", text)
        with pytest.raises(CatalogueError) as caught:
            read_task(tmp_path)
        assert caught.value.file == str(path)

    def test_that_is_no_utf_8_is_an_error_naming_it(self, tmp_path):
        path = current(tmp_path, "")
        path.write_bytes(b"id: \xff\n")
        with pytest.raises(CatalogueError, match="cannot be read"):
            read_task(tmp_path)


def test_each_profile_is_listed_with_the_word_it_declares(tmp_path):
    profile(tmp_path, "b", "reasoning: loud\n")
    profile(tmp_path, "a", "other: x\n")
    put(tmp_path / ".ai/repo/profiles/c.txt")
    listed = [(path.name, declared_mode(path)) for path in profile_files(tmp_path)]
    assert listed == [("a.yaml", None), ("b.yaml", "loud")]


def test_without_a_folder_of_profiles_none_is_listed(tmp_path):
    assert profile_files(tmp_path) == []


def test_a_folder_of_profiles_that_cannot_be_listed_is_read_with_an_error_that_says_why(tmp_path):
    folder = tmp_path / ".ai/repo/profiles"
    folder.parent.mkdir(parents=True)
    folder.symlink_to(folder)
    (listed,) = profile_files(tmp_path)
    with pytest.raises(CatalogueError, match=r"repo/profiles.*symbolic links"):
        declared_mode(listed)


class TestCatalogue:
    def test_is_empty_where_no_file_is(self, tmp_path):
        assert read_catalogue(tmp_path) == Catalogue()

    @pytest.mark.parametrize("name", ["advisors.yaml", "models.yaml", "providers.yaml"])
    @pytest.mark.parametrize(
        ("text", "field"),
        [
            ("", "the whole file"),
            ("version: 2\n", "version"),
            ("[]\n", "the whole file"),
            ("version: 1\n  bad: [\n", "line"),
        ],
    )
    def test_that_is_broken_is_an_error_naming_file_and_field(self, tmp_path, name, text, field):
        path = put(tmp_path / name, text)
        with pytest.raises(CatalogueError) as caught:
            read_catalogue(tmp_path)
        assert caught.value.file == str(path)
        assert caught.value.field.startswith(field)

    def test_with_an_unknown_field_in_advisors_yaml_is_an_error_naming_it(self, tmp_path):
        put(tmp_path / "advisors.yaml", "version: 1\nadvisers: []\n")
        with pytest.raises(CatalogueError, match="no such field is known") as caught:
            read_catalogue(tmp_path)
        assert caught.value.field == "advisers"


TOOLS = ("tool", "runtime", "../tool", "bin/tool", "..", ".", "~")


@pytest.fixture
def catalogue() -> Catalogue:
    declared = [
        {
            "id": f"advisor-{number}",
            "title": "T",
            "transport": "cli",
            "adapter": "x",
            "executable": name,
            "capabilities": [],
        }
        for number, name in enumerate(TOOLS)
    ]
    vendors = [
        {"id": "acme", "title": "A", "inference": "remote", "credential_env": "ACME_KEY"},
        {"id": "none", "title": "N", "inference": "local"},
    ]
    return Catalogue(
        parse(Advisors, {"version": 1, "advisors": declared}, "advisors.yaml"),
        parse(Models, {"version": 1, "vendors": vendors}, "models.yaml"),
    )


def executable(path: Path) -> Path:
    # Starting it would leave a trace beside it; the tests hold that there is none.
    put(path, f"#!/bin/sh\ntouch '{path}.started'\n").chmod(0o755)
    return path


class TestPresence:
    def found(self, catalogue, *folders) -> set[str]:
        path = os.pathsep.join(str(folder) for folder in folders)
        return set(read_presence(catalogue, {"PATH": path}).executables)

    def test_is_an_executable_file_on_the_path_and_nothing_is_started(self, catalogue, tmp_path):
        executable(tmp_path / "b" / "tool")
        executable(tmp_path / "c" / "runtime")
        folders = [tmp_path / "a", tmp_path / "b", tmp_path / "c"]
        assert self.found(catalogue, *folders) == {"tool", "runtime"}
        assert not list(tmp_path.rglob("*.started"))

    def test_is_no_file_without_its_executable_bit_and_no_folder(self, catalogue, tmp_path):
        put(tmp_path / "tool").chmod(0o644)
        (tmp_path / "runtime").mkdir()
        assert self.found(catalogue, tmp_path) == set()

    def test_is_found_behind_one_that_is_not_executable(self, catalogue, tmp_path):
        put(tmp_path / "a" / "tool").chmod(0o644)
        executable(tmp_path / "b" / "tool")
        assert self.found(catalogue, tmp_path / "a", tmp_path / "b") == {"tool"}

    def test_is_found_through_a_link_and_not_through_a_broken_one(self, catalogue, tmp_path):
        (tmp_path / "a").mkdir()
        (tmp_path / "a" / "tool").symlink_to(executable(tmp_path / "real"))
        (tmp_path / "a" / "runtime").symlink_to(tmp_path / "nowhere")
        assert self.found(catalogue, tmp_path / "a") == {"tool"}

    def test_is_never_a_name_with_a_separator(self, catalogue, tmp_path):
        executable(tmp_path / "tool")
        executable(tmp_path / "a" / "bin" / "tool")
        assert self.found(catalogue, tmp_path / "a") == set()

    @pytest.mark.parametrize("path", ["", ":", "::"])
    def test_is_nothing_on_an_empty_path_wherever_we_stand(
        self, catalogue, tmp_path, monkeypatch, path
    ):
        executable(tmp_path / "tool")
        monkeypatch.chdir(tmp_path)
        assert read_presence(catalogue, {"PATH": path}).executables == frozenset()
        assert read_presence(catalogue, {}).executables == frozenset()

    @pytest.mark.parametrize(("value", "there"), [("x", True), (" ", True), ("", False)])
    def test_of_a_credential_is_whether_its_variable_is_set(self, catalogue, value, there):
        presence = read_presence(catalogue, {"ACME_KEY": value})
        assert presence.variables == ({"ACME_KEY"} if there else set())

    def test_never_holds_the_value_of_a_credential(self, tmp_path):
        share = shutil.copytree(shipped_share(), tmp_path / "share")
        environment = {"OPENAI_API_KEY": "value-of-the-key"}
        assert "value-of-the-key" not in repr(read_situation(share, Task(), environment))


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("0", 0),
        ("5", 5),
        (" 600\n", 600),
        ("9999999999", 9_999_999_999),
        ("", None),
        (" ", None),
        ("-1", None),
        ("+1", None),
        ("1.5", None),
        ("1e3", None),
        ("1_000", None),
        ("ten", None),
        ("٣", None),
        ("²", None),
        ("9" * 400, None),
    ],
)
def test_the_cooldown_is_a_whole_number_of_seconds_or_skipped(value, seconds):
    assert read_cooldown({COOLDOWN_VARIABLE: value}) == seconds


def test_an_unset_cooldown_overrides_nothing():
    assert read_cooldown({}) is None


@pytest.mark.parametrize(
    ("environment", "reported"),
    [
        ({}, []),
        ({MODE: "strict", COOLDOWN_VARIABLE: "0", "CI": "x", DISABLE: "a,,b"}, []),
        ({MODE: "", COOLDOWN_VARIABLE: " "}, []),
        ({MODE: "Strict"}, [MODE]),
        ({COOLDOWN_VARIABLE: "ten"}, [COOLDOWN_VARIABLE]),
        ({MODE: "loud", COOLDOWN_VARIABLE: "-1"}, [MODE, COOLDOWN_VARIABLE]),
    ],
)
def test_a_value_that_was_skipped_is_reported(environment, reported):
    assert [name for name, _ in unreadable_values(environment)] == reported


@pytest.mark.parametrize(
    ("value", "names"),
    [("", set()), (" , ", set()), ("a", {"a"}), ("a, b ,", {"a", "b"}), ("all", {"all"})],
)
def test_the_disable_list_is_separated_by_commas(tmp_path, value, names):
    assert read_situation(tmp_path, Task(), {DISABLE: value}).disabled == names


def test_the_shipped_catalogue_has_its_advisors_in_order_and_no_diagnostics():
    shipped = read_catalogue(shipped_share())
    assert [advisor.id for advisor in shipped.advisors.advisors] == [
        "chatgpt",
        "gemini",
        "codex",
        "ollama",
        "lmstudio",
        "claude",
        "gemini-api",
        "claude-code",
    ]
    assert shipped.diagnostics() == ()
    peers = shipped.advisors.peers
    assert (peers.feature, peers.adapter) == ("reviews", "mesh-review")
    assert peers.capabilities == ("code_review", "independent_reasoning")
