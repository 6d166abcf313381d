"""Markup of this package as inert data, of which the script of a page makes elements when shown.

A browser reads 10 MB of such data in a fraction of a second, and takes seconds for as much markup.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from html import unescape
from typing import Any

from markupsafe import Markup

_PIECE = re.compile(r"<(/?)([a-z][a-z0-9]*)([^<>]*?)(/?)>|([^<]+)")
_ATTRIBUTE = re.compile(r'([a-zA-Z][\w-]*)(?:="([^"]*)")?')
_VOID = {"br", "hr", "img", "input", "wbr"}


def inert(items: Iterable[Markup]) -> Markup:
    """Elements as JSON for a `<script type="application/json">`, each tag written once.

    Whatever a text holds stays a text: it is data here, and a text node on the page.

    Args:
        items: what the templates of this package made, one element each.

    Returns:
        `{"tags": [[name, {attribute: value}], ...], "items": [node, ...]}`; a node is a text or
        `[place among the tags, *children]`.

    >>> inert([Markup('<p class="a">1 &lt; 2 <b>x</b></p>')])
    Markup('{"tags":[["p",{"class":"a"}],["b",{}]],"items":[[0,"1 \\\\u003c 2 ",[1,"x"]]]}')
    """
    places: dict[str, int] = {}
    tags: list[tuple[str, dict[str, str]]] = []
    nodes: list[Any] = []
    for one in items:
        _read(str(one), places, tags, nodes)
    whole = {"tags": tags, "items": nodes}
    text = json.dumps(whole, ensure_ascii=False, separators=(",", ":"))
    # Neither the end of the script nor a comment can stand in it, nor what ends a line in one.
    for char in "<>&\u2028\u2029":
        text = text.replace(char, f"\\u{ord(char):04x}")
    return Markup(text)  # noqa: S704


def _read(
    text: str, places: dict[str, int], tags: list[tuple[str, dict[str, str]]], nodes: list[Any]
) -> None:
    """Adds the elements of a text that the templates made, where all is closed and escaped."""
    opened = [nodes]
    for end, name, rest, closed, words in _PIECE.findall(text):
        if words:
            if words.strip(" \n") or "\n" not in words:  # else a line of a template
                opened[-1].append(unescape(words))
        elif end:
            opened.pop()
        else:
            whole = name + rest
            if whole not in places:
                places[whole] = len(tags)
                found = _ATTRIBUTE.findall(rest)
                tags.append((name, {one: unescape(value) for one, value in found}))
            node: list[Any] = [places[whole]]
            opened[-1].append(node)
            if not closed and name not in _VOID:
                opened.append(node)
