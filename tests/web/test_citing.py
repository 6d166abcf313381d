"""Citations become links; nothing else does."""

from __future__ import annotations

import pytest

from assize.base.conversation import Reference
from assize.web._citing import cited_markdown

SOURCES = [Reference("1"), Reference("2")]


def shown(text: str) -> str:
    return str(cited_markdown(text, SOURCES, {"1": "s-1", "2": "s-2"})[0])


def test_a_citation_leads_to_its_source() -> None:
    assert shown("So [2].") == (
        '<p>So [<a class="cite" href="#s-2" aria-label="Source 2">2</a>].</p>\n'
    )


@pytest.mark.parametrize(
    ("text", "part", "count"),
    [
        ("So [1, 2] and 【1】.", 'href="#s-1"', 2),
        ("So [9].", '<span class="uncited" title="There is no such source.">9</span>', 1),
        ("`a [1]`", "<a", 0),
        ("```\n[1]\n```", "<a", 0),
        ("a[1]", "<a", 0),
        ("[one]", "<a", 0),
        ("x = 1", "<a", 0),
    ],
    ids=[
        "each number of a bracket is a link",
        "a number without a source is marked",
        "code in a line is left alone",
        "a block of code is left alone",
        "an index is left alone",
        "a word is left alone",
        "a number without brackets is left alone",
    ],
)
def test_numbers_in_brackets_alone_are_citations(text: str, part: str, count: int) -> None:
    assert shown(text).count(part) == count


def test_hostile_text_stays_text() -> None:
    found = shown('<img src=x onerror=alert(1)> [1"><script>x</script>] [1]')
    assert "<img" not in found
    assert "<script" not in found
    assert found.count("<a ") == 1


def test_the_cited_numbers_are_told_in_their_order() -> None:
    assert cited_markdown("[2] and [1], [2]", SOURCES, {"1": "a", "2": "b"})[1] == ("2", "1")
