"""ROUGE-1, -2, -L and -Lsum: precision, recall and F1 of many pairs at once.

Equal to the package rouge-score (version 0.1.2) on texts in ASCII or Latin letters. N-grams
of all pairs are counted together; see `lcs` for the rest. ROUGE-Lsum takes lines for sentences, as
rouge-score does unless it is told to split.

Source: Lin (2004), "ROUGE: A Package for Automatic Evaluation of Summaries", sections 2 and 3.
Differs, as rouge-score does: in Lsum a token counts at most as often as both texts hold it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from assize.reference._metrics.bags import Bags, IntArray, Vocabulary, shared
from assize.reference._metrics.lcs import lcs_length, lcs_pairs, places
from assize.reference._metrics.tokens import tokenise

FloatArray = NDArray[np.float64]
RougeKind = Literal["rouge1", "rouge2", "rougel", "rougelsum"]
KINDS: tuple[RougeKind, ...] = ("rouge1", "rouge2", "rougel", "rougelsum")


@dataclass(frozen=True, slots=True, eq=False)
class Overlap:
    """What two texts share, of P pairs.

    Args:
        hits: (P,) units that they share.
        candidate: (P,) units of the candidate.
        reference: (P,) units of the reference.
    """

    hits: IntArray
    candidate: IntArray
    reference: IntArray

    @property
    def precision(self) -> FloatArray:
        """(P,) the share of the candidate; 0 where it has none."""
        return self.hits / np.maximum(self.candidate, 1)

    @property
    def recall(self) -> FloatArray:
        """(P,) the share of the reference; 0 where it has none."""
        return self.hits / np.maximum(self.reference, 1)

    @property
    def f1(self) -> FloatArray:
        """(P,) harmonic mean of both; 0 where both are 0."""
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / np.where(total > 0, total, 1)

    @property
    def undefined(self) -> NDArray[np.bool_]:
        """(P,) whether neither text holds a unit, so that there is nothing to share."""
        found: NDArray[np.bool_] = (self.candidate == 0) & (self.reference == 0)
        return found


@dataclass(frozen=True, slots=True, eq=False)
class Read:
    """Texts as ROUGE reads them.

    Args:
        ids: a text's tokens as numbers.
        lines: the same, cut at line breaks; lines without a token are left out.
        size: how many different tokens there are.
    """

    ids: Sequence[IntArray]
    lines: Sequence[Sequence[Sequence[int]]]
    size: int

    @classmethod
    def of(cls, texts: Sequence[str]) -> Read:
        """The tokens of some texts, numbered together."""
        known = Vocabulary()
        lines = [list(_lines(text, known)) for text in texts]
        ids = [np.array([token for line in text for token in line], np.int64) for text in lines]
        return cls(ids, lines, len(known))


def _lines(text: str, known: Vocabulary) -> Iterator[list[int]]:
    for line in text.split("\n") if "\n" in text else (text,):
        found = [known[token] for token in tokenise(line)]
        if found:
            yield found


def overlaps(read: Read, first: IntArray, second: IntArray) -> Mapping[RougeKind, Overlap]:
    """What P pairs of texts share, by kind.

    Args:
        first, second: (P,) the places of candidates and references among the texts read.
    """
    words = [Bags.of([read.ids[at] for at in side], read.size) for side in (first, second)]
    pairs = [one.pairs() for one in words]
    lines = [(read.lines[one], read.lines[other]) for one, other in zip(first, second, strict=True)]
    longest = np.array([lcs_length(_flat(one), _flat(other)) for one, other in lines], np.int64)
    in_lines = np.array(
        [
            length if len(one) <= 1 and len(other) <= 1 else _line_hits(one, other)
            for (one, other), length in zip(lines, longest, strict=True)
        ],
        np.int64,
    )
    counts = (words[0].lengths, words[1].lengths)
    return {
        "rouge1": Overlap(shared(*words), *counts),
        "rouge2": Overlap(shared(*pairs), pairs[0].lengths, pairs[1].lengths),
        "rougel": Overlap(longest, *counts),
        "rougelsum": Overlap(in_lines, *counts),
    }


def _flat(lines: Sequence[Sequence[int]]) -> Sequence[int]:
    return lines[0] if len(lines) == 1 else [token for line in lines for token in line]


def _line_hits(candidate: Sequence[Sequence[int]], reference: Sequence[Sequence[int]]) -> int:
    """Tokens of the reference's lines that stand in the union of their subsequences."""
    left = Counter(token for line in reference for token in line)
    left &= Counter(token for line in candidate for token in line)
    where = [(line, places(line)) for line in candidate]
    hits = 0
    for line in reference:
        union: set[int] = set()
        for other, of_other in where:
            here = [place for place, token in enumerate(line) if token in of_other]
            if len(here) > 1:
                here = [place for place, _ in lcs_pairs(line, other, of_other)]
            union.update(here)
        for place in sorted(union):
            if left[line[place]] > 0:
                left[line[place]] -= 1
                hits += 1
    return hits
