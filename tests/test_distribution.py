"""The distribution: its name, extras and wheel, and what messages say to install."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.metadata import packages_distributions, requires
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "assize"
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
NAME = "assize-eval"
EXTRAS: dict[str, list[str]] = PROJECT["optional-dependencies"]
FOR_USERS = sorted(EXTRAS.keys() - {"dev"})
PAGES = (
    "*.md",
    "Makefile",
    "pyproject.toml",
    "docs/**/*.md",
    "design/**/*.md",
    "examples/**/*",
    "src/**/*.py",
    "tests/**/*.py",
    "benchmarks/**/*.py",
    "scripts/**/*.py",
)
HINT = re.compile(r"pip install '\.\[([a-z, ]+)\]'")
INNER = re.compile(NAME + r"\[([a-z, ]+)\]")  # an extra that names others
# Neither is ours on the package index: `assize` is another project, `assize-eval` not registered.
UNREGISTERED = re.compile(
    r"(?<![\w.-])assize(?:-eval)?\[[a-z, ]+\]|pip install (?:-\S+ )*['\"]?assize(?:-eval)?(?![\w-])"
)
SAYS_SO = (
    "pyproject.toml",
    "scripts/dependencies/locked.py",
    "CHANGELOG-HISTORY.md",
    "docs/installation.md",
    "tests/test_distribution.py",
)
# Imported here and required by what is declared, whose version decides theirs.
COMES_WITH = {
    "huggingface_hub": "tokenizers",
    "httpcore2": "httpx2",
    "httpx2": "openai",
    "markupsafe": "jinja2",
}


@cache
def texts() -> list[tuple[Path, str]]:
    """The pages and the code, with their paths."""
    return [
        (path.relative_to(ROOT), path.read_text())
        for pattern in PAGES
        for path in ROOT.glob(pattern)
        if path.suffix in (".md", ".py", ".toml", ".ipynb", ".yml") or path.name == "Makefile"
    ]


def plain(requirement: str) -> str:
    """A requirement's name, as names are compared."""
    name = re.match(r"[\w.-]+", requirement)
    assert name
    return re.sub(r"[-_.]+", "-", name[0]).lower()


def brought_by(extra: str) -> set[str]:
    """The distributions that an extra names, those of the extras within it too."""
    found: set[str] = set()
    for one in EXTRAS[extra]:
        if inner := INNER.match(one):
            found = found.union(*map(brought_by, inner[1].split(",")))
        else:
            found.add(plain(one))
    return found


BASE = {plain(one) for one in PROJECT["dependencies"]}


def test_the_distribution_has_its_own_name_and_the_command_the_short_one() -> None:
    assert PROJECT["name"] == NAME
    assert PROJECT["scripts"] == {"assize": "assize.__main__:main"}


def test_no_hint_names_a_package_that_is_not_registered() -> None:
    pages = texts()
    assert len(pages) > 500
    wrong = [
        f"{path}: {hint[0]}"
        for path, text in pages
        if str(path) not in SAYS_SO
        for hint in UNREGISTERED.finditer(text)
    ]
    assert not wrong, "say pip install '.[...]', in the clone: " + "; ".join(wrong)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("pip install 'assi" + "ze[score]'", True),
        ("pip install -U assi" + "ze", True),
        ("pip install 'assize-eval[score]'", True),
        ("pip install assize-eval", True),
        ("pip install '.[score]'", False),
        ("pip install 'wheels/assize_eval-0.1.0-py3-none-any.whl[score]'", False),
    ],
)
def test_a_hint_of_an_unregistered_package_would_be_found(text: str, wrong: bool) -> None:
    assert bool(UNREGISTERED.search(text)) is wrong


def test_every_hint_names_extras_that_exist() -> None:
    named = {
        extra.strip()
        for _, text in texts()
        for hint in HINT.finditer(text)
        for extra in hint[1].split(",")
    }
    assert named >= {"score", "report"}
    assert named <= EXTRAS.keys()


