"""What the checks read in the code of a repository and in its CI files.

Each function yields findings; nothing is changed, started or contacted.
"""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Collection, Iterator, Mapping
from fnmatch import fnmatch
from pathlib import Path

from majordomus_reasoning.texts import Found, Source, files, read_all

PACKAGE_FOLDER = "majordomus_reasoning"
SPELLS_CATALOGUE_WORDS = ("advisors/adapters", "testing")
OPENS_CONNECTIONS = ("advisors/driver.py", "surfaces", "testing")
NETWORK_MODULES = frozenset(
    {
        *("aiohttp", "grpc", "httpcore", "httplib2", "httpx", "niquests", "pycurl", "requests"),
        *("http.client", "http.server", "urllib.request", "websocket", "websockets", "xmlrpc"),
        *("ftplib", "imaplib", "nntplib", "paramiko", "poplib", "smtplib", "telnetlib"),
        *("tornado", "twisted", "urllib3", "zmq"),
        *("_socket", "_ssl", "socket", "socketserver", "ssl"),
        *("_multiprocessing", "_posixsubprocess", "multiprocessing", "pexpect", "pty"),
        *("asyncio.subprocess", "concurrent.futures.process", "subprocess", "webbrowser"),
    }
)
# What does so in a module that may be imported.
NETWORK_FUNCTIONS = re.compile(
    r"(?:os|posix|nt)\.(?:exec[lv]\w*|fork|forkpty|popen|posix_spawnp?|spawn[lv]\w*|startfile|system)"
    r"|asyncio\.(?:create_subprocess_\w+|open_\w*connection|start_\w*server|subprocess)"
    r"|concurrent\.futures\.ProcessPoolExecutor"
)
_IMPORTING = ("__import__", "import_module")
CI_FOLDERS = (
    *(".azure-pipelines", ".buildkite", ".ci", ".circleci", ".forgejo", ".gitea", ".github"),
    *(".gitlab", ".semaphore", ".tekton", ".woodpecker", "ci"),
)
# What lies in a folder of CI and is read by people, or by something that runs nothing of ours.
NOT_CI = ("*.adoc", "*.md", "*.rst", "*/issue_template/*", ".github/dependabot.y*ml")
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
        known = _local_names(tree)
        for node in ast.walk(tree):
            name = next(filter(_opens_connections, _used(node, known)), None)
            if name:
                place = f"{module}:{getattr(node, 'lineno', 1)}"
                yield Found(place, f"it uses {name}: only the driver and the surfaces may")


def _opens_connections(name: str) -> bool:
    parts = name.split(".")
    prefixes = {".".join(parts[: end + 1]) for end in range(len(parts))}
    return bool(prefixes & NETWORK_MODULES or NETWORK_FUNCTIONS.fullmatch(name))


def _local_names(tree: ast.Module) -> dict[str, str]:
    """What each name that an import binds stands for, wherever in the module it does."""
    known = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                first = alias.name.partition(".")[0]
                known[alias.asname or first] = alias.name if alias.asname else first
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                known[alias.asname or alias.name] = f"{node.module}.{alias.name}"
    return known


def _used(node: ast.AST, known: Mapping[str, str]) -> Iterator[str]:
    """The modules and names that a node imports, or the function of a module that it names."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
    elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
        yield node.module
        yield from (f"{node.module}.{alias.name}" for alias in node.names)
    elif isinstance(node, ast.Call) and _name(node.func, known).endswith(_IMPORTING):
        named = (each.value for each in node.keywords if each.arg == "name")
        for value in (*node.args[:1], *named):
            if isinstance(value, ast.Constant) and isinstance(value.value, str):
                yield value.value
    elif isinstance(node, ast.Attribute) and NETWORK_FUNCTIONS.fullmatch(_name(node, known)):
        yield _name(node, known)


def _name(node: ast.AST, known: Mapping[str, str]) -> str:
    """A name or an attribute, dotted, under the name by which it was imported."""
    pieces: list[str] = []
    while isinstance(node, ast.Attribute):
        pieces.insert(0, node.attr)
        node = node.value
    first = known.get(node.id, node.id) if isinstance(node, ast.Name) else ""
    return ".".join((first, *pieces))


def ci_credentials(root: Path, variables: Collection[str]) -> Iterator[Found]:
    """CI files that name a vendor's credential variable: CI asks nobody, so it needs none."""
    _, _, names = next(os.walk(root), (root, [], []))
    paths: list[Path | Found] = [
        root / name for name in names if any(fnmatch(name, place) for place in CI_FILES)
    ]
    for folder in CI_FOLDERS:
        paths += (
            path
            for path in files(root, root / folder, "", everywhere=True)
            if isinstance(path, Found) or _is_ci(path.relative_to(root).as_posix())
        )
    for source in read_all(root, paths):
        if isinstance(source, Found):
            yield source
            continue
        for variable in sorted(variables):
            found = re.search(rf"(?<!\w){re.escape(variable)}(?!\w)", source.text)
            if found:
                place = f"{source.name}:{source.line(found.start())}"
                yield Found(place, f"it names the credential variable {variable}")


def _is_ci(name: str) -> bool:
    return not any(fnmatch(name.casefold(), pattern) for pattern in NOT_CI)
