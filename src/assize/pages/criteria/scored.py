"""Conversations with their NetSAT, and what the window makes of each."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from assize.base.errors import DataError
from assize.criteria._criterion import NETSAT, CriteriaSet
from assize.criteria._scoring import label_of
from assize.judgments import JudgmentTable
from assize.judgments.values import numbers
from assize.stats._arrays import FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class Scored:
    """NetSAT of each conversation, the mean over judges and repeats.

    Args:
        items: (N,) ids, in the order of the judgments.
        nets: (N,) NaN where nobody could score it.
        labels: (N,) what the window makes of it: good, open, bad or unscored; None for a set
            that has learnt no window.
        middle: the threshold that the set has learnt; None where there is none.
    """

    items: Sequence[str]
    nets: FloatArray
    labels: Sequence[str] | None
    middle: float | None

    @classmethod
    def of(cls, judgments: JudgmentTable, rubric: CriteriaSet) -> Scored:
        """The conversations of a table.

        Raises:
            DataError: there is no NetSAT in it, or no judgment by the set.
        """
        rows = judgments.where(question=NETSAT)
        if not len(rows):
            raise DataError(
                "none of the judgments is a NetSAT; score the conversations with assize criteria"
                " score, or leave the criteria out"
            )
        if not any(criterion.id in judgments.asked for criterion in rubric.criteria):
            theirs = ", ".join(criterion.id for criterion in rubric.criteria[:3])
            raise DataError(
                f"no judgment is about any of the {len(rubric.criteria)} criteria ({theirs}, ...);"
                " give the set by which the conversations were scored"
            )
        codes, names = rows.codes("item")
        values = numbers(rows, rubric.questions[0])
        scored = ~np.isnan(values)
        total = np.bincount(codes[scored], values[scored], len(names))
        count = np.bincount(codes[scored], minlength=len(names))
        order = list(dict.fromkeys(codes.tolist()))
        with np.errstate(invalid="ignore", divide="ignore"):
            nets: FloatArray = (total / np.where(count, count, np.nan))[order]
        window = rubric.labelling
        labels = None
        if window is not None:
            labels = [
                "unscored" if math.isnan(net) else label_of(net, window) for net in nets.tolist()
            ]
        middle = None if window is None else window.threshold
        return cls([names[code] for code in order], nets, labels, middle)

    @property
    def known(self) -> IntArray:
        """Indices of those that are scored."""
        return np.flatnonzero(~np.isnan(self.nets))

    def uncertain_first(self) -> list[int]:
        """Indices of those that are scored: those left open first, each nearest to the threshold.

        Without a threshold the lowest come first.
        """
        known = self.known
        if self.middle is None or self.labels is None:
            return list(known[np.argsort(self.nets[known], kind="stable")].tolist())
        far = np.abs(self.nets[known] - self.middle)
        decided = np.array([self.labels[index] != "open" for index in known.tolist()])
        return list(known[np.lexsort((far, decided))].tolist())

    def extremes(self) -> tuple[int, int] | None:
        """Indices of the highest and the lowest; None where there are no two that differ."""
        known = self.known.tolist()
        if len(known) < 2:
            return None
        high = max(known, key=lambda index: float(self.nets[index]))
        low = min(known, key=lambda index: float(self.nets[index]))
        return None if high == low else (high, low)
