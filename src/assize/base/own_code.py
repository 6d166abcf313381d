"""`module:name`: what a user typed, imported from the current folder or what is installed.

Only what is typed is imported: never a name that stands in a file.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from traceback import extract_tb
from typing import Any

from assize.base.errors import ConfigError

_WRITTEN = re.compile(r"(?P<module>[^\W\d][\w.]*):(?P<name>[^\W\d][\w.]*)")


def is_typed(written: str) -> bool:
    """Whether a name is written as `module:name`.

    >>> is_typed("my_judges:short"), is_typed("io@openai:gpt-4o")
    (True, False)
    """
    return _WRITTEN.fullmatch(written) is not None


def imported(written: str) -> Any:
    """What `module:name` names; the current folder is looked in first.

    Raises:
        ConfigError: there is no such module or name, or the module fails; says where.
    """
    match = _WRITTEN.fullmatch(written)
    if match is None:
        raise ConfigError(f"received {written!r}; write module:name")
    module, name = match["module"], match["name"]
    with _current_folder_first():
        try:
            found: Any = import_module(module)
        except Exception as error:
            raise ConfigError(_failure(module, error)) from error
    for part in name.split("."):
        if not hasattr(found, part):
            there = [one for one in vars(found) if not one.startswith("_")]
            known = f"; it has {', '.join(there[:20])}" if there else ""
            raise ConfigError(f"module {module} has no {name!r}{known}")
        found = getattr(found, part)
    return found


@contextmanager
def _current_folder_first() -> Iterator[None]:
    """A script's own folder stands on the path where Python runs it; a command's does not.

    Afterwards it stands last, for what the module imports later.
    """
    here = str(Path.cwd())
    sys.path.insert(0, here)
    try:
        yield
    finally:
        sys.path.remove(here)
        if here not in sys.path and "" not in sys.path:
            sys.path.append(here)


def _failure(module: str, error: Exception) -> str:
    """Whether there is no such module, or what goes wrong inside it, and where."""
    missing = isinstance(error, ModuleNotFoundError) and _is_or_holds(error.name, module)
    if missing:
        where = f"looked in the current folder, {Path.cwd()}, and among what is installed"
        return f"there is no module {module!r}; {where}"
    if isinstance(error, SyntaxError):
        return f"module {module} cannot be read: {error.filename}:{error.lineno}: {error.msg}"
    frames = [one for one in extract_tb(error.__traceback__) if "importlib" not in one.filename]
    place = f" ({frames[-1].filename}:{frames[-1].lineno})" if len(frames) > 1 else ""
    return f"module {module} cannot be imported: {type(error).__name__}: {error}{place}"


def _is_or_holds(name: str | None, module: str) -> bool:
    """Whether the missing module is the one asked for, or a package that it stands in."""
    return name is not None and (module == name or module.startswith(f"{name}."))
