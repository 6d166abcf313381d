"""Scored conversations as a page lists them: NetSAT, what is made of it, and each criterion."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from assize.criteria.criterion import NETSAT, CriteriaSet, Criterion, Labelling
from assize.criteria.selection.objective import threshold
from assize.errors import DataError
from assize.formats.labels import Labels
from assize.judgment import Judgment
from assize.judgments import JudgmentTable
from assize.judgments.values import number_of, numbers
from assize.pages.criteria.figures import labelled
from assize.results.escape import visible
from assize.stats.arrays import FloatArray, IntArray

NEUTRAL = 5.0


@dataclass(frozen=True, eq=False)
class Scored:
    """NetSAT of each conversation, the mean over judges and repeats.

    Args:
        items: (N,) ids, in the order of the judgments.
        nets: (N,) NaN where nobody could score it.
        good: (N,) what people say; None where there is no label.
        labels: (N,) what the window makes of it: good, open, bad or unscored; None for a set
            that has learnt no window.
        middle: the threshold that the set has learnt, else the midpoint of the classes that
            people know; None where there is neither.
    """

    items: Sequence[str]
    nets: FloatArray
    good: Sequence[bool | None]
    labels: Sequence[str] | None
    middle: float | None

    @classmethod
    def of(cls, judgments: JudgmentTable, given: CriteriaSet, labels: Labels | None) -> Scored:
        """The conversations of a table.

        Raises:
            DataError: there is no NetSAT in it.
        """
        rows = judgments.where(question=NETSAT)
        if not len(rows):
            raise DataError(
                "none of the judgments is a NetSAT; score the conversations with assize criteria"
                " score, or leave the criteria out"
            )
        if not any(one.id in judgments.asked for one in given.criteria):
            theirs = ", ".join(one.id for one in given.criteria[:3])
            raise DataError(
                f"no judgment is about any of the {len(given.criteria)} criteria ({theirs}, ...);"
                " give the set by which the conversations were scored"
            )
        codes, known = rows.codes("item")
        values = numbers(rows, given.questions[0])
        scored = ~np.isnan(values)
        total = np.bincount(codes[scored], values[scored], len(known))
        count = np.bincount(codes[scored], minlength=len(known))
        places = list(dict.fromkeys(codes.tolist()))
        with np.errstate(invalid="ignore", divide="ignore"):
            nets: FloatArray = (total / np.where(count, count, np.nan))[places]
        items = [known[at] for at in places]
        good = [None if labels is None else labels.good.get(one) for one in items]
        learnt = given.labelling
        said = None if learnt is None else labelled(nets, learnt)
        return cls(items, nets, good, said, _middle(nets, good, learnt))

    def __len__(self) -> int:
        return len(self.items)

    @property
    def known(self) -> IntArray:
        """Places of those that are scored."""
        return np.flatnonzero(~np.isnan(self.nets))

    def both(self) -> tuple[FloatArray, np.ndarray[tuple[int], np.dtype[np.bool_]]]:
        """Scores and labels of the conversations that have both."""
        kept = [at for at in self.known.tolist() if self.good[at] is not None]
        return self.nets[kept], np.array([bool(self.good[at]) for at in kept], dtype=bool)

    def uncertain_first(self) -> list[int]:
        """Places of those that are scored: those left open first, each nearest to the threshold.

        Without a threshold the lowest come first.
        """
        places = self.known
        if self.middle is None:
            return list(places[np.argsort(self.nets[places], kind="stable")].tolist())
        far = np.abs(self.nets[places] - self.middle)
        decided = [self.labels is not None and self.labels[at] != "open" for at in places.tolist()]
        return list(places[np.lexsort((far, np.array(decided)))].tolist())

    def pair(self, wanted: Sequence[str] | None) -> tuple[int, int] | None:
        """Places of a good and a bad conversation; None where there are no two that differ.

        Where people's labels are known the best is one that they call good, and the worst one
        that they call bad.

        Args:
            wanted: two ids, in the place of the best and the worst.

        Raises:
            DataError: an id is none of a scored conversation, or there are not two.
        """
        if wanted is not None:
            return self._named(wanted)
        places = self.known.tolist()
        best = [at for at in places if self.good[at] is True] or places
        worst = [at for at in places if self.good[at] is False] or places
        if not places:
            return None
        high = max(best, key=lambda at: float(self.nets[at]))
        low = min(worst, key=lambda at: float(self.nets[at]))
        return None if high == low else (high, low)

    def _named(self, wanted: Sequence[str]) -> tuple[int, int]:
        if len(wanted) != 2 or wanted[0] == wanted[1]:
            raise DataError(f"pair: received {list(wanted)!r}; name two conversations")
        for one in wanted:
            if one not in self.items:
                there = ", ".join(self.items[:5])
                raise DataError(f"pair: no conversation {one!r} was scored; there are {there}, ...")
        first, second = (self.items.index(one) for one in wanted)
        return first, second


def _middle(
    nets: FloatArray, good: Sequence[bool | None], learnt: Labelling | None
) -> float | None:
    if learnt is not None:
        return learnt.threshold
    label = np.array([math.nan if one is None else float(one) for one in good])
    kept = ~np.isnan(nets) & ~np.isnan(label)
    classes = label[kept] > 0
    if not classes.any() or classes.all():
        return None
    return float(threshold(nets[kept][None], classes)[0])


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
