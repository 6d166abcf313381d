from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from assize.evaluator._features.blocks import TurnFeatures
from assize.evaluator._features.vectors import REACH, SIMILARITY, Turns
from assize.evaluator._features.words import TextMarks
from assize.stats._arrays import FloatArray

ROLES = ["user", "assistant", "user", "assistant"]
E1, E2 = np.array([1.0, 0.0]), np.array([0.0, 1.0])
MID = (E1 + E2) / np.sqrt(2)
VECTORS = np.stack([E1, MID, E2, MID]).astype(np.float32)
SAID = [TextMarks.of(text) for text in ("one", "two", "three", "two")]


def features(
    roles: list[str], said: list[TextMarks], vectors: NDArray[np.float32]
) -> dict[str, FloatArray]:
    """The blocks of a row by name."""
    widths = TurnFeatures().widths(2)
    row = TurnFeatures().row(Turns(roles, said, vectors.astype(np.float64)), "conversation")
    return dict(zip(widths, np.split(row, np.cumsum([*widths.values()])[:-1]), strict=True))


def similarity(parts: dict[str, FloatArray]) -> dict[str, float]:
    return dict(zip(SIMILARITY, parts["similarity"], strict=True))


def test_embedding_blocks_and_similarities_by_hand() -> None:
    parts = features(ROLES, SAID, VECTORS)
    names = ("assistant_mean", "user_mean", "assistant_last", "user_last")
    np.testing.assert_allclose(
        [parts[name] for name in names], [MID, [0.5, 0.5], MID, E2], atol=1e-6
    )
    # cosines: user-assistant always 1/sqrt 2; the assistant repeats itself exactly
    half = 1 / np.sqrt(2)
    expected = {
        "answers_mean": half,
        "answers_min": half,
        "answers_last": half,
        "followed_mean": half,
        "repeats_mean": 1.0,
        "repeats_max": 1.0,
        "echoes_mean": 1.0,
        # before turn 1: E1; before turn 3: the mean of E1, MID, E2
        "context_mean": (half + (half + 1 + half) / 3) / 2,
        "user_similarity": 0.0,
    }
    assert similarity(parts) == pytest.approx(expected, abs=1e-6)


def test_without_a_user_the_user_blocks_are_missing() -> None:
    found = features(["assistant"], SAID[:1], VECTORS[:1])
    missing = {name for name, values in found.items() if np.isnan(values).all()}
    assert missing == {"user_mean", "user_last", "similarity"}


def test_a_user_turn_after_the_last_assistant_turn_is_not_what_it_answers() -> None:
    found = features(["user", "assistant", "user"], SAID[:3], VECTORS[:3])
    np.testing.assert_allclose(found["user_last"], E1)


def test_repetition_is_looked_for_within_reach_only() -> None:
    turns = REACH + 2
    vectors = np.tile(E2, (turns, 1)).astype(np.float32)
    vectors[0] = E1
    near = np.concatenate([vectors[:1], vectors[1 : REACH + 1], vectors[:1]])
    found = similarity(features(["assistant"] * turns, [SAID[0]] * turns, near))
    # the last turn repeats the first, which stands REACH + 1 turns back: not seen
    expected = (0 + (REACH - 1) * 1 + 0) / (REACH + 1)
    assert found["repeats_mean"] == pytest.approx(expected)
