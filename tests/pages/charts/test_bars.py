"""Bars of shares, and means."""

from __future__ import annotations

from assize.pages import charts


def test_bars_of_shares_add_up_to_one() -> None:
    spec = charts.shares(
        [("j", "1", 1), ("j", "2", 3), ("k", "1", 2)], answers=["1", "2"], title="t"
    )
    by_name: dict[str, float] = {}
    for row in spec["data"]["values"]:
        by_name[row["name"]] = by_name.get(row["name"], 0) + row["share"]
    assert by_name == {"j": 1.0, "k": 1.0}


def test_means_keep_their_intervals_and_one_without_has_none() -> None:
    nan = float("nan")
    spec = charts.means([("a", 0.5, 0.4, 0.6), ("b", 0.2, nan, nan)], title="mean")
    rows = str(spec)
    assert "0.4" in rows
    assert "nan" not in rows
