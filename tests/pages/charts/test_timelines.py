"""Figures over time."""

from __future__ import annotations

from assize.pages import charts
from assize.pages.charts import Cuts
from assize.pages.charts.timelines import BETTER, WORSE, Change, Timeline, timelines

DAY = 86_400_000.0
CURVE = charts.Curve([0, DAY, 2 * DAY], [1.0, 2.0, float("nan")], [0.5] * 3, [2.5] * 3)


def line(name: str, worse: bool) -> Timeline:
    change = Change(DAY, 0.5 * DAY, 1.5 * DAY, "1970-01-02", worse)
    return Timeline(name, CURVE, [(0, DAY, 1.0), (DAY, 2 * DAY, 2.0)], [change])


def test_a_change_is_marked_with_its_date_and_direction() -> None:
    for worse, colour in ((True, WORSE), (False, BETTER)):
        drawn = charts.svg(timelines([line("NetSAT", worse)], y_title="NetSAT"))
        assert "1970-01-02" in drawn
        assert colour in drawn
        assert (BETTER if worse else WORSE) not in drawn


def test_the_window_is_shaded_where_it_is_in_sight() -> None:
    def words(low: float | None, high: float | None) -> str:
        cuts = Cuts(1.5, low, high)
        return charts.svg(timelines([line("NetSAT", True)], y_title="NetSAT", cuts=cuts))

    assert ">good<" in words(None, 2.0)
    assert ">bad<" not in words(None, 2.0)
    assert ">bad<" in words(1.0, 100.0)
    assert ">good<" not in words(1.0, 100.0)


def test_numbers_beside_the_axis_can_be_percents() -> None:
    assert "%<" not in charts.svg(timelines([line("NetSAT", True)], y_title="share"))
    assert "%<" in charts.svg(timelines([line("NetSAT", True)], y_title="share", y_format="%"))


def test_several_lines_have_a_legend_and_name_their_changes() -> None:
    drawn = charts.svg(timelines([line("a", True), line("<b>", False)], y_title="mean"))
    assert "a 1970-01-02" in drawn
    assert "&lt;b&gt; 1970-01-02" in drawn
    assert "<b>" not in drawn


def test_nothing_known_is_drawn_empty() -> None:
    empty = charts.Curve([0.0], *[[float("nan")]] * 3)
    assert "<svg" in charts.svg(timelines([Timeline("x", empty)], y_title="mean"))
