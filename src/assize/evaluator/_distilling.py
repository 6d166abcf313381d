"""A small evaluator from a teacher's labels, and how well it reproduces the teacher.

The teacher is anything whose judgments are stored, such as a calibrator: this module reads
its labels (what is learnt from) and its expected scores (what is compared with) as tables.
Every figure is of conversations that the measured evaluator did not learn from.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np

from assize.base.conversation import Conversation, Item
from assize.base.errors import DataError
from assize.base.judgment import NOT_APPLICABLE, Question, Unscored
from assize.encoders import Encoder, remembering
from assize.evaluator._evaluator import Evaluator
from assize.evaluator._heads.scored_question import fit_answers
from assize.evaluator._learning import learn
from assize.evaluator._measuring.measure import on_one_scale
from assize.evaluator._scoring import raw_numbers, score
from assize.judgments import JudgmentTable, Unit
from assize.judgments.combine import unit_means
from assize.judgments.values import goodness, scale_ends, silent
from assize.results import Column
from assize.stats import Estimate, compare, pearson, spearman
from assize.stats._studies import dealt

CORPUS = "distilled"  # all conversations count alike, whatever file they came from
LEAST = 2  # conversations a fold

Values = Mapping[str, Mapping[Unit, float]]
"""By question and unit a number, NaN where there is none."""


@dataclass(frozen=True, slots=True, eq=False)
class Distilled:
    """What was learnt, and what it would have said had it not seen the conversation."""

    evaluator: Evaluator  # learnt from all labels
    # of every labelled conversation or turn the score (or the raw number) by an evaluator that
    # learnt from the other folds; NaN where the text cannot be scored
    held: Values


@dataclass(frozen=True, slots=True)
class Teacher:
    """What one question was learnt from.

    Args:
        question: that it predicts.
        signature: of its predictions.
        raters: whose answers are meant.
        corrected: whether a correction by groups was applied.
        labelled, unscored: conversations (or turns) with and without a prediction.
    """

    question: str
    signature: Annotated[str, Column("calibrator")]
    raters: Annotated[tuple[str, ...], Column(cut=True)]
    corrected: bool
    labelled: int
    unscored: int


@dataclass(frozen=True, slots=True)
class Fidelity:
    """How well an evaluator reproduces its teacher on one question, held out.

    Args:
        question: what the teacher predicts.
        pearson, spearman: with the teacher's expected score; whole conversations are the
            independent units. Unscored are those that either could not score.
    """

    question: str
    pearson: Annotated[Estimate, Column("Pearson", digits=2)]
    spearman: Annotated[Estimate, Column("Spearman", digits=2)]


@dataclass(frozen=True, slots=True)
class BesidePeople:
    """Spearman's correlations with people's mean rating, on what both scored.

    Args:
        difference: the calibrator's less the evaluator's.
        p_value: whether the two can be exchanged.
    """

    question: str
    calibrator: Annotated[Estimate, Column(digits=2)]
    evaluator: Annotated[Estimate, Column(digits=2)]
    difference: Annotated[Estimate, Column(digits=2, signed=True)]
    p_value: Annotated[float, Column("p", kind="p")]


def distil(
    items: Sequence[Item],
    labels: JudgmentTable,
    encoder: Encoder,
    *,
    name: str,
    folds: int,
    rng: np.random.Generator,
    fold_of: Mapping[str, int] | None = None,
    raw: bool = False,
    tick: Callable[[], object] = lambda: None,
) -> Distilled:
    """Learns from all labels, and once a fold from those of the other folds' conversations.

    Args:
        fold_of: of each labelled conversation; None deals them at random.
        raw: hold the heads' raw numbers of conversations instead of their scores.
    """
    once = {item.id: item for item in items}
    if len(once) < len(items):
        ids = [item.id for item in items]
        twice = next(name for name in once if ids.count(name) > 1)
        raise DataError(f"two items have the id {twice!r}; labels could be of either")
    labelled = {row.item for row in labels if row.unscored is None}
    known = [name for name in once if name in labelled]
    if len(known) < LEAST * folds:
        raise DataError(
            f"{len(known)} of {len(items)} conversations have labels; {folds} folds need at"
            f" least {LEAST * folds}: give more conversations, or fewer folds"
        )
    reader = remembering(encoder)  # folds share nearly all texts
    if fold_of is None:
        fold_of = dict(zip(known, dealt(known, folds, rng).tolist(), strict=True))
    turns = any(row.turn is not None for row in labels)
    held: dict[str, dict[Unit, float]] = {}
    for fold in range(folds):
        rest = [item for item in items if fold_of.get(item.id) != fold]
        out = [item for item in items if fold_of.get(item.id) == fold]
        learnt = learn({CORPUS: rest}, labels, reader, name=name)
        reading = replace(learnt, encoder=reader)
        for question, unit, value in _raw(out, reading) if raw else _scores(out, reading, turns):
            held.setdefault(question, {})[unit] = value
        tick()
    learnt = learn({CORPUS: items}, labels, reader, name=name)
    tick()
    return Distilled(learnt, held)


def on_own_scales(
    evaluator: Evaluator, held: Values, expected: Values, questions: Iterable[Question]
) -> Evaluator:
    """Return the evaluator with scores on the scales of what taught it.

    Args:
        held, expected: ranks held out, and the teachers' expected answers, higher being better.
        questions: that were taught; one whose scale has no ends keeps its ranks.
    """
    scored = dict(evaluator.scored)
    for question in questions:
        ends = scale_ends(question)
        if question.kind == "preference" or ends is None:
            continue
        units = list(expected[question.id])
        rising = question.higher != "worse"
        answers = np.array([expected[question.id][unit] for unit in units])
        ranks = _column(held, question.id, units)
        line = fit_answers(ranks, answers if rising else -answers, ends, rising=rising)
        scored[question.id] = replace(scored[question.id], question=question, answers=line)
    return replace(evaluator, scored=scored)


_Said = Iterator[tuple[str, Unit, float]]


def _scores(items: Sequence[Item], evaluator: Evaluator, turns: bool) -> _Said:
    for row in score(items, evaluator=evaluator, turns=turns):
        yield row.question, (row.item, row.turn), np.nan if row.score is None else row.score


def _raw(items: Sequence[Item], evaluator: Evaluator) -> _Said:
    asked = [item for item in items if isinstance(item, Conversation)]
    for item, said in zip(asked, raw_numbers(asked, evaluator=evaluator), strict=True):
        for question in evaluator.scored:
            value = np.nan if isinstance(said, Unscored) else said[question]
            yield question, (item.id, None), value


def values_of(table: JudgmentTable) -> dict[str, dict[Unit, float]]:
    """By question and unit the mean of the judgments' values, higher being better; or NaN."""
    found = {}
    for question in table.asked:
        rows, asked = table.where(question=question), table.questions[question]
        lost = np.isnan(goodness(rows, asked)) & ~silent(rows)
        if lost.any():
            row = rows.filter(lost).rows()[0]
            allowed = ", ".join((*asked.answers, NOT_APPLICABLE))
            raise DataError(
                f"item {row.item!r}, judge {row.judge!r}, question {row.question!r}: answer"
                f" {ascii(row.answer)[:60]} is none of {allowed}"
            )
        found[question] = unit_means(rows, asked)
    return found


