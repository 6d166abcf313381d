"""Scores of continuations: each metric, by source, and along the conversation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any

import numpy as np

from assize.base.conversation import Continuation, Conversation, Item
from assize.base.judgment import Question
from assize.base.signature import sign
from assize.judging.outcome import OfRun, Outcome
from assize.judgments import JudgmentTable
from assize.judgments.values import not_applicable, numbers
from assize.reference._continuations.context import conversation_names
from assize.reference._metrics.table import MEAN, METRICS
from assize.results import Column, Estimate, Hidden, Table
from assize.results.numbers import counted
from assize.stats import mean
from assize.stats._arrays import FloatArray
from assize.stats._trend import within_slope


@dataclass(frozen=True, slots=True)
class Place:
    """Where a continuation stands.

    Args:
        conversation: its id; where it names none, those whose contexts continue each other
            are of one.
        turn: over all turns of the conversation, from 0; None where it is not known.
        source: who wrote the candidate.
    """

    conversation: str
    turn: int | None
    source: str | None


def places_of(items: Iterable[Item]) -> dict[str, Place]:
    """The place of each continuation, by id."""
    continuations = [item for item in items if isinstance(item, Continuation)]
    names = conversation_names(continuations)
    return {
        item.id: Place(name, item.turn, item.source)
        for item, name in zip(continuations, names, strict=True)
    }


@dataclass(frozen=True, slots=True)
class MetricMean:
    """One judge's numbers to one question.

    Args:
        mean: over continuations, conversations being the independent units.
        not_applicable: judgments that answer NA, which are neither scored nor unscored; None
            where there are none.
    """

    judge: str
    metric: str
    mean: Estimate
    not_applicable: Annotated[int | None, Column("n/a")]


@dataclass(frozen=True, slots=True)
class SourceMean:
    """The mean of a metric over one source's candidates."""

    metric: str
    source: str
    mean: Estimate


@dataclass(frozen=True, slots=True)
class TurnMean:
    """The mean of a metric at one turn, counted from 0 over all turns of the conversation."""

    metric: str
    turn: str
    mean: Estimate


@dataclass(frozen=True, slots=True)
class Drift:
    """Change of a metric for one turn on, of each source within its conversations."""

    metric: str
    change: Annotated[Estimate, Column("change a turn", signed=True)]


HEADLINE = frozenset(
    {
        "cosine",
        "bertscore-f1",
        "rouge1-f1",
        "rougel-f1",
        "length-ratio",
        "question",
        "formality-shift",
        "sentiment-shift",
        "self-identification",
    }
)
"""Local metrics that come first by source and by turn, before all others."""


MOST = 20  # rows by source and by turn that are shown; JSON and data frames hold all


@dataclass(frozen=True, slots=True, repr=False)
class ReferenceScores(OfRun):
    """Scores of continuations against what people said, counted.

    Args:
        metrics: a judge's questions together, in their order.
        references: means over several references, of local metrics.
        sources: by who wrote the candidate, where a metric has several sources.
        turns, drift: along the conversation, where a metric has several turns.
        n, unscored: how many judgments there are, and how many could not be made.
        conversations: how many the continuations stand in.
        run: what the run took; empty where judgments were only read.
    """

    heading = "Next turns against people's"

    metrics: Annotated[
        Sequence[MetricMean],
        Table(
            "Means by the best reference",
            "Conversations are the independent units of the intervals.",
            group="judge",
        ),
    ]
    references: Annotated[
        Sequence[MetricMean], Table("Means over several references", group="judge")
    ]
    sources: Annotated[Sequence[SourceMean], Table("By source", group="metric", most=MOST)]
    drift: Annotated[
        Sequence[Drift],
        Table(
            "Drift along the conversation",
            "The change for one turn on, of each source within a conversation.",
            most=MOST,
        ),
    ]
    turns: Annotated[
        Sequence[TurnMean], Table("By turn, counted from 0", group="metric", most=MOST)
    ]
    continuations: int
    conversations: int
    n: Hidden[int]
    unscored: Annotated[int, Column("unscored judgments")]
    signature: str
    outcome: Outcome | None = None

    @classmethod
    def of(
        cls, judgments: JudgmentTable, items: Iterable[Item], outcome: Outcome | None = None
    ) -> ReferenceScores:
        """The numbers among judgments of these continuations; texts are passed over."""
        listed = list(items)
        whole = {item.id for item in listed if isinstance(item, Conversation)}
        places = places_of(listed)
        measured = list(measure_metrics(judgments, places))
        leading = sorted(measured, key=lambda metric: not metric.leads)
        conversations = len(whole | {place.conversation for place in places.values()})
        return cls(
            metrics=[metric.mean for metric in measured if not metric.over_references],
            references=[metric.mean for metric in measured if metric.over_references],
            sources=[row for metric in leading for row in metric.sources],
            drift=[row for metric in leading for row in metric.drift],
            turns=[row for metric in leading for row in metric.turns],
            continuations=len(places),
            conversations=conversations,
            n=sum(metric.judgments for metric in measured),
            unscored=sum(metric.mean.mean.unscored for metric in measured),
            signature=sign(sorted({metric.mean.mean.signature for metric in measured})),
            outcome=outcome,
        )

    @property
    def sentence(self) -> str:
        """What was measured."""
        return (
            f"{counted(self.continuations, 'continuation')} in"
            f" {counted(self.conversations, 'conversation')}, which are the independent units."
        )


