"""What `assize.read_judgments` takes becomes one table, with its questions and its source."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from tests.formats.conftest import CHAT, OWN, RATING, SCALE, TABLE, lines

from assize.base.conversation import Pair, Turn
from assize.base.errors import ConfigError, DataError
from assize.base.judgment import Judgment, Question
from assize.formats import (
    Items,
    Record,
    Reject,
    read,
    read_any,
    read_judgments,
    to_json,
    write,
    write_questions,
)
from assize.formats.judgment_files import holds_judgments, judgments_from
from assize.formats.xlsx import Sheet, SheetColumn, write_workbook
from assize.judgments import JudgmentTable

GRID = "id,Depth - ann,Depth - ben,Warmth - ann,Warmth - ben\nc1,4,3,2,1\nc2,1,2,3,4\n"


@pytest.fixture
def votes(tmp_path: Path) -> Path:
    write(tmp_path / "votes.jsonl", TABLE)
    return tmp_path / "votes.jsonl"


@pytest.fixture
def chats(tmp_path: Path) -> Path:
    write(tmp_path / "chats.jsonl", [OWN])
    return tmp_path / "chats.jsonl"


# ── what they come in ───────────────────────────────────────────────────────────────────────


def test_judgments_come_from_records_dicts_frames_tables_and_files(tmp_path: Path) -> None:
    write(tmp_path / "judgments.jsonl", TABLE)
    row = TABLE.rows()
    frame = pd.DataFrame([RATING])
    for one in (row, row[0], RATING, [RATING], frame, pa.Table.from_pandas(frame), tmp_path):
        assert read_judgments(one).rows() == row
    assert read_judgments(TABLE) is TABLE
    given = [TABLE, tmp_path / "judgments.jsonl", row[0], RATING, frame, OWN]
    assert read_judgments(given).rows() == row * 5


def test_questions_travel_from_tables_files_and_the_caller(tmp_path: Path) -> None:
    path = tmp_path / "scores.jsonl"
    write(path, TABLE.rows())
    write_questions(path, [SCALE])
    beside = tmp_path / "scores.questions.json"
    for given, questions in (
        (path, ()),
        ([path], ()),
        (RATING, SCALE),
        (RATING, [SCALE]),
        (RATING, to_json(SCALE)),
        (RATING, [to_json(SCALE)]),
        (RATING, beside),
    ):
        assert read_judgments(given, questions=questions).questions == {"q": SCALE}
    table = read_judgments([TABLE, Judgment("c", "ann", "other", answer="yes")])
    assert (table.questions["q"], table.inferred) == (SCALE, frozenset({"other"}))


@pytest.mark.parametrize(
    ("questions", "words"),
    [
        ([Question("q", kind="number")], r"^judgments\[1\]: question 'q' has two scales"),
        (None, r"^questions: received None; give a list of questions"),
        ([{"text": "?"}], r"^questions\[0\]: id: is missing"),
    ],
)
def test_questions_that_are_none_or_differ_are_refused(questions: Any, words: str) -> None:
    with pytest.raises(DataError, match=words):
        read_judgments([RATING, TABLE], questions=questions)


def test_published_votes_and_the_gold_of_pairs_are_judgments() -> None:
    pair = Pair("p", (), (Turn("assistant", "a"),), (Turn("assistant", "b"),), gold="B")
    vote = {"dimension": "overall", "score": 3, "judge": "ann", "kind": "human"}
    rated = {"turns": [{"role": "user", "text": "hi"}], "ratings": [vote], "id": "d1"}
    gold, rating = read_judgments([pair, rated])
    assert (gold.item, gold.judge, gold.answer) == ("p", "gold", "B")
    assert (rating.item, rating.judge) == ("d1", "ann")


def test_a_frame_of_distributions_is_read_as_columns_and_as_rows() -> None:
    rows = [
        {**RATING, "answer": None, "distribution": {"1": 0.25, "2": 0.75}},
        {**RATING, "answer": None, "distribution": {"3": 1.0}},
    ]
    expected = [{"1": 0.25, "2": 0.75}, {"3": 1.0}]
    frame = pd.DataFrame(rows)
    assert [one.distribution for one in read_judgments(frame)] == expected
    bad = pd.concat([frame, frame[:1].assign(distribution=[{"1": 2.0}])])
    kept = read_judgments(bad, on_error="skip")
    assert [one.distribution for one in kept] == expected
    assert kept.source is not None
    assert [(one.line, one.field) for one in kept.source.rejects] == [(3, "distribution.1")]


def test_columns_and_rows_of_judgments_are_the_same_table() -> None:
    rows: list[Record] = [
        Judgment(
            f"i{n}", "ann", "q", answer=str(n % 3 + 1), score=None if n else 0.5, turn=n or None
        )
        for n in range(30)
    ]
    table = JudgmentTable.of(rows)  # type: ignore[arg-type]
    dicts = [to_json(one) for one in rows]
    for form in (dicts, table.to_pandas(), table.arrow, pd.DataFrame(dicts)):
        assert read_judgments(form).rows() == rows


BAD_JUDGMENTS: dict[str, tuple[Any, str]] = {
    "nothing": (None, "^judgments: received None; give a table of judgments, a path"),
    "an empty list": ([], "^judgments: received an empty list; give"),
    "an empty table": (JudgmentTable.of([]), "^judgments: there is no judgment here; give"),
    "conversations": ([OWN], "^judgments: there is no judgment here; give .* what was judged"),
    "a chat": ([CHAT], "^judgments: there is no judgment here; give"),
    "a number inside": ([RATING, 7], r"^judgments\[1\]: received 7 \(int\); give"),
    "no result": ([RATING, {**RATING, "answer": None}], r"^judgments\[1\]: needs one of `answer`"),
    "no columns": (
        pd.DataFrame([RATING])[["item", "answer"]],
        r"^judgments: this format is not known; the fields are: item \(text .*\), answer \(text",
    ),
    "a bad row": (
        pd.DataFrame([RATING, {**RATING, "score": np.inf}]),
        r"^judgments\[1\]: score: received inf; a score is a finite number",
    ),
    "no file": ("nope.jsonl", "^nope.jsonl: there is no such file"),
}


@pytest.mark.parametrize("case", BAD_JUDGMENTS)
def test_what_is_no_judgment_says_where_what_and_what_to_do(case: str) -> None:
    given, words = BAD_JUDGMENTS[case]
    with pytest.raises(DataError, match=words):
        judgments_from(given)
    if "there is no judgment" not in words:
        with pytest.raises(DataError, match=words):
            read_judgments(given)


def test_a_source_without_judgments_is_an_empty_table(chats: Path) -> None:
    for given in ([OWN], [CHAT], chats, read(chats)):
        table = read_judgments(given)
        assert len(table) == 0
        assert isinstance(table.source, Items)
    assert len(read_judgments(JudgmentTable.of([]))) == 0
    with pytest.raises(DataError, match=r"^votes: there is no judgment here; give"):
        judgments_from([OWN], name="votes")


# ── options ─────────────────────────────────────────────────────────────────────────────────


def test_a_table_that_is_there_takes_no_options() -> None:
    for option in ({"format": "assize"}, {"on_error": "skip"}, {"map": "columns=rater"}):
        with pytest.raises(ConfigError, match="this was read with options already"):
            read_judgments(TABLE, **option)  # type: ignore[arg-type]


def test_items_say_how_their_judgments_are_read(tmp_path: Path) -> None:
    (tmp_path / "depth.csv").write_text(GRID)
    items = read(tmp_path / "depth.csv", map="columns=question-rater")
    assert set(read_judgments(items).judges) == {"ann", "ben"}


def test_a_mapping_of_a_log_does_not_change_the_judgments_beside_it(votes: Path) -> None:
    how: Any = {"map": "turns=messages,role=by,text=said", "roles": "client=user"}
    assert read_judgments(votes, **how).rows() == TABLE.rows()
    assert read_judgments([votes, str(votes)], **how).rows() == TABLE.rows() * 2


# ── where they came from, and what was bad ──────────────────────────────────────────────────


def test_a_table_knows_what_it_was_read_from(votes: Path) -> None:
    source = read_judgments([votes, RATING], on_error="skip").source
    assert (source.paths, source.in_memory) == ([str(votes)], True)
    assert source.options.on_error == "skip"
    items = read(votes)
    assert read_judgments(items).source is items
    assert TABLE.source is None


def skipped(path: Path) -> list[Reject]:
    """The bad rows of a file in which Ann alone is read."""
    table = read_judgments(path, on_error="skip")
    assert table.judges == ("ann",)
    assert len(table.source.rejects) == len(list(table.source.rejects))
    return list(table.source.rejects)


def test_bad_rows_and_answers_off_the_scale_are_rejects_of_the_source(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    write(path, JudgmentTable.of([*TABLE, Judgment("c", "eve", "q", answer="9")], [SCALE]))
    with path.open("a") as stream:
        stream.write('{"item": 1}\n')
    with pytest.raises(DataError, match=r"j\.jsonl:3"):
        read_judgments(path)
    bad, odd = skipped(path)
    assert ((bad.source, bad.line), (odd.source, odd.line)) == ((str(path), 3), (str(path), 2))
    assert odd.problem == "item 'c': not an answer of 'q'"
    assert json.loads(odd.raw)["answer"] == "9"


def test_an_answer_off_the_scale_stands_beside_a_bad_record_of_its_number(tmp_path: Path) -> None:
    path = lines(tmp_path / "j.jsonl", RATING, {}, RATING | {"judge": "eve", "answer": "9"})
    write_questions(path, [SCALE])
    assert len(skipped(path)) == 2


def test_answers_off_the_scale_stand_in_the_table_where_bad_records_raise() -> None:
    table = JudgmentTable.of([Judgment("c", "eve", "q", answer="9")], [SCALE])
    assert read_judgments([table]).rows() == table.rows()


# ── files, folders, and either ──────────────────────────────────────────────────────────────


def test_a_blank_cell_does_not_count_where_another_copy_has_the_answer(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", "assize")
    ann, ben = tmp_path / "from-ann.csv", tmp_path / "from-ben.csv"
    ann.write_text("item,rater,Q\nc1,ann,n/a\nc2,ann,4\nc3,ann,\nc1,ben,\nc2,ben,\n")
    ben.write_text("item,rater,Q\nc1,ann,\nc2,ann,\nc3,ann,\nc1,ben,3\nc2,ben,2\nc2,ben,5\n")
    table = read_judgments([ann, ben])
    assert [(row.item, row.judge, row.answer) for row in table] == [
        ("c1", "ann", "NA"),
        ("c2", "ann", "4"),
        ("c3", "ann", None),  # blank in both copies: unscored once
        ("c1", "ben", "3"),
        ("c2", "ben", "2"),
        ("c2", "ben", "5"),  # answers that differ stay
    ]
    assert (table.unscored, table.duplicates) == (1, 1)
    assert "5 blank cells do not count: another row has the same item, rater" in caplog.text


def test_a_folder_is_a_run_or_one_of_shards(tmp_path: Path) -> None:
    for name in ("ann", "bob"):
        write(tmp_path / f"{name}.jsonl", [Judgment("c", name, "q", answer="1")])
    assert read_judgments(tmp_path).judges == ("ann", "bob")
    write(tmp_path / "judgments.jsonl", [Judgment("c", "run", "q", answer="1")])
    assert read_judgments(tmp_path).judges == ("run",)
    (tmp_path / "empty").mkdir()
    with pytest.raises(DataError, match=r"judgments\.jsonl: there is no such file"):
        read_judgments(tmp_path / "empty")


def test_a_folder_of_returned_workbooks_is_read_whole(tmp_path: Path) -> None:
    for rater, answer in (("ann", "4"), ("ben", "2")):
        rows = (("c1", rater, answer),)
        columns = tuple(map(SheetColumn, ("item", "rater", "Q")))
        write_workbook(tmp_path / f"back-{rater}.xlsx", [Sheet("ratings", columns, rows)])
    write_questions(tmp_path / "back-ann.csv", [])
    assert [(row.judge, row.answer) for row in read_judgments(tmp_path)] == [
        ("ann", "4"),
        ("ben", "2"),
    ]


def test_judgments_and_items_are_told_apart(votes: Path, chats: Path, tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    write(tmp_path / "run" / "judgments.jsonl", TABLE)
    both = tmp_path / "both.jsonl"
    write(both, [OWN, *TABLE])
    frame = pd.DataFrame([RATING])
    held = (votes, [votes], [chats, votes], tmp_path / "run", both, TABLE, [TABLE], RATING, frame)
    for given in (*held, [OWN, RATING], TABLE.rows(), read(votes), read([RATING])):
        assert holds_judgments(given)
    for given in (chats, [chats], OWN, [OWN, CHAT], read(chats), pd.DataFrame([CHAT])):
        assert not holds_judgments(given)


def test_what_can_be_read_once_is_not_looked_into() -> None:
    rows = iter([RATING])
    assert not holds_judgments(rows)
    assert not holds_judgments("-")
    assert next(rows) == RATING


def test_either_is_read_as_what_it_is(votes: Path, chats: Path) -> None:
    assert read_any(TABLE) is TABLE
    table, items, same = read_any(votes), read_any(chats), read(chats)
    assert isinstance(table, JudgmentTable)
    assert (table.rows(), table.questions) == (TABLE.rows(), {"q": SCALE})
    assert isinstance(items, Items)
    assert list(items) == [OWN]
    assert read_any(same) is same
    for judged in (read(votes, on_error="skip"), [OWN, RATING]):
        assert isinstance(read_any(judged), JudgmentTable)


def test_the_options_of_items_hold_where_they_are_looked_into(tmp_path: Path) -> None:
    path = lines(tmp_path / "log.jsonl", {"m": [{"w": "user", "t": "Hi"}], "id": "c"})
    items = read(path, map="turns=m,role=w,text=t,id=id")
    assert not holds_judgments(items)
    assert read_any(items) is items
