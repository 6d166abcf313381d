from __future__ import annotations

from pathlib import Path

import pytest

from assize.base.errors import DataError
from assize.formats import read

CSV = (
    "ticket,when,who,said,stars\n"
    "t1,3,bot,Hi there,5\nt2,1,user,Help,1\nt1,1,user,Hello,5\nt2,2,bot,With what?,1\n"
)
MAP = "role=who,text=said,id=ticket"


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "log.csv"
    path.write_text(CSV)
    return path


def test_rows_of_one_id_are_a_conversation_however_they_stand(table: Path) -> None:
    first, second = read(table, map=f"{MAP},time=when")
    assert [one.text for one in first.turns] == ["Hello", "Hi there"]  # type: ignore[union-attr]
    assert [one.text for one in second.turns] == ["Help", "With what?"]  # type: ignore[union-attr]


def test_without_a_time_the_order_is_the_file_s(table: Path) -> None:
    first, _ = read(table, map=MAP)
    assert [one.text for one in first.turns] == ["Hi there", "Hello"]  # type: ignore[union-attr]


def test_what_all_rows_share_is_the_conversation_s(table: Path) -> None:
    first, _ = read(table, map=MAP)
    assert first.metadata == {"stars": "5"}
    assert first.turns[0].extra["when"] == "3"  # type: ignore[union-attr]


def test_messages_without_an_id_say_what_is_missing(table: Path) -> None:
    with pytest.raises(DataError, match="as id=FIELD"):
        list(read(table, map="role=who,text=said"))


def test_questions_and_answers_are_conversations(tmp_path: Path) -> None:
    path = tmp_path / "qa.csv"
    path.write_text("q,a,lang\nHi,Hello,en\nBye,,en\n")
    one, two = read(path, map="user=q,assistant=a")
    assert [turn.role for turn in one.turns] == ["user", "assistant"]  # type: ignore[union-attr]
    assert [turn.text for turn in two.turns] == ["Bye"]  # type: ignore[union-attr]
    assert one.metadata == {"lang": "en"}


def test_an_empty_id_is_a_bad_record_among_good_ones(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_text("id,who,said\n,user,Hi\nc,user,Hello\n")
    found = read(path, map="id=id,role=who,text=said", on_error="skip")
    assert len(list(found)) == 1
    (bad,) = found.rejects
    assert "names the conversation" in str(bad)


def test_a_place_that_is_missing_is_a_bad_record(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_text("id,n,who,said\nc,,user,Hi\nc,2,user,Hello\n")
    with pytest.raises(DataError, match="n is empty"):
        list(read(path, map="id=id,role=who,text=said,turn=n"))