def parsed(word: str) -> Iterator[tuple[Path, list[ast.AST]]]:
    """Every node of the modules that have a word in them."""
    for path in SOURCE.rglob("*.py"):
        if word in (text := path.read_text()):
            yield path.relative_to(SOURCE), list(ast.walk(ast.parse(text)))


def imports(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """The packages that nodes import."""
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (one.name.partition(".")[0] for one in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module.partition(".")[0]


def test_every_error_that_names_an_extra_names_the_one_that_brings_what_is_missing() -> None:
    owner = packages_distributions()
    seen = set()
    for path, nodes in parsed("MissingExtra"):
        for node in nodes:
            if not isinstance(node, ast.Try):
                continue
            for call in (inner for one in node.handlers for inner in ast.walk(one)):
                if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "MissingExtra":
                    (extra,) = (one.value for one in call.keywords if one.arg == "extra")
                    assert isinstance(extra, ast.Constant), f"{path}:{call.lineno}"
                    assert extra.value in FOR_USERS, f"{path}:{call.lineno}"
                    body = (inner for one in node.body for inner in ast.walk(one))
                    for name in imports(body):
                        home = {plain(one) for one in owner.get(name, ())}
                        assert home & brought_by(extra.value), f"{path}:{call.lineno}: {name}"
                    seen.add(extra.value)
    assert seen >= {"score", "report", "notebook", "retrieval", "train", "anthropic"}


def test_errors_of_missing_extras_are_raised_where_the_import_fails() -> None:
    """So that the test above sees all of them."""
    for path, nodes in parsed("MissingExtra"):
        calls = [one for one in nodes if isinstance(one, ast.Call)]
        raised = [one for one in calls if getattr(one.func, "id", "") == "MissingExtra"]
        handlers = [one for one in nodes if isinstance(one, ast.ExceptHandler)]
        inside = {id(inner) for one in handlers for inner in ast.walk(one)}
        assert all(id(one) in inside for one in raised), path


def test_whatever_is_imported_is_declared() -> None:
    owner = packages_distributions()
    declared = BASE.union(*map(brought_by, FOR_USERS))
    strangers = [
        f"{path} imports {name}"
        for path, nodes in parsed("import")
        for name in sorted(set(imports(nodes)) - sys.stdlib_module_names - {"assize"})
        if declared.isdisjoint(map(plain, owner.get(_brings(name), ())))
    ]
    assert not strangers, f"no extra brings it: {'; '.join(strangers)}"


def _brings(name: str) -> str:
    """The declared package with which one comes, over one that comes with another."""
    return _brings(COMES_WITH[name]) if name in COMES_WITH else name


def test_what_comes_with_another_package_is_required_by_it() -> None:
    owner = packages_distributions()
    for name, by in COMES_WITH.items():
        (home,), (above,) = set(owner[name]), set(owner[by])
        assert plain(home) in {plain(one) for one in requires(above) or () if "extra ==" not in one}


def test_the_page_about_installing_has_every_extra_and_what_it_names() -> None:
    page = (ROOT / "docs" / "installation.md").read_text()
    rows = dict(re.findall(r"^\| `(\w+)` \|(.*)$", page, re.MULTILINE))
    assert sorted(rows) == FOR_USERS
    for extra, row in rows.items():
        hints = [hint[1] for one in EXTRAS[extra] if (hint := INNER.match(one))]
        inner = [name for hint in hints for name in hint.split(",")]
        own = [plain(one) for one in EXTRAS[extra] if not INNER.match(one)]
        assert sorted(own + inner) == sorted(re.findall(r"`([\w-]+)`", row.split("|")[0])), extra


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from this tree."""
    pytest.importorskip("hatchling", reason="needs the extra `dev`")
    folder = tmp_path_factory.mktemp("wheel")
    done = subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    (made,) = folder.glob("*.whl")
    return made


def held(package: Path) -> set[str]:
    """The files of the package, but for what Python compiles."""
    found = (path for path in package.rglob("*") if path.is_file())
    kept = {path.relative_to(package.parent).as_posix() for path in found}
    return {one for one in kept if "__pycache__" not in one}


def test_the_wheel_holds_every_file_of_the_package_and_no_other(wheel: Path) -> None:
    assert wheel.name.startswith("assize_eval-")
    with zipfile.ZipFile(wheel) as opened:
        names = set(opened.namelist())
    packed = {one for one in names if ".dist-info/" not in one}
    assert packed == held(SOURCE) | {"assize_pytest.py"}
    kinds = {Path(one).suffix for one in packed}
    assert kinds >= {".py", ".jinja", ".toml", ".yaml", ".html", ".safetensors", ".onnx", ".jsonl"}
    assert any(one.endswith("licenses/LICENSE") for one in names)


SHOWN = {
    "--help": "Judge multi-turn conversations",
    "judge --list": "explained-fewshot",
    "rubric show": "information-seeking",
    "rubric show general": "A general assistant",
    "evaluator card": "assize-small-2",
    "score {examples}/conversations.jsonl --report page.html": "refund-loop",
}


@pytest.fixture(scope="module")
def unpacked(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("unpacked")
    with zipfile.ZipFile(wheel) as opened:
        opened.extractall(folder)
    return folder


def run_from(folder: Path, code: str, *words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Python with the package of a folder, outside the tree."""
    return subprocess.run(
        [sys.executable, "-c", code, *words],
        cwd=cwd,
        env=os.environ | {"PYTHONPATH": str(folder), "COLUMNS": "120", "TERM": "dumb"},
        capture_output=True,
        text=True,
    )


IN_TURN = """
import contextlib, io, json, sys
import assize.cli
said = {}
for line in sys.argv[1:]:
    sys.argv, stdout = ["assize", *line.split()], io.StringIO()
    with contextlib.redirect_stdout(stdout):
        try:
            assize.cli.main()
        except SystemExit as end:
            assert not end.code, line
    said[line] = stdout.getvalue()
print(json.dumps([assize.__file__, said]))
"""


def test_the_wheel_s_commands_find_their_files(unpacked: Path, tmp_path: Path) -> None:
    shown = {line.format(examples=ROOT / "examples"): part for line, part in SHOWN.items()}
    done = run_from(unpacked, IN_TURN, *shown, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    package, said = json.loads(done.stdout)
    assert package.startswith(str(unpacked)), "another copy of the package answered"
    assert not [line for line, part in shown.items() if part not in said[line]]


@pytest.mark.parametrize(
    ("absent", "words", "extra"),
    [
        ("tokenizers", "score {examples}/conversations.jsonl", "score"),
        ("onnxruntime", "score {examples}/conversations.jsonl", "score"),
        ("vl_convert", "report {examples}/pairs.jsonl --out page.html", "report"),
    ],
)
def test_without_an_extra_a_command_says_which_one_to_install(
    absent: str, words: str, extra: str, unpacked: Path, tmp_path: Path
) -> None:
    code = f"import sys; sys.modules[{absent!r}] = None\nimport assize.cli; assize.cli.main()"
    given = words.format(examples=ROOT / "examples").split()
    done = run_from(unpacked, code, *given, cwd=tmp_path)
    assert done.returncode == 2
    assert f"pip install '.[{extra}]'" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("place", ["Dockerfile", "deploy/Dockerfile"])
def test_a_container_is_built_from_files_that_are_let_through_and_packages_with_hashes(
    place: str,
) -> None:
    root = SOURCE.parents[1]
    lines = (root / place).read_text().replace("\\\n", "").splitlines()
    copied = {
        name
        for line in lines
        if line.startswith("COPY ") and "--from" not in line
        for name in line.split()[1:-1]
    }
    allowed = {one[1:] for one in (root / ".dockerignore").read_text().split() if one[0] == "!"}
    assert copied <= allowed
    assert all((root / name).exists() for name in copied)
    installed = [part for line in lines for part in line.split("&&") if "pip install" in part]
    assert len(installed) == 2
    assert all("--require-hashes" in part or part.split()[-1] == "." for part in installed)
    (lock,) = (name for name in copied if name.startswith("requirements/"))
    assert "hatchling==" in (root / lock).read_text()
