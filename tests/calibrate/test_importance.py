from __future__ import annotations

import numpy as np
import pytest

import assize
from assize import JudgmentTable
from assize.base.errors import ConfigError
from assize.calibrate import FittedCalibrator, features_of, forms_of
from assize.calibrate._calibrator import Calibrator
from assize.calibrate._network.fit import fit_networks
from assize.calibrate._network.training import Setting


@pytest.fixture(scope="module")
def networks(said: JudgmentTable, rated: JudgmentTable) -> list[Calibrator]:
    """Networks of both questions."""
    pytest.importorskip("torch")
    setting = Setting(hidden1=4, hidden2=4, pretrain=1, finetune=1)
    some = rated.where(judge=["ann", "bob"])
    forms = [forms_of(features_of(said), some, name) for name in ("Q0", "Q1")]
    return [fit_networks(one, setting, [0]) for one in forms]


def test_importance_stands_by_question_direction_and_item(
    networks: list[Calibrator], said: JudgmentTable
) -> None:
    main, other = networks
    shown = assize.calibrate.importance(main, other, said)
    found = shown.to_json()
    assert (found["target"], found["raters"]) == ("Q0", ["ann", "bob"])
    for way in ("free", "simplex", "manifold"):
        each = shown.to_judgments(way).numeric("score")
        (row,) = (row for row in found["questions"] if row["along"] == way)
        assert np.mean(each) == pytest.approx(row["mean"]["estimate"])
        assert way in str(shown)
    assert "Q1: Worth of one point more" in str(shown)
    less = assize.calibrate.importance(main, [other], said, raters="bob", variance=0.5)
    assert less.raters == ["bob"]
    assert less.to_json()["questions"] != found["questions"]


def test_what_is_no_network_is_refused(
    fitted: FittedCalibrator, other: FittedCalibrator, said: JudgmentTable
) -> None:
    with pytest.raises(ConfigError, match=r"fit it as Published \(--network paper\)"):
        assize.calibrate.importance(fitted, other, said)
    with pytest.raises(ConfigError, match="calibrators: received none"):
        assize.calibrate.importance(fitted, [], said)


def test_refits_take_the_ratings_and_stand_beside(
    networks: list[Calibrator], said: JudgmentTable, rated: JudgmentTable
) -> None:
    main, other = networks
    some = rated.where(judge=["ann", "bob"])
    shown = assize.calibrate.importance(main, other, said, ratings=some, refits=20)
    (free,) = (row for row in shown.questions if row.along == "free")
    assert free.mean_refitted is not None
    assert free.pooled_refitted is not None
    assert "pooled refitted" in " ".join(str(shown).split())
    with pytest.raises(ConfigError, match="refits and ratings go together"):
        assize.calibrate.importance(main, other, said, refits=20)
    with pytest.raises(ConfigError, match="refits"):
        assize.calibrate.importance(main, other, said, ratings=some, refits=3)
