from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tests.calibrate.conftest import answer_rows, make_table, rating_rows

from assize.base.conversation import Pair, Turn
from assize.base.errors import ConfigError
from assize.base.judgment import PREFERENCE, Judgment
from assize.calibrate import features_of, fit_default, forms_of
from assize.calibrate._calibrator import Calibrator
from assize.calibrate._data.features import Features
from assize.calibrate._prediction.predict_pairs import predict_preferences
from assize.judgments import JudgmentTable

BETTER = replace(PREFERENCE, id="better")


def pair(id: str) -> Pair:
    return Pair(id, (Turn("user", "?"),), (Turn("assistant", "a"),), (Turn("assistant", "b"),))


@pytest.fixture
def fitted() -> tuple[Calibrator, Features]:
    """Two raters who both prefer the side with the higher answer."""
    answers = [
        Judgment(f"p{n}/{side}", "m", "Q0", kind="model", answer=str(1 + (n + shift) % 4))
        for n in range(40)
        for side, shift in (("A", 0), ("B", 1))
    ]
    rows = [
        Judgment(f"p{n}", rater, "better", answer="A" if n % 4 == 3 else "B", kind="person")
        for n in range(40)
        for rater in ("ann", "bob")
    ]
    features = features_of(make_table(answers))
    return fit_default(forms_of(features, JudgmentTable.of(rows, [BETTER]), "better")), features


def test_the_better_side_is_preferred(fitted: tuple[Calibrator, Features]) -> None:
    found: Any = list(
        predict_preferences(*fitted, [pair("p3"), pair("p0")], [0, -1], signature="s")
    )
    assert [row.judge for row in found[:2]] == ["calibration:ann", "calibration:unknown"]
    first, last = found[0], found[2]
    assert first.score == pytest.approx(first.distribution["A"] - first.distribution["B"])
    assert first.score > 0.3 > -0.3 > last.score
    assert sum(first.distribution.values()) == pytest.approx(1)


def test_a_side_without_answers_leaves_the_pair_unscored(
    fitted: tuple[Calibrator, Features],
) -> None:
    row: Any
    (row,) = predict_preferences(*fitted, [pair("other")], [0], signature="s")
    assert row.unscored.reason == "missing"
    assert row.distribution is None


def test_a_calibrator_of_ratings_alone_tells_no_preference() -> None:
    features = features_of(make_table(answer_rows()))
    graded = fit_default(forms_of(features, make_table(rating_rows()), "Q0"))
    with pytest.raises(ConfigError, match="was not fitted on choices"):
        list(predict_preferences(graded, features, [pair("p1")], [0], signature="s"))
