"""`file` evidence: pinned when a record is made, compared later to show drift."""

from __future__ import annotations

import hashlib
import os

import pytest
from builders import assessment
from hypothesis import given
from hypothesis import strategies as st

from majordomus_reasoning.core.records import Pin
from majordomus_reasoning.store import evidence as evidence_module
from majordomus_reasoning.store.evidence import Drift, drift, parse_reference
from majordomus_reasoning.testing import deterministic_checkout

CONTENT = "one\ntwo\nthree\n"


@pytest.fixture
def root(tmp_path):
    """A checkout with one file, and one beside the checkout."""
    checkout = tmp_path / "checkout"
    (checkout / "src").mkdir(parents=True)
    (checkout / "src" / "x.py").write_text(CONTENT, encoding="utf-8")
    (tmp_path / "secret.txt").write_text("outside", encoding="utf-8")
    return checkout


def pinned(root, *references: str) -> tuple[Pin, ...]:
    evidence = [{"kind": "file", "reference": reference} for reference in references]
    return deterministic_checkout(root=root).record(assessment(evidence=evidence)).record.pins


@pytest.mark.parametrize(
    ("reference", "path", "line"),
    [
        ("src/x.py", "src/x.py", None),
        ("src/x.py:42", "src/x.py", 42),
        ("src/x.py:42-50", "src/x.py", 42),
        ("src/x.py:42:7", "src/x.py", 42),
        ("src/x.py:", "src/x.py:", None),
        ("src/x.py:abc", "src/x.py:abc", None),
        (":42", ":42", None),
        ("a:b:3", "a:b", 3),
    ],
)
def test_a_reference_is_a_path_and_perhaps_a_line(reference, path, line):
    assert parse_reference(reference) == (path, line)


def test_a_file_that_exists_is_pinned_by_digest_and_line(root):
    (pin,) = pinned(root, "src/x.py:2")
    digest = hashlib.sha256(CONTENT.encode()).hexdigest()
    assert pin.plain() == {"reference": "src/x.py:2", "sha256": digest, "line": "two"}


@pytest.mark.parametrize("reference", ["src/x.py", "src/x.py:0", "src/x.py:99"])
def test_without_a_line_that_exists_the_file_alone_is_pinned(root, reference):
    (pin,) = pinned(root, reference)
    assert pin.line is None


def test_a_file_cited_twice_is_pinned_once(root):
    assert len(pinned(root, "src/x.py:2", "src/x.py:2", "src/x.py:3")) == 2


def test_other_evidence_is_not_pinned(root):
    evidence = [{"kind": "document", "reference": "src/x.py:2"}]
    written = deterministic_checkout(root=root).record(assessment(evidence=evidence))
    assert written.record.pins == ()


@pytest.mark.parametrize(
    "reference",
    [
        "src/gone.py:1",
        "src",
        "../secret.txt",
        "src/../../secret.txt:1",
        "/etc/passwd",
        "link.txt",
        "folder/secret.txt",
        "loop",
        "pipe:1",
        "x" * 5_000,
        "~/secret.txt",
        ".",
    ],
    ids=lambda reference: reference[:20],
)
def test_what_does_not_exist_in_the_checkout_is_never_pinned(root, reference):
    (root / "link.txt").symlink_to(root.parent / "secret.txt")
    (root / "folder").symlink_to(root.parent)
    (root / "loop").symlink_to(root / "loop")
    os.mkfifo(root / "pipe")
    assert pinned(root, reference) == ()


def test_a_link_within_the_checkout_is_followed(root):
    (root / "link.py").symlink_to(root / "src" / "x.py")
    (pin,) = pinned(root, "link.py:1")
    assert pin.line == "one"


@pytest.mark.usefixtures("bound_by_permissions")
def test_a_file_that_may_not_be_read_is_not_pinned_and_the_record_is_made(root):
    (root / "src" / "x.py").chmod(0)
    assert pinned(root, "src/x.py:2") == ()


def test_a_secret_in_the_pinned_line_is_scrubbed(root):
    secret = "ghp_" + "a" * 20
    (root / ".env").write_text(f"GITHUB={secret}\x1b[31m\r\n", encoding="utf-8")
    (pin,) = pinned(root, ".env:1")
    assert pin.line == "GITHUB=[redacted:github-token]"


def test_no_line_of_a_private_key_is_pinned(root):
    dashes = "-----"
    key = [f"{dashes}BEGIN PRIVATE KEY{dashes}", "QUJD" * 16, f"{dashes}END PRIVATE KEY{dashes}"]
    (root / "id").write_text("\n".join(["# mine", *key, "# end"]), encoding="utf-8")
    found = pinned(root, *(f"id:{line}" for line in range(1, 6)))
    mask = "[redacted:private-key]"
    assert [pin.line for pin in found] == ["# mine", mask, mask, mask, "# end"]


VALUE = "Zx9Qw8Er7Ty6Ui5Op4As3Df2"
MASKED = "[redacted:assignment]"


