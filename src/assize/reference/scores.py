"""What scoring continuations came to: each metric, by source, and along the conversation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from assize.conversation import Continuation, Conversation, Item
from assize.judging.outcome import OfRun, Outcome
from assize.judgment import NOT_APPLICABLE, Question
from assize.judgments import JudgmentTable
from assize.judgments.values import numbers
from assize.reference.data.context import conversation_names
from assize.reference.metrics.table import MEAN, METRICS
from assize.results.types import Estimate
from assize.stats import mean
from assize.stats.arrays import FloatArray
from assize.stats.trend import within_slope


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
    found = [one for one in items if isinstance(one, Continuation)]
    return {
        one.id: Place(name, one.turn, one.source)
        for one, name in zip(found, conversation_names(found), strict=True)
    }


def _noting(items: Iterable[Item], whole: set[str]) -> Iterator[Item]:
    """The items; the ids of whole conversations, of which tool calls are measured, are noted."""
    for one in items:
        if isinstance(one, Conversation):
            whole.add(one.id)
        yield one


@dataclass(frozen=True, slots=True, repr=False)
class MetricScores:
    """One judge's numbers to one question.

    Args:
        mean: over continuations, conversations being the independent units.
        n: judgments.
        unscored: of them those that could not be made.
        not_applicable: of them those answered NA.
        sources: the mean by who wrote the candidate, where that is known.
        turns: the mean by turn, where that is known.
        slope: change for one turn on, of each source within its conversations.
    """

    judge: str
    question: Question
    mean: Estimate
    n: int
    unscored: int
    not_applicable: int
    sources: Mapping[str, Estimate]
    turns: Mapping[int, Estimate]
    slope: Estimate

    @property
    def over_references(self) -> bool:
        """Whether it is a local metric's mean over several references."""
        base = self.question.id.removesuffix(MEAN)
        return base != self.question.id and base in METRICS

    @property
    def headline(self) -> bool:
        """Whether it is shown by source and by turn: a few local metrics, and every other judge."""
        return self.question.id in HEADLINE or self.question.id not in METRICS


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
"""Local metrics that are shown by source and by turn; JSON and data frames have all."""


@dataclass(frozen=True, slots=True, repr=False)
class ReferenceScores(OfRun):
    """Scores of continuations against what people said, counted.

    Args:
        metrics: a judge's questions together, in their order.
        conversations: how many the continuations stand in.
        outcome: of the run; None where judgments were only read.
    """

    tables_from = "assize.reference.scores_tables:tables"

    metrics: Sequence[MetricScores]
    continuations: int
    conversations: int
    outcome: Outcome | None = None

    @classmethod
    def of(
        cls, judgments: JudgmentTable, items: Iterable[Item], outcome: Outcome | None = None
    ) -> ReferenceScores:
        """The numbers among judgments of these continuations; texts are passed over."""
        whole: set[str] = set()
        places = places_of(_noting(items, whole))
        found = [
            _scores(rows, judge, judgments.questions[question], places)
            for judge in judgments.judges
            for of_judge in [judgments.where(judge=judge)]
            for question in of_judge.asked
            for rows in [of_judge.where(question=question)]
            if judgments.questions[question].kind not in ("text", "nominal")
        ]
        conversations = len(whole | {one.conversation for one in places.values()})
        return cls(found, len(places), conversations, outcome)

    @property
    def notes(self) -> Sequence[str]:
        """How the run went."""
        return [] if self.outcome is None else self.outcome.notes

    @property
    def missing(self) -> tuple[int, int]:
        """Unscored judgments, and all."""
        if self.outcome is not None:
            return self.outcome.missing
        return sum(one.unscored for one in self.metrics), max(1, sum(one.n for one in self.metrics))

    def to_json(self) -> dict[str, Any]:
        """By judge and question; and how the run went."""
        scores: dict[str, dict[str, Any]] = {}
        for one in self.metrics:
            scores.setdefault(one.judge, {})[one.question.id] = one.mean.to_json() | {
                "n": one.n - one.unscored - one.not_applicable,
                "unscored": one.unscored,
                "not_applicable": one.not_applicable,
                "sources": {name: each.to_json() for name, each in one.sources.items()},
                "turns": {str(turn): each.to_json() for turn, each in one.turns.items()},
                "slope": one.slope.to_json(),
            }
        run = {} if self.outcome is None else self.outcome.to_json()
        counted = {"continuations": self.continuations, "conversations": self.conversations}
        return {"scores": scores, **counted, **run}


def _scores(
    rows: JudgmentTable, judge: str, question: Question, places: Mapping[str, Place]
) -> MetricScores:
    values = numbers(rows, question)
    codes, names = rows.codes("item")
    known = [places.get(name, Place(f"item {name}", None, None)) for name in names]
    each = [known[code] for code in codes.tolist()]
    clusters = np.array([one.conversation for one in each], dtype=str)
    sources = [one.source for one in each]
    turns = np.array([np.nan if one.turn is None else one.turn for one in each])
    unscored = rows.unscored
    answer, answers = rows.codes("answer")
    absent = np.array([*(one == NOT_APPLICABLE for one in answers), False])[answer]
    return MetricScores(
        judge,
        question,
        _mean(values, clusters, question),
        len(rows),
        unscored,
        int(absent.sum()),
        {
            name: _mean(values[here], clusters[here], question)
            for name in sorted({one for one in sources if one is not None})
            for here in [np.array([one == name for one in sources])]
        },
        {
            int(turn): _mean(values[turns == turn], clusters[turns == turn], question)
            for turn in np.unique(turns[~np.isnan(turns)]).tolist()
        },
        within_slope(values, turns, clusters=clusters, sequences=_by_source(clusters, sources)),
    )


def _by_source(clusters: Any, sources: Sequence[str | None]) -> Any:
    """A sequence is what one source says in one conversation."""
    labels = [f"{one}\n{source}" for one, source in zip(clusters.tolist(), sources, strict=True)]
    return np.array(labels, dtype=str)


def _mean(values: FloatArray, clusters: Any, question: Question) -> Estimate:
    """Rows that stand alone need no clusters, and so get Student's interval; it ends with the
    question's scale."""
    alone = len(np.unique(clusters)) == len(clusters)
    return mean(values, clusters=None if alone else clusters).within(question.range)
