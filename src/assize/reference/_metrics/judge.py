"""`metrics`: the local metrics of a continuation, one question each; no model is asked.

`metrics@ENCODER` takes another encoder than the embedded one, `metrics/paper` what UPHELD measures,
with its encoder, and `metrics/paper@ENCODER` the same with a copy of it, say `hf:FOLDER`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from assize.base.conversation import Continuation
from assize.base.errors import ConfigError
from assize.base.judgment import NOT_APPLICABLE, JudgeKind, Judgment, Question, Unscored
from assize.base.signature import sign
from assize.encoders import Encoder
from assize.judging.judge import AsksNoModel, JudgeOffer, Task
from assize.judging.options import MetricsOptions
from assize.judging.records import task_key
from assize.reference._metrics.measure import (
    Batch,
    batches,
    measure_batch,
    opened_encoder,
)
from assize.reference._metrics.table import MEAN, METRICS, PRESETS, chosen_metrics

NAME = "metrics"
VERSION = 2  # rises when the same texts and settings give other numbers
DIGITS = 9  # beyond this numbers depend on how texts were batched


@dataclass(frozen=True)
class MetricsJudge(AsksNoModel):
    """The local metrics behind the protocol of judges."""

    name: str  # as in `--judge`
    metrics: tuple[str, ...]
    encoder: Encoder | None  # None where no metric needs it

    kind: JudgeKind = "metric"
    takes: tuple[type, ...] = (Continuation,)
    rows_vary: bool = True  # means are there where a continuation has several references

    @cached_property
    def questions(self) -> tuple[Question, ...]:
        """Each metric by the best reference; then, of comparisons, the means over references."""
        metrics = [METRICS[name] for name in self.metrics]
        means = [one.mean for one in metrics if one.references]
        return (*(one.question for one in metrics), *means)

    @cached_property
    def signature(self) -> str:
        """Of the metrics, and the encoder."""
        return sign(
            {"judge": NAME, "version": VERSION, "metrics": self.metrics},
            {"encoder": None if self.encoder is None else self.encoder.signature},
        )

    def judge_many(self, tasks: Sequence[Task]) -> list[list[Judgment]]:
        """A row a metric, and its mean where there are several references.

        A metric that could not be made is unscored; one that has nothing to look at, such as the
        likeness to a user's turn where there is none, is answered NA.
        """
        continuations = [task.item for task in tasks if isinstance(task.item, Continuation)]
        found: list[list[Judgment]] = []
        for some in batches(continuations):
            batch = measure_batch(some, self.encoder, self.metrics)
            start = len(found)
            found += [
                list(self._rows(task, batch, place))
                for place, task in enumerate(tasks[start : start + len(some)])
            ]
        return found

    def _rows(self, task: Task, batch: Batch, place: int) -> Iterator[Judgment]:
        several, item = int(batch.references[place]) > 1, task.item
        origin: dict[str, object] = {}  # on the first row, for whoever has the judgments alone
        if isinstance(item, Continuation) and item.conversation is not None:
            origin = {"conversation": item.conversation, "source": item.source}
        call = f"{task_key(task.item.id, self.name, task.order, task.repeat):016x}"
        for column, name in enumerate(self.metrics):
            reason = batch.reasons.get((place, column))
            picked = int(batch.picked[place, column])
            compares = METRICS[name].references
            details = {} if column else origin
            if several and picked >= 0 and compares:
                details = details | {"reference": picked}
            for question, values in ((name, batch.best), (name + MEAN, batch.mean)):
                if question != name and not (several and compares):
                    continue
                yield Judgment(
                    task.item.id,
                    self.name,
                    question,
                    repeat=task.repeat,
                    call=call,
                    details=details if details and question == name else None,
                    **_value(float(values[place, column]), reason),  # type: ignore[arg-type]
                )


def _value(value: float, reason: Unscored | None) -> dict[str, object]:
    """What a row says: a score, that the metric does not apply, or why it is unscored."""
    if reason is None:
        return {"score": round(value, DIGITS)}
    if reason.reason == NOT_APPLICABLE:
        return {"answer": NOT_APPLICABLE, "explanation": reason.message}
    return {"unscored": reason}


def open_metrics(encoder: str | None, preset: str | None, options: MetricsOptions) -> MetricsJudge:
    """The judge with the encoder named, or with the preset's.

    Raises:
        ConfigError: there is no such preset, metric or encoder.
    """
    if preset is not None and preset not in PRESETS:
        known = ", ".join(f"{NAME}/{name}" for name in PRESETS)
        raise ConfigError(f"no judge {NAME}/{preset}; there are {NAME} and {known}")
    named = options.metrics_only if options.metrics_only else preset
    metrics = chosen_metrics(named)
    opened = opened_encoder(encoder, metrics, None if preset is None else PRESETS[preset])
    written = NAME if preset is None else f"{NAME}/{preset}"
    return MetricsJudge(f"{written}@{encoder}" if encoder else written, metrics, opened)


METRICS_JUDGE = JudgeOffer(
    "cosine, BERTScore, ROUGE and what people see of a continuation; @ENCODER, /paper",
    lambda target, context: open_metrics(
        target or None, context.variant or None, MetricsOptions(**context.options)
    ),
    variants=True,
)
