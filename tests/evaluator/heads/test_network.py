"""The network head against numbers worked out by hand, and as it is kept."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from letters import Letters

from assize.base.errors import DataError
from assize.base.judgment import Question
from assize.base.record_parts import from_parts, to_parts
from assize.encoders import ENCODERS, EncoderKind
from assize.evaluator import Evaluator, load_evaluator
from assize.evaluator._artefact import save
from assize.evaluator._features.blocks import TurnFeatures
from assize.evaluator._heads.linear import Scaling
from assize.evaluator._heads.network import ACTIVATIONS, Activation, Network, Tower
from assize.evaluator._heads.scored_question import MonotoneMap, ScoredQuestion
from assize.evaluator._scoring import score

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
    rows = np.array([[3.0, 1.0], [1.0, 3.0]])
    assert by_hand().members(rows)[:, 0, 0].tolist() == [1.5, 1.5]
    # x = 1, y = 3: hidden 0 and 2, output 4 + 1 = 5; linear 1
    assert by_hand().members(rows)[:, 1, 0].tolist() == [2.5, 0.5]
    assert by_hand().raw(rows)[:, 0].tolist() == [1.5, 1.5]
    assert by_hand().raw([]).shape == (0, 1)


def test_a_difference_is_antisymmetric_and_in_units_of_sigma() -> None:
    a, b = np.array([[3.0, 1.0]]), np.array([[0.5, 0.25]])
    # a is (3 + 3) / 2; b: hidden 0.25 and 0, 1.25, linear 0.5, mean 0.875
    assert by_hand().differences(a, b)[0, 0] == pytest.approx(3 - 0.875)
    np.testing.assert_array_equal(by_hand().differences(a, b), -by_hand().differences(b, a))


def test_activations_are_what_they_are_called() -> None:
    x = np.array([-1.0, 0.0, 2.0])
    assert ACTIVATIONS["relu"](x).tolist() == [0, 0, 2]
    np.testing.assert_allclose(ACTIVATIONS["tanh"](x), np.tanh(x))
    np.testing.assert_allclose(ACTIVATIONS["silu"](x), x / (1 + np.exp(-x)))
    raw = by_hand("tanh").members(np.array([[3.0, 1.0]]))[0, 0, 0]
    assert raw == pytest.approx((np.tanh(2) + 2 * np.tanh(-2) + 1) / 2)


def test_a_missing_feature_is_the_mean_and_gain_weighs_features() -> None:
    head = by_hand()
    assert head.raw(np.array([[np.nan, 0.0]])).tolist() == head.raw(np.zeros((1, 2))).tolist()
    halved = Network(head.questions, PLAIN, np.full(2, 0.5), head.towers, head.spread)
    twice = np.array([[2.0, 4.0]])
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


def random_network(width: int, questions: tuple[str, ...]) -> Network:
    rng = np.random.default_rng(3)

    def drawn(*shape: int) -> Any:
        return rng.normal(size=shape).astype(np.float32).astype(float)

    h = len(questions)
    tower = Tower((drawn(3, width, 4), drawn(3, 4, h)), (drawn(3, 4), drawn(3, h)), None)
    scaling = Scaling(drawn(width), np.abs(drawn(width)) + 1)
    return Network(questions, scaling, drawn(width), (tower,), np.abs(drawn(h)) + 1, "silu")


def test_what_is_kept_is_the_same_head() -> None:
    for head in (by_hand(), random_network(2, ("one", "two"))):
        facts, arrays = to_parts(head)
        again = from_parts(Network, facts, arrays)
        rows = np.array([[3.0, 2.0], [0.0, np.nan]])
        np.testing.assert_array_equal(again.raw(rows), head.raw(rows))
        assert to_parts(again)[0] == facts


@pytest.mark.parametrize(
    "gone", ["scaling.center", "gain", "spread", "towers.0.weights.1", "towers.0.linear"]
)
def test_a_missing_array_is_named(gone: str) -> None:
    facts, arrays = to_parts(by_hand())
    del arrays[gone]
    with pytest.raises(ValueError, match=f"no array '{gone}'"):
        from_parts(Network, facts, arrays)


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


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ({"gain": np.ones(3)}, "do not read 2 features"),
        ({"gain": np.zeros(2)}, "`gain` holds 0"),
        ({"spread": np.zeros(1)}, "a spread above 0"),
        ({"spread": np.ones(2)}, "a spread above 0"),
        ({"scaling": Scaling(np.zeros(3), np.ones(3))}, "do not read 3 features"),
    ],
)
def test_numbers_that_do_not_fit_are_refused(changed: dict[str, Any], problem: str) -> None:
    with pytest.raises(DataError, match=problem):
        replace(by_hand(), **changed)


def test_outputs_and_members_must_fit() -> None:
    head = by_hand()
    with pytest.raises(DataError, match="not 2 questions"):
        Network(("a", "b"), PLAIN, np.ones(2), head.towers, np.ones(2))
    other = Tower((np.ones((1, 2, 1)),), (np.ones((1, 1)),))
    with pytest.raises(DataError, match="equally many members"):
        Network(("a", "b"), PLAIN, np.ones(2), (*head.towers, other), np.ones(2))


def test_an_evaluator_with_it_scores_alike_when_it_is_loaded_again(
    tmp_path: Path, talk: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    kind = EncoderKind("letters:Letters", "letters", frozenset(), named=False)
    monkeypatch.setitem(ENCODERS, "letters", kind)
    line = MonotoneMap(np.array([-9.0, 9.0]), np.array([0.25, 0.75]))
    names = ("Overall", "Safety")
    scored = {
        name: ScoredQuestion(Question(name), {"conversation": line, "turn": line}) for name in names
    }
    head = random_network(sum(TurnFeatures().widths(6).values()), names)
    evaluator = Evaluator("net", Letters(), TurnFeatures(), head, scored)
    save(evaluator, tmp_path)
    again = load_evaluator(tmp_path, encoder="letters")
    items = [talk("c", "u: aaa", "a: ab", "u: cc", "a: ee"), talk("d", "u: b", "a: fade")]
    assert list(score(items, evaluator=again)) == list(score(items, evaluator=evaluator))
    assert again.signature == evaluator.signature
