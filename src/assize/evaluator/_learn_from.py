"""What an evaluator learns from: ratings, a label of conversations, or several judges' votes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from assize.evaluator._training.settings import Preset
from assize.formats import JudgmentsLike
from assize.formats.labels import ItemLabels


@dataclass(frozen=True, slots=True)
class FromRatings:
    """Ratings and preferences.

    Args:
        judgments: files of ratings or preferences. Default: those among the items.
    """

    judgments: JudgmentsLike | None = None


@dataclass(frozen=True, slots=True)
class FromLabel:
    """What counts as good: the evaluator gets a head `label`.

    Args:
        label: what counts as good, in place of judgments, for example thumbs:up=1,down=0, or a file
            of ids and labels. In Python also a dict by id.
    """

    label: str | ItemLabels


@dataclass(frozen=True, slots=True)
class FromVotes:
    """Votes on pairs: a network and every judge's reliability are learnt together.

    Args:
        votes: votes of judges on the pairs; runs, files of judgments, P2-MTD files.
        preset: how to learn from votes: small, linear, or paper (as published).
        encoder: encoder of the conversations.
        dimensions: with votes, questions to learn. Default: all that were voted on.
        anchor: with votes, judges trusted to say which side is better; gold for known labels.
        tied: with votes, learn one reliability per judge and question (alpha = beta).
        members: with votes, number of networks in the ensemble.
        epochs: with votes, maximum passes over the pairs.
        seed: with votes, random seed; the same seed gives the same evaluator.
        checkpoints: with votes, folder of checkpoints: an interrupted training continues from
            there.
    """

    votes: JudgmentsLike
    preset: Preset = "small"
    encoder: str = "minilm"
    dimensions: str | Sequence[str] | None = None
    anchor: str | Sequence[str] | None = None
    tied: bool = False
    members: int | None = None
    epochs: int | None = None
    seed: int = 0
    checkpoints: str | Path | None = None
