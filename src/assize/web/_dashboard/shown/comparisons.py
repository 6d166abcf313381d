"""Comparisons and importance as rows of words, kept once they are worked out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from assize.results import to_json
from assize.results.numbers import LeastP, number, p_value
from assize.web._dashboard.definition import Dashboard
from assize.web._dashboard.figures import period_shares, periods
from assize.web._dashboard.figures.charts import Look
from assize.web._dashboard.figures.period_shares import shares_over_time
from assize.web._dashboard.figures.periods import SHARE, OverTime, over_time
from assize.web._dashboard.figures.versions import compare_groups
from assize.web._dashboard.figures.worth import spreads, worth_of, worth_parts
from assize.web._dashboard.prepared.kept import figures
from assize.web._dashboard.prepared.view import View
from assize.web._dashboard.shown.page import drawn_from, drawn_said, main_number
from assize.web._dashboard.shown.pictures import spread_spec, worth_spec
from assize.web._rendering import drawn

_METHOD = 2


def shown_versions(
    view: View, dashboard: Dashboard, by: str, first: str, second: str, panel: str, where: str = ""
) -> Mapping[str, Any]:
    """The comparison of two values of a field: its rows, how it was paired, and what to read."""
    main = main_number(view, dashboard)
    parts = {
        "versions": _METHOD,
        "by": by,
        "first": first,
        "second": second,
        "panel": panel,
        "main": main,
        "where": where,
        "drawing": asdict(dashboard.drawing),
        "seed": dashboard.seed,
    }

    def compare() -> dict[str, Any]:
        groups = compare_groups(
            view,
            by,
            first,
            second,
            panel=panel,
            main=main,
            where=where,
            how=dashboard.drawing,
            seed=dashboard.seed,
        )
        return groups.comparison.to_json() | {"drawn": to_json(groups.drawn)}

    found = figures(view, parts, compare)
    rows = [
        {
            "question": one["question"],
            "before": _mean(one["before"]),
            "after": _mean(one["after"]),
            "difference": _mean(one["difference"], signed=True),
            "interval": _ends(one["difference"]["interval"]),
            "p": _p_value(one),
            "n": f"{one['difference']['n']:,}",
            "verdict": one["verdict"] or "cannot be told apart",
        }
        for one in found["differences"]
    ]
    reading = [
        {
            "item": one["item"],
            "before_item": one.get("before_item"),
            "after": _mean(one, "after"),
            "before": _mean(one, "before"),
            "change": _mean(one, "change", signed=True),
        }
        for one in found["regressions"]
    ]
    return {
        "rows": rows,
        "reading": reading,
        "pairing": found["pairing"][second]["why"],
        "paired": found["pairing"][second]["by"] != "none",
        "notes": found["notes"],
        "signature": found["signature"],
        "intervals": interval_said(found["drawn"]),
    }


def _p_value(row: Mapping[str, Any]) -> str:
    if row["p_value"] is None:
        return "–"
    return p_value(LeastP(row["p_value"]) if row.get("p_value_floor") else row["p_value"])


def shown_time(
    view: View, dashboard: Dashboard, look: Look, every: str, figure: str, answer: str = ""
) -> OverTime:
    """A figure over time, worked out once; of a nominal question shares (`shares_over_time`)."""
    nominal = view.question(look.question).kind == "nominal"
    method = ("shares", period_shares.METHOD) if nominal else ("figure", periods.METHOD)
    drawing, seed = dashboard.drawing, dashboard.seed
    parts = {
        "time": method,
        "look": look.said,
        "every": every,
        "of": answer if nominal else figure,
        "drawing": asdict(drawing),
        "seed": seed,
    }

    def made() -> OverTime:
        if nominal:
            return shares_over_time(view, look, every=every, answer=answer, how=drawing, seed=seed)
        return over_time(view, look, every=every, figure=figure, how=drawing, seed=seed)

    return OverTime.from_json(figures(view, parts, lambda: to_json(made())))


def interval_said(drawn: Mapping[str, Any] | None, figure: str = "mean") -> str:
    """What intervals are: of replicates (the JSON of `Drawn`), or over conversations."""
    if drawn is None:
        return "Intervals are over conversations: neither raters nor predicted answers vary here."
    how = {
        "mean": "are Student's t with the standard error",
        SHARE: "are Wilson's with the standard error",
    }.get(figure, f"hold the middle {drawn['confidence']:.0%}")
    return f"Intervals {how} of {drawn_said(drawn)} {drawn_from(drawn)}"


def shown_worth(
    view: View, dashboard: Dashboard, by: str = "", where: str = ""
) -> Mapping[str, Any]:
    """What a point more of each question is worth, most first, how that differs between
    conversations, and pictures of both; arguments as of `spreads`."""
    found = figures(view, worth_parts(dashboard), lambda: worth_of(dashboard))
    differs = spreads(found, view, by, where)
    each = list(found["questions"].items())
    known = [one for one in each if one[1]["estimate"] is not None]
    known.sort(key=lambda one: -one[1]["estimate"])
    shown = [
        (
            name,
            one["estimate"],
            *(end if end is not None else one["estimate"] for end in one["interval"]),
        )
        for name, one in known
    ]
    return {
        "target": found["target"],
        "rows": [
            {
                "question": name,
                "mean": _mean(one, signed=True),
                "interval": _ends(one["interval"]),
                "n": f"{one['n']:,}",
            }
            for name, one in known
        ],
        "unknown": [name for name, one in each if one["estimate"] is None],
        "drawing": drawn(worth_spec(shown, found["target"])) if shown else "",
        "spreads": [
            {
                "question": name,
                "group": one.group,
                "n": f"{one.n:,}",
                "levels": [number(level, signed=True) for level in one.levels],
            }
            for name, _ in known
            for one in differs[name]
        ],
        "spread": drawn(spread_spec(differs, [name for name, _ in known], found["target"]))
        if shown
        else "",
        "signature": found["signature"],
    }


def _mean(found: Mapping[str, Any], name: str = "estimate", *, signed: bool = False) -> str:
    value = found.get(name)
    return "–" if value is None else number(value, signed=signed)


def _ends(ends: list[float | None]) -> str:
    low, high = ends
    return (
        "–"
        if low is None or high is None
        else (f"{number(low, signed=True)} to {number(high, signed=True)}")
    )
