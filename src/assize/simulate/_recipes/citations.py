"""Citations in a text: which of the sources that were shown it names, and which there are none."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from assize.base.conversation import Reference

_CODE = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)
_INDEX = re.compile(r"[A-Za-z0-9_](?:\[[\d\s,;:–—-]{1,40}\])+")  # Chinese sets no space before [1]
_RANGE = re.compile(r"(\d{1,3})(?:\s{0,4}[-–—]\s{0,4}(\d{1,3}))?")
_EACH = (
    r"\s{0,4}(?:(?:sources?|documents?|docs?|refs?)[.:#]?\s{0,4})?"
    r"\d{1,3}(?:\s{0,4}[-–—]\s{0,4}\d{1,3})?\s{0,4}"
)
_CITED = re.compile(
    rf"[\[【［]({_EACH}(?:(?:[,;&，、；]|,?\s?and\b){_EACH})*)(?:†[^\]】\n]{{0,60}})?[\]】］]",
    re.IGNORECASE,
)
_MOST = 20  # numbers of a range that are counted each; of a longer one its ends are


@dataclass(frozen=True, slots=True)
class Citations:
    """Numbers of sources that a text names, each once, in the order in which it does.

    Args:
        known: of sources that were shown.
        unknown: of none.
        shown: sources that were.
    """

    known: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    shown: int = field(default=0, compare=False)


def citations(text: str, sources: Sequence[Reference]) -> Citations:
    """What `[2]`, `[1, 3]`, `[1-3]`, `【2】` and `[Source 2]` in a text point to.

    Code is passed over, and so is a bracket directly behind a Latin letter or a digit: `a[0]` is
    no source.

    >>> citations("As told [2], and more [1-2][9].", [Reference("1"), Reference("2")])
    Citations(known=('2', '1'), unknown=('9',), shown=2)
    """
    shown = {one.id for one in sources}
    found: dict[str, None] = {}
    for each in _CITED.findall(_INDEX.sub(" ", _CODE.sub(" ", text))):
        found |= dict.fromkeys(_numbers(each))
    return Citations(
        tuple(one for one in found if one in shown),
        tuple(one for one in found if one not in shown),
        len(sources),
    )


def _numbers(cited: str) -> list[str]:
    found: list[int] = []
    for first, last in _RANGE.findall(cited):
        low, high = int(first), int(last or first)
        found += range(low, high + 1) if 0 <= high - low < _MOST else [low, high]
    return [str(one) for one in found]


def linked(sources: Sequence[Reference], cited: Sequence[str]) -> tuple[Reference, ...]:
    """The sources, each of which says whether it is cited."""
    return tuple(replace(one, extra={**one.extra, "cited": one.id in cited}) for one in sources)
