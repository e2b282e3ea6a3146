"""Cleaning: secrets and terminal escapes go, everything else stays, and once is enough."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from majordomus_reasoning.core.redaction import (
    SHAPES,
    clean,
    clean_text,
    shown,
    strip_controls,
)

# Made when the test runs, so that no file carries a secret's shape.
A20 = "a1B2c" * 4
BLOCK = "-----{} RSA PRIVATE KEY-----"
PEM = f"{BLOCK.format('BEGIN')}\n{A20}\n{A20}\n{BLOCK.format('END')}"
SECRETS = {
    "anthropic-key": "sk-ant-" + A20,
    "openai-key": "sk-proj-" + A20,
    "github-token": "ghs_" + A20,
    "github-pat": "github_pat_" + A20,
    "aws-access-key-id": "AKIA" + "Q7" * 8,
    "aws-secret-key": "aws_secret_access_key=" + "aB3/" * 10,
    "google-api-key": "AIza" + "a1B2c" * 7,
    "slack-token": "xoxa-" + "1" * 10,
    "stripe-key": "rk_live_" + A20,
    "private-key": PEM,
    "bearer-token": "bearer " + A20,
    "jwt": "eyJ" + A20 + ".eyJ" + A20 + "." + A20,
    "basic-auth": "postgres://user:hunter2@db.example.org/x",
    "assignment": f"my_secret: '{A20}'",
}
pieces = st.sampled_from(
    [
        *SECRETS.values(),
        *(
            "key=",
            "token: ",
            "password='",
            '"secret": "',
            "Bearer ",
            "://u:",
            "@h/",
            "sk-",
            "[",
            "]",
        ),
        *("[redacted:", "[redacted:assignment]", BLOCK.format("BEGIN"), BLOCK.format("END")),
        *("\x1b[", "\x1b]0;", "\x07", "\x9b", "\x9c", "\x1b", "m", "\n", "\t", "\r", " ", "'"),
        *('key: str = f"', "config['token'] = ", 'tokenValue=["', "\\nsk-ant-", "%20AKIA", '"""'),
        *("\ud800", "\udfff", "é", "a" * 16, "A" * 16, "a1b2", "/", "sha256:", "src/x.py"),
    ]
)
texts = st.one_of(
    st.lists(pieces, max_size=12).map("".join),
    st.text(st.characters(exclude_categories=[]), max_size=60),
)


@settings(max_examples=500)
@given(texts)
def test_cleaning_never_raises_and_cleaning_twice_changes_nothing(text):
    once, shapes = clean_text(text)
    assert clean_text(once) == (once, frozenset())
    assert shapes <= {shape.name for shape in SHAPES}
    assert (once != text) or not shapes
    once.encode("utf-8")


@given(texts)
def test_no_control_character_but_newline_and_tab_is_left(text):
    cleaned, _ = clean_text(text)
    assert not [char for char in cleaned if ord(char) < 32 and char not in "\n\t"]
    assert not [char for char in cleaned if 127 <= ord(char) < 160]


@given(st.text(st.characters(codec="utf-8", categories=["L", "N", "Zs"]), max_size=15))
def test_a_short_text_of_words_stays_as_it_is(text):
    assert clean_text(text) == (text, frozenset())


@pytest.mark.parametrize("shape", SECRETS)
@pytest.mark.parametrize(
    ("before", "after"), [("", ""), ("(", ")"), ("it was ", ", then"), ("«", "»"), ("a\n", "\nb")]
)
def test_a_secret_goes_wherever_it_stands(shape, before, after):
    cleaned, shapes = clean_text(before + SECRETS[shape] + after)
    assert shapes == {shape}
    assert cleaned.startswith(before)
    assert cleaned.endswith(after)
    assert f"[redacted:{shape}]" in cleaned


