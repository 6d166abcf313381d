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
    {"fitted"},
    {"groups"},
    {"artefact"},
    {"kinds"},
    {"hierarchical", "network"},
    {"calibrator", "fit_options", "folds", "joint_errors"},
    {"data"},
]
LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names}


def imports() -> Iterator[tuple[str, str, str]]:
    """(file, its part, the part it imports), inside functions and for type checking too."""
    for path in SOURCE.rglob("*.py"):
        inside = path.relative_to(SOURCE)
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and node.module:
                package, _, rest = node.module.partition("assize.calibrate.")
                if not package and rest:
                    yield str(inside), inside.parts[0].removesuffix(".py"), rest.split(".")[0]


def test_folders_import_downwards() -> None:
    found = [(file, part, target) for file, part, target in imports() if part != "__init__"]
    assert found
    upward = [
        f"{file} imports {target}"
        for file, part, target in found
        if part != target and LEVEL[target] <= LEVEL[part]
    ]
    assert not upward, "\n".join(upward)


def test_no_calibrator_is_asked_for_its_class() -> None:
    asked = [
        f"{path.relative_to(SOURCE)}:{node.lineno}"
        for path in SOURCE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in ("isinstance", "hasattr")
        and ast.unparse(node.args[1]) in ("Hierarchical", "Networks", "Calibrator")
    ]
    assert not asked


def test_every_promised_name_is_there() -> None:
    names = assize.calibrate.__all__
    assert names == sorted(names, key=lambda name: (not name.isupper(), name.islower(), name))
    for name in names:
        assert getattr(assize.calibrate, name) is not None
