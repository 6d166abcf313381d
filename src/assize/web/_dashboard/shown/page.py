"""What the first page of a dashboard shows: its choices, a chart and figures a question."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

from markupsafe import Markup

from assize.base.judgment import Question
from assize.pages.drawing import Link
from assize.results.numbers import counted, number
from assize.web._dashboard.definition import Dashboard
from assize.web._dashboard.figures import charts, shares
from assize.web._dashboard.figures.bands import bands_of, bands_to_json
from assize.web._dashboard.figures.charts import Chart, Look, chart_of
from assize.web._dashboard.figures.panels import panel_of, panels
from assize.web._dashboard.figures.resampling import Drawing
from assize.web._dashboard.figures.shares import share_bands_of, share_bands_to_json, shares_of
from assize.web._dashboard.prepared.kept import figures, kept_figures
from assize.web._dashboard.prepared.view import View
from assize.web._dashboard.shown.addresses import name_link, region_address
from assize.web._dashboard.shown.answers import AnswersPicture, answers_picture
from assize.web._dashboard.shown.pictures import chart_spec
from assize.web._rendering import drawn

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
        drawing: the chart; its strips and bars are links.
        pending: whether its bands are still to be asked for.
        note: what the bands are, "" while they are not there.
        low, high: ends of the scale.
    """

    question: Question
    drawing: Markup
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
    """What can be chosen.

    Args:
        values: by field its values, as words and as `Look.where` has them.
    """

    fields: tuple[str, ...]
    panels: tuple[str, ...]
    values: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]


def choices(view: View) -> Choices:
    """The fields to split by, and whose answers to look at."""
    values = tuple(
        (name, tuple((word, f"{name}:{word}") for word in words))
        for name, words in zip(view.fields.names, view.fields.words, strict=True)
    )
    return Choices(tuple(view.fields.names), tuple(panels(view)), values)


def ordered(view: View, dashboard: Dashboard) -> tuple[Question, ...]:
    """The questions, the main one first."""
    main = [one for one in view.questions if one.id == dashboard.main]
    return (*main, *(one for one in view.questions if one.id != dashboard.main))


def answered(view: View, dashboard: Dashboard, panel: str) -> tuple[Question, ...]:
    """The questions to which the panel gave a number, the main one first."""
    raters = list(panel_of(view, panel))
    return tuple(one for one in ordered(view, dashboard) if view.cells(one.id).scored[raters].any())


def main_number(view: View, dashboard: Dashboard) -> str:
    """The question with numbers that stands first; "" where none has numbers."""
    return next((one.id for one in ordered(view, dashboard) if one in view.numbered), "")


def pictures(view: View, dashboard: Dashboard, look: Look) -> tuple[Picture | AnswersPicture, ...]:
    """A chart for every question that the panel answered, the main one first; with bands where
    these are kept."""
    asked = answered(view, dashboard, look.panel)
    looks = [replace(look, question=one.id) for one in asked]

    def made(at: int) -> Picture | AnswersPicture:
        bands = kept_figures(view, _parts(view, looks[at], dashboard))
        return _picture(view, looks[at], bands, dashboard.name)

    with ThreadPoolExecutor(_THREADS) as pool:
        return tuple(pool.map(made, range(len(looks))))


def picture_with_bands(view: View, dashboard: Dashboard, look: Look) -> Picture | AnswersPicture:
    """One question's chart with its bands, which are worked out where they are not kept."""
    nominal = view.question(look.question).kind == "nominal"

    def make() -> dict[str, Any]:
        drawing, seed = dashboard.drawing, dashboard.seed
        if nominal:
            return share_bands_to_json(share_bands_of(view, look, drawing, seed))
        return bands_to_json(bands_of(view, look, drawing, seed))

    found = figures(view, _parts(view, look, dashboard), make)
    return _picture(view, look, found, dashboard.name)


def _parts(view: View, look: Look, dashboard: Dashboard) -> dict[str, Any]:
    """What can change the bands of a view."""
    nominal = view.question(look.question).kind == "nominal"
    how: Drawing = dashboard.drawing
    return {
        "method": ("shares", shares.METHOD) if nominal else ("density", charts.METHOD),
        "look": look.said,
        "sources": list(how.sources),
        "replicates": how.replicates,
        "confidence": how.confidence,
        "seed": dashboard.seed,
    }


def _picture(
    view: View, look: Look, bands: Mapping[str, Any] | None, dashboard: str
) -> Picture | AnswersPicture:
    question, note = view.question(look.question), "" if bands is None else _note(bands)
    if question.kind == "nominal":
        return answers_picture(shares_of(view, look), bands, note, dashboard)
    chart = chart_of(view, look)
    return Picture(
        question,
        drawn(chart_spec(chart, question, bands), strip_links(chart, dashboard)),
        tuple(_rows(chart, bands)),
        bands is None,
        note,
        ", ".join(chart.left_out),
        chart.unscored,
        chart.skipped,
        chart.grid.low,
        chart.grid.high,
    )


def strip_links(chart: Chart, dashboard: str) -> list[Link]:
    """Where the strips and bars of a chart lead, in their order."""
    links = []
    for strip in chart.strips:
        curve = strip.curve if len(chart.curves) > 1 else ""
        href = region_address(
            dashboard, chart.look, low=str(strip.low), high=str(strip.high), curve=curve
        )
        value = f"from {strip.low:.4g} to {strip.high:.4g}"
        links.append(Link(href, name_link(chart.look, strip.count, value, curve)))
    return links


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
    drawn = bands["drawn"]
    what = "Intervals" if bands["kind"] == "answers" else "Bands"
    wider = (
        " Answers that are drawn vary more than expected ones, so a band can lie off its curve;"
        " the dashed line is its middle."
        if drawn["answers"] and bands["kind"] == "density"
        else ""
    )
    held = f"{drawn['confidence']:.0%} of {drawn_said(drawn)}"
    return f"{what} hold {held}{wider} {drawn_from(drawn)}"


def drawn_said(drawn: Mapping[str, Any]) -> str:
    """What replicates draw (the JSON of `Drawn`), as the end of a sentence."""
    sources = list(drawn["sources"])
    if drawn["answers"]:
        sources[-1] = f"the answers of {counted(drawn['answers'], 'predicted rater')}"
    what = " and ".join(filter(None, [", ".join(sources[:-1]), *sources[-1:]])) or "nothing"
    return f"{drawn['replicates']:,} replicates that draw {what} anew."


def drawn_from(drawn: Mapping[str, Any]) -> str:
    """By which seed, and the signature."""
    return f"Seed {drawn['seed']}, signature {drawn['signature']}."
