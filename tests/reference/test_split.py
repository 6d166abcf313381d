from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from assize import Continuation, Conversation, Turn, read, reference, simulate

CHATS = [
    Conversation(
        f"c{n}",
        (
            Turn("user", f"q{n}"),
            Turn("assistant", f"a{n}"),
            Turn("user", "ok"),
            Turn("assistant", f"b{n}"),
        ),
    )
    for n in range(20)
]


def test_a_split_is_written_side_by_side(tmp_path: Path) -> None:
    slots = simulate.candidates(CHATS, no_random=True, quiet=True)
    done = reference.split(slots.records, out=tmp_path / "split", seed=3)
    assert [(side.side, side.items) for side in done.sides] == [
        ("train", 32),
        ("validation", 4),
        ("test", 4),
    ]
    assert list(read(str(done.sides[2].file))) == list(done["test"])


def test_two_shares_leave_validation_out_and_conversations_can_be_split_too() -> None:
    done = reference.split(CHATS, shares="3,1")
    assert [(side.side, side.conversations) for side in done.sides] == [("train", 15), ("test", 5)]
    assert list(done.tables) == ["sides"]


def test_strata_are_shown_where_there_are_several() -> None:
    said = [Continuation(f"{n}", (Turn("user", f"q{n}"),), "x", ("y",), f"c{n}") for n in range(8)]
    said = [replace(one, source="mn"[n % 2]) for n, one in enumerate(said)]
    table = reference.split(said, shares="50,50").tables["strata"]
    assert [column.name for column in table.columns] == ["stratum", "train", "test"]
    assert sorted(map(list, table.rows)) == [["m", 2, 2], ["n", 2, 2]]


def test_the_largest_group_is_told_where_shares_cannot_come_out() -> None:
    alike = [Continuation(str(n), (Turn("user", "Hi"),), "x", ("y",), f"c{n}") for n in range(9)]
    other = Continuation("o", (Turn("user", "Ho"),), "x", ("y",), "o")
    done = reference.split([*alike, other], shares="50,50")
    assert sorted(side.items for side in done.sides) == [1, 9]
    assert done.notes == [
        "90% of the items hang together by conversation or context and stay on"
        " one side; the shares cannot come out as asked"
    ]
