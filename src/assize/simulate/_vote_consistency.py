"""Votes in both orders: which judges keep to theirs when the sides are exchanged.

Judgments name the real A and B in either order, so a judge is consistent on a pair and a question
where both of its votes are the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from assize.base.errors import DataError
from assize.judgments import JudgmentTable
from assize.judgments.table import BoolArray, IntArray, appearing
from assize.judgments.values import votes

OVERALL = ("Overall", "preference")
"""Questions that ask for the better one on the whole, the first that was asked."""


@dataclass(frozen=True, slots=True)
class JudgeConsistency:
    """One judge's votes on the questions that must be consistent.

    Args:
        asked: pairs and questions that it was asked about.
        same: the same vote in both orders.
        changed: different votes.
        incomplete: a vote is missing in one order, or unscored.
    """

    judge: str
    asked: int
    same: int
    changed: int
    incomplete: int


@dataclass(frozen=True, slots=True)
class KeptVotes:
    """What is left of a table.

    Args:
        table: the rows of pairs that are consistent.
        items: these pairs, in order of appearance.
        judges: how consistent each judge was.
    """

    table: JudgmentTable
    items: tuple[str, ...]
    judges: tuple[JudgeConsistency, ...]


def overall_question(table: JudgmentTable, question: str | None = None) -> str:
    """The question that asks for the better one: the one named, `Overall`, or `preference`.

    Raises:
        DataError: none of these is a preference that was asked.
    """
    asked = [name for name in table.asked if table.questions[name].kind == "preference"]
    wanted = OVERALL if question is None else (question,)
    found = next((name for name in wanted if name in asked), None)
    if found is None:
        there = ", ".join(asked) if asked else "none"
        problem = f"no votes on {' or '.join(wanted)}; preferences that were asked are {there}"
        raise DataError(problem, source="votes")
    return found


def consistent_votes(table: JudgmentTable, questions: Sequence[str]) -> KeptVotes:
    """The pairs, with all of their rows, on which every judge's vote keeps in both orders.

    A judge that was not asked about one of the questions, or has no vote in an order, is not
    consistent on it.

    Args:
        table: N rows of preferences, in both orders.
        questions: on all of which every judge of the table must be consistent.

    Raises:
        DataError: there is no vote in either order, so that nothing can be compared.

    Source: MTDEval, appendix A.2, with five judges; on which of the eleven questions
    they must be consistent is not said. On all at once hardly a pair is left (see
    `docs/preference-data.md`), so callers ask for the overall one unless told otherwise.
    """
    cells = _cells(table)
    if not cells.both.any():
        raise DataError(
            "no judge has votes in both orders here, so nothing tells whether they are"
            " consistent; judge with two votes, or leave this step out",
            source="votes",
        )
    wanted = np.isin(cells.question, [cells.questions.index(name) for name in questions])
    asked = np.unique(cells.judge[wanted])
    judges = tuple(_counted(cells, wanted, at) for at in asked.tolist())
    good = np.bincount(cells.item[cells.same & wanted], minlength=len(cells.items))
    whole = good == len(asked) * len(questions)
    left = table.filter(whole[cells.item_of_row])
    return KeptVotes(left, left.items, judges)


@dataclass(frozen=True, slots=True)
class _Cells:
    """C cells, each a judge, an item and a question."""

    items: tuple[str, ...]
    judges: tuple[str, ...]
    questions: tuple[str, ...]
    item: IntArray
    judge: IntArray
    question: IntArray
    same: BoolArray
    both: BoolArray  # a vote in each order, and none unscored
    item_of_row: IntArray  # (N,)


def _cells(table: JudgmentTable) -> _Cells:
    items, item_names = table.codes("item")
    judges, judge_names = table.codes("judge")
    asked, question_names = table.codes("question")
    size = len(judge_names) * len(question_names)
    of_row, first = appearing(items * size + judges * len(question_names) + asked)
    count = len(first)
    value = _votes(table)
    scored = ~np.isnan(value)
    codes, known = table.codes("order")
    place = np.array([*({"AB": 1, "BA": 2}.get(one, 0) for one in known), 0])[codes]
    lost = np.bincount(of_row[~scored], minlength=count) > 0
    there = [
        np.bincount(of_row[scored & (place == order)], minlength=count) > 0 for order in (1, 2)
    ]
    total = np.bincount(of_row[scored], value[scored], count)
    number = np.bincount(of_row[scored], minlength=count)
    sided = np.bincount(of_row[scored & (value != 0)], minlength=count)
    alike = (np.abs(total) == number) | (sided == 0)
    both = there[0] & there[1] & ~lost
    return _Cells(
        tuple(item_names),
        tuple(judge_names),
        tuple(question_names),
        items[first],
        judges[first],
        asked[first],
        both & alike,
        both,
        items,
    )


def _votes(table: JudgmentTable) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """The vote of each row, NaN for none and for what is no preference."""
    found = votes(table)
    codes, names = table.codes("question")
    preference = np.array([table.questions[one].kind == "preference" for one in names], dtype=bool)
    found[~preference[codes]] = np.nan
    return found


def _counted(cells: _Cells, wanted: BoolArray, judge: int) -> JudgeConsistency:
    mine = wanted & (cells.judge == judge)
    asked, same = int(mine.sum()), int((mine & cells.same).sum())
    both = int((mine & cells.both).sum())
    return JudgeConsistency(cells.judges[judge], asked, same, both - same, asked - both)
