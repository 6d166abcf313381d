"""How deep the parts of a file may stand inside each other: ours have a dozen levels."""

from __future__ import annotations

import tomllib
from typing import Any

DEEPEST = 100


def check_depth(value: Any) -> Any:
    """Return a value of JSON or TOML as it is.

    Raises:
        ValueError: its objects and lists stand more than `DEEPEST` deep in each other, so that
            whoever goes through them by calling itself would fail.

    >>> check_depth({"a": [1, 2]})
    {'a': [1, 2]}
    """
    level: list[Any] = [[value]]
    for _ in range(DEEPEST + 1):
        inner = [part.values() if isinstance(part, dict) else part for part in level]
        level = [part for parts in inner for part in parts if isinstance(part, dict | list)]
    if level:
        raise ValueError(f"parts stand more than {DEEPEST} deep in each other")
    return value


def parse_toml(text: str) -> dict[str, Any]:
    """Return what a TOML text holds.

    Raises:
        ValueError: it is no TOML, or too deep.
    """
    try:
        tables: dict[str, Any] = check_depth(tomllib.loads(text))
    except RecursionError:
        raise ValueError(f"parts stand more than {DEEPEST} deep in each other") from None
    return tables
