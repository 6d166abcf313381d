from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.calibrate.conftest import make_table

from assize.base.errors import DataError
from assize.base.judgment import PREFERENCE, Judgment
from assize.calibrate import features_of, forms_of
from assize.judgments import JudgmentTable

CHOICE = replace(PREFERENCE, id="better")


def sided(pairs: int) -> list[Judgment]:
    rng = np.random.default_rng(0)
    return [
        Judgment(f"p{n}/{side}", "m", "Q0", kind="model", answer=str(rng.integers(1, 5)))
        for n in range(pairs)
        for side in "AB"
    ]


def test_the_sides_of_a_pair_are_found() -> None:
    features = features_of(make_table(sided(4)))
    rows = [
        Judgment("p0", "ann", "better", answer="A", kind="person"),
        Judgment("p1", "bob", "better", answer="tie", kind="person"),
        Judgment("p2", "ann", "better", answer="NA", kind="person"),
        Judgment("p9", "ann", "better", answer="B", kind="person"),
        Judgment(
            "x", "ann", "better", answer="B", kind="person", details={"a": "p3/B", "b": "p0/A"}
        ),
    ]
    forms = forms_of(features, JudgmentTable.of(rows, [CHOICE]), "better")
    assert forms.choices is not None
    assert forms.choices.a.tolist() == [0, 2, 7]
    assert forms.choices.b.tolist() == [1, 3, 0]
    assert forms.choices.answer.tolist() == [2, 1, 0]
    assert [forms.raters[n] for n in forms.choices.rater] == ["ann", "bob", "ann"]
    assert forms.unmatched == {"p9": 1}
    assert forms.not_applicable == 1


def test_a_choice_that_is_none_says_where() -> None:
    features = features_of(make_table(sided(2)))
    rows = [Judgment("p0", "ann", "better", answer="both", kind="person")]
    with pytest.raises(DataError, match=r"item 'p0', judge 'ann'.*'both' is no choice"):
        forms_of(features, JudgmentTable.of(rows, [CHOICE]), "better")
    rows = [Judgment("p7", "ann", "better", answer="A", kind="person")]
    with pytest.raises(DataError, match=r"one is of 'p7'.*its sides are"):
        forms_of(features, JudgmentTable.of(rows, [CHOICE]), "better")
