"""The network head against numbers worked out by hand, and as it is kept."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from assize.base.errors import DataError
from assize.base.record_parts import from_parts, to_parts
from assize.evaluator._heads.linear import Scaling
from assize.evaluator._heads.network import ACTIVATIONS, Activation, Network, Tower

PLAIN = Scaling(np.zeros(2), np.ones(2))


def by_hand(activation: Activation = "relu") -> Network:
    """Two members: the first has hidden units x - y and y - x, weighted 1 and 2, plus 1; the
    second is 0 everywhere but for its linear part, which is x."""
    hidden = np.array([[[1.0, -1.0], [-1.0, 1.0]], np.zeros((2, 2))])
    out = np.array([[[1.0], [2.0]], [[0.0], [0.0]]])
    linear = np.array([[[0.0], [0.0]], [[1.0], [0.0]]])
    tower = Tower((hidden, out), (np.zeros((2, 2)), np.array([[1.0], [0.0]])), linear)
    return Network(("one",), PLAIN, np.ones(2), (tower,), np.array([2.0]), activation)


def test_members_are_perceptrons_and_the_raw_number_is_their_mean() -> None:
    # x = 3, y = 1: hidden 2 and 0, output 2 + 1 = 3; linear 3; both halved by the spread
    # x = 1, y = 3: hidden 0 and 2, output 4 + 1 = 5; linear 1
    rows = np.array([[3.0, 1.0], [1.0, 3.0]])
    assert by_hand().members(rows)[:, :, 0].tolist() == [[1.5, 2.5], [1.5, 0.5]]
    assert by_hand().raw(rows)[:, 0].tolist() == [1.5, 1.5]
    assert by_hand().raw([]).shape == (0, 1)


def test_a_difference_is_antisymmetric_and_in_units_of_sigma() -> None:
    a, b = np.array([[3.0, 1.0]]), np.array([[0.5, 0.25]])
    # a is (3 + 3) / 2; b: hidden 0.25 and 0, 1.25, linear 0.5, mean 0.875
    assert by_hand().differences(a, b)[0, 0] == pytest.approx(3 - 0.875)
    np.testing.assert_array_equal(by_hand().differences(a, b), -by_hand().differences(b, a))


def test_activations_are_what_they_are_called() -> None:
    x = np.array([-1.0, 0.0, 2.0])
    found = {name: function(x) for name, function in ACTIVATIONS.items()}
    expected = {"relu": [0.0, 0.0, 2.0], "tanh": np.tanh(x), "silu": x / (1 + np.exp(-x))}
    np.testing.assert_equal(found, expected)
    raw = by_hand("tanh").members(np.array([[3.0, 1.0]]))[0, 0, 0]
    assert raw == pytest.approx((np.tanh(2) + 2 * np.tanh(-2) + 1) / 2)


def test_a_missing_feature_is_the_mean_and_gain_weighs_features() -> None:
    head, twice = by_hand(), np.array([[2.0, 4.0]])
    assert head.raw(np.array([[np.nan, 0.0]])).tolist() == head.raw(np.zeros((1, 2))).tolist()
    halved = replace(head, gain=np.full(2, 0.5))
    assert halved.raw(twice).tolist() == head.raw(twice / 2).tolist()


def test_two_towers_answer_side_by_side() -> None:
    towers = tuple(Tower((np.full((1, 2, n), 1.0 * n),), (np.zeros((1, n)),), None) for n in (2, 1))
    head = Network(("a", "b", "all"), PLAIN, np.ones(2), towers, np.ones(3))
    assert head.raw(np.array([[1.0, 2.0]])).tolist() == [[6, 6, 3]]


def test_towers_in_one_answer_as_they_do_apart() -> None:
    rng = np.random.default_rng(1)
    towers = tuple(
        Tower(
            (rng.normal(size=(2, 2, hidden)), rng.normal(size=(2, hidden, outputs))),
            (rng.normal(size=(2, hidden)), rng.normal(size=(2, outputs))),
            rng.normal(size=(2, 2, outputs)) if linear else None,
        )
        for hidden, outputs, linear in ((4, 1, True), (2, 2, False), (3, 1, True))
    )
    apart = Network(tuple("abcd"), PLAIN, np.ones(2), towers, np.ones(4), "silu")
    one = apart.in_one_tower()
    rows = rng.normal(size=(7, 2))
    assert len(one.towers) == 1
    np.testing.assert_allclose(one.members(rows), apart.members(rows))
    assert one.in_one_tower() is one


def test_what_is_kept_is_the_same_head() -> None:
    facts, arrays = to_parts(by_hand())
    again = from_parts(Network, facts, arrays)
    rows = np.array([[3.0, 2.0], [0.0, np.nan]])
    np.testing.assert_array_equal(again.raw(rows), by_hand().raw(rows))
    assert to_parts(again)[0] == facts
    for gone in arrays:
        rest = {name: array for name, array in arrays.items() if name != gone}
        with pytest.raises(ValueError, match=f"no array '{gone}'"):
            from_parts(Network, facts, rest)


def test_an_activation_that_is_none_is_refused() -> None:
    facts, arrays = to_parts(by_hand())
    with pytest.raises(TypeError, match="activation: received 'sin'"):
        from_parts(Network, {**facts, "activation": "sin"}, arrays)


@pytest.mark.parametrize(
    ("weights", "biases", "linear", "problem"),
    [
        ((), (), None, "one or more"),
        ([(0, 2, 1)], [(0, 1)], None, "one or more"),
        ([(2, 1)], [(2, 1)], None, "one or more"),
        ([(1, 2, 3), (1, 2, 1)], [(1, 3), (1, 1)], None, "do not fit each other"),
        ([(1, 2, 3), (2, 3, 1)], [(1, 3), (1, 1)], None, "do not fit each other"),
        ([(1, 2, 1)], [(1, 2)], None, "do not fit each other"),
        ([(1, 2, 1)], [(1, 1)], (1, 3, 1), r"linear part is \(1, 3, 1\), and not \(1, 2, 1\)"),
    ],
)
def test_layers_that_do_not_fit_are_refused(
    weights: Any, biases: Any, linear: Any, problem: str
) -> None:
    straight = None if linear is None else np.ones(linear)
    with pytest.raises(DataError, match=problem):
        Tower(tuple(map(np.ones, weights)), tuple(map(np.ones, biases)), straight)


OTHER = Tower((np.ones((1, 2, 1)),), (np.ones((1, 1)),))


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ({"gain": np.ones(3)}, "do not read 2 features"),
        ({"gain": np.zeros(2)}, "`gain` holds 0"),
        ({"spread": np.zeros(1)}, "a spread above 0"),
        ({"spread": np.ones(2)}, "a spread above 0"),
        ({"scaling": Scaling(np.zeros(3), np.ones(3))}, "do not read 3 features"),
        ({"questions": ("a", "b")}, "not 2 questions"),
        ({"questions": ("a", "b"), "towers": (*by_hand().towers, OTHER)}, "equally many members"),
    ],
)
def test_numbers_that_do_not_fit_are_refused(changed: dict[str, Any], problem: str) -> None:
    with pytest.raises(DataError, match=problem):
        replace(by_hand(), **changed)
