"""Why a continuation scores as it does: each metric, and what it adds to a prediction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from assize.base.conversation import Continuation
from assize.reference._ensemble.explaining import Contributions, Prediction
from assize.reference._metrics.judge import MetricsJudge
from assize.reference._metrics.measure import measure_batch
from assize.reference._metrics.table import METRICS
from assize.results import Column, Hidden, Result, Table


@dataclass(frozen=True, slots=True)
class MetricValue:
    """A metric of the continuation.

    Args:
        value: NaN where there is none.
        reference: number of the reference that counts, from 1; None where none does, and where
            there is only one.
        what_it_is: in a sentence; of a value that is missing, why.
        reason: why there is no value, in a word.
    """

    metric: str
    value: float
    reference: Annotated[int | None, Column(kind="count")]
    what_it_is: str
    reason: Hidden[str | None]


@dataclass(frozen=True, slots=True, repr=False)
class ExplainedScore(Result):
    """A continuation's metrics.

    Args:
        candidate, references: texts without the blanks at their ends.
        signature: of the judge.
        predictions, contributions: of ensembles, taken apart into what each metric adds.
    """

    item: str
    metrics: Annotated[Sequence[MetricValue], Table("Metrics of the continuation")]
    candidate: str
    references: tuple[str, ...]
    signature: str
    predictions: Annotated[Sequence[Prediction], Table("Predictions of ensembles")] = ()
    contributions: Contributions = ()

    @property
    def sentence(self) -> str:
        """Which continuation it is."""
        return f"What each metric makes of {self.item}."


def explain_score(continuation: Continuation, judge: MetricsJudge) -> ExplainedScore:
    """Return a continuation's metrics by a judge."""
    batch = measure_batch([continuation], judge.encoder, judge.metrics)
    several = len(continuation.references) > 1
    rows = []
    for column, name in enumerate(judge.metrics):
        unscored = batch.reasons.get((0, column))
        about = METRICS[name].about
        if unscored is not None:
            about = f"{unscored.reason}: {unscored.message}"
        reference = int(batch.picked[0, column])
        rows.append(
            MetricValue(
                name,
                float(batch.best[0, column]),
                reference + 1 if several and reference >= 0 else None,
                about,
                None if unscored is None else unscored.reason,
            )
        )
    references = tuple(text.strip() for text in continuation.references)
    candidate = continuation.candidate.strip()
    return ExplainedScore(continuation.id, rows, candidate, references, judge.signature)
