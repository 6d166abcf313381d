"""The page of `assize acts study`: AMULET's figures and tables over several data sets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from markupsafe import Markup

from assize.dialogue_acts.analysis import LEVELS
from assize.dialogue_acts.maxim_analysis import MORE
from assize.dialogue_acts.published import ActsStudied, cautions
from assize.dialogue_acts.study import ActStudy
from assize.formats.files import Location
from assize.pages import charts, page
from assize.pages.acts import MORE_COLOURS, distinct_acts, drawn_frequencies, drawn_per_maxim
from assize.pages.page import Section, Tile
from assize.results.numbers import percent

MORE_SAID = {"chosen": "chosen more", "rejected": "rejected more", "equal": "equally many"}


def write_acts_study(
    path: Location,
    result: ActsStudied,
    *,
    title: str = "Dialogue acts and maxims, by data set and judge",
    reproduce: Sequence[str] = (),
) -> int:
    """Writes the page; returns its size in bytes.

    Args:
        reproduce: command lines that lead to this page.
    """
    studies = result.studies
    sections = [
        Section("At a glance", page.join(_headline(studies), page.figures(*_shares(studies)))),
        Section("What turns do", page.figures(*_acts(studies))),
        Section("Who satisfies each maxim", page.figures(*_maxims(studies))),
        Section("Tables", page.join(*map(page.table, result.tables.values()))),
    ]
    return page.write_page(
        path,
        title,
        [one for one in sections if one.body.strip()],
        signature=result.signature,
        subtitle=", ".join(studies),
        notes=[*cautions(studies), *(note for one in studies.values() for note in one.notes)],
        reproduce=reproduce,
    )


def _headline(studies: Mapping[str, ActStudy]) -> Markup:
    found = []
    for name, one in studies.items():
        found.append(Tile(name, f"{one.asked:,}", "pairs or conversations"))
        if one.crossed is not None and one.crossed.n:
            told = percent(one.crossed.different.estimate)
            found.append(Tile("Responses with different acts", told, name))
    return page.tiles(found)


def _shares(studies: Mapping[str, ActStudy]) -> Iterator[Markup]:
    """Table 1, and figures 3c and 3d."""
    rows = [
        (
            f"{name}, {alike}" if len(studies) > 1 else f"{alike} acts",
            MORE_SAID[more],
            one.crossed.cells[alike, more].count,
        )
        for name, one in studies.items()
        if one.crossed is not None and one.crossed.n
        for alike in ("same", "different")
        for more in MORE
    ]
    if rows:
        spec = charts.shares(
            rows, answers=list(MORE_SAID.values()), title="pairs", colours=MORE_COLOURS
        )
        yield page.figure(
            spec, "Table 1: which response satisfies more maxims, by whether their acts differ."
        )
    changes = [
        (name, who, found.estimate, *found.interval)
        for name, one in studies.items()
        if one.acts is not None
        for who, found in (
            ("user", one.acts.changes["function"]["user"].turns),
            ("assistant", one.acts.following["function"]),
        )
    ]
    if changes:
        series = list(dict.fromkeys(who for _, who, *_ in changes))
        spec = charts.grouped(changes, series=series, title="consecutive turns that differ")
        caption = (
            "Figures 3c and 3d: how often the acts of the user change from turn to turn, and the"
            " assistant's where the user's do, with 95% intervals."
        )
        yield page.figure(spec, caption)


def _acts(studies: Mapping[str, ActStudy]) -> Iterator[Markup]:
    for level in LEVELS:
        figure = "Figures 3a and 6" if level == "function" else "Figure 7"
        for name, one in studies.items():
            if one.acts is not None:
                told = f"{figure}: most common {level}s{_of(name, studies)}."
                yield drawn_frequencies(one.acts, level, told)
    users = {name: one.acts for name, one in studies.items() if one.acts is not None}
    if users:
        curves = {name: distinct_acts(acts, "user") for name, acts in users.items()}
        spec = charts.curves(
            curves,
            x_title="distinct acts of the user, at least",
            y_title="share of conversations",
            zero=True,
            dots=True,
        )
        yield page.figure(spec, "Figures 3b and 8: distinct acts of the user in a conversation.")


def _maxims(studies: Mapping[str, ActStudy]) -> Iterator[Markup]:
    for name, one in studies.items():
        if one.maxims is not None and one.gold:
            told = f"Figure 4: who satisfies each maxim{_of(name, studies)}."
            yield drawn_per_maxim(one.maxims, told)


def _of(name: str, studies: Mapping[str, ActStudy]) -> str:
    return f", {name}" if len(studies) > 1 else ""
