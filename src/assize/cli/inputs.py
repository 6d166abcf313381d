"""The options that say how files are read, attached to every command that reads some."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from assize.cli.options import Format, Mapped, MaxBytes, OnError, Roles

READING: Mapping[str, tuple[Any, Any]] = {
    "format": (Format, None),
    "map": (Mapped, None),
    "roles": (Roles, None),
    "on_error": (OnError, "fail"),
    "max_bytes": (MaxBytes, None),
}
"""The arguments of `assize.read` as options, with what they are when they are not given."""


_MAIN = frozenset({"items", "judgments", "sources", "versions", "version", "given", "pairs"})


def open_inputs(
    typed: Mapping[str, Any], names: Iterable[str], reading: Mapping[str, Any]
) -> dict[str, Any]:
    """Return what was typed for some parameters as `Items`, which are read by these options.

    Raises:
        ConfigError: an option is not allowed.
    """
    from assize.formats.items import Items
    from assize.formats.read_options import read_options

    options = read_options(**reading)

    def opened(value: Any, name: str) -> Any:
        if value is None:
            return None
        if isinstance(value, Mapping):
            return {key: opened(part, name) for key, part in value.items()}
        return Items(value, options, name)

    return {name: opened(typed[name], name) for name in names if name in typed}


def count_rejects(inputs: Mapping[str, Any]) -> int:
    """Return how many bad records of the inputs were left out."""
    groups = [part.values() if isinstance(part, Mapping) else [part] for part in inputs.values()]
    return sum(len(items.rejects) for group in groups for items in group if items is not None)


@contextmanager
def save_rejects(inputs: Mapping[str, Any], out: Any = None) -> Iterator[None]:
    """Keep the bad records of the inputs in files, where the function has kept them nowhere.

    They stand beside `out`, else in the current folder.

    Those of what a command is about stand in `rejects.jsonl`, those of another input in
    `NAME.rejects.jsonl`.
    """
    first = next(iter(inputs), "")
    beside = out is not None and str(out) != "-" and "://" not in str(out)
    folder = Path(str(out)).parent if beside else Path()
    try:
        yield
    finally:
        with ExitStack() as stack:
            for name, value in inputs.items():
                main = name == first and name in _MAIN
                file = folder / ("rejects.jsonl" if main else f"{name}.rejects.jsonl")
                for items in value.values() if isinstance(value, Mapping) else [value]:
                    if items is not None and len(items.rejects) and items.rejects.location is None:
                        stack.enter_context(items.rejects.saved_to(file))
