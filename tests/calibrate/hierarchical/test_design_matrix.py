from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.special import ndtr
from tests.calibrate.conftest import make_world
from tests.calibrate.hierarchical.simulated import divergence

from assize.base.errors import DataError
from assize.calibrate import fit_default
from assize.calibrate._data.features import Block, Features
from assize.calibrate._data.forms import Forms
from assize.calibrate._hierarchical.design_matrix import LIMIT, WIDEST, Design, log_odds


def beside(world: Any, x: np.ndarray, name: str = "extra") -> Forms:
    """The world's forms, with more columns beside the answers."""
    features = world.forms.features
    block = Block("e", "", name, (), (), ordered=False, size=x.shape[1])
    joined = features.beside(Features(features.units, (block,), x))
    forms: Forms = world.forms
    return replace(forms, features=joined, x=joined.x[forms.item])


@pytest.fixture
def world() -> Any:
    hidden = np.random.default_rng(5).normal(size=1_200)

    def probabilities(x: np.ndarray) -> np.ndarray:
        middle = 1.5 * (x @ np.r_[np.arange(4), np.zeros(4)] - 1.5) + 0.8 * hidden[: len(x)]
        up_to = ndtr(np.array([-1.0, 0.0, 1.0]) - middle[:, None])
        return np.repeat(np.diff(up_to, axis=1, prepend=0, append=1)[:, None], 3, axis=1)

    return make_world(probabilities, rows=1_200, raters=3, seed=0), hidden


def off(forms: Forms, true: np.ndarray) -> float:
    """Divergence on the second half of what is fitted on the first."""
    half = len(forms) // 2
    fitted = fit_default(forms.take(np.arange(half)))
    held = replace(forms.features, units=(), x=forms.x[half:])
    return divergence(true[half:, None], fitted.probabilities(held, [0]))


def test_what_stands_beside_is_learnt_from(world: Any) -> None:
    found, hidden = world
    rng = np.random.default_rng(0)
    plain = off(found.forms, found.true)
    told = off(beside(found, hidden[:, None]), found.true)
    noise = off(beside(found, rng.normal(size=(1_200, 1))), found.true)
    assert told < 0.25 * plain
    assert noise < 1.1 * plain


def test_a_wide_vector_is_reduced_and_costs_little_where_it_is_noise(world: Any) -> None:
    found, hidden = world
    rng = np.random.default_rng(0)
    direction = rng.normal(size=100)
    told = 3 * np.outer(hidden, direction) / 10 + rng.normal(size=(1_200, 100))
    forms = beside(found, told)
    assert Design.fit(forms.features).late == WIDEST
    plain = off(found.forms, found.true)
    assert off(forms, found.true) < 0.6 * plain
    assert off(beside(found, rng.normal(size=(1_200, 100))), found.true) < 1.25 * plain


def test_what_is_missing_beside_counts_as_average(world: Any) -> None:
    found, hidden = world
    forms = beside(found, hidden[:, None])
    fitted = fit_default(forms)
    x = forms.x[:50].copy()
    x[:, -1] = np.nan
    missing = fitted.probabilities(replace(forms.features, units=(), x=x), [0])
    x[:, -1] = hidden.mean()
    assert missing == pytest.approx(
        fitted.probabilities(replace(forms.features, units=(), x=x), [0])
    )


def test_each_block_beside_counts_alike() -> None:
    rng = np.random.default_rng(0)
    blocks = (
        Block("m", "", "s", (), (), ordered=True),
        Block("e", "", "wide", (), (), ordered=False, size=64, late=True),
        Block("e", "", "one", (), (), ordered=False, late=True),
    )
    design = Design.fit(Features((), blocks, rng.normal(size=(500, 66))))
    late = design.matrix(Features((), blocks, rng.normal(size=(500, 66))))[:, 1:]
    assert late.shape == (500, WIDEST + 1)
    assert (late[:, :-1] ** 2).sum(axis=1).mean() == pytest.approx(0.3, abs=0.1)  # half is cut off
    assert (late[:, -1] ** 2).mean() == pytest.approx(0.5, abs=0.1)


def test_columns_beside_alone_are_not_answers() -> None:
    block = Block("e", "", "s", (), (), ordered=True, late=True)
    with pytest.raises(DataError, match="no question with ordered answers"):
        Design.fit(Features((), (block,), np.zeros((3, 1))))


ORDERED = Block("m", "", "Q0", ("1", "2", "3"), (1, 2, 3), ordered=True)


def read(x: list[list[float]], *blocks: Block) -> np.ndarray:
    return log_odds(
        Features(tuple((str(n), None) for n in range(len(x))), blocks, np.array(x, dtype=float))
    )


TURNED = Block("m", "", "Q0", ("3", "2", "1"), (3, 2, 1), ordered=True)
SCORE = Block("e", "", "quality", (), (), ordered=True)
NOMINAL = Block("m", "", "Q8", ("a", "b"), (0, 1), ordered=False)


@pytest.mark.parametrize(
    ("row", "blocks", "expected"),
    [
        # P(above 1) = 0.8 and P(above 2) = 0.5: the mean of log 4 and log 1
        ([0.2, 0.3, 0.5], [ORDERED], np.log(4) / 2),
        ([0.1, 0.15, 0.25], [ORDERED], np.log(4) / 2),  # mass outside the answers does not count
        ([0.5, 0.3, 0.2], [TURNED], np.log(4) / 2),  # in the order of their values
        ([0, 0, 1.0], [ORDERED], LIMIT),
        ([1.0, 0, 0], [ORDERED], -LIMIT),
        ([0, 0, 0], [ORDERED], np.nan),  # not applicable
        ([np.nan] * 3, [ORDERED], np.nan),
        ([0.3, 0.5, 0.5], [SCORE, NOMINAL], 0.3),  # scores stand as given, no order is not read
    ],
)
def test_answers_are_read_as_the_mean_log_odds_of_passing_each_step(
    row: list[float], blocks: list[Block], expected: float
) -> None:
    assert read([row], *blocks).tolist() == [[pytest.approx(expected, nan_ok=True)]]
