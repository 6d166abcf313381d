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


def features(roles: list[str], said: list[TextMarks], vectors: NDArray[np.float32]) -> FloatArray:
    return TurnFeatures().row(Turns(roles, said, vectors.astype(np.float64)), "conversation")


def blocks(dimension: int) -> dict[str, slice]:
    places, start = {}, 0
    for name, width in TurnFeatures().widths(dimension).items():
        places[name] = slice(start, start + width)
        start += width
    return places


def similarity(row: FloatArray) -> dict[str, float]:
    return dict(zip(SIMILARITY, row[blocks(2)["similarity"]], strict=True))


def test_embedding_blocks_are_means_and_last_turns() -> None:
    row = features(ROLES, SAID, VECTORS)
    part = blocks(2)
    np.testing.assert_allclose(row[part["assistant_mean"]], MID, atol=1e-6)
    np.testing.assert_allclose(row[part["user_mean"]], [0.5, 0.5])
    np.testing.assert_allclose(row[part["assistant_last"]], MID, atol=1e-6)
    np.testing.assert_allclose(row[part["user_last"]], E2)


def test_similarities_by_hand() -> None:
    # cosines: user-assistant always 1/sqrt 2; the assistant repeats itself exactly
    found = similarity(features(ROLES, SAID, VECTORS))
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
    assert found == pytest.approx(expected, abs=1e-6)


def test_without_a_user_the_user_blocks_are_missing() -> None:
    row = features(["assistant"], SAID[:1], VECTORS[:1])
    part = blocks(2)
    assert np.isnan(row[part["user_mean"]]).all()
    assert np.isnan(row[part["user_last"]]).all()
    assert np.isnan(row[part["similarity"]]).all()
    assert not np.isnan(row[part["assistant_last"]]).any()


def test_a_user_turn_after_the_last_assistant_turn_is_not_what_it_answers() -> None:
    row = features(["user", "assistant", "user"], SAID[:3], VECTORS[:3])
    np.testing.assert_allclose(row[blocks(2)["user_last"]], E1)


def test_repetition_is_looked_for_within_reach_only() -> None:
    turns = REACH + 2
    vectors = np.tile(E2, (turns, 1)).astype(np.float32)
    vectors[0] = E1
    near = np.concatenate([vectors[:1], vectors[1 : REACH + 1], vectors[:1]])
    found = similarity(features(["assistant"] * turns, [SAID[0]] * turns, near))
    # the last turn repeats the first, which stands REACH + 1 turns back: not seen
    expected = (0 + (REACH - 1) * 1 + 0) / (REACH + 1)
    assert found["repeats_mean"] == pytest.approx(expected)
