from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from assize.evaluator._adapting.update import (
    NONE,
    PENALTIES,
    Choice,
    Lesson,
    cross_validated,
    fit_line,
    held_changes,
    select,
    weights_of,
)


def lesson(
    n: int, rng: np.random.Generator, *, moved: float, noise: float = 1.0, paired: bool = False
) -> Lesson:
    """Labels that follow the evaluator's number and, by `moved`, the first of five columns."""
    raw, columns = rng.normal(size=n), rng.normal(size=(n, 5))
    targets = 3 + raw + moved * columns[:, 0] + noise * rng.normal(size=n)
    other = rng.normal(size=(n, 40))
    return Lesson(raw, targets, {"few": columns, "all": other}, np.arange(n), paired)


def folds_of(n: int, count: int) -> list[np.ndarray]:
    return [np.arange(n)[place::count] for place in range(count)]


@pytest.mark.parametrize(
    ("raw", "targets", "paired", "expected"),
    [
        # slope = cov / var = 2 / 1; the intercept is the mean label where raw numbers are centred
        ([-1.0, 1.0], [1.0, 5.0], False, (3, 2)),
        ([1.0, 3.0], [1.0, 5.0], False, (-1, 2)),
        # differences: sum(x y) / sum(x x) without an intercept
        ([1.0, 2.0], [1.0, 1.0], True, (0, 3 / 5)),
        # numbers that agree with nothing, or the other way: held above 0, at a correlation of 0.1
        ([-1.0, 1.0, -1.0, 1.0], [1.0, 1.0, -1.0, -1.0], False, (0, 0.1)),
        ([-1.0, 1.0, -1.0, 1.0], [1.0, -1.0, 1.0, -1.0], False, (0, 0.1)),
    ],
)
def test_a_line_by_hand(
    raw: list[float], targets: list[float], paired: bool, expected: tuple[float, float]
) -> None:
    line = fit_line(np.array(raw), np.array(targets), paired)
    assert (line.a, line.s) == pytest.approx(expected)


def ridge(given: Lesson, rows: Any, penalty: float) -> tuple[Any, Any]:
    """The weights of `few` by the normal equations on some rows, and the middle of its columns;
    columns have the size that they have over all rows."""
    every, columns = given.columns["few"], given.columns["few"][rows]
    size, middle = np.sum((every - every.mean(axis=0)) ** 2) / len(every), columns.mean(axis=0)
    line = fit_line(given.raw[rows], given.targets[rows], paired=False)
    rest, centred = given.targets[rows] - line(given.raw[rows]), columns - middle
    gram = centred.T @ centred + penalty * size * np.eye(5)
    return np.linalg.solve(gram, centred.T @ rest) / line.s, middle


def test_the_dual_form_is_ridge_on_residuals_of_the_line() -> None:
    given = lesson(30, np.random.default_rng(0), moved=1.0)
    for penalty in (PENALTIES[0], PENALTIES[3]):
        expected, _ = ridge(given, np.arange(30), penalty)
        assert weights_of(given, Choice("few", penalty)) == pytest.approx(expected)


def test_held_changes_are_those_of_a_fit_on_the_other_rows() -> None:
    given = lesson(30, np.random.default_rng(1), moved=1.0)
    fitted, held = np.arange(20), np.arange(20, 30)
    found = held_changes(given, given.kernels()["few"], fitted, held)
    for penalty, change in zip(PENALTIES, found, strict=True):
        weights, middle = ridge(given, fitted, penalty)
        assert change == pytest.approx((given.columns["few"][held] - middle) @ weights)


def test_what_labels_follow_is_found_and_order_improves_on_rows_not_seen() -> None:
    rng = np.random.default_rng(2)
    given = lesson(200, rng, moved=1.5, noise=0.5)
    assert select(given, given.kernels(), np.arange(200), rng).choice.candidate == "few"
    raw, before, after = cross_validated(given, folds_of(200, 10), rng)
    won = np.mean((given.targets - before) ** 2) - np.mean((given.targets - after) ** 2)
    assert won > 0.5 * 1.5**2
    order = [np.corrcoef(one, given.targets)[0, 1] for one in (raw, given.raw)]
    assert order[0] > order[1] + 0.2


def test_nothing_to_learn_leaves_the_numbers_as_they_are() -> None:
    kept, harm = 0, []
    for seed in range(40):
        rng = np.random.default_rng(seed)
        given = lesson(20, rng, moved=0.0)
        kept += select(given, given.kernels(), np.arange(20), rng).choice.candidate == NONE
        raw, *_ = cross_validated(given, folds_of(20, 5), rng)
        after, before = (np.corrcoef(one, given.targets)[0, 1] for one in (raw, given.raw))
        harm.append(after - before)
    assert kept >= 20
    assert np.mean(harm) > -0.05  # before the outer folds decide whether it is used


def test_rows_of_one_group_are_never_on_both_sides() -> None:
    # Labels are a group's own and nothing else: with copies apart, the change would look good.
    rng = np.random.default_rng(3)
    groups = np.repeat(np.arange(15), 4)
    columns, targets = rng.normal(size=(15, 30))[groups], rng.normal(size=15)[groups]
    given = Lesson(rng.normal(size=60), targets, {"all": columns}, groups)
    for part, expected in ((given, NONE), (replace(given, groups=np.arange(60)), "all")):
        found = select(part, part.kernels(), np.arange(60), rng)
        assert found.choice.candidate == expected


def test_exchanging_the_sides_of_pairs_exchanges_the_change() -> None:
    drawn = lesson(60, np.random.default_rng(4), moved=1.0, paired=True)
    given = replace(drawn, targets=np.sign(drawn.targets - 3))
    columns = {name: -own for name, own in given.columns.items()}
    turned = replace(given, raw=-given.raw, targets=-given.targets, columns=columns)
    one, two = (weights_of(part, Choice("few", 10.0)) for part in (given, turned))
    assert one == pytest.approx(two)
