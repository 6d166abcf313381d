"""All local metrics of many continuations: what the judge `metrics`, ensembles and studies use.

Texts are taken a batch at a time, so that memory beyond the result does not grow with their
number. Each different text of a batch goes through the encoder once, and its vector and the states
of its tokens serve cosine and BERTScore together.

Letters: N continuations, M metrics, P pairs of a candidate and one of its references.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assize.base.conversation import Continuation
from assize.base.errors import ConfigError
from assize.base.judgment import Unscored
from assize.encoders import Encoder, Encoding, find_unreadable, load_encoder
from assize.reference._metrics.bertscore import BERTScore, directions, score_pair
from assize.reference._metrics.compared import Compared
from assize.reference._metrics.rouge import Read, overlaps
from assize.reference._metrics.surface.features import surface
from assize.reference._metrics.table import (
    ENCODED,
    METRICS,
    Metric,
    Preset,
)

FloatArray = NDArray[np.float64]
NO_CANDIDATE = Unscored("empty", "the candidate holds no text")
NO_REFERENCE = Unscored("missing", "there is no reference")
BLANK_REFERENCE = Unscored("empty", "no reference holds text")
MOST = 512  # continuations of a batch
CHARACTERS = 200_000  # of candidates and references in a batch: about 80 MB of minilm's states


def opened_encoder(
    encoder: str | None,
    metrics: Sequence[str],
    preset: Preset | None = None,
) -> Encoder | None:
    """The encoder, or None where no metric needs one; a preset's pooling is its own."""
    if not any(METRICS[name].family in ENCODED for name in metrics):
        return None
    if preset is not None:
        named = preset.encoder if encoder is None else encoder
        return load_encoder(named, pooling=preset.pooling)
    return load_encoder("minilm" if encoder is None else encoder)


def batches(continuations: Iterable[Continuation]) -> Iterator[list[Continuation]]:
    """Runs of continuations whose states fit into memory together."""
    batch: list[Continuation] = []
    held = 0
    for one in continuations:
        length = len(one.candidate) + sum(map(len, one.references))
        if batch and (len(batch) == MOST or held + length > CHARACTERS):
            yield batch
            batch, held = [], 0
        batch.append(one)
        held += length
    if batch:
        yield batch


@dataclass(frozen=True, slots=True, eq=False)
class Batch:
    """A batch's values.

    Args:
        best: (N, M) by the best reference.
        mean: (N, M) mean over the references.
        picked: (N, M) the place of the best reference among all of the continuation; -1 for none.
        references: (N,) how many references hold text.
        reasons: as in `Measured`, of the best.
    """

    best: FloatArray
    mean: FloatArray
    picked: NDArray[np.int64]
    references: NDArray[np.int64]
    reasons: Mapping[tuple[int, int], Unscored]


def measure_batch(
    continuations: Sequence[Continuation], encoder: Encoder | None, metrics: Sequence[str]
) -> Batch:
    """The metrics of a few continuations, all in memory at once."""
    compared = Compared.of(continuations)
    families = {METRICS[name].family for name in metrics}
    # Words are counted while the encoder, which lets go of the interpreter, works.
    with ThreadPoolExecutor(1) as beside:
        counted = beside.submit(_counted, compared, families)
        found: dict[str, FloatArray] = {}
        unread: Mapping[int, Unscored] = {}
        if encoder is not None:
            unread = _find_unread(compared, encoder)
            found |= _encoded(compared, encoder, "bertscore" in families, unread)
        found |= counted.result()
    best, mean, picked = _over_references(compared, found, metrics)
    counts = np.bincount(compared.owner, minlength=len(continuations))
    reasons = _reasons(continuations, compared, best, metrics, unread)
    return Batch(best, mean, picked, counts, reasons)


def _find_unread(compared: Compared, encoder: Encoder) -> dict[int, Unscored]:
    """By number, the texts to be encoded that the encoder cannot read."""
    numbers = np.unique(np.concatenate([compared.candidate, compared.right, compared.last]))
    numbers = numbers[numbers >= 0]
    unread = find_unreadable(encoder, [compared.texts[number] for number in numbers])
    return {int(numbers[index]): reason for index, reason in unread.items()}


