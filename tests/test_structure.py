"""The rules that hold the house together: floors, promised names, help, mirrored tests."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
import re
import runpy
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path
from types import ModuleType
from typing import Any

import griffe
import pytest
from scripts.floors import FLOORS
from scripts.promised import promised

import assize

SOURCE = Path(assize.__file__).parent
RANK = {name: rank for rank, name in enumerate(name for floor in FLOORS for name in floor)}
NAMESPACES = (
    "acts", "calibrate", "criteria", "evaluator", "reference", "rubric", "simulate", "stats",
    "study", "web",
)  # fmt: skip
HEAVY = (
    "torch",
    "transformers",
    "onnxruntime",
    "sklearn",
    "pyarrow",
    "openai",
    "scipy",
    "pydantic",
)


def modules() -> Iterator[Path]:
    yield from SOURCE.rglob("*.py")


@cache
def imports() -> dict[Path, list[ast.Import | ast.ImportFrom]]:
    """What each module imports, inside functions too."""
    return {
        path: [
            node
            for node in ast.walk(ast.parse(path.read_text()))
            if isinstance(node, ast.Import | ast.ImportFrom)
        ]
        for path in modules()
    }


def imported_packages(path: Path) -> Iterator[tuple[str, int]]:
    """Packages and promised names of assize that a file imports, and where."""
    for node in imports()[path]:
        if isinstance(node, ast.ImportFrom) and node.module:
            inner = [node.module]
            if node.module == "assize":
                inner = [f"assize.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            inner = [alias.name for alias in node.names]
        else:
            continue
        for name in inner:
            if name.startswith("assize."):
                yield name.split(".")[1], node.lineno


def test_every_package_stands_on_a_floor() -> None:
    packages = {path.relative_to(SOURCE).parts[0].removesuffix(".py") for path in modules()}
    assert packages - {"__init__", "__main__"} == set(RANK)


def test_imports_run_downwards_only() -> None:
    upward = []
    for path in modules():
        package = path.relative_to(SOURCE).parts[0].removesuffix(".py")
        if package in ("__init__", "__main__"):
            continue
        for target, line in imported_packages(path):
            at_the_top = package == "cli" and target in assize.__all__
            if target != package and not at_the_top and RANK[target] <= RANK[package]:
                upward.append(f"{path.relative_to(SOURCE)}:{line} imports {target}")
    assert not upward, "\n".join(upward)


def test_no_module_imports_the_promised_names_of_its_own_package() -> None:
    own = []
    for path in modules():
        package = f"assize.{path.relative_to(SOURCE).parts[0]}"
        own += [
            f"{path.relative_to(SOURCE)}:{node.lineno}"
            for node in imports()[path]
            if isinstance(node, ast.ImportFrom) and node.module == package
            for alias in node.names
            if alias.name in getattr(importlib.import_module(package), "__all__", ())
        ]
    assert not own, "\n".join(own)


def module_name(path: Path) -> str:
    parts = ("assize", *path.relative_to(SOURCE).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def import_graph() -> dict[str, set[str]]:
    """The modules of assize that each module imports, in functions and for types too."""
    paths = {module_name(path): path for path in modules()}
    graph: dict[str, set[str]] = {name: set() for name in paths}
    for name, path in paths.items():
        for node in imports()[path]:
            if isinstance(node, ast.ImportFrom) and node.module:
                # `from package import submodule` imports the submodule.
                inner = {f"{node.module}.{alias.name}" for alias in node.names}
                submodules = inner & paths.keys()
                graph[name] |= submodules
                graph[name] |= {node.module} & paths.keys() if inner - submodules else set()
            elif isinstance(node, ast.Import):
                graph[name] |= {alias.name for alias in node.names} & paths.keys()
    return graph


def test_no_module_imports_itself_by_way_of_others() -> None:
    graph = import_graph()
    assert graph["assize.cli.judge"]
    TopologicalSorter(graph).prepare()  # CycleError names the circle


def test_short_hashes_are_made_in_one_place() -> None:
    outside = {
        "assize.formats.research.upheld",  # a hash of every beginning of a history
        "assize.judging.boundary",  # a secret's message code
        "assize.pages.page",  # of the style sheet, as browsers ask for it
    }
    hashing = {
        module_name(path)
        for path in modules()
        if re.search(r"^ *(from|import) (hashlib|hmac)", path.read_text(), flags=re.M)
    }
    assert "assize.base.signature" in hashing
    assert hashing <= outside | {"assize.base.signature"}


def packages() -> Iterator[ModuleType]:
    """Every package that lists what it exports."""
    yield assize
    for found in pkgutil.walk_packages(assize.__path__, "assize."):
        if found.ispkg and hasattr(package := importlib.import_module(found.name), "__all__"):
            yield package


def test_every_package_exports_what_it_lists() -> None:
    listed = list(packages())
    assert len(listed) > 10
    for package in listed:
        names: dict[str, Any] = {}
        exec(f"from {package.__name__} import *", names)
        assert set(package.__all__) <= names.keys(), package.__name__
        assert len(set(package.__all__)) == len(package.__all__), package.__name__


def test_the_promised_names_are_in_order() -> None:
    assert assize.__all__ == sorted(assize.__all__, key=lambda name: (name.islower(), name))


def test_the_top_promises_few_names_and_the_rest_stands_in_ten_namespaces() -> None:
    assert len(assize.__all__) <= 45
    assert all(importlib.import_module(f"assize.{name}").__all__ for name in NAMESPACES)
    assert not set(NAMESPACES) & set(assize.__all__)


def test_no_module_takes_the_place_of_a_promised_name() -> None:
    """In a process of its own, in which every module is imported before a name is looked up:
    importing a module puts it into its package by its own name."""
    script = """
