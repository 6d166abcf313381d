"""A chart of a result's figures: which table, which column, which names, and that it is drawn."""

from __future__ import annotations

import math
import sys
from typing import Any

import pytest

from assize import Judgment, agree, check, plot
from assize.base.conversation import Conversation, Turn
from assize.base.errors import ConfigError, MissingExtra
from assize.results import Column, ResultTable, Scaled
from assize.stats import Estimate

HOSTILE = "<b>bad</b>\x1b[31m \"'] + alert(1)"


def sure(value: float) -> Estimate:
    return Estimate(value, (value - 0.1, value + 0.1), 20)


def spec_of(table: Any, name: str | None = None) -> dict[str, Any]:
    """The chart as Vega-Lite has it."""
    pytest.importorskip("altair")
    found: dict[str, Any] = plot(table, name).to_dict()
    return found


def points(spec: dict[str, Any]) -> list[dict[str, Any]]:
    (found,) = spec["datasets"].values()
    return list(found)


def drawn(spec: dict[str, Any]) -> str:
    converter = pytest.importorskip("vl_convert")
    svg: str = converter.vegalite_to_svg(spec, allowed_base_urls=[])
    return svg


def test_the_first_figures_with_intervals_are_drawn_in_the_tables_order() -> None:
    named = [Column("who"), Column("n", "count"), Column("mean", "number"), Column("r", "number")]
    rows = [("zoe", 3, 1.0, sure(0.5)), ("ann", 4, 2.0, sure(0.25)), ("none", 0, 1.0, None)]
    spec = spec_of(ResultTable("Who <agrees>", named, rows))
    assert [row["name"] for row in points(spec)] == ["zoe", "ann"]
    assert points(spec)[0] == {"name": "zoe", "value": 0.5, "low": 0.4, "high": 0.6}
    assert spec["title"]["text"] == "Who <agrees>"
    assert spec["layer"][1]["encoding"]["x"]["title"] == "r"
    assert spec["encoding"]["y"]["sort"] == ["zoe", "ann"]
    assert drawn(spec).index("zoe") < drawn(spec).index("ann")


def test_numbers_without_intervals_are_points_without_bars() -> None:
    rows = [("a", Scaled(0.5, 2)), ("b", math.nan), ("c", 2.0)]
    spec = spec_of(ResultTable("T", [Column("q"), Column("mean", "number")], rows))
    assert [(row["value"], row["low"]) for row in points(spec)] == [(0.5, None), (2.0, None)]
    assert "<svg" in drawn(spec)


def test_shares_are_shown_in_percent() -> None:
    table = ResultTable("T", [Column("q"), Column("right", "percent", unit="%")], [("a", 0.5)])
    encoding = spec_of(table)["layer"][1]["encoding"]["x"]
    assert (encoding["axis"]["format"], encoding["title"]) == ("%", "right (%)")


def test_text_is_data_and_nothing_else() -> None:
    named = [Column(HOSTILE), Column("a.b[0]", "number")]
    spec = spec_of(ResultTable(HOSTILE, named, [(HOSTILE, sure(0.5))]))
    (row,) = points(spec)
    assert row["name"] == HOSTILE.replace("\x1b", "[U+001B]")
    assert "\x1b" not in spec["title"]["text"]
    svg = drawn(spec)
    assert "<b>" not in svg
    assert "&lt;b&gt;bad" in svg
    assert "a.b[0]" in svg


def test_a_result_draws_its_first_table_with_figures_or_a_named_one() -> None:
    rows = [
        Judgment(f"i{at}", judge, "q", score=float((at * 7 + place) % 5))
        for at in range(20)
        for place, judge in enumerate(("gold", "one", "two"))
    ]
    result = agree(rows)
    assert spec_of(result, "overall")["title"]["text"] == result.tables["overall"].title
    assert spec_of(result) == result.plot("pairs").to_dict()
    for name, message in (
        ("x", "no table 'x'; there are pairs, overall"),
        ("judges", "has no figures to plot, only words and counts"),
    ):
        with pytest.raises(ConfigError, match=message):
            plot(result, name)
    chat = Conversation("c", (Turn("user", "hi"), Turn("assistant", "ho")))
    with pytest.raises(ConfigError, match="the table 'Files' has no figures to plot"):
        plot(check([chat]))


def test_without_altair_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "altair", None)
    with pytest.raises(MissingExtra, match=r"a chart needs altair.*\[notebook\]"):
        plot(ResultTable("T", [Column("q"), Column("r", "number")], [("a", 0.5)]))
