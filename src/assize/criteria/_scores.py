"""Scores by criteria, counted: how NetSAT is distributed, what is labelled, what holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, ClassVar

import numpy as np

from assize.base.judgment import Question
from assize.base.signature import sign
from assize.criteria._criterion import NETSAT, STALE, CriteriaSet, Criterion, Labelling
from assize.criteria._scoring import HOLDS
from assize.criteria._selected import window_sentence
from assize.judging.outcome import OfRun, Outcome
from assize.judgments import JudgmentTable
from assize.judgments.values import numbers, value_of_answer
from assize.results import Column, Estimate, Hidden, Share, Table
from assize.results.numbers import counted, number
from assize.stats import mean, wilson
from assize.stats._arrays import FloatArray

LABELS = ("good", "open", "bad", "unscored")
_QUARTILES = (0, 25, 50, 75, 100)
_MOST = 100  # criteria that are shown
Net = Annotated[float, Column(digits=1)]


@dataclass(frozen=True, slots=True)
class NetScores:
    """NetSAT of the conversations that a judge scored.

    Args:
        n: conversations (or turns) with a NetSAT.
        mean: with its interval, conversations being the independent units.
        sd: standard deviation; NaN for fewer than two.
        least: with the quartiles and the greatest; NaN for none.
    """

    judge: Annotated[str, Column(cut=True)]
    n: int
    unscored: int
    mean: Annotated[Estimate, Column(digits=1)]
    sd: Hidden[float]
    least: Net
    lower_quartile: Annotated[float, Column("25%", digits=1)]
    median: Net
    upper_quartile: Annotated[float, Column("75%", digits=1)]
    most: Net


@dataclass(frozen=True, slots=True)
class LabelShares:
    """How many conversations a judge gave each label.

    Args:
        n: of how many these are shares, those without a NetSAT too.
        open: between the cuts of the window, where neither label has the precision.
        unscored: without a NetSAT.
    """

    judge: Annotated[str, Column(cut=True)]
    n: Hidden[int]
    good: Share
    open: Annotated[Share, Column("left open", "share", digits=1, unit="%")]
    bad: Share
    unscored: Share


@dataclass(frozen=True, slots=True)
class CriterionScores:
    """How far one criterion held, in the answers of one judge.

    Args:
        polarity: `sat` or `dsat`.
        n: conversations (or turns) with a score.
        mean: 0 to 10, of a DSAT criterion too.
        holds: the share of answers that are Agree or more; NaN where there are only scores, as
            of an evaluator, whose expected values say nothing of single answers.
        not_applicable: answers that it does not apply, which count as Neutral.
    """

    judge: str
    id: Hidden[str]
    polarity: str
    criterion: str
    mean: Annotated[Estimate, Column(digits=1, ends="none")]
    holds: Annotated[Share, Column("holds", "percent", digits=0, ends="none", unit="%")]
    not_applicable: Annotated[int, Column("n/a")]
    n: int
    unscored: int


@dataclass(frozen=True, slots=True)
class CriteriaScores(OfRun):
    """Scores by a set of criteria, counted.

    Args:
        conversations: that were scored, and of these those without a NetSAT of any judge.
        wording: signature of the set's texts and scale.
        outcome: of the run; None where judgments were only read.
        given: the set.
        judgments: NetSAT and the criteria of each conversation.
        stale: whether the set's criteria changed since its threshold and window were learnt.
    """

    heading: ClassVar[str] = "Criteria scored"

    conversations: int
    unscored: int
    netsat: Annotated[
        Sequence[NetScores],
        Table("NetSAT", "What speaks for satisfaction, less what speaks against it."),
    ]
    label_shares: Annotated[
        Sequence[LabelShares],
        Table("Labels", "What the window that was learnt made of each NetSAT."),
    ]
    criteria: Annotated[
        Sequence[CriterionScores],
        Table(
            "Criteria, from 0 to 10",
            "How far each criterion holds: mean score, and the share of answers that agree.",
            group="judge",
            most=_MOST,
        ),
    ]
    wording: str
    signature: str
    outcome: Outcome | None = None
    given: CriteriaSet = field(default_factory=lambda: CriteriaSet("", ()), repr=False)
    judgments: JudgmentTable = field(default_factory=lambda: JudgmentTable.of([]), repr=False)
    stale: bool = field(default=False, repr=False)

    @classmethod
    def of(
        cls,
        judgments: JudgmentTable,
        given: CriteriaSet,
        outcome: Outcome | None = None,
    ) -> CriteriaScores:
        """Count the scores among judgments; other questions are passed over."""
        stale, given = given.edited, given.without_stale_labels
        rows = judgments.where(question=[question.id for question in given.questions])
        by_judge = {judge: rows.where(judge=judge) for judge in rows.judges}
        labels = [_label_shares(judge, table) for judge, table in by_judge.items()]
        nets = rows.where(question=NETSAT)
        known = numbers(nets, given.questions[0])
        scored = len(np.unique(nets.codes("item")[0][~np.isnan(known)]))
        return cls(
            len(nets.items),
            len(nets.items) - scored,
            [_net_scores(judge, table, given) for judge, table in by_judge.items()],
            [
                row
                for row in labels
                if not stale and row.good.count + row.open.count + row.bad.count
            ],
            [
                _criterion_scores(judge, table, criterion, given)
                for judge, table in by_judge.items()
                for criterion in given.criteria
            ],
            given.wording,
            _signature(rows, given),
            outcome,
            given,
            rows,
            stale=stale,
        )

    @property
    def labelling(self) -> Labelling | None:
        """The set's threshold and window; None where an evaluator, which has its own, scored."""
        own = any("@evaluator:" in scores.judge for scores in self.netsat)
        return None if own else self.given.labelling

    @property
    def sentence(self) -> str:
        """How many conversations, by how many criteria, and their mean NetSAT."""
        sat, dsat = len(self.given.of("sat")), len(self.given.of("dsat"))
        many = f"{counted(self.conversations, 'conversation')}, {sat} SAT and {dsat} DSAT criteria"
        means = [
            f"{number(scores.mean.estimate, 1)} by {scores.judge}"
            for scores in self.netsat
            if scores.n
        ]
        if not means:
            return f"{many}. No conversation has a NetSAT."
        return f"{many}: mean NetSAT {', '.join(means[:3])}."

    @property
    def table_notes(self) -> Mapping[str, Sequence[str]]:
        """The ends of the scale."""
        low, high = self.given.range
        notes = {"netsat": [f"NetSAT of this set lies between {low + 0.0:,g} and {high:,g}."]}
        window = self.labelling
        return notes if window is None else {**notes, "label_shares": [window_sentence(window)]}

    @property
    def notes(self) -> Sequence[str]:
        """How the run went, and what to mind of judges and the set."""
        notes = [] if self.outcome is None else list(self.outcome.notes)
        if self.outcome is None and len(self.netsat) > 1:
            notes.append(f"a conversation's NetSAT is the mean over {len(self.netsat)} judges")
        if self.stale:
            notes.append(STALE)
        return notes

    @property
    def missing(self) -> tuple[int, int]:
        """Unscored judgments, and all."""
        if self.outcome is not None:
            return self.outcome.missing
        rows: list[NetScores | CriterionScores] = [*self.netsat, *self.criteria]
        unscored = sum(row.unscored for row in rows)
        return unscored, max(1, unscored + sum(row.n for row in rows))


