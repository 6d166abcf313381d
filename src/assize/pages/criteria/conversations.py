"""What was said of conversations that a page lists: a verdict for each criterion."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from assize.base.judgment import Judgment
from assize.criteria._criterion import CriteriaSet, Criterion
from assize.judgments import JudgmentTable
from assize.judgments.values import number_of
from assize.results.escape import visible

NEUTRAL = 5.0


@dataclass(frozen=True, slots=True)
class Verdict:
    """How far a criterion holds for a conversation.

    Args:
        value: 0 to 10, the mean over judges and repeats; NaN where unscored.
        answer: in words, where there is only one.
        note: why it is unscored, or that it does not apply.
    """

    criterion: Criterion
    value: float
    answer: str
    note: str

    @property
    def speaks(self) -> float:
        """How much it adds to NetSAT beyond a neutral answer; 0 where unscored."""
        if math.isnan(self.value):
            return 0.0
        return self.value - NEUTRAL if self.criterion.sat else NEUTRAL - self.value


def verdicts(
    judgments: JudgmentTable, given: CriteriaSet, items: Sequence[str]
) -> dict[str, list[Verdict]]:
    """What was said of some conversations, named by their ids, in the order of the criteria."""
    rows = judgments.where(item=items, question=[one.id for one in given.criteria])
    said: defaultdict[tuple[str, str], list[Judgment]] = defaultdict(list)
    for row in rows:
        said[row.item, row.question].append(row)
    return {
        item: [_verdict(one, said[item, one.id], given) for one in given.criteria] for item in items
    }


def _verdict(one: Criterion, rows: Sequence[Judgment], given: CriteriaSet) -> Verdict:
    question = one.question(given.scale)
    values = [value for row in rows if (value := number_of(row, question)) is not None]
    answer = (rows[0].answer or "") if len(rows) == 1 else ""
    return Verdict(
        one,
        math.fsum(values) / len(values) if values else math.nan,
        visible(answer),
        _note(rows, bool(values)),
    )


def _note(rows: Sequence[Judgment], scored: bool) -> str:
    if not rows:
        return "unscored: not asked"
    if not scored:
        reasons = dict.fromkeys(row.unscored.reason for row in rows if row.unscored is not None)
        return f"unscored: {', '.join(reasons) or 'no answer'}"
    silent = any((row.details or {}).get("not_applicable") for row in rows)
    return "does not apply, counts as neutral" if silent else ""
