"""The page of `assize acts`: what dialogue acts and maxims show, with pictures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from markupsafe import Markup

from assize.dialogue_acts.analysis import LEVELS, ROLES, Frequency
from assize.dialogue_acts.maxim_analysis import APART, HELD, MORE
from assize.dialogue_acts.published import cautions
from assize.dialogue_acts.study import ActsResult, ActStudy, OfActs, OfMaxims
from assize.dialogue_acts.tables import most_next
from assize.formats.files import Location
from assize.pages import charts, page
from assize.pages.page import Section, Tile
from assize.results.numbers import percent
from assize.stats import Estimate

BARS = 14  # acts that a picture shows
CELLS = 9  # rows and columns of the picture of transitions
GROUPS = 8  # names that a picture of both roles shows

MORE_COLOURS = (charts.SERIES[0], charts.SERIES[1], charts.SERIES[5])

_HELD_COLOURS = (charts.SERIES[0], charts.SERIES[1], charts.RAMP[0], charts.SERIES[5])
_APART_COLOUR = charts.SERIES[4]


def write_acts(
    path: Location,
    result: ActsResult,
    *,
    title: str = "Dialogue acts and maxims",
    reproduce: Sequence[str] = (),
) -> int:
    """Writes the page; returns its size in bytes.

    Args:
        reproduce: command lines that lead to this page.
    """
    studies = result.studies
    sections = [section for study in studies for section in _sections(study, len(studies) > 1)]
    return page.write_page(
        path,
        title,
        sections,
        signature=result.signature,
        subtitle="; ".join(study.name for study in studies),
        notes=_notes(studies),
        reproduce=reproduce,
    )


def _notes(studies: Sequence[ActStudy]) -> list[str]:
    notes = []
    for study in studies:
        if study.left_out:
            notes.append(f"{study.name}: {study.left_out:,} first votes without valid labels.")
        if study.duplicates:
            notes.append(f"{study.name}: {study.duplicates:,} repeated rows; the first counts.")
        notes += [*study.notes, *cautions({study.name: study})]
    return notes


def _sections(study: ActStudy, several: bool) -> list[Section]:
    lead = f"{study.name}: " if several else ""
    parts = [
        Section(f"{lead}At a glance", page.join(_headline(study), _drawn_crossed(study))),
        Section(f"{lead}How acts change", _drawn_acts(study)),
        Section(f"{lead}Maxims", _drawn_maxims(study)),
        Section(f"{lead}Tables", page.join(*map(page.table, study.tables.values()))),
    ]
    return [part for part in parts if part.body.strip()]


def _headline(study: ActStudy) -> Markup:
    tiles = [Tile("Valid items", f"{max(study.items.values()):,}", f"{study.gold:,} with gold")]
    if study.acts is not None:
        for role in ROLES:
            found = study.acts.changes["function"][role].turns
            tiles.append(_tile(f"Acts change, {role}", found, " turns"))
    if study.crossed is not None:
        tiles.append(_tile("Responses with different acts", study.crossed.different))
    if study.maxims is not None:
        mean = study.maxims.asymmetry
        tiles.append(Tile("Maxims that tell them apart", f"{mean.estimate:.2f}", "of twelve, mean"))
    return page.tiles(tiles)


def _tile(label: str, found: Estimate, noun: str = "") -> Tile:
    count = f"{found.count:,.0f} of {found.n:,}{noun}"
    return Tile(label, percent(found.estimate, 2), count)


def _drawn_crossed(study: ActStudy) -> Markup:
    if study.crossed is None or not study.crossed.n:
        return page.EMPTY
    names = {"chosen": "chosen more", "rejected": "rejected more", "equal": "equally many"}
    rows = [
        (f"{alike} acts", names[more], study.crossed.cells[alike, more].count)
        for alike in ("same", "different")
        for more in MORE
    ]
    spec = charts.shares(rows, answers=list(names.values()), title="pairs", colours=MORE_COLOURS)
    return page.figure(spec, "Which response satisfies more maxims, by whether their acts differ.")


def _drawn_acts(study: ActStudy) -> Markup:
    acts = study.acts
    if acts is None:
        return page.EMPTY
    rows = [
        (f"{role}, {level}s", found.turns.estimate, *found.turns.interval)
        for level in LEVELS
        for role in ROLES
        for found in [acts.changes[level][role]]
    ]
    changes = charts.means(rows, title="share of consecutive turns", range=(0.0, 1.0))
    figures = [
        page.figure(
            changes,
            "How often acts change from one turn of a role to its next, with 95% intervals.",
        ),
        *(_frequent(acts.frequency["function"], role) for role in ROLES),
        drawn_frequencies(acts, "dimension", "Dimensions by who speaks, with 95% intervals."),
        _drawn_distinct(acts),
        *(_follows(acts, role) for role in ROLES),
    ]
    return page.figures(*(one for one in figures if one))


def drawn_frequencies(acts: OfActs, level: str, caption: str) -> Markup:
    """Most common functions or dimensions, the user's and the assistant's side by side."""
    of = acts.frequency[level]
    totals: dict[str, float] = {}
    for role in ROLES:
        for name, share in of[role].names.items():
            totals[name] = totals.get(name, 0.0) + share.count
    names = sorted(totals, key=lambda name: (-totals[name], name))[:GROUPS]
    if not names:
        return page.EMPTY
    nothing = (0.0, float("nan"), float("nan"))
    rows = []
    for name in names:
        for role in ROLES:
            known = of[role].names.get(name)
            found = nothing if known is None else (known.estimate, *known.interval)
            rows.append((name, role, *found))
    spec = charts.grouped(rows, series=ROLES, title="share of turns")
    return page.figure(spec, caption)


def distinct_acts(acts: OfActs, role: str) -> charts.Curve:
    """The share of conversations with at least so many distinct acts of a role."""
    found = acts.distinct["act"][role]
    return charts.Curve(
        list(found),
        [one.estimate for one in found.values()],
        [one.interval[0] for one in found.values()],
        [one.interval[1] for one in found.values()],
    )


def _drawn_distinct(acts: OfActs) -> Markup:
    curves = {role: distinct_acts(acts, role) for role in ROLES if acts.distinct["act"][role]}
    if not curves:
        return page.EMPTY
    spec = charts.curves(
        curves,
        x_title="distinct acts, at least",
        y_title="share of conversations",
        zero=True,
        dots=True,
    )
    caption = "How many distinct acts a conversation has; an act is all that a turn does."
    return page.figure(spec, caption)


def _frequent(by_role: Mapping[str, Frequency], role: str) -> Markup:
    names = list(by_role[role].names.items())[:BARS]
    if not names:
        return page.EMPTY
    rows = [(name, share.estimate, *share.interval) for name, share in names]
    spec = charts.means(rows, title=f"share of the {role}'s turns")
    return page.figure(spec, f"The most frequent acts of the {role}, with 95% intervals.")


def _follows(acts: OfActs, role: str) -> Markup:
    rows = dict(list(acts.transitions[role].items())[:CELLS])
    columns = most_next(rows)[:CELLS]
    if not columns:
        return page.EMPTY
    cells: dict[tuple[str, str], float | None] = {
        (name, one): row.get(one, 0) / row[""] for name, row in rows.items() for one in columns
    }
    spec = charts.heatmap(
        cells,
        x_title="in the next turn",
        y_title=role,
        columns=columns,
        rows=list(rows),
        format=".0%",
    )
    return page.figure(spec, f"What follows an act of the {role}: share of its turns.")


def _drawn_maxims(study: ActStudy) -> Markup:
    if study.maxims is None or not study.gold:
        return page.EMPTY
    return drawn_per_maxim(study.maxims, "Which response keeps to each maxim better.")


def drawn_per_maxim(maxims: OfMaxims, caption: str) -> Markup:
    """Who keeps to each maxim, as bars of 100%."""
    sides = (*HELD, APART) if maxims.agreed else HELD
    colours = (*_HELD_COLOURS, _APART_COLOUR) if maxims.agreed else _HELD_COLOURS
    rows = [
        (maxim, whose, one.shares[whose].count)
        for maxim, one in maxims.per_maxim.items()
        for whose in sides
    ]
    spec = charts.shares(rows, answers=sides, title="pairs", colours=colours)
    return page.figure(spec, caption)