def _signature(rows: JudgmentTable, given: CriteriaSet) -> str:
    """Of the set's texts, the judges, and what they were when they scored."""
    codes, names = rows.codes("signature")
    signatures = sorted(names[code] for code in set(codes.tolist()) if code >= 0)
    return sign({"wording": given.wording, "judges": sorted(rows.judges), "signatures": signatures})


def _net_scores(judge: str, rows: JudgmentTable, given: CriteriaSet) -> NetScores:
    table = rows.where(question=NETSAT)
    values = numbers(table, given.questions[0])
    known = values[~np.isnan(values)]
    quartiles = np.percentile(known, _QUARTILES) if len(known) else np.full(5, np.nan)
    return NetScores(
        judge,
        len(known),
        len(table) - len(known),
        _mean(table, values),
        float(known.std(ddof=1)) if len(known) > 1 else float("nan"),
        *map(float, quartiles),
    )


def _label_shares(judge: str, rows: JudgmentTable) -> LabelShares:
    table = rows.where(question=NETSAT)
    counts = Counter(
        "unscored" if row.unscored is not None else (row.details or {}).get("label")
        for row in table
    )
    return LabelShares(judge, len(table), *(wilson(counts[label], len(table)) for label in LABELS))


def _mean(table: JudgmentTable, values: FloatArray) -> Estimate:
    """Repeats about one conversation count as one unit."""
    clusters = table.codes("item")[0]
    several = len(np.unique(clusters)) < len(clusters)
    return mean(values, clusters=clusters if several else None)


def agreeing(table: JudgmentTable, question: Question) -> FloatArray:
    """(N,) 1 where the answer to a criterion is Agree or more, 0 where less; NaN without answer."""
    codes, answers = table.codes("answer")
    worth = [value_of_answer(answer, question) for answer in answers]
    agrees = np.array([*(value is not None and value >= HOLDS for value in worth), False])
    unknown = np.isnan(numbers(table, question)) | (codes < 0)
    return np.where(unknown, np.nan, agrees[codes])


def _criterion_scores(
    judge: str, rows: JudgmentTable, criterion: Criterion, given: CriteriaSet
) -> CriterionScores:
    table, question = rows.where(question=criterion.id), criterion.question(given.scale)
    values, agrees = numbers(table, question), agreeing(table, question)
    missing = int(np.isnan(values).sum())
    return CriterionScores(
        judge,
        criterion.id,
        criterion.polarity,
        criterion.text,
        _mean(table, values),
        wilson(int(np.nansum(agrees)), int((~np.isnan(agrees)).sum())),
        int(table.mentions("details", '"not_applicable"').sum()),
        len(values) - missing,
        missing,
    )
