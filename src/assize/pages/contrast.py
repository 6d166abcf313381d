"""The page of `assize reference themes`: how two sources sound, and in what they differ."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from assize.formats.files import Location
from assize.pages import charts, page
from assize.pages.page import Section
from assize.reference.contrast.contrasted import Contrast


def write_contrast(
    path: Location,
    found: Contrast,
    *,
    title: str = "Two sources",
    reproduce: Sequence[str] = (),
) -> int:
    """Writes the page; returns its size in bytes."""
    tables = found.tables
    how, *rest = found.lines
    said = (page.paragraph(one) for one in rest if not one.startswith("signature"))
    body = page.join(_phrasing(found), page.table(tables["phrasing"]), *said)
    sections = [Section("How they sound", body)]
    if "themes" in tables:
        body = page.join(_themes(found), page.table(tables["themes"]))
        sections.append(Section("In what they differ from the reference", body))
    return page.write_page(
        path,
        title,
        sections,
        signature=found.signature,
        subtitle=how,
        notes=found.notes,
        reproduce=reproduce,
    )


def _phrasing(found: Contrast) -> Markup:
    rows = [
        (source, one.estimate, *one.interval)
        for source in found.sources
        for one in [found.phrasing(source)]
    ]
    spec = charts.means(rows, title="share of labels that say human", range=(0, 1))
    return page.figure(spec, "With the 95% interval, conversations as units.")


def _themes(found: Contrast) -> Markup:
    rows = [
        (theme, source, one.estimate, *one.interval)
        for theme in found.themes
        for source in found.sources
        for one in [found.theme(source, theme)]
    ]
    spec = charts.grouped(rows, series=found.sources, title="share of labels")
    return page.figure(spec, f"What raters noted; {found.themed}. Lines are 95% intervals.")
