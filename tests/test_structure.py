"""The rules that hold the house together: imports run downwards, exports are complete."""

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

import pytest

import assize

SOURCE = Path(assize.__file__).parent
LAYERS = [
    {"cli"},
    {"webapp"},
    {"pages"},
    {"workflows"},
    {
        "dialogue_acts",
        "juries",
        "rubric",
        "calibration",
        "criteria",
        "reference",
        "evaluator",
        "simulation",
        "versions",
    },
    {"judging"},
    {"models", "encoders", "retrieval"},
    {"endpoints"},
    {"running"},
    {"studies"},
    {"agreement"},
    {"stats", "formats"},
    {"judgments"},
    {"results"},
    {"artefacts", "disk_cache", "http_client", "own_code", "plugins", "trust"},
    {"judgment", "fields"},
    {"conversation"},
    {
        "lazy",
        "signature",
        "arguments",
        "record_parts",
        "privacy",
        "record",
        "whole_text",
        "line_checksum",
        "invisible",
    },
    {"errors", "version"},
    {"secrets", "invisible"},
]
LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names}
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


def imported_parts(path: Path) -> Iterator[tuple[str, int]]:
    """Top-level parts of assize that a file imports."""
    for node in imports()[path]:
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("assize."):
            yield node.module.split(".")[1], node.lineno
        elif isinstance(node, ast.Import):
            for name in node.names:
                if name.name.startswith("assize."):
                    yield name.name.split(".")[1], node.lineno


def test_every_part_of_the_package_has_a_layer() -> None:
    parts = {path.relative_to(SOURCE).parts[0].removesuffix(".py") for path in modules()}
    assert parts - {"__init__", "__main__"} <= set(LEVEL)


def test_imports_run_downwards_only() -> None:
    upward = []
    for path in modules():
        part = path.relative_to(SOURCE).parts[0].removesuffix(".py")
        if part not in LEVEL:
            continue
        for target, line in imported_parts(path):
            if target != part and LEVEL[target] <= LEVEL[part]:
                upward.append(f"{path.relative_to(SOURCE)}:{line} imports {target}")
    assert not upward, "\n".join(upward)


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
                found = {f"{node.module}.{one.name}" for one in node.names} & paths.keys()
                named = {f"{node.module}.{one.name}" for one in node.names}
                graph[name] |= found | ({node.module} & paths.keys() if named - found else set())
            elif isinstance(node, ast.Import):
                graph[name] |= {one.name for one in node.names} & paths.keys()
    return graph


def test_no_module_imports_itself_by_way_of_others() -> None:
    graph = import_graph()
    assert graph["assize.cli.judge"]
    TopologicalSorter(graph).prepare()  # CycleError names the circle


def test_short_hashes_are_made_in_one_place() -> None:
    outside = {
        "assize.formats.research.prefixes",  # a hash of every beginning of a history
        "assize.judging.boundary",  # a secret's message code
        "assize.pages.page",  # of the style sheet, as browsers ask for it
    }
    found = {
        module_name(path)
        for path in modules()
        if re.search(r"^ *(from|import) (hashlib|hmac)", path.read_text(), flags=re.M)
    }
    assert "assize.base.signature" in found
    assert found <= outside | {"assize.base.signature"}


def packages() -> Iterator[ModuleType]:
    """Every package that lists what it exports."""
    yield assize
    for found in pkgutil.walk_packages(assize.__path__, "assize."):
        if found.ispkg and hasattr(package := importlib.import_module(found.name), "__all__"):
            yield package


def test_every_package_exports_what_it_lists() -> None:
    found = list(packages())
    assert len(found) > 10
    for package in found:
        names: dict[str, Any] = {}
        exec(f"from {package.__name__} import *", names)
        assert set(package.__all__) <= names.keys(), package.__name__
        assert len(set(package.__all__)) == len(package.__all__), package.__name__


def test_no_module_takes_the_place_of_a_promised_name() -> None:
    """Importing a module puts it into its package by its own name: so may one named as a promised
    name. In a process of its own, for a module that was imported before is not put there again."""
    script = """
import importlib, inspect, pkgutil, assize
packages = [assize] + [importlib.import_module(one.name)
                       for one in pkgutil.iter_modules(assize.__path__, "assize.") if one.ispkg]
listed = [(one, name) for one in packages for name in getattr(one, "__all__", ())]
before = [getattr(one, name) for one, name in listed]
alike = [f"{one.__name__}.{name}" for one, name in listed
         if name in {found.name for found in pkgutil.iter_modules(one.__path__)}]
for name in alike:
    importlib.import_module(name)
for (one, name), value in zip(listed, before):
    found = getattr(one, name)
    if found is not value or inspect.ismodule(found):
        print(f"{one.__name__}.{name} is now {found!r}")
for name in assize.__all__:
    if name.islower() and not name.startswith("_") and not callable(getattr(assize, name)):
        print(f"assize.{name} cannot be called")
print(len(alike) > 10)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "True\n"), done.stdout + done.stderr


def test_the_promised_names_are_in_order() -> None:
    assert assize.__all__ == sorted(assize.__all__, key=lambda name: (name.islower(), name))


MOST_PARAMETERS = 12
MORE = {
    "compare_systems",
    "convert",
    "distill_criteria",
    "distill_evaluator",
    "fit_calibrator",
    "fit_ensemble",
    "learn_criteria",
    "next_ratings",
    "predict_ratings",
    "select_criteria",
    "select_preferences",
    "simulate_candidates",
    "simulate_dialogues",
    "simulate_preferences",
    "simulate_topics",
    "study_calibrators",
    "study_criteria",
    "study_evaluators",
    "study_reference",
    "train_evaluator",
    "watch_criteria",
}
"""Functions that still take more; a name leaves this list when its variants are values."""


def test_a_promised_function_has_at_most_twelve_parameters() -> None:
    functions = {name: getattr(assize, name) for name in assize.__all__}
    counts = {
        name: len(inspect.signature(function).parameters)
        for name, function in functions.items()
        if inspect.isfunction(function)
    }
    assert len(counts) > 50
    assert {name for name, count in counts.items() if count > MOST_PARAMETERS} == MORE


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        assize.nothing  # noqa: B018


def loaded_by(code: str) -> set[str]:
    """The heavy modules that a fresh interpreter has loaded after running `code`."""
    script = f"{code}\nimport sys\nprint(*[m for m in {HEAVY!r} if m in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    return set(done.stdout.splitlines()[-1].split())


def test_import_assize_loads_nothing_heavy() -> None:
    assert loaded_by("import assize") == set()


def test_the_help_text_loads_nothing_heavy() -> None:
    code = (
        "import sys; sys.argv = ['assize', '--help']\nimport assize.cli\n"
        "try: assize.cli.main()\nexcept SystemExit: pass\nprint()"
    )
    assert loaded_by(code) == set()


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
    assert not end.value.code, f"out of date; run: python {script}"


def test_every_module_has_a_test_of_its_own_name() -> None:
    tests = Path(__file__).parent
    missing = [
        str(path.relative_to(SOURCE))
        for path in modules()
        if path.stem not in ("__init__", "__main__")
        and not (tests / path.relative_to(SOURCE).parent / f"test_{path.stem}.py").exists()
    ]
    assert not missing, f"no test of their own: {', '.join(sorted(missing))}"
