from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assize.simulate._scrubber.patterns import Found, Room, patterned


def kinds(text: str) -> list[tuple[str, str]]:
    return [(one.kind, text[one.start : one.end]) for one in patterned(text)]


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("write to anna.s@firm.co.uk.", "MAIL", "anna.s@firm.co.uk"),
        ("call +49 171 555 1234 now", "PHONE", "+49 171 555 1234"),
        ("call (030) 5551234", "PHONE", "(030) 5551234"),
        ("card 4111 1111 1111 1111", "NUMBER", "4111 1111 1111 1111"),
        ("IBAN DE89 3704 0044 0532 0130 00", "NUMBER", "DE89 3704 0044 0532 0130 00"),
        ("order no. AB-77123", "NUMBER", "AB-77123"),
        ("ticket 4711 is open", "NUMBER", "4711"),
        ("from 192.168.10.4", "NUMBER", "192.168.10.4"),
        (
            "id 123e4567-e89b-12d3-a456-426614174000",
            "NUMBER",
            "123e4567-e89b-12d3-a456-426614174000",
        ),
        ("born 03/04/1985 in Rome", "DATE", "03/04/1985"),
        ("born on 4 March 1985", "DATE", "4 March 1985"),
        ("I live at 12 Baker Street, come", "PLACE", "12 Baker Street"),
        ("use sk-proj-abcdefghijklmnop1234", "KEY", "sk-proj-abcdefghijklmnop1234"),
        ("AKIAIOSFODNN7EXAMPLE", "KEY", "AKIAIOSFODNN7EXAMPLE"),
        ("password: hunter2!", "KEY", "hunter2!"),
        ("my password is Tr0ub4dor&3.", "KEY", "Tr0ub4dor&3"),
        ("postgres://ann:pw@db.example/x", "KEY", "postgres://ann:pw@db.example/x"),
        pytest.param("as [NAME 1] said", "LITERAL", "[NAME 1]", id="a placeholder is taken too"),
    ],
)
def test_what_has_a_look_is_found(text: str, kind: str, value: str) -> None:
    assert (kind, value) in kinds(text)


@pytest.mark.parametrize(
    "text",
    [
        "Windows 11 and Python 3.11.2 since 2021",
        "between 1990-2000 it cost 12,500 dollars",
        "the password is incorrect",
        "In step 3 of 12 add 250 ml, see chapter 4",
        "the order is late",
    ],
)
def test_everyday_figures_stay(text: str) -> None:
    assert kinds(text) == []


@given(st.text(alphabet="ab1 @.-:/+()[]NAME", max_size=60))
def test_what_is_found_does_not_overlap_and_runs_left_to_right(text: str) -> None:
    found = patterned(text)
    assert all(one.end <= two.start for one, two in itertools.pairwise(found))


def test_what_lies_over_a_taken_place_is_left() -> None:
    room = Room(8, [Found(2, 4, "KEY")])
    room.add(Found(3, 5, "NUMBER"), Found(4, 6, "NUMBER"), Found(0, 2, "NUMBER"))
    assert [(one.start, one.end) for one in room.found] == [(0, 2), (2, 4), (4, 6)]
