"""What the first page of a dashboard shows: its choices, a chart and figures a question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

from assize.judgment import Question
from assize.pages.drawing import Spec
from assize.tables.numbers import number
from assize.webapp.dashboard.definition import Dashboard
from assize.webapp.dashboard.figures.bands import bands_of
from assize.webapp.dashboard.figures.charts import METHOD, Chart, Look, chart_of
from assize.webapp.dashboard.figures.panels import panel_of, panels
from assize.webapp.dashboard.figures.resampling import Drawing
from assize.webapp.dashboard.prepared.kept import figures, kept_figures
from assize.webapp.dashboard.prepared.view import View
from assize.webapp.dashboard.shown.pictures import chart_spec

_THREADS = 2


@dataclass(frozen=True, slots=True)
class Row:
    """The figures of one curve, as words; `interval` and `apart` are "" until bands are there."""

    name: str
    n: str
    conversations: str
    unscored: str
    mean: str
    interval: str = ""
    apart: str = ""


@dataclass(frozen=True, slots=True)
class Picture:
    """One question's chart.

    Args:
        spec: Vega-Lite.
        pending: whether its bands are still to be asked for.
        note: what the bands are, "" while they are not there.
        low, high: ends of the scale.
    """

    question: Question
    spec: Spec
    rows: tuple[Row, ...]
    pending: bool
    note: str
    left_out: str
    unscored: int
    skipped: int
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Choices:
    """What can be chosen."""

    fields: tuple[str, ...]
    panels: tuple[str, ...]


def choices(view: View) -> Choices:
    """The fields to split by, and whose answers to look at."""
    return Choices(tuple(view.fields.names), tuple(panels(view)))


def ordered(view: View, dashboard: Dashboard) -> tuple[Question, ...]:
    """The questions, the main one first."""
    main = [one for one in view.questions if one.id == dashboard.main]
    return (*main, *(one for one in view.questions if one.id != dashboard.main))


def answered(view: View, dashboard: Dashboard, panel: str) -> tuple[Question, ...]:
    """The questions to which the panel gave a number, the main one first."""
    raters = list(panel_of(view, panel))
    return tuple(one for one in ordered(view, dashboard) if view.cells(one.id).scored[raters].any())


def pictures(view: View, dashboard: Dashboard, look: Look) -> tuple[Picture, ...]:
    """A chart for every question that the panel answered, the main one first; with bands where
    these are kept."""
    asked = answered(view, dashboard, look.panel)
    looks = [replace(look, question=one.id) for one in asked]
    with ThreadPoolExecutor(_THREADS) as pool:
        charts = list(pool.map(lambda one: chart_of(view, one), looks))
    return tuple(
        _picture(chart, question, kept_figures(view, _parts(chart.look, dashboard)), at == 0)
        for at, (chart, question) in enumerate(zip(charts, asked, strict=True))
    )


def picture_with_bands(view: View, dashboard: Dashboard, look: Look) -> Picture:
    """One question's chart with its bands, which are worked out where they are not kept."""
    found = figures(
        view, _parts(look, dashboard),
        lambda: bands_of(view, look, dashboard.drawing, dashboard.seed).to_json(),
    )  # fmt: skip
    main = ordered(view, dashboard)[0].id == look.question
    return _picture(chart_of(view, look), view.question(look.question), found, main)


def _parts(look: Look, dashboard: Dashboard) -> dict[str, Any]:
    """What can change the bands of a view."""
    how: Drawing = dashboard.drawing
    return {
        "method": METHOD, "question": look.question, "by": look.by, "panel": look.panel,
        "apart": look.disaggregated, "kind": look.kind, "sources": list(how.sources),
        "replicates": how.replicates, "confidence": how.confidence, "seed": dashboard.seed,
    }  # fmt: skip


def _picture(
    chart: Chart, question: Question, bands: Mapping[str, Any] | None, main: bool
) -> Picture:
    return Picture(
        question, chart_spec(chart, question, bands, main=main), tuple(_rows(chart, bands)),
        bands is None, "" if bands is None else _note(bands), ", ".join(chart.left_out),
        chart.unscored, chart.skipped, chart.grid.low, chart.grid.high,
    )  # fmt: skip


def _rows(chart: Chart, bands: Mapping[str, Any] | None) -> Sequence[Row]:
    found = []
    for at, one in enumerate(chart.curves):
        row = Row(
            one.name, f"{one.n:,}", f"{one.conversations:,}", f"{one.unscored:,}", number(one.mean)
        )
        if bands is not None:
            band = bands["bands"][at]
            apart = _apart(one.mean - chart.curves[0].mean, band["apart"])
            row = replace(row, interval=_ends(band["mean"]), apart=apart)
        found.append(row)
    return found


def _ends(ends: Sequence[float | None], *, signed: bool = False) -> str:
    low, high = ends
    if low is None or high is None:
        return "–"
    return f"{number(low, signed=signed)} to {number(high, signed=signed)}"


def _apart(difference: float, ends: Sequence[float | None]) -> str:
    if difference != difference:
        return "–"
    return f"{number(difference, signed=True)} ({_ends(ends, signed=True)})"


def _note(bands: Mapping[str, Any]) -> str:
    drawn = list(bands["drawn"])
    if bands["answers"]:
        drawn[-1] = f"the answers of {bands['answers']} predicted raters"
    what = " and ".join(filter(None, [", ".join(drawn[:-1]), *drawn[-1:]]))
    wider = (
        " Answers that are drawn vary more than expected ones, so a band can lie off its curve;"
        " the dashed line is its middle."
        if bands["answers"] and bands["kind"] == "density"
        else ""
    )
    return (
        f"Bands hold {bands['confidence']:.0%} of {bands['replicates']:,} replicates that draw"
        f" {what} anew.{wider} Seed {bands['seed']}, signature {bands['signature']}."
    )
