"""A calibrator taken to another set: in memory, in a folder, and what it cannot be."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.calibrate.conftest import ANSWERS, QUESTIONS

import assize
from assize import Judgment, JudgmentTable
from assize.base.errors import ConfigError
from assize.calibrate import FittedCalibrator, Published


@pytest.fixture(scope="module")
def new_said() -> JudgmentTable:
    """Answers about 60 items of another system: nearly always the lowest."""
    rng = np.random.default_rng(5)
    rows = []
    for n in range(60):
        shares = dict(zip(ANSWERS, rng.dirichlet([8, 1, 0.5, 0.5]).tolist(), strict=True))
        rows += [
            Judgment(f"n{n}", "m", one.id, distribution=shares, kind="model") for one in QUESTIONS
        ]
    return JudgmentTable.of(rows, QUESTIONS)


@pytest.fixture(scope="module")
def few() -> list[Judgment]:
    """Four labels each by ann and by zoe, who is new: people like the system better."""
    rng = np.random.default_rng(6)
    return [
        Judgment(f"n{n}", rater, "Q0", answer=str(rng.integers(2, 5)), kind="person")
        for n in range(12)
        for rater in (("ann", "zoe") if n < 4 else ("ann",))
    ]


def test_a_handful_of_labels_moves_everybody_and_brings_new_raters(
    fitted: FittedCalibrator, new_said: JudgmentTable, few: list[Judgment], tmp_path: Path
) -> None:
    found = assize.calibrate.adapt(fitted, new_said, few, out=tmp_path / "new")
    assert (found.labels, found.items, found.raters, found.new_raters) == (16, 12, 2, ["zoe"])
    assert found.levels[0].level > 0.2
    assert found.gains["log loss"].difference.estimate < 0
    assert found.gains["squared error"].difference.n == 16
    assert "16 labels of 12 items by 2 raters (1 known, 1 new)" in found.notes
    assert set(found.tables) == {"gains", "shifts"}
    assert found.shifts["Q0"] < -1
    assert json.loads(json.dumps(found.to_json(), allow_nan=False))["new_raters"] == ["zoe"]

    kept = assize.calibrate.load_calibrator(tmp_path / "new")
    assert kept.signature == found.fitted.signature != fitted.signature
    assert kept.about["adapted_from"] == fitted.signature
    said = kept.predict(new_said)
    assert said.judges == tuple(f"calibration:{name}" for name in ("ann", "bob", "zoe"))
    assert len(said) == 3 * 60
    before = np.nanmean(fitted.predict(new_said, raters="bob").numeric("score"))
    assert np.nanmean(said.where(judge="calibration:bob").numeric("score")) > before + 0.1


def test_without_labels_there_is_nothing_to_say_of_help(
    fitted: FittedCalibrator, new_said: JudgmentTable
) -> None:
    found = assize.calibrate.adapt(fitted, new_said)
    assert (found.labels, found.gains, found.levels[0].level) == (0, {}, 0)
    assert any("too few labels" in one for one in found.notes)
    assert found.fitted.raters == fitted.raters


def warnings_of(caplog: pytest.LogCaptureFixture, *given: Any, **how: Any) -> list[str]:
    """What a prediction, or a comparison, tells of far answers."""
    caplog.clear()
    verb: Any = assize.calibrate.compare if how else assize.calibrate.predict
    verb(*given, **how)
    return [message for message in caplog.messages if "far from" in message]


def test_a_prediction_far_from_what_was_fitted_is_warned_of(
    fitted: FittedCalibrator,
    said: JudgmentTable,
    new_said: JudgmentTable,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO, "assize")
    assize.calibrate.adapt(fitted, new_said, out=tmp_path)
    adapted = assize.calibrate.load_calibrator(tmp_path)
    assert warnings_of(caplog, fitted, said) == []
    assert warnings_of(caplog, adapted, new_said) == []
    (told,) = warnings_of(caplog, fitted, new_said)
    assert "Q0 -" in told
    assert "assize calibrate adapt" in told
    (told,) = warnings_of(caplog, adapted, said)
    assert "Q0 +" in told
    (told,) = warnings_of(caplog, fitted, said, against=new_said, resamples=20)
    assert told.startswith("against lie")


def test_the_published_network_has_no_level_of_a_set(
    said: JudgmentTable, rated: JudgmentTable
) -> None:
    network = assize.calibrate.fit(said, rated, target="Q0", model=Published(folds=2))
    with pytest.raises(ConfigError, match="only the default calibrator can be adapted"):
        assize.calibrate.adapt(network, said)