@dataclass(frozen=True, slots=True)
class MeasuredMetric:
    """All figures of one judge's question.

    Args:
        over_references: whether it is a local metric's mean over several references.
        leads: whether it comes first by source and by turn: a few local metrics, and every
            other judge.
    """

    mean: MetricMean
    judgments: int
    sources: Sequence[SourceMean]
    turns: Sequence[TurnMean]
    drift: Sequence[Drift]
    over_references: bool
    leads: bool


def measure_metrics(
    judgments: JudgmentTable, places: Mapping[str, Place]
) -> Iterator[MeasuredMetric]:
    """Yield the figures of each judge's questions, but of those answered by texts or names."""
    several = len(judgments.judges) > 1
    for judge in judgments.judges:
        of_judge = judgments.where(judge=judge)
        for asked in of_judge.asked:
            question = judgments.questions[asked]
            if question.kind not in ("text", "nominal"):
                name = f"{judge}: {asked}" if several else asked
                rows = of_judge.where(question=asked)
                yield measure_metric(rows, judge, name, question, places)


def measure_metric(
    rows: JudgmentTable, judge: str, name: str, question: Question, places: Mapping[str, Place]
) -> MeasuredMetric:
    """Return the figures of one judge's question.

    Args:
        name: of the metric, with its judge's where several judge.
    """
    values = numbers(rows, question)
    codes, items = rows.codes("item")
    known = [places.get(item, Place(f"item {item}", None, None)) for item in items]
    placed = [known[code] for code in codes.tolist()]
    clusters = np.array([place.conversation for place in placed], dtype=str)
    by_source = np.array(["" if place.source is None else place.source for place in placed])
    turns = np.array([np.nan if place.turn is None else place.turn for place in placed])

    def mean_of(kept: Any) -> Estimate:
        return _mean(values[kept], clusters[kept], question)

    metric = question.id.removesuffix(MEAN)
    over_references = metric != question.id and metric in METRICS
    local = over_references or question.id in METRICS
    overall = replace(mean_of(np.ones(len(rows), bool)), unscored=rows.unscored)
    sources = [
        SourceMean(name, source, mean_of(by_source == source))
        for source in sorted(set(by_source.tolist()) - {""})
    ]
    at_turns = [
        TurnMean(name, str(int(turn)), mean_of(turns == turn))
        for turn in np.unique(turns[~np.isnan(turns)]).tolist()
    ]
    sequences = np.char.add(np.char.add(clusters, "\n"), by_source)
    slope = within_slope(values, turns, clusters=clusters, sequences=sequences)
    return MeasuredMetric(
        MetricMean(
            judge,
            metric if over_references else question.id,
            overall,
            int(not_applicable(rows).sum()) or None,
        ),
        len(rows),
        sources if len(sources) > 1 else [],
        at_turns if len(at_turns) > 1 else [],
        [Drift(name, slope)] if len(at_turns) > 1 else [],
        over_references,
        question.id in HEADLINE or not local,
    )


def _mean(values: FloatArray, clusters: Any, question: Question) -> Estimate:
    """Rows that stand alone need no clusters, and so get Student's interval; it ends with the
    question's scale."""
    alone = len(np.unique(clusters)) == len(clusters)
    return mean(values, clusters=None if alone else clusters).within(question.range)
