from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest

from assize.evaluator.adapting.columns import CANDIDATES, changed, lesson_of, maps_of
from assize.evaluator.adapting.labels import Labels
from assize.evaluator.evaluator import Evaluator
from assize.evaluator.features.surface import FloatArray
from assize.evaluator.features.turns import widths
from assize.evaluator.heads.corrected import Corrected
from assize.evaluator.heads.head import Head
from assize.evaluator.heads.linear import Linear

RNG = np.random.default_rng(0)


def labels(evaluator: Evaluator, *, paired: bool = False) -> Labels:
    sides = (2,) if paired else ()
    features = RNG.normal(size=(12, *sides, evaluator.width))
    flat = features.reshape(-1, evaluator.width)
    raw = evaluator.raw(flat).reshape(12, *sides, -1)
    names = tuple(map(str, range(12)))
    return Labels("overall", names, names, RNG.normal(size=12), features, raw, paired,
                  turn=(False,) * 12)  # fmt: skip


@dataclass(frozen=True)
class Curved:
    """A head that is not linear."""

    inner: Linear
    kind: str = "curved"

    @property
    def questions(self) -> tuple[str, ...]:
        return self.inner.questions

    @property
    def settings(self) -> dict[str, Any]:
        return {}

    def arrays(self) -> Any:
        return self.inner.arrays()

    def raw(self, rows: Any) -> FloatArray:
        return np.tanh(self.inner.raw(rows))


def test_candidates_are_the_documented_ones(small: Evaluator) -> None:
    given = labels(small)
    maps = maps_of(small.head, small.featuriser, small.encoder, given)
    lesson = lesson_of(given, maps, 0)
    assert set(lesson.columns) == set(CANDIDATES)
    wide = {name: columns.shape[1] for name, columns in lesson.columns.items()}
    blocks = widths(6)
    assert wide["heads"] == len(small.scored) - 1
    assert wide["blocks"] == len(blocks)
    assert wide["all"] == sum(blocks.values())


def test_blocks_add_up_to_the_head(small: Evaluator) -> None:
    given = labels(small)
    maps = maps_of(small.head, small.featuriser, small.encoder, given)
    assert isinstance(small.head, Linear)
    columns = maps.columns("blocks", given.raw, given.features)
    spread = np.linalg.lstsq(columns, given.raw[:, 0], rcond=None)[0]
    assert columns @ spread == pytest.approx(given.raw[:, 0])


@pytest.mark.parametrize("kind", [Linear, Corrected])
@pytest.mark.parametrize("name", CANDIDATES)
def test_weights_on_columns_are_a_head_with_just_that_change(
    small: Evaluator, name: str, kind: type
) -> None:
    assert isinstance(small.head, Linear)
    head: Head = small.head if kind is Linear else Curved(small.head)  # type: ignore[assignment]
    own = replace(small, head=head)
    given = labels(own)
    maps = maps_of(head, own.featuriser, own.encoder, given)
    lesson = lesson_of(given, maps, 0)
    if name not in lesson.columns:
        assert (name, kind) == ("blocks", Corrected)
        return
    weights = np.asarray(RNG.normal(size=lesson.columns[name].shape[1]))
    found = changed(head, head, maps, "overall", *maps.back(name, weights), 0.5)
    assert isinstance(found, kind)
    expected = 0.5 * (lesson.raw + lesson.columns[name] @ weights)
    assert found.raw(given.features)[:, 0] == pytest.approx(expected, abs=1e-9)
    assert found.raw(given.features)[:, 1:] == pytest.approx(given.raw[:, 1:])


def test_two_questions_changed_in_turn_start_from_the_same_numbers(small: Evaluator) -> None:
    assert isinstance(small.head, Linear)
    for head in (small.head, Curved(small.head)):
        own = replace(small, head=head)  # type: ignore[arg-type]
        given = labels(own)
        found: Any = head
        for place, question in enumerate(own.scored):
            asked = replace(given, question=question)
            maps = maps_of(head, own.featuriser, own.encoder, asked)  # type: ignore[arg-type]
            mix = np.eye(len(own.scored))[1 - place]
            found = changed(found, head, maps, question, mix, np.zeros(own.width), 1.0)  # type: ignore[arg-type]
        both = given.raw.sum(axis=1)
        assert found.raw(given.features) == pytest.approx(np.stack([both, both], axis=1))


def test_columns_of_pairs_are_differences_of_the_sides(small: Evaluator) -> None:
    given = labels(small, paired=True)
    maps = maps_of(small.head, small.featuriser, small.encoder, given)
    lesson = lesson_of(given, maps, 0)
    a, b = (maps.columns("all", given.raw[:, side], given.features[:, side]) for side in (0, 1))
    assert lesson.columns["all"] == pytest.approx(a - b)
    assert lesson.raw == pytest.approx(given.raw[:, 0, 0] - given.raw[:, 1, 0])
