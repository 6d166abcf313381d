"""The label of each pair out of several judges' votes, and how often each judge says what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from assize.base.conversation import Preference
from assize.base.errors import ConfigError
from assize.judgments import JudgmentTable
from assize.judgments.combine import Votes, combine
from assize.results import Column

_LABELS: dict[float, Preference] = {1.0: "A", 0.0: "tie", -1.0: "B"}
MAJORITY = "majority"


def votes_by_judge(
    table: JudgmentTable, question: str, how: Votes = "agree"
) -> dict[str, dict[str, Preference | None]]:
    """By judge and pair one vote, both orders put together; None where there is none."""
    asked = table.where(question=question, turn=None)
    found = combine(asked, asked.questions[question], how)
    by: dict[str, dict[str, Preference | None]] = {name: {} for name in found.judges}
    cells = zip(found.judge.tolist(), found.unit.tolist(), found.values.tolist(), strict=True)
    for judge, unit, value in cells:
        item = found.units[unit][0]
        by[found.judges[judge]][item] = None if np.isnan(value) else _LABELS[value]
    return by


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
    table: JudgmentTable, question: str, by: str = MAJORITY, how: Votes = "agree"
) -> dict[str, Preference | None]:
    """The label of each pair: the majority of all judges, or one judge's vote.

    Raises:
        ConfigError: there is no such judge.
    """
    votes = votes_by_judge(table, question, how)
    if by != MAJORITY:
        if by not in votes:
            known = ", ".join(votes)
            raise ConfigError(f"no judge {by!r} votes on {question}; there are {known}")
        return votes[by]
    cast: dict[str, list[Preference]] = {}
    for said in votes.values():
        for item, vote in said.items():
            cast.setdefault(item, []).extend([] if vote is None else [vote])
    return {item: majority_label(found) for item, found in cast.items()}


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
