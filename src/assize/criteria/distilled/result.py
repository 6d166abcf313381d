"""An evaluator that scores criteria, and what it loses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from assize.criteria.criterion import CriteriaSet
from assize.criteria.distilled.heads import Heads
from assize.criteria.distilled.judge import DistilledJudge
from assize.criteria.distilled.measuring import Labelled, Lost, Reproduced
from assize.formats.labels import Labels
from assize.results import Column, Result, ResultTable, columns, to_json
from assize.stats.estimate import nullable

if TYPE_CHECKING:
    from assize.formats import ItemsLike
    from assize.judgments import JudgmentTable

_SHARES = ("accuracy", "yielded", "precision")


@dataclass(frozen=True, slots=True, eq=False)
class DistilledCriteria(Result):
    """Criteria that an evaluator scores, with what was measured on conversations held out.

    Args:
        criteria: the set, with the labelling that was learnt for the evaluator's scores.
        judge: scores conversations, in memory.
        heads: what its folder keeps beside the evaluator.
        each: how well every criterion is reproduced.
        net: how well NetSAT is.
        lost: labels by both; None where no labels were given.
        labels: what good and bad were; None where no labels were given.
        n: conversations that it learnt from.
        unscored: conversations among them with a criterion without a score.
        unread: conversations among them whose text cannot be scored.
        folds: of the figures.
        told: what a reader should know.
        signature: of the evaluator's scores and what they are compared with.
    """

    criteria: CriteriaSet
    judge: DistilledJudge
    heads: Heads
    each: Sequence[Reproduced]
    net: Reproduced
    lost: Lost | None
    labels: Labels | None
    n: int
    unscored: int
    unread: int
    folds: int
    told: Sequence[str]
    out: str | None
    signature: str

    def predict(self, items: ItemsLike, **told: Any) -> JudgmentTable:
        """Scores conversations: NetSAT, with its label, and each criterion; no model is asked.

        Args:
            items: paths, URLs, records, dicts, tables.
            told: as of `assize.judge`.
        """
        found: JudgmentTable = import_module("assize").judge(items, self.judge, **told)
        return found

    @property
    def tables(self) -> Mapping[str, ResultTable]:
        """`criteria`, NetSAT last; `labels` where there are some."""
        found = {"criteria": self._criteria()}
        if self.lost is not None:
            found["labels"] = self._labels(self.lost)
        return found

    def _criteria(self) -> ResultTable:
        named = [
            Column("kind"),
            Column("criterion", cut=True),
            *columns("number", "Pearson", "Spearman", digits=2, ends="below"),
            Column("spread", "percent", digits=0, unit="%"),
            *columns("count", "n", "unscored"),
        ]
        shown = (*self.each, self.net)
        some = any(one.pearson.unscored for one in shown)
        rows = [_row(one, some) for one in shown]
        title = f"Held out: with the evaluations that it learnt from ({self.folds} folds)"
        note = (
            "spread: standard deviation of the evaluator's scores in % of that of the evaluations."
        )
        return ResultTable(title, named, rows, notes=(note,))

    def _labels(self, lost: Lost) -> ResultTable:
        labelling, labels = self.criteria.labelling, self.labels
        assert labelling is not None
        assert labels is not None
        wanted = f"{100 * labelling.precision:g}"
        named = [
            Column("NetSAT by"),
            Column("ΔNS", "number", digits=1, ends="below"),
            *(
                Column(one, "percent", digits=1, ends="below", coarse=0)
                for one in ("A", f"YR@{wanted}", "its P")
            ),
            Column("n", "count"),
        ]
        sides = (lost.taught, lost.local, lost.difference)
        rows = [
            (name, one.separation, one.accuracy, one.yielded, one.precision, one.yielded.n)
            for name, one in zip(("evaluations", "evaluator", "difference"), sides, strict=True)
        ]
        title = f"Labels: {labelling.good:,} good, {labelling.n - labelling.good:,} bad"
        bad = "none is bad" if labelling.low is None else f"bad up to {labelling.low:.4g}"
        good = "none is good" if labelling.high is None else f"good above {labelling.high:.4g}"
        notes = (
            f"By the evaluator's NetSAT: {bad}, {good}, open between; threshold"
            f" {labelling.threshold:.4g}.",
            "ΔNS: NetSAT of good less that of bad. A (%): labels by the threshold that are right."
            f" YR@{wanted}: % labelled by the window of the other folds; its P: % of these labels"
            " that are right.",
            "Where the criteria were chosen on these conversations, both rows flatter.",
        )
        return ResultTable(title, named, rows, notes=notes)

    @property
    def lines(self) -> Sequence[str]:
        """What makes it reproducible."""
        return [self.signature]

    @property
    def notes(self) -> Sequence[str]:
        """What it learnt from, and what a reader should know."""
        where = "" if self.out is None else f"{self.out}: "
        said = f"{where}{len(self.each)} criteria, learnt from {self.n:,} conversations"
        labels = [] if self.labels is None else self.labels.notes
        return [*labels, *self.told, said]

    @property
    def missing(self) -> tuple[int, int]:
        """Conversations with a criterion without a score or without text, and all."""
        return self.unscored + self.unread, max(1, self.n)

    def to_json(self) -> dict[str, Any]:
        """All that was measured."""
        labelling = self.criteria.labelling
        return {
            "evaluator": self.judge.made_of,
            "n": self.n,
            "unscored": self.unscored,
            "unread": self.unread,
            "folds": self.folds,
            "criteria": {
                one.criterion.id: {"polarity": one.criterion.polarity, "text": one.criterion.text}
                | _reproduced(one)
                for one in self.each
                if one.criterion is not None
            },
            "netsat": _reproduced(self.net),
            "labels": None if self.labels is None else to_json(self.labels.summary),
            "labelling": None if labelling is None else labelling.to_json(),
            "lost": None
            if self.lost is None
            else {
                "evaluations": _labelled(self.lost.taught),
                "evaluator": _labelled(self.lost.local),
                "difference": _labelled(self.lost.difference),
                "alike": self.lost.alike.to_json(),
            },
            "notes": list(self.notes),
            "out": self.out,
            "signature": self.signature,
        }


def _row(one: Reproduced, some_unscored: bool) -> tuple[Any, ...]:
    kind = None if one.criterion is None else one.criterion.polarity.upper()
    text = "NetSAT" if one.criterion is None else one.criterion.text
    counts = one.pearson.n, one.pearson.unscored if some_unscored else None
    return (kind, text, one.pearson, one.spearman, one.spread, *counts)


def _reproduced(one: Reproduced) -> dict[str, Any]:
    return {
        "pearson": one.pearson.to_json(),
        "spearman": one.spearman.to_json(),
        "spread": nullable(one.spread),
    }


def _labelled(one: Labelled) -> dict[str, Any]:
    shares = {name: getattr(one, name) for name in _SHARES}
    return {
        "delta_netsat": None if one.separation is None else one.separation.to_json(),
        **{name: None if value is None else value.to_json() for name, value in shares.items()},
    }
