"""Items of sets that were fitted, and of others: levels planted in sets are recovered."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.special import ndtr
from tests.calibrate.hierarchical.simulated import GRADE, make_forms

from assize.base.errors import DataError
from assize.calibrate import fit_default
from assize.calibrate._artefact import load, save, signature
from assize.calibrate._calibrator import predict
from assize.calibrate._data.forms import Forms, ItemSets
from assize.calibrate._hierarchical.calibrator import Hierarchical, OnItems

SETS, RATERS, ROWS = 8, 25, 4_000


def in_set(fitted: Hierarchical, name: str) -> Hierarchical:
    """The calibrator of one of the sets that were fitted."""
    assert fitted.sets is not None
    posteriors = dict(zip(fitted.sets.names, fitted.sets.posteriors, strict=True))[name]
    return replace(fitted, posteriors=posteriors, sets=None)


def planted(seed: int, *, of_set: float, in_set: float) -> tuple[Forms, np.ndarray]:
    """Grades in eight sets, and the true levels (R, S) of raters beside what stays."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(ROWS, 2))
    rater, at = rng.integers(RATERS, size=ROWS), rng.integers(SETS, size=ROWS)
    level = rng.normal(0, 0.5, RATERS)
    beside = rng.normal(0, of_set, SETS) + rng.normal(0, in_set, (RATERS, SETS))
    latent = 0.6 * x[:, 0] + 0.3 * x[:, 1] + level[rater] + beside[rater, at]
    y = (ndtr(np.array([-0.8, 0.0, 0.8]) - latent[:, None]) < rng.random((ROWS, 1))).sum(axis=1)
    forms = make_forms(x, rater, y, GRADE, RATERS)
    sets = ItemSets.of("set", [f"set{n}" for n in at], forms.item)
    return replace(forms, sets=sets), beside + level[:, None]


@pytest.fixture(scope="module")
def world() -> tuple[Forms, np.ndarray, Hierarchical]:
    forms, levels = planted(0, of_set=0.4, in_set=0.5)
    return forms, levels, fit_default(forms)


def test_variances_of_sets_and_of_raters_in_them_are_recovered(
    world: tuple[Forms, np.ndarray, Hierarchical],
) -> None:
    tau = world[2].posteriors[0].variances
    assert tau.in_sets == pytest.approx(0.25, rel=0.3)
    assert tau.levels == pytest.approx(0.25, rel=0.6)
    assert 0.015 < tau.sets < 0.5  # eight sets tell little


def test_where_sets_do_not_differ_next_to_nothing_is_learnt_of_them() -> None:
    forms, _ = planted(1, of_set=0.0, in_set=0.0)
    tau = fit_default(forms).posteriors[0].variances
    assert tau.sets < 0.02
    assert tau.in_sets < 0.03


def test_an_item_of_a_known_set_is_predicted_at_its_levels(
    world: tuple[Forms, np.ndarray, Hierarchical],
) -> None:
    forms, levels, fitted = world
    assert fitted.sets is not None
    assert forms.sets is not None
    found = np.array(
        [
            [-in_set(fitted, name).posteriors[0].mean[rater, 1] for name in forms.sets.names]
            for rater in range(RATERS)
        ]
    )
    order = [int(name[3:]) for name in forms.sets.names]
    assert np.corrcoef(found.ravel(), levels[:, order].ravel())[0, 1] > 0.85


def test_rows_of_known_and_of_new_sets_stand_in_their_places(
    world: tuple[Forms, np.ndarray, Hierarchical],
) -> None:
    _, _, fitted = world
    features = replace(world[0].features, units=world[0].features.units[:4], x=world[0].x[:4])
    here = fitted.for_items(features, ["set1", None, "other", "set1"])
    assert isinstance(here, OnItems)
    found = predict(here, features, [0, -1])
    known = predict(in_set(fitted, "set1"), features, [0, -1])
    assert found[[0, 3]] == pytest.approx(known[[0, 3]])
    new = predict(replace(here, set_of={}), features, [0, -1])
    assert found[[1, 2]] == pytest.approx(new[[1, 2]])
    drawn = here.sample(features, [0], 400, np.random.default_rng(0))
    assert drawn.shape == (400, 4, 1, 4)
    assert drawn.mean(axis=0)[:, 0] == pytest.approx(found[:, 0], abs=0.04)


def test_a_stranger_set_is_more_doubtful_than_a_known_one(
    world: tuple[Forms, np.ndarray, Hierarchical],
) -> None:
    _, _, fitted = world
    here = fitted.for_items(world[0].features)
    assert isinstance(here, Hierarchical)
    steps = here.posteriors[0].steps
    new = here.posteriors[0].covariance[0, :steps, :steps].mean()
    assert new > in_set(fitted, "set1").posteriors[0].covariance[0, :steps, :steps].mean() + 0.1


def test_what_was_learnt_of_sets_is_kept_in_the_folder(
    world: tuple[Forms, np.ndarray, Hierarchical], tmp_path: Path
) -> None:
    _, _, fitted = world
    save(fitted, tmp_path)
    again = load(tmp_path)
    assert isinstance(again, Hierarchical)
    assert again.sets is not None
    assert again.sets.names == fitted.sets.names  # type: ignore[union-attr]
    assert signature(again) == signature(fitted)
    assert in_set(again, "set2").posteriors[0].mean == pytest.approx(
        in_set(fitted, "set2").posteriors[0].mean
    )


def test_one_set_alone_is_refused(
    world: tuple[Forms, np.ndarray, Hierarchical],
) -> None:
    with pytest.raises(DataError, match="2 to 100 sets"):
        ItemSets.of("set", ["a", "a"], np.array([0, 1]))
