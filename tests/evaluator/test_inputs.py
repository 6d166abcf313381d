"""What commands on evaluators are given."""

from __future__ import annotations

from pathlib import Path

from assize import Conversation, Turn
from assize.evaluator._inputs import corpora_in, read_twice
from assize.formats import write


def test_what_can_be_read_once_is_kept() -> None:
    kept = read_twice(iter("ab"))
    assert (kept.source, kept.single_pass) == (["a", "b"], False)
    assert read_twice("chats.jsonl").source == "chats.jsonl"


def test_each_file_is_a_corpus_and_what_is_in_memory_one_more(tmp_path: Path) -> None:
    chats = [Conversation(name, (Turn("user", "?"),)) for name in "ab"]
    write(tmp_path / "one.jsonl", chats[:1])
    found = corpora_in([str(tmp_path / "one.jsonl"), chats[1]])
    assert {name: [one.id for one in some] for name, some in found.items()} == {
        "one.jsonl": ["a"],
        "items": ["b"],
    }
