"""The steps that every training from votes goes through."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from tests.evaluator.study.planted import planted

from assize.evaluator._features.blocks import TurnFeatures
from assize.evaluator._heads.network import Tower
from assize.evaluator._training.lessons import Lessons
from assize.evaluator._training.networks import gains, learn_networks, orient, towers_of
from assize.evaluator._training.settings import settings_of
from assize.evaluator._training.signs import begin_from_votes

QUICK = settings_of("linear", epochs=5, members=2, embeddings=1.0, shape=1.0)


def lessons(n: int = 120) -> Lessons:
    data = planted(n=n)
    rows = np.vstack([data.a, data.b])
    places = np.arange(n)
    return Lessons(
        rows, places, n + places, data.votes, ("Overall",), data.judges, np.tile(data.groups, 2)
    )


def test_a_part_that_ended_upside_down_is_turned_round_whole() -> None:
    """Which way a training ends must not show in anything but the parts themselves."""
    given = lessons()
    ones = np.ones(given.rows.shape[1])
    found = learn_networks(given, ones, QUICK)
    (part,) = found.parts
    weights, biases = (
        tuple(-one for one in own) for own in (part.tower.weights, part.tower.biases)
    )
    flipped = part.reliabilities.flipped(np.array([True]))
    turned = replace(
        part, tower=Tower(weights, biases), held_out=-part.held_out, reliabilities=flipped
    )
    first = begin_from_votes(given, (), (), tied=False, seed=0)
    again = orient([turned], given, QUICK, first, given.scaling(), ones)
    np.testing.assert_allclose(again.reliabilities.alpha, found.reliabilities.alpha)
    np.testing.assert_allclose(again.difference, found.difference)
    np.testing.assert_allclose(again.head.raw(given.rows), found.head.raw(given.rows))


def test_a_dialogue_s_fold_names_the_member_that_gave_the_held_out_difference() -> None:
    given = lessons()
    found = learn_networks(given, np.ones(given.rows.shape[1]), QUICK)
    members, rows = found.head.members(given.rows), np.arange(len(given.rows))
    alone = members[found.fold, rows]
    np.testing.assert_allclose(alone[given.a] - alone[given.b], found.difference, atol=1e-4)


def test_the_overall_question_has_a_tower_of_its_own_where_it_is_asked_for() -> None:
    assert [one.tolist() for one in towers_of(["Overall", "a", "b"], apart=True)] == [[0], [1, 2]]
    assert len(towers_of(["a", "b"], apart=True)) == 1
    assert len(towers_of(["Overall", "a"], apart=False)) == 1


def test_blocks_have_their_gains() -> None:
    found = gains(TurnFeatures().widths(100), settings_of())
    assert found[:400].tolist() == [0.1] * 400
    assert found[400:409].tolist() == [1.0] * 9
    assert set(found[409:].tolist()) == {0.55}
