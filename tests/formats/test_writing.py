"""Records written as a stream, in the format that the file's name asks for."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from tests.formats.conftest import only_record

from assize.base.conversation import Conversation, Turn
from assize.base.errors import ConfigError, DataError
from assize.base.judgment import Judgment, Question
from assize.formats import open_writer, read_questions, write
from assize.formats.reading import iter_records, open_records
from assize.formats.writing import json_line, write_questions
from assize.judgments import JudgmentTable

ROWS = [Judgment(f"i{n}", "j", "q", answer="1") for n in range(3)]
STARS = Question("q", "How many?", "ordinal", ("1", "2"), (1.0, 2.0))


def conversation(text: str) -> Conversation:
    return Conversation("c", (Turn("user", text),))


@pytest.mark.parametrize(
    ("name", "format", "start"),
    [
        ("x.parquet", "assize-parquet", b"PAR1"),
        ("x.csv", "assize-csv", b"item,judge,question,"),
        ("x.tsv", "assize-csv", b"item\tjudge\tquestion\t"),
        ("x.tsv.gz", "assize-csv", b"\x1f\x8b"),
        ("x.jsonl.zst", "assize", b"\x28\xb5\x2f\xfd"),
        ("x", "assize", b'{"item"'),
    ],
)
def test_the_suffix_chooses_the_format(
    name: str, format: str, start: bytes, tmp_path: Path
) -> None:
    for records in (ROWS, JudgmentTable.of(ROWS)):
        assert write(tmp_path / name, records) == 3
        assert (tmp_path / name).read_bytes().startswith(start)
        with open_records(tmp_path / name) as opened:
            assert opened.format.name == format


def test_a_format_that_is_asked_for_goes_before_the_suffix(tmp_path: Path) -> None:
    write(tmp_path / "x.csv", [conversation("hi")], format="openai")
    assert json.loads((tmp_path / "x.csv").read_text())["messages"]


GIVEN = Question("q", "Wie schön?", "binary", ("no", "yes"))


@pytest.mark.parametrize(
    ("own", "given", "beside"),
    [
        ([], [], None),  # questions that were inferred are not written
        ([STARS], [], STARS),
        ([STARS], [GIVEN], GIVEN),
    ],
)
def test_questions_stand_beside_their_table_in_their_own_letters(
    own: list[Question], given: list[Question], beside: Question | None, tmp_path: Path
) -> None:
    write(tmp_path / "x.jsonl", JudgmentTable.of(ROWS, own), questions=given)
    path = tmp_path / "x.questions.json"
    assert path.exists() == (beside is not None)
    if beside is not None:
        assert list(read_questions(path)) == [beside]
        assert beside.text in path.read_text()


@pytest.mark.parametrize("suffix", ["jsonl", "parquet", "csv"])
def test_rows_and_tables_go_into_one_file_in_their_order(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"x.{suffix}"
    with open_writer(path) as put:
        put(ROWS[0])
        put(JudgmentTable.of(ROWS[1:]))
        put(ROWS[0])
    assert list(iter_records(path)) == [*ROWS, ROWS[0]]


def test_a_format_that_is_only_read_is_refused_before_a_file_is_made(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="format lmsys can be read but not written"):
        write(tmp_path / "x.jsonl", [conversation("hi")], format="lmsys")
    assert list(tmp_path.iterdir()) == []


def test_other_tables_that_get_new_scales_are_named(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    for name in ("x.csv", "x.jsonl.gz", "y.csv", "x.html"):
        (tmp_path / name).touch()
    write_questions(tmp_path / "x.xlsx", [STARS])
    scales = "is read with the scales of x.questions.json from now on"
    assert caplog.messages == [f"x.csv {scales}", f"x.jsonl.gz {scales}"]
    caplog.clear()
    write_questions(tmp_path / "x.xlsx", [STARS])
    assert caplog.messages == []


def test_a_record_that_is_refused_leaves_none_of_its_rows(tmp_path: Path) -> None:
    bad = Conversation("bad", (Turn("user", "first"), Turn("user", "a\0b")))
    with open_writer(tmp_path / "x.csv", format="turns-csv") as put:
        put(conversation("hi"))
        with pytest.raises(DataError, match="NUL"):
            put(bad)
        put(conversation("ho"))
    assert "first" not in (tmp_path / "x.csv").read_text()
    assert len((tmp_path / "x.csv").read_text().splitlines()) == 3


def test_a_line_of_json_ends_itself_and_nothing_else() -> None:
    assert json_line({"a": "é\n"}) == '{"a": "é\\n"}\n'.encode()


def test_a_number_that_json_lacks_is_written_null_wherever_it_stands(tmp_path: Path) -> None:
    turn = Turn("user", "x", extra={"e": [math.inf]})
    write(tmp_path / "x.jsonl", [Conversation("c", (turn,), metadata={"a": [math.nan]})])
    line = json.loads((tmp_path / "x.jsonl").read_text(), parse_constant=pytest.fail)
    assert line["metadata"] == {"a": [None]}
    assert line["turns"][0]["e"] == [None]


@pytest.mark.parametrize("name", ["x.jsonl", "x.parquet", "x.csv"])
def test_half_a_character_is_written_as_a_mark(name: str, tmp_path: Path) -> None:
    to = "turns-csv" if name == "x.csv" else None
    write(tmp_path / name, [conversation('a \\ "\ud800" b')], format=to)
    assert only_record(tmp_path / name) == conversation('a \\ "\ufffd" b')


def test_a_record_too_deep_to_be_written_is_refused(tmp_path: Path) -> None:
    deep: list[object] = []
    for _ in range(10_000):
        deep = [deep]
    with pytest.raises(DataError, match="nested too deeply"):
        write(tmp_path / "x.jsonl", [Conversation("c", (Turn("user", "x"),), metadata={"a": deep})])
