from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.calibrate.conftest import ANSWERS, QUESTIONS, rate

import assize
from assize import Conversation, Judgment, JudgmentTable, Turn
from assize._doors.report import report
from assize.base.errors import ConfigError
from assize.calibrate import FittedCalibrator

Q0 = QUESTIONS[0]
ITEMS = [f"V{n % 2}_{n // 2}" for n in range(60)]


def answered(lean: float, seed: int) -> JudgmentTable:
    rng = np.random.default_rng(seed)
    weights = np.exp(lean * np.arange(4))
    rows = [
        Judgment(
            item,
            "m",
            "Q0",
            kind="model",
            distribution=dict(zip(ANSWERS, rng.dirichlet(weights).tolist(), strict=True)),
        )
        for item in ITEMS
    ]
    return JudgmentTable.of(rows, [Q0])


@pytest.fixture(scope="module")
def old() -> JudgmentTable:
    return answered(0.0, 0)


@pytest.fixture(scope="module")
def fitted(old: JudgmentTable) -> FittedCalibrator:
    return assize.calibrate.fit(old, JudgmentTable.of(rate(old), [Q0]), target="Q0")


def test_a_better_version_is_found_better_and_the_page_shows_it(
    fitted: FittedCalibrator, old: JudgmentTable, tmp_path: Path
) -> None:
    new = answered(1.0, 3)
    result = assize.calibrate.compare(fitted, old, against=new, resamples=100)
    found = result.to_json()
    gap = found["differences"][0]
    assert (gap["first"], gap["second"], gap["shared"]) == ("answers", "against", 60)
    assert gap["mean"]["interval"][0] > 0
    steps = {row["answer"]: row.get("at_most") for row in found["answer_differences"]}
    assert steps["2"]["interval"][1] < 0
    assert found["calibrator"] == fitted.signature
    report(result, tmp_path / "sets.html")
    assert "against - answers" in (tmp_path / "sets.html").read_text()
    assert assize.calibrate.compare(fitted, old, against=new, resamples=100).to_json() == found
    apart = assize.calibrate.compare(fitted, old, against=new, resamples=20, unpaired=True)
    (unpaired,) = apart.to_json()["differences"]
    assert unpaired["shared"] == 0
    assert unpaired["mean"]["estimate"] == gap["mean"]["estimate"]


def test_versions_are_told_apart_by_their_ids_or_systems(
    fitted: FittedCalibrator, old: JudgmentTable
) -> None:
    fixed: dict[str, Any] = {"resamples": 50, "raters": ["ann", "bob"]}
    found = assize.calibrate.compare(fitted, old, by=r"V(\d)_", **fixed)
    assert set(found.sets) == {"0", "1"}
    assert found.differences[0].shared == 30  # V0_7 and V1_7 are one conversation
    assert "Differences, second less first" in str(found)
    assert "1 - 0" in str(found)
    items = [
        Conversation(item, (Turn("user", "hi"),), "ab"[n % 2]) for n, item in enumerate(ITEMS[:50])
    ]
    by_system = assize.calibrate.compare(fitted, old, by="system", items=items, **fixed)
    assert set(by_system.sets) == {"a", "b"}
    assert by_system.to_json()["left_out"] == 10
    assert by_system.notes == ["10 of 60 belong to no set and are left out"]
    assert by_system.differences[0].shared == 0


def width(fitted: FittedCalibrator, answers: JudgmentTable, *without: str) -> float:
    """Of the mean's interval."""
    found: Any = assize.calibrate.compare(fitted, answers, without=without, resamples=400)
    low, high = found.sets["answers"].mean.interval
    return float(high - low)


def test_a_source_of_doubt_can_be_left_out(fitted: FittedCalibrator, old: JudgmentTable) -> None:
    assert width(fitted, old) > 1.5 * width(fitted, old, "raters")
    assert np.isnan(width(fitted, old, "raters", "conversations", "answers"))


def test_answers_far_from_those_of_fitting_widen_the_bands(fitted: FittedCalibrator) -> None:
    near, far = answered(0.1, 3), answered(2.0, 3)  # few of the far set's answers are 1 or 2
    assert width(fitted, near) == pytest.approx(width(fitted, near, "levels"), rel=0.1)
    assert width(fitted, far) > 1.5 * width(fitted, far, "levels")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"by": "("}, "is no pattern"),
        ({"by": "V"}, "neither system nor metadata.NAME nor a pattern"),
        ({"by": "(z)"}, "finds a group in none of 60 ids"),
        ({"by": "system"}, "needs the conversations: give items"),
        ({"by": "V(.)", "against": "answers"}, "give against or by, not both"),
        (
            {"without": "luck"},
            "without luck: allowed are raters, conversations, answers",
        ),
        ({"resamples": 5}, "resamples: received 5, allowed is at least 20"),
    ],
)
def test_bad_options_say_what_is_allowed(
    fitted: FittedCalibrator, old: JudgmentTable, options: dict[str, Any], message: str
) -> None:
    if "against" in options:
        options = options | {"against": old}
    with pytest.raises(ConfigError) as caught:
        assize.calibrate.compare(fitted, old, **options)
    assert message in str(caught.value)
