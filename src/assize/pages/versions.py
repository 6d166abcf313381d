"""The pages of `assize compare` and `assize gate`: differences, segments, and what to read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from assize.formats.files import Location
from assize.pages import charts, page
from assize.pages.excerpt import Part, excerpt
from assize.pages.page import Section, Tile
from assize.results.numbers import counted, digits_for, interval, number, p_value
from assize.versions.compared import Moved, Regression, VersionsCompared
from assize.versions.gated import GateResult
from assize.versions.tables import gist_of

MOST_DRAWN = 40


@dataclass(frozen=True, slots=True)
class _ToRead:
    """A conversation as the page lists it."""

    name: str
    change: str
    gist: str
    sides: Sequence[tuple[str, Sequence[Part]]]


def figures_of(found: VersionsCompared) -> Mapping[str, charts.Spec]:
    """`differences`, and `segments` where there are any."""
    drawn = {"differences": _figure(found, found.rows)}
    if found.segments:
        drawn["segments"] = _figure(found, found.segments)
    return drawn


def write_versions(
    path: Location,
    found: VersionsCompared,
    *,
    title: str = "Versions compared",
    reproduce: Sequence[str] = (),
) -> int:
    """Writes the page; returns its size in bytes."""
    return page.write_page(
        path,
        title,
        sections_of(found),
        signature=found.signature,
        subtitle=found.tables["differences"].title,
        notes=[*found.lines[:-1], *found.notes],
        reproduce=reproduce,
    )


def write_gate(
    path: Location,
    found: GateResult,
    *,
    title: str = "Gate",
    reproduce: Sequence[str] = (),
) -> int:
    """Writes the page of a gate, with that of the comparison below; returns its size in bytes."""
    passed = sum(one.passed for one in found.checks)
    tiles = [
        Tile("Gate", "passed" if found.passed else "failed", found.subject),
        Tile("Checks passed", f"{passed:,}", f"of {len(found.checks):,}"),
    ]
    body = page.join(page.tiles(tiles), *(page.table(one) for one in found.own_tables.values()))
    compared = [] if found.compared is None else sections_of(found.compared)
    return page.write_page(
        path,
        title,
        [Section("Checks", body), *compared],
        signature=found.signature,
        subtitle=found.subject,
        notes=found.notes,
        reproduce=reproduce,
    )


def sections_of(found: VersionsCompared) -> list[Section]:
    """Differences, segments, what could be found, what to read."""
    tables = found.tables
    caption = f"Differences from {found.baseline}, with their intervals; the dashed line is none."
    parts = [
        Section(
            "Better or worse",
            page.join(
                _tiles(found),
                page.figure(_figure(found, found.rows), caption),
                page.table(tables["differences"]),
                page.table(tables["shares"]),
            ),
        )
    ]
    if found.segments:
        drawn = page.figure(_figure(found, found.segments), f"Differences by {found.by}.")
        parts.append(Section(f"By {found.by}", page.join(drawn, page.table(tables["segments"]))))
    if found.regressions:
        parts.append(Section("Conversations to read", _reading(found)))
    parts.append(Section("How sure that is", page.table(tables["power"])))
    return parts


def _tiles(found: VersionsCompared) -> Markup:
    judge, question = found.main
    tiles = []
    for one in found.rows:
        if (one.judge, one.question) == (judge, question):
            digits = digits_for([one.before.estimate, one.after.estimate])
            ends = interval(one.difference, digits, signed=True)
            said = number(one.difference.estimate, digits, signed=True)
            name = f"{question}, {one.version}" if found.several else question
            tiles.append(Tile(name, said, f"{ends} p {p_value(one.p_value)}"))
    better = sum(one.verdict == "better" for one in found.rows)
    of = f"of {counted(len(found.rows), 'comparison')}"
    tiles += [Tile("Better", f"{better:,}", of), Tile("Worse", f"{len(found.worse):,}", of)]
    return page.tiles(tiles)


def _figure(found: VersionsCompared, rows: Sequence[Moved]) -> charts.Spec:
    judges = len({one.judge for one in found.rows}) > 1
    named = [
        (
            ", ".join(
                part
                for part in (
                    one.segment,
                    one.question,
                    one.judge if judges else "",
                    one.version if found.several else "",
                )
                if part
            ),
            one.difference.estimate,
            *one.difference.interval,
        )
        for one in rows[:MOST_DRAWN]
    ]
    return charts.means(named, title=f"difference from {found.baseline}", mark=0.0)


def _reading(found: VersionsCompared) -> Markup:
    paired = any(one.before_item for one in found.regressions)
    what = "fell furthest" if paired else "are the lowest"
    judge, question = found.main
    lead = f"Those that {what}, by {question} ({judge})."
    if not found.items:
        lead += " Their text is shown where the conversations are given."
    digits = digits_for([end for one in found.regressions for end in (one.before, one.after)])
    return page.render(
        "versions.html",
        lead=lead,
        level=lambda value: "",
        shown=lambda value: number(value, 2),
        listed=[_to_read(found, one, digits) for one in found.regressions],
    )


def _to_read(found: VersionsCompared, one: Regression, digits: int) -> _ToRead:
    sides = []
    for version, item, value in (
        (found.baseline, one.before_item, one.before),
        (one.version, one.item, one.after),
    ):
        known = found.items.get((version, item))
        if known is not None:
            parts = excerpt(known, value, (), ()).parts
            sides.append((f"{version}: {number(value, digits)}", parts))
    change = (
        number(one.change, digits, signed=True) if one.before_item else number(one.after, digits)
    )
    name = f"{one.item} ({one.version})" if found.several else one.item
    return _ToRead(name, change, gist_of(found, one), sides)
