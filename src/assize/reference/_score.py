"""Scoring continuations against what people said there."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

from assize.base.arguments import check_word
from assize.base.conversation import Continuation
from assize.base.errors import DataError
from assize.formats import ItemsLike, read
from assize.formats.arguments import listed, source_of
from assize.judging.asking import DEFAULT, Asking, Judges
from assize.judging.judge import JudgeContext
from assize.judging.judges.tool_calls import NAME as TOOLS
from assize.judging.options import MetricsOptions
from assize.judging.outcome import Outcome
from assize.judging.plan import Plan, asks_models
from assize.judging.run import plan_judging
from assize.judgments import JudgmentTable
from assize.models import Models
from assize.reference._ensemble.explaining import Explained
from assize.reference._ensemble.judge import open_ensemble
from assize.reference._metrics.explained import metric_values
from assize.reference._metrics.judge import NAME, open_metrics
from assize.reference._metrics.table import PRESETS
from assize.reference._scores import ReferenceScores


@asks_models
def score(
    items: ItemsLike,
    *,
    judges: Judges = (),
    ensemble: str | Path | Sequence[str | Path] = (),
    encoder: str | None = None,
    preset: Literal["paper", "tools"] | None = None,
    metrics: str | Sequence[str] = (),
    out: str | Path | None = None,
    samples: int = 1,
    repeats: int = 1,
    seed: int = 0,
    quiet: bool = False,
    asking: Asking = DEFAULT,
) -> Plan[JudgmentTable]:
    """Score continuations against what people said there, by local metrics and judges.

    Local metrics: cosine, BERTScore, ROUGE-1, -2, -L and -Lsum, and length, questions, mood,
    register, novelty, names and format. No language model is asked for these. Judges ask
    language models besides; an ensemble adds what it predicts that people would say. Run the same
    command again to continue an interrupted run.

    Args:
        items: files to read: paths, URLs, or - for standard input. In Python also records, dicts,
            tables.
        judges: judge to ask besides the metrics, as name@model (repeatable).
        ensemble: folder of a trained ensemble (repeatable).
        encoder: encoder of the texts: minilm, hf:PATH-or-id or openai:NAME. Default: the preset's,
            or minilm.
        preset: paper, for the metrics and the encoder of UPHELD; or tools, the calls of tools
            against those that are right (of conversations too).
        metrics: metric to measure (repeatable). Default: all.
        out: folder of the run; or a file of judgments (.jsonl, .parquet, .csv), which an
            interrupted run cannot continue. In Python None scores in memory.
        samples: answers to sample per question if the model gives no probabilities.
        repeats: independent answers per item.
        seed: random seed.
        quiet: no progress and no notes.
        asking: how models are asked; see `Asking`.

    Returns:
        A row a metric for each continuation, by its best reference; where it has several, a row
        `METRIC-mean` besides. A text without what a metric needs is unscored, with its reason.

    Raises:
        ConfigError: a metric, an encoder or a judge is unknown; or as `assize.judge`.
        DataError: an item is no continuation, and `on_error` is `fail`.
        MissingExtra: what the encoder needs is not installed.
        Interrupted: as `assize.judge`.

    Source: UPHELD (2026, under review), appendix F.
    """
    if preset is not None:
        check_word("preset", preset, (*PRESETS, "tools"))
    metric_judge = NAME if preset is None else f"{NAME}/{preset}"
    if preset == "tools":
        metric_judge, encoder = TOOLS, None
    several = isinstance(judges, Sequence) and not isinstance(judges, str)
    known = source_of(items)
    if known.single_pass:  # what is scored is read again, for the summary
        known = known.part(list(known))

    def show(outcome: Outcome) -> ReferenceScores:
        return ReferenceScores.of(outcome.judgments, known, outcome)

    return plan_judging(
        known,
        [
            metric_judge if encoder is None else f"{metric_judge}@{encoder}",
            *(judges if several else [judges]),  # type: ignore[misc]
            *(f"ensemble@{folder}" for folder in _folders(ensemble)),
        ],
        out=out,
        quiet=quiet,
        asking=asking,
        show=show,
        samples=samples,
        repeats=repeats,
        seed=seed,
        options=_options(metrics),
    )


def explain(
    items: ItemsLike,
    *,
    item: str,
    ensemble: str | Path | Sequence[str | Path] = (),
    encoder: str | None = None,
    preset: Literal["paper"] | None = None,
    metrics: str | Sequence[str] = (),
) -> Explained:
    """Explain the score of one continuation: each metric's value, or why there is none.

    With `ensemble`, also what each metric adds to its prediction.

    Args:
        items: as `assize.reference.score`.
        item: the continuation's id.
        ensemble: folders of ensembles.
        encoder: of the metrics that compare meaning.
        preset: paper, as `assize.reference.score`.
        metrics: metrics that are shown, by default all.

    Raises:
        DataError: there is no such continuation.
    """
    judge = open_metrics(encoder, preset, MetricsOptions(**_options(metrics)))
    found = next((known for known in read(items) if known.id == item), None)
    if not isinstance(found, Continuation):
        raise DataError(f"there is no continuation {item!r} in what is given")
    context = JudgeContext(Models())
    ensembles = [open_ensemble(str(folder), context) for folder in _folders(ensemble)]
    parts = [opened.explained(found) for opened in ensembles]
    return Explained(
        metric_values(found, judge),
        [row for part in parts for row in part.predictions],
        [row for part in parts for row in part.contributions],
        sum(part.unscored for part in parts),
        judge.signature,
        item,
    )


def _folders(ensembles: str | Path | Sequence[str | Path]) -> list[str | Path]:
    return [ensembles] if isinstance(ensembles, str | Path) else list(ensembles)


def _options(metrics: str | Sequence[str]) -> dict[str, Any]:
    """The options of the judge `metrics`."""
    return {"metrics_only": tuple(listed(metrics))} if metrics else {}
