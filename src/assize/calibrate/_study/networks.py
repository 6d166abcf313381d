"""The published network, its ablations, and its oracles; each cross-fitted in one program.

Each row's settings are searched anew in every split where the study has a grid (`Data.grid`).

Source: Hashemi et al. (2024), sections 4 and 5. An oracle sees what no one can see
in use: the rater's true answers to the other questions, as one-hot inputs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from assize.calibrate._data.features import FloatArray
from assize.calibrate._data.forms import Forms, Scale
from assize.calibrate._network.settings import RELEASED, Setting
from assize.calibrate._study.data import Data, Rows
from assize.stats import fit_isotonic
from assize.stats._studies import Predictions

IMPERSONAL = (False, False, False)


def _row(name: str, data: Data, forms: Forms, setting: Setting) -> Rows:
    """One row; none where nothing is left to look at."""
    return {name: _predicted(data, forms, setting)} if forms.x.shape[1] else {}


def _predicted(data: Data, forms: Forms, setting: Setting) -> Predictions:
    return Predictions.of(data.networks(forms, setting), forms.target.values)


def network(data: Data) -> Rows:
    """The published network, its settings searched inside every split."""
    return {"network": _predicted(data, data.forms, data.setting)}


def released(data: Data) -> Rows:
    """The network at the one setting that its authors' code found best, and from its start."""
    fixed = replace(data, grid=None)
    return {"network as released": _predicted(fixed, data.forms, RELEASED)}


def main_only(data: Data) -> Rows:
    """The network on the model's answer to the target alone, learning nothing else."""
    return _row("main question only", data, only_target(data.forms), data.setting)


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


def no_finetuning(data: Data) -> Rows:
    """Trained on all questions and no more."""
    return {"no fine-tuning": _predicted(data, data.forms, replace(data.setting, finetune=0))}


def no_pretraining(data: Data) -> Rows:
    """Trained on the target alone."""
    return {"no pre-training": _predicted(data, data.forms, replace(data.setting, pretrain=0))}


def no_personal(data: Data) -> Rows:
    """One network for everyone, without raters' weights."""
    return {
        "no personalisation": _predicted(
            data, data.forms, replace(data.setting, personal=IMPERSONAL)
        )
    }


