"""What an argument may be: a number within a range, or one of a few words."""

from __future__ import annotations

from collections.abc import Collection
from numbers import Real

from assize.errors import ConfigError


def check_range(name: str, value: float | None, least: float, most: float | None = None) -> None:
    """Raises ConfigError where a number is outside its range, ends included; None is none."""
    if value is None:
        return
    number = isinstance(value, Real) and not isinstance(value, bool)
    if number and value >= least and (most is None or value <= most):
        return
    allowed = f"at least {least:g}" if most is None else f"{least:g} to {most:g}"
    what = "" if number else "a number "
    raise ConfigError(f"{name}: received {value!r}, allowed is {what}{allowed}")


def check_word(name: str, value: str | None, allowed: Collection[str]) -> None:
    """Raises ConfigError where a word is none of those allowed; None is none."""
    if value is not None and value not in allowed:
        *others, last = allowed
        raise ConfigError(f"{name} {value}: allowed are {', '.join(others)} and {last}")
