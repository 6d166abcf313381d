"""A trained evaluator: a frozen encoder, a featuriser, a head, and what the head's numbers mean."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
from numpy.typing import NDArray

from assize.conversation import Item, Pair
from assize.encoders import Encoder
from assize.errors import DataError
from assize.evaluator.features.featuriser import Features, Featuriser, width
from assize.evaluator.features.surface import FloatArray
from assize.evaluator.heads.head import Head
from assize.evaluator.heads.scored_question import ScoredQuestion
from assize.judgment import PREFERENCE, Judgment, Question
from assize.results import Column, Estimate, Result, Table
from assize.signature import sign_text

if TYPE_CHECKING:
    from assize.formats import ItemsLike
    from assize.judgments import JudgmentTable

SCORING_VERSION = 1  # rises when the same artefact gives other scores
INTERVALS = "95% intervals from the observed information, given the network."
FIRST: tuple[Any, ...] = ("turns", {}, "linear", {})  # what there was before there were others


@dataclass(frozen=True, slots=True)
class JudgeReliability:
    """What an evaluator learnt of a judge whose votes taught it, on one question.

    Args:
        alpha, beta: sensitivity P(A | A is better) and specificity P(B | B is better) among
            its `n` votes for a side; both orders of a pair are two votes.
        agrees: share of these votes that the network agrees with on pairs it did not learn from.
    """

    question: str
    judge: str
    alpha: Annotated[Estimate, Column(digits=2)]
    beta: Annotated[Estimate, Column(digits=2)]
    agrees: Annotated[float, Column(digits=2)]


@dataclass(frozen=True)
class Evaluator(Result):
    """A frozen encoder with a featuriser, a head, and one question or more.

    Args:
        name: stands in the judge's name, `evaluator@NAME`.
        encoder: what the head was trained on.
        featuriser: what the head is given of a view.
        head: gives a raw number a question.
        scored: by question id, in the head's order; the first one decides `preference` and
            is not for pairs only.
        tie: raw numbers closer than this make a preference a tie; in standard
            deviations of the first question's predictions on the training data.
        about: free facts for the reader: version, date, data, licence.
        reliabilities: of the judges whose votes taught it; none where it learnt otherwise.

    Raises:
        DataError: the head answers other questions than `scored`.
    """

    name: str
    encoder: Encoder = field(repr=False)
    featuriser: Featuriser = field(repr=False)
    head: Head = field(repr=False)
    scored: Annotated[
        Mapping[str, ScoredQuestion],
        Table("Questions", "What it scores, and what it was trained on.", key="question"),
    ]
    tie: float = 0.05
    about: Mapping[str, Any] = field(default_factory=dict)
    reliabilities: Annotated[
        Sequence[JudgeReliability],
        Table(
            "Reliability of the judges",
            "How often each judge whose votes taught it is right.",
            notes=[
                "alpha: votes A where A is better. beta: votes B where B is better. agrees: share"
                " of votes that the network agrees with on held-out pairs. n: votes for a side;"
                " ties are left out.",
                INTERVALS,
            ],
        ),
    ] = ()

    def __post_init__(self) -> None:
        if list(self.head.questions) != list(self.scored):
            answered, scored = (", ".join(ids) for ids in (self.head.questions, self.scored))
            raise DataError(f"the head answers {answered}; its scores are of {scored}")

    @property
    def judge(self) -> str:
        """The judge's name in judgments."""
        return f"evaluator@{self.name}"

    @property
    def main(self) -> ScoredQuestion:
        """The question that heads the table and decides preferences."""
        return next(iter(self.scored.values()))

    def reads(self, language: str | None) -> bool:
        """Whether the encoder can make sense of a language; `minilm` reads English alone, and
        what is not recognised counts as read."""
        return self.encoder.name != "minilm" or language in (None, "en")

    @property
    def sentence(self) -> str:
        """What it scores."""
        return f"{self.judge} scores {', '.join(self.scored)}."

    @property
    def questions(self) -> tuple[Question, ...]:
        """What the head answers, and the one that pairs are asked."""
        return (*(one.question for one in self.scored.values()), PREFERENCE)

    @property
    def pair_questions(self) -> tuple[Question, ...]:
        """What pairs are asked: `preference`, and a preference by each question that has a
        tie rule or is for pairs alone."""
        asked = (
            one.question if one.pairs_only else one.of_pairs
            for one in self.scored.values()
            if one.pairs_only or one.ties is not None
        )
        return (PREFERENCE, *asked)

    @property
    def questions_apart(self) -> tuple[Question, ...]:
        """What dialogues and pairs are asked, under names that differ where scales do; see
        `apart`."""
        alone = (one.beside_pairs for one in self.scored.values() if not one.pairs_only)
        return (*alone, *self.pair_questions)

    def apart(self, item: Item, rows: Iterable[Judgment]) -> list[Judgment]:
        """The rows of an item under the names of `questions_apart`, so that they can stand in
        one table with those of all other items, and with those of judges of pairs."""
        if isinstance(item, Pair):
            return list(rows)
        return [replace(row, question=self.scored[row.question].beside_pairs.id) for row in rows]

    @property
    def width(self) -> int:
        """How many features a row has."""
        return width(self.featuriser, self.encoder)

    def score(
        self, items: ItemsLike, *, turns: bool = False, explain: bool = False
    ) -> JudgmentTable:
        """Its scores of items, encoded and scored a batch at a time.

        Args:
            items: paths, conversations, pairs or continuations, records, dicts, tables.
            turns: also of every assistant turn.
            explain: also by how much each exchange moves a conversation's score.

        `assize.score` has more to choose.
        """
        named = {"turns": turns, "explain": explain}
        found: JudgmentTable = import_module("assize").score(items, evaluator=self, **named)
        return found

    def predict(self, items: ItemsLike, *, turns: bool = False) -> JudgmentTable:
        """`score`, under the name that all that is learnt has for it."""
        return self.score(items, turns=turns)

    def save(self, folder: str | Path) -> None:
        """Writes it; an earlier evaluator there is replaced whole.

        Raises:
            OutputError: the folder cannot be written.
        """
        import_module("assize.evaluator.artefact").save(self, Path(folder))

    def raw(self, rows: Sequence[Features] | FloatArray) -> FloatArray:
        """Raw numbers (N, H) of the features of N views, before the maps."""
        return self.head.raw(rows)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """All numbers by name: the head's, and (2, K) knots and levels of each map."""
        maps = {
            f"map.{level}.{name}": np.stack([shaped.knots, shaped.levels])
            for name, one in self.scored.items()
            for level, shaped in one.maps.items()
        }
        scales = {
            f"scale.{name}": np.stack([one.scale.knots, one.scale.levels])
            for name, one in self.scored.items()
            if one.scale is not None
        }
        return {**self.head.arrays(), **maps, **scales}

    @cached_property
    def signature(self) -> str:
        """Twelve digits that stand for everything that can change a score."""
        featuriser, head = self.featuriser, self.head
        made_of = (featuriser.name, dict(featuriser.settings), head.kind, dict(head.settings))
        parts = [
            SCORING_VERSION,
            featuriser.version,
            self.encoder.signature,
            self.tie,
            *(part.tobytes().hex() for _, part in sorted(self.arrays().items())),
            *(() if made_of == FIRST else made_of),
            *((name, one.ties.threshold) for name, one in self.scored.items() if one.ties),
        ]
        return sign_text(json.dumps(parts))
