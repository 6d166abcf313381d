"""BERTScore: each token held against the most similar one of the other text.

Equal to the package bert-score (version 0.3.13) without idf on the same states, a pair at a time.
(In its batches a token that is unlike all others, with a cosine below 0, is matched with padding,
whose cosine counts as 0.) Marks such as [CLS] and [SEP] may be matched but weigh nothing, as there.

Source: Zhang et al. (2020), "BERTScore: Evaluating Text Generation with BERT", section 3. Differs:
a text longer than the model's window is read in several windows, where bert-score cuts it; a text
without a token has NaN, where bert-score fails or gives 0; "[SEP]" within a text is text; and the
blank that bert-score asks for before texts of RoBERTa and GPT-2 is left out, as transformers 5
leaves it out there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assize.encoders import TokenStates

FloatArray = NDArray[np.float64]
_AT_ONCE = 1 << 22  # cosines held in memory together: 16 MB
_ALONE = 1 << 18  # products (rows x R x D) up to which OpenBLAS multiplies in one thread
_MOST_BLOCKS = 64  # of that size; a longer text is worth several threads


@dataclass(frozen=True, slots=True, eq=False)
class BERTScore:
    """BERTScore of P pairs; (P,) each, in [-1, 1], NaN where a text has no token."""

    precision: FloatArray
    recall: FloatArray

    @property
    def f1(self) -> FloatArray:
        """Harmonic mean of both, 0 where their sum is; within [-1, 1] where their signs differ."""
        total = self.precision + self.recall
        product = 2 * self.precision * self.recall
        found = np.divide(product, total, out=np.zeros_like(total), where=total != 0)
        return np.clip(found, -1, 1)


def directions(states: TokenStates) -> NDArray[np.float32]:
    """(T, D) each token's state brought to length 1; zeros stay."""
    lengths = np.sqrt(np.einsum("td,td->t", states.states, states.states))
    lengths[lengths == 0] = 1
    found: NDArray[np.float32] = states.states / lengths[:, None]
    return found


def score_pair(
    candidate: NDArray[np.float32],
    of_candidate: NDArray[np.bool_],
    reference: NDArray[np.float32],
    of_reference: NDArray[np.bool_],
) -> tuple[float, float]:
    """Precision and recall of one pair.

    Args:
        candidate, reference: (C, D) and (R, D), as `directions` gives them.
        of_candidate, of_reference: (C,) and (R,) False for marks.
    """
    if not of_candidate.any() or not of_reference.any():
        return np.nan, np.nan
    rows = np.empty(len(candidate), np.float32)
    columns = np.full(len(reference), -np.inf, np.float32)
    for start, cosines in _blocks(candidate, reference):
        rows[start : start + len(cosines)] = cosines.max(axis=1)
        np.maximum(columns, cosines.max(axis=0), out=columns)
    return (
        float(rows[of_candidate].mean(dtype=np.float64)),
        float(columns[of_reference].mean(dtype=np.float64)),
    )


def _blocks(
    candidate: NDArray[np.float32], reference: NDArray[np.float32]
) -> Iterator[tuple[int, NDArray[np.float32]]]:
    """The cosines of a few rows of the candidate at a time, and the first row's place.

    Texts of common length are multiplied in blocks that the library does in this thread: those it
    hands to several cost more in waking them than they take.
    """
    step = max(1, _ALONE // reference.size)
    if len(candidate) > _MOST_BLOCKS * step:
        step = max(1, _AT_ONCE // len(reference))
    for start in range(0, len(candidate), step):
        yield start, candidate[start : start + step] @ reference.T  # (rows, R)
