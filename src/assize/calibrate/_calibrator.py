"""What a calibrator is: a distribution over answers for any item and rater.

`hierarchical/` holds the default one, `network/` the published network, and `kinds.py` lists
them. A calibrator knows which blocks of features it reads, whom it knows, and what it predicts,
and nothing of the items it was fitted on. What else it can do stands in its `Abilities`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from assize.base.errors import ConfigError, DataError
from assize.calibrate._data.features import LEAST, Block, Features, FloatArray
from assize.calibrate._data.forms import UNKNOWN, Forms, IntArray, Scale
from assize.stats._studies import Folds, Predict, cross_fit, dealt

UnknownAs = Literal["shared", "average"]
"""How a rater who is not known is predicted: by what raters share, or as their average."""


Refit = Callable[[Forms, Sequence[IntArray], int], Sequence["Calibrator"]]


@dataclass(frozen=True, slots=True)
class Abilities:
    """What a calibrator can do besides predicting the raters that it knows.

    Args:
        unknown_raters: it has learnt what raters share, and so can predict UNKNOWN.
        rated: people can give the answers that it predicts; False where these are places
            among items, learnt from choices alone.
        sample: (features, raters, draws S, generator) -> answers (S, N, R, K) under parameters
            drawn from what is known of them; an ensemble gives its members, however many
            are asked for. None where it does not know how sure it is.
        compare: (features a, features b, raters) -> P(B, tie, A) (N, R, 3) between their
            items, row by row. None where it was not fitted on choices.
        refit: (forms, rows of each refit, seed) -> as many calibrators of its own setting, each
            trained on its rows anew. None where fitting takes no more than the options of a kind.
        missing: it has learnt what a missing answer says, and need not be given a made-up one.
        gradient: (x (N, D), raters) -> gradient (N, D) of the expected answer, averaged over
            the raters, with respect to x. None where it has none.
        set_by: what tells the sets apart that it was fitted on; None where there are none.
        at_level: (deviations) -> where the set that it is used on is rated higher by so many
            deviations of what is open of its level; None where nothing is.
    """

    unknown_raters: bool = False
    rated: bool = True
    sample: Callable[[Features, Sequence[int], int, np.random.Generator], FloatArray] | None = None
    compare: Callable[[Features, Features, Sequence[int]], FloatArray] | None = None
    gradient: Callable[[FloatArray, Sequence[int]], FloatArray] | None = None
    set_by: str | None = None
    at_level: Callable[[float], Calibrator] | None = None
    missing: bool = False
    refit: Refit | None = None


class Calibrator(Protocol):
    """What predicts raters' answers to one question."""

    @property
    def kind(self) -> str:
        """Its row in `kinds.KINDS`."""
        ...

    @property
    def target(self) -> Scale:
        """What is predicted."""
        ...

    @property
    def blocks(self) -> tuple[Block, ...]:
        """What it reads."""
        ...

    @property
    def raters(self) -> tuple[str, ...]:
        """Whom it knows."""
        ...

    @property
    def abilities(self) -> Abilities:
        """What else it can do."""
        ...

    def known(self, features: Features) -> NDArray[np.bool_]:
        """(N,) items about which there is anything that it reads."""
        ...

    def for_items(
        self, features: Features, labels: Sequence[str | None] | None = None
    ) -> Calibrator:
        """Return the calibrator for a file of items, whose distance from the fitted ones counts.

        Args:
            features: of all of them; aligned with `blocks`.
            labels: (N,) the set of each, where it was fitted on sets.
        """
        ...

    def probabilities(self, features: Features, raters: Sequence[int]) -> FloatArray:
        """Answers (N, R, K) of some raters, by place in `raters`; UNKNOWN is somebody else.

        `features` must be `aligned` with `blocks`. What is missing counts as average.
        """
        ...


C = TypeVar("C", bound=Calibrator)