def _encoded(
    compared: Compared, encoder: Encoder, states: bool, unread: Mapping[int, Unscored]
) -> dict[str, FloatArray]:
    """Cosines, and BERTScore where it is asked for, from one pass over the different texts.

    NaN where a text is among those `unread`.
    """
    said = np.unique(np.concatenate([compared.candidate, compared.right]))
    said = said[said >= 0]
    turns = np.setdiff1d(compared.last[compared.last >= 0], said)
    vectors = np.full((len(compared.texts) + 1, encoder.dimension), np.nan)  # the last: no text
    encoding = _with_states(encoder, [compared.texts[at] for at in said], states)
    vectors[said] = encoding.vectors
    vectors[turns] = encoder.encode([compared.texts[at] for at in turns]).vectors
    vectors[list(unread)] = np.nan
    asked = vectors[compared.last]
    context = _dots(vectors[compared.candidate], asked)
    of_reference = _dots(vectors[compared.right], asked[compared.owner])
    found = {
        "cosine": _dots(vectors[compared.left], vectors[compared.right]),
        "context-cosine": context,
        "reference-context-cosine": of_reference,
        "context-cosine-shift": context[compared.owner] - of_reference,
    }
    if encoding.tokens is None:
        return found
    units = {
        int(at): (directions(one), one.mask) for at, one in zip(said, encoding.tokens, strict=True)
    }
    scores = np.array(
        [
            (np.nan, np.nan)
            if left in unread or right in unread
            else score_pair(*units[left], *units[right])
            for left, right in zip(compared.left.tolist(), compared.right.tolist(), strict=True)
        ]
    ).reshape(-1, 2)
    score = BERTScore(*scores.T)
    return found | {
        f"bertscore-{part}": getattr(score, part) for part in ("precision", "recall", "f1")
    }


def _with_states(encoder: Encoder, texts: Sequence[str], states: bool) -> Encoding:
    try:
        return encoder.encode(texts, tokens=states)
    except ConfigError as error:
        if not states:
            raise
        tip = "BERTScore needs them: name other metrics, such as cosine (--metric cosine)"
        raise ConfigError(f"{error}; {tip}") from error


def _dots(first: FloatArray, second: FloatArray) -> FloatArray:
    """Row by row, within [-1, 1]; NaN where a row is NaN."""
    found: FloatArray = np.clip(np.einsum("pd,pd->p", first, second), -1, 1)
    return found


def _counted(compared: Compared, families: Set[str]) -> dict[str, FloatArray]:
    """What needs no encoder."""
    found = surface(compared) if "surface" in families else {}
    if "rouge" in families:
        pairs = np.concatenate([compared.left, compared.right])
        said, order = np.unique(pairs, return_inverse=True)
        read = Read.of([compared.texts[at] for at in said])
        shares = overlaps(read, *np.split(order.astype(np.int64), 2))
        for kind, share in shares.items():
            for part in ("precision", "recall", "f1"):
                values = np.where(share.undefined, np.nan, getattr(share, part))
                found[f"{kind}-{part}"] = values
    return found


def _over_references(
    compared: Compared, found: Mapping[str, FloatArray], names: Sequence[str]
) -> tuple[FloatArray, FloatArray, NDArray[np.int64]]:
    """(N, M) each: the best over a continuation's references, the mean, and which was the best."""
    count = len(compared.candidate)
    best, mean = np.full((count, len(names)), np.nan), np.full((count, len(names)), np.nan)
    picked = np.full((count, len(names)), -1, np.int64)
    for column, name in enumerate(names):
        metric, values = METRICS[name], found[name]
        if not metric.references:
            best[:, column] = mean[:, column] = np.where(compared.candidate >= 0, values, np.nan)
            continue
        picks = found[name if metric.by is None else metric.by]
        nearest = METRICS[name if metric.by is None else metric.by].best == "nearest"
        key = np.where(np.isnan(picks), -np.inf, -np.abs(picks) if nearest else picks)
        order = np.lexsort((-np.arange(len(key)), key, compared.owner))  # the first of equals wins
        owners = compared.owner[order]
        ends = np.flatnonzero(np.diff(owners, append=count))
        best[owners[ends], column] = values[order[ends]]
        picked[owners[ends], column] = compared.which[order[ends]]
        known = ~np.isnan(values)
        sums = np.bincount(compared.owner[known], values[known], minlength=count)
        counts = np.bincount(compared.owner[known], minlength=count)
        mean[counts > 0, column] = sums[counts > 0] / counts[counts > 0]
    return best, mean, picked


def _reasons(
    continuations: Sequence[Continuation],
    compared: Compared,
    best: FloatArray,
    names: Sequence[str],
    unread: Mapping[int, Unscored],
) -> dict[tuple[int, int], Unscored]:
    paired = set(compared.owner.tolist())
    found = {}
    for row, column in np.argwhere(np.isnan(best)).tolist():
        metric = METRICS[names[column]]
        alone = metric.references and row not in paired
        reasons = {
            NO_CANDIDATE: compared.candidate[row] < 0,
            NO_REFERENCE: alone and not continuations[row].references,
            BLANK_REFERENCE: alone,
        }
        why = next((reason for reason, holds in reasons.items() if holds), None)
        found[row, column] = why or _unread(compared, row, metric, unread) or metric.absent
    return found


def _unread(
    compared: Compared, row: int, metric: Metric, unread: Mapping[int, Unscored]
) -> Unscored | None:
    """Why the encoder cannot read a text that the metric needs, and which text; None if it can."""
    texts = {int(compared.candidate[row]): "candidate"} if metric.family in ENCODED else {}
    if texts and metric.references:
        texts |= {int(text): "reference" for text in compared.right[compared.owner == row]}
    if texts and "context" in metric.id:
        texts |= {int(compared.last[row]): "user's turn"}
    for text, name in texts.items():
        if text in unread:
            return Unscored(unread[text].reason, f"{name}: {unread[text].message}")
    return None
