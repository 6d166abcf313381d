"""Choices between two items: as people give them, and as a scale to be predicted on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from assize.calibration.data.features import FloatArray, Unit, place_of
from assize.calibration.data.forms import Scale
from assize.calibration.hierarchical.posterior import Posterior
from assize.errors import DataError
from assize.judgment import NOT_APPLICABLE, Judgment, Question

ANSWERS = ("B", "tie", "A")  # by rising preference for A
PARTS = 20  # of the items, on the scale that choices alone are predicted on
_INNER = [part / PARTS for part in range(1, PARTS)]


@dataclass(frozen=True, slots=True)
class Choice:
    """One person's choice: places of both items among the units, and of the answer."""

    a: int
    b: int
    answer: int


def choice_of(row: Judgment, units: Mapping[Unit, int]) -> Choice | None:
    """A preference between two items; None where there is none, or an item has no answers.

    The two items are those named by `details.a` and `details.b`, else the sides of the
    pair: its id with `/A` and `/B`, as `rubric ask` names them.

    Raises:
        DataError: the answer is none of A, B and tie.
    """
    if row.unscored is not None or row.answer == NOT_APPLICABLE:
        return None
    if row.answer not in ANSWERS:
        received = row.score if row.answer is None else row.answer
        problem = f"{ascii(received)[:60]} is no choice; expected A, B, tie or {NOT_APPLICABLE}"
        raise DataError(f"{place_of(row)}: {problem}")
    a, b = (units.get((name, row.turn)) for name in sides_of(row))
    if a is None or b is None:
        return None
    return Choice(a, b, ANSWERS.index(row.answer))


def sides_of(row: Judgment) -> tuple[str, str]:
    """Ids of the two items that a preference is between."""
    details = row.details if isinstance(row.details, Mapping) else {}
    a, b = (details.get(side) for side in ("a", "b"))
    if isinstance(a, str) and isinstance(b, str):
        return a, b
    return f"{row.item}/A", f"{row.item}/B"


def latent_scale(
    question: Question, values: FloatArray, choosing: Posterior
) -> tuple[Scale, Posterior]:
    """Where an item stands among reference items, as ordered answers.

    Choices fix the latent value only up to a shift, so it is standardised on a reference
    set and cut at its quantiles: the answers are twentieths of these items, their values
    the mean latent value in each, in standard deviations.

    Args:
        question: the preference.
        values: (N,) latent values of the reference items, for nobody in particular.
        choosing: the fitted choices.

    Returns:
        The scale, and the posterior of an item's place on it: of the latent value itself,
        so that doubt about it is all that spreads the answers.

    Raises:
        DataError: all reference items have one value.
    """
    spread = float(values.std())
    if not spread > 0:
        raise DataError("the choices tell no item from another; more of them are needed")
    standard = (values - values.mean()) / spread
    each = np.unique(standard)
    below = np.searchsorted(each, np.quantile(standard, _INNER, method="inverted_cdf"))
    below = np.unique(below[below < len(each) - 1])
    edges = (each[below] + each[below + 1]) / 2  # between two items: none lies on an edge
    place = np.searchsorted(edges, standard)
    means = np.bincount(place, weights=standard) / np.bincount(place)
    names = tuple(str(part + 1) for part in range(len(means)))
    labels = {names[0]: "the lowest of the reference items", names[-1]: "the highest of them"}
    asked = Question(
        question.id, question.text, kind="ordinal", answers=names,
        values=tuple(means.tolist()), labels=labels,
    )  # fmt: skip
    steps, count = choosing.steps, len(edges)
    slopes = choosing.mean[:, steps:] / spread
    thresholds = np.tile(edges + values.mean() / spread, (len(slopes), 1))
    covariance = np.zeros((len(slopes), count + slopes.shape[1], count + slopes.shape[1]))
    covariance[:, count:, count:] = choosing.covariance[:, steps:, steps:] / spread**2
    posterior = replace(
        choosing, mean=np.hstack([thresholds, slopes]), covariance=covariance,
        steps=count, noise=0.0,
    )  # fmt: skip
    return Scale.of(asked), posterior
