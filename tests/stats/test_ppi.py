"""Prediction-powered estimates."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from scipy.special import stdtrit

from assize.base.errors import DataError
from assize.stats import labels_needed, mean, ppi_mean
from assize.stats._intervals import wilson_ends

NAN = float("nan")


def labelled(
    n: int, more: int, rho: float, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """`n` human labels (mean 0) among `n + more` machine labels that correlate by `rho`."""
    machine = rng.normal(size=n + more)
    human = rho * machine + np.sqrt(1 - rho**2) * rng.normal(size=n + more)
    human[n:] = NAN
    return human, machine


def test_the_estimate_by_hand() -> None:
    # people 1 2 3, machine 1 3 5 there and 3 5 elsewhere: 2 + 1 * (4 - 3)
    found = ppi_mean([1, 2, 3, NAN, NAN], [1, 3, 5, 3, 5], weight=1)
    assert found.powered.estimate == pytest.approx(3)
    # cluster pulls: (0, 0, 0, -1/2, 1/2) + (-1, 0, 1)/3 - (-2, 0, 2)/3; times 3/2
    variance = 1.5 * (2 * (1 / 3) ** 2 + 2 * (1 / 2) ** 2)
    assert found.powered.details["standard_error"] == pytest.approx(np.sqrt(variance))


def test_weight_0_is_the_human_labels_alone() -> None:
    human, machine = labelled(20, 80, 0.9, np.random.default_rng(0))
    found = ppi_mean(human, machine, weight=0)
    assert found.powered.interval == pytest.approx(mean(human[:20]).interval)
    assert found.human.interval == pytest.approx(found.powered.interval)
    assert found.gain == pytest.approx(1)


def test_a_good_machine_narrows_the_interval_and_a_useless_one_is_ignored() -> None:
    rng = np.random.default_rng(1)
    good = ppi_mean(*labelled(60, 2_000, 0.95, rng))
    assert good.weight > 0.8
    assert good.gain > 4
    useless = ppi_mean(*labelled(60, 2_000, 0.0, rng))
    assert useless.weight < 0.3
    assert 0.97 < useless.gain < 1.3


def test_it_covers_and_is_never_wider_on_average() -> None:
    rng, repetitions = np.random.default_rng(2), 1_500
    error = 4 * np.sqrt(0.95 * 0.05 / repetitions)
    for rho in (0.0, 0.8):
        hits, width, human_width = 0, 0.0, 0.0
        for _ in range(repetitions):
            found = ppi_mean(*labelled(50, 300, rho, rng))
            low, high = found.powered.interval
            hits += low <= 0 <= high
            width += high - low
            human_width += found.human.interval[1] - found.human.interval[0]
        assert abs(hits / repetitions - 0.95) < error
        assert width / human_width <= 1.02


def wrong_by_rates(
    rng: np.random.Generator, n: int, more: int, rate: float
) -> tuple[np.ndarray, np.ndarray]:
    """Wins by people; the machine sees 95% of them, and takes 10% of losses for one."""
    wins = rng.random(n + more) < rate
    machine = np.where(wins, rng.random(n + more) < 0.95, rng.random(n + more) < 0.1)
    return np.where(np.arange(n + more) < n, wins, NAN), machine.astype(float)


@pytest.mark.parametrize(("n", "rate", "seed"), [(100, 0.95, 1), (50, 0.9, 2), (50, 0.05, 3)])
def test_rates_near_0_and_1_are_covered(n: int, rate: float, seed: int) -> None:
    # a normal interval covers 87.9, 89.0 and 87% here; four standard errors of 1,000 draws are 2.8
    rng, hits, human_hits = np.random.default_rng(seed), 0, 0
    for _ in range(1_000):
        found = ppi_mean(*wrong_by_rates(rng, n, 10 * n, rate))
        hits += found.powered.interval[0] <= rate <= found.powered.interval[1]
        human_hits += found.human.interval[0] <= rate <= found.human.interval[1]
    assert hits / 1_000 > 0.92
    assert human_hits / 1_000 > 0.92


def test_the_interval_of_a_rate_by_hand() -> None:
    # labels 1 1 0, and half an item at each of (0, 0), (0, 1), (1, 0), (1, 1): 5 items, mean 0.6;
    # variance 5/4 * (2 * .16 + .36 + .5 * (2 * .36 + 2 * .16)) / 25 = 0.06, so 0.24 / 0.06 labels
    found = ppi_mean([1, 1, 0, NAN, NAN], [1, 0, 0, 1, 0], weight=0).powered
    assert found.estimate == pytest.approx(2 / 3)
    assert found.interval == pytest.approx(wilson_ends(2 / 3, 4, float(stdtrit(2, 0.975))))


def test_a_rate_never_leaves_its_scale_and_all_the_same_has_an_interval() -> None:
    people, machine = wrong_by_rates(np.random.default_rng(4), 30, 300, 0.98)
    people[:30] = 1
    for scale in (1.0, 2.0):
        found = ppi_mean(scale * people, scale * machine).powered
        assert 0 < found.interval[0] < found.estimate <= found.interval[1] == scale
    assert ppi_mean(people, machine + 0.1 * np.arange(330)).powered.reason is not None


def test_a_linear_scale_moves_everything_along() -> None:
    human, machine = labelled(40, 200, 0.7, np.random.default_rng(3))
    one, two = ppi_mean(human, machine), ppi_mean(5 + 2 * human, 1 + 2 * machine)
    assert two.weight == pytest.approx(one.weight)
    assert two.powered.interval == pytest.approx(tuple(5 + 2 * end for end in one.powered.interval))


@pytest.mark.parametrize(
    ("human", "machine"),
    [
        labelled(40, 200, 0.7, np.random.default_rng(4)),
        wrong_by_rates(np.random.default_rng(5), 40, 200, 0.9),
    ],
    ids=["a mean", "a rate"],
)
def test_clusters_are_the_unit(human: np.ndarray, machine: np.ndarray) -> None:
    alone = ppi_mean(human, machine)
    copies = (np.repeat(human, 5), np.repeat(machine, 5))
    copied = ppi_mean(*copies, clusters=np.repeat(np.arange(240), 5))
    assert copied.powered.interval == pytest.approx(alone.powered.interval)
    assert copied.powered.clusters == 40


def test_items_the_machine_could_not_judge_are_unscored() -> None:
    found = ppi_mean([1, 2, 3, 4, NAN], [1, 2, NAN, 4, 3])
    assert (found.powered.n, found.powered.unscored) == (3, 1)


def test_the_number_of_labels_that_it_names_gives_the_width() -> None:
    rng = np.random.default_rng(6)
    found = ppi_mean(*labelled(100, 20_000, 0.8, rng))
    needed = labels_needed(found, 0.15)
    assert needed.more == needed.total - 100
    assert needed.human_only > 2 * needed.total
    reached = ppi_mean(*labelled(needed.total, 20_000, 0.8, rng)).powered.interval
    assert reached[1] - reached[0] == pytest.approx(0.15, rel=0.15)
    assert labels_needed(found, 10.0).more == 0


def test_a_width_that_the_machines_items_cannot_give_is_said() -> None:
    found = ppi_mean(*labelled(100, 200, 0.95, np.random.default_rng(7)))
    needed = labels_needed(found, 0.01)
    assert needed.total == -1
    assert "judge more of them" in str(needed.reason)


def test_a_machine_that_makes_the_answer_worse_is_warned_of() -> None:
    """By hand: against the truth its labels add variance, all the more at full weight."""
    people, machine = labelled(100, 2_000, 0.0, np.random.default_rng(8))
    worse = labels_needed(ppi_mean(people, machine, weight=1.0), 0.3)
    assert "makes the answer worse" in str(worse.warning)
    assert worse.total > worse.human_only
    assert labels_needed(ppi_mean(people, machine), 0.3).warning is None


def test_too_little_data_is_nan_with_a_reason() -> None:
    found = ppi_mean([1, 2, NAN], [1, 2, 3])
    assert found.powered.reason == "needs human labels in at least 3 clusters; there are 2"
    assert labels_needed(found, 1.0).reason == found.powered.reason
    same = ppi_mean([1, 1, 1, NAN], [2, 2, 2, 2])
    assert same.powered.estimate == 1
    assert np.isnan(same.powered.interval).all()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: ppi_mean([1], [1], weight=2), "`weight` must lie in"),
        (lambda: ppi_mean([1], [1, 2]), "`human` has 1, `machine` has 2"),
        (lambda: labels_needed(ppi_mean([1, 2, 3], [1, 2, 3]), 0), "`width` must be above 0"),
    ],
)
def test_bad_arguments_are_named(call: Callable[[], object], message: str) -> None:
    with pytest.raises(DataError, match=message):
        call()
