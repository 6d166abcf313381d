"""Drawing a Vega-Lite spec as SVG that stands inside a page, in this process."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from assize.base.errors import MissingExtra
from assize.base.signature import content_hash
from assize.results.escape import visible

Spec = dict[str, Any]

INK = {"ink": "#1f2933", "muted": "#667080", "grid": "#e3e6ea", "paper": "#fefefe"}
SERIES = ("#3a6ea5", "#d07a2d", "#3f9367", "#c04f5c", "#7d62b0", "#8a8f98")
RAMP = ("#c9d9ec", "#9fbfe0", "#6f9fcf", "#457cb4", "#2a5b93", "#173f6e", "#0d2a4d")
"""From least to most: away from the paper, so that on a dark page the style turns it round."""

_COLOURS = {"chart": SERIES, "ramp": RAMP}
_VARIABLES = {f"chart-{name}": colour for name, colour in INK.items()} | {
    f"{kind}-{number}": colour
    for kind, colours in _COLOURS.items()
    for number, colour in enumerate(colours, start=1)
}
"""By the name of a variable of the page's style, its colour."""

_SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"
_VERSION = "5.21"
# Measured in a wide font that the renderer carries, shown in the reader's own: the
# text on screen is narrower than the room kept for it.
_FONT = "Open Sans"
_ANY_TAG = re.compile(r"<[^>]*>")
_LONG_NUMBER = re.compile(r"-?\d+\.\d{3,}(?:e-?\d+)?")
_NEEDLESS = re.compile(
    r' (?:xmlns(?::xlink)?|version|class|font-family|pointer-events|role|aria-\w+)="[^"]*"'
    r'| opacity="1"'
)
_LINK = re.compile(r'<a(?: xlink:href="[^"]*?(?:#(\d+))?")?[^>]*>')
_UNSEEN_TEXT = re.compile(r'<text [^>]*opacity="0"[^>]*>[^<]*</text>')
_EMPTY_PATH = re.compile(r'<path class="(?:background|foreground)"[^>]*d="(?:M0,0h0v0h0Z)?"[^>]*/>')
_CONFIG: Spec = {
    "font": _FONT,
    "aria": False,
    "background": None,
    "view": {"stroke": None},
    "axis": {
        "labelColor": INK["ink"],
        "titleColor": INK["muted"],
        "tickColor": INK["grid"],
        "domainColor": INK["muted"],
        "gridColor": INK["grid"],
        "labelFontSize": 12,
        "titleFontSize": 12,
        "titleFontWeight": "normal",
        "titlePadding": 8,
        "labelLimit": 200,
    },
    "legend": {
        "labelColor": INK["ink"],
        "titleColor": INK["muted"],
        "labelFontSize": 12,
        "titleFontSize": 12,
        "titleFontWeight": "normal",
        "labelLimit": 200,
    },
    "title": {"color": INK["ink"], "fontSize": 13, "anchor": "start"},
    "text": {"fontSize": 12, "color": INK["ink"]},
}


def require() -> None:
    """Raises MissingExtra when charts cannot be drawn here: ask before a long run."""
    try:
        import vl_convert  # noqa: F401
    except ImportError as error:
        raise MissingExtra("a report", extra="report", missing="vl-convert-python") from error


@dataclass(frozen=True, slots=True)
class Link:
    """Where a part of a chart leads: an address of the same site, and the name of the link."""

    href: str
    name: str

    def __post_init__(self) -> None:
        if not self.href.startswith("/") or self.href.startswith("//"):
            raise ValueError(f"a chart links to its own site alone, not to {self.href!r}")


def svg(spec: Mapping[str, Any], links: Sequence[Link] = ()) -> str:
    """An inline `<svg>` of a Vega-Lite spec, without script, style or request.

    Args:
        spec: a Vega-Lite 5 spec with its data inside; `description` becomes the text
            alternative. Its own `config` wins over the report's.
        links: a mark whose channel `href` is `#2` becomes an ordinary link to `links[2]`. The
            renderer sees numbers alone; addresses and names are escaped here.

    Raises:
        MissingExtra: vl-convert-python is not installed.

    >>> svg({"mark": "point", "data": {"values": [{}]}, "description": "a point"})[:38]
    '<svg role="img" aria-label="a point" w'
    """
    require()
    import vl_convert

    config = _merged(_CONFIG, spec.get("config", {}))
    whole = readable({"$schema": _SCHEMA, **spec, "config": config})
    drawn = vl_convert.vegalite_to_svg(whole, vl_version=_VERSION, allowed_base_urls=[])
    return _inline(drawn, str(spec.get("description", "chart")), links)


def readable(value: Any) -> Any:
    """The spec without characters that XML cannot hold: the renderer would end the process."""
    if isinstance(value, str):
        return visible(value)
    if isinstance(value, Mapping):
        return {name: readable(one) for name, one in value.items()}
    return [readable(one) for one in value] if isinstance(value, list | tuple) else value


def _merged(base: Mapping[str, Any], over: Mapping[str, Any]) -> Spec:
    merged = dict(base)
    for name, value in over.items():
        both = isinstance(value, Mapping) and isinstance(merged.get(name), Mapping)
        merged[name] = _merged(merged[name], value) if both else value
    return merged


def _inline(drawn: str, description: str, links: Sequence[Link]) -> str:
    text = _UNSEEN_TEXT.sub("", _EMPTY_PATH.sub("", drawn))
    # numbers to two places, without namespaces, fonts and what says nothing
    text = _ANY_TAG.sub(lambda tag: _NEEDLESS.sub("", _LONG_NUMBER.sub(_rounded, tag[0])), text)
    prefix = "c" + content_hash(text.encode("utf-8", "replace"), digits=8)
    text = re.sub(r'\bid="', f'id="{prefix}-', text).replace("url(#", f"url(#{prefix}-")
    for name, colour in _VARIABLES.items():
        text = text.replace(f'"{colour}"', f'"var(--{name}, {colour})"')
    label, role = escape(visible(description), quote=True), "group" if links else "img"
    text = text.replace("<svg ", f'<svg role="{role}" aria-label="{label}" ', 1)
    return visible(_LINK.sub(lambda tag: _open_link(tag[1], links), text))


def _open_link(number: str | None, links: Sequence[Link]) -> str:
    """The start of a link, whose title a browser shows under the pointer; what the renderer
    itself would lead to leads nowhere."""
    if number is None or int(number) >= len(links):
        return "<a>"
    link = links[int(number)]
    href, name = escape(link.href, quote=True), escape(visible(link.name), quote=True)
    return f'<a href="{href}" aria-label="{name}"><title>{name}</title>'


def _rounded(number: re.Match[str]) -> str:
    return f"{float(number[0]):.2f}".rstrip("0").rstrip(".")
