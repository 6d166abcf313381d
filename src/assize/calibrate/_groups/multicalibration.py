"""Multicalibration: predictions patched until they are true in every group, at every height.

Source: Hebert-Johnson et al., "Multicalibration", ICML 2018, algorithm 1. Differs: a patch
shifts log-odds and not probabilities, so that nothing becomes impossible; a cell must also be
off by more than chance explains; a group's whole range is one more cell.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainc, expit, logit

from assize.base.artefacts import attach_record, open_artefact
from assize.base.errors import DataError
from assize.base.signature import sign_text
from assize.calibrate._artefact import CORRECTION, KIND, signature
from assize.calibrate._calibrator import Calibrator
from assize.calibrate._data.features import FloatArray
from assize.calibrate._data.forms import IntArray, Scale
from assize.calibrate._groups.held_out import HeldOut, from_events, to_events
from assize.judgments.membership import Labels

VERSION = 1  # of what patches mean: a part of every signature
BINS = 10
LEVEL = 0.05  # chance that a predictor without any fault is patched at all, about
ROUNDS = 1_000
SHIFT = 30.0  # of log-odds, the most that a patch makes
_EDGE = 1e-6  # a probability this close to 0 or 1 counts as that close, where log-odds are taken


@dataclass(frozen=True, slots=True)
class Patch:
    """Shifts one event's log-odds in one cell.

    Args:
        field, group: whose; both "" for everybody.
        event: place among `to_events`.
        bin: tenth of [0, 1] in which the prediction stands by then; None for any.
        shift: added to the log-odds.
    """

    field: str
    group: str
    event: int
    bin: int | None
    shift: float

    def __post_init__(self) -> None:
        if self.event < 0 or (self.bin is not None and not 0 <= self.bin < BINS):
            raise DataError(f"a patch is of event {self.event}, tenth {self.bin}")
        if abs(self.shift) > 2 * SHIFT:
            raise DataError(f"a patch shifts {self.field!r} by {self.shift}")


@dataclass(frozen=True, slots=True)
class Correction:
    """Patches, in the order in which they are made."""

    calibrator: str  # signature of the one it was learnt for
    fields: tuple[str, ...]  # of the groups it was learnt over
    patches: tuple[Patch, ...]
    # tolerance, least: as in `fit_correction`
    tolerance: float
    least: int
    # n, items: ratings it was learnt from, and what they are about
    n: int
    items: int
    seen: tuple[str, ...] = ()  # hashes of these items

    def __post_init__(self) -> None:
        for patch in self.patches:
            if patch.field not in ("", *self.fields):
                raise DataError(f"a patch is of {patch.field!r}, which is none of its fields")

    def apply(self, p: FloatArray, labels: Labels, scale: Scale) -> FloatArray:
        """The corrected answers (N, K); rows that no patch is for stay as they are, NaN too."""
        event = np.clip(to_events(p, scale), _EDGE, 1 - _EDGE)
        touched = np.zeros(len(p), dtype=bool)
        for patch in self.patches:
            rows = _member(labels, patch.field, patch.group, len(p))
            rows = rows & _in_bin(event[:, patch.event], patch.bin)
            event[rows, patch.event] = expit(logit(event[rows, patch.event]) + patch.shift)
            touched |= rows
        return np.asarray(np.where(touched[:, None], from_events(event, scale), p))

    @property
    def needed(self) -> tuple[str, ...]:
        """Those of `fields` that a patch is for: without them it cannot be applied."""
        patched = {patch.field for patch in self.patches}
        return tuple(field for field in self.fields if field in patched)

    @property
    def signature(self) -> str:
        """Of the calibrator and all patches together: what corrected predictions carry."""
        facts = asdict(self)
        del facts["seen"]
        return sign_text(json.dumps([VERSION, facts], sort_keys=True))


def fit_correction(
    calibrator: Calibrator,
    held: HeldOut,
    labels: Labels,
    *,
    tolerance: float = 0.02,
    least: int = 50,
) -> Correction:
    """Learns the patches from ratings that the calibrator was not fitted on.

    Cells are groups (and everybody) x events x tenths of the prediction, and the whole range. The
    cell that is worst (mass x squared mean error) is patched, until no cell of `least` ratings is
    off by more than the tolerance and than chance explains (a binomial test, Bonferroni over
    cells).
    """
    scored = ~np.isnan(held.p[:, 0])
    if not scored.any():
        raise DataError("none of the ratings has a prediction; there is nothing to learn from")
    kept = held.take(scored)
    groups = list(_groups(labels, scored))
    predicted, true = kept.events
    event = np.clip(predicted, _EDGE, 1 - _EDGE)
    patches: list[Patch] = []
    while len(patches) < ROUNDS:
        cell = _worst(event, true, groups, kept.item, tolerance, least)
        if cell is None:
            break
        patch, rows = cell
        place = patch.event
        shift = _shift(event[rows, place], true[rows, place])
        event[rows, place] = expit(logit(event[rows, place]) + shift)
        patches.append(replace(patch, shift=shift))
    items = len(np.unique(kept.item))
    return Correction(
        signature(calibrator), tuple(labels), tuple(patches), tolerance, least, len(kept.y), items
    )


_Groups = Sequence[tuple[str, str, NDArray[np.bool_]]]


def _groups(
    labels: Labels, scored: NDArray[np.bool_]
) -> Iterator[tuple[str, str, NDArray[np.bool_]]]:
    yield "", "", np.ones(int(scored.sum()), dtype=bool)
    for field, column in labels.items():
        for name in sorted({one for one in column if one is not None}):
            yield field, name, _member(labels, field, name, len(scored))[scored]


def _member(labels: Labels, field: str, group: str, rows: int) -> NDArray[np.bool_]:
    if not field:
        return np.ones(rows, dtype=bool)
    return np.asarray(np.array(labels[field], dtype=object) == group, dtype=bool)


def _in_bin(p: FloatArray, bin: int | None) -> NDArray[np.bool_]:
    if bin is None:
        return ~np.isnan(p)
    return np.asarray(np.floor(p * BINS) == bin)  # below 1 by _EDGE


def _worst(
    event: FloatArray,
    true: FloatArray,
    groups: _Groups,
    item: IntArray,
    tolerance: float,
    least: int,
) -> tuple[Patch, NDArray[np.bool_]] | None:
    """Return the cell (a patch without a shift) that is off by more than chance and tolerance and
    matters most, and its rows; None if none is."""
    cells = [
        (Patch(field, group, place, bin, 0.0), rows)
        for field, group, member in groups
        for place in range(event.shape[1])
        for bin in (None, *range(BINS))
        if (rows := member & _in_bin(event[:, place], bin)).sum() >= least
    ]
    worst, gain = None, 0.0
    for patch, rows in cells:
        y, p = true[rows, patch.event], event[rows, patch.event]
        error = y - p
        off = error.mean()
        if abs(off) <= tolerance or len(error) * off**2 <= gain:
            continue
        if _chance(p, y, item[rows]) < LEVEL / len(cells):
            worst, gain = (patch, rows), len(error) * off**2
    return worst


def _chance(p: FloatArray, y: FloatArray, item: IntArray) -> float:
    """Two-sided exact p-value of this many true events, at what their ratings are worth."""
    n, mean, error = len(y), float(p.mean()), y - p
    each = np.bincount(np.unique(item, return_inverse=True)[1], error - error.mean())
    worth = n / max(1.0, (each**2).sum() / max(((error - error.mean()) ** 2).sum(), _EDGE))
    hits = worth * float(y.mean())
    # betainc(a, b, x) is P(at least a hits among a + b - 1); hits and misses mirror each other.
    more = betainc(max(hits, _EDGE), worth - hits + 1, mean)
    fewer = betainc(max(worth - hits, _EDGE), hits + 1, 1 - mean)
    return float(min(1.0, 2 * min(more, fewer)))


def _shift(p: FloatArray, true: FloatArray) -> float:
    """By how much log-odds must move for the mean to be true; half an answer is added to
    either side, so that no shift is without end."""
    wanted = (true.sum() + 0.5) / (len(true) + 1)
    low, high, odds = -SHIFT, SHIFT, logit(p)
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if expit(odds + middle).mean() < wanted else (low, middle)
    return (low + high) / 2


def save_correction(correction: Correction, folder: Path) -> None:
    """Puts the correction into the calibrator's folder; an earlier one is replaced."""
    attach_record(open_artefact(KIND, folder), CORRECTION, correction)


def load_correction(folder: str | Path, calibrator: Calibrator) -> Correction | None:
    """The correction kept with a calibrator; None where there is none."""
    artefact = open_artefact(KIND, folder)
    correction = artefact.attached(CORRECTION, Correction, "learn it again")
    if correction is None:
        return None
    source = str(artefact.folder / artefact.files[CORRECTION].name)
    target = calibrator.target
    events = len(target) - 1 if target.ordered else len(target)
    for patch in correction.patches:
        if patch.event >= events:
            problem = f"a patch is of event {patch.event}, and there are {events}; learn it again"
            raise DataError(problem, source=source)
    if correction.calibrator != signature(calibrator):
        problem = "learnt for another calibrator than the one in this folder; learn it again"
        raise DataError(problem, source=source)
    return correction
