"""The surface features of a batch: from the styles of its texts, and the words of its contexts.

Letters: N continuations, P pairs of a candidate and one of its references.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise

import numpy as np

from assize.reference._metrics.bags import Bags, IntArray, Vocabulary, shared
from assize.reference._metrics.compared import Compared
from assize.reference._metrics.rouge import Overlap
from assize.reference._metrics.surface import lexicon
from assize.reference._metrics.surface.style import (
    BLOCK,
    PERSON,
    SHAPE,
    WIDTH,
    FloatArray,
    Style,
    alike,
)
from assize.reference._metrics.tokens import words


def surface(compared: Compared) -> dict[str, FloatArray]:
    """Every surface feature by its metric's name, (N,) or (P,) as the table says."""
    texts = _Texts(compared)
    found = _of_pairs(texts) | _of_candidates(texts)
    novelty = texts.novelty(compared.candidate, range(len(compared.candidate)))
    of_reference = texts.novelty(compared.right, compared.owner.tolist())
    return found | {
        "novelty": novelty,
        "novelty-shift": novelty[compared.owner] - of_reference,
        "echo": texts.echo(),
        "context-overlap": texts.asked_about(),
    }


class _Texts:
    """What the features know of a batch's texts; each text is read once."""

    def __init__(self, compared: Compared) -> None:
        self.compared = compared
        self._words: dict[int, Sequence[str]] = {}
        self._held: dict[int, frozenset[str]] = {}
        said = {*compared.candidate.tolist(), *compared.right.tolist()} - {-1}
        self.styles = {at: Style.of(compared.texts[at]) for at in said}

    @cached_property
    def rows(self) -> FloatArray:
        """(texts, WIDTH) the styles' rows; NaN where a text has none, and in the last row."""
        found = np.full((len(self.compared.texts) + 1, WIDTH), np.nan)
        for at, style in self.styles.items():
            found[at] = style.row
        return found

    def shared(self, what: str) -> Overlap:
        """What candidates and references have in common of a style's words, of each pair."""
        known = Vocabulary()
        ids = {at: known.ids(getattr(style, what)) for at, style in self.styles.items()}
        sides = [
            Bags.of([ids[at] for at in side.tolist()], len(known))
            for side in (self.compared.left, self.compared.right)
        ]
        return Overlap(shared(*sides), sides[0].lengths, sides[1].lengths)

    def counted(self, what: str) -> FloatArray:
        """(N,) how many words each candidate has that are `content`, or `distinct` ones."""
        counts = {
            at: len(style.content if what == "content" else set(style.words))
            for at, style in self.styles.items()
        }
        candidates = self.compared.candidate.tolist()
        return np.array([counts[at] if at >= 0 else np.nan for at in candidates], np.float64)

    def words(self, at: int) -> Sequence[str]:
        """The words of any text."""
        if at in self.styles:
            return self.styles[at].words
        if at not in self._words:
            self._words[at] = words(self.compared.texts[at])
        return self._words[at]

    def held(self, at: int) -> frozenset[str]:
        """The different words of any text."""
        if at not in self._held:
            self._held[at] = frozenset(self.words(at))
        return self._held[at]

    def novelty(self, texts: IntArray, owners: Sequence[int] | range) -> FloatArray:
        """The share of a text's different words that its context does not hold.

        NaN where the text or the context has no word.
        """
        before: list[frozenset[str]] = [
            frozenset().union(*(self.held(at) for at, _ in turns))
            for turns in self.compared.context
        ]
        novelty = np.full(len(texts), np.nan)
        for row, (text, owner) in enumerate(zip(texts.tolist(), owners, strict=True)):
            words = self.held(text) if text >= 0 else frozenset()
            if words and before[owner]:
                novelty[row] = len(words - before[owner]) / len(words)
        return novelty

    def echo(self) -> FloatArray:
        """(N,) the share of the candidate's pairs of words that the assistant has said before."""
        found = np.full(len(self.compared.candidate), np.nan)
        for place, at in enumerate(self.compared.candidate.tolist()):
            pairs = _pairs(self.words(at)) if at >= 0 else frozenset()
            if pairs:
                said = [
                    _pairs(self.words(turn)) for turn, own in self.compared.context[place] if own
                ]
                found[place] = len(pairs & frozenset().union(*said)) / len(pairs)
        return found

    def asked_about(self) -> FloatArray:
        """(N,) the share of the content words of the user's turn that the candidate takes up."""
        found = np.full(len(self.compared.candidate), np.nan)
        for place, (at, last) in enumerate(
            zip(self.compared.candidate.tolist(), self.compared.last.tolist(), strict=True)
        ):
            asked = self.held(last) - lexicon.FUNCTION_WORDS if last >= 0 else frozenset()
            if at >= 0 and asked:
                found[place] = len(asked & self.held(at)) / len(asked)
        return found


def _pairs(found: Sequence[str]) -> frozenset[tuple[str, str]]:
    return frozenset(pairwise(found))


def _of_candidates(texts: _Texts) -> dict[str, FloatArray]:
    rows = texts.rows[texts.compared.candidate]
    shape = dict(zip(SHAPE, rows[:, BLOCK["shape"]].T, strict=True))
    words = np.maximum(shape["words"], 1)  # NaN stays
    people = rows[:, BLOCK["person"]] / words[:, None]
    return {
        **{f"{name}-person": people[:, at] for at, name in enumerate(PERSON)},
        "word-length": shape["word_length"],
        "sentence-length": shape["sentence_length"],
        "function-words": (shape["words"] - texts.counted("content")) / words,
        "distinct-words": texts.counted("distinct") / words,
        "length": np.log2(1 + shape["words"]),
        "asks": shape["question"],
        "sentiment": shape["sentiment"],
        "formality": shape["formality"],
        "repetition": shape["repetition"],
        "emoji": shape["emoji"],
        "self-identification": shape["self"],
        "formatting": rows[:, BLOCK["format"]].mean(axis=1),
    }


def _of_pairs(texts: _Texts) -> dict[str, FloatArray]:
    first, second = (texts.rows[side] for side in (texts.compared.left, texts.compared.right))
    one, other = (
        dict(zip(SHAPE, rows[:, BLOCK["shape"]].T, strict=True)) for rows in (first, second)
    )
    ratio = np.log2((1 + one["words"]) / (1 + other["words"]))
    content = texts.shared("content")
    return {
        "length-ratio": ratio,
        "length-match": 2.0 ** -np.abs(ratio),
        "question": (one["question"] == other["question"]).astype(np.float64),
        "polarity-match": 1 - np.abs(one["polarity"] - other["polarity"]) / 2,
        **{
            f"{name.replace('_', '-')}-shift": one[name] - other[name]
            for name in ("sentiment", "formality", "word_length", "sentence_length", "emoji")
        },
        **{
            f"{said}-match": alike(first[:, BLOCK[name]], second[:, BLOCK[name]])
            for said, name in (
                ("person", "person"),
                ("format", "format"),
                ("punctuation", "marks"),
                ("manners", "manners"),
            )
        },
        "content-overlap": np.where(content.undefined, np.nan, content.f1),
        **{
            f"{what}-overlap": np.where(both.undefined, 1.0, both.f1)
            for what, both in (("number", texts.shared("numbers")), ("name", texts.shared("names")))
        },
    }
