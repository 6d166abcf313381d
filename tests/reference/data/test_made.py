from __future__ import annotations

from assize.conversation import Continuation, Turn
from assize.reference.data.made import Continuations, DataSplit, ExportedCompletions

HI = (Turn("user", "Hi"),)


def test_continuations_are_counted_by_who_wrote_the_candidate() -> None:
    items = [
        Continuation("1", HI, "x", (), "c", 1, "m"),
        Continuation("2", HI, "y", (), "d", 1),
        Continuation("3", HI, " ", (), "d", 1, "m"),
    ]
    made = Continuations(items, "Cut", {"why": 2}, ["told"], "k.jsonl", "abc")
    assert made.tables["continuations"].rows == [
        ("m", 1, 1),
        ("(not said)", 1, 1),
        ("(nobody yet)", 1, 1),
    ]
    assert made.tables["left out"].rows == [("why", 2)]
    assert made.notes == ["told", "k.jsonl: 3 continuations"]
    assert (len(made), list(made)) == (3, items)
    assert made.to_json()["conversations"] == 2


def test_a_split_shows_strata_where_there_are_several() -> None:
    sides = {"train": (Continuation("1", HI, "x"),), "test": ()}
    one = DataSplit(
        sides,
        {"train": 1, "test": 0},
        {"train": {"m": 1}, "test": {}},
        "source",
        1,
        0.1,
        0,
        {"train": "t.jsonl"},
        "abc",
    )
    assert list(one.tables) == ["sides"]
    assert one.notes == ["t.jsonl: 1 item"]
    two = DataSplit(
        sides, {"train": 1, "test": 0}, {"train": {"m": 1}, "test": {"n": 2}}, "source", 2, 0.1
    )
    assert two.tables["strata"].rows == [("m", 1, 0), ("n", 0, 2)]


def test_an_export_tells_files_and_odd_prompts() -> None:
    rows = {"train": [{"conversation": "c"}, {"conversation": "c"}]}
    done = ExportedCompletions(rows, {"train": "t.jsonl"}, {"why": 1}, 1, "abc")
    assert done.tables["completions"].rows == [("train", 2, 1)]
    assert done.notes[0] == "t.jsonl: 2 rows"
    assert done.notes[1].startswith("1 prompt does not end")
