"""What scoring came to: how NetSAT is distributed, what is labelled, how often criteria hold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from assize.criteria.criterion import NETSAT, CriteriaSet, Criterion, Labelling
from assize.criteria.scoring import HOLDS, label_of
from assize.judging.outcome import OfRun, Outcome
from assize.judgment import Question
from assize.judgments import JudgmentTable
from assize.judgments.values import numbers, value_of_answer
from assize.results import Column, ResultTable, columns
from assize.results.types import Estimate
from assize.stats import mean, wilson
from assize.stats.arrays import FloatArray

LABELS = ("good", "open", "bad", "unscored")
_SHOWN = {"good": "good", "open": "left open", "bad": "bad", "unscored": "unscored"}
_QUARTILES = (0, 25, 50, 75, 100)


@dataclass(frozen=True, slots=True)
class NetScores:
    """NetSAT of the conversations that a judge scored.

    Args:
        mean: with its interval, conversations being the independent units.
        spread: standard deviation; NaN for fewer than two.
        quartiles: least, lower quartile, median, upper quartile, greatest; NaN for none.
        labels: how many of each label, of all; {} where the set has learnt none.
    """

    n: int
    unscored: int
    mean: Estimate
    spread: float
    quartiles: tuple[float, ...]
    labels: Mapping[str, Estimate]


@dataclass(frozen=True, slots=True)
class CriterionScores:
    """How far one criterion held.

    Args:
        mean: 0 to 10, of a DSAT criterion too.
        holds: the share of answers that are Agree or more; NaN where there are only scores, as
            of an evaluator, whose expected values say nothing of single answers.
        not_applicable: answers that it does not apply, which count as Neutral.
    """

    criterion: Criterion
    n: int
    unscored: int
    mean: Estimate
    holds: Estimate
    not_applicable: int


@dataclass(frozen=True, slots=True)
class CriteriaScores(OfRun):
    """Scores by a set of criteria, counted.

    Args:
        nets: by judge.
        criteria: by judge, in the order of the set.
        outcome: of the run; None where judgments were only read.
        judgments: NetSAT and the criteria of each conversation.
        labellings: by judge, of those whose scores are labelled.
    """

    given: CriteriaSet
    nets: Mapping[str, NetScores]
    criteria: Mapping[str, Sequence[CriterionScores]]
    outcome: Outcome | None = None
    judgments: JudgmentTable | None = None
    labellings: Mapping[str, Labelling] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        judgments: JudgmentTable,
        given: CriteriaSet,
        outcome: Outcome | None = None,
        others: Mapping[str, Labelling | None] | None = None,
    ) -> CriteriaScores:
        """The scores among judgments; other questions are passed over.

        Args:
            others: by judge, the labelling that counts in place of the set's; None for none.
        """
        found = judgments.where(question=[one.id for one in given.questions])
        by_judge = {name: found.where(judge=name) for name in found.judges}
        own = {name: (others or {}).get(name, given.labelling) for name in by_judge}
        labellings = {name: one for name, one in own.items() if one is not None}
        return cls(
            given,
            {name: _net(rows, given, own[name]) for name, rows in by_judge.items()},
            {
                name: [_criterion(rows, one, given) for one in given.criteria]
                for name, rows in by_judge.items()
            },
            outcome,
            found,
            labellings,
        )

    @property
    def labelling(self) -> Labelling | None:
        """What labels the scores of every judge; None where two are labelled differently."""
        found = {self.labellings.get(name) for name in self.nets}
        return next(iter(found)) if len(found) == 1 else None

    @property
    def tables(self) -> Mapping[str, ResultTable]:
        """`netsat`, `labels` where some were learnt (a table a window), and `criteria`."""
        found = {"netsat": self._netsat()}
        windows = list(dict.fromkeys(self.labellings.values()))
        for at, one in enumerate(windows, start=1):
            judges = [name for name, own in self.labellings.items() if own == one]
            found["labels" if at == 1 else f"labels {at}"] = self._labels(one, judges)
        return {**found, "criteria": self._criteria()}

    @property
    def _named(self) -> list[Column]:
        """A column of judges, where there are several."""
        return columns("words", "judge") if len(self.nets) > 1 else []

    def _row(self, judge: str, *cells: Any) -> tuple[Any, ...]:
        return (judge, *cells) if self._named else cells

    def _netsat(self) -> ResultTable:
        rows = [
            self._row(judge, one.n, one.unscored, one.mean, *one.quartiles)
            for judge, one in self.nets.items()
        ]
        named = columns("count", "n", "unscored") + columns("number", "mean", digits=1)
        named += columns("number", "least", "25%", "median", "75%", "most", digits=1)
        low, high = self.given.range
        title = f"NetSAT, from {low:g} to {high:g}"
        return ResultTable(title, self._named + named, rows)

    def _labels(self, labelling: Labelling, judges: Sequence[str]) -> ResultTable:
        rows = [
            self._row(judge, _SHOWN[label], self.nets[judge].labels[label])
            for judge in judges
            for label in LABELS
        ]
        ends = [
            words
            for words, end in (("good above", labelling.high), ("bad up to", labelling.low))
            if end is not None
            for words in [f"{words} {end:g}"]
        ]
        window = ", ".join(ends) if ends else "no score can be labelled"
        title = f"Labels: {window}, for a precision of {100 * labelling.precision:g}%"
        named = columns("words", "label") + columns("share", "conversations", digits=1, unit="%")
        return ResultTable(title, self._named + named, rows)

    def _criteria(self) -> ResultTable:
        rows = [
            self._row(
                judge,
                one.criterion.polarity.upper(),
                one.criterion.text,
                one.mean,
                one.holds,
                one.not_applicable,
                one.unscored,
            )
            for judge, found in self.criteria.items()
            for one in found
        ]
        named = columns("words", "kind", "criterion")
        named += columns("number", "mean", digits=1, ends="none")
        named += columns("percent", "holds", digits=0, ends="none", unit="%")
        named += columns("count", "n/a", "unscored")
        return ResultTable("Criteria, from 0 to 10", self._named + named, rows)

    @property
    def notes(self) -> Sequence[str]:
        """How the run went."""
        return [] if self.outcome is None else list(self.outcome.notes)

    @property
    def missing(self) -> tuple[int, int]:
        """Unscored judgments, and all."""
        if self.outcome is not None:
            return self.outcome.missing
        every = [one for found in self.criteria.values() for one in found]
        every_net = self.nets.values()
        lost = sum(one.unscored for one in every) + sum(one.unscored for one in every_net)
        return lost, max(1, sum(one.n for one in every) + sum(one.n for one in every_net))

    def to_json(self) -> dict[str, Any]:
        """By judge: NetSAT, labels and criteria; and how the run went."""
        scores = {
            judge: {
                "n": one.n,
                "unscored": one.unscored,
                "netsat": one.mean.to_json()
                | {
                    "sd": _plain(one.spread),
                    "quartiles": [_plain(value) for value in one.quartiles],
                },
                "labels": {label: share.to_share() for label, share in one.labels.items()},
                "criteria": {each.criterion.id: _as_json(each) for each in self.criteria[judge]},
            }
            for judge, one in self.nets.items()
        }
        run = {} if self.outcome is None else self.outcome.to_json()
        return {"scores": scores, "wording": self.given.wording, **run}


def _as_json(one: CriterionScores) -> dict[str, Any]:
    return {
        "text": one.criterion.text,
        "polarity": one.criterion.polarity,
        "mean": one.mean.to_json(),
        "holds": one.holds.to_share(),
        "not_applicable": one.not_applicable,
        "unscored": one.unscored,
    }


def _plain(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def _net(rows: JudgmentTable, given: CriteriaSet, labelling: Labelling | None) -> NetScores:
    table = rows.where(question=NETSAT)
    values = numbers(table, given.questions[0])
    known = values[~np.isnan(values)]
    quartiles = np.percentile(known, _QUARTILES) if len(known) else np.full(5, np.nan)
    return NetScores(
        len(table),
        len(table) - len(known),
        _mean(table, values),
        float(known.std(ddof=1)) if len(known) > 1 else float("nan"),
        tuple(map(float, quartiles)),
        {} if labelling is None else _labels(values, labelling),
    )


def _mean(table: JudgmentTable, values: FloatArray) -> Estimate:
    """Repeats about one conversation count as one unit."""
    clusters = table.codes("item")[0]
    several = len(np.unique(clusters)) < len(clusters)
    return mean(values, clusters=clusters if several else None)


def _labels(values: FloatArray, labelling: Labelling) -> dict[str, Estimate]:
    counts = Counter(
        "unscored" if np.isnan(value) else label_of(value, labelling) for value in values.tolist()
    )
    return {label: wilson(counts[label], len(values)) for label in LABELS}


def agreeing(table: JudgmentTable, question: Question) -> FloatArray:
    """(N,) 1 where the answer to a criterion is Agree or more, 0 where less; NaN without answer."""
    codes, answers = table.codes("answer")
    worth = [value_of_answer(answer, question) for answer in answers]
    agrees = np.array([*(value is not None and value >= HOLDS for value in worth), False])
    unknown = np.isnan(numbers(table, question)) | (codes < 0)
    return np.where(unknown, np.nan, agrees[codes])


def _criterion(rows: JudgmentTable, one: Criterion, given: CriteriaSet) -> CriterionScores:
    table, question = rows.where(question=one.id), one.question(given.scale)
    values, agrees = numbers(table, question), agreeing(table, question)
    count = int((~np.isnan(values)).sum())
    return CriterionScores(
        one,
        len(table),
        len(table) - count,
        _mean(table, values),
        wilson(int(np.nansum(agrees)), int((~np.isnan(agrees)).sum())),
        int(table.mentions("details", '"not_applicable"').sum()),
    )
