"""How often each judge said A, tie and B: MTDEval's table 5."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from assize.evaluator._measuring.tasks import GOLD
from assize.judging.aspects import canonical
from assize.judgments import JudgmentTable
from assize.judgments.values import votes
from assize.results import Column


@dataclass(frozen=True, slots=True)
class VoteCounts:
    """One judge on one question.

    Args:
        a, b, tie: votes; each order and repeat is one.
        unscored: votes that were asked for and not given.
    """

    judge: str
    question: str
    a: Annotated[int, Column("A")]
    tie: int
    b: Annotated[int, Column("B")]
    unscored: int


def vote_counts(table: JudgmentTable, *, gold: str = GOLD) -> list[VoteCounts]:
    """The counts of every judge on every question of preference, in order of appearance.

    Args:
        gold: a judge who is left out.

    >>> from assize.base.judgment import PREFERENCE, Judgment
    >>> said = [Judgment("p", "j", "preference", answer=one) for one in ("A", "A", "tie")]
    >>> vote_counts(JudgmentTable.of(said, [PREFERENCE]))[0].a
    2
    """
    found = []
    known = canonical(table)
    for question in known.asked:
        if known.questions[question].kind != "preference":
            continue
        rows = known.where(question=question)
        given = votes(rows)
        codes, names = rows.codes("judge")
        for name in rows.judges:
            if name == gold:
                continue
            mine = given[codes == names.index(name)]
            a, b, tie = (int((mine == side).sum()) for side in (1.0, -1.0, 0.0))
            lost = int(np.isnan(mine).sum())
            found.append(VoteCounts(name, question, a, tie, b, lost))
    return found
