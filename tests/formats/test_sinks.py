"""Where the records of a conversion go."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from assize.base.conversation import Conversation, Pair, Turn
from assize.base.judgment import Judgment
from assize.formats import Record
from assize.formats.reading import iter_records, open_records
from assize.formats.sinks import is_folder, judgments_beside, open_sink

USER, BOT = (Turn("user", "hi"),), (Turn("assistant", "ho"),)
TALK, PAIR = Conversation("c", USER + BOT), Pair("p", USER, BOT, USER, gold="A")
JUDGMENT = Judgment("c", "j", "q", answer="1")


def put(
    out: Path | str, *records: Record, to: str | None = None
) -> tuple[dict[str, int], str | None]:
    """What a sink says of the records given to it: how many went where, and the judgments' file."""
    with open_sink(out, to) as sink:
        for record in records:
            sink.put(record)
    judgments = sink.finish()
    return {Path(name).name: kinds.total() for name, kinds in sink.files.items()}, judgments


def test_a_stream_gets_everything_as_json_lines(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    assert put("-", TALK, JUDGMENT) == ({"-": 2}, None)
    lines = capfdbinary.readouterr().out.splitlines()
    assert [sorted(json.loads(line))[0] for line in lines] == ["id", "answer"]


@pytest.mark.parametrize(
    ("to", "suffix"),
    [(None, "jsonl"), ("assize", "jsonl"), ("assize-parquet", "parquet")],
)
def test_a_folder_gets_a_file_a_kind(to: str | None, suffix: str, tmp_path: Path) -> None:
    out = tmp_path / "corpus"
    files, judgments = put(out, TALK, JUDGMENT, TALK, to=to)
    assert files == {f"conversations.{suffix}": 2, f"judgments.{suffix}": 1}
    assert judgments == str(out / f"judgments.{suffix}")
    assert list(iter_records(out / f"conversations.{suffix}")) == [TALK, TALK]


def test_a_folder_in_another_format_keeps_judgments_in_our_own(tmp_path: Path) -> None:
    files, _ = put(tmp_path / "corpus", TALK, JUDGMENT, to="openai")
    assert files == {"conversations.jsonl": 1, "judgments.jsonl": 1}
    with open_records(tmp_path / "corpus" / "conversations.jsonl") as opened:
        assert opened.format.name == "openai"
    assert list(iter_records(tmp_path / "corpus" / "judgments.jsonl")) == [JUDGMENT]


def test_a_folder_of_turns_has_tables_of_conversations(tmp_path: Path) -> None:
    files, _ = put(tmp_path / "corpus", TALK, JUDGMENT, to="turns-csv")
    assert files == {"conversations.csv": 1, "judgments.jsonl": 1}


def test_judgments_stand_beside_a_file_s_items(tmp_path: Path) -> None:
    files, judgments = put(tmp_path / "x.parquet", JUDGMENT, PAIR)
    assert files == {"x.judgments.parquet": 1, "x.parquet": 1}
    assert judgments == str(tmp_path / "x.judgments.parquet")
    assert list(iter_records(tmp_path / "x.parquet")) == [PAIR]


def test_a_file_of_nothing_but_judgments_is_theirs(tmp_path: Path) -> None:
    assert put(tmp_path / "x.csv", JUDGMENT) == ({"x.csv": 1}, str(tmp_path / "x.csv"))
    assert {path.name for path in tmp_path.iterdir()} == {"x.csv"}
    assert list(iter_records(tmp_path / "x.csv")) == [JUDGMENT]


def test_judgments_do_not_take_the_place_of_a_file_in_another_format(tmp_path: Path) -> None:
    files, judgments = put(tmp_path / "x.jsonl", JUDGMENT, to="openai")
    assert files == {"x.judgments.jsonl": 1}
    assert judgments == str(tmp_path / "x.judgments.jsonl")
    assert not (tmp_path / "x.jsonl").exists()


def test_a_file_of_items_names_no_judgments(tmp_path: Path) -> None:
    assert put(tmp_path / "x.jsonl", TALK, PAIR) == ({"x.jsonl": 2}, None)


def test_conversations_in_a_table_have_a_turn_a_row(tmp_path: Path) -> None:
    put(tmp_path / "x.csv", TALK)
    assert len((tmp_path / "x.csv").read_text().splitlines()) == 3


@pytest.mark.parametrize("name", ["corpus", "corpus/", "a.d/", "s3://bucket/corpus"])
def test_a_name_without_a_suffix_or_with_a_slash_is_a_folder(name: str) -> None:
    assert is_folder(name)


def test_a_folder_that_is_there_is_one_whatever_its_name(tmp_path: Path) -> None:
    assert not is_folder(tmp_path / "run.1")
    (tmp_path / "run.1").mkdir()
    assert is_folder(tmp_path / "run.1")


@pytest.mark.parametrize(
    ("out", "beside"),
    [
        ("a/chat.jsonl.gz", "a/chat.judgments.jsonl.gz"),
        ("chat.csv", "chat.judgments.csv"),
        ("v1.2/chat.txt.zst", "v1.2/chat.judgments.jsonl.zst"),
        ("s3://b/x.y.parquet", "s3://b/x.y.judgments.parquet"),
    ],
)
def test_judgments_keep_the_container_of_the_file_they_stand_beside(out: str, beside: str) -> None:
    assert judgments_beside(out) == beside
