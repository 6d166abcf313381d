"""What makes a conversation good or bad, read from one line.

thumbs:up=1,down=0          these values, and no others
rating>=4                   good from 4 on, bad below
rating>=4,<=2               bad up to 2; what lies between is left out
resolved                    true and false, yes and no, up and down, 1 and 0
reopened:true=0,missing=1   what an item without the field is
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from assize.base.errors import ConfigError

Verdict = Literal["good", "bad", "between", "not mapped", "missing"]

MISSING = "missing"
"""In a spec: an item that has no such field."""

_GOOD = ("1", "true", "yes", "good", "up", "positive", "like", "thumbs_up", "thumbs up")
_BAD = ("0", "false", "no", "bad", "down", "negative", "dislike", "thumbs_down", "thumbs down")
PLAIN: Mapping[str, bool] = dict.fromkeys(_GOOD, True) | dict.fromkeys(_BAD, False)
"""What values say where a spec names only the field."""

_OPERATORS: Mapping[str, Callable[[float, float], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
}
_FORM = re.compile(r"\s*(?P<field>[^:<>=,]+?)\s*(?::(?P<words>.*)|(?P<cuts>[<>].*))?\s*", re.S)
_CUT = re.compile(r"\s*(>=|<=|>|<)\s*([^<>=,\s]+)\s*")
_FORMS = "as FIELD:up=1,down=0, FIELD>=4, FIELD>=4,<=2, or FIELD alone for yes and no"


@dataclass(frozen=True, slots=True)
class Cut:
    """Numbers on one side of a limit."""

    sign: str
    limit: float

    def holds(self, value: float) -> bool:
        """Whether a number lies on that side."""
        return _OPERATORS[self.sign](value, self.limit)


@dataclass(frozen=True, slots=True)
class Rule:
    """How a field's value becomes a label.

    Args:
        field: where the value stands, `feedback.thumbs` inside an object.
        words: values that are good or bad; empty where numbers are cut.
        good: numbers that are good; None where values are words.
        bad: numbers that are bad; None for all that are not good.
    """

    field: str
    words: Mapping[str, bool]
    good: Cut | None = None
    bad: Cut | None = None

    def verdict(self, value: Any) -> Verdict:
        """What a value says; None is one that is missing.

        >>> rule = parse_rule("rating>=4,<=2")
        >>> [rule.verdict(value) for value in (5, "2", 3, "n/a", None)]
        ['good', 'bad', 'between', 'not mapped', 'missing']
        """
        if value is None or self.good is None:
            known = self.words.get(MISSING if value is None else word(value))
            unknown: Verdict = "missing" if value is None else "not mapped"
            return unknown if known is None else "good" if known else "bad"
        number = parse_number(value)
        if number is None:
            return "not mapped"
        if self.good.holds(number):
            return "good"
        return "bad" if self.bad is None or self.bad.holds(number) else "between"


def word(value: Any) -> str:
    """A value as a spec names it.

    >>> word(True), word(4.0), word(" Up ")
    ('true', '4', 'up')
    """
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return f"{value:g}"
    return str(value).strip().casefold()


def parse_rule(spec: str) -> Rule:
    """The rule that a spec states.

    Raises:
        ConfigError: it is none; says what was received and what is allowed.
    """
    form = _FORM.fullmatch(spec)
    if form is None:
        raise ConfigError(f"label {spec!r}: write {_FORMS}")
    if form["words"] is not None:
        return Rule(form["field"], _words(spec, form["words"]))
    if form["cuts"] is not None:
        return Rule(form["field"], {}, *_cuts(spec, form["cuts"]))
    return Rule(form["field"], PLAIN)


def _words(spec: str, text: str) -> Mapping[str, bool]:
    found: dict[str, bool] = {}
    for part in text.split(","):
        value, equals, label = (each.strip() for each in part.rpartition("="))
        if not equals or not value or word(label) not in PLAIN:
            raise ConfigError(f"label {spec!r}: received {part!r}; write VALUE=1 or VALUE=0")
        if word(value) in found:
            raise ConfigError(f"label {spec!r}: {value} stands there twice")
        found[word(value)] = PLAIN[word(label)]
    if len(set(found.values())) < 2:
        which, lacking = ("good", "bad") if any(found.values()) else ("bad", "good")
        raise ConfigError(
            f"label {spec!r}: all of its values are {which}; name one that is {lacking} too, as in"
            " up=1,down=0"
        )
    return found


def _cuts(spec: str, text: str) -> tuple[Cut, Cut | None]:
    parts = [_CUT.fullmatch(part) for part in text.split(",")]
    found = [
        Cut(one[1], limit)
        for one in parts
        if one is not None and (limit := parse_number(one[2])) is not None
    ]
    if len(found) != len(parts) or len(found) > 2:
        raise ConfigError(f"label {spec!r}: write {_FORMS}")
    if len(found) == 1:
        return found[0], None
    good, bad = found
    apart = good.sign[0] != bad.sign[0]
    above, below = (good, bad) if good.sign[0] == ">" else (bad, good)
    touching = above.sign == ">=" and below.sign == "<="
    if not apart or above.limit < below.limit or (above.limit == below.limit and touching):
        raise ConfigError(
            f"label {spec!r}: no number may be both; the first part says what is good, the second"
            " what is bad, as in rating>=4,<=2"
        )
    return good, bad


def parse_number(value: Any) -> float | None:
    """The finite number that a value is; None for others, and for true and false."""
    if isinstance(value, bool):
        return None
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None
