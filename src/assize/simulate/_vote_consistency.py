"""Votes in both orders: which judges keep to theirs when the sides are exchanged.

Judgments name the real A and B in either order, so a judge is consistent on a pair and a question
where both of its votes are the same.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from assize.base.errors import DataError
from assize.judgments import JudgmentTable
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
    same: int = 0
    changed: int = 0
    incomplete: int = 0


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
    columns = []
    for name in ("judge", "item", "question", "order"):
        codes, names = table.codes(name)
        columns.append([names[code] if code >= 0 else "" for code in codes.tolist()])
    cells: dict[tuple[str, str, str], list[tuple[str, float]]] = defaultdict(list)
    for judge, item, question, order, vote in zip(*columns, votes(table).tolist(), strict=True):
        if question in questions:
            cells[judge, item, question].append((order, vote))
    tallies: dict[str, Counter[str]] = defaultdict(Counter)
    same: Counter[str] = Counter()
    for (judge, item, _), cast in cells.items():
        outcome = "incomplete"
        if {order for order, _ in cast} >= {"AB", "BA"} and all(vote == vote for _, vote in cast):
            outcome = "same" if len({vote for _, vote in cast}) == 1 else "changed"
        tallies[judge][outcome] += 1
        same[item] += outcome == "same"
    judges = [JudgeConsistency(name, tally.total(), **tally) for name, tally in tallies.items()]
    if all(judge.asked == judge.incomplete for judge in judges):
        raise DataError(
            "no judge has votes in both orders here, so nothing tells whether they are"
            " consistent; judge with two votes, or leave this step out",
            source="votes",
        )
    wanted = len(judges) * len(questions)
    left = table.where(item={item for item, count in same.items() if count == wanted})
    return KeptVotes(left, left.items, tuple(judges))
