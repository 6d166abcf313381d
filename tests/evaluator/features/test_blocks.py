from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.evaluator.talks import Talk

from assize.evaluator._features import vectors as vectors_module
from assize.evaluator._features.blocks import ExchangeFeatures, TurnFeatures
from assize.evaluator._features.featuriser import feature_rows
from assize.evaluator._features.vectors import BELONGING, Turns
from assize.evaluator._features.views import Level, View, last_turn, whole
from assize.evaluator._features.words import TextMarks
from assize.stats._arrays import FloatArray

Blocks = dict[str, FloatArray]
E1, E2, E3 = np.eye(3)
NAN = float("nan")


def blocks(row: FloatArray, dimension: int = 3) -> dict[str, FloatArray]:
    """The parts of a row by name."""
    widths = ExchangeFeatures().widths(dimension)
    parts = np.split(row, np.cumsum([*widths.values()])[:-1])
    return dict(zip(widths, parts, strict=True))


def row(roles: str, vectors: list[FloatArray], level: Level = "conversation") -> Blocks:
    """Of turns written as letters, u and a."""
    named = ["user" if one == "u" else "assistant" for one in roles]
    said = [TextMarks.of("one two") for _ in roles]
    exact = np.stack(vectors).astype(np.float32).astype(np.float64)
    return blocks(ExchangeFeatures().row(Turns(named, said, exact), level))


def missing(found: Blocks) -> set[str]:
    return {name for name, values in found.items() if np.isnan(values).all()}


def belonging(roles: str, vectors: list[FloatArray]) -> dict[str, float]:
    return dict(zip(BELONGING, row(roles, vectors)["belonging"], strict=True))


@pytest.mark.parametrize(
    ("roles", "vectors", "expected"),
    [
        # a1 = u1 and a2 = u2, which are at right angles: own cosines 1 and 1, others 0 and 0; of
        # one reaction only, u2 after a1, there is nothing to compare it with
        (
            "uaua",
            [E1, E1, E2, E2],
            {"answers_own": 1, "answers_rank": 1, "followed_own": NAN, "last_own": 1},
        ),
        ("uaua", [E1, E2, E2, E1], {"answers_own": -1, "answers_rank": 0, "user_repeats": 0}),
        ("uauaua", [E1, E3, E2, E3, E1, E3], {"answers_own": 0, "answers_rank": 0}),
        # a1 -> u2 both E2, a2 -> u3 both E3
        ("uauau", [E1, E2, E2, E3, E3], {"followed_own": 1, "followed_rank": 1}),
    ],
    ids=["own", "swapped", "the same answer to all", "reactions"],
)
def test_an_answer_belongs_to_its_own_question_and_a_reaction_to_its_answer(
    roles: str, vectors: list[FloatArray], expected: dict[str, float]
) -> None:
    found = belonging(roles, vectors)
    assert {name: found[name] for name in expected} == pytest.approx(expected, nan_ok=True)


def test_products_and_differences_by_hand() -> None:
    found, half = row("ua", [(E1 + E2) / np.sqrt(2), E1]), 1 / np.sqrt(2)
    np.testing.assert_allclose(found["product"], [np.sqrt(3 / 2), 0, 0], atol=1e-6)
    np.testing.assert_allclose(found["difference"], [1 - half, half, 0], atol=1e-6)


def test_reactions_are_the_users_turns_after_an_answer() -> None:
    found = row("uauau", [E1, E1, E2, E1, E3])
    np.testing.assert_allclose(found["reactions"], (E2 + E3) / 2)
    np.testing.assert_allclose(found["last_reaction"], E3)
    np.testing.assert_allclose(row("auau", [E1, E2, E1, E3])["reactions"], (E2 + E3) / 2)
    assert {"reactions", "last_reaction"} <= missing(row("uuaa", [E1, E2, E1, E3]))


def test_a_single_turn_has_its_cosine_and_no_counts_and_a_conversation_the_other_way() -> None:
    counts = {"similarity", "shape", "belonging", "manner", "reactions", "last_reaction"}
    turn, talk = row("ua", [E1, E1], "turn"), row("ua", [E1, E1])
    assert turn["answer"] == pytest.approx([1.0])
    assert missing(turn) == counts
    assert missing(talk) == {"answer", "belonging", "reactions", "last_reaction"}


def test_a_response_to_nothing_has_vectors_only() -> None:
    assert {"product", "difference", "answer"} <= missing(row("a", [E1], "turn"))


@given(st.integers(2, 9), st.integers(0, 9_999))
def test_belonging_is_that_of_the_whole_table_of_cosines(count: int, seed: int) -> None:
    vectors = np.random.default_rng(seed).normal(size=(2 * count, 3))
    found = belonging("ua" * count, list(vectors))
    table, apart = vectors[0::2] @ vectors[1::2].T, ~np.eye(count, dtype=bool)  # question, answer
    own = np.diag(table)
    assert found["answers_own"] == pytest.approx(own.mean() - table[apart].mean(), abs=1e-4)
    nearer = np.broadcast_to(own, table.shape)[apart] > table[apart]
    assert found["answers_rank"] == pytest.approx(nearer.mean(), abs=0.02)


def test_long_conversations_are_compared_a_part_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    vectors = list(np.random.default_rng(1).normal(size=(40, 3)))
    at_once = belonging("ua" * 20, vectors)
    monkeypatch.setattr(vectors_module, "_ROWS", 3)
    assert belonging("ua" * 20, vectors) == at_once


def test_views_are_read_by_their_level_and_the_first_blocks_are_those_of_turns(
    talk: Talk, letters: Any
) -> None:
    item = talk("c", "u: abc", "a: bcd", "u: cab!", "a: dab")
    views = [whole(item.turns), last_turn(item.turns)]
    rows, theirs = (
        feature_rows([view for view in views if isinstance(view, View)], letters, featuriser)
        for featuriser in (ExchangeFeatures(), TurnFeatures())
    )
    np.testing.assert_array_equal(rows[0, : theirs.shape[1]], theirs[0])
    assert "manner" in missing(blocks(rows[1], letters.dimension))