def test_every_shape_has_a_secret_here():
    assert set(SECRETS) == {shape.name for shape in SHAPES}


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("OPENAI_API_KEY=sk-" + A20, "OPENAI_API_KEY=[redacted:openai-key]"),
        ("token: ghp_" + A20, "token: [redacted:github-token]"),
        ("Authorization: Bearer sk-ant-" + A20, "Authorization: Bearer [redacted:anthropic-key]"),
        ("key = '" + PEM + "'", "key = '[redacted:private-key]'"),
    ],
)
def test_the_narrower_shape_wins(text, clean):
    assert clean_text(text)[0] == clean


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("password=", ""),
        ("password := ", ""),
        ("'password' => '", "'"),
        ('{"password": "', '"}'),
        (r"{\"password\": \"", r"\"}"),
        ("X-Api-Key: ", " "),
        ("--secret='", "'"),
        ("my_token_2:\n  ", "\n"),
        ('os.environ["API_KEY"] = "', '"'),
        ("config['password'] = '", "'"),
        ('token: str = "', '"'),
        ('token: str | None = "', '"'),
        ('token: Final[str] = f"', '"'),
        ('const password: string = "', '"'),
        ('let token: &str = "', '";'),
        ("let token: &'static str = \"", '";'),
        ("password = b'", "'"),
        ("DATABASE_PASSWORD=$'", "'"),
        ('token="""', '"""'),
        ('keys=["', '"]'),
        ("key = ('", "',)"),
        ("password: |\n  ", "\n"),
        ('tokenValue = "', '"'),
        ("apiKeyProd: ", "\n"),
        ("PASSWORD_FOR_THE_MAIN_DB=", ""),
        ("password=[redacted:assignment]", ""),
        ("password: '[redacted:openai-key][redacted:jwt]", "'"),
    ],
)
def test_a_value_assigned_to_the_name_of_a_secret_goes_and_the_name_stays(before, after):
    cleaned, shapes = clean_text(before + A20 + after)
    assert shapes == {"assignment"}
    assert cleaned == f"{before}[redacted:assignment]{after}"


@pytest.mark.parametrize("escaped", [r"\n", r"\r", r"\t", "%3D", "%20", "%0a"])
@pytest.mark.parametrize("shape", ["anthropic-key", "github-token", "aws-access-key-id"])
def test_a_secret_after_an_escaped_character_is_one_too(escaped, shape):
    assert clean_text(f"a{escaped}{SECRETS[shape]}") == (
        f"a{escaped}[redacted:{shape}]",
        {shape},
    )


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("SECRET=k3j4h5k2j3h4/5kj2h3k4jh5mn", "SECRET=[redacted:assignment]"),
        (
            "https://user:p@hunter2@example.org/x",
            "https://user:[redacted:basic-auth]@example.org/x",
        ),
        ("Bearer%20" + A20, "Bearer%20[redacted:bearer-token]"),
    ],
)
def test_a_secret_is_known_by_more_than_its_first_half(text, clean):
    assert clean_text(text)[0] == clean


@pytest.mark.parametrize(
    ("shape", "just", "too_short"),
    [
        ("anthropic-key", "sk-ant-" + "a" * 16, "sk-ant-" + "a" * 15),
        ("openai-key", "sk-" + "a" * 20, "sk-" + "a" * 19),
        ("openai-key", "sk-proj-" + "a" * 20, "sk-proj-" + "a" * 19),
        ("openai-key", "sk-svcacct-" + "a" * 20, "sk-svcacct-" + "a" * 19),
        ("github-pat", "github_pat_" + "a" * 20, "github_pat_" + "a" * 19),
        ("slack-token", "xoxr-" + "a" * 10, "xoxr-" + "a" * 9),
        ("stripe-key", "sk_test_" + "a" * 16, "sk_test_" + "a" * 15),
        ("bearer-token", "Bearer " + "a" * 20, "Bearer " + "a" * 19),
        ("google-api-key", "AIza" + "a" * 35, "AIza" + "a" * 34),
        ("assignment", "secret=" + "a" * 16, "secret=" + "a" * 15),
    ],
)
def test_the_opaque_part_has_a_least_length(shape, just, too_short):
    assert clean_text(just)[1] == {shape}
    assert clean_text(too_short) == (too_short, frozenset())


