"""Fitting the default calibrator."""

from __future__ import annotations

import numpy as np

from assize.base.errors import ConfigError, DataError
from assize.calibrate._data.features import Features, FloatArray
from assize.calibrate._data.forms import NO_ANSWER, Choices, Forms, IntArray
from assize.calibrate._fit_options import Personal
from assize.calibrate._hierarchical.calibrator import Hierarchical, Sets
from assize.calibrate._hierarchical.design_matrix import Design
from assize.calibrate._hierarchical.latent_scale import latent_scale
from assize.calibrate._hierarchical.posterior import Posterior
from assize.calibrate._hierarchical.probit import Columns, Observed, fit_probit


def fit_default(
    forms: Forms,
    *,
    own_share: float = 0.5,
    personal: Personal = "all",
    helper_weight: float = 1.0,
) -> Hierarchical:
    """Fit the default calibrator; it needs no search and no seed: the same forms, the same numbers.

    If the target is a preference, it is fitted on choices between items alone, and then predicts an
    item's position among those of `forms.features` (see `latent_scale`).

    Args:
        forms: N rows; those without an answer to the target are left out. An ordered answer that
            nobody gave gets the probability 1 / (forms + answers), because it has no threshold to
            learn. In each of its `sets` all raters, and each rater, may be more generous.
        own_share: see `fit_probit`.
        personal: see `Personal`; `last` suits many raters with few ratings each (users).
        helper_weight: weight of a helper's rating, learnt by `learn_helper_weight`. A helper's
            choice between items counts 1.

    Raises:
        DataError: nothing is left to read, or only one answer was ever given.
        ConfigError: choices are to help with answers that are not ordered, or are of sets.
    """
    forms = forms.take(forms.y != NO_ANSWER)
    choices, sets = forms.choices, forms.sets
    design = Design.fit(_training_features(forms))
    columns = Columns(design.log_odds, design.late, len(_context(forms).T), personal == "all")
    if forms.target.question.kind == "preference":
        return _of_choices(forms, design, columns, own_share)
    _check_answers(forms)
    chosen = [] if choices is None else [_compared(forms, choices, design, columns)]
    x = np.hstack([design.matrix(_features(forms, forms.x)), _context(forms)])
    weight = _weights(forms, helper_weight)
    of = None if sets is None else sets.place[forms.item]

    def fitted(y: IntArray, answers: int) -> list[list[Posterior]]:
        graded = Observed(x, y, forms.rater, answers, weight, set=of)
        found = fit_probit(
            [graded, *chosen],
            columns,
            raters=len(forms.raters),
            own_share=own_share,
            sets=0 if sets is None else len(sets.names),
        )
        return [[one.of(range(len(forms.trusted))) for one in each] for each in found]

    count = len(forms.target)
    given = np.arange(count)
    comparisons = None
    if forms.target.ordered:
        place = forms.target.ranks[forms.y]
        given = np.unique(place)
        first, *others = fitted(np.searchsorted(given, place), len(given))
        learnt, comparisons = [first], others[0][0] if others else None
    elif chosen:
        raise ConfigError(
            f"the answers to {forms.target.id!r} are not ordered: choices between items tell"
            " nothing about them"
        )
    else:
        learnt = [fitted((forms.y == k).astype(np.int64), 2)[0] for k in range(count)]
    everywhere, *in_sets = zip(*learnt, strict=True)
    return Hierarchical(
        forms.target,
        forms.features.blocks,
        forms.trusted,
        design,
        everywhere,
        () if len(given) == count else tuple(given.tolist()),
        1 / (len(forms) + count),
        comparisons,
        None if sets is None else Sets(sets.by, sets.names, tuple(in_sets)),
    )


def _of_choices(forms: Forms, design: Design, columns: Columns, own_share: float) -> Hierarchical:
    """A calibrator of choices alone: its latent value in standard deviations of the items."""
    if forms.sets is not None:
        raise ConfigError("a choice between two items has no level, and so none in a set")
    if forms.choices is None or len(np.unique(forms.choices.answer)) < 2:
        raise DataError(
            f"{forms.target.id!r} needs choices of both sides between items that the answers are"
            " about"
        )
    observed = _compared(forms, forms.choices, design, columns)
    fitted = fit_probit([observed], columns, raters=len(forms.raters), own_share=own_share)[0][0]
    comparisons = fitted.of(range(len(forms.trusted)))
    x = design.matrix(_features(forms, forms.features.x[~forms.features.empty]))
    values = x @ comparisons.mean[-1, comparisons.steps :]
    scale, posterior = latent_scale(forms.target.question, values, comparisons)
    return Hierarchical(
        scale, forms.features.blocks, forms.trusted, design, (posterior,), comparisons=comparisons
    )


def _compared(forms: Forms, choices: Choices, design: Design, columns: Columns) -> Observed:
    """Choices as answers about differences of two items; a tie only where there was one."""
    sides = [
        design.matrix(_features(forms, forms.features.x[one])) for one in (choices.a, choices.b)
    ]
    x = (sides[0] - sides[1]) / np.sqrt(2)
    ties = bool((choices.answer == 1).any())
    y = choices.answer if ties else choices.answer // 2
    context = np.zeros((len(x), columns.context))
    return Observed(np.hstack([x, context]), y, choices.rater, 3 if ties else 2, personal=False)


def _training_features(forms: Forms) -> Features:
    """The features of all rated items, as often as they were rated."""
    if forms.choices is None:
        return _features(forms, forms.x)
    compared = forms.features.x[np.concatenate([forms.choices.a, forms.choices.b])]
    return _features(forms, np.vstack([forms.x, compared]))


def _features(forms: Forms, x: FloatArray) -> Features:
    return Features((), forms.features.blocks, x)


def _context(forms: Forms) -> FloatArray:
    """(N, C) what is said of ratings: by a helper; from where answers were thinned out."""
    columns = []
    if forms.helpers:
        columns.append(forms.by_helper.astype(np.float64))
    if forms.thinned is not None:
        columns.append(forms.thinned.astype(np.float64))
    return np.stack(columns, axis=1) if columns else np.empty((len(forms), 0))


def _weights(forms: Forms, helper_weight: float) -> FloatArray:
    """What each form counts: together as much as the forms are worth (Kish's effective n)."""
    weight = np.ones(len(forms)) if forms.weight is None else forms.weight
    weight = weight * weight.sum() / (weight**2).sum()
    return np.asarray(np.where(forms.by_helper, weight * helper_weight, weight))


def _check_answers(forms: Forms) -> None:
    if len(np.unique(forms.y[~forms.by_helper])) < 2:
        raise DataError(
            f"all {len(forms)} ratings of {forms.target.id!r} are the same answer;"
            " at least two different ones are needed"
        )
