"""Records as Parquet: this version's columns, the first version's, a later one's, and bad rows."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.formats.conftest import FUZZ
from tests.judgments.conftest import LIKERT, QUESTIONS, judgments

from assize.base.conversation import Conversation, Pair, Turn
from assize.base.errors import DataError
from assize.base.judgment import Judgment, Question, Unscored, Usage
from assize.formats import Record, Reject, read, read_judgments, write, write_questions
from assize.formats.reading import iter_records
from assize.judgments import JudgmentTable
from assize.judgments.schema import SCHEMA, VERSION, VERSION_KEY, from_rows

USER, BOT = (Turn("user", "hi"),), (Turn("assistant", "ho"),)
ROWS = [
    Judgment("i", "m", "likert", answer="2", distribution={"1": 0.25, "2": 0.5}, outside=0.25),
    Judgment("i", "ann", "likert", answer="NA", kind="person", explanation="so\nso", turn=3),
    Judgment("k", "m", "likert", unscored=Unscored("parse", "m"), details={"a": [1, None]}),
    Judgment("k", "m", "likert", score=-0.5, usage=Usage(3, 1, 0.5, extra={"x": 1}), repeat=1),
    Judgment("k", "m", "likert", answer="3", order="BA", anonymous=True, extra={"mood": "é"}),
]


@pytest.mark.parametrize(
    ("rows", "questions"),
    [(JudgmentTable.of(ROWS, [LIKERT]), []), (ROWS, [LIKERT])],
    ids=["as a table", "row by row"],
)
def test_judgments_come_back_with_the_questions_beside_them(
    rows: Any, questions: list[Question], tmp_path: Path
) -> None:
    write(tmp_path / "x.parquet", rows, questions=questions)
    table = read_judgments([tmp_path / "x.parquet"])
    assert table.rows() == ROWS == list(iter_records(tmp_path / "x.parquet"))
    assert table.questions == {"likert": LIKERT}
    assert table.inferred == frozenset()
    schema = pq.read_schema(tmp_path / "x.parquet")
    assert schema.equals(SCHEMA)
    assert schema.metadata[VERSION_KEY] == str(VERSION).encode()


def judged(row: Judgment) -> bool:
    return any(part is not None for part in (row.answer, row.score, row.distribution, row.unscored))


@FUZZ
@given(rows=st.lists(judgments().filter(judged), min_size=1, max_size=4))
def test_any_judgments_are_the_same_file_as_a_table_and_row_by_row(
    rows: list[Judgment], tmp_path: Path
) -> None:
    write(tmp_path / "table.parquet", JudgmentTable.of(rows, QUESTIONS))
    write(tmp_path / "rows.parquet", rows, questions=QUESTIONS)
    for name in ("table.parquet", "rows.parquet"):
        found = read_judgments([tmp_path / name])
        assert found.rows() == rows
        assert dict(found.questions) == {one.id: one for one in QUESTIONS}


def test_a_table_without_rows_is_a_file_of_judgments(tmp_path: Path) -> None:
    write(tmp_path / "x.parquet", JudgmentTable.of([]))
    assert pq.read_schema(tmp_path / "x.parquet").equals(SCHEMA)
    assert len(read_judgments([tmp_path / "x.parquet"])) == 0


# ── items ───────────────────────────────────────────────────────────────────────────────────


def test_a_parquet_file_holds_one_kind_of_record(tmp_path: Path) -> None:
    with pytest.raises(
        DataError, match=r"this one conversations, and received a pair; write \.jsonl"
    ):
        write(tmp_path / "x.parquet", [Conversation("c", USER), Pair("p", (), USER, BOT)])


def test_rows_leave_memory_a_group_at_a_time(tmp_path: Path) -> None:
    records: list[Record] = [Conversation(f"c{n}", USER) for n in range(1025)]
    write(tmp_path / "x.parquet", records)
    file = pq.ParquetFile(tmp_path / "x.parquet")
    assert [file.metadata.row_group(n).num_rows for n in range(file.num_row_groups)] == [1024, 1]


# ── columns of JSON text ───────────────────────────────────────────────────────────────────────

TEXT = (
    *("item", "judge", "question", "answer", "distribution", "order", "call", "kind", "at"),
    *("explanation", "details", "unscored", "usage", "signature", "extra"),
)
TEXTS = {name: pa.string() for name in TEXT} | {
    "score": pa.float64(),
    "outside": pa.float64(),
    "turn": pa.int64(),
    "repeat": pa.int64(),
    "attempts": pa.int64(),
    "anonymous": pa.bool_(),
}


def json_texts(path: Path, *rows: dict[str, Any]) -> Path:
    """A file of another program, which has what is nested as JSON text."""
    pq.write_table(pa.Table.from_pylist(list(rows), pa.schema(TEXTS.items())), path)
    return path


NAMES = {"item": "i", "judge": "j", "question": "q"}
OLD: list[tuple[dict[str, Any], Judgment]] = [
    (NAMES | {"answer": "2"}, Judgment("i", "j", "q", answer="2")),
    (
        NAMES | {"score": 2.5, "distribution": '{"1": 0.25, "é": 0.5}', "outside": 0.25},
        Judgment("i", "j", "q", score=2.5, distribution={"1": 0.25, "é": 0.5}, outside=0.25),
    ),
    (
        NAMES | {"unscored": '{"reason": "refused", "message": "no"}', "turn": 2, "repeat": 1},
        Judgment("i", "j", "q", unscored=Unscored("refused", "no"), turn=2, repeat=1),
    ),
    (
        NAMES | {"score": 1.0, "usage": '{"input_tokens": 3, "cached": true, "reasoning": 1}'},
        Judgment("i", "j", "q", score=1.0, usage=Usage(3, cached=True, extra={"reasoning": 1})),
    ),
    (
        NAMES | {"score": 1.0, "details": '{"a": [1, null]}', "extra": '{"mood": "calm"}'},
        Judgment("i", "j", "q", score=1.0, details={"a": [1, None]}, extra={"mood": "calm"}),
    ),
]
PARTS = ["answer", "distribution", "unscored", "usage", "details"]


@pytest.mark.parametrize(("old", "row"), OLD, ids=PARTS)
def test_a_row_of_json_texts_is_read(old: dict[str, Any], row: Judgment, tmp_path: Path) -> None:
    path = json_texts(tmp_path / "x.parquet", old)
    assert list(iter_records(path)) == read_judgments([path]).rows() == [row]


def test_a_later_version_is_refused_even_where_bad_rows_are_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    pq.write_table(from_rows(ROWS).replace_schema_metadata({VERSION_KEY: b"9"}), path)
    source = read([path], on_error="skip")
    for reading in (lambda: list(iter_records(path)), lambda: read_judgments(source)):
        with pytest.raises(
            DataError,
            match=rf"x\.parquet: judgments of schema version 9; this assize reads {VERSION}: ano",
        ):
            reading()
    assert list(source.rejects) == []


def test_a_file_of_json_texts_is_read_beside_one_of_this(tmp_path: Path) -> None:
    old = json_texts(tmp_path / "old.parquet", *(one for one, _ in OLD))
    write(tmp_path / "new.parquet", JudgmentTable.of(row for _, row in OLD))
    assert read_judgments([old, tmp_path / "new.parquet"]).rows() == [row for _, row in OLD] * 2


# ── bad rows ────────────────────────────────────────────────────────────────────────────────


def with_a_bad_row(path: Path, **bad: Any) -> Path:
    """Three judgments of this version, the second of which is none."""
    rows = [ROWS[0], replace(ROWS[0], item="bad", **bad), ROWS[1]]
    pq.write_table(from_rows(rows), path)
    return path


BAD: list[tuple[dict[str, Any], str | None, str]] = [
    ({"score": float("inf")}, "score", "received inf; a score is a finite number or null"),
    ({"distribution": {"1": 1.5}}, "distribution.1", "received 1.5; "),
    ({"distribution": {"1": 0.9}}, "distribution", "the probabilities sum to 1.15, above 1"),
    ({"order": "CD"}, "order", "received 'CD'; "),
    ({"answer": None, "distribution": None}, None, "needs one of `answer`, `score`, "),
]


@pytest.mark.parametrize(("bad", "field", "problem"), BAD, ids=lambda part: None)
def test_a_bad_row_is_reported_with_its_number_and_problem_and_the_others_are_kept(
    bad: dict[str, Any], field: str | None, problem: str, tmp_path: Path
) -> None:
    path = with_a_bad_row(tmp_path / "x.parquet", **bad)
    place = f"{path}:2: " + (f"{field}: " if field else "")
    with pytest.raises(DataError, match=f"^{re.escape(place + problem)}"):
        read_judgments([path])
    source = read([path], on_error="skip")
    assert read_judgments(source).rows() == [ROWS[0], ROWS[1]]
    (reject,) = source.rejects
    assert (reject.source, reject.line, reject.field) == (str(path), 2, field)
    assert reject.problem.startswith(problem)
    assert json.loads(reject.raw)["item"] == "bad"


def test_a_score_that_is_no_number_is_unscored_and_no_bad_row(tmp_path: Path) -> None:
    table = from_rows([replace(ROWS[0], score=score) for score in (1.0, 2.0)])
    scores = pa.array([1.0, float("nan")])
    place = SCHEMA.names.index("score")
    pq.write_table(table.set_column(place, SCHEMA.field(place), scores), tmp_path / "x.parquet")
    found = read_judgments([tmp_path / "x.parquet"]).rows()
    assert [row.score for row in found] == [1.0, None]
    assert [row.unscored and row.unscored.reason for row in found] == [None, "nan"]


@pytest.mark.parametrize("name", ["distribution", "unscored", "usage", "details", "extra"])
def test_text_that_is_no_json_is_a_bad_row(name: str, tmp_path: Path) -> None:
    good = NAMES | {"answer": "1"}
    path = json_texts(tmp_path / "x.parquet", good, good | {name: "{"}, good)
    rejects: list[Reject] = []
    assert len(list(iter_records(path, on_reject=rejects.append))) == 2
    (reject,) = rejects
    assert (reject.line, reject.field) == (2, name)
    assert reject.problem.startswith("not JSON (")
    with pytest.raises(DataError, match=rf"x\.parquet:2: {name}: not JSON"):
        read_judgments([path])


def test_questions_stay_beside_a_file_with_a_bad_row(tmp_path: Path) -> None:
    path = with_a_bad_row(tmp_path / "x.parquet", order="CD")
    write_questions(path, [LIKERT])
    assert read_judgments([path], on_error="skip").questions == {"likert": LIKERT}
