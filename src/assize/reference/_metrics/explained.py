"""Why a continuation scores as it does: each metric of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from assize.base.conversation import Continuation
from assize.reference._metrics.judge import MetricsJudge
from assize.reference._metrics.measure import measure_batch
from assize.reference._metrics.table import METRICS
from assize.results import Column


@dataclass(frozen=True, slots=True)
class MetricValue:
    """A metric of the continuation.

    Args:
        value: NaN where there is none.
        reference: number of the reference that counts, from 1; None where none does, and where
            there is only one.
        what_it_is: in a sentence; of a value that is missing, why.
    """

    metric: str
    value: float
    reference: Annotated[int | None, Column(kind="count")]
    what_it_is: str


def metric_values(continuation: Continuation, judge: MetricsJudge) -> list[MetricValue]:
    """Return a continuation's metrics by a judge."""
    batch = measure_batch([continuation], judge.encoder, judge.metrics)
    several = len(continuation.references) > 1
    rows = []
    for column, name in enumerate(judge.metrics):
        why = batch.reasons.get((0, column))
        about = METRICS[name].about if why is None else f"{why.reason}: {why.message}"
        best = int(batch.picked[0, column])
        number = best + 1 if several and best >= 0 else None
        rows.append(MetricValue(name, float(batch.best[0, column]), number, about))
    return rows
