"""Why a continuation scores as it does: each metric, and what it adds to a prediction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from assize.conversation import Continuation
from assize.judgment import Unscored
from assize.reference.metrics.judge import MetricsJudge
from assize.reference.metrics.measure import measure_batch
from assize.reference.metrics.table import METRICS
from assize.results import Result, ResultTable, columns
from assize.stats.estimate import nullable


@dataclass(frozen=True, slots=True)
class Value:
    """A metric of the continuation.

    Args:
        reference: the place of the reference that counts, from 0; None where none does.
        why: why there is no value.
    """

    metric: str
    value: float
    reference: int | None
    why: Unscored | None


@dataclass(frozen=True, slots=True, repr=False)
class ExplainedScore(Result):
    """A continuation's metrics.

    Args:
        references: as given.
        signature: of the judge.
        ensembles: predictions of ensembles, taken apart into what each metric adds.
    """

    item: str
    candidate: str
    references: tuple[str, ...]
    values: Sequence[Value]
    signature: str
    ensembles: Sequence[Result] = ()

    @property
    def tables(self) -> dict[str, ResultTable]:
        """`metrics`; `ensemble`, or `ensemble 2`, for each of these."""
        found = {"metrics": self._metrics()}
        for at, one in enumerate(self.ensembles, start=1):
            tables = list(one.tables.values())
            found |= dict(zip(["ensemble" if at == 1 else f"ensemble {at}"], tables, strict=False))
        return found

    def _metrics(self) -> ResultTable:
        several = len(self.references) > 1
        rows = [
            (
                one.metric,
                one.value,
                str(one.reference + 1) if several and one.reference is not None else None,
                METRICS[one.metric].about if one.why is None else _why(one.why),
            )
            for one in self.values
        ]
        named = columns("words", "metric") + columns("number", "value")
        named += columns("words", "reference", "what it is")
        return ResultTable(f"Metrics of {self.item}", named, rows)

    def to_json(self) -> dict[str, Any]:
        """Everything, texts without the blanks at their ends."""
        values = {
            one.metric: {
                "value": nullable(one.value),
                "reference": one.reference,
                "reason": None if one.why is None else one.why.reason,
            }
            for one in self.values
        }
        return {
            "item": self.item,
            "candidate": self.candidate,
            "references": list(self.references),
            "metrics": values,
            "ensembles": [one.to_json() for one in self.ensembles],
            "signature": self.signature,
        }


def explain(continuation: Continuation, judge: MetricsJudge) -> ExplainedScore:
    """A continuation's metrics by a judge."""
    batch = measure_batch([continuation], judge.encoder, judge.settings)
    names = judge.settings.metrics
    values = [
        Value(
            name,
            float(batch.best[0, at]),
            int(batch.picked[0, at]) if batch.picked[0, at] >= 0 else None,
            batch.reasons.get((0, at)),
        )
        for at, name in enumerate(names)
    ]
    candidate = continuation.candidate.strip()
    references = tuple(one.strip() for one in continuation.references)
    return ExplainedScore(continuation.id, candidate, references, values, judge.signature)


def _why(reason: Unscored) -> str:
    return f"{reason.reason}: {reason.message}"
