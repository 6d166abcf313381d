from __future__ import annotations

from assize.base.conversation import Continuation, Turn
from assize.reference._continuations.result import (
    DataSplit,
    SourceCount,
    SplitSide,
    Stratum,
    count_continuations,
    note_split,
)

HI = (Turn("user", "Hi"),)


def test_continuations_are_counted_by_who_wrote_the_candidate() -> None:
    items = [
        Continuation("1", HI, "x", (), "c", 1, "m"),
        Continuation("2", HI, "y", (), "d", 1),
        Continuation("3", HI, " ", (), "d", 1, "m"),
    ]
    made = count_continuations(items, {"why": 2}, ["told"], "k.jsonl", "abc")
    assert made.sources == [
        SourceCount("m", 1, 1),
        SourceCount("(not said)", 1, 1),
        SourceCount("(nobody yet)", 1, 1),
    ]
    assert made.tables["left_out"].rows == [["why", 2]]
    assert made.notes == ["told", "k.jsonl: 3 continuations"]
    assert (len(made), list(made)) == (3, items)
    assert made.to_json()["conversations"] == 2
    assert "items" not in made.to_json()


def test_a_split_shows_strata_where_there_are_several() -> None:
    sides = [SplitSide("train", 1, 1, "t.jsonl"), SplitSide("test", 0, 0)]
    alike = DataSplit({}, sides, [], "source", 1, 0.1)
    assert list(alike.tables) == ["sides"]
    assert note_split(sides, 0.1, judgments=0) == ["t.jsonl: 1 item"]
    strata = [Stratum("m", {"train": 1, "test": 0}), Stratum("n", {"train": 0, "test": 2})]
    table = DataSplit({}, sides, strata, "source", 2, 0.1).tables["strata"]
    assert [column.name for column in table.columns] == ["stratum", "train", "test"]
    assert table.rows == [["m", 1, 0], ["n", 0, 2]]
