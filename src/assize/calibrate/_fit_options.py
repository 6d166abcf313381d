"""What a calibrator is fitted as: the default, the published network, or that with privacy.

The `word` of each is what `--network` calls it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from assize.base.arguments import check_range, check_word

Personal = Literal["all", "last"]
"""What is each rater's own: slopes too, or only the level and the use of the scale."""

PERSONAL = ("all", "last")
DELTA = 1e-5


@dataclass(frozen=True, slots=True)
class Default:
    """The default calibrator: no search, and the same data give the same numbers.

    Args:
        personal: what each rater has: all, or last, no weights on questions (users).
        sets: what tells sets of items apart, in which raters may have other levels: system,
            metadata.NAME (of `items`), or a regex, group 1.
        preferences: a question about pairs to learn from too (A, B or tie).
        joint_errors: learn how far raters' errors about one item go together, which predictions of
            several raters at once and comparisons then allow for.
        seed: seed of every random choice.

    Raises:
        ConfigError: a choice is not among those allowed.
    """

    word: ClassVar = "default"

    personal: Personal = "all"
    sets: str | None = None
    preferences: str | None = None
    joint_errors: bool = False
    seed: int = 0

    def __post_init__(self) -> None:
        check_word("personal", self.personal, PERSONAL)


@dataclass(frozen=True, slots=True)
class Published:
    """The network of the paper, whose setting is searched.

    Args:
        personal: what each rater has: all, or last, no weights on questions (users).
        grid: settings that the published network's search goes through: small, or published.
        folds: parts of that search, by item.
        seeds: published networks that are averaged.
        dropout: share of forms trained without their rater, for raters unknown.
        answer_embeddings: give answers of questions with more than 12 of them so many numbers
            each, as 5.
        start: standard deviation of the network's first weights, searched by default.
        mask_questions: share of the questions hidden in training, so that the network learns what
            a missing answer says.
        joint_errors: learn how far raters' errors about one item go together, which predictions of
            several raters at once and comparisons then allow for.
        seed: seed of every random choice.

    Raises:
        ConfigError: a choice is not among those allowed, or a number is outside its range.
    """

    word: ClassVar = "paper"

    personal: Personal = "all"
    grid: Literal["small", "published"] = "small"
    folds: int = 5
    seeds: int = 1
    dropout: float = 0.0
    answer_embeddings: int | None = None
    start: float | None = None
    mask_questions: float = 0.0
    joint_errors: bool = False
    seed: int = 0

    def __post_init__(self) -> None:
        check_word("personal", self.personal, PERSONAL)
        check_word("grid", self.grid, ("small", "published"))
        check_range("folds", self.folds, 2)
        check_range("seeds", self.seeds, 1)
        check_range("dropout", self.dropout, 0, 0.9)
        check_range("answer_embeddings", self.answer_embeddings, 1)
        check_range("start", self.start, 0.001, 10)
        check_range("mask_questions", self.mask_questions, 0, 0.9)


@dataclass(frozen=True, slots=True)
class Private:
    """The network of the paper with differential privacy: neither searched nor seeded.

    Args:
        epsilon: fit the published network with differential privacy of this epsilon, as 3,
            unseeded.
        delta: of the same.
        unit: what it protects: form (one person's answers about one item), or rater (all of a
            person's, then nobody is known by name).
    """

    word: ClassVar = "paper"

    epsilon: float
    delta: float = DELTA
    unit: Literal["form", "rater"] = "form"
