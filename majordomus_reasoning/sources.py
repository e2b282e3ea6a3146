"""What the checks read in the files of a repository: its code, documents, CI files and notebooks.

Each function yields findings; nothing is changed, started or contacted.
"""

from __future__ import annotations

import ast
import json
import os
import re
from collections.abc import Collection, Iterator
from fnmatch import fnmatch
from pathlib import Path

from majordomus_reasoning.texts import Found, Source, files, read, read_all

PACKAGE_FOLDER = "majordomus_reasoning"
SPELLS_CATALOGUE_WORDS = ("advisors/adapters", "testing")
OPENS_CONNECTIONS = ("advisors/driver.py", "surfaces", "testing")
NETWORK_MODULES = frozenset(
    {
        *("aiohttp", "httpcore", "httplib2", "httpx", "pycurl", "requests", "urllib3"),
        *("http.client", "http.server", "urllib.request", "websocket", "websockets", "xmlrpc"),
        *("ftplib", "imaplib", "nntplib", "paramiko", "poplib", "smtplib", "telnetlib"),
        *("socket", "socketserver", "ssl"),
        *("multiprocessing", "pexpect", "pty", "subprocess"),
    }
)
DOCUMENT_SUFFIXES = (".md", ".rst")
_YAML = (".yml", ".yaml")
CI_FOLDERS = {
    ".ci": ("",),
    ".buildkite": ("",),
    ".circleci": _YAML,
    ".forgejo": _YAML,
    ".gitea": _YAML,
    ".github": _YAML,
    ".gitlab": _YAML,
    ".woodpecker": _YAML,
}
CI_FILES = (
    ".gitlab-ci.y*ml",
    ".woodpecker.y*ml",
    ".drone.y*ml",
    ".travis.y*ml",
    ".cirrus.y*ml",
    ".appveyor.y*ml",
    "appveyor.y*ml",
    "azure-pipelines*.y*ml",
    "bitbucket-pipelines.y*ml",
    "cloudbuild.y*ml",
    "Jenkinsfile*",
)


def _modules(root: Path, *exempt: str) -> Iterator[tuple[str, ast.Module | Found]]:
    """The package's modules as syntax trees, or why one cannot be checked."""
    package = files(root, root / PACKAGE_FOLDER, ".py", everywhere=True)
    for source in read_all(root, package):
        if isinstance(source, Found):
            yield source.subject, source
            continue
        inner = source.name.removeprefix(f"{PACKAGE_FOLDER}/")
        if not any(
            inner in {name, f"{name}.py"} or inner.startswith(f"{name}/") for name in exempt
        ):
            yield source.name, _parsed(source)


def _parsed(source: Source) -> ast.Module | Found:
    try:
        return ast.parse(source.text)
    except (SyntaxError, ValueError, MemoryError, RecursionError):  # the last two of deep nesting
        return Found(source.name, "it cannot be checked: it does not parse")


