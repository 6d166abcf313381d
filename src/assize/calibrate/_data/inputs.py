"""What a calibrator is given beside answers and ratings: more features, and who the raters are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from assize.formats import JudgmentsLike


@dataclass(frozen=True, slots=True)
class Beside:
    """What is learnt from beside a model's answers.

    Args:
        scores: scores to learn from besides the model's answers (repeatable).
        embed: also learn from embeddings of `items` and of the model's free-text answers (questions
            of kind text), by minilm, hf:NAME or another encoder.
        metadata: also learn from these fields of `items`, separated by commas: system,
            metadata.NAME.
    """

    scores: JudgmentsLike | None = None
    embed: str | None = None
    metadata: str | Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class RaterRoles:
    """Who is predicted, who helps, who counts as one, and who is left out.

    Args:
        trusted: only predict these raters, and use all others as help (repeatable, or separated by
            commas).
        group: treat these raters as one, for example crowd=3,17,22 (repeatable).
        drop_rater: leave out all ratings by this rater (repeatable).
    """

    trusted: str | Sequence[str] | None = None
    group: Mapping[str, str | Sequence[str]] | None = None
    drop_rater: str | Sequence[str] = ()
