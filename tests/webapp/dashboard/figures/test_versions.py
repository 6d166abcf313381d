"""Versions side by side are what `assize.compare` makes of the raters' means."""

from __future__ import annotations

import numpy as np
import pytest
from tests.webapp.dashboard.project import conversations, predictions, table

import assize
from assize.errors import ConfigError
from assize.judgment import Judgment
from assize.judgments import JudgmentTable
from assize.webapp.dashboard.figures.versions import compare_groups
from assize.webapp.dashboard.prepared.view import View


def test_it_is_what_compare_says_of_the_raters_means(view: View) -> None:
    scores: dict[str, list[float]] = {}
    for one in predictions():
        if one.question == "Q0" and one.score is not None:
            scores.setdefault(one.item, []).append(one.score)
    rows = [Judgment(item, "mean", "Q0", score=float(np.mean(one))) for item, one in scores.items()]
    question = table().questions["Q0"]
    told = assize.compare_versions(
        JudgmentTable.of(rows, [question]), by="system", items=conversations(), baseline="old"
    )
    found = compare_groups(view, "system", "old", "new", questions=["Q0"])
    mine, theirs = found.rows[0], told.to_json()["rows"][0]
    assert mine.difference.estimate == pytest.approx(theirs["difference"]["estimate"])
    assert mine.difference.interval == pytest.approx(theirs["difference"]["interval"])
    assert mine.paired


def test_conversations_with_one_prompt_are_pairs(view: View) -> None:
    found = compare_groups(view, "system", "old", "new", questions=["Q0"])
    units = found.matchings["new"].units.values()
    assert (("c/002",), ("c/003",)) in [(tuple(old), tuple(new)) for old, new in units]
    assert found.rows[0].difference.n == len(units)


def test_what_fell_furthest_is_to_read(view: View) -> None:
    found = compare_groups(view, "system", "old", "new", main="Q1", keep=3)
    changes = [one.change for one in found.regressions]
    assert changes == sorted(changes)
    assert len(changes) == 3


def test_what_cannot_be_is_refused(view: View) -> None:
    with pytest.raises(ConfigError, match="system is never 'older'"):
        compare_groups(view, "system", "older", "new")
    with pytest.raises(ConfigError, match="both versions are 'new'"):
        compare_groups(view, "system", "new", "new")
    with pytest.raises(ConfigError, match="no field"):
        compare_groups(view, "mood", "a", "b")
