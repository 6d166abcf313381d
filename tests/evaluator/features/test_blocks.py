from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assize.base.conversation import Conversation
from assize.evaluator._features import vectors as vectors_module
from assize.evaluator._features.blocks import ExchangeFeatures, TurnFeatures
from assize.evaluator._features.featuriser import feature_rows
from assize.evaluator._features.vectors import BELONGING, Turns
from assize.evaluator._features.views import Level, View, last_turn, whole
from assize.evaluator._features.words import TextMarks
from assize.stats._arrays import FloatArray

Talk = Callable[..., Conversation]
E1, E2, E3 = np.eye(3)


def block(name: str, dimension: int = 3) -> slice:
    start = 0
    for one, width in ExchangeFeatures().widths(dimension).items():
        if one == name:
            return slice(start, start + width)
        start += width
    raise KeyError(name)


def row(roles: str, vectors: list[FloatArray], level: Level = "conversation") -> FloatArray:
    """Of turns written as letters, u and a."""
    named = ["user" if one == "u" else "assistant" for one in roles]
    said = [TextMarks.of("one two") for _ in roles]
    exact = np.stack(vectors).astype(np.float32).astype(np.float64)
    return ExchangeFeatures().row(Turns(named, said, exact), level)


def belonging(found: FloatArray) -> dict[str, float]:
    return dict(zip(BELONGING, found[block("belonging")], strict=True))


def test_an_answer_belongs_to_its_own_question() -> None:
    # a1 = u1 and a2 = u2, which are at right angles: own cosines 1 and 1, others 0 and 0
    found = belonging(row("uaua", [E1, E1, E2, E2]))
    assert found["answers_own"] == pytest.approx(1.0)
    assert found["answers_rank"] == 1.0
    assert found["last_own"] == pytest.approx(1.0)
    # one reaction only: u2 after a1; nothing to compare it with
    assert np.isnan(found["followed_own"])
    assert found["user_repeats"] == pytest.approx(0.0)


def test_swapped_answers_belong_to_the_others_question() -> None:
    found = belonging(row("uaua", [E1, E2, E2, E1]))
    assert found["answers_own"] == pytest.approx(-1.0)
    assert found["answers_rank"] == 0.0


def test_the_same_answer_to_everything_belongs_to_nothing() -> None:
    found = belonging(row("uauaua", [E1, E3, E2, E3, E1, E3]))
    assert found["answers_own"] == pytest.approx(0.0)
    assert found["answers_rank"] == 0.0


def test_reactions_are_compared_with_other_reactions() -> None:
    # a1 -> u2 both E2, a2 -> u3 both E3
    found = belonging(row("uauau", [E1, E2, E2, E3, E3]))
    assert found["followed_own"] == pytest.approx(1.0)
    assert found["followed_rank"] == 1.0


def test_products_and_differences_by_hand() -> None:
    found = row("ua", [(E1 + E2) / np.sqrt(2), E1])
    np.testing.assert_allclose(found[block("product")], [np.sqrt(3 / 2), 0, 0], atol=1e-6)
    half = 1 / np.sqrt(2)
    np.testing.assert_allclose(found[block("difference")], [1 - half, half, 0], atol=1e-6)


def test_reactions_are_the_users_turns_after_an_answer() -> None:
    found = row("uauau", [E1, E1, E2, E1, E3])
    np.testing.assert_allclose(found[block("reactions")], (E2 + E3) / 2)
    np.testing.assert_allclose(found[block("last_reaction")], E3)
    np.testing.assert_allclose(row("auau", [E1, E2, E1, E3])[block("reactions")], (E2 + E3) / 2)
    for name in ("reactions", "last_reaction"):
        assert np.isnan(row("uuaa", [E1, E2, E1, E3])[block(name)]).all()  # nothing after it


def test_a_single_turn_has_its_cosine_and_no_counts() -> None:
    found = row("ua", [E1, E1], "turn")
    assert found[block("answer")] == pytest.approx([1.0])
    for name in ("similarity", "shape", "belonging", "manner", "reactions", "last_reaction"):
        assert np.isnan(found[block(name)]).all()
    assert not np.isnan(found[block("assistant_mean")]).any()


def test_a_conversation_has_counts_and_no_single_cosine() -> None:
    found = row("ua", [E1, E1])
    assert np.isnan(found[block("answer")]).all()
    assert not np.isnan(found[block("manner")]).all()


def test_a_response_to_nothing_has_vectors_only() -> None:
    found = row("a", [E1], "turn")
    for name in ("product", "difference", "answer"):
        assert np.isnan(found[block(name)]).all()


@given(st.integers(2, 9), st.integers(0, 9_999))
def test_belonging_is_that_of_the_whole_table_of_cosines(count: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    vectors = rng.normal(size=(2 * count, 3))
    found = belonging(row("ua" * count, list(vectors)))
    table = vectors[0::2] @ vectors[1::2].T  # question i, answer j
    apart = ~np.eye(count, dtype=bool)
    own = np.diag(table)
    assert found["answers_own"] == pytest.approx(own.mean() - table[apart].mean(), abs=1e-4)
    nearer = np.broadcast_to(own, table.shape)[apart] > table[apart]
    assert found["answers_rank"] == pytest.approx(nearer.mean(), abs=0.02)


def test_long_conversations_are_compared_a_part_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    vectors = list(np.random.default_rng(1).normal(size=(40, 3)))
    at_once = row("ua" * 20, vectors)
    monkeypatch.setattr(vectors_module, "_ROWS", 3)
    np.testing.assert_array_equal(row("ua" * 20, vectors), at_once)


def test_the_first_blocks_are_those_of_turns(talk: Talk, letters: Any) -> None:
    view = whole(talk("c", "u: abc", "a: bcd", "u: cab!", "a: dab").turns)
    assert isinstance(view, View)
    (mine,) = feature_rows([view], letters, ExchangeFeatures())
    (theirs,) = feature_rows([view], letters, TurnFeatures())
    np.testing.assert_array_equal(mine[: len(theirs)], theirs)


def test_a_view_of_a_turn_is_read_as_a_turn(talk: Talk, letters: Any) -> None:
    turn = last_turn(talk("c", "u: abc", "a: bcd").turns)
    assert isinstance(turn, View)
    (found,) = feature_rows([turn], letters, ExchangeFeatures())
    assert np.isnan(found[block("manner", letters.dimension)]).all()
