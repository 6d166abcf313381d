"""The page of `assize acts agree`: how far a judge's acts and maxims are a person's."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from markupsafe import Markup

from assize.dialogue_acts.agreement import ActsAgreed, ActsAgreement
from assize.formats.files import Location
from assize.pages import charts, page
from assize.pages.page import Section, Tile
from assize.results.numbers import percent

_ERRORS = {
    "missing": "a function missing",
    "wrong": "a function wrong",
    "invented": "a function invented",
}


def write_acts_agreement(
    path: Location,
    result: ActsAgreement,
    *,
    title: str = "Agreement about dialogue acts and maxims",
    reproduce: Sequence[str] = (),
) -> int:
    """Writes the page; returns its size in bytes.

    Args:
        reproduce: command lines that lead to this page.
    """
    several = len(result.judges) > 1
    sections = [
        Section(
            f"{one.judge}" if several else "At a glance",
            page.join(_headline(one), page.figures(*_drawn(one))),
        )
        for one in result.judges
    ]
    sections.append(Section("Tables", page.join(*map(page.table, result.tables.values()))))
    lost, asked = result.unscored
    notes = [f"{lost:,} of {asked:,} judgments hold no valid labels."] if lost else []
    return page.write_page(
        path,
        title,
        sections,
        signature=result.signature,
        subtitle=f"held to {result.gold}: {', '.join(one.judge for one in result.judges)}",
        notes=notes,
        reproduce=reproduce,
    )


def _headline(one: ActsAgreed) -> Markup:
    found = []
    if one.turns is not None:
        right = one.turns.right
        count = f"{right.count:,.0f} of {right.n:,}"
        found.append(Tile("Turns with the same functions", percent(right.estimate), count))
        if one.turns.commonest is not None:
            most = one.turns.turns_with[one.turns.commonest]
            count = f"in {most.count:,.0f} of {most.n:,} turns"
            found.append(Tile("Commonest error", _ERRORS[one.turns.commonest], count))
    if one.maxims is not None:
        agreed = one.maxims.agreed
        count = f"{agreed.count:,.0f} of {agreed.n:,}"
        found.append(Tile("Maxim labels that agree", percent(agreed.estimate), count))
    return page.tiles(found)


def _drawn(one: ActsAgreed) -> Iterator[Markup]:
    if one.turns is not None:
        shares = [("all turns right", one.turns.right)]
        shares += [(f"{name}, right", share) for name, share in one.turns.by_speaker.items()]
        shares += [(_ERRORS[name], share) for name, share in one.turns.turns_with.items()]
        rows = [(name, share.estimate, *share.interval) for name, share in shares]
        spec = charts.means(rows, title="share of turns", range=(0.0, 1.0), format="%")
        yield page.figure(spec, "Turns, with 95% intervals.")
    if one.maxims is not None:
        rows = [
            (name, maxim.agreed.estimate, *maxim.agreed.interval)
            for name, maxim in one.maxims.by_maxim.items()
        ]
        spec = charts.means(rows, title="share of labels that agree", range=(0.0, 1.0), format="%")
        yield page.figure(spec, "Maxims, with 95% intervals.")
