from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.calibrate.conftest import NOMINAL, SCALE

from assize.calibrate._groups.audit import audit_groups, difference
from assize.calibrate._groups.held_out import HeldOut


def made(rows: int, seed: int, harsh: float = 0.0) -> tuple[HeldOut, tuple[str, ...]]:
    """True predictions of three ratings an item; in group b a share of answers falls to the
    lowest, which the predictions do not know."""
    rng = np.random.default_rng(seed)
    p = np.repeat(rng.dirichlet(np.ones(3), rows // 3), 3, axis=0)
    y = (p.cumsum(axis=1) < rng.random((len(p), 1))).sum(axis=1)
    groups = np.repeat(rng.choice(["a", "b"], rows // 3), 3)
    y = np.where((groups == "b") & (rng.random(len(p)) < harsh), 0, y)
    return HeldOut(p, y, np.repeat(np.arange(rows // 3), 3), SCALE), tuple(groups.tolist())


def audited(rows: HeldOut, groups: tuple[str | None, ...], **how: Any) -> Any:
    """Everybody's figures and those of the groups."""
    return audit_groups(rows, {"g": groups}, rng=np.random.default_rng(0), **how)


def test_figures_are_those_of_the_group() -> None:
    rows, labels = made(300, 0)
    everybody, (a, b) = audited(rows, labels)
    assert (everybody.n, everybody.items, a.n + b.n) == (300, 100, 300)
    one = np.array(labels) == "a"
    error = (rows.p @ [1, 2, 3] - (rows.y + 1))[one]
    assert a.rmse.estimate == pytest.approx(np.sqrt(np.mean(error**2)))
    assert a.mae.estimate == pytest.approx(np.abs(error).mean())
    assert a.bias.estimate == pytest.approx(error.mean())
    own = rows.p[np.arange(300), rows.y]
    assert a.log_loss.estimate == pytest.approx(-np.log(own[one]).mean())
    assert a.log_loss_difference == pytest.approx(
        -np.log(own[one]).mean() + np.log(own[~one]).mean()
    )
    low, high = a.rmse.interval
    assert low < a.rmse.estimate < high


def test_the_calibration_error_of_a_small_group_has_no_interval() -> None:
    rows, labels = made(300, 0)
    _, (a, b) = audited(rows, labels, least=10_000)
    assert np.isnan(a.smooth_ece.interval).all()
    assert a.smooth_ece.estimate > 0
    assert "fewer than 10000 ratings" in str(b.smooth_ece.reason)
    assert not np.isnan(a.rmse.interval).any()


def test_groups_that_are_served_alike_are_seldom_told_apart() -> None:
    p_values = []
    for seed in range(300):
        rows, labels = made(240, seed)
        error = rows.p @ [1, 2, 3] - (rows.y + 1)
        p_values.append(difference(error, np.array(labels) == "a", rows.item)[1])
    assert 0.02 < np.mean(np.array(p_values) < 0.05) < 0.09
    assert np.mean(p_values) == pytest.approx(0.5, abs=0.06)


def was_tested(group: Any) -> bool:
    """Whether any of a group's differences was tested."""
    p_values = (group.bias_p_value, group.log_loss_p_value)
    return any(p is not None and not np.isnan(p) for p in p_values)


def test_small_groups_are_shown_and_not_tested() -> None:
    rows, labels = made(300, 0)
    few = ("c",) * 12 + labels[12:]
    _, groups = audited(rows, few)
    (c,) = (one for one in groups if one.group == "c")
    assert (c.n, was_tested(c)) == (12, False)
    assert c.rmse.estimate > 0
    assert all(was_tested(one) for one in groups if one.group != "c")


def test_what_is_unscored_is_counted_and_enters_nothing() -> None:
    rows, labels = made(300, 0)
    rows.p[:30] = np.nan
    everybody, groups = audited(rows, (None,) * 60 + labels[60:])
    assert (everybody.n, everybody.unscored) == (270, 30)
    assert everybody.smooth_ece.unscored == 30
    nobody = groups[-1]
    assert (nobody.group, nobody.n, nobody.unscored, was_tested(nobody)) == (
        "(none)",
        30,
        30,
        False,
    )


def test_unordered_answers_have_no_means_to_audit() -> None:
    p = np.array([[0.2, 0.3, 0.5]])
    rows = HeldOut(np.repeat(p, 40, axis=0), np.zeros(40, dtype=int), np.arange(40), NOMINAL)
    everybody, _ = audit_groups(rows, {}, rng=np.random.default_rng(0))
    assert everybody.rmse is everybody.mae is everybody.bias is None
    assert everybody.log_loss is not None
