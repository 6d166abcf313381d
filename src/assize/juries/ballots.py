"""From stored votes to one decision a judge: both votes must agree, and both must be there."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from assize.agreement.columns import value_of
from assize.conversation import Pair
from assize.judgment import NOT_APPLICABLE, PREFERENCE, Judgment, JudgmentTable

MISSING = "missing"  # one order of two
NOT_ASKED = "not asked"  # no vote at all

_ANSWERS = {1.0: "A", 0.0: "tie", -1.0: "B"}


@dataclass(frozen=True, slots=True)
class Ballot:
    """One judge's decision on one item, with the votes that led to it.

    Args:
        judge: its full name.
        votes: the rows as they are stored; none where the judge was never asked.
        answer: `A` or `B` where all votes say so, `tie` where they differ or say tie,
            None where the judge is unscored.
        reason: why it is unscored.
    """

    judge: str
    votes: tuple[Judgment, ...]
    answer: str | None
    reason: str | None = None

    @property
    def decides(self) -> bool:
        """Whether a cascade stops here."""
        return self.answer in ("A", "B")

    def to_json(self) -> dict[str, Any]:
        """The judge, what it came to, and what each vote was."""
        said: dict[str, Any] = {"judge": self.judge, "answer": self.answer}
        if self.reason is not None:
            said["unscored"] = self.reason
        return said | {"votes": [_vote(row) for row in self.votes]}


def _vote(row: Judgment) -> dict[str, Any]:
    said: dict[str, Any] = {} if row.order is None else {"order": row.order}
    if row.repeat:
        said["repeat"] = row.repeat
    if row.unscored is not None:
        return said | {"unscored": row.unscored.reason}
    return said | {"answer": answer_of(row)}


def answer_of(row: Judgment) -> str | None:
    """A vote as A, B or tie; None where it is none of them.

    >>> answer_of(Judgment("p", "j", "preference", distribution={"A": 0.4, "B": 0.6}))
    'B'
    """
    value = value_of(row, PREFERENCE)
    if value is None:
        return None
    return _ANSWERS[(value > 0) - (value < 0) + 0.0]


def ballot(judge: str, votes: Sequence[Judgment], *, expected: int = 1) -> Ballot:
    """The decision of one judge on one item.

    Args:
        votes: of this judge on this item, in any order.
        expected: orders that there must be; 2 for a judge that sees both.

    One vote scored and the other not makes the judge unscored: half of an answer says
    nothing of whether the order decided it.

    Source: AMULET, section 3 (agreement of both presentation orders).
    """
    if not votes:
        return Ballot(judge, (), None, NOT_ASKED)
    rows = tuple(sorted(votes, key=lambda row: (row.repeat, row.order or "")))
    for row in rows:
        if row.unscored is not None:
            return Ballot(judge, rows, None, row.unscored.reason)
        if row.answer == NOT_APPLICABLE:
            return Ballot(judge, rows, None, "not applicable")
    answers = {answer_of(row) for row in rows}
    if None in answers:
        return Ballot(judge, rows, None, "no preference")
    if len({row.order for row in rows}) < expected:
        return Ballot(judge, rows, None, MISSING)
    return Ballot(judge, rows, answers.pop() if len(answers) == 1 else "tie")


@dataclass(frozen=True)
class Ballots:
    """All judges' decisions on all items.

    Args:
        judges: names, in order of appearance.
        items: ids, in order of appearance.
        rows: the votes by judge and item.
        expected: orders in which a judge sees an item, 1 or 2.
        made: decisions that have been asked for already.
    """

    judges: tuple[str, ...]
    items: tuple[str, ...]
    rows: Mapping[str, Mapping[str, Sequence[Judgment]]]
    expected: Mapping[str, int]
    made: dict[tuple[str, str], Ballot] = field(default_factory=dict)

    def of(self, judge: str, item: str) -> Ballot:
        """The decision of a judge; unscored as `not asked` where there is no vote."""
        found = self.made.get((judge, item))
        if found is None:
            votes = self.rows[judge].get(item, ())
            found = self.made[judge, item] = ballot(judge, votes, expected=self.expected[judge])
        return found


def gather(
    table: JudgmentTable, question: str, *, gold: str = "gold", members: Iterable[str] = ()
) -> Ballots:
    """The votes on one question, by judge and item; rows of the judge `gold` are no votes.

    Rows on single turns are passed over. A judge that has shown any item in both orders is
    expected to show all items in both.

    Args:
        members: full names of judges who take part even where they have not voted at all.
    """
    rows: dict[str, dict[str, list[Judgment]]] = defaultdict(lambda: defaultdict(list))
    rows |= {name: defaultdict(list) for name in members}
    items: dict[str, None] = {}
    for row in table:
        if row.question == question and row.judge != gold and row.turn is None:
            rows[row.judge][row.item].append(row)
            items.setdefault(row.item)
    return Ballots(tuple(rows), tuple(items), rows, {name: _expected(rows[name]) for name in rows})


def _expected(by_item: Mapping[str, Iterable[Judgment]]) -> int:
    """The most orders in which this judge saw any item."""
    counts = (len({row.order for row in votes}) for votes in by_item.values())
    return max(counts, default=1)


def gold_of(table: JudgmentTable, question: str, *, gold: str = "gold") -> dict[str, str]:
    """The gold answers of a table, by item; where gold contradicts itself, a tie."""
    found: dict[str, set[str]] = defaultdict(set)
    for row in table:
        if row.question == question and row.judge == gold and row.turn is None:
            answer = answer_of(row)
            if answer is not None:
                found[row.item].add(answer)
    return {item: said.pop() if len(said) == 1 else "tie" for item, said in found.items()}


def gold_in(pair: Pair, question: str) -> str | None:
    """A pair's own gold answer to the question."""
    if isinstance(pair.gold, str):
        return pair.gold if question == PREFERENCE.id else None
    return None if pair.gold is None else pair.gold.get(question)
