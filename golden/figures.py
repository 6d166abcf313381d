"""One flat table: a figure's id -> its value, how many it rests on, how many are unscored."""

from __future__ import annotations

import fnmatch
import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

Value = str | float | int | bool | None
EXACT, FLOAT, TORCH = 0.0, 1e-9, 1e-5
NAMES = (
    *("id", "item", "judge", "name", "label", "question", "criterion", "method", "policy"),
    *("metric", "data", "target", "first", "second", "group", "rater", "system", "loss", "source"),
    *("jury", "set", "least_turns", "answer"),
)
SKIPPED = {"signature", "signatures", "out", "files", "path", "seconds", "notes", "at", "version"}


@dataclass(frozen=True)
class Figure:
    """A value; `n` and `unscored` where the product says them beside it."""

    value: Value
    n: int | None = None
    unscored: int | None = None


Table = dict[str, Figure]


def flatten(result: Any, prefix: str) -> Iterator[tuple[str, Figure]]:
    """Return each figure of a JSON value under an id made of keys and of rows' names."""
    if isinstance(result, Mapping):
        beside = result.get("n"), result.get("unscored")
        for key, value in result.items():
            if key in SKIPPED:
                continue
            if key in ("estimate", "percent"):
                yield prefix, Figure(value, *(x if isinstance(x, int) else None for x in beside))
            else:
                yield from flatten(value, f"{prefix}/{key}")
    elif isinstance(result, Sequence) and not isinstance(result, str):
        taken: dict[str, int] = {}
        for index, row in enumerate(result):
            name = row_name(row) or str(index)
            taken[name] = taken.get(name, 0) + 1
            number = f"#{taken[name]}" if taken[name] > 1 else ""
            yield from flatten(row, f"{prefix}/{name}{number}")
    else:
        yield prefix, Figure(result)


def rename(
    rows: Iterable[tuple[str, Figure]], rules: Sequence[tuple[str, str]]
) -> Iterator[tuple[str, Figure]]:
    """Return figures under the ids that BASE has for them.

    Args:
        rules: regular expressions and what replaces them, applied in order; a figure whose id
            becomes empty is left out.
    """
    for name, figure in rows:
        for pattern, replacement in rules:
            name = re.sub(pattern, replacement, name)
        if name:
            yield name, figure


def row_name(row: Any) -> str:
    """Return what tells a row of a list from its neighbours, whatever their order."""
    if not isinstance(row, Mapping):
        return ""
    return "|".join(str(row[key]) for key in NAMES if isinstance(row.get(key), str | int))


def save(table: Table, path: Path) -> None:
    """Write a table as JSON lines, sorted by id."""
    rows = ([name, asdict(figure)] for name, figure in sorted(table.items()))
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf8")


def load(path: Path) -> Table:
    """Read what `save` wrote."""
    rows = map(json.loads, path.read_text(encoding="utf8").splitlines())
    return {name: Figure(**figure) for name, figure in rows}


def differences(base: Table, now: Table, tolerances: Mapping[str, float]) -> dict[str, str]:
    """Return the ids whose figures differ, and how.

    Args:
        base: the figures of the commit in BASE.
        now: those of this checkout.
        tolerances: relative difference that floats may have, by the first part of the id;
            `FLOAT` for the others. Whatever is no float must be equal.
    """
    lines = {}
    for name in sorted(base.keys() | now.keys()):
        tolerance = tolerances.get(name.split("/")[0], FLOAT)
        if name not in now:
            lines[name] = "missing"
        elif name not in base:
            lines[name] = "new"
        elif not equal(base[name], now[name], tolerance):
            lines[name] = f"{show(base[name])} -> {show(now[name])}"
    return lines


def equal(base: Figure, now: Figure, tolerance: float) -> bool:
    """Whether two figures are the same: counts exactly, floats within a relative tolerance."""
    if (base.n, base.unscored) != (now.n, now.unscored):
        return False
    if isinstance(base.value, float) and isinstance(now.value, float | int):
        if math.isnan(base.value):
            return math.isnan(now.value)
        return math.isclose(base.value, now.value, rel_tol=tolerance, abs_tol=tolerance / 1e3)
    return base.value == now.value and isinstance(base.value, bool) == isinstance(now.value, bool)


def show(figure: Figure) -> str:
    """Return a figure in a line."""
    text = json.dumps(figure.value)
    return f"{text if len(text) < 60 else text[:57] + '...'} (n {figure.n}, {figure.unscored})"


def decided(patterns: Path, names: Sequence[str]) -> set[str]:
    """Return the ids that a file of `pattern: decision` lines covers.

    Lines about a reader that has no figure among the names are passed over: it was not run.

    Raises:
        ValueError: a line has no decision, or covers no id at all.
    """
    covered: set[str] = set()
    readers = {name.split("/")[0] for name in names}
    for number, line in enumerate(patterns.read_text(encoding="utf8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        pattern, _, decision = line.partition(": ")
        if not fnmatch.filter(readers, pattern.split("/")[0]):
            continue
        matching = set(fnmatch.filter(names, pattern))
        if not decision.strip() or not matching:
            raise ValueError(f"{patterns.name}:{number}: {line!r} has no decision or no figure")
        covered |= matching
    return covered
