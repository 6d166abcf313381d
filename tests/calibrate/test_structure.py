"""Inside calibration folders import downwards, and no calibrator is asked for its class."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import assize.calibrate

SOURCE = Path(assize.calibrate.__file__).parent
LAYERS = [
    {"results"},
    {"tables"},
    {"study"},
    {"active"},
    {"prediction"},
    {"seen"},
    {"fitted"},
    {"groups"},
    {"artefact"},
    {"kinds"},
    {"hierarchical", "network"},
    {"calibrator", "fit_options", "folds", "joint_errors"},
    {"data"},
]
LEVEL = {name: level for level, names in enumerate(LAYERS, 1) for name in names}
VERBS = 0  # what stands in no layer is a verb, or what verbs share


def imports() -> Iterator[tuple[str, str, str]]:
    """(file, its part, the part it imports), inside functions and for type checking too."""
    for path in SOURCE.rglob("*.py"):
        inside = path.relative_to(SOURCE)
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and node.module:
                package, _, rest = node.module.partition("assize.calibrate.")
                if not package and rest:
                    part, target = inside.parts[0].removesuffix(".py"), rest.split(".")[0]
                    yield str(inside), part.lstrip("_"), target.lstrip("_")


def test_folders_import_downwards() -> None:
    found = [(file, part, target) for file, part, target in imports() if part != "init__"]
    assert found
    upward = [
        f"{file} imports {target}"
        for file, part, target in found
        if part in LEVEL and part != target and LEVEL.get(target, VERBS) <= LEVEL[part]
    ]
    assert not upward, "\n".join(upward)


def test_no_calibrator_is_asked_for_its_class() -> None:
    asked = [
        f"{path.relative_to(SOURCE)}:{node.lineno}"
        for path in SOURCE.rglob("*.py")
        if path.relative_to(SOURCE).parts[0].removesuffix(".py").lstrip("_") in LEVEL
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in ("isinstance", "hasattr")
        and ast.unparse(node.args[1]) in ("Hierarchical", "Networks", "Calibrator")
    ]
    assert not asked
