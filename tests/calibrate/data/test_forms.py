from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from assize.base.errors import ConfigError, DataError
from assize.base.judgment import Question
from assize.calibrate._data.features import Block, Features
from assize.calibrate._data.forms import NO_ANSWER, Forms, Scale

SCALES = tuple(
    Scale.of(Question(name, kind="ordinal", answers=("a", "b", "c"), values=(1, 2, 5)))
    for name in ("Q0", "Q1")
)


@pytest.fixture
def forms() -> Forms:
    blocks = (Block("m", "", "Q0", ("a", "b", "c"), (1, 2, 5), ordered=True),)
    features = Features((("i0", None), ("i1", None)), blocks, np.eye(2, 3))
    answers = np.array([[0, 2], [NO_ANSWER, 1], [2, 0]])
    item, rater = np.array([0, 1, 1]), np.array([0, 0, 1])
    return Forms(features.x[item], item, rater, answers, SCALES, features, ("ann", "bob"))


def test_values_are_the_targets_and_nan_without_an_answer(forms: Forms) -> None:
    assert forms.values[[0, 2]].tolist() == [1.0, 5.0]
    assert np.isnan(forms.values[1])
    assert forms.target.id == "Q0"


def test_another_target_swaps_scales_and_answers(forms: Forms) -> None:
    other = forms.with_target("Q1")
    assert [scale.id for scale in other.scales] == ["Q1", "Q0"]
    assert other.values.tolist() == [5.0, 2.0, 1.0]
    with pytest.raises(ConfigError, match="no question 'Q9' was answered; there are Q0, Q1"):
        forms.with_target("Q9")


def test_taken_rows_keep_all_that_is_said_of_them(forms: Forms) -> None:
    whole = replace(forms, weight=np.array([1.0, 2.0, 3.0]), thinned=np.array([True, False, False]))
    for rows in (np.array([False, True, True]), [1, 2]):
        some: Any = whole.take(rows)
        assert len(some) == 2
        for name, values in {"item": [1, 1], "rater": [0, 1], "weight": [2.0, 3.0]}.items():
            assert getattr(some, name).tolist() == values
        assert not some.thinned.any()
        assert some.x.tolist() == whole.x[1:].tolist()


def test_a_scale_needs_two_answers_and_unordered_ones_count_by_place() -> None:
    with pytest.raises(DataError, match="predicts one of at least two"):
        Scale.of(Question("q", kind="ordinal", answers=("a",)))
    nominal = Scale.of(Question("q", kind="nominal", answers=("a", "b"), values=(7.0, 9.0)))
    assert nominal.values == (0.0, 1.0)
    assert not nominal.ordered
    assert SCALES[0].ordered
