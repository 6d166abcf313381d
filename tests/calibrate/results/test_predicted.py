from __future__ import annotations

from assize.base.judgment import Judgment, Question, Unscored
from assize.calibrate._prediction.best_of_n import Selection, gain
from assize.calibrate._prediction.rater_means import RaterMeans
from assize.calibrate._results.predicted import PredictionResult, SelectionResult
from assize.judgments import JudgmentTable

Q0 = Question("Q0", kind="ordinal", answers=("1", "2"), values=(1, 2))
NAN = float("nan")


def rows() -> JudgmentTable:
    shares = {"1": 0.25, "2": 0.75}
    name, missing = "calibration:ann", Unscored("missing", "no answer")
    return JudgmentTable.of(
        [
            Judgment("i0", name, "Q0", score=1.75, distribution=shares, kind="evaluator"),
            Judgment("i1", name, "Q0", unscored=missing, kind="evaluator"),
        ],
        [Q0],
    )


def result(out: str | None, kept: JudgmentTable | None) -> PredictionResult:
    means = RaterMeans()
    means.add(rows())
    return PredictionResult("Q0", means.by_rater, 2, 1, False, out, "abc", kept)


def test_predictions_are_shown_by_rater_and_counted() -> None:
    found = result(None, rows())
    assert found.missing == (1, 2)
    assert found.notes == ()
    assert "Predicted answers" in str(found)
    value = found.to_json()
    assert set(value) == {"target", "raters", "items", "unscored", "corrected", "signature"}
    assert (value["raters"]["ann"]["n"], value["raters"]["ann"]["mean"]) == (1, 1.75)


def test_selections_are_shown_and_counted() -> None:
    selections = [
        Selection("p0", "i1", 3, 2, 0, False, 1.9, 1.5, 0.3, 1, (0, 1)),
        Selection("p1", None, None, 1, 0, True, 1.2, 1.2, 0.9, 2, (2,)),
        Selection("p2", None, None, 1, 1, False, NAN, NAN, NAN, None, (3,)),
    ]
    found = SelectionResult(
        target="Q0",
        expected_gain=gain(selections),
        groups=3,
        chosen=1,
        abstained=1,
        unscored=1,
        candidates_unscored=1,
        left_out=1,
        selections=selections,
        max_entropy=0.5,
        corrected=False,
        out=None,
        signature="abc",
        judgments=JudgmentTable.of(()),
    )
    assert found.notes == ["1 of 5 belong to no group and are left out"]
    assert found.headline["expected gain over the average candidate"] == ("0.40", "n 1")
    assert found.headline["groups chosen from"] == ("1", "")
    assert [[first for first, _ in row] for row in found.tables["selections"].texts()[1]] == [
        ["p0", "i1", "3", "2", "", "1.90", "1.50", "0.30"],
        ["p1", "", "", "1", "yes", "1.20", "1.20", "0.90"],
        ["p2", "", "", "1", "", "–", "–", "–"],
    ]
    value = found.to_json()
    assert (value["target"], value["left_out"], value["max_entropy"]) == ("Q0", 1, 0.5)
    assert [one.get("item") for one in value["selections"]] == ["i1", None, None]