@pytest.mark.parametrize(
    "text",
    [
        "the password is in the manual",
        "the key point: measure before you change anything",
        "token count: 1234",
        "secrets: none",
        "key: src/majordomus/keys/rotation.py:42",
        "password: ~/.config/tool/password-store",
        "key: src/i18n/python3.11/x86_64/test_01_utf8.py:42",
        "key: ./objects/0a/0a1b2c3d4e5f",
        "KeyError: 'assessment-20261001T093000'",
        "token: the commit = 0a1b2c3d0a1b2c3d",
        "counts[key] = number_of(counts[key])",
        "curl 'https://example.org?token=[redacted:jwt]&redirect=elsewhere-and-back'",
        "sha256:" + "0a1b2c3d" * 8,
        "key: sha256:" + "0a1b2c3d" * 8,
        "commit " + "0a1b2c3d" * 5,
        "https://example.org/user:name/path",
        "see user@example.org",
        "[redacted:assignment]",
        "key=[redacted:assignment]",
        "task-1234567890123456789012345",
        "risk-aaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    ],
)
def test_prose_that_talks_of_secrets_paths_digests_and_counts_stays(text):
    assert clean_text(text) == (text, frozenset())


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("\x1b[1;31mred\x1b[0m", "red"),
        ("\x1b]8;;http://x\x07link\x1b]8;;\x07", "link"),
        ("\x1bPdevice\x1b\\text", "text"),
        ("\x9b31mred", "red"),
        ("\x1b(Btext", "text"),
        ("cut \x1b[", "cut "),
        ("bell\x07 null\x00 del\x7f", "bell null del"),
        ("a\r\nb\tc", "a\nb\tc"),
        ("gh\x1b[0mp_" + "a" * 20, "[redacted:github-token]"),
        ("lone \ud800", "lone \ufffd"),
    ],
    ids=ascii,
)
def test_terminal_escapes_and_control_characters_go(text, clean):
    assert clean_text(text)[0] == clean


def test_every_string_of_a_value_is_cleaned_and_the_shapes_are_told_once():
    given_ = {"a": "ghp_" + A20, "b": [{"c": "ghp_" + A20}, "\x07", 5, None, True], "d": ("x",)}
    mask = "[redacted:github-token]"
    expected = {"a": mask, "b": [{"c": mask}, "", 5, None, True], "d": ["x"]}
    assert clean(given_) == (expected, frozenset({"github-token"}))


@pytest.mark.parametrize(
    "text",
    [
        "key" * 60_000,
        "key-" * 50_000,
        "://" + "a:" * 60_000,
        "-----BEGIN PRIVATE KEY-----" * 6_000,
        "eyJaaaaaaaa." * 15_000,
        "\x1b]" * 60_000,
        "password: " * 15_000,
        "a/" * 80_000,
        "key=" + "a/" * 80_000,
        "bearer " * 25_000,
        *(introducer + "x" + introducer * 65_000 for introducer in "\x90\x98\x9d\x9e\x9f"),
        "key: A[a, " * 8_000,
        "key=" + "a1" * 40_000 + "/" + "a1" * 40_000 + "!",
        "key=[redacted:assignment]" * 3_000,
        "keyA" * 20_000,
    ],
    ids=lambda text: ascii(text[:12]),
)
def test_a_long_text_made_to_slow_it_down_is_cleaned_all_the_same(text):
    """A pattern that goes back and forth would take minutes here and be noticed."""
    once, _ = clean_text(text)
    assert clean_text(once)[0] == once


@pytest.mark.parametrize(
    ("word", "line"),
    [
        ("lock scope", "lock scope"),
        (" a\n\tb\x1b[2J ", "a b"),
        ("sk-ant-" + A20, "[redacted:anthropic-key]"),
        ("x" * 81, "x" * 79 + "…"),
        ("x" * 70 + " ghp_" + "a" * 40, "x" * 70 + " [redacte…"),
        (None, "None"),
    ],
)
def test_a_word_in_a_message_is_clean_and_short_and_on_one_line(word, line):
    assert shown(word) == line


@pytest.mark.parametrize("begun", ["\x9d", "\x90a", "\x1b]", "\x1b[ ", "\x9b0", "\x1b "])
def test_escapes_that_never_end_cost_no_more_than_others(begun):
    """Half a million of them: were each looked through to the end, this would take an hour."""
    left = strip_controls(begun * 500_000)
    assert set(left) <= {*begun, " "} - {"\x1b", "\x9d", "\x90", "\x9b"}


def test_a_string_escape_ends_where_another_begins():
    assert strip_controls("a\x9dlost? \x9dtitle\x07b") == "alost? b"
