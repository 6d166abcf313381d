"""A bar or a point a name, below each other."""

from __future__ import annotations

from collections.abc import Sequence

from assize.pages.charts.parts import (
    DASHED,
    colours,
    figure_point,
    layer,
    names_down,
    quantity,
    ramp,
    room,
)
from assize.pages.drawing import INK, SERIES, Spec
from assize.results.numbers import Measured

PERCENT: Spec = {"format": "%", "tickCount": 5}


def shares(
    rows: Sequence[tuple[str, str, float]],
    *,
    answers: Sequence[str],
    title: str,
    palette: Sequence[str] | None = None,
) -> Spec:
    """Stacked bars of 100%: one bar a name, one piece an answer, in the order of `answers`.

    Args:
        rows: (name of the bar, answer, count).
        palette: one colour an answer; a ramp when None, from light for the first.
    """
    totals: dict[str, float] = {}
    for name, _, count in rows:
        totals[name] = totals.get(name, 0) + count
    data = [
        {
            "name": name,
            "answer": answer,
            "n": n,
            "share": n / totals[name] if totals[name] else 0,
            "order": list(answers).index(answer),
        }
        for name, answer, n in rows
    ]
    own = ramp(len(answers)) if palette is None else palette
    options = {"stack": "zero", "axis": PERCENT, "scale": {"domain": [0, 1]}}
    return {
        "description": f"Shares of the answers to {title}, one bar each: {', '.join(totals)}.",
        "width": room(totals),
        "height": {"step": 30},
        "data": {"values": data},
        "mark": {"type": "bar", "stroke": INK["paper"], "strokeWidth": 1},
        "encoding": {
            "y": names_down(totals),
            "x": quantity("share", title, **options),
            "color": colours("answer", answers, own),
            "order": quantity("order"),
        },
    }


def counts(rows: Sequence[tuple[str, float]], *, title: str, of: float) -> Spec:
    """A bar a name as long as its count, which stands beside it with its share.

    Args:
        rows: (name, count), in the order of the bars.
        of: what the shares are of.
    """
    data = [
        {
            "name": name,
            "n": count,
            "said": f"{count:,.0f}" + (f" ({100 * count / of:.1f}%)" if of else ""),
        }
        for name, count in rows
    ]
    most = max((count for _, count in rows), default=1)
    x = quantity("n", title, axis=None, scale={"domain": [0, 1.35 * max(most, 1)]})
    words = {"type": "text", "align": "left", "dx": 6, "color": INK["ink"]}
    names = [name for name, _ in rows]
    each = ", ".join(f"{row['name']} {row['said']}" for row in data)
    return {
        "description": f"{title}: {each}.",
        "width": room(names),
        "height": {"step": 24},
        "data": {"values": data},
        "encoding": {"y": names_down(names, axis={"ticks": False, "domain": False}), "x": x},
        "layer": [
            layer({"type": "bar", "color": SERIES[0]}),
            layer(words, text={"field": "said"}),
        ],
    }


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
    ends = {"type": "rule", "color": INK["ink"], "strokeWidth": 1.2}
    return {
        "description": f"{title} of {', '.join(series)}: {', '.join(names)}.",
        "width": room(names),
        "height": {"step": 16},
        "data": {"values": data},
        "encoding": {
            "y": names_down(names, scale={"paddingInner": 0.35}),
            "yOffset": {"field": "series", "sort": list(series)},
        },
        "layer": [
            layer(
                {"type": "bar"},
                x=quantity("value", title, axis=PERCENT, stack=None),
                color=colours("series", series, SERIES),
            ),
            layer(ends, x=quantity("low", title, axis=PERCENT), x2={"field": "high"}),
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
    options: Spec = {"scale": scale} | (
        {} if format is None else {"axis": {"format": format, "tickCount": 6}}
    )
    colour: Spec = {"value": SERIES[0]}
    if colours is not None:
        colour = {"field": "colour", "type": "nominal", "scale": None, "legend": None}
    line = layer(
        {"type": "rule", "color": INK["muted"], **DASHED},
        [{"mark": mark}],
        x=quantity("mark", title, **options),
        y=None,
    )
    bar = {"type": "rule", "strokeWidth": 2.5, "opacity": 0.55}
    dot = {"type": "circle", "opacity": 1, "size": 60, "tooltip": True}
    return {
        "description": f"{title} of {', '.join(names)}.",
        "width": room(names),
        "height": {"step": 26},
        "data": {"values": data},
        "encoding": {"y": names_down(names)},
        "layer": [
            *([] if mark is None else [line]),
            layer(bar, x=quantity("low", title, **options), x2={"field": "high"}, color=colour),
            layer(dot, x=quantity("value", title, **options), color=colour),
        ],
    }
