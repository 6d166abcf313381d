"""An evaluator adapted to labels: a change of its head where that helped, people's scale, ties.

Letters: N labels, H questions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from assize.base.errors import DataError
from assize.evaluator._adapting.columns import Maps, changed, lesson_of, maps_of
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
from assize.evaluator._ties import TieFit, learn_ties
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
    maps = maps_of(origin.head, origin.featuriser, origin.encoder, labels)
    lesson = lesson_of(labels, maps, place)
    if not change:
        lesson = replace(lesson, columns={})
    count = len(set(labels.groups))
    fold = dealt(list(labels.groups), min(OUTER, count), rng)
    folds = [np.flatnonzero(fold == one) for one in range(fold.max() + 1)]
    held, before, after, _ = cross_validated(lesson, folds, rng)
    choice = select(lesson, lesson.kernels(), np.arange(len(labels)), rng).choice
    error, order = _figures(lesson, labels, before, after, held, rng)
    used = choice.candidate != NONE and (always or helped(order))
    asked, moved = evaluator.scored[question], None
    if used:
        moved = _moved(maps, lesson, labels, choice, place)
        head = changed(
            evaluator.head, origin.head, maps, question, moved.mix, moved.weights, moved.by
        )
        shifted = {
            level: MonotoneMap(one.knots + moved.shift, one.levels)
            for level, one in asked.maps.items()
        }
        asked, evaluator = replace(asked, maps=shifted), replace(evaluator, head=head)
    numbers = lesson.raw if moved is None else moved.by * (held + moved.middle)
    scale = None if labels.paired else _scale(asked, labels, numbers, rng)
    ties = None
    if pairs is not None and len(pairs) >= FEWEST:
        sides = pairs.raw[..., place] if moved is None else moved.numbers(maps, pairs, place)
        if labels is pairs and moved is not None:  # as far apart as by a change that saw no label
            middle, half = sides.mean(axis=1), moved.by * held / 2
            sides = np.stack([middle + half, middle - half], axis=1)
        ties = _ties(asked, pairs, sides, rng)
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
    targets, groups = lesson.targets, np.array(labels.groups)
    error = compare(
        after,
        before,
        targets,
        measure="rmse",
        clusters=groups,
        permutations=PERMUTATIONS,
        rng=rng,
    )
    if labels.paired:
        decided = targets != 0
        order = compare(
            np.sign(held[decided]),
            np.sign(lesson.raw[decided]),
            targets[decided],
            measure="accuracy",
            clusters=groups[decided],
            permutations=PERMUTATIONS,
            rng=rng,
        )
    else:
        order = compare(
            held, lesson.raw, targets, clusters=groups, permutations=PERMUTATIONS, rng=rng
        )
    return error, order


@dataclass(frozen=True, slots=True, eq=False)
class _Moved:
    """A change in the units of raw numbers, so that labelled items spread as they did."""

    mix: FloatArray  # (H,) on the raw numbers of all questions
    weights: FloatArray  # (F,) on standardised features
    by: float  # what changed numbers are multiplied by
    shift: float  # how far the labelled items' mean then moved; score maps move with it
    middle: float  # the change's mean over the labelled rows, before it is multiplied

    def numbers(self, maps: Maps, labels: Labels, place: int) -> FloatArray:
        """Raw numbers after the change, one a row of the labels' features."""
        features = maps.scaling(labels.features.reshape(-1, labels.features.shape[-1]))
        raw = labels.raw.reshape(-1, labels.raw.shape[-1])
        changed = self.by * (raw[:, place] + raw @ self.mix + features @ self.weights)
        return np.asarray(changed.reshape(labels.raw.shape[:-1]))


def _moved(maps: Maps, lesson: Lesson, labels: Labels, choice: Choice, place: int) -> _Moved:
    mix, weights = maps.back(choice.candidate, weights_of(lesson, choice))
    plain = _Moved(mix, weights, 1.0, 0.0, 0.0)
    before, after = labels.raw[..., place], plain.numbers(maps, labels, place)
    spread = float(after.std())
    by = float(before.std()) / spread if spread > 1e-9 else 1.0
    shift = float(by * after.mean() - before.mean())
    middle = 0.0 if labels.paired else float((after - before).mean())
    return _Moved(mix, weights, by, shift, middle)


def _scale(
    asked: ScoredQuestion, labels: Labels, numbers: FloatArray, rng: np.random.Generator
) -> ScaleFit | None:
    """People's scale, from scores by a change that did not see the label."""
    if not labels.natural:
        return None
    turns = np.array([turn is not None for _, turn in labels.units])
    scores = np.where(
        turns, _level(asked, turns=True)(numbers), _level(asked, turns=False)(numbers)
    )
    return fit_scale(
        scores, labels.targets, clusters=np.array(labels.groups), ends=labels.ends, rng=rng
    )


def _ties(
    asked: ScoredQuestion, pairs: Labels, sides: FloatArray, rng: np.random.Generator
) -> TieFit:
    """The tie threshold, from raw numbers (N, 2) of the sides."""
    a, b = (_level(asked, turns=False)(sides[:, side]) for side in (0, 1))
    return learn_ties(a - b, pairs.targets, clusters=np.array(pairs.groups), rng=rng)


def _level(asked: ScoredQuestion, *, turns: bool) -> MonotoneMap:
    """The map of turns, or of conversations; the only one where there is but one."""
    wanted: Level = "turn" if turns else "conversation"
    return asked.maps.get(wanted, next(iter(asked.maps.values())))
