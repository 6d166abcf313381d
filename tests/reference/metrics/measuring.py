"""Metrics of texts in memory, through the pieces that the judge `metrics` is made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from assize.base.conversation import Continuation
from assize.encoders import Encoder, TokenStates
from assize.encoders.batching import distinct
from assize.reference._metrics.bertscore import BERTScore, directions, score_pair
from assize.reference._metrics.measure import Batch, measure_batch
from assize.reference._metrics.rouge import Overlap, Read, RougeKind, overlaps
from assize.reference._metrics.table import chosen_metrics


def measure(
    continuations: Sequence[Continuation],
    *,
    encoder: Encoder | None = None,
    metrics: str | Sequence[str] | None = None,
) -> Batch:
    """The metrics of a few continuations, all at once."""
    return measure_batch(continuations, encoder, chosen_metrics(metrics))


def rouge(candidates: Sequence[str], references: Sequence[str]) -> Mapping[RougeKind, Overlap]:
    """ROUGE of P pairs of texts, by kind."""
    texts, order = distinct([*candidates, *references])
    return overlaps(Read.of(list(texts)), *np.split(order, 2))


def bertscore(candidates: Sequence[TokenStates], references: Sequence[TokenStates]) -> BERTScore:
    """BERTScore of P pairs of texts, from the states of their tokens."""
    scores = [
        score_pair(directions(one), one.mask, directions(other), other.mask)
        for one, other in zip(candidates, references, strict=True)
    ]
    return BERTScore(*np.array(scores, dtype=float).reshape(-1, 2).T)
