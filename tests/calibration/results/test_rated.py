from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from assize.calibration import FittedCalibrator, Forms, fit_default
from assize.calibration.active.active_learning import ItemUncertainty, RatingRequest
from assize.calibration.groups.audit import Group
from assize.calibration.groups.multicalibration import Correction, Patch
from assize.calibration.results.rated import (
    AuditResult,
    CorrectionResult,
    LeftOut,
    RequestResult,
)
from assize.judgments import JudgmentTable
from assize.stats import Estimate

LEFT_OUT = LeftOut(4, 0, 2)


def level(x: np.ndarray) -> np.ndarray:
    p = np.stack([x[:, :4] + 0.1, x[:, 3::-1] + 0.1], axis=1)
    return np.asarray(p / p.sum(axis=2, keepdims=True))


@pytest.fixture
def forms(worlds: Callable[..., Any]) -> Forms:
    found: Forms = worlds(level, rows=200, raters=2, seed=1).forms
    return found


def test_what_could_not_enter_is_counted(forms: Forms) -> None:
    found = LeftOut.of(replace(forms, unmatched={"x": 2}, not_applicable=4))
    assert found == LEFT_OUT
    assert found.notes == ["ratings not applicable: 4", "ratings without answers: 2"]


def test_an_audit_says_who_is_unknown_and_what_its_columns_are() -> None:
    figures = {"log_loss": Estimate(1.0), "smooth_ece": Estimate(0.1)}
    everybody = Group("all", "all", 60, 60, 0, figures, {}, {}, {})
    found = AuditResult("Q0", everybody, [], [], LEFT_OUT, 3, 30, True, "abc")
    assert found.notes[0].startswith("bias: predicted less answered")
    assert found.notes[1].endswith("does not know them: 3 raters")
    assert found.notes[2:] == LEFT_OUT.notes
    assert list(found.to_json()) == [
        "target",
        "all",
        "groups",
        "worst",
        "ratings_not_applicable",
        "ratings_unscored",
        "ratings_without_answers",
        "unknown_raters",
        "min_n",
        "corrected",
        "signature",
    ]


def test_a_correction_counts_the_patches_of_each_group(forms: Forms) -> None:
    patches = (
        Patch("rater", "r1", 1, None, 1.5),
        Patch("", "", 0, 3, 0.5),
        Patch("rater", "r1", 2, None, 1.0),
    )
    learnt = Correction("abc", ("rater",), patches, 0.02, 50, 600, 300)
    fitted = FittedCalibrator(fit_default(forms), learnt)
    found = CorrectionResult(fitted, learnt, 7, LEFT_OUT, "mine")
    assert [row[:3] for row in found.tables["patched"].rows] == [
        ("rater", "r1", 2),
        ("all", "all", 1),
    ]
    assert found.notes == ["mine: 3 patches from 600 ratings", *LEFT_OUT.notes]
    assert found.to_json()["patches"][0] == {
        "field": "rater",
        "group": "r1",
        "event": 1,
        "bin": None,
        "shift": 1.5,
    }
    none = replace(found, correction=replace(learnt, patches=()), out=None)
    assert none.notes[:2] == [
        "0 patches from 600 ratings",
        "no group is off by more than chance and the tolerance: predictions stay",
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
    assert found.headline == {
        "possible ratings": ("120", ""),
        "rated already": ("3", ""),
        "excluded by the routing": ("20", ""),
    }
    assert found.notes == [
        "ann: reached a limit",
        "new0, new1, new2, new3, new4 and 2 more: not known to every calibrator:"
        " predicted as unknown there",
        "i99: named in the routing, and none of the items",
        "asked.jsonl: 1 request",
    ]
    none = replace(found, at_limit=(), new_raters=(), unknown_items=(), out=None)
    assert none.notes == []
    assert found.to_json()["requests"][0]["rater"] == "ann"
    assert found.sentence == "1 rating to ask 1 rater for"
