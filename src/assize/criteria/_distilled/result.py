"""An evaluator that scores criteria, and what it loses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from assize.criteria._criterion import CriteriaSet, Labelling
from assize.criteria._distilled.heads import Heads
from assize.criteria._distilled.judge import DistilledJudge
from assize.criteria._distilled.measuring import Labelled, Reproduced
from assize.criteria._selected import window_sentence
from assize.formats.labels import Labels
from assize.results import Column, Hidden, Result, Share, Table
from assize.results.numbers import number, percent

if TYPE_CHECKING:
    from assize.formats import ItemsLike
    from assize.judgments import JudgmentTable


@dataclass(frozen=True, slots=True, kw_only=True)
class DistilledCriteria(Result):
    """Criteria that an evaluator scores, with what was measured on conversations held out.

    Args:
        n: conversations that it learnt from.
        unscored: conversations among them with a criterion without a score.
        unread: conversations among them whose text cannot be scored.
        alike: share of the conversations that both label, which both label the same; None
            where no labels were given, as are all below.
        reproduced: how well every criterion is reproduced, NetSAT last.
        labelled: labels by the evaluations, by the evaluator, and the difference; () without
            labels.
        folds: of the figures.
        evaluator: signature of the evaluator.
        labels: what good and bad were.
        labelling: that was learnt for the evaluator's scores.
        signature: of the evaluator's scores and what they are compared with.
        criteria: the set, with this labelling.
        judge: scores conversations, in memory.
        heads: what its folder keeps beside the evaluator.
    """

    heading: ClassVar[str] = "Criteria distilled"

    n: Annotated[int, Column("conversations")]
    unscored: int
    unread: Annotated[int, Column("that cannot be scored")]
    alike: Annotated[Share | None, Column("labelled alike", "share", digits=1, unit="%")]
    reproduced: Annotated[
        Sequence[Reproduced],
        Table(
            "How well it reproduces the evaluations",
            "Correlations with the evaluations that it learnt from, on folds held out.",
            notes=(
                "Spread: standard deviation of the evaluator's scores in % of that of the"
                " evaluations.",
            ),
        ),
    ]
    labelled: Annotated[
        Sequence[Labelled],
        Table(
            "Labels by both",
            "What is lost when the evaluator labels in place of the evaluations, in percent.",
        ),
    ]
    folds: Hidden[int]
    evaluator: str
    labels: Labels | None
    labelling: Labelling | None
    notes: Sequence[str] = ()
    out: str | None = None
    signature: str
    settings: Mapping[str, object] = field(repr=False)
    criteria: CriteriaSet = field(repr=False)
    judge: DistilledJudge = field(repr=False)
    heads: Heads = field(repr=False)

    def predict(self, items: ItemsLike, **options: Any) -> JudgmentTable:
        """Score conversations: NetSAT, with its label, and each criterion; no model is asked.

        Args:
            items: paths, URLs, records, dicts, tables.
            options: as of `assize.judge`.
        """
        judge = import_module("assize").judge
        table: JudgmentTable = judge(items, self.judge, **options)
        return table

    @property
    def net(self) -> Reproduced:
        """How well NetSAT is reproduced."""
        return self.reproduced[-1]

    @property
    def sentence(self) -> str:
        """What was learnt, and how well NetSAT is reproduced."""
        return (
            f"{len(self.reproduced) - 1} criteria, learnt from {self.n:,} conversations: on folds"
            f" held out NetSAT correlates with that of the evaluations by"
            f" {number(self.net.pearson.estimate, 2)} (Pearson)."
        )

    @property
    def table_notes(self) -> Mapping[str, Sequence[str]]:
        """The evaluator's own window."""
        if self.labelling is None:
            return {}
        wanted = percent(self.labelling.precision, 0)
        return {
            "labelled": [
                f"By the evaluator: {window_sentence(self.labelling)}",
                f"Labelled: by the window of the other folds, at {wanted} precision."
                " Where the criteria were chosen on these conversations, both rows flatter.",
            ]
        }

    @property
    def missing(self) -> tuple[int, int]:
        """Conversations with a criterion without a score or without text, and all."""
        return self.unscored + self.unread, max(1, self.n)
