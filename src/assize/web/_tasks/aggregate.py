"""One judgment of several people's: the mean of ratings, the majority of all else."""

from __future__ import annotations

import numpy as np

from assize.base.judgment import TRUTHS, Judgment, Question, Unscored
from assize.judgments import JudgmentTable
from assize.judgments.combine import Combined, combine
from assize.stats._truth import average, majority

PEOPLE = "people"
_NUMBERS = ("ordinal", "number", "binary")


def together(table: JudgmentTable, *, judge: str = PEOPLE) -> JudgmentTable:
    """What the people of a table say together of each item, question by question.

    Ratings have the mean as their score. Preferences and answers without an order have the
    answer that most people gave; a preference without one is a tie, anything else unscored.
    An item that nobody could judge is unscored, one to which a question does not apply is NA.

    Args:
        table: rows by others than people, `gold` and `adjudicated` among them, count for nothing;
            free texts are left out.
        judge: whose the new rows are.

    Source: MTDEval, appendix B: "averaging" for ratings, "majority voting" for pairs and
    dimensions. Differs: it does not say what becomes of a pair without a majority.
    """
    people = table.where(kind="person")
    people = people.where(judge=[one for one in people.judges if one not in TRUTHS])
    rows: list[Judgment] = []
    for name in people.asked:
        question = people.questions[name]
        if question.kind != "text":
            rows += _of_question(people.where(question=name), question, judge)
    asked = [people.questions[name] for name in people.asked]
    return JudgmentTable.of(rows, asked)


def _of_question(rows: JudgmentTable, question: Question, judge: str) -> list[Judgment]:
    found = combine(rows, question)
    grid = np.full((len(found.judges), len(found.units)), np.nan)
    grid[found.judge, found.unit] = found.values
    people = (~np.isnan(grid)).sum(axis=0)
    skipped = np.bincount(found.unit[found.not_applicable], minlength=len(found.units)) > 0
    if question.kind in _NUMBERS:
        said: list[str | float | None] = [
            None if np.isnan(one) else float(one) for one in average(grid)
        ]
    else:
        said = _most(grid, question)
    return [
        _row(found, place, question, judge, said[place], int(people[place]), bool(skipped[place]))
        for place in range(len(found.units))
    ]


def _most(
    grid: np.ndarray[tuple[int, int], np.dtype[np.float64]], question: Question
) -> list[str | float | None]:
    """By unit the answer of most; None without one."""
    prefers = question.kind == "preference"
    answers = ("A", "tie", "B") if prefers else question.answers
    codes = 1 - grid if prefers else grid
    counts = np.stack([(codes == code).sum(axis=0) for code in range(max(2, len(answers)))], axis=1)
    chosen = majority(counts)
    none = "tie" if prefers else None
    return [answers[one] if one >= 0 else (none if one == -1 else None) for one in chosen.tolist()]


def _row(
    found: Combined,
    place: int,
    question: Question,
    judge: str,
    said: str | float | None,
    people: int,
    skipped: bool,
) -> Judgment:
    item, turn = found.units[place]
    details = {"raters": people}
    if said is None and skipped and not people:
        return Judgment(item, judge, question.id, answer="NA", turn=turn, details=details)
    if said is None:
        why = "no answer has most votes" if people else "nobody could judge it"
        lost = Unscored("no_majority" if people else "unrated", why)
        return Judgment(item, judge, question.id, turn=turn, unscored=lost, details=details)
    if isinstance(said, float):
        return Judgment(item, judge, question.id, score=said, turn=turn, details=details)
    return Judgment(item, judge, question.id, answer=said, turn=turn, details=details)
