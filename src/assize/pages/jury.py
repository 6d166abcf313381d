"""The page of `assize jury`: who wins, where each decision fell, and what it cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from markupsafe import Markup

from assize.formats.files import Location
from assize.juries import JuryResult
from assize.juries.curve import Point
from assize.juries.decide import Escalation
from assize.juries.outcome import RESULTS, Outcome
from assize.juries.tables import (
    cost_line,
    ends,
    escalation_line,
    escalation_rows,
    judge_rows,
    jury_rows,
    part_rows,
    path_rows,
    percent,
    reliability_rows,
    short_names,
    titled,
)
from assize.pages import charts, page
from assize.pages.page import Section, Tile
from assize.stats import wilson

PATHS_DRAWN = 12
_COLOURS = (charts.SERIES[2], charts.SERIES[5], charts.SERIES[3], charts.RAMP[0])


def write_jury(
    path: Location, result: JuryResult, *, title: str = "Jury", reproduce: Sequence[str] = ()
) -> int:
    """Writes the page; returns its size in bytes.

    Args:
        reproduce: command lines that lead to this page.
    """
    outcome = result.outcome
    sections = [
        Section("Verdicts", page.join(_tiles(outcome), _bars(result), _results(outcome))),
        Section("Judges", page.join(_judges(result), _reliability(result))),
        Section("Where each decision fell", _paths(result)),
        Section("Cost", page.paragraph(f"{cost_line(outcome)}.")),
        Section("Escalation", _escalation(result)),
    ]
    subtitle = f"{titled(result)}; {outcome.n:,} items; {result.question}"
    return page.write_page(
        path, title, [one for one in sections if one.body.strip()], signature=result.signature,
        subtitle=subtitle, notes=_notes(result), reproduce=reproduce,
    )  # fmt: skip


def _notes(result: JuryResult) -> list[str]:
    outcome = result.outcome
    notes = ["A judge decides where its votes in both orders agree; a tie passes on."]
    if not result.composition.cascade:
        notes = ["All judges are heard; one decides for itself where its votes agree."]
    if result.reliability is not None:
        notes = ["Each vote is weighed by how often its judge is right, as the votes tell."]
    if result.composition.unscored == "loss":
        notes.append("An absent judge is a loss alone and at the end of the cascade.")
    if outcome.ties_of_gold:
        count = sum(outcome.ties_of_gold.values())
        notes.append(f"{count:,} with a tie as gold: outside win and loss.")
    if outcome.without_gold:
        notes.append(f"{outcome.without_gold:,} without gold: decided, not counted.")
    return notes


def _tiles(outcome: Outcome) -> Markup:
    names, counts = _counted(outcome)
    tiles = []
    for name in names[:3]:
        found = wilson(counts.get(name, 0), outcome.n)
        tiles.append(Tile(name.capitalize(), f"{percent(found)}%", ends(found)))
    tiles.append(Tile("Unscored", f"{outcome.unscored:,}", f"of {outcome.n:,}"))
    saved = outcome.saving.percent
    if saved is not None:
        tiles.append(Tile("Saved", f"{saved:.0f}%", f"of the {outcome.saving.measured_in}"))
    return page.tiles(tiles)


def _counted(outcome: Outcome) -> tuple[tuple[str, ...], Mapping[str, int]]:
    if outcome.jury is None:
        return ("A", "tie", "B", "unscored"), outcome.answers
    return (*RESULTS, "unscored"), outcome.jury.counts


def _bars(result: JuryResult) -> Markup:
    """Win, tie and loss of the jury and of each judge alone."""
    outcome, short = result.outcome, short_names(result.judges)
    names, counts = _counted(outcome)
    rows = [("jury", name, float(counts.get(name, 0))) for name in names]
    for judge, one in outcome.judges.items():
        rows += [(short[judge], name, float(one.standing.counts.get(name, 0))) for name in names]
    spec = charts.shares(rows, answers=names, title="items", colours=_COLOURS)
    return page.figure(spec, "The jury, and each judge as if it were alone.")


def _results(outcome: Outcome) -> Markup:
    header, rows = jury_rows(outcome)
    return page.table("The jury", header, rows, note="Intervals are Wilson's.")


def _judges(result: JuryResult) -> Markup:
    cascade = bool(result.composition.cascade)
    alone = page.table("Each judge alone", *judge_rows(result.outcome))
    header, rows = part_rows(result.outcome, cascade=cascade)
    if not rows:
        return alone
    note = "Right, jury wrong: items that the judge has right by itself and the jury loses."
    return page.join(alone, page.table("Each judge beside the jury", header, rows, note=note))


def _reliability(result: JuryResult) -> Markup:
    header, rows = reliability_rows(result)
    if not rows:
        return page.EMPTY
    note = "alpha: the vote A where A is better; beta: B where B is better. From votes alone."
    return page.table("Reliability", header, rows, note=note)


def _paths(result: JuryResult) -> Markup:
    outcome = result.outcome
    if not result.composition.cascade:
        return page.EMPTY
    header, rows = path_rows(outcome)
    ordered = sorted(outcome.paths.items(), key=lambda pair: (-pair[1], pair[0]))
    drawn = []
    for name, count in ordered[:PATHS_DRAWN]:
        found = wilson(count, outcome.n)
        drawn.append((name, found.estimate, *found.interval))
    spec = charts.means(drawn, title="share of items")
    caption = "What each judge that was read said, the first one first."
    return page.join(
        page.figure(spec, caption), page.table("Paths", header, rows, most=4 * PATHS_DRAWN)
    )


def _escalation(result: JuryResult) -> Markup:
    found, wanted = result.escalation, result.composition.escalate
    if found is None or wanted is None:
        return page.EMPTY
    header, rows = escalation_rows(result)
    return page.join(
        page.paragraph(f"{escalation_line(found, wanted)}."),
        _curve(result, found),
        page.table("The jury at other thresholds", header, rows),
    )


def _curve(result: JuryResult, found: Escalation) -> Markup:
    """Accuracy against the share of all votes that were read."""
    everyone = result.outcome.saving.everyone.votes
    points = [one for one in found.curve if one.accuracy is not None]
    if len(points) < 2 or not everyone:
        return page.EMPTY
    points.sort(key=lambda one: one.votes)
    shown = [_band(one) for one in points]
    spec = charts.line_with_band(
        [one.votes / everyone for one in points],
        [middle for middle, _, _ in shown], [low for _, low, _ in shown],
        [high for _, _, high in shown],
        x_title="share of the votes of asking everyone", y_title="share of items won",
        diagonal=False,
    )  # fmt: skip
    return page.figure(spec, "Accuracy against cost, from left to right at falling trust.")


def _band(point: Point) -> tuple[float, float, float]:
    assert point.accuracy is not None
    return (point.accuracy.estimate, *point.accuracy.interval)
