"""Methods without a network: what anyone would try first, and assize's default calibrator."""

from __future__ import annotations

import numpy as np

from assize.calibrate._calibrator import predict_new_items
from assize.calibrate._data.arrays import moments
from assize.calibrate._data.features import Block, FloatArray, normalised
from assize.calibrate._data.forms import Forms, IntArray
from assize.calibrate._hierarchical.fit import fit_default
from assize.calibrate._study.data import Data, Rows
from assize.stats._studies import Predict, Predictions

PENALTIES = tuple(float(10**power) for power in np.arange(-1, 4.5, 0.5))


def random(data: Data) -> Rows:
    """An answer drawn at random; every answer equally probable."""
    values = np.asarray(data.forms.target.values)
    drawn = [
        np.random.default_rng([seed, 2]).choice(values, len(data.forms))
        for seed in data.folds.seeds
    ]
    p = np.full((len(drawn), len(data.forms), len(values)), 1 / len(values))
    return {"random": Predictions(np.array(drawn), p)}


def _main_blocks(data: Data, name: str) -> list[tuple[str, Block, FloatArray]]:
    """Each model's distribution of the target (N, K), under the name of its row."""
    features, target = data.forms.features, data.forms.target
    found = [
        (block, data.forms.x[:, place])
        for block, place in zip(features.blocks, features.columns, strict=True)
        if block.question == target.id and block.answers == target.question.answers
    ]
    if len(found) == 1:
        return [(name, *found[0])]
    return [
        (f"{name}: {block.judge} {block.variant}".rstrip(), block, columns)
        for block, columns in found
    ]


def argmax(data: Data) -> Rows:
    """The model's most probable answer to the target."""
    values = np.asarray(data.forms.target.values)
    rows = {}
    for name, _, p in _main_blocks(data, "argmax"):
        best = values[np.nan_to_num(p, nan=-1.0).argmax(axis=1)]
        rows[name] = data.same(np.where(np.nan_to_num(p).any(axis=1), best, np.nan))
    return rows


def expected(data: Data) -> Rows:
    """The model's expected answer: over the answers' values, divided by their mass."""
    values = np.asarray(data.forms.target.values)
    rows = {}
    for name, _, p in _main_blocks(data, "expected"):
        scaled = normalised(np.nan_to_num(p))
        rows[name] = data.same(scaled @ values, scaled)
    return rows


def constant(data: Data) -> Rows:
    """How often each answer was given in what is fitted on, the same for every form."""

    def fit(data: Data, rows: IntArray, seed: int) -> Predict[Data]:
        shares = _shares(data.forms, rows)
        return lambda data, rows: np.tile(shares, (len(rows), 1))

    return {"constant": data.cross_fitted(fit)}


def rater_mean(data: Data) -> Rows:
    """How often each rater gave each answer, with one form's weight of everyone's habit."""

    def fit(data: Data, rows: IntArray, seed: int) -> Predict[Data]:
        forms, prior = data.forms, _shares(data.forms, rows)
        own = np.zeros((len(forms.raters), len(prior)))
        np.add.at(own, (forms.rater[rows], forms.y[rows]), 1)
        habits = (own + prior) / (own.sum(axis=1, keepdims=True) + 1)
        return lambda data, rows: habits[data.forms.rater[rows]]

    return {"rater mean": data.cross_fitted(fit)}


def _shares(forms: Forms, fitted: IntArray) -> FloatArray:
    """Shares of the target's answers, with half a form's weight on all of them alike."""
    width = len(forms.target)
    counts = np.bincount(forms.y[fitted], minlength=width) + 0.5 / width
    return np.asarray(counts / counts.sum())


def ridge(data: Data) -> Rows:
    """Ridge regression on expected answers, with an intercept of each rater's own."""
    forms = data.forms
    design = np.hstack([_expected_columns(data), np.eye(len(forms.raters))[forms.rater]])

    def fit(data: Data, rows: IntArray, seed: int) -> Predict[Data]:
        fold, errors = data.folds.of(seed)[rows], np.zeros(len(PENALTIES))
        for inner in np.unique(fold):
            inside, outside = rows[fold != inner], rows[fold == inner]
            if len(inside):
                gaps = _ridge(design, forms.values, inside, outside) - forms.values[outside]
                errors += (gaps**2).sum(axis=1)
        best = int(errors.argmin())
        return lambda data, asked: _ridge(design, data.forms.values, rows, asked)[best]

    return {"ridge": data.cross_fitted(fit)}


def _ridge(design: FloatArray, y: FloatArray, fitted: IntArray, asked: IntArray) -> FloatArray:
    """Predictions (penalties, asked), columns standardised on what is fitted."""
    mean, spread = moments(design[fitted])
    scaled = np.nan_to_num((design - mean) / spread)
    middle = y[fitted].mean()
    left, sizes, right = np.linalg.svd(scaled[fitted], full_matrices=False)
    along = left.T @ (y[fitted] - middle)
    shrunk = np.array([sizes / (sizes**2 + penalty) * along for penalty in PENALTIES])
    return np.asarray(middle + shrunk @ right @ scaled[asked].T)


def _expected_columns(data: Data) -> FloatArray:
    """(N, columns) each ordered block's expected answer, other blocks as they are."""
    features, x = data.forms.features, data.forms.x
    parts = []
    for block, place in zip(features.blocks, features.columns, strict=True):
        p = x[:, place]
        if not block.ordered or not block.answers:
            parts.append(p)
            continue
        mass = p.sum(axis=1, keepdims=True)  # 0 where the question does not apply
        mean = p @ np.asarray(block.values)[:, None]
        np.divide(mean, mass, where=mass > 0, out=mean)
        parts += [np.where(mass > 0, mean, np.nan), (mass > 0).astype(float)]
    return np.hstack(parts)


def scores(data: Data) -> Rows:
    """Scores given without answers to choose from (FActScore, metrics): only their order counts."""
    features = data.forms.features
    rows = {}
    for block, place in zip(features.blocks, features.columns, strict=True):
        if not block.answers:
            value = data.same(data.forms.x[:, place][:, 0]).value
            rows[f"score: {block.question} by {block.judge}"] = Predictions(value, only_order=True)
    return rows


def default(data: Data) -> Rows:
    """assize's default calibrator; without seeds of its own, but with each seed's folds.

    What a fold holds out is predicted as a new file is by `predict`.
    """
    return {"default": data.cross_fitted(default_method)}


def default_method(data: Data, rows: IntArray, seed: int = 0) -> Predict[Data]:
    """The default calibrator, fitted on some forms; NaN where all gave one answer."""
    if len(np.unique(data.forms.y[rows])) < 2:
        return lambda data, rows: np.full((len(rows), len(data.forms.target)), np.nan)
    fitted = fit_default(data.forms.take(rows))
    return lambda data, rows: predict_new_items(fitted, data.forms.take(rows))
