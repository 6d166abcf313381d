"""A trained evaluator: a frozen encoder, a featuriser, a head, and what the head's numbers mean."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
from numpy.typing import NDArray

from assize.base.conversation import Item, Pair
from assize.base.errors import DataError
from assize.base.judgment import PREFERENCE, Judgment, Question
from assize.base.record_parts import FIGURES, Kinds, to_parts
from assize.base.signature import sign_arrays
from assize.encoders import Encoder
from assize.evaluator._features.featuriser import Features, Featuriser, width
from assize.evaluator._heads.head import HEADS, Head
from assize.evaluator._heads.scored_question import ScoredQuestion
from assize.results import Column, Estimate, Result, Table
from assize.stats._arrays import FloatArray

if TYPE_CHECKING:
    from assize.formats import ItemsLike
    from assize.judgments import JudgmentTable

SCORING_VERSION = 1  # rises when the same artefact gives other scores
INTERVALS = "95% intervals from the observed information, given the network."


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
        learnt_from: hashes of the items and turns that it learnt from.

    Raises:
        DataError: the head answers other questions than `scored`, or reads other features.
    """

    name: str
    encoder: Encoder = field(repr=False)
    featuriser: Featuriser = field(repr=False)
    head: Annotated[Head, Kinds(HEADS)] = field(repr=False)
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
        FIGURES,
    ] = ()
    learnt_from: frozenset[str] = field(default=frozenset(), repr=False)

    def __post_init__(self) -> None:
        if list(self.head.questions) != list(self.scored):
            answered, scored = (", ".join(ids) for ids in (self.head.questions, self.scored))
            raise DataError(f"the head answers {answered}; its scores are of {scored}")
        if any(name != one.question.id for name, one in self.scored.items()):
            raise DataError("a question stands under another name than its own")
        if not self.scored or self.main.pairs_only or self.tie < 0:
            raise DataError("needs a question that is not of pairs alone, and a tie from 0")
        if self.head.width != self.width:
            raise DataError(f"the head reads {self.head.width} features; there are {self.width}")

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
        import_module("assize.evaluator._artefact").save(self, Path(folder))

    def raw(self, rows: Sequence[Features] | FloatArray) -> FloatArray:
        """Raw numbers (N, H) of the features of N views, before the maps."""
        return self.head.raw(rows)

    def parts(self) -> tuple[dict[str, Any], dict[str, NDArray[Any]]]:
        """What the manifest and the arrays hold of it; its head with 32 bits."""
        facts, arrays = to_parts(self, leave=("encoder", "featuriser", "learnt_from"))
        for name, array in arrays.items():
            if name.startswith("head."):
                arrays[name] = array.astype(np.float32)
        return facts, arrays

    @cached_property
    def signature(self) -> str:
        """Twelve digits that stand for everything that can change a score."""
        facts, arrays = self.parts()
        featuriser = self.featuriser
        parts = [
            SCORING_VERSION,
            [featuriser.name, featuriser.version, dict(featuriser.settings)],
            self.encoder.signature,
            self.tie,
            facts["head"],
            {name: one.ties.threshold for name, one in self.scored.items() if one.ties},
        ]
        lines = {name: to_parts(one.answers) for name, one in self.scored.items() if one.answers}
        if lines:
            parts.append(lines)
        return sign_arrays(parts, arrays)