def coupling(root: Path, words: Collection[str]) -> Iterator[Found]:
    """Modules that spell a word of the catalogue: only a whole literal equal to it counts."""
    for name, tree in _modules(root, *SPELLS_CATALOGUE_WORDS):
        if isinstance(tree, Found):
            yield tree
            continue
        pieces = {
            id(piece)
            for node in ast.walk(tree)
            if isinstance(node, ast.JoinedStr)
            for piece in node.values
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and node.value in words and id(node) not in pieces:
                place = f"{name}:{node.lineno}"
                yield Found(place, f"it spells {node.value!r}, a word of the catalogue")


def network(root: Path) -> Iterator[Found]:
    """Modules that import an HTTP client, socket or subprocess outside the rooms that may."""
    for module, tree in _modules(root, *OPENS_CONNECTIONS):
        if isinstance(tree, Found):
            continue  # which `coupling` reports
        for node in ast.walk(tree):
            for name in _imported(node):
                parts = name.split(".")
                prefixes = {".".join(parts[: end + 1]) for end in range(len(parts))}
                if prefixes & NETWORK_MODULES:
                    place = f"{module}:{getattr(node, 'lineno', 1)}"
                    yield Found(place, f"it imports {name}: only the driver and the surfaces may")
                    break


def _imported(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
        yield node.module
        yield from (f"{node.module}.{alias.name}" for alias in node.names)
    elif isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
        called = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        called = node.func.id if isinstance(node.func, ast.Name) else called
        if called in {"__import__", "import_module"} and isinstance(node.args[0].value, str):
            yield node.args[0].value


def ci_credentials(root: Path, variables: Collection[str]) -> Iterator[Found]:
    """CI files that name a vendor's credential variable: CI asks nobody, so it needs none."""
    _, _, names = next(os.walk(root), (root, [], []))
    paths: list[Path | Found] = [
        root / name for name in names if any(fnmatch(name, place) for place in CI_FILES)
    ]
    for folder, suffixes in CI_FOLDERS.items():
        paths += files(root, root / folder, *suffixes, everywhere=True)
    for source in read_all(root, paths):
        if isinstance(source, Found):
            yield source
            continue
        for variable in sorted(variables):
            found = re.search(rf"(?<!\w){re.escape(variable)}(?!\w)", source.text)
            if found:
                place = f"{source.name}:{source.line(found.start())}"
                yield Found(place, f"it names the credential variable {variable}")


_NEGATION = re.compile(r"\b(?:no|not|never|none|nobody|nothing|cannot|without|nor)\b|n['\u2019]t\b")
_INDENT = r"[^\S\n]*"
_SENTENCE = re.compile(
    rf"(?:[^.!?\n]|[.!?](?!\s)|\n(?!{_INDENT}\n|{_INDENT}(?:[-*+#>|]|\d+\.)\s))+"
)


def claims(root: Path, forbidden: Collection[str], advisors: Collection[str]) -> Iterator[Found]:
    """Documents that assert what no record could show, or that an advisor is required.

    A sentence that denies it asserts nothing.
    """
    needed = _needing(advisors)
    phrases = {" ".join(claim.split()).casefold(): claim for claim in forbidden if claim.strip()}
    for source in read_all(root, files(root, root, *DOCUMENT_SUFFIXES, everywhere=False)):
        if isinstance(source, Found):
            yield source
            continue
        for match in _SENTENCE.finditer(source.text):
            sentence = " ".join(match.group().split()).casefold()
            if _NEGATION.search(sentence):
                continue
            start = match.start() + len(match.group()) - len(match.group().lstrip())
            place = f"{source.name}:{source.line(start)}"
            for phrase, claim in phrases.items():
                if phrase in sentence:
                    yield Found(place, f"it claims {claim!r}, which no record can show")
            if needed.search(sentence):
                yield Found(place, "it says that an advisor is required: every one is optional")


def _needing(advisors: Collection[str]) -> re.Pattern[str]:
    names = sorted({name.casefold() for name in advisors}, key=len, reverse=True)
    who = "|".join((r"advisors?", *(re.escape(name) for name in names)))
    article = r"(?:an?|the|one|some|at least one|any|one or more)"
    which = r"(?:external|independent|available|configured|installed)"
    subject = rf"(?<![\w-])(?:{article}\s)?(?:{which}\s)?(?:{who})(?![\w-])"
    must = r"(?:installed|configured|available|present|set up|running)"
    return re.compile(
        rf"{subject}\s(?:is|are)\s(?:required|mandatory|necessary|needed|indispensable)\b"
        rf"|{subject}\s(?:must|has to|have to)\sbe\s{must}\b"
        rf"|\b(?:requires?|needs?|depends? on)\s{subject}"
        rf"|\b(?:must|have to|has to)\s(?:install|configure|have|set up)\s{subject}"
    )


def notebook_pairs(root: Path) -> Iterator[Found]:
    """Notebooks whose text pair, a percent script beside them, holds other cells."""
    paths = {*files(root, root, ".ipynb", ".py", everywhere=False)}
    for path in sorted(each for each in paths if isinstance(each, Path)):
        if path.suffix == ".ipynb" and path.with_suffix(".py") in paths:
            yield from _pair(read(root, path.with_suffix(".py")), root, path)


def _pair(script: Source | Found, root: Path, path: Path) -> Iterator[Found]:
    if isinstance(script, Found):
        yield script
    elif _MARKER.search(script.text):
        notebook = read(root, path)
        yield from [notebook] if isinstance(notebook, Found) else _differing(script, notebook)


def _differing(script: Source, notebook: Source) -> Iterator[Found]:
    try:
        cells = json.loads(notebook.text)["cells"]
        held = [_cell(each["cell_type"], "".join(each["source"])) for each in cells]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        message = f"it cannot be read as a notebook ({type(error).__name__})"
        yield Found(notebook.name, message)
        return
    if held != percent_cells(script.text):
        pair = Path(script.name).name
        yield Found(notebook.name, f"its cells differ from {pair}: write both again from it")


_MARKER = re.compile(r"^# %%(?:[ \t]+(.*))?$", re.MULTILINE)
_HEADER = re.compile(r"\A# ---\n(?:#.*\n)*?# ---\n")
_COMMENTED_MAGIC = re.compile(r"^([ \t]*)# (?=[%!?])", re.MULTILINE)


def percent_cells(script: str) -> list[tuple[str, str]]:
    """The kind and text of every cell of a percent script, as its notebook holds them.

    Read here and not with jupytext, whose import starts a process.

    >>> percent_cells("# %% [markdown]\\n# # Title\\n\\n# %%\\n1 + 1\\n")
    [('markdown', '# Title'), ('code', '1 + 1')]
    """
    _before, *parts = _MARKER.split(_HEADER.sub("", script))
    cells = []
    for options, text in zip(parts[::2], parts[1::2], strict=True):
        kind = re.search(r"\[(markdown|md|raw)\]", options or "")
        if kind is None:
            cells.append(_cell("code", text))
        else:
            cells.append(_cell("raw" if kind[1] == "raw" else "markdown", _uncommented(text)))
    return cells


def _uncommented(text: str) -> str:
    quoted = re.fullmatch(r"\s*(\"{3}|'{3})(.*)\1\s*", text, re.DOTALL)
    return quoted[2] if quoted else re.sub(r"^# ?", "", text, flags=re.MULTILINE)


def _cell(kind: str, text: str) -> tuple[str, str]:
    return kind, _COMMENTED_MAGIC.sub(r"\1", text).strip()
