from __future__ import annotations

import re
import sys

import pytest
from elements import Elements

from assize.base.errors import MissingExtra
from assize.pages import charts
from assize.results import Mean
from assize.results.escape import visible

EVIL = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)>\u202e&\x00\x1b\ud800\uffff"
NAN = float("nan")
SPECS: dict[str, charts.Spec] = {
    "histogram": charts.histogram(
        [0.1, 0.5, 0.5], title="score", range=(0, 1), marks={"low": 0.3}, unit="items"
    ),
    "histogram of one value": charts.histogram([0.5], title="score", marks={}, unit="items"),
    "histogram of nothing": charts.histogram([], title="score", marks={}, unit="items"),
    "shares": charts.shares([("j", "A", 2), ("j", "B", 1)], answers=["A", "B"], title="answer"),
    "shares of nothing": charts.shares([("j", "A", 0)], answers=["A"], title="answer"),
    "means": charts.means([("a", Mean(0.5, (0.4, 0.6))), ("b", Mean(0.2))], title="mean"),
    "scatter": charts.scatter([0.1, 0.2], [0.3, 0.4], x_title="x", y_title="y"),
    "confusion": charts.confusion({("1", "2"): 3}, answers=["1", "2"], x_title="x", y_title="y"),
    "matrix": charts.agreement_matrix(
        {("a", "b"): -0.2, ("b", "a"): None}, judges=["a", "b"], statistic="kappa"
    ),
    "curves": charts.curves(
        {
            "a": charts.Curve([1, 4], [0.1, 0.9], [0, NAN], [1, NAN]),
            EVIL: charts.Curve([], [], [], []),
        },
        x_title="x",
        y_title="y",
        zero=True,
        dots=True,
    ),
    "text from outside": charts.shares([(EVIL, EVIL, 2)], answers=[EVIL], title=EVIL),
}


@pytest.mark.parametrize("name", SPECS)
def test_a_chart_is_drawn_with_nothing_but_shapes_and_text(name: str) -> None:
    drawn = charts.svg(SPECS[name])
    parsed = Elements(drawn)
    first, attributes = parsed.found[0]
    assert (first, attributes["role"]) == ("svg", "img")
    assert len(attributes["aria-label"] or "") > 10  # its text alternative
    assert {tag for tag, _ in parsed.found} <= {"svg", "g", "path", "line", "text", "rect", "tspan"}
    for _, attributes in parsed.found:
        assert not any(key.startswith("on") or key in {"href", "style"} for key in attributes)
    assert not re.search("http|NaN|[\u202e\x00\x1b\ud800\uffff]", drawn)


LINKED: charts.Spec = {
    "mark": {"type": "rect", "opacity": 0},
    "data": {
        "values": [{"x": 1, "link": "#0"}, {"x": 2, "link": "#1"}, {"x": 3, "link": "http://e/x"}]
    },
    "encoding": {"x": {"field": "x", "type": "ordinal"}, "href": {"field": "link"}},
    "description": "three, of which two lead somewhere",
}


def test_marks_become_links_of_this_site_with_names() -> None:
    links = [charts.Link(f"/a?x={EVIL}", EVIL), charts.Link("/b", "the second")]
    drawn = charts.svg(LINKED, links)
    parsed = Elements(drawn)
    *found, last = [attributes for tag, attributes in parsed.found if tag == "a"]
    assert [one["href"] for one in found] == [visible(f"/a?x={EVIL}"), "/b"]
    assert [one["aria-label"] for one in found] == [visible(EVIL), "the second"]
    assert [set(one) for one in found] == [{"href", "aria-label"}] * 2
    assert last == {}
    assert {tag for tag, _ in parsed.found} <= {"svg", "g", "path", "line", "text", "a", "title"}
    assert parsed.found[0][1]["role"] == "group"  # a picture has nothing in it that can be reached
    assert not re.search("http|xlink", drawn + charts.svg(LINKED))


@pytest.mark.parametrize("href", ["javascript:alert(1)", "//evil.example", "https://evil.example"])
def test_a_link_to_another_site_is_refused(href: str) -> None:
    with pytest.raises(ValueError, match="its own site"):
        charts.Link(href, "x")


def test_colours_become_variables_with_a_fallback() -> None:
    drawn = charts.svg(SPECS["histogram"])
    assert f'fill="var(--chart-1, {charts.SERIES[0]})"' in drawn
    assert not re.search(r'(?:fill|stroke)="#', drawn)


def test_a_spec_keeps_its_own_config() -> None:
    spec = {**SPECS["histogram"], "config": {"axis": {"labelFontSize": 33}}}
    assert 'font-size="33px"' in charts.svg(spec)


def test_without_the_renderer_the_error_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "vl_convert", None)
    with pytest.raises(MissingExtra, match=r"vl-convert-python.*'\.\[report\]'"):
        charts.svg(SPECS["histogram"])
