"""Conversations that belong together: what says so, and what it changes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from assize.base.conversation import Conversation, Turn
from assize.base.errors import DataError
from assize.criteria._clusters import Clusters, clusters_of
from assize.criteria._criterion import CriteriaSet, Criterion
from assize.criteria._evaluations import Evaluations
from assize.criteria._selecting import Selecting, choose_criteria
from assize.criteria._selection import Budget
from assize.criteria._selection.policies import Settings
from assize.criteria._study import Method, compare
from assize.formats.labels import Labels

PEOPLE, COPIES, CRITERIA = 36, 4, 60
SETTINGS = Settings(Budget(4, 4))
HOW = Selecting(settings=SETTINGS, tune=False)


def leaking() -> tuple[CriteriaSet, Evaluations, Labels, Clusters]:
    """Criteria that say nothing about the labels, and each conversation four times over."""
    rng = np.random.default_rng(0)
    values = np.repeat(rng.choice([0, 2.5, 5, 7.5, 10], (PEOPLE, CRITERIA)), COPIES, axis=0)
    known = tuple(
        Criterion(f"c{at}", f"Statement {at}.", "sat" if at % 2 else "dsat")
        for at in range(CRITERIA)
    )
    items = [f"i{at}" for at in range(PEOPLE * COPIES)]
    labels = Labels("made", {name: at // COPIES % 2 == 0 for at, name in enumerate(items)})
    users = Clusters("user", {name: f"u{at // COPIES}" for at, name in enumerate(items)})
    return CriteriaSet("pool", known), Evaluations(items, known, values, 0), labels, users


POOL, SAID, LABELS, USERS = leaking()


@pytest.fixture(scope="module")
def alone() -> Any:
    return choose_criteria(POOL, SAID, LABELS, replace(HOW, samples=15))


@pytest.fixture(scope="module")
def together() -> Any:
    return choose_criteria(POOL, SAID, LABELS, replace(HOW, samples=15), USERS)


def test_copies_of_a_conversation_inflate_what_is_held_out_unless_they_stay_together(
    alone: Any, together: Any
) -> None:
    assert alone.held_out.separation > 8
    assert alone.held_out.accuracy > 0.7
    assert together.held_out.separation < 5
    assert together.held_out.accuracy < 0.62
    # which criteria are chosen does not depend on folds
    assert [one.id for one in alone.chosen] == [one.id for one in together.chosen]
    folds = together.held_out.folds.reshape(PEOPLE, COPIES)
    assert (folds == folds[:, :1]).all()
    # resamples draw clusters whole
    lasting = [np.mean([one.survives for one in found.chosen]) for found in (alone, together)]
    assert lasting[1] < lasting[0] - 0.1


def test_it_is_said_and_signed(alone: Any, together: Any) -> None:
    said = "144 conversations of 36 clusters by user, which stay together in folds and resamples"
    assert said in together.notes
    assert said not in alone.notes
    assert "|clusters=user|" in together.lines[0]
    assert "clusters" not in alone.signature
    others = replace(USERS, of={name: f"other {one[-1]}" for name, one in USERS.of.items()})
    how = replace(HOW, samples=15)
    assert choose_criteria(POOL, SAID, LABELS, how, others).signature != together.signature


def test_the_weight_is_tuned_on_folds_of_whole_clusters() -> None:
    tuned = replace(HOW, tune=True, deals=1)
    found: list[Any] = [choose_criteria(POOL, SAID, LABELS, tuned, one) for one in (None, USERS)]
    for leaks, holds in zip(*(one.tuned.tried for one in found), strict=True):
        assert leaks.separation > holds.separation + 5


def test_few_clusters_hold_nothing_out() -> None:
    few = Clusters("bot", {name: f"b{at % 9}" for at, name in enumerate(SAID.items)})
    found = choose_criteria(POOL, SAID, LABELS, replace(HOW, tune=True), few)
    assert found.held_out is None
    assert any("the rarer class has 9 clusters, too few" in one for one in found.notes)


def test_a_study_measures_on_clusters_that_chose_nothing() -> None:
    methods = [Method("noise", POOL, SAID)]
    alone, together = (
        compare(methods, LABELS, HOW, resamples=200, splits=2, clusters=one).rows[0]
        for one in (None, USERS)
    )
    assert alone.accuracy.estimate > 0.68
    assert together.accuracy.estimate < 0.6
    width = [one.accuracy.interval[1] - one.accuracy.interval[0] for one in (alone, together)]
    assert width[1] > 1.2 * width[0]  # fewer independent units


def test_a_study_says_by_what_its_conversations_are_kept_together() -> None:
    noise = [Method("noise", POOL, SAID)]
    found = compare(noise, LABELS, HOW, resamples=0, clusters=USERS)
    assert any("36 clusters by user" in one for one in found.notes)
    assert "|clusters=user|" in found.lines[0]
    two = Clusters("bot", {name: f"b{LABELS.good[name]}" for name in SAID.items})
    with pytest.raises(DataError, match="of 2 clusters are good, and a half has 0 of them"):
        compare(noise, LABELS, HOW, resamples=0, clusters=two)


def test_clusters_come_from_a_field_of_the_conversations() -> None:
    chats = [
        Conversation(name, (Turn("user", "Hi"),), metadata={"user": who})
        for name, who in (("a", "ann"), ("b", "bob"), ("c", "ann"))
    ]
    assert clusters_of(chats, "item", ["a"]) is None
    found: Any = clusters_of(chats, "user", ["a", "b", "c"])
    assert found.labels(["c", "b"]).tolist() == ["ann", "bob"]
    with pytest.raises(DataError, match="item 'a' has no field 'team'"):
        clusters_of(chats, "team", ["a"])
    with pytest.raises(DataError, match="item 'x' is not among --items"):
        clusters_of(chats, "user", ["x"])
