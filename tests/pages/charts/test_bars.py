"""Bars of shares, and means."""

from __future__ import annotations

from assize.pages import charts
from assize.results import Mean


def test_bars_of_shares_add_up_to_one() -> None:
    spec = charts.shares(
        [("j", "1", 1), ("j", "2", 3), ("k", "1", 2)], answers=["1", "2"], title="t"
    )
    by_name: dict[str, float] = {}
    for row in spec["data"]["values"]:
        by_name[row["name"]] = by_name.get(row["name"], 0) + row["share"]
    assert by_name == {"j": 1.0, "k": 1.0}


def test_means_keep_their_intervals_and_one_without_has_none() -> None:
    figures = [("a", Mean(0.5, (0.4, 0.6))), ("b", Mean(0.2)), ("c", Mean(float("nan")))]
    assert charts.means(figures, title="mean")["data"]["values"] == [
        {"name": "a", "value": 0.5, "low": 0.4, "high": 0.6},
        {"name": "b", "value": 0.2, "low": None, "high": None},
    ]


def test_grouped_bars_stand_beside_each_other_in_the_order_of_their_series() -> None:
    rows = [
        ("long", "b", Mean(0.5, (0.4, 0.6))),
        ("long", "a", Mean(0.25, (0.1, 0.4))),
        ("kind", "a", None),
    ]
    spec = charts.grouped(rows, series=("a", "b"), title="share")
    drawn = spec["data"]["values"]
    assert [(row["name"], row["series"], row["value"]) for row in drawn] == [
        ("long", "b", 0.5),
        ("long", "a", 0.25),
        ("kind", "a", None),
    ]
    assert spec["encoding"]["y"]["sort"] == ["long", "kind"]
    assert spec["encoding"]["yOffset"]["sort"] == ["a", "b"]
    assert charts.svg(spec).startswith("<svg")


def test_a_mark_is_a_line_across_all_rows_and_absent_by_default() -> None:
    rows = [("a", Mean(0.5, (0.4, 0.6))), ("b", Mean(-0.2, (-0.3, -0.1)))]
    assert len(charts.means(rows, title="t")["layer"]) == 2
    line = charts.means(rows, title="t", mark=0.0)["layer"][0]
    assert line["data"]["values"] == [{"mark": 0.0}]
    assert line["encoding"]["y"] is None


def test_counts_are_bars_with_their_share_beside_them() -> None:
    spec = charts.counts([("refund", 3), ("other", 1)], title="topic", of=8)
    assert [one["said"] for one in spec["data"]["values"]] == ["3 (37.5%)", "1 (12.5%)"]
    assert spec["encoding"]["y"]["sort"] == ["refund", "other"]
    assert "refund 3 (37.5%)" in spec["description"]
    assert "37.5%" in charts.svg(spec)
