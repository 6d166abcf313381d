from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.special import ndtr
from scipy.stats import spearmanr
from tests.calibrate.hierarchical.simulated import divergence, scored

from assize.base.errors import ConfigError, DataError
from assize.base.judgment import PREFERENCE, Question
from assize.calibrate import fit_default
from assize.calibrate._artefact import load, save
from assize.calibrate._calibrator import predict
from assize.calibrate._data.features import Features
from assize.calibrate._data.forms import UNKNOWN, Choices, Forms, Scale
from assize.calibrate._hierarchical.calibrator import Hierarchical
from assize.calibrate._prediction.decode import describe

GRADES = Question("Q", kind="ordinal", answers=("1", "2", "3"), values=(1, 2, 3))
CHOICE = replace(PREFERENCE, id="better")
RATERS = 12


@dataclass(frozen=True)
class World:
    """Items with scores, what raters make of them, and what they choose."""

    features: Features
    latent: np.ndarray  # (N, R)
    rng: np.random.Generator

    def choices(self, count: int, tie: float = 0.4) -> Choices:
        a, b = (self.rng.integers(len(self.latent), size=count) for _ in range(2))
        rater = self.rng.integers(RATERS, size=count)
        gap = self.latent[a, rater] - self.latent[b, rater]
        seen = gap + self.rng.normal(size=count) * 2**0.5
        return Choices(a, b, rater, 1 + (seen > tie).astype(int) - (seen < -tie).astype(int))

    def graded(self, count: int) -> Forms:
        item = self.rng.integers(len(self.latent), size=count)
        rater = self.rng.integers(RATERS, size=count)
        seen = self.latent[item, rater] + self.rng.normal(size=count)
        y = np.searchsorted([-0.7, 0.7], seen)
        return self.forms(item, rater, y, GRADES)

    def forms(
        self, item: np.ndarray, rater: np.ndarray, y: np.ndarray, question: Question
    ) -> Forms:
        names = tuple(f"r{n}" for n in range(RATERS))
        x = self.features.x[item]
        return Forms(x, item, rater, y[:, None], (Scale.of(question),), self.features, names)

    def only(self, choices: Choices) -> Forms:
        nothing = np.empty(0, dtype=np.int64)
        return replace(self.forms(nothing, nothing, nothing, CHOICE), choices=choices)

    def true(self, item: np.ndarray, rater: np.ndarray) -> np.ndarray:
        """Probabilities (n, 3) of the grades."""
        up_to = ndtr(np.array([-0.7, 0.7]) - self.latent[item, rater][:, None])
        return np.diff(up_to, axis=1, prepend=0, append=1)


def make_world(items: int = 400, seed: int = 0) -> World:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(items, 4))
    slopes = np.array([0.9, 0.5, 0.0, -0.3]) + rng.normal(0, 0.25, (RATERS, 4))
    return World(scored(x), x @ slopes.T, rng)


def fit_choices(count: int, **how: float) -> tuple[World, Hierarchical]:
    world = make_world()
    return world, fit_default(world.only(world.choices(count, **how)))


def test_choices_alone_order_items_as_their_raters_would() -> None:
    world, fitted = fit_choices(3_000)
    p = predict(fitted, world.features, [0, 5, UNKNOWN])
    means = p @ np.array(fitted.target.values)
    assert spearmanr(means[:, 2], world.latent.mean(axis=1)).statistic > 0.98
    own, other = (spearmanr(means[:, 0], world.latent[:, n]).statistic for n in (0, 5))
    assert own > 0.97
    assert own > other
    # the scale of choices is standardised on the reference items
    mean = describe(p[:, 2], fitted.target).mean
    assert len(fitted.target) == 20
    assert mean.mean() == pytest.approx(0, abs=0.02)
    assert mean.std() == pytest.approx(1, abs=0.1)
    assert p[:, 2].mean(axis=0) == pytest.approx(np.full(20, 0.05), abs=0.03)


def test_who_would_choose_what_is_recovered() -> None:
    world, fitted = fit_choices(6_000)
    a, b = (replace(world.features, x=x) for x in np.split(world.features.x, 2))
    p = fitted.compare(a, b, range(RATERS))
    gap = (world.latent[:200] - world.latent[200:]) / 2**0.5
    cut = 0.4 / 2**0.5
    true = np.stack([ndtr(-cut - gap), ndtr(cut - gap) - ndtr(-cut - gap), ndtr(gap - cut)], -1)
    assert divergence(true, p) < 0.012
    swapped = fitted.compare(b, a, range(RATERS))
    assert np.abs(swapped[..., ::-1] - p).max() < 0.06  # no side is favoured in this world


def test_choices_help_where_grades_are_few() -> None:
    gains = []
    for seed in range(4):
        world = make_world(seed=seed)
        graded = world.graded(60)
        item, rater = (world.rng.integers(n, size=500) for n in (400, RATERS))
        true = world.true(item, rater)
        found = []
        for forms in (graded, replace(graded, choices=world.choices(600))):
            p = fit_default(forms).probabilities(world.features, range(RATERS))
            found.append(divergence(true, p[item, rater]))
        gains.append(found[0] - found[1])
    assert min(gains) > 0
    assert np.mean(gains) > 0.02


def test_without_ties_none_is_predicted() -> None:
    world, fitted = fit_choices(800, tie=0.0)
    p = fitted.compare(world.features, world.features, [0])
    assert (p[:, 0, 1] == 0).all()
    assert p.sum(axis=2) == pytest.approx(np.ones((400, 1)))


def test_a_calibrator_of_choices_is_kept(tmp_path: Path) -> None:
    world, fitted = fit_choices(300)
    save(fitted, tmp_path)
    again: Any = load(tmp_path)
    mine, kept = (predict(one, world.features, [0, UNKNOWN]) for one in (fitted, again))
    assert np.array_equal(mine, kept)
    assert again.comparisons is not None


def test_unordered_answers_and_one_sided_choices_are_refused() -> None:
    world = make_world()
    forms = replace(world.graded(60), choices=world.choices(50))
    kinds = replace(GRADES, kind="nominal", values=None)
    with pytest.raises(ConfigError, match="are not ordered: choices"):
        fit_default(replace(forms, scales=(Scale.of(kinds),)))
    choices = world.choices(50)
    with pytest.raises(DataError, match="choices of both sides"):
        fit_default(world.only(replace(choices, answer=np.zeros_like(choices.answer))))


def test_a_helpers_choice_counts_1_whatever_a_rating_counts() -> None:
    world = make_world()
    forms = replace(world.only(world.choices(500)), helpers=10)
    fully, less = (fit_default(forms, helper_weight=weight) for weight in (1.0, 0.1))
    mine, other = (predict(one, world.features, [0]) for one in (fully, less))
    assert fully.raters == ("r0", "r1")
    assert np.array_equal(mine, other)
