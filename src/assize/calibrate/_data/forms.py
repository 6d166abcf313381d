"""What people answered, beside what the calibrator knows: one row a filled-in form.

A form is one person's answers about one item. Any subset of questions may be answered,
any subset of raters may rate an item, and one rater may fill in two forms about it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assize.base.errors import ConfigError, DataError
from assize.base.judgment import Question
from assize.calibrate._data.features import Features, FloatArray

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

    def __post_init__(self) -> None:
        answers = self.question.answers
        if len(self.values) != len(answers) or len(set(answers)) < len(answers):
            raise DataError(f"answers and values of {self.question.id!r} do not fit each other")

    @property
    def id(self) -> str:
        """The question's name."""
        return self.question.id

    @property
    def ordered(self) -> bool:
        """Whether a mean over the values says something."""
        return self.question.kind in ("ordinal", "binary", "preference")

    @property
    def rising(self) -> IntArray:
        """(K,) places of the answers by rising value."""
        return np.argsort(self.values, kind="stable")

    @property
    def ranks(self) -> IntArray:
        """(K,) rank of each answer's value, from 0."""
        return np.argsort(self.rising, kind="stable")

    def check_ordered(self, why: str) -> None:
        """Raise ConfigError where the answers are not ordered, with what that leaves without."""
        if not self.ordered:
            raise ConfigError(f"the answers to {self.id!r} are not ordered: {why}")

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


MOST_SETS = 100


@dataclass(frozen=True, slots=True, eq=False)
class ItemSets:
    """The sets that items are of: systems, surveys, years.

    Args:
        by: what tells them apart: `system`, `metadata.NAME`, or a pattern in the ids.
        names: (S,) those of which something was rated.
        place: (units,) the set of each of the features' items; -1 for those of none of them.
    """

    by: str
    names: tuple[str, ...]
    place: IntArray

    @classmethod
    def of(cls, by: str, labels: Sequence[str | None], rated: IntArray) -> ItemSets:
        """Sets by the label of each item; `rated` are places of those that were rated.

        Raises:
            DataError: rated items are of fewer than two sets, or of too many.
        """
        there = (labels[place] for place in rated.tolist())
        names = tuple(dict.fromkeys(one for one in there if one is not None))
        if not 2 <= len(names) <= MOST_SETS:
            raise DataError(
                f"set {by!r} makes {len(names)} of the rated items; what differs from set to set"
                f" can be learnt from 2 to {MOST_SETS} sets: split otherwise, or leave it out"
            )
        places = {name: place for place, name in enumerate(names)}
        known = [-1 if label is None else places.get(label, -1) for label in labels]
        return cls(by, names, np.array(known, dtype=np.int64))

    def labels(self, items: IntArray) -> list[str | None]:
        """The set of each of these items, by place; None for those of none."""
        return [self.names[one] if one >= 0 else None for one in self.place[items].tolist()]


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
        sets: of the items; None where they are taken as one.
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
    sets: ItemSets | None = None

    def __len__(self) -> int:
        return len(self.x)

    @property
    def trusted(self) -> tuple[str, ...]:
        """Raters who are predicted: all but the helpers."""
        return self.raters[: len(self.raters) - self.helpers]

    @property
    def by_helper(self) -> NDArray[np.bool_]:
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
        return np.where(self.y == NO_ANSWER, np.nan, np.array(self.target.values)[self.y])

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
