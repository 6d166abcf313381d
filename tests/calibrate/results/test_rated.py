from __future__ import annotations

from dataclasses import replace
from typing import Any

from assize.calibrate import FittedCalibrator, fit_default
from assize.calibrate._active.active_learning import ItemUncertainty, RatingRequest, RequestResult
from assize.calibrate._data.forms import Forms
from assize.calibrate._groups.audit import Group
from assize.calibrate._groups.multicalibration import Correction, Patch
from assize.calibrate._results.rated import (
    MOST_GROUPS,
    AuditResult,
    CorrectionResult,
    LeftOut,
)
from assize.judgments import JudgmentTable
from assize.results import Estimate, ResultTable

LEFT_OUT = LeftOut(4, 0, 2)


def test_what_could_not_enter_is_counted(forms: Forms) -> None:
    found = LeftOut.of(replace(forms, unmatched={"x": 2}, not_applicable=4))
    assert found == LEFT_OUT
    assert found.notes == ["ratings not applicable: 4", "ratings without answers: 2"]


def group(name: str, n: int, **more: Any) -> Group:
    nothing: dict[str, Any] = dict.fromkeys(("rmse", "mae", "bias"))
    figures = {"log_loss": Estimate(1.0), "smooth_ece": Estimate(0.123, (0.1, 0.2))}
    return Group("metadata.language", name, n, n, 0, **nothing | figures | more)


def audited(*groups: Group) -> AuditResult:
    return AuditResult("Q0", groups, LEFT_OUT, 3, 30, 0, True, "abc")


def test_an_audit_says_who_is_unknown_and_what_its_columns_are() -> None:
    found = audited(group("de", 60))
    assert found.notes[0].endswith("does not know them: 3 raters")
    assert found.notes[1:] == LEFT_OUT.notes
    assert "bias: predicted minus answered" in found.tables["groups"].notes[0]
    assert set(found.to_json()) > {"groups", "left_out", "unknown_raters", "in_sample"}


def texts(table: ResultTable) -> list[list[str]]:
    return [[first for first, _ in row] for row in table.texts()[1]]


def test_an_audit_has_the_columns_of_what_was_measured() -> None:
    table = audited(group("de", 40, log_loss_p_holm=0.0001), group("", 20)).tables["groups"]
    assert [one.name for one in table.texts()[0]] == [
        *("group", "n", "unscored", "log loss", "ece", "p loss")
    ]
    assert texts(table) == [
        ["de", "40", "0", "1.00", "0.12", "<0.001"],
        ["", "20", "0", "1.00", "0.12", ""],
    ]
    ordered = {"bias": Estimate(-0.001, (-0.1, 0.1)), "rmse": Estimate(0.5, (0.4, 0.6))}
    more = audited(group("x", 3, **ordered)).tables["groups"]
    assert texts(more) == [["x", "3", "0", "0.50", "0.00", "1.00", "0.12"]]


def test_an_audit_of_many_groups_shows_the_first() -> None:
    table = audited(*(group(f"g{n}", n + 1) for n in range(MOST_GROUPS + 5))).tables["groups"]
    assert len(table.rows) == MOST_GROUPS + 5
    assert len(table.texts()[1]) == MOST_GROUPS
    assert table.sentences[-1] == "5 further rows are not shown."


def test_a_correction_shows_its_patches(forms: Forms) -> None:
    patches = (
        Patch("rater", "r1", 1, None, 1.5),
        Patch("", "", 0, 3, 0.5),
        Patch("rater", "r1", 2, None, 1.0),
    )
    learnt = Correction("abc", ("rater",), patches, 0.02, 50, 600, 300)
    found = CorrectionResult(
        target="Q0",
        n=600,
        items=300,
        unscored=7,
        patches=patches,
        left_out=LEFT_OUT,
        in_sample=0,
        out="mine",
        signature=learnt.signature,
        calibrator=FittedCalibrator(fit_default(forms), learnt),
    )
    assert [row[:2] for row in texts(found.tables["patches"])][:2] == [["rater", "r1"], ["", ""]]
    assert found.notes == ["mine: 3 shifts learnt from 600 ratings", *LEFT_OUT.notes]
    assert found.to_json()["patches"][:2] == [
        {"field": "rater", "group": "r1", "event": 1, "shift": 1.5},
        {"field": "", "group": "", "event": 0, "bin": 3, "shift": 0.5},
    ]
    none = replace(found, patches=(), out=None)
    assert none.notes[:1] == [
        "nothing was found to correct in 600 ratings: no group is off by more than chance and the"
        " tolerance, and predictions stay",
    ]


def test_requests_tell_what_the_routing_did_where_there_is_one() -> None:
    asked = [RatingRequest("ann", "Q0", "i1", None, 0.25, 2.0)]
    found = RequestResult(
        requests=asked,
        uncertain=[ItemUncertainty("Q0", "i4", None, 1.2, 0.3)],
        controversial=[],
        candidates=120,
        rated=3,
        excluded=20,
        at_limit=["ann"],
        new_raters=[f"new{n}" for n in range(7)],
        unknown_items=["i99"],
        corrected=False,
        out="asked.jsonl",
        signature="abc",
        judgments=JudgmentTable.of(()),
    )
    assert list(found.tables) == ["requests", "uncertain"]
    assert [figure for figure, _ in found.headline.values()] == ["120", "3", "20"]
    assert found.notes == [
        "ann: reached a limit",
        "new0, new1, new2, new3, new4 and 2 more: not known to every calibrator:"
        " predicted as unknown there",
        "i99: named in the routing, and none of the items",
        "asked.jsonl: 1 request",
    ]
    assert replace(found, at_limit=(), new_raters=(), unknown_items=(), out=None).notes == []
    assert found.to_json()["requests"][0]["rater"] == "ann"
    assert found.sentence == "1 rating to ask 1 rater for."
