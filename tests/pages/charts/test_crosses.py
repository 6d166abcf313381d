"""Points with intervals along both axes."""

from __future__ import annotations

from assize.pages import charts

NAN = float("nan")


def cross(name: str, x: float = 0.8, ends: tuple[float, float] = (0.7, 0.9)) -> charts.Cross:
    return charts.Cross(name, x, 0.6, ends, (0.5, 0.7))


def test_a_point_has_its_intervals_and_nan_is_null() -> None:
    point = cross("a", ends=(NAN, NAN)).point()
    assert (point["left"], point["right"]) == (None, None)
    assert (point["x"], point["low"], point["high"]) == (0.8, 0.5, 0.7)


def test_one_panel_stands_alone_and_several_in_rows_of_three() -> None:
    alone = charts.crosses({"q": [cross("a"), cross("b")]}, x_title="alpha", y_title="beta")
    assert "vconcat" not in alone
    assert "alpha" in str(alone)
    several = charts.crosses(
        {str(n): [cross("a"), cross("b")] for n in range(4)}, x_title="alpha", y_title="beta"
    )
    assert [len(row["hconcat"]) for row in several["vconcat"]] == [3, 1]
    assert "panels: 0, 1, 2, 3" in several["description"]


def test_up_to_six_names_have_a_colour_each() -> None:
    few = charts.crosses({"q": [cross(n) for n in "abc"]}, x_title="x", y_title="y")
    assert list(charts.SERIES[:3]) == few["layer"][1]["encoding"]["color"]["scale"]["range"]
    many = charts.crosses({"q": [cross(n) for n in "abcdefg"]}, x_title="x", y_title="y")
    assert many["layer"][1]["encoding"]["color"] == {"value": charts.SERIES[0]}


def test_a_dashed_line_shows_what_chance_gives() -> None:
    drawn = charts.crosses({"q": [cross("a")]}, x_title="x", y_title="y")
    assert drawn["layer"][0]["data"]["values"] == [{"x": 0, "y": 1}, {"x": 1, "y": 0}]
    assert "<svg" in charts.svg(drawn)
