"""Citations in an answer, as links to the source that stands beside it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from markupsafe import Markup, escape

from assize.base.conversation import Reference
from assize.pages.markdown import markdown
from assize.simulate._recipes.citations import Citations, citations

_TAG = re.compile(r"(<[^>]*>)")
_WORDS = r"sources?|documents?|docs?|refs?|and"
_BRACKETS = re.compile(
    rf"(?<![A-Za-z0-9_\]])[\[【［](?:[\d\s.,:;#&，、；–—-]|\b(?:{_WORDS})\b|&amp;){{1,60}}"
    r"(?:†[^\]】\n]{0,60})?[\]】］]",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d{1,3}")
_VERBATIM = ("code", "pre")


def cited_markdown(
    text: str, sources: Sequence[Reference], anchors: Mapping[str, str], *, marks: bool = True
) -> tuple[Markup, tuple[str, ...]]:
    """An answer as HTML that can do nothing, in which citations lead to their sources.

    Code is left alone.

    Args:
        sources: all that the assistant was shown by then, numbered as it cites them.
        anchors: by number, the id of the source's element.
        marks: whether a number that stands for no source is marked as such.

    Returns:
        The HTML, and the numbers that are cited, in the order in which they are.
    """
    found = citations(text, sources)
    if not found.known and not found.unknown:
        return markdown(text), ()
    inside = 0
    parts: list[str] = []
    for part in _TAG.split(str(markdown(text))):
        if part.startswith("<"):
            name = part.strip("</>").split(" ")[0]
            inside += (name in _VERBATIM) * (-1 if part.startswith("</") else 1)
        elif not inside:
            part = _BRACKETS.sub(lambda one: _linked(one[0], found, anchors, marks=marks), part)
        parts.append(part)
    return Markup("".join(parts)), found.known  # noqa: S704


def _linked(bracket: str, found: Citations, anchors: Mapping[str, str], *, marks: bool) -> str:
    def link(one: re.Match[str]) -> str:
        number = str(int(one[0]))
        if number in found.known:
            where = escape(f"#{anchors[number]}")
            return f'<a class="cite" href="{where}" aria-label="Source {number}">{one[0]}</a>'
        if marks and number in found.unknown:
            return f'<span class="uncited" title="There is no such source.">{one[0]}</span>'
        return one[0]

    return _NUMBER.sub(link, bracket)
