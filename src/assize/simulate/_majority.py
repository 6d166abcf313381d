"""The label of each pair out of several judges' votes, and how often each judge says what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

from assize.base.conversation import Preference
from assize.base.errors import ConfigError
from assize.judgments import JudgmentTable
from assize.judgments.combine import combine
from assize.results import Column

LABELS: Mapping[float, Preference] = {1.0: "A", 0.0: "tie", -1.0: "B"}
MAJORITY = "majority"


def votes_by_judge(table: JudgmentTable, question: str) -> dict[str, dict[str, Preference | None]]:
    """By judge and pair one vote, both orders put together; None where there is none."""
    asked = table.where(question=question, turn=None)
    cells = combine(asked, asked.questions[question])
    votes: dict[str, dict[str, Preference | None]] = {name: {} for name in cells.judges}
    for judge, unit, value in zip(
        cells.judge.tolist(), cells.unit.tolist(), cells.values.tolist(), strict=True
    ):
        votes[cells.judges[judge]][cells.units[unit][0]] = LABELS.get(value)
    return votes


def majority_label(votes: Sequence[Preference]) -> Preference | None:
    """The one most frequent vote; a tie where several are, None without votes.

    >>> majority_label(["A", "A", "B"]), majority_label(["A", "B"]), majority_label([])
    ('A', 'tie', None)
    """
    if not votes:
        return None
    (first, most), *others = Counter(votes).most_common()
    return "tie" if others and others[0][1] == most else first


def labels_of(
    table: JudgmentTable, question: str, by: str = MAJORITY
) -> dict[str, Preference | None]:
    """The label of each pair: the majority of all judges, or one judge's vote.

    Raises:
        ConfigError: there is no such judge.
    """
    votes = votes_by_judge(table, question)
    if by != MAJORITY:
        if by not in votes:
            known = ", ".join(votes)
            raise ConfigError(f"no judge {by!r} votes on {question}; there are {known}")
        return votes[by]
    cast: dict[str, list[Preference]] = {}
    for answers in votes.values():
        for item, vote in answers.items():
            cast.setdefault(item, []).extend([] if vote is None else [vote])
    return {item: majority_label(labels) for item, labels in cast.items()}


@dataclass(frozen=True, slots=True)
class LabelCounts:
    """How many pairs a judge gives each label. Source: MTDEval, table 5."""

    judge: str
    a: Annotated[int, Column("A")]
    b: Annotated[int, Column("B")]
    tie: int
    unscored: int


def label_counts(votes: Mapping[str, Mapping[str, Preference | None]]) -> list[LabelCounts]:
    """Return the counts of each judge."""
    rows = []
    for judge, answers in votes.items():
        counts = Counter(answers.values())
        rows.append(LabelCounts(judge, counts["A"], counts["B"], counts["tie"], counts[None]))
    return rows