import importlib, inspect, pkgutil, assize
packages = [assize] + [importlib.import_module(found.name)
                       for found in pkgutil.iter_modules(assize.__path__, "assize.") if found.ispkg]
for found in pkgutil.walk_packages(assize.__path__, "assize."):
    if "migrations" not in found.name and "__main__" not in found.name:
        importlib.import_module(found.name)
for package in packages:
    for name in getattr(package, "__all__", ()):
        for value in (getattr(package, name), getattr(package, name)):
            if inspect.ismodule(value):
                print(f"{package.__name__}.{name} is a module")
for name in assize.__all__:
    if name.islower() and not name.startswith("_"):
        for _ in range(2):
            try:
                getattr(assize, name)(made_up=1)
            except TypeError as error:
                if "made_up" not in str(error):
                    print(f"assize.{name}: {error}")
            else:
                print(f"assize.{name} takes what it does not know")
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, ""), done.stdout + done.stderr


def test_a_promised_function_has_at_most_twelve_parameters() -> None:
    counts = {
        path: len(inspect.signature(value).parameters)
        for path, value in promised().items()
        if inspect.isfunction(value)
    }
    assert len(counts) > 100
    assert [path for path, count in counts.items() if count > 12] == []


def test_the_reader_of_the_docs_sees_each_promised_name_with_its_docstring() -> None:
    tree = griffe.load("assize", search_paths=[str(SOURCE.parent)], resolve_aliases=True)
    unread = []
    for path, value in promised().items():
        if not (inspect.isfunction(value) or inspect.isclass(value)):
            continue
        read = tree[path.removeprefix("assize.")]
        signed = not inspect.isfunction(value) or (read.is_function and read.returns is not None)
        if not signed or not read.has_docstring:
            unread.append(path)
    assert not unread


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        assize.nothing  # type: ignore[attr-defined]  # noqa: B018


def loaded_by(code: str, names: tuple[str, ...] = HEAVY) -> set[str]:
    """Which of some modules a fresh interpreter has loaded after running `code`."""
    script = f"{code}\nimport sys\nprint(*[m for m in {names!r} if m in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    return set(done.stdout.splitlines()[-1].split())


def test_importing_a_package_loads_nothing_heavy() -> None:
    every = "\n".join(f"import assize.{name}" for name in RANK if (SOURCE / name).is_dir())
    assert "assize.calibrate" in every
    assert loaded_by(every, (*HEAVY, "numpy")) == set()


def test_the_help_text_loads_nothing_heavy() -> None:
    code = (
        "import sys; sys.argv = ['assize', '--help']\nimport assize.cli\n"
        "try: assize.cli.main()\nexcept SystemExit: pass\nprint()"
    )
    assert loaded_by(code) == set()


def test_the_docstring_of_a_record_names_its_own_fields_only() -> None:
    count = 0
    for path in modules():
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.ClassDef) or node.bases:
                continue
            _, _, rest = (ast.get_docstring(node) or "").partition("\nArgs:\n")
            lines = re.findall(
                r"^    ([a-z_][a-z_0-9, ]*): ", rest.partition("\n\n")[0], re.MULTILINE
            )
            names = {name for line in lines for name in line.split(", ")}
            fields = [part.target for part in node.body if isinstance(part, ast.AnnAssign)]
            own = {field.id for field in fields if isinstance(field, ast.Name)}
            own |= {
                argument.arg
                for part in node.body
                if isinstance(part, ast.FunctionDef) and part.name == "__init__"
                for argument in (*part.args.args, *part.args.kwonlyargs)
            }
            assert names <= own, f"{path.relative_to(SOURCE)}: {node.name}: {names - own}"
            count += len(names)
    assert count > 1000


def test_every_command_has_help_with_an_example() -> None:
    import typer.main

    from assize.cli import COMMANDS, app

    commands = dict(walk(typer.main.get_command(app), "assize"))
    assert commands
    listed = {f"assize {row.name}": row.about for row in COMMANDS}
    for name, command in commands.items():
        assert command.help, f"{name} has no help text"
        assert name in command.help, f"the help of `{name}` shows no example"
        assert command.help.splitlines()[0] == listed[name], f"{name} is listed as something else"


def walk(command: Any, name: str) -> Iterator[tuple[str, Any]]:
    children = getattr(command, "commands", None)
    if children is None:
        yield name, getattr(command, "real", command)  # the table of commands imports it late
    else:
        for child, value in children.items():
            yield from walk(value, f"{name} {child}")


def test_the_page_of_commands_says_what_the_help_says(monkeypatch: pytest.MonkeyPatch) -> None:
    script = str(SOURCE.parents[1] / "scripts" / "command_reference.py")
    monkeypatch.setattr(sys, "argv", [script, "--check"])
    with pytest.raises(SystemExit) as end:
        runpy.run_path(script, run_name="__main__")
    assert not end.value.code, "out of date; run: python -m scripts.command_reference"


def test_every_module_has_a_test_of_its_own_name() -> None:
    tests = Path(__file__).parent
    missing = []
    for path in modules():
        *folders, name = (part.lstrip("_") for part in path.relative_to(SOURCE).parts)
        tested = tests.joinpath(*folders, f"test_{name}").exists()
        if path.stem not in ("__init__", "__main__") and not tested:
            missing.append(str(path.relative_to(SOURCE)))
    assert not missing, f"no test of their own: {', '.join(sorted(missing))}"
