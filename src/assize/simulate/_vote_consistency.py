"""Votes in both orders: which judges keep to theirs when the sides are exchanged.

Judgments name the real A and B in either order, so a judge is consistent on a pair and a question
where both of its votes are the same.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from assize.base.errors import DataError
from assize.judgments import JudgmentTable
from assize.judgments.combine import combine

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
    same: int = 0
    changed: int = 0
    incomplete: int = 0


def preferences_asked(table: JudgmentTable) -> list[str]:
    """The questions of a table that ask which side is better."""
    return [name for name in table.asked if table.questions[name].kind == "preference"]


def overall_question(table: JudgmentTable, question: str | None = None) -> str:
    """The question that asks for the better one: the one named, `Overall`, or `preference`.

    Raises:
        DataError: none of these is a preference that was asked.
    """
    asked = preferences_asked(table)
    for name in OVERALL if question is None else (question,):
        if name in asked:
            return name
    there = ", ".join(asked) if asked else "none"
    wanted = " or ".join(OVERALL) if question is None else question
    raise DataError(
        f"no votes on {wanted}; preferences that were asked are {there}", source="votes"
    )


def consistent_items(
    table: JudgmentTable, questions: Sequence[str]
) -> tuple[set[str], list[JudgeConsistency]]:
    """The pairs on which every judge's vote keeps in both orders, and how each judge did.

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
    tallies: dict[str, Counter[str]] = defaultdict(Counter)
    same: Counter[str] = Counter()
    for name in questions:
        votes = combine(table.where(question=name, turn=None), table.questions[name])
        lost = np.isnan(votes.values) | (votes.expected[votes.judge] < 2)
        columns = votes.judge, votes.unit, lost, votes.split
        cells = zip(*(column.tolist() for column in columns), strict=True)
        for judge, unit, incomplete, split in cells:
            outcome = "changed" if split else "same"
            if incomplete:
                outcome = "incomplete"
            tallies[votes.judges[judge]][outcome] += 1
            same[votes.units[unit][0]] += outcome == "same"
    judges = [JudgeConsistency(name, tally.total(), **tally) for name, tally in tallies.items()]
    if all(judge.asked == judge.incomplete for judge in judges):
        raise DataError(
            "no judge has votes in both orders here, so nothing tells whether they are"
            " consistent; judge with two votes, or leave this step out",
            source="votes",
        )
    wanted = len(table.judges) * len(questions)
    return {item for item, count in same.items() if count == wanted}, judges
