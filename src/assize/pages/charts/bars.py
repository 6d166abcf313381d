"""A bar or a point a name, below each other."""

from __future__ import annotations

from collections.abc import Sequence

from assize.pages.charts.parts import figure_point, ramp, room
from assize.pages.drawing import INK, SERIES, Spec
from assize.results.numbers import Measured


def shares(
    rows: Sequence[tuple[str, str, float]],
    *,
    answers: Sequence[str],
    title: str,
    colours: Sequence[str] | None = None,
) -> Spec:
    """Stacked bars of 100%: one bar a name, one piece an answer, in the order of `answers`.

    Args:
        rows: (name of the bar, answer, count).
        colours: one an answer; a ramp when None, from light for the first.
    """
    totals: dict[str, float] = {}
    for name, _, count in rows:
        totals[name] = totals.get(name, 0) + count
    data = [
        {"name": name, "answer": answer, "n": n, "share": n / totals[name] if totals[name] else 0}
        for name, answer, n in rows
    ]
    for row in data:
        row["order"] = list(answers).index(str(row["answer"]))
    palette = list(ramp(len(answers)) if colours is None else colours)
    legend = {"orient": "bottom", "title": None, "columns": _columns(answers)}
    return {
        "description": f"Shares of the answers to {title}, one bar each: {', '.join(totals)}.",
        "width": room(totals),
        "height": {"step": 30},
        "data": {"values": data},
        "mark": {"type": "bar", "stroke": INK["paper"], "strokeWidth": 1},
        "encoding": {
            "y": {"field": "name", "type": "nominal", "title": None, "sort": list(totals)},
            "x": {
                "field": "share",
                "type": "quantitative",
                "title": title,
                "stack": "zero",
                "axis": {"format": "%", "tickCount": 5},
                "scale": {"domain": [0, 1]},
            },
            "color": {
                "field": "answer",
                "type": "nominal",
                "sort": list(answers),
                "scale": {"domain": list(answers), "range": palette},
                "legend": legend,
            },
            "order": {"field": "order", "type": "quantitative"},
        },
    }


def counts(rows: Sequence[tuple[str, float]], *, title: str, of: float | None = None) -> Spec:
    """A bar a name as long as its count, which stands beside it with its share.

    Args:
        rows: (name, count), in the order of the bars.
        of: what the shares are of; all of the rows when None.
    """
    total = sum(count for _, count in rows) if of is None else of
    data = [
        {
            "name": name,
            "n": count,
            "said": f"{count:,.0f}" + (f" ({100 * count / total:.1f}%)" if total else ""),
        }
        for name, count in rows
    ]
    most = max((count for _, count in rows), default=1)
    x: Spec = {
        "field": "n",
        "type": "quantitative",
        "title": title,
        "axis": None,
        "scale": {"domain": [0, 1.35 * max(most, 1)]},
    }
    told = ", ".join(f"{one['name']} {one['said']}" for one in data)
    return {
        "description": f"{title}: {told}.",
        "width": room(name for name, _ in rows),
        "height": {"step": 24},
        "data": {"values": data},
        "encoding": {
            "y": {
                "field": "name",
                "type": "nominal",
                "title": None,
                "sort": [r[0] for r in rows],
                "axis": {"ticks": False, "domain": False},
            },
            "x": x,
        },
        "layer": [
            {"mark": {"type": "bar", "color": SERIES[0]}},
            {
                "mark": {"type": "text", "align": "left", "dx": 6, "color": INK["ink"]},
                "encoding": {"text": {"field": "said"}},
            },
        ],
    }


