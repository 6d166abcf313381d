"""What people answered, beside what the calibrator knows: one row a filled-in form.

A form is one person's answers about one item. Any subset of questions may be answered,
any subset of raters may rate an item, and one rater may fill in two forms about it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assize.calibration.table import Features, FloatArray, Unit, place_of
from assize.errors import ConfigError, DataError
from assize.judgment import NOT_APPLICABLE, Judgment, JudgmentTable, Question

IntArray = NDArray[np.int64]

NO_ANSWER = -1
UNKNOWN = -1  # in place of a rater: nobody in particular


@dataclass(frozen=True, slots=True)
class Scale:
    """A question that people answer.

    Args:
        question: with its answers.
        values: one number an answer; their places where the answers are not ordered.
    """

    question: Question
    values: tuple[float, ...]

    @property
    def id(self) -> str:
        """The question's name."""
        return self.question.id

    @property
    def ordered(self) -> bool:
        """Whether a mean over the values says something."""
        return self.question.kind in ("ordinal", "binary", "preference")

    def __len__(self) -> int:
        return len(self.values)

    @classmethod
    def of(cls, question: Question) -> Scale:
        """The scale of a question; raises DataError where it has fewer than two answers."""
        if len(question.answers) < 2:
            raise DataError(
                f"question {question.id!r} has {len(question.answers)} answers; a calibrator"
                " predicts one of at least two; define them in questions.json"
            )
        values = question.values
        if values is None or question.kind == "nominal":
            values = tuple(float(place) for place in range(len(question.answers)))
        return cls(question, values)


@dataclass(frozen=True, slots=True, eq=False)
class Choices:
    """M choices between two items: who preferred which.

    Args:
        a, b: (M,) places of the two in the features' `units`.
        rater: (M,) place in the forms' `raters`.
        answer: (M,) 0 where B was preferred, 1 for a tie, 2 where A was.
    """

    a: IntArray
    b: IntArray
    rater: IntArray
    answer: IntArray

    def __len__(self) -> int:
        return len(self.a)


@dataclass(frozen=True, slots=True, eq=False)
class Forms:
    """N filled-in forms, ready for a calibrator.

    Args:
        x: (N, D) the item's features; a method may put others here, one row a form.
        item: (N,) place in `units`.
        rater: (N,) place in `raters`, or UNKNOWN.
        answers: (N, Q) place of the answer in its scale, NO_ANSWER for NA and missing.
        scales: (Q,) the questions, the target first.
        features: where `x` came from; tells the columns of each block.
        raters: names.
        duplicates: forms beyond the first by one rater about one item (kept).
        unmatched: rated items that have no features (left out), with their number of ratings.
        not_applicable, unscored: ratings that hold no answer (left out of fit and evaluation).
        helpers: so many raters at the end of `raters` only help: what they answered is learnt
            from first, and they are not predicted.
        weight: (N,) how many forms one stands for, where some were left out on purpose
            (1 / the share that was kept); None where all count alike.
        thinned: (N,) forms from where an unknown share was left out; None where there are none.
        choices: between items, by the same raters; None where there are none.
    """

    x: FloatArray
    item: IntArray
    rater: IntArray
    answers: IntArray
    scales: tuple[Scale, ...]
    features: Features
    raters: tuple[str, ...]
    duplicates: int = 0
    unmatched: Mapping[str, int] | None = None
    not_applicable: int = 0
    unscored: int = 0
    helpers: int = 0
    weight: FloatArray | None = None
    thinned: NDArray[np.bool_] | None = None
    choices: Choices | None = None

    def __len__(self) -> int:
        return len(self.x)

    @property
    def trusted(self) -> tuple[str, ...]:
        """Raters who are predicted: all but the helpers."""
        return self.raters[: len(self.raters) - self.helpers]

    @property
    def helping(self) -> NDArray[np.bool_]:
        """(N,) forms by helpers."""
        return np.asarray(self.rater >= len(self.trusted))

    @property
    def target(self) -> Scale:
        """The question that is to be predicted."""
        return self.scales[0]

    @property
    def y(self) -> IntArray:
        """(N,) places of the target's answers."""
        return self.answers[:, 0]

    @property
    def values(self) -> FloatArray:
        """(N,) the target's answers as numbers; NaN where there is none."""
        scale = np.array(self.target.values)
        return np.where(self.y == NO_ANSWER, np.nan, scale[self.y])

    def take(self, rows: ArrayLike) -> Forms:
        """Some of the forms, by mask or by place."""
        chosen = np.asarray(rows)
        return replace(
            self,
            x=self.x[chosen],
            item=self.item[chosen],
            rater=self.rater[chosen],
            answers=self.answers[chosen],
            weight=None if self.weight is None else self.weight[chosen],
            thinned=None if self.thinned is None else self.thinned[chosen],
        )

    def with_target(self, question: str) -> Forms:
        """The same forms with another question to be predicted."""
        ids = [scale.id for scale in self.scales]
        if question not in ids:
            raise ConfigError(f"no question {question!r} was answered; there are {', '.join(ids)}")
        order = [ids.index(question), *(i for i, name in enumerate(ids) if name != question)]
        scales = tuple(self.scales[place] for place in order)
        return replace(self, scales=scales, answers=self.answers[:, order])


