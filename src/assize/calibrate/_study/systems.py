"""Every question by system: what people answered, and what models expected (tables 4 and 5)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from assize import stats
from assize.calibrate._data.features import FloatArray, normalised
from assize.calibrate._data.forms import NO_ANSWER, Forms, IntArray
from assize.results import Column, Estimate, Mean, ResultTable

PEOPLE = "people"
ALL = "all"


@dataclass(frozen=True, slots=True)
class SystemMean:
    """One question about one system's conversations, as one source answered it.

    Args:
        source: `people`, or a model's name as a judge.
        question: an ordered question's id; `ID=ANSWER` is the share of one answer to a question
            whose answers are not ordered.
        mean: with an interval clustered by item.
        deviation: standard deviation of the answers, of a model's expected answers.
    """

    source: str
    question: str
    system: str
    mean: Estimate
    deviation: float


def by_system(forms: Forms, system_of: Mapping[str, str]) -> list[SystemMean]:
    """Means of every question by source and system, and over all systems."""
    known = [system_of.get(item, "") for item, _ in forms.features.units]
    names = [ALL, *sorted({name for name in known if name})]
    of_item = np.array(known)
    found = []
    for source, question, values, items in _columns(forms):
        for name in names:
            rows = np.ones(len(items), bool) if name == ALL else of_item[items] == name
            there = rows & ~np.isnan(values)
            mean = stats.mean(values[rows], clusters=items[rows])
            deviation = float(values[there].std(ddof=1)) if there.sum() > 1 else np.nan
            found.append(SystemMean(source, question, name, mean, deviation))
    return found


def _columns(forms: Forms) -> Iterator[tuple[str, str, FloatArray, IntArray]]:
    """Source, question, values (n,), items (n,) of each column of the table."""
    for place, scale in enumerate(forms.scales):
        given = forms.answers[:, place]
        p = np.where((given == NO_ANSWER)[:, None], np.nan, np.eye(len(scale))[given])
        ordered = scale.values if scale.ordered else None
        for name, column in _means(scale.id, scale.question.answers, ordered, p):
            yield PEOPLE, name, column, forms.item
    features = forms.features
    rated = np.unique(forms.item)
    for block, columns in zip(features.blocks, features.columns, strict=True):
        p = features.x[rated, columns]
        values: Sequence[float] | None = block.values if block.ordered else None
        p, values = (normalised(p), values) if block.answers else (p[:, :1], (1.0,))
        for name, column in _means(block.question, block.answers, values, p):
            yield f"{block.judge} {block.variant}".rstrip(), name, column, rated


def _means(
    question: str, answers: Sequence[str], values: Sequence[float] | None, p: FloatArray
) -> Iterator[tuple[str, FloatArray]]:
    """The mean of ordered answers (n, K), else the share of each."""
    if values is not None:
        yield question, p @ np.asarray(values)
        return
    for answer, share in zip(answers, p.T, strict=True):
        yield f"{question}={answer}", share


@dataclass(frozen=True, slots=True)
class RaterAnswers:
    """How often one rater gave each answer to the target (figure 2)."""

    rater: str
    forms: int
    counts: Mapping[str, int]


def count_answers(forms: Forms) -> list[RaterAnswers]:
    """Return every rater's answers to the target, those with most forms first."""
    answers = forms.target.question.answers
    rows = []
    for code, rater in enumerate(forms.raters):
        given = forms.y[(forms.rater == code) & (forms.y != NO_ANSWER)]
        counts: Sequence[int] = np.bincount(given, minlength=len(answers)).tolist()
        rows.append(RaterAnswers(rater, len(given), dict(zip(answers, counts, strict=True))))
    return sorted(rows, key=lambda row: -row.forms)


def system_table(rows: Sequence[SystemMean], source: str, by: str = "system") -> ResultTable:
    """Return mean, deviation and n of every question by system, as one source answered."""
    by_question: dict[str, dict[str, Mean]] = {}
    for row in rows:
        if row.source == source:
            mean = Mean(row.mean.estimate, spread=row.deviation, n=row.mean.n)
            by_question.setdefault(row.question, {})[row.system] = mean
    systems = list(next(iter(by_question.values())))
    means = [Column(name, "number", digits=2, counted=True) for name in systems]
    note = "Mean ± standard deviation (n). ID=ANSWER is the share of one unordered answer."
    cells = [(question, *row.values()) for question, row in by_question.items()]
    return ResultTable(f"By {by}: {source}", [Column("question"), *means], cells, [note])
