"""The rules that hold the house together: imports run downwards, exports are complete."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import assize

SOURCE = Path(assize.__file__).parent
LAYERS = [
    {"cli", "webapp"},
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
    },
    {"judging"},
    {"models", "encoders", "retrieval"},
    {"endpoints"},
    {"running"},
    {"studies"},
    {"agreement"},
    {"stats", "formats"},
    {"judgments"},
    {"tables"},
    {"artefacts", "disk_cache"},
    {"judgment"},
    {"conversation"},
    {"signature"},
    {"errors"},
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


def imported_parts(path: Path) -> Iterator[tuple[str, int]]:
    """Top-level parts of assize that a file imports, inside functions too."""
    for node in ast.walk(ast.parse(path.read_text())):
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


def test_every_promised_name_can_be_imported() -> None:
    assert assize.__all__ == sorted(assize.__all__, key=lambda name: (name.islower(), name))
    for name in assize.__all__:
        assert getattr(assize, name) is not None


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

    from assize.cli import app

    commands = dict(walk(typer.main.get_command(app), "assize"))
    assert commands
    for name, command in commands.items():
        assert command.help, f"{name} has no help text"
        assert name in command.help, f"the help of `{name}` shows no example"


def walk(command: Any, name: str) -> Iterator[tuple[str, Any]]:
    children = getattr(command, "commands", None)
    if children is None:
        yield name, command
    else:
        for child, value in children.items():
            yield from walk(value, f"{name} {child}")


def test_the_page_of_commands_says_what_the_help_says() -> None:
    script = SOURCE.parents[1] / "scripts" / "command_reference.py"
    done = subprocess.run([sys.executable, str(script), "--check"], capture_output=True)
    assert done.returncode == 0, f"out of date; run: python {script}"
