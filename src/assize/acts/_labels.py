"""Labels of dialogue acts as models write them: `{"Dim": "Task", "Func": "Inform & Answer"}`.

Real outputs hold them with single or escaped quotes, with a key missing or given twice,
with a list for a value, spread over lines, or not closed. All of these are read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest
from typing import NamedTuple

from assize.acts._taxonomy import Taxonomy

_OPEN = re.compile(r"""\{\s{0,20}\\{0,8}["']?\s{0,3}(?:dim|func)\w*\\*["']?\s*:""", re.IGNORECASE)
_KEY = re.compile(r"""\\*["']?\b(dim|func)\w*\\*["']?\s*:\s*""", re.IGNORECASE)
_VALUE_END = re.compile(r"""["'\\\s,;{}\[\]]+$""")
_VALUE_START = re.compile(r"""^["'\\\s\[]+""")
_BETWEEN = re.compile(r"""\\*["']\s*,\s*\\*["']|[&,;|+]|\band\b|\s/\s""")
_LONGEST = 600  # characters of a label


class Act(NamedTuple):
    """A dimension and a function as canonical names where known, as written where not.

    Either is "" where the label did not give it.
    """

    dimension: str
    function: str


@dataclass(frozen=True, slots=True)
class Label:
    """One label object in a text: where it stands, and the acts that it gives."""

    start: int
    end: int
    acts: tuple[Act, ...]

    @property
    def dimension(self) -> str:
        """The dimension that it names, the first of several; "" where it names none."""
        return self.acts[0].dimension if self.acts else ""


def labels_in(text: str, taxonomy: Taxonomy) -> Iterator[Label]:
    """All label objects of a text, in order.

    >>> from assize.acts._taxonomy import load_taxonomy
    >>> [label.acts for label in labels_in('{"Dim": "Task", "Func": "inform & Why"}',
    ...                                    load_taxonomy())]
    [(Act(dimension='Task', function='Inform'), Act(dimension='Task', function='Why'))]
    """
    place = 0
    while (match := _OPEN.search(text, place)) is not None:
        place = _end(text, match.end())
        yield Label(match.start(), place, acts_of(text[match.start() : place], taxonomy))


def _end(text: str, start: int) -> int:
    """Where a label ends: after its brace, or with its line where that is missing."""
    closed = text.find("}", start, start + _LONGEST)
    another = text.find("{", start, start + _LONGEST)
    if closed >= 0 and (another < 0 or closed < another):
        return closed + 1
    line = text.find("\n", start)
    ends = [end for end in (another, line) if end >= 0]
    return min(*ends, start + _LONGEST, len(text))


def acts_of(written: str, taxonomy: Taxonomy) -> tuple[Act, ...]:
    """The acts of one label; each function goes with the dimension named last before it."""
    acts: list[Act] = []
    dimension, unpaired = "", False
    keys = list(_KEY.finditer(written))
    for key, following in zip_longest(keys, keys[1:]):
        end = len(written) if following is None else following.start()
        value = _VALUE_END.sub("", _VALUE_START.sub("", written[key.end() : end]))
        if key.group(1).casefold() == "dim":
            if unpaired:
                acts.append(_alone(dimension, taxonomy))
            name = _bare(value)
            dimension, unpaired = taxonomy.dimension(name) or name, True
        else:
            names = [name for name in (_bare(part) for part in _BETWEEN.split(value)) if name]
            acts += [Act(dimension, taxonomy.function(name) or name) for name in names]
            unpaired = unpaired and not names
    if unpaired:
        acts.append(_alone(dimension, taxonomy))
    return tuple(dict.fromkeys(acts))


def _bare(name: str) -> str:
    return name.strip(" \t\r\n\"'\\[]{}.")


def _alone(dimension: str, taxonomy: Taxonomy) -> Act:
    return Act(dimension, taxonomy.function(dimension) or "")