def two_stages(data: Data) -> Rows:
    """Pre-training in two stages: the raters' weights stay 0 in the first half."""
    setting = replace(data.setting, wait=max(1, data.setting.pretrain // 2))
    return {"two-stage training": _predicted(data, data.forms, setting)}


def mean_head(data: Data) -> Rows:
    """A head that predicts the mean directly, under squared error; no distribution."""
    found = data.networks(data.forms, replace(data.setting, head="mean"))
    return {"mean head": Predictions(found[..., 0])}


def leave_out(data: Data) -> Rows:
    """The network without one question: neither its inputs nor its answers are learnt from."""
    rows: Rows = {}
    for scale in data.forms.scales:
        rows |= _row(f"without {scale.id}", data, without(data.forms, scale.id), data.setting)
    return rows


def without(forms: Forms, question: str) -> Forms:
    """The forms without a question's inputs and, but for the target, without its answers."""
    left = reading(forms, lambda one: one != question)
    columns = [
        place for place, scale in enumerate(forms.scales) if place == 0 or scale.id != question
    ]
    scales = tuple(forms.scales[place] for place in columns)
    return replace(left, answers=forms.answers[:, columns], scales=scales)


def one_hot(forms: Forms, scales: Sequence[Scale]) -> FloatArray:
    """(N, answers of all scales) the rater's true answers; zeros for NA and missing."""
    ids = [scale.id for scale in forms.scales]
    parts = [np.empty((len(forms), 0))]
    for scale in scales:
        given = forms.answers[:, ids.index(scale.id)]
        parts.append((given[:, None] == np.arange(len(scale))).astype(float))
    return np.hstack(parts)


def _true(forms: Forms) -> FloatArray:
    return one_hot(forms, forms.scales[1:])


def with_truth(forms: Forms) -> Forms:
    """Return the forms with the rater's true answers to the other questions beside their inputs."""
    return replace(forms, x=np.hstack([forms.x, _true(forms)]))


def oracle(data: Data) -> Rows:
    """The network that also sees the rater's true answers to the other questions."""
    if len(data.forms.scales) == 1:
        return {}  # people were asked nothing else
    return {"oracle": _predicted(data, with_truth(data.forms), data.setting)}


def oracle_alone(data: Data) -> Rows:
    """The oracle without the model's probabilities."""
    forms = replace(reading(data.forms, lambda _: False), x=_true(data.forms))
    return _row("oracle, no model", data, forms, data.setting)


def oracle_impersonal(data: Data) -> Rows:
    """The oracle without raters' weights; and that with each rater's isotonic regression."""
    if len(data.forms.scales) == 1:
        return {}  # people were asked nothing else
    setting = replace(data.setting, personal=IMPERSONAL)
    found = _predicted(data, with_truth(data.forms), setting)
    return {
        "oracle, impersonal": found,
        "oracle, impersonal, isotonic": isotonic(data, found),
    }


def oracle_of_others(data: Data) -> Rows:
    """The depersonalised oracle: the *other* raters' average answers, no raters' weights."""
    if len(data.forms.scales) == 1:
        return {}  # people were asked nothing else
    forms = data.forms
    others, there = others_average(forms)
    if not (there & ~data.test).any():
        nothing = np.full((len(data.folds.seeds), len(forms), len(forms.target)), np.nan)
        found = Predictions.of(nothing, forms.target.values)
    else:
        shown = replace(forms, x=np.hstack([forms.x, others]))
        setting = replace(data.setting, personal=IMPERSONAL)
        found = Predictions.of(data.networks(shown, setting, there), forms.target.values)
    return {
        "oracle of others": found,
        "oracle of others, isotonic": isotonic(data, found),
    }


def isotonic(data: Data, predicted: Predictions) -> Predictions:
    """Predictions passed through an isotonic regression of each rater's own, cross-fitted."""
    forms = data.forms
    raters = np.array(forms.raters)[forms.rater]
    found = np.full_like(predicted.value, np.nan)
    usable = data.known & ~np.isnan(predicted.value).any(axis=0)
    for seed, fitted, held in data.folds.splits(usable):
        if len(fitted):
            line = data.folds.seeds.index(seed)
            value = predicted.value[line]
            model = fit_isotonic(value[fitted], forms.values[fitted], raters[fitted])
            found[line, held] = model.predict(value[held], raters[held])
    return Predictions(found)


def others_average(forms: Forms) -> tuple[FloatArray, NDArray[np.bool_]]:
    """Average one-hot answers (N, D') of the item's other raters, and (N,) where there are any."""
    true = _true(forms)
    found, there = np.zeros_like(true), np.zeros(len(forms), dtype=bool)
    ends = np.cumsum([0, *(len(scale) for scale in forms.scales[1:])])
    for item in np.unique(forms.item):
        rows = np.flatnonzero(forms.item == item)
        for row in rows:
            others = rows[forms.rater[rows] != forms.rater[row]]
            if len(others) == 0:
                continue
            there[row] = True
            total = true[others].sum(axis=0)
            for start, end in pairwise(ends.tolist()):
                mass = total[start:end].sum()
                found[row, start:end] = total[start:end] / mass if mass else 0.0
    return found, there


def worth(data: Data) -> Rows:
    """What a perfect answer to one question would be worth: only it is the rater's own."""
    rows = {}
    for scale in data.forms.scales[1:]:
        left = reading(data.forms, lambda one, taken=scale.id: one != taken)  # type: ignore[misc]
        forms = replace(left, x=np.hstack([left.x, one_hot(data.forms, [scale])]))
        rows[f"{scale.id} as answered"] = _predicted(data, forms, data.setting)
    return rows
