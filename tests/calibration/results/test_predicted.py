from __future__ import annotations

from pathlib import Path

from assize.calibration.data.forms import Scale
from assize.calibration.prediction.best_of_n import Selection
from assize.calibration.prediction.rater_means import RaterMeans
from assize.calibration.results.predicted import PredictionResult, SelectionResult
from assize.formats import write
from assize.judgment import Judgment, Question, Unscored
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
    return PredictionResult(Q0, 2, means, False, out, "abc", kept)


def test_predictions_are_shown_by_rater_and_counted() -> None:
    found = result(None, rows())
    assert found.missing == (1, 2)
    assert found.notes == ()
    assert "Q0, predicted" in str(found)
    value = found.to_json()
    assert list(value) == [
        "target",
        "items",
        "raters",
        "unscored",
        "corrected",
        "out",
        "signature",
    ]
    assert (value["raters"]["ann"]["n"], value["raters"]["ann"]["mean"]) == (1, 1.75)
    assert len(found.judgments) == 2


def test_rows_in_a_file_are_read_when_they_are_asked_for(tmp_path: Path) -> None:
    out = str(tmp_path / "said.jsonl")
    found = result(out, None)
    write(out, rows(), questions=[Q0])
    assert found.judgments.rows() == rows().rows()
    assert found.notes == [f"{out}: 2 judgments"]


def test_selections_are_shown_and_counted() -> None:
    each = [
        Selection("p0", (0, 1), 1, False, 1.9, 1.5, 0.3, 0),
        Selection("p1", (2,), 2, True, 1.2, 1.2, 0.9, 0),
        Selection("p2", (3,), None, False, NAN, NAN, NAN, 1),
    ]
    units = tuple((f"i{n}", None) for n in range(5))
    found = SelectionResult(
        Scale.of(Q0), each, units, 1, 0.5, False, JudgmentTable.of(()), None, "abc"
    )
    assert found.notes == [
        "1 of 3 groups chosen from, 1 abstained, 1 not predicted;"
        " expected gain over any candidate 0.40",
        "1 of 5 belong to no group and are left out",
    ]
    assert "(abstained)" in str(found)
    value = found.to_json()
    assert (value["target"], value["left_out"], value["max_entropy"]) == ("Q0", 1, 0.5)
    assert [one["item"] for one in value["selections"]] == ["i1", None, None]
