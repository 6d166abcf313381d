"""One self-contained HTML page: sections of prose, figures and tables.

A page is a list of `Section(title, body)`. A body is `Markup`, made of the pieces
below and joined with `join`; each piece escapes every text that it is given, and
shows control characters by their number:

    from assize.pages import charts, page
    from assize.results import Column, ResultTable

    body = page.join(
        page.paragraph("Two judges on 120 conversations."),
        page.figure(charts.confusion(counts, answers=..., x_title=..., y_title=...), "Answers"),
        page.table(ResultTable("Agreement", [Column("figure"), Column("all", "number")], rows)),
    )
    page.write_page("out.html", "Agreement", [page.Section("Judges", body)], signature="9f2c")

`render(NAME, **values)` fills a template of this package, where a piece needs more; `browsed`
makes a list of many items one that is searched and turned like pages. A page asks for nothing
from anywhere: its own policy forbids it. It runs no script, or, where it has such a list, the
one of this package (`templates/browse.js`), which the policy names by its hash.
"""

from __future__ import annotations

import base64
import hashlib
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from importlib.resources import files
from typing import Any
from urllib.parse import quote

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from assize.base.secrets import redacted_bytes
from assize.base.version import __version__
from assize.formats.files import Location, open_output
from assize.formats.tool_calls import arguments_text
from assize.pages.drawing import Link, svg
from assize.pages.inert import inert
from assize.results import ResultTable
from assize.results.abridge import abridge
from assize.results.escape import visible

