"""Citations point to sources that were shown, or to none."""

from __future__ import annotations

import pytest

from assize.conversation import Reference
from assize.simulation.dialogues.citations import citations, linked

SHOWN = (Reference("1"), Reference("2"), Reference("3"))


@pytest.mark.parametrize(
    ("text", "known", "unknown"),
    [
        ("So it is [1], and so [1].", ("1",), ()),
        ("Both [3, 1] and [2; 9].", ("3", "1", "2"), ("9",)),
        ("As linked [[2]](http://a.org) and keys[1].", ("2", "1"), ()),
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
