"""How numbers are written on a page: so many decimals as their scale needs, a dash for none."""

from __future__ import annotations

import math
from collections.abc import Sequence

from assize.stats import Estimate


def number(value: float, digits: int) -> str:
    """The value with thousands separated; a dash where there is none.

    >>> number(1234.5, 1), number(float("nan"), 2)
    ('1,234.5', '–')
    """
    return "–" if math.isnan(value) else f"{value:,.{digits}f}"


def digits_for(values: Sequence[float]) -> int:
    """Decimals that tell values apart on their scale: 3 up to a span of 2, then 2, then 1."""
    known = [value for value in values if not math.isnan(value)]
    span = max(known) - min(known) if known else 0.0
    reach = max(span, max(map(abs, known), default=0.0))
    return 3 if reach <= 2 else 2 if reach <= 20 else 1


def interval(found: Estimate, digits: int) -> str:
    """Both ends of an interval; a dash where there is too little data."""
    low, high = found.interval
    return "–" if math.isnan(low) else f"{number(low, digits)} to {number(high, digits)}"


def percent(found: Estimate) -> str:
    """A share in percent; a dash when it is one of nothing."""
    return "–" if math.isnan(found.estimate) else f"{100 * found.estimate:.1f}%"


def percents(found: Estimate) -> str:
    """The interval of a share, in percent."""
    low, high = found.interval
    return "–" if math.isnan(low) else f"{100 * low:.1f}% to {100 * high:.1f}%"


def preferred(value: float) -> str:
    """A preference between 1 (A) and -1 (B) in words.

    >>> preferred(1.0), preferred(-0.5), preferred(0.0)
    ('A', 'B 0.50', 'tie')
    """
    if value == 0:
        return "tie"
    side = "A" if value > 0 else "B"
    return side if abs(value) == 1 else f"{side} {abs(value):.2f}"
