"""An adapted evaluator, and whether adapting helped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Self

from assize.evaluator._adapting.columns import CANDIDATES
from assize.evaluator._evaluator import Evaluator
from assize.evaluator._heads.rating_scale import ScaleFit
from assize.evaluator._ties import TieFit
from assize.results import Column, Estimate, Hidden, Result, Table

CHANGED = {
    "helped": "put labels held out into a better order",
    "did not show that it helps": "did not show that it helps",
}


@dataclass(frozen=True, slots=True, eq=False)
class Outcome:
    """What the labels of one question taught, and whether that helped.

    Args:
        question: the evaluator's.
        n, groups: labels, and how many of `by` they are of.
        by: what was held out together: `conversation`, `rater` or `pair`.
        change, penalty: what was chosen on all labels; `none` and infinity for no change.
        before, after, gain: order of labels held out by Spearman's correlation; of pairs the
            share of decided ones in the right order.
        p_value: whether before and after can be exchanged.
        error_before, error_after, error_gain, error_p: root mean square error of expected
            labels, each through a monotone map that was fitted without the fold.
        used: whether the evaluator was changed.
        verdict: in words.
        scale, ties: what was learnt beside it; None where labels do not say.
    """

    question: str
    n: int
    groups: Hidden[int]
    by: Hidden[str]
    change: str
    penalty: Hidden[float]
    before: Annotated[Estimate, Column(ends="none", digits=2)]
    after: Annotated[Estimate, Column(ends="none", digits=2)]
    gain: Annotated[Estimate, Column(signed=True, digits=2)]
    p_value: Annotated[float, Column("p", kind="p", extra=True)]
    error_before: Hidden[Estimate]
    error_after: Hidden[Estimate]
    error_gain: Hidden[Estimate]
    error_p: Annotated[float, Column(kind="p", extra=True)]
    used: bool
    verdict: Hidden[str]
    scale: ScaleFit | None = field(default=None, repr=False)
    ties: TieFit | None = field(default=None, repr=False)

    @property
    def note(self) -> str:
        """The verdict with its figures, in a sentence."""
        labels = f"{self.n:,} labels of {self.groups:,} {self.by}s"
        if self.change == "none" and self.scale is not None:
            return f"mapped to the scale of {labels}; the order of scores stays as it is"
        if self.change == "none":
            return f"{labels} show nothing to change; the evaluator stays as it is"
        low, high = self.gain.interval
        figures = f"order {self.gain.estimate:+.3f} [{low:+.3f}, {high:+.3f}], {labels}"
        note = f"a change of {CANDIDATES[self.change]} {CHANGED[self.verdict]} ({figures})"
        if self.verdict == "helped":
            return note
        return note + ("; it is used, as asked" if self.used else "; the evaluator keeps its head")


@dataclass(frozen=True, slots=True)
class Adaptation(Result):
    """What labels made of an evaluator.

    Args:
        evaluator: the adapted one; with the head that it had where adapting did not help.
        outcomes: a question each.
        scales, ties: by question, where its labels say so.
        unfit: labels of items that are not among these, or cannot be scored.
        out: where it was saved.
    """

    evaluator: Evaluator = field(repr=False)
    outcomes: Annotated[
        Sequence[Outcome],
        Table(
            "Order of labels held out",
            "Whether the change helps on labels that it was not learnt from.",
        ),
    ]
    scales: Annotated[
        Mapping[str, ScaleFit],
        Table("Scores on people's scale: mean absolute error, cross-validated", key="question"),
    ]
    ties: Annotated[
        Mapping[str, TieFit],
        Table("Ties, by the difference of scores, cross-validated", key="question"),
    ]
    unfit: Annotated[int, Column("labels without an item", extra=True)] = 0
    out: str | None = None

    @classmethod
    def of(
        cls,
        evaluator: Evaluator,
        outcomes: Sequence[Outcome],
        *,
        unfit: int = 0,
        out: str | None = None,
    ) -> Self:
        """The result of outcomes, with the scales and tie rules among them."""
        scales = {row.question: row.scale for row in outcomes if row.scale is not None}
        ties = {row.question: row.ties for row in outcomes if row.ties is not None}
        return cls(evaluator, outcomes, scales, ties, unfit, out)

    @property
    def signature(self) -> str:
        """Of the evaluator's scores."""
        return self.evaluator.signature

    @property
    def sentence(self) -> str:
        """Whether the labels changed the evaluator."""
        used = [row.question for row in self.outcomes if row.used]
        return f"The labels changed {', '.join(used) or 'no question'} of {self.evaluator.judge}."

    def save(self, folder: str | Path) -> None:
        """Writes the evaluator.

        Raises:
            OutputError: the folder cannot be written.
        """
        self.evaluator.save(folder)

    @property
    def notes(self) -> Sequence[str]:
        """What was decided for each question, and why."""
        notes = [f"{row.question}: {row.note}" for row in self.outcomes]
        if self.unfit:
            notes.append(
                f"{self.unfit:,} labels are of items that are not here or cannot be scored"
            )
        return notes
