"""How users name the judges of a jury: `da > maxim > reward`, `da=2, maxim, explained`."""

from __future__ import annotations

import re

from assize.base.errors import ConfigError

_ARROW = re.compile(r"\s+>\s*|\s*>\s+|(?<=\w)>(?=\w)")


def parse_cascade(written: str) -> tuple[str, ...]:
    """The names of a cascade, first asked first.

    >>> parse_cascade("da > maxim > reward@hf:org/model")
    ('da', 'maxim', 'reward@hf:org/model')
    """
    names = tuple(name.strip() for name in _ARROW.split(written.strip()))
    return check_names(names, written, "da > maxim > explained")


def parse_panel(written: str) -> dict[str, float]:
    """The names of a panel with their weights; 1 where none is given.

    >>> parse_panel("da=2, maxim")
    {'da': 2.0, 'maxim': 1.0}
    """
    weights: dict[str, float] = {}
    parts = [part.strip() for part in written.split(",")]
    for part in parts:
        name, mark, number = part.rpartition("=")
        weight = _weight(number) if mark else None
        if weight is None and mark and _is_judge(name):
            raise ConfigError(
                f"the weight of {name.strip()} is {number.strip()!r}, which is no number; write"
                f" {name.strip()}=2"
            )
        if weight is None:
            name, weight = part, 1.0
        weights[name.strip()] = weight
    names = tuple(weights) if len(weights) == len(parts) else (*weights, "")
    check_names(names, written, "da=2, maxim")
    return weights


def _weight(number: str) -> float | None:
    try:
        return float(number)
    except ValueError:
        return None


def _is_judge(name: str) -> bool:
    """Whether this is a name by itself, and no beginning of an address that holds the `=`."""
    return not set(name) & set("@:/?&#")


def check_names(
    names: tuple[str, ...], written: object, example: object = ("da", "maxim")
) -> tuple[str, ...]:
    """Return the names.

    Raises:
        ConfigError: there is none, or one stands there twice.
    """
    if not names or not all(names) or len(set(names)) < len(names):
        raise ConfigError(f"{written!r}: name each judge once, as in {example!r}")
    return names
