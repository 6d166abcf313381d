"""The names that a package promises, each imported when it is first used."""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

_LINE = re.compile(r"^from (\S+) import \(?\s*(\w+) as \2\b", re.M)  # a long one is wrapped


def promised_names(
    package: str, file: str
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """Return `__getattr__`, `__dir__` and `__all__` of a package from the stub beside it.

    Its `__init__.pyi` is the one list: `from assize.stats._modes import modes as modes`, a line a
    name; type checkers and the docs read it too. A package inside it, `from assize import acts as
    acts`, is imported when it is first used, and stands in no `__all__`.
    """
    stub = Path(file).with_suffix(".pyi").read_text(encoding="utf8")
    homes = {name: module for module, name in _LINE.findall(stub)}

    def get(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        if homes[name] == package:
            return import_module(f"{package}.{name}")
        return getattr(import_module(homes[name]), name)

    names = sorted(name for name, home in homes.items() if home != package)
    return get, lambda: sorted(homes), names
