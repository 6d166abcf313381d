"""The page of any result: what happened, its own figures, its tables with the charts above them.

A method that has charts names one function in `CHARTS`. The function takes the result and returns
charts by the field of the table that they stand above:

    def draw_agreement(result: Agreement) -> Charts:
        return {"pairs": [(charts.confusion(...), "Answers of both judges.")]}

A key that is no table's is the title of a section of its own. It stands before all tables where it
comes first, before the table whose key follows it, or at the end. Beside a chart may stand
`Markup`, such as a list of turns; a function that takes `items` too is given them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from inspect import signature
from typing import Any

from markupsafe import Markup

from assize.base.conversation import Item
from assize.formats.files import Location
from assize.pages import page
from assize.pages.drawing import Link, Spec
from assize.pages.page import Section, Tile
from assize.pages.table_chart import draw_figures
from assize.results import Result
from assize.results.fields import words_of

Piece = tuple[Spec, str] | tuple[Spec, str, Sequence[Link]] | Markup
"""A Vega-Lite spec with its caption, and where its parts lead; or another piece of the page."""

Charts = Mapping[str, Sequence[Piece]]
"""Pieces by the table that they stand above."""

CHARTS: dict[str, str] = {
    "calibrate._study.result:Study": "assize.pages.calibration_study:draw_study",
    "criteria._scores:CriteriaScores": "assize.pages.criteria.scores:draw_scores",
    "criteria._study_result:CriteriaStudy": "assize.pages.criteria.study:draw_study",
    "criteria._learning.learn_result:LearnResult": "assize.pages.criteria.learnt:draw_learnt",
    "criteria._selected:SelectedCriteria": "assize.pages.criteria.selected:draw_selected",
    "versions.over_time_result:DriftResult": "assize.pages.over_time:draw_drift",
    "reference._study.result:ReferenceStudy": "assize.pages.reference_study:draw_reference_study",
    "reference._scores:ReferenceScores": "assize.pages.reference_scores:draw_reference_scores",
    "agreement.rater_report:RaterReport": "assize.pages.raters:draw_raters",
    "agreement.result:Agreement": "assize.pages.agreement:draw_agreement",
    "versions.gate_result:GateResult": "assize.pages.versions:draw_gate",
    "versions.compare_result:VersionsCompared": "assize.pages.versions:draw_versions",
    "scoring.summary:ScoreSummary": "assize.pages.scores:draw_scores",
    "juries.jury_result:JuryResult": "assize.pages.jury:draw_jury",
    "juries.study.studied:JuryStudy": "assize.pages.jury_study:draw_jury_study",
    "juries.reliability:LearntReliabilities": "assize.pages.reliabilities:draw_reliabilities",
    "acts._study:ActsResult": "assize.pages.acts:draw_acts",
    "acts._published:ActsStudied": "assize.pages.acts_study:draw_acts_study",
    "evaluator._evaluator:Evaluator": "assize.pages.reliabilities:draw_evaluator",
    "spread.result:Spread": "assize.pages.spread:draw_spread",
    "evaluator._study.studied:EvaluatorStudy": "assize.pages.evaluator_study:draw_study",
}
"""By `module:Class` of a result, within assize, the function that draws it: `module:function`."""

FIGURES: dict[str, Mapping[str, Sequence[str]]] = {
    "reference._contrasts.result:Contrast": {"phrasing": [""], "themes": [""]},
    "reference._study.result:ReferenceStudy": {
        "sources": ["share of the best"],
        "regression": ["alone", "together"],
    },
    "reference._scores:ReferenceScores": {"sources": [""]},
    "acts._agreement:ActsAgreement": {"turns": [""], "maxims": [""]},
    "juries.jury_result:JuryResult": {"paths": [""]},
    "juries.study.studied:JuryStudy": {
        "juries": ["win"],
        "comparisons": ["difference"],
        "runs": ["win"],
    },
    "evaluator._study.studied:EvaluatorStudy": {"juries": ["with ties", "without ties"]},
}
"""By result and table the headings of figures that are drawn above it; "" for the first."""


def write_result(
    path: Location,
    result: Result,
    *,
    items: Iterable[Item] | None = None,
    title: str | None = None,
    reproduce: Sequence[str] = (),
) -> int:
    """Write the page of a result; returns its size in bytes.

    A count of 0 is no tile, but for the first, which is what all others are of.

    Args:
        items: what was judged, where the page shows texts.
        title: heading of the page. Default: the result's own.
        reproduce: command lines that lead to this page.
    """
    footer, text = lines_of(result)
    headline = list(result.headline.items())
    tiles = [Tile(name, *words) for name, words in headline[:1]]
    tiles += [Tile(name, *words) for name, words in headline[1:] if words != ("0", "")]
    return page.write_page(
        path,
        heading_of(result) if title is None else title,
        [*sections_of(result, draw(result, items)), *text],
        signature=getattr(result, "signature", ""),
        subtitle=result.sentence,
        lead=page.join(
            page.tiles(tiles) if tiles else page.EMPTY,
            *(page.paragraph(line, kind="quiet") for line in result.news),
        ),
        notes=[*result.unfinished, *result.notes],
        reproduce=[*reproduce, *footer],
    )


def heading_of(result: Result) -> str:
    """Return the title of a result: its own, or its class's name in words."""
    words = "".join(f" {char}" if char.isupper() else char for char in type(result).__name__)
    return result.heading or words.strip().capitalize()


