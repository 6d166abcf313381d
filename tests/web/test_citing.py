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


def test_each_number_of_a_bracket_is_a_link() -> None:
    assert shown("So [1, 2] and 【1】.").count('href="#s-1"') == 2


def test_a_number_without_a_source_is_marked() -> None:
    assert '<span class="uncited" title="There is no such source.">9</span>' in shown("So [9].")


@pytest.mark.parametrize("text", ["`a [1]`", "```\n[1]\n```", "a[1]", "[one]", "x = 1"])
def test_code_and_plain_brackets_are_left_alone(text: str) -> None:
    assert "<a" not in shown(text)


def test_hostile_text_stays_text() -> None:
    found = shown('<img src=x onerror=alert(1)> [1"><script>x</script>] [1]')
    assert "<img" not in found
    assert "<script" not in found
    assert found.count("<a ") == 1


def test_the_cited_numbers_are_told_in_their_order() -> None:
    assert cited_markdown("[2] and [1], [2]", SOURCES, {"1": "a", "2": "b"})[1] == ("2", "1")