@pytest.mark.parametrize(
    ("content", "line", "kept"),
    [
        (f"api_key:\n  {VALUE}\n", 2, f"  {MASKED}"),
        (f"api_key:\r\n\r\n\r\n  {VALUE}\r\n", 4, f"  {MASKED}"),
        (f"\x1b]0;title\napi_key:\n  \x1b[1m{VALUE}\x07\n", 3, f"  {MASKED}"),
        (f"{'x' * 9_999}\npassword =\n{VALUE}", 3, MASKED),
        (f"api_key:\n{VALUE}\n", 1, "api_key:"),
        (f"commit:\n  {VALUE}\n", 2, f"  {VALUE}"),
    ],
    ids=["yaml", "windows", "escapes", "after a long line", "the name", "no secret"],
)
def test_a_secret_whose_name_stands_on_a_line_before_is_scrubbed(root, content, line, kept):
    (root / "c.yaml").write_bytes(content.encode())
    (pin,) = pinned(root, f"c.yaml:{line}")
    assert pin.line == kept


PIECES = st.sampled_from(
    [
        *("-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----", "\x1b]0;", "\x07", "\x9d"),
        *("\x1b[31m", "\r", "\u2028", "api_key:", "token = ", '"', "bearer ", "://u:", "@", " "),
        *(VALUE, "ghp_" + "a" * 30, "x", ""),
    ]
)


@given(st.lists(st.lists(PIECES, max_size=4).map("".join), min_size=1, max_size=8))
def test_cleaning_lines_together_neither_adds_nor_loses_one(lines):
    assert len(evidence_module._cleaned(lines)) == len(lines)


def test_a_secret_at_the_edge_of_what_is_kept_is_scrubbed_before_the_line_is_cut(root):
    (root / "long").write_text("x" * 380 + " ghp_" + "a" * 40, encoding="utf-8")
    (pin,) = pinned(root, "long:1")
    assert pin.line == "x" * 380 + " [redacted:github-to"


def test_a_file_that_is_cited_by_many_lines_is_read_once_for_all(root, monkeypatch):
    read = []
    monkeypatch.setattr(
        evidence_module, "read_bounded", lambda *given: read.append(given[0]) or CONTENT.encode()
    )
    found = pinned(root, *(f"src/x.py:{line}" for line in range(1, 80)), "src/../src/x.py")
    assert [pin.line for pin in found[:4]] == ["one", "two", "three", ""]
    assert (len(found), read) == (80, [(root / "src" / "x.py").resolve()])


def test_a_file_larger_than_16_mib_is_not_pinned(root):
    with (root / "big").open("wb") as file:
        file.truncate(16 * 1024 * 1024 + 1)
    assert pinned(root, "big:1") == ()


def test_a_long_line_is_cut(root):
    (root / "long").write_text("x" * 1_000, encoding="utf-8")
    (pin,) = pinned(root, "long:1")
    assert pin.line == "x" * 400


def test_a_file_that_is_no_text_is_pinned_all_the_same(root):
    (root / "binary").write_bytes(b"\xff\xfe\x00\n\x01")
    (pin,) = pinned(root, "binary:1")
    assert pin.sha256 == hashlib.sha256(b"\xff\xfe\x00\n\x01").hexdigest()


@pytest.mark.parametrize(
    ("reference", "content", "status", "line"),
    [
        ("src/x.py:2", CONTENT, "unchanged", 2),
        ("src/x.py", CONTENT, "unchanged", None),
        ("src/x.py:2", "ONE\ntwo\nthree\n", "line_unchanged", 2),
        ("src/x.py:2", "zero\none\ntwo\nthree\n", "line_moved", 3),
        ("src/x.py:2", "two\n", "line_moved", 1),
        ("src/x.py:2", "one\nTWO\nthree\n", "line_changed", None),
        ("src/x.py:2", "two\none\ntwo\n", "line_changed", None),
        ("src/x.py:2", "", "line_changed", None),
        ("src/x.py", "another\n", "changed", None),
        ("src/x.py:99", "another\n", "changed", None),
        ("src/x.py:2", None, "gone", None),
    ],
)
def test_drift_tells_what_became_of_a_pin(root, reference, content, status, line):
    (pin,) = pinned(root, reference)
    file = root / "src" / "x.py"
    if content is None:
        file.unlink()
    else:
        file.write_text(content, encoding="utf-8")
    assert drift(root, "r", pin) == Drift("r", reference, status, line)


def test_drift_finds_a_scrubbed_line_where_it_moved(root):
    file = root / "c.yaml"
    file.write_text(f"api_key:\n  {VALUE}\n", encoding="utf-8")
    (pin,) = pinned(root, "c.yaml:2")
    file.write_text(f"# a comment\n\napi_key:\n  {VALUE}\n", encoding="utf-8")
    assert drift(root, "r", pin) == Drift("r", "c.yaml:2", "line_moved", 4)


@pytest.mark.parametrize("reference", ["../secret.txt:1", "/etc/passwd", "a\x00b"], ids=ascii)
def test_a_pin_of_another_hand_reads_nothing_outside_the_checkout(root, reference):
    pin = Pin(reference=reference, sha256="0" * 64, line="outside")
    assert drift(root, "r", pin).status == "gone"


def test_an_explanation_shows_the_drift_of_its_whole_chain(root):
    checkout = deterministic_checkout(root=root)
    question = checkout.assess("x", evidence=["file:src/x.py:2"])
    decision = checkout.conclude(
        question, decision="d", rationale="r", evidence=["file:src/x.py:1"]
    )
    (root / "src" / "x.py").write_text("one\nTWO\nthree\n", encoding="utf-8")
    drifted = checkout.drift(checkout.explain(decision))
    assert [(each.record, each.status) for each in drifted] == [
        (question.id, "line_changed"),
        (decision.id, "line_unchanged"),
    ]
