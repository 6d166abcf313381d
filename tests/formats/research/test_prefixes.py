from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from assize.formats.research.prefixes import conversations

turn = st.tuples(st.sampled_from(["user", "assistant"]), st.sampled_from(["a", "b"]))
histories = st.lists(st.lists(turn, max_size=5), max_size=12)


def joined(table: list[list[tuple[str, str]]]) -> list[int]:
    """Group numbers by the definition: the closure of "one is a prefix of the other"."""
    group = list(range(len(table)))
    for one, first in enumerate(table):
        for two, second in enumerate(table):
            short, long = sorted((first, second), key=len)
            if first == second or (short and long[: len(short)] == short):
                old, new = group[two], group[one]
                group = [new if number == old else number for number in group]
    return group


@given(histories)
def test_groups_are_those_of_the_definition(table: list[list[tuple[str, str]]]) -> None:
    found, expected = conversations(table, "x"), joined(table)
    for one in range(len(table)):
        for two in range(len(table)):
            assert (found[one] == found[two]) == (expected[one] == expected[two])


@given(st.data(), histories)
def test_ids_do_not_depend_on_the_order_of_the_rows(
    data: st.DataObject, table: list[list[tuple[str, str]]]
) -> None:
    order = data.draw(st.permutations(range(len(table))))
    found = conversations(table, "x")
    again = conversations([table[place] for place in order], "x")
    assert [found[place] for place in order] == again


def test_turns_that_only_open_alike_stay_apart() -> None:
    table = [[("user", "Hi"), ("assistant", one)] for one in ("a", "b")]
    assert len(set(conversations(table, "x"))) == 2
    assert len(set(conversations([*table, [("user", "Hi")]], "x"))) == 1


def test_where_a_turn_ends_matters() -> None:
    assert len(set(conversations([[("user", "ab")], [("user", "a"), ("user", "b")]], "x"))) == 2
