"""Why the fit of one question may be wrong, one sentence each, with what would help."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from assize.stats._arrays import FloatArray
from assize.stats._reliability import orientation
from assize.stats._reliability.cells import Cells
from assize.stats._reliability.em import Climbed

FEWEST = orientation.FEWEST_ANCHORS
_REMEDY = f"name a judge to trust, or give at least {FEWEST} pairs with known labels"


@dataclass(frozen=True, slots=True)
class Fit:
    """What doubts look at.

    Args:
        end: the fit, the right way round.
        voted: (J,) judges with a vote for a side.
        weight: (J,) how much of an independent judge each one is.
        drawn: whether there are resamples.
        added: log-odds that known labels add to the way round; None without any.
        anchors: pairs with a known label.
        trusted: places of trusted judges; `heard` of those who voted for a side.
        families: (J, F) judges that are variants of one model; None where all are apart.
    """

    end: Climbed
    voted: np.ndarray[tuple[int], np.dtype[np.bool_]]
    weight: FloatArray
    drawn: bool
    added: float | None
    anchors: int
    trusted: tuple[int, ...]
    heard: tuple[int, ...]
    families: FloatArray | None


def doubts_of(fit: Fit, cells: Cells, fields: Mapping[str, Any]) -> Iterator[str]:
    """Yield why the result may be wrong.

    Args:
        fields: those of `Reliabilities`.
    """
    right_way = fields["right_way"]
    yield from _too_little(fit, cells, fields["discount"])
    if 0 < fit.anchors < FEWEST:
        yield (
            f"only {fit.anchors} labels are known; at least {FEWEST} are needed to say which way"
            " round the judges stand"
        )
    alpha, beta = fit.end.state.alpha[0, fit.voted], fit.end.state.beta[0, fit.voted]
    sure = right_way >= orientation.LEVEL
    if fit.added is not None:
        judges = orientation.probability(alpha, beta, fit.weight[fit.voted], 0.0)
        if not sure or fit.added < 0 or judges < 1 - orientation.LEVEL:
            yield (
                "the known labels contradict the votes about which way round the judges stand"
                f" (right way round with probability {right_way:.2f}); give more of them"
            )
    elif fit.heard:
        if not sure and fit.drawn:
            yield (
                "the trusted judge is too near chance here to say which way round the others stand"
                f" (above it in {right_way:.0%} of resamples)"
            )
    else:
        if fit.trusted:
            yield "no trusted judge voted for a side here"
        if not sure or orientation.divided(alpha, beta):
            low, high = fields["mean_interval"]
            yield (
                "the votes alone cannot tell which side is better: on average judges are right"
                f" {fields['mean']:.2f} [{low:.2f}, {high:.2f}] of the time, {fields['below']} of"
                f" {int(fit.voted.sum())} are below one half, and they say as much as"
                f" {fit.weight[fit.voted].sum():.1f} independent ones; all labels may be exchanged"
                f" (probability {1 - right_way:.2f}): {_REMEDY}"
            )
    if not fit.end.converged:
        yield "the fit did not come to an end; its figures may still move"


def _too_little(fit: Fit, cells: Cells, discount: float) -> Iterator[str]:
    """Yield why no fit could separate these votes into right and wrong."""
    judges = int(fit.voted.sum())
    models = 3 if fit.families is None else int(fit.families[fit.voted].any(axis=0).sum())
    if judges < 3:
        yield (
            f"{judges} judge{'s have' if judges > 1 else ' has'} voted for a side; with fewer than"
            " three, votes cannot tell right from wrong"
        )
    elif models < 3:
        yield (
            f"the {judges} judges are variants of {models} model{'s' if models > 1 else ''}; what"
            " variants share is taken for right, their common errors too"
        )
    elif int(((cells.sided > 0).sum(axis=1)).max()) < 2:
        yield "no two judges voted for a side on one pair, so nothing tells who is right"
    elif fit.added is None and not _better_than_one_class(fit, cells, discount):
        yield f"the judges agree no more than chance would have it: {_REMEDY}"


def _better_than_one_class(fit: Fit, cells: Cells, discount: float) -> bool:
    """Whether a latent better side explains the votes better than each judge's habit (BIC)."""
    for_a, number = cells.count @ cells.for_a, cells.count @ cells.sided
    rate = np.clip(for_a / np.maximum(number, 1), 1e-12, 1 - 1e-12)
    habit = float((for_a * np.log(rate) + (number - for_a) * np.log1p(-rate)).sum())
    more = float(fit.weight[fit.voted].sum()) + 1
    gain = float(fit.end.log_likelihood[0]) - habit
    return bool(2 * gain / discount > more * np.log(max(2.0, cells.count.sum())))
