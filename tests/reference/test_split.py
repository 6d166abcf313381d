from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from assize import Continuation, Conversation, Turn, read, reference, write
from assize.base.errors import ConfigError, DataError

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


def test_a_split_is_written_and_exported_side_by_side(tmp_path: Path) -> None:
    slots = reference.cut(CHATS, random_candidates=True)
    done = reference.split(slots.items, out=tmp_path / "split", seed=3)
    assert [(side.side, side.items) for side in done.sides] == [
        ("train", 32),
        ("validation", 4),
        ("test", 4),
    ]
    assert list(read(str(done.sides[2].file))) == list(done["test"])
    sent = reference.export(tmp_path / "split", out=tmp_path / "completions")
    assert list(sent.rows) == ["train", "validation", "test"]
    lines = Path(str(sent.inputs[1].file)).read_text().splitlines()
    assert [json.loads(line) for line in lines] == sent.rows["validation"]
    assert json.loads(lines[0])["completion"][0]["role"] == "assistant"


def test_two_shares_leave_validation_out_and_conversations_can_be_split_too() -> None:
    done = reference.split(CHATS, shares="3,1")
    assert [(side.side, side.conversations) for side in done.sides] == [("train", 15), ("test", 5)]


def test_conversations_are_cut_for_export_and_one_file_takes_them_all(tmp_path: Path) -> None:
    done = reference.export(CHATS, out=tmp_path / "all.jsonl")
    assert len((tmp_path / "all.jsonl").read_text().splitlines()) == 40
    assert done.inputs[0].file == str(tmp_path / "all.jsonl")


def test_the_largest_group_is_told_where_shares_cannot_come_out() -> None:
    alike = [Continuation(str(n), (Turn("user", "Hi"),), "x", ("y",), f"c{n}") for n in range(9)]
    other = Continuation("o", (Turn("user", "Ho"),), "x", ("y",), "o")
    done = reference.split([*alike, other], shares="50,50")
    assert sorted(side.items for side in done.sides) == [1, 9]
    assert done.notes == [
        "90% of the items hang together by conversation or context and stay on"
        " one side; the shares cannot come out as asked"
    ]


def test_several_inputs_want_a_folder_and_names_of_their_own(tmp_path: Path) -> None:
    for name in ("a/k.jsonl", "b/k.jsonl", "b/m.jsonl"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        write(tmp_path / name, CHATS[:1])
    with pytest.raises(ConfigError, match="2 inputs want a folder"):
        reference.export(tmp_path / "b", out=tmp_path / "x.jsonl")
    with pytest.raises(ConfigError, match="two inputs are called k"):
        reference.export([tmp_path / "a" / "k.jsonl", tmp_path / "b" / "k.jsonl"])
    (tmp_path / "empty").mkdir()
    with pytest.raises(DataError, match=r"no \.jsonl file in this folder"):
        reference.export(tmp_path / "empty")


def test_without_references_there_is_nothing_to_export() -> None:
    bare = Continuation("k", (Turn("user", "Hi"),), "x")
    with pytest.raises(DataError, match="give continuations with references"):
        reference.export([bare])


@pytest.mark.parametrize("name", ["mrbench", "reference-turns"])
def test_published_responses_are_split_by_conversation(
    name: str, corpus: Callable[[str], Path]
) -> None:
    done = reference.split(corpus(name))
    sides = [
        {one.conversation for one in side if isinstance(one, Continuation)}
        for side in done.items.values()
    ]
    assert not any(sides[a] & sides[b] for a, b in ((0, 1), (0, 2), (1, 2)))
    sizes = [side.items for side in done.sides]
    assert sizes[0] / sum(sizes) == pytest.approx(0.8, abs=0.01)
