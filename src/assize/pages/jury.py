"""The page of `assize jury`: who wins, where each decision fell, and what it cost."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from assize.formats.files import Location
from assize.juries import JuryResult
from assize.juries.outcome import Outcome
from assize.juries.tables import (
    by_count,
    cost_line,
    counted_results,
    short_names,
    titled,
)
from assize.juries.tables import notes as told
from assize.pages import charts, page
from assize.pages.page import Section, Tile
from assize.pages.reliabilities import CAPTION, figures_of
from assize.results import ResultTable
from assize.results.numbers import percent, percents
from assize.stats import wilson

PATHS_DRAWN = 12
_COLOURS = (charts.SERIES[2], charts.SERIES[5], charts.SERIES[3], charts.RAMP[0])


def write_jury(
    path: Location, result: JuryResult, *, title: str = "Jury", reproduce: Sequence[str] = ()
) -> int:
    """Writes the page; returns its size in bytes."""
    outcome, tables = result.outcome, result.tables
    judges = [page.table(tables.get(key)) for key in ("alone", "beside")]
    results = page.table(tables["jury"])
    sections = [
        Section("Verdicts", page.join(_tiles(outcome), _bars(result), results)),
        Section("Judges", page.join(*judges)),
        Section("Reliability", _reliability(result)),
        Section("Where each decision fell", _paths(outcome, tables.get("paths"))),
        Section("Cost", page.paragraph(f"{cost_line(outcome)}.")),
    ]
    subtitle = f"{titled(result)}; {outcome.n:,} items; {result.question}"
    return page.write_page(
        path,
        title,
        [one for one in sections if one.body.strip()],
        signature=result.signature,
        subtitle=subtitle,
        notes=_notes(result),
        reproduce=reproduce,
    )


def _notes(result: JuryResult) -> list[str]:
    notes = ["A judge decides where its votes in both orders agree; a tie passes on."]
    if not result.composition.cascade:
        notes = ["All judges are heard; one decides for itself where its votes agree."]
    if result.reliability is not None:
        notes = ["Each vote is weighed by how often its judge is right, as the votes tell."]
    if result.composition.unscored == "loss":
        notes.append("An absent judge is a loss alone and at the end of the cascade.")
    return notes + [f"{one[0].upper()}{one[1:]}." for one in told(result)]


def _tiles(outcome: Outcome) -> Markup:
    tiles = []
    for name, count in list(counted_results(outcome).items())[:3]:
        found = wilson(count, outcome.n)
        tiles.append(Tile(name.capitalize(), percent(found.estimate, 2), percents(found, 2)))
    tiles.append(Tile("Unscored", f"{outcome.unscored:,}", f"of {outcome.n:,}"))
    saved = outcome.saving.percent
    if saved is not None:
        tiles.append(Tile("Saved", f"{saved:.0f}%", f"of the {outcome.saving.measured_in}"))
    return page.tiles(tiles)


def _bars(result: JuryResult) -> Markup:
    """Win, tie and loss of the jury and of each judge alone."""
    outcome, short = result.outcome, short_names(result.judges)
    counts = counted_results(outcome)
    rows = [("jury", name, float(count)) for name, count in counts.items()]
    for judge, one in outcome.judges.items():
        rows += [(short[judge], name, float(one.standing.counts.get(name, 0))) for name in counts]
    spec = charts.shares(rows, answers=list(counts), title="items", colours=_COLOURS)
    return page.figure(spec, "The jury, and each judge as if it were alone.")


def _reliability(result: JuryResult) -> Markup:
    """alpha against beta of each judge on each question, with the tables."""
    if result.learnt is None:
        return page.EMPTY
    tables = result.tables
    caption = CAPTION.format(what="the votes alone")
    drawn = [page.figure(spec, caption) for spec in figures_of(result).values()]
    return page.join(
        *drawn,
        page.table(tables["questions"]),
        page.table(tables["reliability"]),
    )


def _paths(outcome: Outcome, table: ResultTable | None) -> Markup:
    if table is None:
        return page.EMPTY
    drawn = []
    for name, count in by_count(outcome.paths)[:PATHS_DRAWN]:
        found = wilson(count, outcome.n)
        drawn.append((name, found.estimate, *found.interval))
    spec = charts.means(drawn, title="share of items")
    caption = "What each judge that was read said, the first one first."
    return page.join(page.figure(spec, caption), page.table(table, most=4 * PATHS_DRAWN))