def fidelity(held: Values, expected: Values) -> list[Fidelity]:
    """Held-out scores beside the teacher's expected ones, question by question."""
    found = []
    for question, theirs in expected.items():
        units = list(theirs)
        columns = _column(held, question, units), [theirs[unit] for unit in units]
        clusters = [item for item, _ in units]
        found.append(
            Fidelity(
                question,
                pearson(*columns, clusters=clusters),
                spearman(*columns, clusters=clusters),
            )
        )
    return found


def beside_people(
    held: Values, expected: Values, people: Values, rng: np.random.Generator
) -> list[BesidePeople]:
    """Return how teacher and evaluator go with people's mean ratings, question by question.

    Units and questions that the teacher does not know are passed over.
    """
    rows = []
    for question, theirs in expected.items():
        rated = people.get(question, {})
        units = [unit for unit, value in rated.items() if unit in theirs and value == value]
        if units:
            truth = np.array([rated[unit] for unit in units])
            first, second = (np.array(_column(part, question, units)) for part in (expected, held))
            teacher, own = on_one_scale(first, second, truth, "spearman")
            clusters = [item for item, _ in units]
            both = compare(teacher, own, truth, clusters=clusters, rng=rng)
            rows.append(
                BesidePeople(question, both.first, both.second, both.difference, both.test.p_value)
            )
    return rows


def _column(values: Values, question: str, units: Sequence[Unit]) -> list[float]:
    return [values.get(question, {}).get(unit, np.nan) for unit in units]