def lines_of(result: Result) -> tuple[list[str], list[Section]]:
    """Return a result's settings for the foot of the page, and its text as a section, if any.

    What stands among the notes or at the foot is left out of the text.
    """
    if getattr(result, "settings", None):
        return [f"# {line}" for line in result.lines], []
    elsewhere = {f"signature {getattr(result, 'signature', '')}", *result.notes}
    text = [line for line in result.lines if line.strip() not in elsewhere]
    title = "Summary" if result.tables else heading_of(result)
    show = page.document if result.markdown else page.preformatted
    return [], [Section(title, show("\n".join(text)))] if text else []


def sections_of(result: Result, charts: Charts) -> Iterable[Section]:
    """Yield the sections of a page: each table below its charts, charts of their own around."""
    tables = result.tables
    before: dict[str, list[str]] = {}
    own: list[str] = []
    for name in charts:
        if name in tables:
            before[name], own = own, []
        elif charts[name]:
            own.append(name)
    for name in before.pop(next(iter(before), ""), []):
        yield _own_section(name, charts)
    for name, table in tables.items():
        for title in before.get(name, []):
            yield _own_section(title, charts)
        body = page.join(arrange(charts.get(name, ())), page.table(table, titled=True))
        yield Section(table.title, body, table.about)
    for name in own:
        yield _own_section(name, charts)


def _own_section(name: str, charts: Charts) -> Section:
    title = words_of(name)
    return Section(title[:1].upper() + title[1:], arrange(charts[name]))


def arrange(pieces: Sequence[Piece]) -> Markup:
    """Return charts as figures, several side by side, and other pieces as they are."""
    figures = [page.figure(*piece) for piece in pieces if not isinstance(piece, Markup)]
    others = [piece for piece in pieces if isinstance(piece, Markup)]
    return page.join(page.figures(*figures) if len(figures) > 1 else page.join(*figures), *others)


def draw(result: Result, items: Iterable[Item] | None = None) -> Charts:
    """Return the charts of a result that show anything; none where its method draws none."""
    function, tables = _drawing(result), result.tables
    own: Charts = {}
    if function is not None:
        own = function(result, items=items or ()) if shows_items(result) else function(result)
    charts: dict[str, list[Piece]] = {name: [*own[name]] for name in own}
    for name, headings in FIGURES.get(_key(result), {}).items():
        for heading in headings if name in tables else ():
            spec = draw_figures(tables[name], heading, zero=True)
            charts.setdefault(name, []).append((spec, spec.get("description", "")))
    return {key: [piece for piece in pieces if shows_any(piece)] for key, pieces in charts.items()}


def shows_any(piece: Piece) -> bool:
    """Whether a piece of a page is more than an empty text, or a chart without a row of data."""
    if isinstance(piece, Markup):
        return bool(piece.strip())
    values: Sequence[Any] | None = piece[0].get("data", {}).get("values")
    return bool(piece[0]) and (values is None or bool(values))


def shows_items(result: Result) -> bool:
    """Whether the page of a result shows the texts of items."""
    function = _drawing(result)
    return function is not None and "items" in signature(function).parameters


def _drawing(result: Result) -> Any:
    drawing = CHARTS.get(_key(result), "")
    module, _, function = drawing.partition(":")
    return getattr(import_module(module), function) if module else None


def _key(result: Result) -> str:
    return f"{type(result).__module__.removeprefix('assize.')}:{type(result).__name__}"
