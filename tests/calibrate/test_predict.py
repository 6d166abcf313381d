from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import assize
from assize import Judgment, JudgmentTable
from assize.base.errors import ConfigError
from assize.base.judgment import Unscored
from assize.calibrate import FittedCalibrator


def test_every_rater_is_predicted_about_every_item(
    said: JudgmentTable, fitted: FittedCalibrator
) -> None:
    found = assize.calibrate.predict(fitted, said)
    table = found.judgments
    assert table.judges == ("calibration:ann", "calibration:bob")
    assert len(table) == 120
    assert not table.inferred
    assert all(sum((row.distribution or {}).values()) == pytest.approx(1) for row in table)
    raters = found.to_json()["raters"]
    assert raters["ann"]["mean"] > raters["bob"]["mean"] + 0.4
    assert found.signature == fitted.signature


def test_a_file_has_the_rows_that_are_otherwise_in_memory(
    said: JudgmentTable, fitted: FittedCalibrator, tmp_path: Path
) -> None:
    here = assize.calibrate.predict(fitted, said, raters="unknown,bob")
    out = tmp_path / "a.jsonl"
    there = assize.calibrate.predict(fitted, said, raters=["unknown", "bob"], out=out)
    assert there.kept is None
    assert there.judgments.rows() == here.judgments.rows()
    assert there.to_json() == here.to_json() | {"out": str(out)}
    assert there.notes == [f"{out}: 120 judgments"]


def test_judgments_need_not_be_kept(said: JudgmentTable, fitted: FittedCalibrator) -> None:
    kept = assize.calibrate.predict(fitted, said)
    found = assize.calibrate.predict(fitted, said, keep=False)
    assert found.kept is None
    assert found.to_json() == kept.to_json()
    assert str(found) == str(kept)
    with pytest.raises(ConfigError, match="not kept; predict with keep=True"):
        _ = found.judgments


def test_strangers_can_be_the_average(said: JudgmentTable, fitted: FittedCalibrator) -> None:
    def mean(calibrator: FittedCalibrator, raters: str) -> float:
        found = assize.calibrate.predict(calibrator, said, raters=raters).to_json()["raters"]
        return float(np.mean([one["mean"] for one in found.values()]))

    average = mean(replace(fitted, strangers="average"), "unknown")
    assert average == pytest.approx(mean(fitted, "all"))
    assert average != mean(fitted, "unknown")
    with pytest.raises(ConfigError, match="strangers alien: allowed are shared and average"):
        replace(fitted, strangers="alien")  # type: ignore[arg-type]


def test_some_raters_can_be_taken_together(said: JudgmentTable, fitted: FittedCalibrator) -> None:
    mean = assize.calibrate.predict(fitted, said, aggregate="mean")
    assert mean.judgments.judges == ("calibration:mean",)
    found = assize.calibrate.predict(fitted, said, raters="bob").to_json()
    assert list(found["raters"]) == ["bob"]
    together = assize.calibrate.predict(fitted, said, raters=["bob"], aggregate="max").to_json()
    assert together["raters"]["max"] == found["raters"]["bob"]


def test_a_loss_decides_on_an_answer(said: JudgmentTable, fitted: FittedCalibrator) -> None:
    for row in assize.calibrate.predict(fitted, said, loss="wrong").judgments:
        assert row.distribution is not None
        assert row.distribution[str(row.answer)] == max(row.distribution.values())


def test_items_about_which_nothing_is_known_are_unscored(
    said: JudgmentTable, fitted: FittedCalibrator
) -> None:
    gone = Judgment("gone", "m", "Q0", unscored=Unscored("parse"), kind="model")
    some = [*said.rows()[:18], gone]
    found = assize.calibrate.predict(
        fitted, JudgmentTable.of(some, said.questions.values()), raters="ann"
    )
    assert found.missing == (1, 10)
    assert found.to_json()["unscored"] == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"raters": "zoe"}, "'zoe' is not known; known are ann, bob"),
        ({"raters": []}, "name at least one rater"),
        ({"raters": [3]}, "rater 3 is no text"),
        ({"aggregate": "sum"}, "aggregate sum: allowed are none, mean, max, highest and lowest"),
        ({"loss": "cubic"}, "loss cubic: allowed are squared, absolute and wrong"),
    ],
)
def test_bad_wishes_are_told(
    said: JudgmentTable, fitted: FittedCalibrator, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(ConfigError, match=message):
        assize.calibrate.predict(fitted, said, **options)


def test_as_fitted_takes_no_account_of_where_the_answers_lie(
    said: JudgmentTable, fitted: FittedCalibrator
) -> None:
    table = np.array([list((row.distribution or {}).values()) for row in said])
    low = {row.item for row, p in zip(said, table, strict=True) if p[0] > 0.5}
    assert 5 < len(low) < 30
    few = said.where(item=low)

    def predicted(answers: JudgmentTable, as_fitted: bool = False) -> np.ndarray:
        found = assize.calibrate.predict(replace(fitted, as_fitted=as_fitted), answers).judgments
        return np.array([list((row.distribution or {}).values()) for row in found.where(item=low)])

    alone = predicted(few, as_fitted=True)
    assert alone == pytest.approx(predicted(said, as_fitted=True))  # whatever is in the file
    assert np.abs(predicted(few) - alone).max() > 0.01
