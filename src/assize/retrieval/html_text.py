"""HTML to plain text: what a reader of the page sees, and nothing that runs or hides.

The page is read in one pass from left to right, so no page takes longer than its length asks for;
the parser of the standard library takes hours over some that are made to be slow.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import unescape

MOST = 20_000_000  # characters of a page that are read

_RAW = frozenset(
    ("script", "style", "noscript", "template", "iframe", "textarea", "xmp", "noembed", "noframes")
)
_UNSEEN = _RAW | {
    "svg", "math", "object", "canvas", "head", "select", "datalist", "audio", "video",
}  # fmt: skip
_BLOCKS = frozenset((
    "address", "article", "aside", "blockquote", "br", "dd", "div", "dl", "dt", "fieldset",
    "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr",
    "li", "main", "nav", "ol", "option", "p", "pre", "section", "table", "tbody", "td", "tfoot",
    "th", "thead", "tr", "ul",
))  # fmt: skip
_VOID = frozenset((
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
    "track", "wbr",
))  # fmt: skip
_ENDS_BY_ITSELF = frozenset(("p", "li", "dd", "dt", "td", "th", "tr", "option"))
_NAME = re.compile(r"/?[a-zA-Z][^\s/>]*")
_HIDDEN = re.compile(
    r"""\s(?:hidden(?=[\s=/]|$)|aria-hidden\s*=\s*["']?true|"""
    r"""style\s*=\s*["']?[^"'<>]{0,2000}?(?:display\s*:\s*none|visibility\s*:\s*hidden))""",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class PageText:
    """What a page says."""

    title: str
    text: str


def html_text(html: str) -> PageText:
    r"""The title and the text that a browser shows, a line a block.

    Left out is what runs (scripts), what styles, and what is marked as hidden, for hidden text
    is where instructions to models are put. Style sheets are not followed, so text that only
    they hide stays. Of a page longer than 20 million characters the rest is left out.

    >>> html_text("<title>Keys</title><p>Rotate<script>x()</script> them.<p hidden>Obey.</p>")
    PageText(title='Keys', text='Rotate them.')
    >>> html_text("<html><head><title>Keys</title></head><body>Rotate them.</body></html>").title
    'Keys'
    """
    seen = _Seen()
    for kind, piece, attributes in _pieces(html[:MOST]):
        if kind == "text":
            seen.add(unescape(piece))
        elif kind == "title":
            if seen.unseen in ([], ["head"]):
                seen.title = seen.title or " ".join(unescape(piece).split())
        elif kind == "start":
            seen.start(piece, attributes)
        else:
            seen.end(piece)
    kept = (" ".join(line.split()) for line in "".join(seen.text).split("\n"))
    return PageText(seen.title, "\n".join(line for line in kept if line))


@dataclass
class _Seen:
    """Text outside of unseen elements; what is not closed ends with what holds it."""

    title: str = ""
    text: list[str] = field(default_factory=list)
    unseen: list[str] = field(default_factory=list)  # open elements, the outermost unseen

    def add(self, text: str) -> None:
        if not self.unseen:
            self.text.append(text)

    def start(self, tag: str, attributes: str) -> None:
        if tag == "body" or (
            self.unseen and _closes(tag, self.unseen)
        ):  # a head that is not closed ends here
            self.unseen.clear()
        if tag not in _VOID and not attributes.endswith("/"):
            if self.unseen:
                if tag == self.unseen[0]:
                    self.unseen.append(tag)
            elif tag in _UNSEEN or _HIDDEN.search(attributes):
                self.unseen.append(tag)
        if tag in _BLOCKS:
            self.text.append("\n")

    def end(self, tag: str) -> None:
        if self.unseen and tag == self.unseen[0]:
            self.unseen.pop()
        if tag in _BLOCKS:
            self.text.append("\n")


def _closes(tag: str, unseen: list[str]) -> bool:
    """Whether the tag ends an element that needs no end of its own, such as a paragraph."""
    if len(unseen) != 1 or unseen[0] not in _ENDS_BY_ITSELF:
        return False
    return tag == unseen[0] or (unseen[0] == "p" and tag in _BLOCKS and tag != "br")


def _pieces(html: str) -> Iterator[tuple[str, str, str]]:
    """`text`, `title`, `start` and `end` in order; what breaks off ends the page, as in HTML."""
    at, size, titled = 0, len(html), True
    lowered = html.lower() if html.isascii() else html.translate(_LOWER)
    while at < size:
        found = html.find("<", at)
        if found < 0:
            yield "text", html[at:], ""
            return
        if found > at:
            yield "text", html[at:found], ""
        name = _NAME.match(html, found + 1, found + 100)
        if name is None:
            if html[found + 1 : found + 2] not in ("!", "?", "/"):
                yield "text", "<", ""
                at = found + 1
                continue
            mark = "-->" if html.startswith("<!--", found) else ">"
            end = html.find(mark, found + 1)
            at = size if end < 0 else end + len(mark)
            continue
        end = _tag_end(html, name.end())
        if end < 0:
            return
        tag, at = name[0].lower(), end + 1
        if tag.startswith("/"):
            yield "end", tag[1:], ""
            continue
        if tag == "title":
            close = lowered.find("</title", at) if titled else -1
            titled = close >= 0  # where one is not closed none after it is
            yield "title", html[at : max(at, close)], ""
            at = max(at, close)
            continue
        if tag in _RAW:
            at = lowered.find(f"</{tag}", at)
            if at < 0:
                return
        yield "start", tag, f" {html[name.end() : end].strip()}"


_LOWER = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}


def _tag_end(html: str, at: int) -> int:
    """Where a tag's `>` stands, those in quoted values aside; -1 where there is none."""
    while True:
        end = html.find(">", at)
        if end < 0:
            return -1
        quoted = _quote(html, at, end)
        if quoted is None:
            return end
        start, mark = quoted
        close = html.find(mark, start + 1)
        if close < 0:
            return -1
        at = close + 1


def _quote(html: str, at: int, end: int) -> tuple[int, str] | None:
    """The first quotation mark of a value between two places, and which."""
    found = _VALUE.search(html, at, end)
    return None if found is None else (found.end() - 1, found[0][-1])


_VALUE = re.compile(r"""=\s*["']""")
