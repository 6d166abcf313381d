"""Markdown of strangers as HTML that can do nothing: links lead nowhere, images are words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from html import escape
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markupsafe import Markup

from assize.results.escape import visible

LONGEST = 50_000  # characters; longer texts stand as they are
MOST_MARKS = 4_000  # the same: reading takes time that grows with their square
_MARKS = re.compile(r"[\[\]|*_~`<&#\\]")


class _Inert(RendererHTML):
    """Writes the address behind a link's words, and an image as its description."""

    @staticmethod
    def renderAttrs(token: Token) -> str:  # noqa: N802
        """An element's attributes, without the inline style of an aligned cell."""
        token.attrs.pop("style", None)
        return RendererHTML.renderAttrs(token)

    def link_open(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        """A span that carries the address as its title."""
        address = escape(str(tokens[idx].attrGet("href") or ""))
        env.setdefault("links", []).append(address)
        return f'<span class="link" title="{address}">'

    def link_close(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        """Its end, and the address for all to see."""
        address = env["links"].pop()
        return f'</span> <span class="address">({address})</span>' if address else "</span>"

    def image(self, tokens: Sequence[Token], idx: int, options: Any, env: Any) -> str:
        """What the image is said to show."""
        return f'<span class="image">[image: {escape(tokens[idx].content)}]</span>'


def _parser(*, breaks: bool) -> MarkdownIt:
    settings = {"html": False, "linkify": False, "breaks": breaks, "maxNesting": 20}
    parser = MarkdownIt("commonmark", settings, renderer_cls=_Inert)
    return parser.enable(["table", "strikethrough"])


_CHAT, _PROSE = _parser(breaks=True), _parser(breaks=False)


@lru_cache(maxsize=4096)
def markdown(text: str) -> Markup:
    """A text as HTML: emphasis, lists, tables and code; nothing that asks, runs or leads away.

    Lines end where they end in the text, as people and assistants write.

    >>> markdown("**a** <b> [x](javascript:1)")
    Markup('<p><strong>a</strong> &lt;b&gt; [x](javascript:1)</p>\\n')
    """
    return _rendered(_CHAT, text)


@lru_cache(maxsize=256)
def prose(text: str) -> Markup:
    """As `markdown`, for files whose lines were broken to fit: instructions and definitions."""
    return _rendered(_PROSE, text)


def plain(text: str) -> Markup:
    """A text as it was written, signs and line ends and all.

    >>> plain("**a** <b>")
    Markup('<p class="plain">**a** &lt;b&gt;</p>')
    """
    return Markup('<p class="plain">{}</p>').format(visible(text))


def _rendered(parser: MarkdownIt, text: str) -> Markup:
    safe = visible(text)
    if len(safe) > LONGEST or len(_MARKS.findall(safe)) > MOST_MARKS:
        return plain(text)
    return Markup(parser.render(safe))  # noqa: S704