def predict(
    calibrator: Calibrator,
    features: Features,
    raters: Sequence[int],
    unknown_as: UnknownAs = "shared",
) -> FloatArray:
    """Answers (N, R, K) of some raters; NaN for items about which nothing is known.

    Args:
        raters: places in `calibrator.raters`, or UNKNOWN.
        unknown_as: for UNKNOWN: `shared`, what raters have in common (the default model
            adds how much raters differ; a network that was not trained with drop-out has not
            learnt it, and averages); `average`, the mean over the known raters' distributions.

    Raises:
        DataError: the features hold nothing that the calibrator reads.
    """
    features = features.aligned(calibrator.blocks)
    found = calibrator.probabilities(features, raters)
    averaged = unknown_as == "average" or not calibrator.abilities.unknown_raters
    if averaged and UNKNOWN in raters:
        each = calibrator.probabilities(features, range(len(calibrator.raters)))
        found[:, [rater == UNKNOWN for rater in raters]] = each.mean(axis=1, keepdims=True)
    found[~calibrator.known(features)] = np.nan
    return found


def log_likelihood(p: FloatArray, y: IntArray) -> FloatArray:
    """Return the log probability (N,) of the answers that were given, of distributions (N, K)."""
    return np.asarray(np.log(np.maximum(p[np.arange(len(y)), y], LEAST)))


def predict_own_raters(calibrator: Calibrator, forms: Forms) -> FloatArray:
    """Answers (N, K) to each form by its own rater, from the form's own x."""
    units = tuple(forms.features.units[place] for place in forms.item.tolist())
    features = Features(units, calibrator.blocks, forms.x)
    found = np.empty((len(forms), len(calibrator.target)))
    for rater in np.unique(forms.rater).tolist():
        rows = np.flatnonzero(forms.rater == rater)
        found[rows] = calibrator.probabilities(features.take(rows), [rater])[:, 0]
    return found


def predict_new_items(calibrator: Calibrator, forms: Forms) -> FloatArray:
    """Answers (N, K) to each form by its own rater, the forms' items being a file of their own.

    It is what `for_items` makes of that file: how far its items lie from those of
    fitting counts. Each item has the x of its first form; `forms.sets` say of what set it is.
    """
    items, first, row = np.unique(forms.item, return_index=True, return_inverse=True)
    units = tuple(forms.features.units[place] for place in items.tolist())
    features = Features(units, calibrator.blocks, forms.x[first])
    here = calibrator.for_items(features, None if forms.sets is None else forms.sets.labels(items))
    return predict_own_raters(here, replace(forms, x=forms.x[first[row]]))


def predict_folds(
    forms: Forms,
    fit: Callable[[Forms], C],
    predict_forms: Callable[[C, Forms], FloatArray],
    *,
    folds: int,
    rng: np.random.Generator,
    ask: NDArray[np.bool_] | None = None,
) -> FloatArray:
    """Return what is predicted of each form (N, K) by a calibrator of the other folds of items.

    Args:
        fit: fits a calibrator on some of the forms; called once per fold.
        predict_forms: (calibrator, forms) -> answers (n, K) to each of them.
        ask: (N,) forms to predict; the others have NaN. All when None.
    """

    def fit_rows(forms: Forms, rows: IntArray, seed: int) -> Predict[Forms]:
        calibrator = fit(forms.take(rows))
        return lambda forms, rows: predict_forms(calibrator, forms.take(rows))

    parts = Folds(dealt(forms.item, folds, rng)[None])
    return np.asarray(cross_fit(fit_rows, forms, parts, ask=ask)[0])


def check_names(blocks: Sequence[Block], raters: Sequence[str]) -> None:
    """Raises DataError where two blocks or two raters have one name."""
    if len({block.key for block in blocks}) < len(blocks) or len(set(raters)) < len(raters):
        raise DataError("a block or a rater stands there twice")


def check_questions(calibrators: Sequence[Calibrator]) -> None:
    """Raises ConfigError where two calibrators predict one question."""
    names = [calibrator.target.id for calibrator in calibrators]
    if len(set(names)) < len(names):
        raise ConfigError(f"one calibrator a question: received {', '.join(names)}")


def check_rated(calibrator: Calibrator) -> None:
    """Raises ConfigError where nobody can give the answers that a calibrator predicts."""
    if not calibrator.abilities.rated:
        raise ConfigError(
            f"the calibrator of {calibrator.target.id!r} was fitted on choices alone: its answers"
            " are places among items, which nobody gives; take one of a graded question"
            " (`preferences` lets choices help it)"
        )
