"""Items about which raters disagree: who gave which answer, and how the item begins."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np

from assize.base.conversation import Item
from assize.base.judgment import Question
from assize.formats.sampling import first_words
from assize.judgments.answers import Columns
from assize.judgments.values import name_answer
from assize.results import Column
from assize.results.abridge import one_line
from assize.results.escape import LONGEST
from assize.stats._arrays import FloatArray

MOST_NAMED = 8  # raters of an item who are named; the answers of more are counted
BEGINNING = 80  # characters of an item that are shown


@dataclass(frozen=True, slots=True)
class DisputedItem:
    """An item, or a turn of one, about which raters do not agree.

    Args:
        answers: who gave which (`Maya 1, Tom 5`), or how many did.
        disagreement: mean distance of its answers as a share of the distance that chance would
            bring: 0 is full agreement, 1 is chance level, and more is possible.
        begins: its first words; None where the item is not known.
    """

    item: str
    turn: int | None
    question: str
    answers: str
    raters: int
    disagreement: Annotated[float, Column(digits=2)]
    begins: str | None = None


def find_disputed(
    answers: Columns, names: Sequence[str], values: FloatArray, own: FloatArray
) -> list[DisputedItem]:
    """Return the units with answers that are not all the same.

    Args:
        names: the raters (R).
        values: (R, N) their answers; NaN for none.
        own: (R, N) each answer's part in alpha.
    """
    count = (~np.isnan(values)).sum(axis=0)
    mean = np.nansum(1 - own, axis=0) / np.maximum(count, 1)
    rows = []
    for unit in np.flatnonzero((count >= 2) & (mean > 1e-12)).tolist():
        item, turn = answers.units[unit]
        text = name_answers(answers.question, names, values[:, unit])
        row = DisputedItem(
            item, turn, answers.question.id, text, int(count[unit]), float(mean[unit])
        )
        rows.append(row)
    return rows


def name_answers(question: Question, names: Sequence[str], values: FloatArray) -> str:
    """Return who gave which answer (R,), lowest first; of many raters how many did."""
    by_rater = zip(names, values.tolist(), strict=True)
    answers = {name: value for name, value in by_rater if not np.isnan(value)}
    tally = Counter(answers.values())
    words = {value: one_line(name_answer(question, value), LONGEST) for value in sorted(tally)}
    if len(answers) > MOST_NAMED:
        return ", ".join(f"{word} × {tally[value]}" for value, word in words.items())
    ranked = sorted(answers, key=lambda name: answers[name])
    return ", ".join(f"{one_line(name, LONGEST)} {words[answers[name]]}" for name in ranked)


def order_disputed(rows: Iterable[DisputedItem], items: Mapping[str, Item]) -> list[DisputedItem]:
    """Return the most disputed first, with how they begin.

    Of items that are as disputed, in two digits, those that more raters rated come first.
    """
    ranked = sorted(
        rows, key=lambda row: (-round(row.disagreement, 2), -row.raters, row.item, row.question)
    )
    return [
        replace(row, begins=first_words(items.get(row.item), BEGINNING) or None) for row in ranked
    ]
