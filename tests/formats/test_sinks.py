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
    ("to", "conversations", "judgments"),
    [
        (None, "conversations.jsonl", "judgments.jsonl"),
        ("assize", "conversations.jsonl", "judgments.jsonl"),
        ("assize-parquet", "conversations.parquet", "judgments.parquet"),
        # Another format keeps judgments in our own.
        ("openai", "conversations.jsonl", "judgments.jsonl"),
        ("turns-csv", "conversations.csv", "judgments.jsonl"),
    ],
)
def test_a_folder_gets_a_file_a_kind(
    to: str | None, conversations: str, judgments: str, tmp_path: Path
) -> None:
    out = tmp_path / "corpus"
    expected = ({conversations: 2, judgments: 1}, str(out / judgments))
    assert put(out, TALK, JUDGMENT, TALK, to=to) == expected
    assert list(iter_records(out / judgments)) == [JUDGMENT]
    with open_records(out / conversations) as opened:
        assert opened.format.name == (to or "assize")


@pytest.mark.parametrize(
    ("name", "to", "records", "files", "judgments"),
    [
        ("x.jsonl", None, [TALK, PAIR], {"x.jsonl": [TALK, PAIR]}, None),
        ("x.csv", None, [TALK], {"x.csv": [TALK]}, None),
        ("x.csv", None, [JUDGMENT], {"x.csv": [JUDGMENT]}, "x.csv"),
        (
            "x.parquet",
            None,
            [JUDGMENT, PAIR],
            {"x.parquet": [PAIR], "x.judgments.parquet": [JUDGMENT]},
            "x.judgments.parquet",
        ),
        # Judgments do not take the place of a file in another format.
        (
            "x.jsonl",
            "openai",
            [JUDGMENT],
            {"x.judgments.jsonl": [JUDGMENT]},
            "x.judgments.jsonl",
        ),
    ],
)
def test_judgments_stand_beside_a_file_s_items_or_alone_in_it(
    name: str,
    to: str | None,
    records: list[Record],
    files: dict[str, list[Record]],
    judgments: str | None,
    tmp_path: Path,
) -> None:
    counts, beside = put(tmp_path / name, *records, to=to)
    assert counts == {name: len(held) for name, held in files.items()}
    assert beside == (judgments and str(tmp_path / judgments))
    assert {path.name: list(iter_records(path)) for path in tmp_path.iterdir()} == files


@pytest.mark.parametrize("name", ["corpus", "corpus/", "a.d/", "s3://bucket/corpus"])
def test_a_name_without_a_suffix_or_with_a_slash_is_a_folder(name: str) -> None:
    assert is_folder(name)


def test_a_folder_that_is_there_is_one_whatever_its_name(tmp_path: Path) -> None:
    (tmp_path / "run.1").mkdir()
    assert [is_folder(tmp_path / name) for name in ("run.1", "run.2")] == [True, False]


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
