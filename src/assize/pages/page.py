"""One self-contained HTML page: sections of prose, figures and tables.

A page is a list of `Section(title, body)`. A body is `Markup`, made of the pieces
below and joined with `join`; each piece escapes every text that it is given, and
shows control characters by their number:

    from assize.pages import charts, page
    from assize.tables import Column, ResultTable

    body = page.join(
        page.paragraph("Two judges on 120 conversations."),
        page.figure(charts.confusion(counts, answers=..., x_title=..., y_title=...), "Answers"),
        page.table(ResultTable("Agreement", [Column("figure"), Column("all", "number")], rows)),
    )
    page.write_page("out.html", "Agreement", [page.Section("Judges", body)], signature="9f2c")

`render(NAME, **values)` fills a template of this package, where a piece needs more. The
page asks for nothing from anywhere and runs no script: its own policy forbids both.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from assize.formats.files import Location, open_output
from assize.pages.drawing import svg
from assize.secrets import redacted_bytes
from assize.tables import ResultTable
from assize.tables.escape import visible
from assize.version import __version__

EMPTY = Markup("")


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the page with a heading; `title` is plain text, `body` from the pieces here."""

    title: str
    body: Markup


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


def bullets(lines: Iterable[str]) -> Markup:
    """A list of sentences; nothing when there is none."""
    return render("bullets.html", lines=list(lines))


def tiles(numbers: Iterable[Tile]) -> Markup:
    """Headline numbers side by side."""
    return render("tiles.html", tiles=list(numbers))


def figure(spec: Mapping[str, Any], caption: str) -> Markup:
    """A chart with its caption; see `assize.pages.charts` for specs."""
    return render("figure.html", drawing=Markup(svg(spec)), caption=caption)  # noqa: S704


def figures(*pieces: Markup) -> Markup:
    """Figures side by side where the screen is wide enough."""
    return render("figures.html", pieces=pieces)


def table(found: ResultTable | None, *, most: int | None = None) -> Markup:
    """A table; nothing where there is none."""
    if found is None:
        return EMPTY
    return Markup((found if most is None else found.head(most)).to_html())  # noqa: S704


def render(template: str, **values: Any) -> Markup:
    """A template of `pages/templates`, every value escaped unless it is Markup."""
    return Markup(_environment().get_template(template).render(**values))  # noqa: S704


@cache
def _environment() -> Environment:
    return Environment(
        loader=PackageLoader("assize.pages"),
        autoescape=True,
        finalize=_final,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _final(value: Any) -> Any:
    """What every `{{ ... }}` passes through, so that no template can forget it."""
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def write_page(
    path: Location,
    title: str,
    sections: Sequence[Section],
    *,
    signature: str,
    subtitle: str = "",
    notes: Sequence[str] = (),
    reproduce: Sequence[str] = (),
) -> int:
    """Writes the page whole or not at all; an earlier file stays until it is.

    Args:
        signature: what makes the numbers comparable; stands at the foot.
        subtitle: one line below the title.
        notes: what a reader must know before the numbers, shown on top.
        reproduce: command lines that lead to this page, shown at the foot.

    Returns:
        The number of bytes.

    Raises:
        OutputError: the disk is full, the folder is missing or may not be written.
    """
    style = Markup(_style())  # noqa: S704
    digest = base64.b64encode(hashlib.sha256(_style().encode()).digest()).decode()
    source = f"style-src 'sha256-{digest}'"
    text = render(
        "page.html",
        title=title,
        subtitle=subtitle,
        sections=sections,
        signature=signature,
        notes=notes,
        reproduce=reproduce,
        version=__version__,
        style=style,
        policy=f"default-src 'none'; {source}; base-uri 'none'; form-action 'none'",
    )
    data = redacted_bytes(text.encode("utf-8"))
    with open_output(path) as stream:
        stream.write(data)
    return len(data)


@cache
def _style() -> str:
    return files("assize.pages").joinpath("templates/style.css").read_text(encoding="utf-8")
