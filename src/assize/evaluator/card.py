"""How model cards show numbers and tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from assize.stats import Estimate


def shown(estimate: Estimate) -> str:
    """An estimate with its interval: `0.41 [0.36, 0.47]`."""
    low, high = estimate.interval
    return f"{estimate.estimate:.2f} [{low:.2f}, {high:.2f}]"


def table(rows: Iterable[Sequence[str]], header: Sequence[str]) -> str:
    """A Markdown table.

    >>> print(table([["a", "1"]], ["name", "n"]), end="")
    | name | n |
    | --- | --- |
    | a | 1 |
    """
    lines = [list(header), ["---"] * len(header), *map(list, rows)]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"
