"""Which turns are drawn."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.reference.rating_sheets.filling import items

from assize.base.conversation import Continuation
from assize.base.errors import ConfigError, DataError
from assize.base.judgment import Judgment
from assize.formats.research.upheld import QUESTIONS
from assize.judgments import JudgmentTable
from assize.reference._continuations.context import place_of
from assize.reference._contrasts.turns import (
    SampledTurns,
    differing_turns,
    mean_scores,
    shuffled,
)

GIVEN = items(6, turns=2)
# m1 is ahead at four turns, m2 at three, and they are equal at five
AHEAD = [1.0, 1.0, 0.5, 2.0, -1.0, -1.0, -0.25, 0.0, 0.0, 0.0, 0.0, 0.0]
SCORES = {
    one.id: 3.0 + (AHEAD[at // 2] if one.source == "m1" else 0.0) for at, one in enumerate(GIVEN)
}


def drawn(given: list[Continuation] = GIVEN, seed: int = 0, **more: object) -> SampledTurns:
    how = {"n": 60, "least": 0.0, "scores": SCORES} | more
    scores = how.pop("scores")
    rng = np.random.default_rng(seed)
    return differing_turns(given, scores, ("m1", "m2"), rng=rng, **how)  # type: ignore[arg-type]


def test_only_turns_whose_scores_differ_are_drawn() -> None:
    found = drawn()
    assert (found.compared, found.differing, found.higher, found.unscored) == (12, 7, (4, 3), 0)
    assert len(found.turns) == 7
    assert all(SCORES[one.id] != SCORES[other.id] for one, other in found.turns)
    assert {(one.source, other.source) for one, other in found.turns} == {("m1", "m2")}
    assert all(place_of(one) == place_of(other) for one, other in found.turns)


def test_how_much_they_must_differ_can_be_said() -> None:
    assert drawn(least=0.5).differing == 5
    assert drawn(least=2.0).differing == 0


def test_the_draw_hangs_on_the_seed_and_not_on_the_order_of_the_file() -> None:
    samples = drawn(n=4), drawn(GIVEN[::-1], n=4), drawn(n=4, seed=1)
    first, again, other = ([place_of(one) for one, _ in found.turns] for found in samples)
    assert first == again != other
    assert len(first) == 4


def test_turns_without_a_score_or_a_reference_are_counted() -> None:
    given = [replace(one, references=()) if at == 0 else one for at, one in enumerate(GIVEN)]
    scores = {id: score for id, score in SCORES.items() if id != GIVEN[3].id}
    found = drawn(given, scores=scores)
    assert (found.compared, found.unscored) == (10, 2)


def test_sources_must_be_there_and_meet() -> None:
    rng = np.random.default_rng(0)
    with pytest.raises(ConfigError, match="no continuation has the source 'm3'; there are m1, m2"):
        differing_turns(GIVEN, SCORES, ("m1", "m3"), n=1, least=0, rng=rng)
    apart = [one for one in GIVEN if (one.source == "m1") == (one.conversation == "c0")]
    with pytest.raises(ConfigError, match="have no turn in common"):
        differing_turns(apart, SCORES, ("m1", "m2"), n=1, least=0, rng=rng)


def test_both_candidates_of_a_turn_stand_in_an_order_that_tells_nothing() -> None:
    found = drawn()
    order = shuffled(found.turns, np.random.default_rng(3))
    assert len(order) == 14
    assert {one.id for one in order} == {item.id for turn in found.turns for item in turn}
    sources = [one.source for one in order]
    assert sources != ["m1", "m2"] * 7
    assert sources != ["m2", "m1"] * 7


def test_scores_are_means_over_people() -> None:
    content = QUESTIONS[0]
    rows = [
        Judgment("k", "anna", "content", answer="4", kind="person"),
        Judgment("k", "ben", "content", answer="1"),  # who says nothing is a person
        Judgment("k", "content-judge@m", "content", answer="5", kind="model"),
        Judgment("l", "metrics", "content", score=1.0, kind="metric"),
    ]
    assert mean_scores(JudgmentTable.of(rows, [content]), content) == {"k": 2.5}
    with pytest.raises(DataError, match="no person has a score for 'content'"):
        mean_scores(JudgmentTable.of(rows[2:], [content]), content)
