"""Curves of groups, what they count, and what does not matter to them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.web.dashboard.project import conversations, predictions, table
from tests.web.dashboard.simulated import view_of_scores

from assize.base.errors import ConfigError
from assize.web._dashboard.figures.bands import bands_of
from assize.web._dashboard.figures.charts import ALL, Chart, Look, chart_of, groups_of
from assize.web._dashboard.figures.resampling import Drawing
from assize.web._dashboard.prepared.preparing import prepare_view
from assize.web._dashboard.prepared.view import Fields, View

NAN = float("nan")


def heights(chart: Chart) -> list[list[float]]:
    return [one.height.tolist() for one in chart.curves]


def test_one_curve_has_all_conversations(view: View) -> None:
    chart = chart_of(view, Look("Q0"))
    assert [one.name for one in chart.curves] == [ALL]
    assert (chart.curves[0].n, chart.curves[0].unscored) == (60, 0)


def test_a_mean_is_that_of_the_numbers(view: View) -> None:
    told = [one.score for one in predictions() if one.question == "Q0" and one.score is not None]
    assert chart_of(view, Look("Q0")).curves[0].mean == pytest.approx(np.mean(told))


def test_each_value_of_a_field_has_a_curve(view: View) -> None:
    chart = chart_of(view, Look("Q0", "system"))
    assert [(one.name, one.n) for one in chart.curves] == [("new", 30), ("old", 30)]
    new = [one.score for one in predictions() if one.question == "Q0" and int(one.item[2:]) % 2]
    assert chart.curves[0].mean == pytest.approx(np.mean([one for one in new if one is not None]))


def test_kept_apart_every_answer_counts(view: View) -> None:
    one = chart_of(view, Look("Q0", disaggregated=True)).curves[0]
    assert (one.n, one.conversations) == (360, 60)


def test_conversations_without_a_number_are_counted(tmp_path: Path) -> None:
    scores = np.array([[1.0, 2.0], [NAN, 4.0], [3.0, NAN]])
    view = view_of_scores(tmp_path / "v", scores)
    one = chart_of(view, Look("q", panel="rater 0")).curves[0]
    assert (one.n, one.unscored) == (2, 1)


def test_answers_that_could_not_be_made_are_counted(view: View) -> None:
    assert chart_of(view, Look("Q1", panel="io@m")).unscored == 1


def test_the_six_largest_groups_are_drawn_and_the_others_named() -> None:
    codes = np.repeat(np.arange(8), [1, 9, 8, 7, 2, 6, 5, 4]).astype(np.int32)
    fields = Fields(["f"], ["abcdefgh"], codes[None])
    code, names, left_out = groups_of(fields, "f", len(codes))
    assert names == ("b", "c", "d", "f", "g", "h")
    assert left_out == ("a", "e")
    assert sorted(set(code.tolist())) == [-1, 0, 1, 2, 3, 4, 5]


def test_a_filter_keeps_the_conversations_with_one_value(view: View) -> None:
    """Of 60 conversations a third is about plots; of these half are of each system."""
    look = Look("Q0", "system", where="metadata.topic:plots")
    chart = chart_of(view, look)
    assert [(one.name, one.n) for one in chart.curves] == [("new", 10), ("old", 10)]
    new = [
        one.score
        for one in predictions()
        if one.question == "Q0" and one.score is not None and int(one.item[2:]) % 6 == 3
    ]
    assert chart.curves[0].mean == pytest.approx(np.mean(new))
    bands = bands_of(view, look, Drawing(replicates=20), 0)
    assert all(
        one.mean[0] < curve.mean < one.mean[1]
        for one, curve in zip(bands.bands, chart.curves, strict=True)
    )


def test_the_values_of_a_field_share_out_all_conversations(view: View) -> None:
    place = view.fields.place("metadata.topic")
    parts = [
        chart_of(view, Look("Q0", where=f"metadata.topic:{word}")).curves[0]
        for word in view.fields.words[place]
    ]
    assert len(parts) == 3
    assert sum(one.n for one in parts) == 60


def test_of_a_filtered_field_only_the_value_itself_is_a_curve(view: View) -> None:
    chart = chart_of(view, Look("Q0", "system", where="system:old"))
    assert [one.name for one in chart.curves] == ["old"]
    assert chart.left_out == ()


def test_what_is_left_out_is_in_no_curve(tmp_path: Path) -> None:
    systems = [
        name for name, n in zip("abcdefg", (1, 2, 2, 2, 2, 2, 2), strict=True) for _ in range(n)
    ]
    scores = np.random.default_rng(0).uniform(1, 4, (13, 3))
    view = view_of_scores(tmp_path / "v", scores, systems=systems)
    for apart in (False, True):
        chart = chart_of(view, Look("q", "system", disaggregated=apart))
        assert chart.left_out == ("a",)
        assert sum(one.conversations for one in chart.curves) == 12
        found = bands_of(view, chart.look, Drawing(replicates=20), 0)
        assert [one.name for one in found.bands] == list("bcdefg")


def test_raters_names_do_not_matter(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    scores = rng.integers(1, 5, (30, 4)).astype(float)
    first = view_of_scores(tmp_path / "a", scores, raters="wxyz")
    other = view_of_scores(tmp_path / "b", scores[:, [2, 0, 3, 1]], raters="wxyz")
    assert heights(chart_of(first, Look("q"))) == heights(chart_of(other, Look("q")))


def test_the_order_of_judgments_does_not_matter(view: View, tmp_path: Path) -> None:
    rows = table().rows()
    order = np.random.default_rng(0).permutation(len(rows))
    mixed = prepare_view(
        table([rows[at] for at in order]), reversed(conversations()), tmp_path / "v"
    )
    for look in (Look("Q0"), Look("Q0", "system"), Look("Q1", disaggregated=True)):
        found, told = chart_of(mixed, look), chart_of(view, look)
        assert np.allclose(heights(found), heights(told))


def test_a_moved_scale_moves_the_curve(tmp_path: Path) -> None:
    scores = np.random.default_rng(0).uniform(1.5, 3.5, (50, 3))
    first = view_of_scores(tmp_path / "a", scores)
    moved = replace(first.questions[0], range=(11.0, 14.0))
    other = view_of_scores(tmp_path / "b", scores + 10, question=moved)
    one, two = (heights(chart_of(each, Look("q", kind="density"))) for each in (first, other))
    assert np.allclose(one, two, atol=1e-6)


def test_an_unknown_shape_is_refused(view: View) -> None:
    with pytest.raises(ConfigError, match="density or bars"):
        chart_of(view, Look("Q0", kind="pie"))


def test_bars_count_every_number_once(view: View) -> None:
    chart = chart_of(view, Look("Q0", "system", kind="bars"))
    assert [sum(one) for one in heights(chart)] == pytest.approx([1.0, 1.0])
