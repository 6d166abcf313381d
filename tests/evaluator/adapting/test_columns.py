from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from assize.base.errors import ConfigError
from assize.base.record_parts import from_parts, to_parts
from assize.evaluator._adapting.columns import (
    CANDIDATES,
    candidates,
    changed,
    inputs,
    lesson_of,
)
from assize.evaluator._adapting.labels import Labels
from assize.evaluator._adapting.update import Lesson
from assize.evaluator._evaluator import Evaluator
from assize.evaluator._features.blocks import TurnFeatures
from assize.evaluator._heads.head import Head
from assize.evaluator._heads.linear import Scaling
from assize.evaluator._heads.network import Network, Tower
from assize.stats._arrays import FloatArray

RNG = np.random.default_rng(0)


def labels(evaluator: Evaluator, *, paired: bool = False) -> Labels:
    sides = (2,) if paired else ()
    features = RNG.normal(size=(12, *sides, evaluator.width))
    flat = features.reshape(-1, evaluator.width)
    raw = evaluator.raw(flat).reshape(12, *sides, -1)
    names = tuple(map(str, range(12)))
    return Labels(
        "overall",
        tuple((name, None) for name in names),
        names,
        RNG.normal(size=12),
        features,
        raw,
        paired,
    )


def network(
    evaluator: Evaluator, *hidden: int, apart: bool = False, linear: bool = False, members: int = 3
) -> Network:
    """A network on the same features, of one tower or of one a question."""
    wide, names = evaluator.width, tuple(evaluator.scored)
    towers = []
    for outputs in [1] * len(names) if apart else [len(names)]:
        sizes = list(pairwise((wide, *hidden, outputs)))
        straight = RNG.normal(size=(members, wide, outputs)) if linear else None
        towers.append(
            Tower(
                tuple(RNG.normal(size=(members, *size)) for size in sizes),
                tuple(RNG.normal(size=(members, size[1])) for size in sizes),
                straight,
            )
        )
    scaling = Scaling(RNG.normal(size=wide), RNG.uniform(0.5, 2, wide))
    gain, spread = RNG.uniform(0.1, 1, wide), RNG.uniform(0.5, 2, len(names))
    return Network(names, scaling, gain, tuple(towers), spread, "silu")


SHAPES: dict[str, dict[str, Any]] = {
    "no hidden layer": {"hidden": ()},
    "one tower": {"hidden": (4,)},
    "a linear part": {"hidden": (4,), "linear": True},
    "two towers": {"hidden": (4,), "apart": True},
    "two deep towers": {"hidden": (4, 3), "apart": True, "linear": True},
}


def shaped(evaluator: Evaluator, name: str) -> Network:
    more = dict(SHAPES[name])
    return network(evaluator, *more.pop("hidden"), **more)


def taught(evaluator: Evaluator, given: Labels) -> tuple[FloatArray, dict[str, FloatArray], Lesson]:
    rows = inputs(evaluator.head, given)
    widths = evaluator.featuriser.widths(evaluator.encoder.dimension)
    made = candidates(evaluator.head, widths, given.question, rows)
    return rows, made, lesson_of(given, rows, made, 0)


def test_candidates_are_the_documented_ones(small: Evaluator) -> None:
    columns = taught(small, labels(small))[2].columns
    assert list(CANDIDATES) == sorted(columns, key=list(CANDIDATES).index)
    blocks, every = len(TurnFeatures().widths(6)), small.width  # no block is of more than 64
    wide = {name: own.shape[1] for name, own in columns.items()}
    assert wide == {"heads": len(small.scored) - 1, "blocks": blocks, "few": every, "all": every}


def test_blocks_add_up_to_the_head(small: Evaluator) -> None:
    given = labels(small)
    columns = taught(small, given)[2].columns["blocks"]
    spread = np.linalg.lstsq(columns, given.raw[:, 0], rcond=None)[0]
    assert columns @ spread == pytest.approx(given.raw[:, 0])


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        (name, kind)
        for name in CANDIDATES
        for kind in ("linear", "one tower", "two towers")
        if kind == "linear" or name != "blocks"  # of which only a linear head has a sum
    ],
)
def test_weights_on_columns_are_a_head_with_just_that_change(
    small: Evaluator, name: str, kind: str
) -> None:
    head: Head = small.head if kind == "linear" else shaped(small, kind)
    own = replace(small, head=head)
    given = labels(own)
    rows, made, lesson = taught(own, given)
    assert ("blocks" in made) is (kind == "linear")
    weights = np.asarray(RNG.normal(size=lesson.columns[name].shape[1]))
    unit = np.eye(rows.shape[1])[0]
    found = changed(head, head, "overall", 0.5 * (unit + made[name] @ weights))
    assert found.kind == head.kind
    expected = given.raw.copy()
    expected[:, 0] = 0.5 * (lesson.raw + lesson.columns[name] @ weights)
    assert found.raw(given.features) == pytest.approx(expected, abs=1e-9)


def test_two_questions_changed_in_turn_start_from_the_same_numbers(small: Evaluator) -> None:
    sums = np.concatenate([np.ones(len(small.scored)), np.zeros(small.width)])
    for head in (small.head, *(shaped(small, name) for name in SHAPES)):
        given = labels(replace(small, head=head))
        found: Any = head
        for question in small.scored:
            found = changed(found, head, question, sums)
        both = given.raw.sum(axis=1)
        assert found.raw(given.features) == pytest.approx(np.stack([both, both], axis=1))


@pytest.mark.parametrize("name", SHAPES)
def test_a_change_of_a_network_folds_into_it_without_a_trace(small: Evaluator, name: str) -> None:
    """Of the network and its members: the numbers before, mixed, plus something linear."""
    head = shaped(small, name)
    rows = RNG.normal(size=(50, small.width))
    rows[0, 2] = np.nan
    by, mix = 0.7, np.eye(2) + RNG.normal(size=(2, 2))
    weights = RNG.normal(size=(small.width, 2))
    found: Head = head
    for place, question in enumerate(head.questions):
        found = changed(found, head, question, by * np.vstack([mix, weights])[:, place])
    assert isinstance(found, Network)
    expected = by * (head.members(rows) @ mix + head.scaling(rows) @ weights)
    np.testing.assert_allclose(found.members(rows), expected, rtol=1e-12, atol=1e-12)
    again = from_parts(Network, *to_parts(found))
    np.testing.assert_array_equal(again.raw(rows), found.raw(rows))


def test_a_head_of_another_kind_is_not_adapted(small: Evaluator) -> None:
    other: Any = SimpleNamespace(kind="curved", questions=tuple(small.scored))
    with pytest.raises(ConfigError, match="kind 'curved' cannot be adapted; linear and network"):
        inputs(other, labels(small))


def test_columns_of_pairs_are_differences_of_the_sides(small: Evaluator) -> None:
    given = labels(small, paired=True)
    rows, made, lesson = taught(small, given)
    for name, weights in made.items():
        assert lesson.columns[name] == pytest.approx((rows[:, 0] - rows[:, 1]) @ weights)
    assert lesson.raw == pytest.approx(given.raw[:, 0, 0] - given.raw[:, 1, 0])
