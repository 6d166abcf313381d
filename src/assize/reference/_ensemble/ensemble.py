"""An ensemble: metrics in, what people would say out, with how sure it is and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np

from assize.base.errors import DataError
from assize.base.judgment import Judgment, Question, Unscored
from assize.base.record_parts import FIGURES, read_as, to_parts
from assize.base.signature import sign_arrays
from assize.encoders import UNREADABLE
from assize.judgments import JudgmentTable
from assize.reference._ensemble.columns import Columns, Source
from assize.reference._ensemble.conformal import Intervals
from assize.reference._ensemble.fitting import Fit
from assize.reference._ensemble.sample import Missing
from assize.results import Column, Estimate, Result, Table, derive
from assize.results.numbers import number, percent

if TYPE_CHECKING:
    from assize.formats import JudgmentsLike

VERSION = 1  # rises when the same folder gives other numbers
NAME = "ensemble"
_FACTS: Mapping[str, Any] = {  # of a fit, which its tables show
    "folds": int,
    "items": int,
    "best_single_metric": Mapping[str, int],
    "notes": Sequence[str],
}


@dataclass(frozen=True, slots=True)
class CrossValidated:
    """Agreement of one model's held-out predictions with people.

    Args:
        model: its name, or `best single metric`, chosen where the model is fitted.
        pearson, spearman: with intervals clustered by conversation.
    """

    target: str
    model: str
    pearson: Annotated[Estimate, Column("Pearson")]
    spearman: Annotated[Estimate, Column("Spearman")]


@dataclass(frozen=True, repr=False)
class Ensemble(Result):
    """A mixture of metrics that predicts what people say.

    Args:
        question: what it predicts, on the scale of the people it was fitted on.
        range: ends of that scale; predictions are brought into it.
        names, sources: (M,) the metrics that it reads, and the judges that measured them.
        fit: the model.
        on_missing: what becomes of an item without one of the metrics.
        intervals: how far people's mean may be from the prediction.
        about: facts of the fit, as JSON values.
        cross_validated: every model beside the best single metric, on held-out conversations.
        folder: where it is kept; None where it has not been written.
        encoder: the user's word for the encoder of its metrics, where that is another than minilm.
        signature: twelve digits for everything that can change a number.
    """

    question: Question
    range: tuple[float, float] | None
    names: tuple[str, ...]
    sources: tuple[Source, ...]
    fit: Fit = field(repr=False)
    on_missing: Missing
    intervals: Intervals
    about: Mapping[str, Any] = field(default_factory=dict)
    cross_validated: Annotated[
        Sequence[CrossValidated],
        Table(
            "Held-out conversations",
            "How close predictions for conversations that no fit has seen come to people.",
            group="target",
        ),
        FIGURES,
    ] = ()
    folder: str | None = None
    encoder: str | None = None
    signature: str = field(init=False, default="")

    def __post_init__(self) -> None:
        count, ends = len(self.names), self.range
        apart = count == len(self.sources) == len(set(self.names))
        problems = {
            "names no metrics, one of them twice, or not the judge of each": not count or not apart,
            f"the means and deviations are not those of {count} metrics": (
                len(self.fit.reading.mean) != count
            ),
            f"its scale is {ends}": ends is not None and not ends[0] < ends[1],
        }
        for problem, holds in problems.items():
            if holds:
                raise DataError(problem)
        for name, hint in _FACTS.items():
            if name in self.about or "folds" in self.about:
                read_as(hint, self.about.get(name, ()))
        fit, arrays = to_parts(self.fit)
        parts = [
            VERSION,
            self.question.id,
            self.range,
            self.names,
            self.sources,
            self.on_missing,
            asdict(self.intervals),
            fit,
        ]
        derive(self, signature=sign_arrays(parts, arrays))

    @property
    def judge(self) -> str:
        """Its name among judges: `ensemble@FOLDER`, or `ensemble` alone in memory."""
        return NAME if self.folder is None else f"{NAME}@{self.folder}"

    @property
    def questions(self) -> tuple[Question, ...]:
        """What people were asked."""
        return (self.question,)

    def predict(self, metrics: JudgmentsLike) -> JudgmentTable:
        """What people would say, as judgments: a row an item.

        Args:
            metrics: of the metrics that it reads, as files, records, or a table.

        Raises:
            DataError: a metric that it reads is not there.
        """
        from assize.formats.judgment_files import judgments_from

        table = judgments_from(metrics, name="metrics")
        return JudgmentTable.of(self.judged(Columns.of(table)), self.questions)

    def judged(self, measured: Columns) -> list[Judgment]:
        """The rows of `predict`, item after item.

        A value outside the scale is brought to its end, and an interval ends there.
        """
        columns = measured.matching(self.names, self.sources)
        unscored = self.unscored(columns)
        values, half = self.fit.predict(columns.values), self.intervals.width
        rows = []
        for index, item in enumerate(columns.items):
            score: float | None = None
            details: dict[str, Any] = {}
            if index not in unscored:
                value = float(values[index])
                score = self._within(value)
                if np.isfinite(half):
                    details["interval"] = [self._within(value - half), self._within(value + half)]
                    details["confidence"] = self.intervals.confidence
                imputed = np.flatnonzero(columns.lacking[index]).tolist()
                if imputed:
                    details["imputed"] = [self.names[column] for column in imputed]
            rows.append(
                Judgment(
                    item,
                    self.judge,
                    self.question.id,
                    score=score,
                    details=details or None,
                    kind="evaluator",
                    signature=self.signature,
                    unscored=unscored.get(index),
                )
            )
        return rows

    def _within(self, value: float) -> float:
        return value if self.range is None else float(np.clip(value, *self.range))

    def unscored(self, columns: Columns) -> dict[int, Unscored]:
        """By place, why an item has no prediction: a metric is missing, or, where these are
        imputed, half of them.

        A text that the encoder of a metric cannot read counts as average nowhere.
        """
        empty, unread = columns.lacking, columns.unread
        most = 0 if self.on_missing == "unscored" else len(self.names) // 2
        found = {}
        for row in np.flatnonzero((empty.sum(axis=1) > most) | unread.any(axis=1)).tolist():
            lost = unread[row] if unread[row].any() else empty[row]
            names = [self.names[column] for column in np.flatnonzero(lost)]
            listed = ", ".join(names[:3]) + (", ..." if len(names) > 3 else "")
            found[row] = Unscored("metrics", f"{len(names)} of its metrics are missing: {listed}")
            if unread[row].any():
                why = f"the encoder of {listed} cannot read a text of it"
                found[row] = Unscored(UNREADABLE, why)
        return found

    def explain(self, metrics: JudgmentsLike, items: Sequence[str] | None = None) -> Any:
        """What each metric adds to the prediction, as an `Explained`; for `items`, or for all."""
        from assize.formats.judgment_files import judgments_from

        table = judgments_from(metrics, name="metrics")
        explained = import_module("assize.reference._ensemble.explaining").explained
        return explained(self, Columns.of(table), items)

    def save(self, folder: str | Path) -> None:
        """Writes it, so that `ensemble@FOLDER` is a judge; an earlier one there is replaced.

        Raises:
            OutputError: the folder cannot be written.
        """
        import_module("assize.reference._ensemble.artefact").save_ensemble(self, folder)

    @property
    def lines(self) -> Sequence[str]:
        """How wide intervals are, and the signature, which makes figures comparable."""
        intervals = self.intervals
        width = f"{intervals.confidence:.0%} intervals: prediction ± {number(intervals.width)}"
        held = f", which hold {percent(intervals.coverage)} of held-out items"
        return [
            width + ("" if np.isnan(intervals.coverage) else held),
            f"signature {self.signature}",
        ]

    @property
    def table_notes(self) -> Mapping[str, Sequence[str]]:
        """How the figures of held-out conversations were made."""
        if "folds" not in self.about:
            return {}
        chosen = self.about["best_single_metric"]
        total = sum(chosen.values())
        best = ", ".join(f"{name} ({n} of {total} fits)" for name, n in chosen.items())
        return {
            "cross_validated": [
                f"{self.about['folds']} folds of conversations, {self.about['items']:,} items.",
                f"The best single metric is chosen where the model is fitted: {best}.",
            ]
        }

    @property
    def notes(self) -> Sequence[str]:
        """What it was fitted on, and what could not enter."""
        return tuple(self.about.get("notes", ()))

    def __repr__(self) -> str:
        return f"<ensemble of {len(self.names)} metrics: {self.question.id}>"
