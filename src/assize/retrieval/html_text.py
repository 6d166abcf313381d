"""HTML to plain text: what a reader of the page sees, and nothing that runs or hides.

The page is read in one pass from left to right, so no page takes longer than its length asks for;
the parser of the standard library takes hours over some that are made to be slow.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import unescape

MOST = 20_000_000  # characters of a page that are read

_RAW = frozenset(
    ("script", "style", "noscript", "template", "iframe", "textarea", "xmp", "noembed", "noframes")
)
_UNSEEN = _RAW | {
    "svg",
    "math",
    "object",
    "canvas",
    "head",
    "select",
    "datalist",
    "audio",
    "video",
}
_BLOCKS = frozenset((
    "address", "article", "aside", "blockquote", "br", "caption", "center", "dd", "details",
    "dialog", "dir", "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "h1",
    "h2", "h3", "h4", "h5", "h6", "header", "hgroup", "hr", "legend", "li", "listing", "main",
    "menu", "nav", "ol", "optgroup", "option", "p", "pre", "search", "section", "summary", "table",
    "tbody", "td", "tfoot", "th", "thead", "tr", "ul",
))  # fmt: skip
_CLOSES_P = _BLOCKS - {"br", "caption", "legend", "optgroup", "option"}
_SPACED = frozenset(("button", "input", "meter", "progress", "select", "textarea"))
_VOID = frozenset(
    (
        "area",
        "base",
        "br",
        "col",
        "embed",
        "hr",
        "img",
        "input",
        "link",
        "meta",
        "param",
        "source",
        "track",
        "wbr",
    )
)
_ENDS_BY_ITSELF = frozenset(("p", "li", "dd", "dt", "td", "th", "tr", "option"))
_NAME = re.compile(r"/?[a-zA-Z][^\s/>]*")
_QUOTED = re.compile(r"""=\s*(?:"[^"]*"|'[^']*')""")
_HIDDEN = re.compile(r"[\s/](?:hidden|popover)(?=[\s=/]|$)", re.IGNORECASE)
_OPEN = re.compile(r"[\s/]open(?=[\s=/]|$)", re.IGNORECASE)
# An attribute begins behind a blank, a slash, or the quotation mark that ends the one before.
_UNREAD = re.compile(r"""[\s/"']aria-hidden\s*=\s*["']?true""", re.IGNORECASE)
_STYLE = re.compile(r"""[\s/"']style\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.IGNORECASE)
_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_ESCAPE = re.compile(r"\\(?:([0-9a-f]{1,6})(?:\r\n|\s)?|([^\n\r\f]))", re.IGNORECASE)
_ZERO = r"[+-]?(?:0+(?:\.0*)?|\.0+)(?:e[+-]?\d+)?(?:%|[a-z]{1,4})?(?![\w.%])"
_HIDES = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)"
    rf"|(?<![\w-])(?:opacity|font-size)\s*:\s*{_ZERO}",
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
            elif tag in _UNSEEN or _is_hidden(tag, attributes):
                self.unseen.append(tag)
        self._part(tag)

    def end(self, tag: str) -> None:
        if self.unseen and tag == self.unseen[0]:
            self.unseen.pop()
        self._part(tag)

    def _part(self, tag: str) -> None:
        """Keeps words apart that stand on both sides of a tag."""
        if tag in _BLOCKS:
            self.text.append("\n")
        elif tag in _SPACED and not self.unseen:
            self.text.append(" ")


def _is_hidden(tag: str, attributes: str) -> bool:
    """Whether an element is marked as hidden, by an attribute or by its own style."""
    bare = _QUOTED.sub("= ", attributes)  # a title may speak of what is hidden
    if _HIDDEN.search(bare) or (tag == "dialog" and not _OPEN.search(bare)):
        return True
    if _UNREAD.search(attributes):
        return True
    styles = (_read_style(unescape("".join(style))) for style in _STYLE.findall(attributes))
    return any(_HIDES.search(style) is not None for style in styles)


def _read_style(style: str) -> str:
    r"""The declarations as CSS reads them: without comments, escapes resolved.

    >>> _read_style(r"d\69splay:/* no */none")
    'display: none'
    """
    return _ESCAPE.sub(_resolve, _COMMENT.sub(" ", style))


def _resolve(escape: re.Match[str]) -> str:
    """The character that a CSS escape stands for; U+FFFD where there is none."""
    if escape[1] is None:
        return escape[2]
    number = int(escape[1], 16)
    return chr(number) if 0 < number < 0x110000 and not 0xD800 <= number < 0xE000 else "\ufffd"


def _closes(tag: str, unseen: list[str]) -> bool:
    """Whether the tag ends an element that needs no end of its own, such as a paragraph."""
    if len(unseen) != 1 or unseen[0] not in _ENDS_BY_ITSELF:
        return False
    return tag == unseen[0] or (unseen[0] == "p" and tag in _CLOSES_P)


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
        quoted = _VALUE.search(html, at, end)
        if quoted is None:
            return end
        close = html.find(quoted[0][-1], quoted.end())
        if close < 0:
            return -1
        at = close + 1


_VALUE = re.compile(r"""=\s*["']""")


_HEAD = 1024  # bytes in which a page has to name its encoding, as browsers want it
_NAMED = re.compile(
    rb"""<meta\s[^>]*?charset\s*=\s*["']?\s*([\w.:-]{1,40})"""
    rb"""|<\?xml\s[^>]*?encoding\s*=\s*["']([\w.:-]{1,40})""",
    re.IGNORECASE,
)
_AS_BROWSERS_DO = {
    "ascii": "cp1252",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "tis-620": "cp874",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
    "big5": "big5hkscs",
}
_TEXT = re.compile(r"cp\d+|iso8859-\d+|koi8-\w|mac-\w+|gb18030|big5\w*|euc_\w+|johab")
_MARKS = {codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}


def html_decoded(data: bytes) -> tuple[str, bool]:
    """The text, and whether all of it could be read.

    UTF-8 where the bytes are that; else by the encoding that `<meta charset>`, `<meta http-equiv>`
    or the XML declaration names; else UTF-8 with a stand-in for each byte that is none.

    >>> html_decoded(b'<meta charset="iso-8859-2">\\xb1')
    ('<meta charset="iso-8859-2">ą', True)
    """
    marked = _MARKS.get(data[:2])
    if marked is not None:
        return data.decode(marked, errors="replace"), True
    try:
        return data.decode("utf-8-sig"), True
    except UnicodeDecodeError:
        named = _named(data[:_HEAD])
    return data.decode(named or "utf-8-sig", errors="replace"), named is not None


def _named(head: bytes) -> str | None:
    """The codec of the encoding that is named, where it is one of text."""
    found = _NAMED.search(head)
    if found is None:
        return None
    try:
        name = codecs.lookup((found[1] or found[2]).decode("ascii")).name
    except (LookupError, ValueError):
        return None
    name = _AS_BROWSERS_DO.get(name, name)
    return name if _TEXT.fullmatch(name) else None
