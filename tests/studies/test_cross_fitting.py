"""Held-out predictions, by methods whose predictions can be told."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from assize.studies import cross_fit, folds_of, predictions

from .conftest import least_squares, mean, own_seed, told


def test_each_row_is_predicted_by_the_mean_of_the_other_folds(line: Any) -> None:
    data, items = line
    folds = folds_of(items, folds=4, seeds=2)
    found = cross_fit(mean, data, folds)
    assert found.shape == (2, 200)
    for place, fold in enumerate(folds.fold):
        for one in range(4):
            assert found[place, fold == one] == pytest.approx(data[fold != one, 1].mean())


def test_a_line_is_recovered_from_every_training_set(line: Any) -> None:
    data, items = line
    for split in folds_of(items, seeds=1).splits():
        level = least_squares(data, split.fitted, split.seed)(
            np.array([[0.0], [1.0]]), np.arange(2)
        )
        assert level == pytest.approx([2, 5], abs=0.2)
    errors = cross_fit(least_squares, data, folds_of(items)) - data[:, 1]
    assert errors.std() == pytest.approx(0.5, abs=0.06)


def test_every_seed_reaches_the_method(line: Any) -> None:
    data, items = line
    found = cross_fit(own_seed, data, folds_of(items, seeds=3))
    assert (found == np.arange(3)[:, None]).all()


def test_a_row_does_not_move_its_own_prediction_but_moves_others(line: Any) -> None:
    data, items = line
    folds = folds_of(items, seeds=1)
    moved = data.copy()
    moved[7, 1] += 100
    before, after = (cross_fit(least_squares, one, folds)[0] for one in (data, moved))
    alike = folds.fold[0] == folds.fold[0, 7]
    assert (before[alike] == after[alike]).all()
    assert (before[~alike] != after[~alike]).all()


def test_probabilities_keep_their_width_and_gaps_are_nan(line: Any) -> None:
    def shares(data: Any, rows: Any, seed: int) -> Any:
        return lambda data, rows: np.tile([0.25, 0.75], (len(rows), 1))

    data, items = line
    asked = np.arange(200) % 2 == 0
    found = cross_fit(shares, data, folds_of(items, seeds=1), ask=asked)
    assert found.shape == (1, 200, 2)
    assert (found[0, asked] == [0.25, 0.75]).all()
    assert np.isnan(found[0, ~asked]).all()


def test_predictions_come_split_by_split_and_no_sooner_than_asked(line: Any) -> None:
    fits = []

    def counting(data: Any, rows: Any, seed: int) -> Any:
        fits.append(len(rows))
        return told(0, 0)

    data, items = line
    found = predictions(counting, data, folds_of(items, folds=4, seeds=1).splits())
    assert fits == []
    assert len(next(found)) == 50
    assert fits == [150]
