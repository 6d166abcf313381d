"""The charts of `assize compare` and `assize gate`, and the conversations to read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from assize.pages import charts, page
from assize.pages.drawing import SERIES
from assize.pages.excerpt import Part, excerpt
from assize.pages.result_page import Charts
from assize.results.numbers import digits_for, number
from assize.versions.compare_result import Difference, Regression, VersionsCompared
from assize.versions.gate_result import GateResult

MOST_DRAWN = 40
COLOURS = {"better": SERIES[0], "worse": SERIES[1], "": SERIES[5]}


@dataclass(frozen=True, slots=True)
class _ToRead:
    """A conversation as the page lists it."""

    name: str
    change: str
    gist: str
    sides: Sequence[tuple[str, Sequence[Part]]]


def draw_versions(result: VersionsCompared) -> Charts:
    """Return the differences with their intervals, and the conversations to read."""
    caption = f"Differences from {result.baseline}, with their intervals; dashed: no difference."
    pieces: dict[str, Sequence[tuple[charts.Spec, str] | Markup]] = {
        "differences": [(draw_differences(result, result.differences), caption)]
    }
    if result.segments:
        chart = draw_differences(result, result.segments)
        pieces["segments"] = [(chart, f"Differences by {result.by}, largest drop first.")]
    if result.regressions:
        pieces["regressions"] = [list_regressions(result)]
    return pieces


def draw_gate(result: GateResult) -> Charts:
    """Return the charts of the comparison with the baseline, where there is one."""
    return {} if result.compared is None else draw_versions(result.compared)


def draw_differences(result: VersionsCompared, rows: Sequence[Difference]) -> charts.Spec:
    """Return a chart of differences, named by what is not the same in all rows."""
    judges = len({row.judge for row in result.differences}) > 1
    several = len(result.versions) > 2
    points, colours = [], []
    for row in rows[:MOST_DRAWN]:
        names = [row.segment, row.question, row.judge if judges else "", row.version * several]
        name = ", ".join(filter(None, names))
        points.append((name, row.difference))
        colours.append(COLOURS[row.verdict])
    title = f"difference from {result.baseline}"
    return charts.means(points, title=title, mark=0.0, colours=colours)


def list_regressions(result: VersionsCompared) -> Markup:
    """Return the conversations to read, both sides next to each other."""
    values = [value for row in result.regressions for value in (row.before, row.after)]
    digits = digits_for([value for value in values if value is not None])
    if not result.items:
        hint = "Give the conversations (--items) to read their texts here, side by side."
        return page.paragraph(hint, kind="quiet")
    return page.render(
        "versions.html",
        level=lambda value: "",
        shown=lambda value: number(value, 2),
        listed=[to_read(result, row, digits) for row in result.regressions],
    )


def to_read(result: VersionsCompared, row: Regression, digits: int) -> _ToRead:
    """Return one conversation with its texts, as far as they are known."""
    sides = []
    for version, item, value in (
        (result.baseline, row.before_item, row.before),
        (row.version, row.item, row.after),
    ):
        text = None if item is None else result.items.get((version, item))
        if text is not None and value is not None:
            parts = excerpt(text, value, (), ()).parts
            sides.append((f"{version}: {number(value, digits)}", parts))
    value = row.after if row.change is None else row.change
    change = "" if value is None else number(value, digits, signed=row.change is not None)
    name = f"{row.item} ({row.version})" if len(result.versions) > 2 else row.item
    return _ToRead(name, change, row.begins or "", sides)
