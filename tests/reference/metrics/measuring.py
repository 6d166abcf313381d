"""Metrics of texts in memory, through the pieces that the judge `metrics` is made of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from assize.base.conversation import Continuation
from assize.base.judgment import Unscored
from assize.encoders import Encoder, TokenStates
from assize.encoders.batching import distinct
from assize.reference._metrics.bertscore import BERTScore, directions, score_pair
from assize.reference._metrics.measure import (
    FloatArray,
    batches,
    measure_batch,
    opened_encoder,
)
from assize.reference._metrics.rouge import KINDS, Overlap, Read, RougeKind, overlaps
from assize.reference._metrics.table import MEAN, METRICS, PRESETS, chosen_metrics

PAIRS_AT_ONCE = 2048


@dataclass(frozen=True)
class Measured:
    """Metrics of N continuations: (N, M), and why values are NaN."""

    names: tuple[str, ...]
    values: FloatArray
    reasons: Mapping[tuple[int, int], Unscored]

    def column(self, name: str) -> FloatArray:
        return self.values[:, self.names.index(name)]


def measure(
    continuations: Iterable[Continuation],
    *,
    encoder: str | Encoder | None = None,
    metrics: str | Sequence[str] | None = None,
) -> Measured:
    """All batches one behind the other; means beside them where there are several references."""
    preset = PRESETS.get(metrics) if isinstance(metrics, str) else None
    names = chosen_metrics(metrics)
    opened: Encoder | None
    if encoder is None or isinstance(encoder, str):
        opened = opened_encoder(encoder, names, preset)
    else:
        opened = encoder
    parts = [measure_batch(batch, opened, names) for batch in batches(continuations)]
    several = any((part.references > 1).any() for part in parts)
    doubled = [at for at, name in enumerate(names) if METRICS[name].references and several]
    reasons: dict[tuple[int, int], Unscored] = {}
    start = 0
    for part in parts:
        for (row, column), why in part.reasons.items():
            reasons[start + row, column] = why
            if column in doubled:
                reasons[start + row, len(names) + doubled.index(column)] = why
        start += len(part.best)
    tables = [np.hstack([part.best, part.mean[:, doubled]]) for part in parts]
    values = np.concatenate(tables) if tables else np.empty((0, len(names)))
    return Measured((*names, *(names[at] + MEAN for at in doubled)), values, reasons)


def rouge(candidates: Sequence[str], references: Sequence[str]) -> dict[RougeKind, Overlap]:
    """ROUGE of P pairs of texts, by kind."""
    parts = []
    for start in range(0, max(len(candidates), 1), PAIRS_AT_ONCE):
        here = slice(start, start + PAIRS_AT_ONCE)
        texts, order = distinct([*candidates[here], *references[here]])
        parts.append(overlaps(Read.of(list(texts)), *np.split(order, 2)))
    return {
        kind: Overlap(
            *(
                np.concatenate([getattr(part[kind], name) for part in parts])
                for name in ("hits", "candidate", "reference")
            )
        )
        for kind in KINDS
    }


def bertscore(candidates: Sequence[TokenStates], references: Sequence[TokenStates]) -> BERTScore:
    """BERTScore of P pairs of texts, from the states of their tokens."""
    scores = [
        score_pair(directions(one), one.mask, directions(other), other.mask)
        for one, other in zip(candidates, references, strict=True)
    ]
    return BERTScore(*np.array(scores, dtype=float).reshape(-1, 2).T)
