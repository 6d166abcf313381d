"""An evaluator adapted to labels: a change of its head where that helped, people's scale, ties.

Letters: N labels, H questions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from assize.base.errors import DataError
from assize.evaluator._adapting.columns import candidates, changed, inputs, lesson_of
from assize.evaluator._adapting.labels import FEWEST, Labels
from assize.evaluator._adapting.result import Outcome
from assize.evaluator._adapting.update import (
    NONE,
    Choice,
    Lesson,
    cross_validated,
    select,
    weights_of,
)
from assize.evaluator._evaluator import Evaluator
from assize.evaluator._features.views import Level
from assize.evaluator._heads.rating_scale import ScaleFit, fit_scale
from assize.evaluator._heads.scored_question import MonotoneMap, ScoredQuestion
from assize.evaluator._ties import learn_ties
from assize.judgments.learnt_from import hash_units
from assize.stats import Comparison, compare
from assize.stats._arrays import FloatArray
from assize.stats._studies.splits import dealt

OUTER = 10
PERMUTATIONS = 999
SEED = 15


FEW, BOLD, CAREFUL = 50, 1.0, 1.645
"""Standard errors by which a gain must be above 0: from FEW labels on, and with fewer."""


def helped(order: Comparison) -> bool:
    """Whether a gain in order is above 0 by a standard error, or with fewer than 50 labels by
    1.645 of them (one-sided 95%); not where it has no interval."""
    gain = order.difference
    error = (gain.estimate - gain.interval[0]) / 1.96
    return bool(gain.estimate - (BOLD if gain.n >= FEW else CAREFUL) * error > 0)


def adapt_heads(
    evaluator: Evaluator,
    given: Mapping[str, Sequence[Labels]],
    *,
    seed: int = SEED,
    always: bool = False,
    change: bool = True,
) -> tuple[Evaluator, list[Outcome]]:
    """Fits an evaluator to labels; the same labels in any order give the same evaluator.

    Args:
        given: labels by question of the evaluator, as `read_labels` gives them.
        seed: deals the folds.
        always: change the head also where cross-validation did not show that it helps.
        change: False fits people's scale and the tie thresholds alone.

    Raises:
        DataError: fewer than 20 labels on every question, or all of them are the same.
    """
    adapted, outcomes = evaluator, []
    problems = []
    for question, parts in given.items():
        try:
            adapted, outcome = _one(adapted, evaluator, question, parts, seed, always, change)
        except DataError as error:
            problems.append(f"{question}: {error}")
        else:
            outcomes.append(outcome)
    if not outcomes:
        raise DataError("; ".join(problems))
    seen = hash_units(unit for parts in given.values() for one in parts for unit in one.units)
    return replace(adapted, learnt_from=evaluator.learnt_from | seen), outcomes


def _one(
    evaluator: Evaluator,
    origin: Evaluator,
    question: str,
    parts: Sequence[Labels],
    seed: int,
    always: bool,
    change: bool,
) -> tuple[Evaluator, Outcome]:
    """One question: ratings teach the head, and where there are none preferences do."""
    ratings = next((one for one in parts if not one.paired), None)
    pairs = next((one for one in parts if one.paired), None)
    labels = ratings if ratings is not None and len(ratings) >= FEWEST else pairs
    labels = ratings if labels is None else labels
    assert labels is not None
    _check(labels)
    rng = np.random.default_rng(seed)
    place = list(origin.scored).index(question)
    rows = inputs(origin.head, labels)
    widths = origin.featuriser.widths(origin.encoder.dimension)
    made = candidates(origin.head, widths, question, rows) if change else {}
    lesson = lesson_of(labels, rows, made, place)
    count = len(set(labels.groups))
    fold = dealt(list(labels.groups), min(OUTER, count), rng)
    folds = [np.flatnonzero(fold == one) for one in range(fold.max() + 1)]
    held, before, after = cross_validated(lesson, folds, rng)
    choice = select(lesson, lesson.kernels(), np.arange(len(labels)), rng).choice
    error, order = _figures(lesson, labels, before, after, held, rng)
    used = choice.candidate != NONE and (always or helped(order))
    asked, numbers = evaluator.scored[question], lesson.raw
    weights = np.eye(rows.shape[-1])[place]  # of the number as it is, on `inputs`
    if used:
        weights = weights + made[choice.candidate] @ weights_of(lesson, choice)
        old, new = rows[..., place], rows @ weights
        # labelled items spread as they did, and score maps move with their mean
        by = float(old.std() / new.std()) if new.std() > 1e-9 else 1.0
        weights, shift = by * weights, float(by * new.mean() - old.mean())
        numbers = by * (held + (0.0 if labels.paired else (new - old).mean()))
        maps = {
            level: MonotoneMap(one.knots + shift, one.levels) for level, one in asked.maps.items()
        }
        asked = replace(asked, maps=maps)
        evaluator = replace(evaluator, head=changed(evaluator.head, origin.head, question, weights))
    scale = None if labels.paired else _scale(asked, labels, numbers, rng)
    ties = None
    if pairs is not None and len(pairs) >= FEWEST:
        sides = inputs(origin.head, pairs) @ weights  # (N, 2)
        if labels is pairs and used:  # as far apart as by a change that saw no label
            half = numbers / 2
            sides = sides.mean(axis=1)[:, None] + np.stack([half, -half], axis=1)
        score = _level(asked, turns=False)
        clusters = np.array(pairs.groups)
        ties = learn_ties(
            score(sides[:, 0]) - score(sides[:, 1]), pairs.targets, clusters=clusters, rng=rng
        )
    asked = replace(
        asked,
        scale=asked.scale if scale is None else scale.scale,
        ties=asked.ties if ties is None else ties.rule,
    )
    outcome = Outcome(
        question=question,
        n=len(labels),
        groups=count,
        by=labels.by,
        change=choice.candidate,
        penalty=choice.penalty,
        before=order.second,
        after=order.first,
        gain=order.difference,
        p_value=order.test.p_value,
        error_before=error.second,
        error_after=error.first,
        error_gain=error.difference,
        error_p=error.test.p_value,
        used=used,
        verdict=_verdict(choice, order, scale),
        scale=scale,
        ties=ties,
    )
    return replace(evaluator, scored={**evaluator.scored, question: asked}), outcome


def _verdict(choice: Choice, order: Comparison, scale: ScaleFit | None) -> str:
    if choice.candidate == NONE:
        return "nothing to change" if scale is None else "mapped to the ratings' scale"
    return "helped" if helped(order) else "did not show that it helps"


def _check(labels: Labels) -> None:
    if len(labels) < FEWEST:
        raise DataError(
            f"{len(labels)} labels fit items that can be scored, and adapting needs {FEWEST}: rate"
            " more conversations (`assize score FILES --ask 20` names those that tell most), or"
            " use the evaluator as it is"
        )
    if np.ptp(labels.targets) == 0:
        raise DataError(
            f"all {len(labels)} labels are the same ({labels.targets[0]:g}), which teaches nothing;"
            " rate conversations that differ"
        )
    if len(set(labels.groups)) < 4:
        raise DataError(
            f"the labels are of {len(set(labels.groups))} {labels.by}s, too few to hold some out;"
            " rate others as well"
        )


def _figures(
    lesson: Lesson,
    labels: Labels,
    before: FloatArray,
    after: FloatArray,
    held: FloatArray,
    rng: np.random.Generator,
) -> tuple[Comparison, Comparison]:
    """Errors, and order, after the change and before it, on labels that it did not learn from."""
    how: Any = {"permutations": PERMUTATIONS, "rng": rng}
    targets, groups = lesson.targets, np.array(labels.groups)
    error = compare(after, before, targets, measure="rmse", clusters=groups, **how)
    if not labels.paired:
        return error, compare(held, lesson.raw, targets, clusters=groups, **how)
    decided = targets != 0
    own, base = np.sign(held[decided]), np.sign(lesson.raw[decided])
    sides = {"measure": "accuracy", "clusters": groups[decided]}
    return error, compare(own, base, targets[decided], **sides, **how)


def _scale(
    asked: ScoredQuestion, labels: Labels, numbers: FloatArray, rng: np.random.Generator
) -> ScaleFit | None:
    """People's scale, from scores by a change that did not see the label."""
    if not labels.natural:
        return None
    turns = np.array([turn is not None for _, turn in labels.units])
    of_turns, of_others = (_level(asked, turns=level)(numbers) for level in (True, False))
    scores = np.where(turns, of_turns, of_others)
    return fit_scale(
        scores, labels.targets, clusters=np.array(labels.groups), ends=labels.ends, rng=rng
    )


def _level(asked: ScoredQuestion, *, turns: bool) -> MonotoneMap:
    """The map of turns, or of conversations; the only one where there is but one."""
    wanted: Level = "turn" if turns else "conversation"
    return asked.maps.get(wanted, next(iter(asked.maps.values())))
