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
        personal: which weights each rater has: all, or last (none on questions, for users).
        sets: what splits items into sets in which raters may have other levels: system,
            metadata.NAME (of `items`), or group 1 of a regular expression on ids.
        preferences: question about pairs (A, B or tie) to learn from too.
        joint_errors: also learn how the errors of raters about one item go together, for
            predictions of several raters and for comparisons.
        seed: random seed.

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


RANGES = {  # least, most
    "folds": (2,),
    "seeds": (1,),
    "dropout": (0, 0.9),
    "answer_embeddings": (1,),
    "start": (0.001, 10),
    "mask_questions": (0, 0.9),
}


@dataclass(frozen=True, slots=True)
class Published:
    """The network of the paper, whose setting is searched.

    Args:
        personal: which weights each rater has: all, or last (none on questions, for users).
        grid: settings to search for the published network: small or published.
        folds: number of folds of items, for the search of settings.
        seeds: number of published networks to average.
        dropout: share of training forms whose rater is hidden, so that unknown raters can be
            predicted.
        answer_embeddings: size of the embedding of an answer, for example 5, in questions with more
            than 12 answers.
        start: standard deviation of the network's first weights. Default: searched for.
        mask_questions: share of questions hidden in training, so that the network learns what a
            missing answer means.
        joint_errors: also learn how the errors of raters about one item go together, for
            predictions of several raters and for comparisons.
        seed: random seed.

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
        for name, ends in RANGES.items():
            check_range(name, getattr(self, name), *ends)


@dataclass(frozen=True, slots=True)
class Private:
    """The network of the paper with differential privacy: neither searched nor seeded.

    Args:
        epsilon: fit the published network with differential privacy of this epsilon, for example 3
            (takes no seed).
        delta: delta of the differential privacy.
        unit: what the privacy protects: form (one person's answers about one item), or rater (all
            of a person's answers, so that nobody is known by name).
    """

    word: ClassVar = "paper"

    epsilon: float
    delta: float = DELTA
    unit: Literal["form", "rater"] = "form"
