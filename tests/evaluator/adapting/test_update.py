from __future__ import annotations

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


def test_a_line_by_hand() -> None:
    # slope = cov / var = 2 / 1; the intercept is the mean label where raw numbers are centred.
    line = fit_line(np.array([-1.0, 1.0]), np.array([1.0, 5.0]), paired=False)
    assert (line.a, line.s) == pytest.approx((3, 2))
    # Differences: sum(x y) / sum(x x) without an intercept.
    line = fit_line(np.array([1.0, 2.0]), np.array([1.0, 1.0]), paired=True)
    assert (line.a, line.s) == pytest.approx((0, 3 / 5))


def test_the_slope_of_numbers_that_agree_with_nothing_is_held_above_0() -> None:
    raw = np.array([-1.0, 1.0, -1.0, 1.0])
    for targets in (np.array([1.0, 1.0, -1.0, -1.0]), -raw):
        assert fit_line(raw, targets, paired=False).s == pytest.approx(0.1)


def test_the_dual_form_is_ridge_on_residuals_of_the_line() -> None:
    rng = np.random.default_rng(0)
    given = lesson(30, rng, moved=1.0)
    for penalty in (PENALTIES[0], PENALTIES[3]):
        found = weights_of(given, Choice("few", penalty))
        columns = given.columns["few"] - given.columns["few"].mean(axis=0)
        size = np.sum(columns**2) / len(columns)
        line = fit_line(given.raw, given.targets, paired=False)
        rest = given.targets - line(given.raw)
        gram = columns.T @ columns + penalty * size * np.eye(5)
        assert found == pytest.approx(np.linalg.solve(gram, columns.T @ rest) / line.s)


def test_held_changes_are_those_of_a_fit_on_the_other_rows() -> None:
    rng = np.random.default_rng(1)
    given = lesson(30, rng, moved=1.0)
    fitted, held = np.arange(20), np.arange(20, 30)
    found = held_changes(given, given.kernels()["few"], fitted, held)
    for penalty, change in zip(PENALTIES, found, strict=True):
        columns = given.columns["few"]
        middle = columns[fitted].mean(axis=0)
        size = np.sum((columns - columns.mean(axis=0)) ** 2) / 30  # of all rows, as the kernel's
        line = fit_line(given.raw[fitted], given.targets[fitted], paired=False)
        rest = given.targets[fitted] - line(given.raw[fitted])
        centred = columns[fitted] - middle
        gram = centred.T @ centred + penalty * size * np.eye(5)
        weights = np.linalg.solve(gram, centred.T @ rest) / line.s
        assert change == pytest.approx((columns[held] - middle) @ weights)


def test_what_labels_follow_is_found_and_order_improves_on_rows_not_seen() -> None:
    rng = np.random.default_rng(2)
    given = lesson(200, rng, moved=1.5, noise=0.5)
    raw, before, after, choices = cross_validated(given, folds_of(200, 10), rng)
    assert {one.candidate for one in choices} == {"few"}
    won = np.mean((given.targets - before) ** 2) - np.mean((given.targets - after) ** 2)
    assert won > 0.5 * 1.5**2
    order = [np.corrcoef(one, given.targets)[0, 1] for one in (raw, given.raw)]
    assert order[0] > order[1] + 0.2


def test_nothing_to_learn_leaves_the_numbers_as_they_are() -> None:
    kept, harm = 0, []
    for seed in range(40):
        rng = np.random.default_rng(seed)
        given = lesson(20, rng, moved=0.0)
        chosen = select(given, given.kernels(), np.arange(20), rng)
        kept += chosen.choice.candidate == NONE
        raw, *_ = cross_validated(given, folds_of(20, 5), rng)
        harm.append(
            np.corrcoef(raw, given.targets)[0, 1] - np.corrcoef(given.raw, given.targets)[0, 1]
        )
    assert kept >= 20
    assert np.mean(harm) > -0.05  # before the outer folds decide whether it is used


def test_rows_of_one_group_are_never_on_both_sides() -> None:
    # Labels are a group's own and nothing else: with copies apart, the change would look good.
    rng = np.random.default_rng(3)
    groups = np.repeat(np.arange(15), 4)
    columns = np.repeat(rng.normal(size=(15, 30)), 4, axis=0)
    targets = np.repeat(rng.normal(size=15), 4)
    given = Lesson(rng.normal(size=60), targets, {"all": columns}, groups)
    assert select(given, given.kernels(), np.arange(60), rng).choice.candidate == NONE
    alone = Lesson(given.raw, targets, {"all": columns}, np.arange(60))
    assert select(alone, alone.kernels(), np.arange(60), rng).choice.candidate == "all"


def test_exchanging_the_sides_of_pairs_exchanges_the_change() -> None:
    rng = np.random.default_rng(4)
    given = lesson(60, rng, moved=1.0, paired=True)
    given = Lesson(given.raw, np.sign(given.targets - 3), given.columns, given.groups, paired=True)
    turned = Lesson(
        -given.raw,
        -given.targets,
        {k: -v for k, v in given.columns.items()},
        given.groups,
        paired=True,
    )
    one, two = (weights_of(part, Choice("few", 10.0)) for part in (given, turned))
    assert one == pytest.approx(two)
