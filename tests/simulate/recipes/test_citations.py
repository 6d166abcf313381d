"""Citations point to sources that were shown, or to none."""

from __future__ import annotations

import pytest

from assize.base.conversation import Reference
from assize.simulate._recipes.citations import citations, linked

SHOWN = (Reference("1"), Reference("2"), Reference("3"))


@pytest.mark.parametrize(
    ("text", "known", "unknown"),
    [
        ("So it is [1], and so [1].", ("1",), ()),
        ("Both [3, 1] and [2; 9].", ("3", "1", "2"), ("9",)),
        ("As linked [[2]](http://a.org) and keys [1].", ("2", "1"), ()),
        ("All of [1-3], and [2–9].", ("1", "2", "3"), ("4", "5", "6", "7", "8", "9")),
        ("Both [1, 2], [3 - 1] and [Sources 1 and 9].", ("1", "2", "3"), ("9",)),
        ("So 【2】 and 【3†source】 and [Source 1, Source 8].", ("2", "3", "1"), ("8",)),
        ("In array[3], x_[1] m[0][2] and a[1:3, 2].", (), ()),
        ("如上所述[1]。另见［2、3］。", ("1", "2", "3"), ()),
        ("[100-900] and [1-2024] and [- 1]", (), ("100", "900")),
        ("Call `a[0]` or ```\nb[1]\n``` then.", (), ()),
        ("[0] and [04] and [2024]", (), ("0", "4")),
        ("[a] [1a] []", (), ()),
    ],
)
def test_what_a_text_cites(text: str, known: tuple[str, ...], unknown: tuple[str, ...]) -> None:
    found = citations(text, SHOWN)
    assert (found.known, found.unknown) == (known, unknown)


def test_without_sources_every_number_is_of_none() -> None:
    assert citations("See [1].", ()).unknown == ("1",)


def test_sources_say_whether_they_are_cited_and_stay_what_they_were() -> None:
    one, two = linked((Reference("1", "A", "a", {"page": "p"}), Reference("2")), ["1"])
    assert (one.title, one.extra) == ("A", {"page": "p", "cited": True})
    assert two.extra == {"cited": False}
