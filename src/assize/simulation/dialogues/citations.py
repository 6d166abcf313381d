"""Citations in a text: which of the sources that were shown it names, and which there are none."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from assize.conversation import Reference

_CODE = re.compile(r"```.*?```|`[^`\n]*`", re.DOTALL)
_CITED = re.compile(r"\[(\d{1,3}(?:\s*[,;]\s*\d{1,3})*)\]")


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
    """What `[2]` and `[1, 3]` in a text point to; code is passed over, where `a[0]` is no source.

    >>> citations("As told [2], and more [1][9].", [Reference("1"), Reference("2")])
    Citations(known=('2', '1'), unknown=('9',), shown=2)
    """
    shown = {one.id for one in sources}
    found: dict[str, None] = {}
    for each in _CITED.findall(_CODE.sub(" ", text)):
        found |= {str(int(number)): None for number in re.findall(r"\d+", each)}
    return Citations(
        tuple(one for one in found if one in shown),
        tuple(one for one in found if one not in shown),
        len(sources),
    )


def linked(sources: Sequence[Reference], cited: Sequence[str]) -> tuple[Reference, ...]:
    """The sources, each of which says whether it is cited."""
    return tuple(replace(one, extra={**one.extra, "cited": one.id in cited}) for one in sources)