def forms_of(
    features: Features,
    ratings: JudgmentTable,
    target: str,
    *,
    auxiliary: Sequence[str] | None = None,
) -> Forms:
    """Joins people's ratings with the features of the items they are about.

    Args:
        features: of the items.
        ratings: judgments by people; each row (item, question, rater).
        target: the question to be predicted.
        auxiliary: the other questions to learn from; by default those that the features
            were asked too.

    Rules: NA and unscored ratings are counted and left out; a second form by one rater
    about one item is kept and counted; a rating of an item without features is counted
    and left out; a rater with a single rating is kept.

    Raises:
        DataError: an answer is not the question's; a rater is anonymous; the target has no
            answer at all, or all its items lack features.
        ConfigError: a question that nobody was asked.
    """
    scales = _scales(features, ratings, target, auxiliary)
    place = {scale.id: index for index, scale in enumerate(scales)}
    units = {unit: index for index, unit in enumerate(features.units)}
    filled: dict[tuple[Unit, str, int, int], dict[int, int]] = {}
    seen: Counter[tuple[object, ...]] = Counter()
    unmatched: Counter[str] = Counter()
    not_applicable = unscored = 0
    for row in ratings:
        if row.question not in place:
            continue
        unit = (row.item, row.turn)
        answer = _answer(row, scales[place[row.question]])
        not_applicable += row.answer == NOT_APPLICABLE
        unscored += row.unscored is not None
        if unit not in units:
            unmatched[row.item] += 1
            continue
        copy = seen[row.key]
        seen[row.key] += 1
        form = filled.setdefault((unit, row.judge, row.repeat, copy), {})
        form[place[row.question]] = answer
    kept = {key: answers for key, answers in filled.items() if max(answers.values()) > NO_ANSWER}
    raters = tuple(dict.fromkeys(judge for _, judge, _, _ in kept))
    codes = {judge: index for index, judge in enumerate(raters)}
    answers = np.full((len(kept), len(scales)), NO_ANSWER, dtype=np.int64)
    for line, given in enumerate(kept.values()):
        answers[line, list(given)] = list(given.values())
    _check_target(answers[:, 0], scales[0], unmatched)
    item = np.array([units[unit] for unit, _, _, _ in kept], dtype=np.int64)
    rater = np.array([codes[judge] for _, judge, _, _ in kept], dtype=np.int64)
    duplicates = len(kept) - len({key[:2] for key in kept})
    return Forms(
        features.x[item], item, rater, answers, scales, features, raters,
        duplicates, dict(unmatched), not_applicable, unscored,
    )  # fmt: skip


def _scales(
    features: Features, ratings: JudgmentTable, target: str, auxiliary: Sequence[str] | None
) -> tuple[Scale, ...]:
    asked = dict.fromkeys(row.question for row in ratings)
    if auxiliary is None:
        both = {block.question for block in features.blocks} & asked.keys()
        auxiliary = [
            name for name in asked if name in both and len(ratings.questions[name].answers) > 1
        ]
    for name in (target, *auxiliary):
        if name not in asked:
            raise ConfigError(f"nobody was asked {name!r}; the ratings answer {', '.join(asked)}")
    names = [target, *(name for name in auxiliary if name != target)]
    return tuple(Scale.of(ratings.questions[name]) for name in names)


def _answer(row: Judgment, scale: Scale) -> int:
    """The place of a person's answer in the scale; NO_ANSWER for NA and unscored."""
    if row.anonymous:
        raise DataError(
            f"{place_of(row)}: this rater's id is a position and not a person;"
            " a calibrator needs to know who rated; give the raters' ids"
        )
    if row.unscored is not None or row.answer == NOT_APPLICABLE:
        return NO_ANSWER
    answer = row.answer
    if answer is None and row.score is not None and row.score in scale.values:
        return scale.values.index(row.score)
    if answer not in scale.question.answers:
        allowed = ", ".join((*scale.question.answers, NOT_APPLICABLE))
        received = row.score if answer is None else answer
        raise DataError(f"{place_of(row)}: answer {ascii(received)[:60]} is none of {allowed}")
    return scale.question.answers.index(answer)


def _check_target(y: IntArray, target: Scale, unmatched: Mapping[str, int]) -> None:
    if (y != NO_ANSWER).any():
        return
    if unmatched:
        raise DataError(
            f"none of the items rated on {target.id!r} has answers by a model"
            f" (rated is {next(iter(unmatched))!r}, for instance); check the ids of the items"
        )
    raise DataError(f"every rating of {target.id!r} is NA or missing; there is nothing to fit")