def _columns(answers: Sequence[str]) -> int:
    """Entries of a legend that fit beside each other."""
    longest = max((len(answer) for answer in answers), default=1)
    return max(1, min(len(answers), 220 // (26 + 7 * longest)))


def grouped(
    rows: Sequence[tuple[str, str, Measured | None]],
    *,
    series: Sequence[str],
    title: str,
) -> Spec:
    """Bars of shares beside each other: one group a name, one bar a series, with intervals.

    Args:
        rows: (name of the group, series, share in [0, 1]); None or NaN for what is not there.
        series: in the order of the bars, at most as many as there are colours.
    """
    names = list(dict.fromkeys(name for name, *_ in rows))
    data = [{"name": name, "series": one, **figure_point(share)} for name, one, share in rows]
    x = {"type": "quantitative", "title": title, "axis": {"format": "%", "tickCount": 5}}
    scale = {"domain": list(series), "range": list(SERIES[: len(series)])}
    legend = {"orient": "bottom", "title": None, "columns": _columns(series)}
    return {
        "description": f"{title} of {', '.join(series)}: {', '.join(names)}.",
        "width": room(names),
        "height": {"step": 16},
        "data": {"values": data},
        "encoding": {
            "y": {
                "field": "name",
                "type": "nominal",
                "title": None,
                "sort": names,
                "scale": {"paddingInner": 0.35},
            },
            "yOffset": {"field": "series", "sort": list(series)},
        },
        "layer": [
            {
                "mark": {"type": "bar"},
                "encoding": {
                    "x": {**x, "field": "value", "stack": None},
                    "color": {
                        "field": "series",
                        "type": "nominal",
                        "sort": list(series),
                        "scale": scale,
                        "legend": legend,
                    },
                },
            },
            {
                "mark": {"type": "rule", "color": INK["ink"], "strokeWidth": 1.2},
                "encoding": {"x": {**x, "field": "low"}, "x2": {"field": "high"}},
            },
        ],
    }


def means(
    rows: Sequence[tuple[str, Measured]],
    *,
    title: str,
    range: tuple[float, float] | None = None,
    format: str | None = None,
    mark: float | None = None,
    colours: Sequence[str] | None = None,
) -> Spec:
    """One value with its interval a name, below each other.

    Args:
        rows: (name, figure); a figure that is missing is left out.
        range: of the axis; what the intervals span when None.
        format: of the axis, as in d3-format, such as `~%`.
        mark: where a dashed line stands across all rows, such as no effect.
        colours: of the rows, in their order; one for all when None.
    """
    data = [{"name": name, **figure_point(figure)} for name, figure in rows]
    if colours is not None:
        data = [{**row, "colour": colour} for row, colour in zip(data, colours, strict=True)]
    data = [row for row in data if row["value"] is not None]
    names = [row["name"] for row in data]
    scale: Spec = {"zero": False} if range is None else {"domain": list(range), "clamp": True}
    place: Spec = {"type": "quantitative", "title": title, "scale": scale}
    if format is not None:
        place["axis"] = {"format": format, "tickCount": 6}
    colour: Spec = {"value": SERIES[0]}
    if colours is not None:
        colour = {"field": "colour", "type": "nominal", "scale": None, "legend": None}
    line: list[Spec] = []
    if mark is not None:
        style = {"type": "rule", "color": INK["muted"], "strokeDash": [4, 3], "strokeWidth": 1.5}
        at = {"x": {**place, "field": "mark"}, "y": None}
        line = [{"data": {"values": [{"mark": mark}]}, "mark": style, "encoding": at}]
    return {
        "description": f"{title} of {', '.join(names)}.",
        "width": room(names),
        "height": {"step": 26},
        "data": {"values": data},
        "encoding": {"y": {"field": "name", "type": "nominal", "title": None, "sort": names}},
        "layer": [
            *line,
            {
                "mark": {"type": "rule", "strokeWidth": 2.5, "opacity": 0.55},
                "encoding": {
                    "x": {**place, "field": "low"},
                    "x2": {"field": "high"},
                    "color": colour,
                },
            },
            {
                "mark": {"type": "circle", "opacity": 1, "size": 60},
                "encoding": {"x": {**place, "field": "value"}, "color": colour},
            },
        ],
    }
