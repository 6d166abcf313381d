"""Versions side by side are what `assize.compare` makes of the raters' means, with raters drawn."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from tests.web.dashboard.project import conversations, predictions, table
from tests.web.dashboard.simulated import view_of_scores

import assize
from assize.base.errors import ConfigError
from assize.base.judgment import Judgment
from assize.judgments import JudgmentTable
from assize.web._dashboard.figures.resampling import Drawing
from assize.web._dashboard.figures.versions import compare_groups
from assize.web._dashboard.prepared.view import View


def test_it_is_what_compare_says_of_the_raters_means(view: View) -> None:
    scores: dict[str, list[float]] = {}
    for one in predictions():
        if one.question == "Q0" and one.score is not None:
            scores.setdefault(one.item, []).append(one.score)
    rows = [Judgment(item, "mean", "Q0", score=float(np.mean(one))) for item, one in scores.items()]
    question = table().questions["Q0"]
    told = assize.compare(
        JudgmentTable.of(rows, [question]), by="system", items=conversations(), against="old"
    )
    alone = Drawing(("conversations",))
    compared = compare_groups(view, "system", "old", "new", questions=["Q0"], how=alone)
    assert compared.drawn is None
    found = compared.comparison
    mine, theirs = found.differences[0], told.to_json()["differences"][0]
    assert mine.difference.estimate == pytest.approx(theirs["difference"]["estimate"])
    assert mine.difference.interval == pytest.approx(theirs["difference"]["interval"])
    assert mine.paired


def test_conversations_with_one_prompt_are_pairs(view: View) -> None:
    found = compare_groups(view, "system", "old", "new", questions=["Q0"]).comparison
    units = found.matchings["new"].units.values()
    assert (("c/002",), ("c/003",)) in [(tuple(old), tuple(new)) for old, new in units]
    assert found.differences[0].difference.n == len(units)


def test_what_fell_furthest_is_to_read(view: View) -> None:
    found = compare_groups(view, "system", "old", "new", main="Q1", keep=3).comparison
    changes = [one.change or 0 for one in found.regressions]
    assert changes == sorted(changes)
    assert len(changes) == 3


def test_intervals_and_tests_draw_raters_and_answers_too(view: View) -> None:
    """The difference of pairs, of raters' means: raters agree on it, answers of 6 vary."""
    bare = compare_groups(view, "system", "old", "new", how=Drawing(("conversations",)))
    alone = bare.comparison.differences
    found = compare_groups(view, "system", "old", "new", how=Drawing(replicates=400))
    assert found.drawn is not None
    assert found.drawn.sources == ("raters", "conversations", "answers")
    assert found.drawn.answers == 6
    for before, row in zip(alone, found.comparison.differences, strict=True):
        assert row.difference.estimate == before.difference.estimate
        low, high = row.difference.interval
        assert high - low > 1.1 * np.diff(before.difference.interval)[0]
        assert (low + high) / 2 == pytest.approx(row.difference.estimate)
        rejected = not low <= 0 <= high
        assert (row.test.p_value < 0.05) == rejected
        assert row.before.interval != before.before.interval
        assert row.p_value >= row.test.p_value
    assert (
        found.comparison.signature
        != compare_groups(view, "system", "old", "new", seed=1).comparison.signature
    )


def test_raters_who_disagree_about_a_difference_widen_it(tmp_path: Path) -> None:
    """Of four raters two see +1 and two -1: the difference's error is 1 / sqrt(4), N is large."""
    rng = np.random.default_rng(0)
    first = rng.uniform(2, 3, (200, 1)) + np.zeros(4)
    second = first + np.array([1, 1, -1, -1])
    systems = ["old"] * 200 + ["new"] * 200
    view = view_of_scores(tmp_path / "v", np.vstack([first, second]), systems=systems)
    found = compare_groups(view, "system", "old", "new", how=Drawing(replicates=2_000)).comparison
    low, high = found.differences[0].difference.interval
    assert (high - low) / 2 == pytest.approx(1.97 * np.hypot(0.5, 0.02), rel=0.06)
    assert found.differences[0].verdict == ""
    exact = compare_groups(view, "system", "old", "new", how=Drawing(("conversations",))).comparison
    assert np.diff(exact.differences[0].difference.interval)[0] < 0.3


def test_without_pairs_conversations_are_drawn_within_each_version(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    scores = rng.uniform(1, 4, (90, 3))
    view = view_of_scores(tmp_path / "v", scores, systems=["old"] * 60 + ["new"] * 30)
    how = Drawing(("raters", "conversations"), 2_000)
    groups = compare_groups(view, "system", "old", "new", pairing="none", how=how)
    row = groups.comparison.differences[0]
    assert not row.paired
    low, high = row.difference.interval
    error = np.sqrt(scores.mean(axis=1)[:60].var() / 60 + scores.mean(axis=1)[60:].var() / 30)
    assert (high - low) / 2 > 1.9 * error
    assert row.difference.estimate == pytest.approx(scores[60:].mean() - scores[:60].mean())


def test_a_filter_compares_conversations_with_one_value_alone(view: View) -> None:
    """Of the 29 pairs those count of which both are about plots: none, so versions stand apart."""
    where = "metadata.topic:plots"
    found = compare_groups(view, "system", "old", "new", questions=["Q0"], where=where).comparison
    assert (found.differences[0].before.n, found.differences[0].after.n) == (10, 10)
    old = [
        one.score
        for one in predictions()
        if one.question == "Q0" and one.score is not None and int(one.item[2:]) % 6 == 0
    ]
    assert found.differences[0].before.estimate == pytest.approx(np.mean(old))
    other = compare_groups(view, "system", "old", "new", questions=["Q0"]).drawn
    mine = compare_groups(view, "system", "old", "new", questions=["Q0"], where=where).drawn
    assert other is not None
    assert mine is not None
    assert mine.signature != other.signature


def test_nominal_questions_are_left_out(view: View) -> None:
    found = compare_groups(view, "system", "old", "new", panel="calibrated raters")
    assert [one.question for one in found.comparison.differences] == ["Q0", "Q1", "Q2"]
    with pytest.raises(ConfigError, match="length have no order"):
        compare_groups(view, "system", "old", "new", questions=["length"])


def test_what_cannot_be_is_refused(view: View) -> None:
    with pytest.raises(ConfigError, match="system is never 'older'"):
        compare_groups(view, "system", "older", "new")
    with pytest.raises(ConfigError, match="both versions are 'new'"):
        compare_groups(view, "system", "new", "new")
    with pytest.raises(ConfigError, match="no field"):
        compare_groups(view, "mood", "a", "b")