EMPTY = Markup("")
AT_ONCE = 25
"""Items of a list that are shown at once; longer ones are turned like pages."""
BROAD = 560
"""Pixels of a drawing beyond which it is no longer shrunk to a small screen, but scrolls."""
SOURCES_NAMED = 3
_BROWSED = '<div class="browse"'  # texts are escaped: only the piece itself can hold it
_sources: ContextVar[tuple[str, ...]] = ContextVar("sources", default=())


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the page with a heading.

    Args:
        title: plain text.
        body: from the pieces here.
        about: a sentence below the heading.
    """

    title: str
    body: Markup
    about: str = ""


@dataclass(frozen=True, slots=True)
class Tile:
    """A headline number: `value` large, `label` above it, `note` small below it."""

    label: str
    value: str
    note: str = ""


def join(*pieces: Markup) -> Markup:
    """Pieces one after the other."""
    return EMPTY.join(pieces)


def paragraph(text: str, *, kind: str = "") -> Markup:
    """A paragraph; `kind` is "" or "quiet" (small and grey)."""
    return render("paragraph.html", text=text, kind=kind)


def preformatted(text: str) -> Markup:
    """Text whose lines and blanks stay as they are."""
    return render("preformatted.html", text=text)


def document(text: str) -> Markup:
    """A text in Markdown as a part of the page, its headings below those of the page."""
    from assize.pages.markdown import prose

    html = prose(re.sub(r"^(?=#{1,4} )", "#", text, flags=re.MULTILINE))
    tables = html.replace("<table>", Markup('<div class="table document" tabindex="0"><table>'))
    return tables.replace("</table>", Markup("</table></div>"))


def tiles(numbers: Iterable[Tile]) -> Markup:
    """Headline numbers side by side."""
    return render("tiles.html", tiles=list(numbers))


def figure(spec: Mapping[str, Any], caption: str, links: Sequence[Link] = ()) -> Markup:
    """A chart with its caption; see `assize.pages.charts` for specs, `drawing.svg` for links."""
    drawing = svg(spec, links)
    width = re.search(r' width="(\d+)', drawing)
    broad = width is not None and int(width[1]) > BROAD
    return render("figure.html", drawing=Markup(drawing), broad=broad, caption=caption)  # noqa: S704


def figures(*pieces: Markup) -> Markup:
    """Figures side by side where the screen is wide enough."""
    return render("figures.html", pieces=pieces)


def browsed(items: Sequence[Markup], *, noun: str = "items", levels: Sequence[str] = ()) -> Markup:
    """Items, of which only `AT_ONCE` are shown at a time, with a box to find others.

    As many stand as they are and need no script; without scripts so do the first of more.

    Args:
        items: `<details>` that carry `data-id`, by which `#c=ID` leads to them.
        noun: what they are, in the plural.
        levels: values of `data-level` by which they can be chosen.
    """
    if len(items) <= AT_ONCE:
        return join(*items)
    first, rest = join(*items[:AT_ONCE]), inert(items[AT_ONCE:])
    return render(
        "browse.html",
        first=first,
        rest=rest,
        count=len(items) - AT_ONCE,
        noun=noun,
        levels=levels,
        size=AT_ONCE,
    )


def table(shown: ResultTable, *, titled: bool = False) -> Markup:
    """A table.

    Args:
        titled: the section's heading is the table's title, which is not shown again.
    """
    return Markup(shown.to_html(titled=titled))  # noqa: S704


def render(template: str, **values: Any) -> Markup:
    """A template of `pages/templates`, every value escaped unless it is Markup."""
    return Markup(_environment().get_template(template).render(**values))  # noqa: S704


@cache
def _environment() -> Environment:
    found = Environment(
        loader=PackageLoader("assize.pages"),
        autoescape=True,
        finalize=_final,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    # as part of an address, the way that the page shows it
    found.filters["address"] = lambda text: quote(visible(text), safe="")
    found.filters |= {"abridge": abridge, "arguments": arguments_text}
    return found


def _final(value: Any) -> Any:
    """What every `{{ ... }}` passes through, so that no template can forget it."""
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value


@contextmanager
def made_from(*sources: object) -> Iterator[None]:
    """Pages that are written inside say so below their title.

    Args:
        sources: files and folders; what is no name of one is passed over.
    """
    named = tuple(one for one in map(_name, sources) if one)
    before = _sources.set(named)
    try:
        yield
    finally:
        _sources.reset(before)


def _name(source: object) -> str:
    if not isinstance(source, str | os.PathLike):
        return ""
    text = os.fspath(source)
    return "standard input" if text == "-" else str(text)


def _made() -> str:
    """What the page was made from, and when (`SOURCE_DATE_EPOCH` where builds must repeat)."""
    fixed = os.environ.get("SOURCE_DATE_EPOCH", "")
    at = datetime.fromtimestamp(int(fixed), UTC) if fixed.isdigit() else datetime.now(UTC)
    named = list(_sources.get()[:SOURCES_NAMED])
    left = len(_sources.get()) - len(named)
    source = ", ".join(named) + (f" and {left:,} more" if left else "")
    return " · ".join(filter(None, (source, f"{at:%Y-%m-%d %H:%M} UTC")))


def write_page(
    path: Location,
    title: str,
    sections: Sequence[Section],
    *,
    signature: str,
    subtitle: str = "",
    lead: Markup = EMPTY,
    notes: Sequence[str] = (),
    reproduce: Sequence[str] = (),
) -> int:
    """Write an HTML page in full or not at all, and return its size in bytes.

    An earlier file stays until the new one is complete. Below the title the page says what it was
    made from (`made_from`), and when.

    Args:
        path: file or URL.
        title: heading of the page.
        sections: parts of the page, in order.
        signature: what makes the numbers comparable; shown at the foot.
        subtitle: one line below the title.
        lead: what stands before the sections, such as headline figures.
        notes: what a reader must know before the numbers; shown on top.
        reproduce: command lines that make this page again; shown at the foot.

    Raises:
        OutputError: the disk is full, the folder is missing or may not be written.
    """
    style = _asset("style.css")
    allowed = f"style-src {_hash(style)}"
    script = EMPTY
    if any(_BROWSED in section.body for section in sections):
        script = _asset("browse.js")
        allowed += f"; script-src {_hash(script)}"
    text = render(
        "page.html",
        title=title,
        subtitle=subtitle,
        lead=lead,
        made=_made(),
        sections=sections,
        signature=signature,
        notes=notes,
        reproduce=reproduce,
        version=__version__,
        style=style,
        script=script,
        policy=f"default-src 'none'; {allowed}; base-uri 'none'; form-action 'none'",
    )
    data = redacted_bytes(text.encode("utf-8"))
    with open_output(path) as stream:
        stream.write(data)
    return len(data)


@cache
def _asset(name: str) -> Markup:
    """A file of this package that stands in the page as it is."""
    place = files("assize.pages").joinpath("templates", name)
    return Markup(place.read_text(encoding="utf-8"))  # noqa: S704


def _hash(text: str) -> str:
    """As the policy names it."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"
