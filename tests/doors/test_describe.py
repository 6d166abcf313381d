from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from assize import Conversation, Judgment, JudgmentTable, Pair, Turn, check, write
from assize._doors.data_card.card import DataCard
from assize.base.errors import ConfigError, DataError

CHAT = Conversation("c", (Turn("user", "Hi"), Turn("assistant", "Yes?")))
ROW = Judgment("c", "ann", "q", score=1.0)


def card_of(items: Any) -> DataCard:
    """The card with which a set is described."""
    card = check(items, describe=True).card
    assert isinstance(card, DataCard)
    return card


def test_files_and_memory_are_described_alike(tmp_path: Path) -> None:
    write(tmp_path / "c.jsonl", [CHAT])
    write(tmp_path / "j.jsonl", [ROW])
    files = card_of([tmp_path / "c.jsonl", tmp_path / "j.jsonl"])
    assert files.name == "c.jsonl, j.jsonl"
    memory = card_of([CHAT, ROW])
    table = card_of([CHAT, JudgmentTable.of([ROW])])
    assert files.measured == memory.measured == table.measured


def test_the_gold_of_pairs_is_a_label() -> None:
    a, b = ((Turn("assistant", text),) for text in "ab")
    pairs = [
        Pair("p", CHAT.turns[:1], a, b, gold="A"),
        Pair("q", CHAT.turns[:1], a, b, gold={"tone": "B", "overall": "tie"}),
        Pair("r", CHAT.turns[:1], a, b),
    ]
    found = card_of(pairs).measured
    assert {one.question: one.gold for one in found.labels} == {
        "preference": 1,
        "tone": 1,
        "overall": 1,
    }


def test_a_card_is_written_and_named_by_its_provenance(tmp_path: Path) -> None:
    (tmp_path / "p.yaml").write_text("name: Chats\nlicence: CC0\n")
    provenance = tmp_path / "p.yaml"
    assert check(iter([CHAT]), provenance=provenance).card is not None
    check(CHAT, provenance=provenance, card=tmp_path / "card.md")
    text = (tmp_path / "card.md").read_text()
    assert text.startswith("# Chats\n")
    assert "| licence |  | CC0 |" in text


@pytest.mark.parametrize(
    ("items", "message"), [([ROW], "give what was judged"), ("-", "save it as a file")]
)
def test_judgments_alone_and_what_is_read_once_cannot_be_described(
    items: Any, message: str
) -> None:
    with pytest.raises((ConfigError, DataError), match=message):
        check(items, describe=True)


def test_check_describes_what_it_could_read(tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    write(path, [CHAT, CHAT])
    path.write_text(path.read_text() + '{"id": "b"\n')
    found = check([path, tmp_path / "none.jsonl"], describe=True)
    assert list(found.tables) == ["files", "findings", "counts", "lengths", "properties"]
    assert found.to_json()["card"]["items"] == {"conversations": 2}
    assert len(found.problems) == 2
    assert check(tmp_path / "none.jsonl", describe=True).card is None
    assert check(path).card is None


@pytest.mark.parametrize(
    ("name", "conversations", "history", "judged"),
    [
        ("reference-turns", 306, 463.9, 62.4),
        ("mrbench", 229, 877.6, 170.0),
    ],
)
def test_published_sets_have_a_card(
    name: str, conversations: int, history: float, judged: float, corpus: Callable[[str], Path]
) -> None:
    found = card_of(corpus(name)).measured
    assert found.conversations == conversations
    means = {row.length_of: row.mean for row in found.lengths}
    assert means["the turns before it, in characters"] == pytest.approx(history, abs=0.05)
    assert means["a response, in characters"] == pytest.approx(judged, abs=0.05)
