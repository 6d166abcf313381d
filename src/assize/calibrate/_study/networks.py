"""The published network, its ablations, and its oracles; each cross-fitted in one program.

Each row's settings are searched anew in every split where the study has a grid (`Data.grid`).

Source: Hashemi et al. (2024), sections 4 and 5. An oracle sees what no one can see
in use: the rater's true answers to the other questions, as one-hot inputs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assize.calibrate._data.features import FloatArray, normalised
from assize.calibrate._data.forms import Forms, IntArray, Scale
from assize.calibrate._study.data import Data, Rows
from assize.stats import fit_isotonic
from assize.stats._arrays import sum_rows
from assize.stats._studies import Predict, Predictions
from assize.stats._studies.splits import Mask

IMPERSONAL = (False, False, False)


def row(
    name: str, data: Data, forms: Forms | None = None, usable: Mask | None = None, **changes: Any
) -> Rows:
    """The network's row: of other forms, or with changes of its setting.

    Args:
        forms: with other inputs; none of them, no row.
        usable: (N,) forms that can be fitted on and predicted.
    """
    some = data.forms if forms is None else forms
    if not some.x.shape[1]:
        return {}
    found = data.networks(some, replace(data.setting, **changes), usable)
    if changes.get("head") == "mean":
        return {name: Predictions(found[..., 0])}
    return {name: Predictions.of(found, some.target.values)}


def reading(forms: Forms, keep: Callable[[str], bool]) -> Forms:
    """The forms with the columns of those questions that are kept."""
    features = forms.features
    kept = [place for place, block in enumerate(features.blocks) if keep(block.question)]
    columns = [features.columns[place] for place in kept]
    x, all_x = (
        np.hstack([np.empty((len(whole), 0)), *(whole[:, place] for place in columns)])
        for whole in (forms.x, features.x)
    )
    blocks = tuple(features.blocks[place] for place in kept)
    return replace(forms, x=x, features=replace(features, blocks=blocks, x=all_x))


def only_target(forms: Forms) -> Forms:
    """The forms with the target's inputs, and the target to be learnt."""
    left = reading(forms, lambda question: question == forms.target.id)
    return replace(left, answers=forms.answers[:, :1], scales=forms.scales[:1])


def leave_out(data: Data) -> Rows:
    """The network without one question: neither its inputs nor its answers are learnt from."""
    rows: Rows = {}
    for scale in data.forms.scales:
        rows |= row(f"without {scale.id}", data, without(data.forms, scale.id))
    return rows


def without(forms: Forms, question: str) -> Forms:
    """The forms without a question's inputs and, but for the target, without its answers."""
    columns = [
        place for place, scale in enumerate(forms.scales) if place == 0 or scale.id != question
    ]
    scales = tuple(forms.scales[place] for place in columns)
    left = reading(forms, lambda one: one != question)
    return replace(left, answers=forms.answers[:, columns], scales=scales)


def one_hot(forms: Forms, scales: Sequence[Scale] | None = None) -> FloatArray:
    """(N, answers of all scales) the rater's true answers; zeros for NA and missing.

    Args:
        scales: of these questions; None for all but the target.
    """
    ids = [scale.id for scale in forms.scales]
    parts = [np.empty((len(forms), 0))]
    for scale in forms.scales[1:] if scales is None else scales:
        given = forms.answers[:, ids.index(scale.id)]
        parts.append((given[:, None] == np.arange(len(scale))).astype(float))
    return np.hstack(parts)


def with_truth(forms: Forms) -> Forms:
    """Return the forms with the rater's true answers to the other questions beside their inputs."""
    return replace(forms, x=np.hstack([forms.x, one_hot(forms)]))


def truth_alone(forms: Forms) -> Forms:
    """Return the forms with the rater's true answers in place of the model's."""
    return replace(reading(forms, lambda _: False), x=one_hot(forms))


def oracle_impersonal(data: Data) -> Rows:
    """The oracle without raters' weights; and that with each rater's isotonic regression."""
    found = row("oracle, impersonal", data, with_truth(data.forms), personal=IMPERSONAL)
    return found | isotonic(data, found)


def oracle_of_others(data: Data) -> Rows:
    """The depersonalised oracle: the *other* raters' average answers, no raters' weights."""
    forms = data.forms
    others, there = others_average(forms)
    shown = replace(forms, x=np.hstack([forms.x, others]))
    found = row("oracle of others", data, shown, there, personal=IMPERSONAL)
    return found | isotonic(data, found)


def isotonic(data: Data, rows: Rows) -> Rows:
    """A row passed through an isotonic regression of each rater's own, cross-fitted."""
    ((name, predicted),) = rows.items()
    raters = np.array(data.forms.raters)[data.forms.rater]

    def fit(data: Data, rows: IntArray, seed: int) -> Predict[Data]:
        value = predicted.value[data.folds.seeds.index(seed)]
        known = rows[~np.isnan(value[rows])]
        if not len(known):
            return lambda data, rows: np.full(len(rows), np.nan)
        model = fit_isotonic(value[known], data.forms.values[known], raters[known])
        return lambda data, rows: model.predict(value[rows], raters[rows])

    return {f"{name}, isotonic": data.cross_fitted(fit)}


def others_average(forms: Forms) -> tuple[FloatArray, NDArray[np.bool_]]:
    """Average one-hot answers (N, D') of the item's other raters, and (N,) where there are any."""
    answers = np.column_stack([np.ones(len(forms)), one_hot(forms)])  # forms counted first
    pair = forms.item * (len(forms.raters) + 1) + forms.rater
    _, own = np.unique(pair, return_inverse=True)
    everybody = sum_rows(answers, forms.item, len(forms.features.units))[forms.item]
    total = everybody - sum_rows(answers, own, len(forms))[own]
    widths = [1, *(len(scale) for scale in forms.scales[1:-1])]
    _, *parts = np.split(total, np.cumsum(widths), axis=1)
    shares = [normalised(part) for part in parts]
    return np.nan_to_num(np.hstack(shares)), total[:, 0] > 0


def worth(data: Data) -> Rows:
    """What a perfect answer to one question would be worth: only it is the rater's own."""
    rows: Rows = {}
    for scale in data.forms.scales[1:]:
        left = reading(data.forms, lambda one, taken=scale.id: one != taken)  # type: ignore[misc]
        forms = replace(left, x=np.hstack([left.x, one_hot(data.forms, [scale])]))
        rows |= row(f"{scale.id} as answered", data, forms)
    return rows
