"""How numbers are written wherever they are shown: a dash for none, and no minus before nothing."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Protocol, runtime_checkable

NONE = "–"


@runtime_checkable
class Measured(Protocol):
    """A figure with its interval, such as `stats.Estimate`; NaN is missing."""

    @property
    def estimate(self) -> float: ...  # noqa: D102
    @property
    def interval(self) -> tuple[float, float]: ...  # noqa: D102


def number(value: float, digits: int | None = 3, *, signed: bool = False) -> str:
    """The value with thousands separated; a dash where there is none.

    Args:
        digits: decimals; None for two, and three digits of what is very small or large.

    >>> number(1234.5, 1), number(float("nan"), 2), number(-0.001, 2), number(0.25, signed=True)
    ('1,234.5', '–', '0.00', '+0.250')
    >>> number(0.00123, None), number(2.5e6, None), number(2.5, None)
    ('0.00123', '2.5e+06', '2.50')
    """
    if math.isnan(value):
        return NONE
    if digits is None:
        plain = value == 0 or 0.01 <= abs(value) < 1e6
        return f"{value:,.2f}" if plain else f"{value:.3g}"
    return f"{round(value, digits) + 0.0:{'+' if signed else ''},.{digits}f}"


def digits_for(values: Sequence[float]) -> int:
    """Decimals that tell values apart on their scale: 3 up to a span of 2, then 2, then 1."""
    known = [value for value in values if not math.isnan(value)]
    reach = max([*map(abs, known), max(known) - min(known)]) if known else 0.0
    return 3 if reach <= 2 else 2 if reach <= 20 else 1


def interval(
    figure: Measured,
    digits: int | None = 3,
    *,
    times: float = 1,
    signed: bool = False,
    unit: str = "",
) -> str:
    """Both ends, `[0.190, 0.425]` or `[19%, 43%]`; nothing where there is too little data."""
    low, high = (times * end for end in figure.interval)
    if math.isnan(low):
        return ""
    ends = (f"{number(end, digits, signed=signed)}{unit}" for end in (low, high))
    return f"[{', '.join(ends)}]"


def with_interval(figure: Measured, digits: int = 3) -> str:
    """The estimate and its interval: `0.312 [0.190, 0.425]`."""
    return f"{number(figure.estimate, digits)} {interval(figure, digits)}".rstrip()


def percent(share: float, digits: int = 1) -> str:
    """A share in percent, `62.6%`; a dash when it is one of nothing."""
    return NONE if math.isnan(share) else f"{number(100 * share, digits)}%"


class LeastP(float):
    """A p-value as low as a test's random permutations can show; shown as `<0.005`."""

    __slots__ = ()


def p_value(p: float) -> str:
    """Three decimals; what would be 0 is `<0.001`, and what a test cannot go below `<0.005`.

    >>> p_value(0.0002), p_value(LeastP(0.005)), p_value(0.005)
    ('<0.001', '<0.005', '0.005')
    """
    if is_tiny(p):
        return "<0.001"
    return f"<{number(p)}" if isinstance(p, LeastP) else number(p)


def is_tiny(p: float) -> bool:
    """Whether three decimals of a p-value would be 0."""
    return p < 0.0005


def name_some(names: Sequence[str], most: int = 5) -> str:
    """Return the first names, and how many there are beside.

    >>> name_some(["a", "b", "c"]), name_some(["a", "b", "c", "d"], 2)
    ('a, b, c', 'a, b and 2 more')
    """
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more:,} more" if more > 0 else "")


def counted(n: int, noun: str) -> str:
    """A number of things: `1 seed`, `1,200 forms`."""
    return f"{n:,} {noun}" + ("" if n == 1 else "s")


def preferred(value: float) -> str:
    """A preference between 1 (A) and -1 (B) in words.

    >>> preferred(1.0), preferred(-0.5), preferred(0.0)
    ('A', 'B 0.50', 'tie')
    """
    if value == 0:
        return "tie"
    side = "A" if value > 0 else "B"
    return side if abs(value) == 1 else f"{side} {abs(value):.2f}"
