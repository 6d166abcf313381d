"""Ratings that measure agreement: those of ordinary items, each person's first."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow.compute as pc

from assize.judgments import JudgmentTable
from assize.judgments.table import BoolArray, appearing
from assize.results.numbers import counted

_CHECK = r'"chosen"\s*:\s*"(gold|qualify|example)"'
"""In the details of a rating by the web app: how its item came to the rater."""

_IN_SAMPLE = r'"in_sample"\s*:\s*true'
"""In the details of a prediction: it learnt from ratings of the item."""


@dataclass(frozen=True, slots=True)
class OrdinaryRatings:
    """The ratings that count, with everything by judges that are no people.

    Args:
        notes: what is left out, in words.
    """

    table: JudgmentTable
    notes: list[str]


def ordinary_ratings(table: JudgmentTable) -> OrdinaryRatings:
    """Leave out what people answered to check them, and all but each person's first answer.

    Answers to gold items, worked examples and the qualification say how well raters know what is
    right already. Where people answered nothing else, they are what is asked about, and count.
    """
    notes: list[str] = []
    people = _is_person(table)
    marked = pc.match_substring_regex(table.arrow["details"], _CHECK).fill_null(False)
    checks = people & np.asarray(marked.to_numpy(), dtype=bool)
    if checks.any() and (people & ~checks).any():
        answers = counted(int(checks.sum()), "answer")
        notes.append(
            f"{answers} to gold items, worked examples or a qualification left out; to count them,"
            " give only judgments of such items, or name these with items (--items)"
        )
        table = table.filter(~checks)
    repeated = _repeats(table)
    if repeated.any():
        answers = counted(int(repeated.sum()), "later answer")
        notes.append(f"{answers} of people who rated an item again left out; their first counts")
        table = table.filter(~repeated)
    return OrdinaryRatings(table, notes)


def count_in_sample(table: JudgmentTable) -> dict[str, int]:
    """Return by judge how many predictions are of items whose ratings it learnt from."""
    marked = pc.match_substring_regex(table.arrow["details"], _IN_SAMPLE).fill_null(False)
    codes, names = table.filter(np.asarray(marked.to_numpy(), dtype=bool)).codes("judge")
    counts = np.bincount(codes, minlength=len(names)).tolist()
    return {name: n for name, n in zip(names, counts, strict=True) if n}


def _is_person(table: JudgmentTable) -> BoolArray:
    kinds, names = table.codes("kind")
    return np.array([name == "person" for name in [*names, None]], dtype=bool)[kinds]


def _repeats(table: JudgmentTable) -> BoolArray:
    """Rows of people with a higher `repeat` than their first on the same unit, in one order."""
    repeats = table.repeats()
    if not repeats.any():
        return np.zeros(len(table), dtype=bool)
    key, _ = table.units()
    for name in ("judge", "question", "order"):
        codes, names = table.codes(name)
        key, _ = appearing(key * (len(names) + 1) + codes + 1)
    first = np.full(len(table), repeats.max())
    np.minimum.at(first, key, repeats)
    later: BoolArray = repeats > first[key]
    return later & _is_person(table)
