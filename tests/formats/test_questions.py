"""Questions keep their scale, and one name never stands for two scales."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tests.formats.conftest import lines

from assize.base.errors import DataError
from assize.base.judgment import PREFERENCE, Judgment, Question
from assize.formats import questions_path, read, read_judgments, write, write_questions
from assize.formats.converting import convert
from assize.formats.questions import questions_beside
from assize.formats.ratings.template import blank, write_template
from assize.formats.xlsx import Sheet, SheetColumn, write_workbook
from assize.judgments import JudgmentTable

FIVE = Question("calm", kind="ordinal", answers=("1", "2", "3", "4", "5"), values=(1, 2, 3, 4, 5))
HUNDRED = Question("calm", kind="number", range=(0.0, 100.0))


def table(path: Path, row: Judgment, *questions: Question) -> Path:
    write(path, [row], questions=questions)
    return path


def test_two_scales_of_one_question_are_an_error_that_names_both(tmp_path: Path) -> None:
    one = table(tmp_path / "one.jsonl", Judgment("i", "j", "calm", answer="4"), FIVE)
    two = table(tmp_path / "two.jsonl", Judgment("i", "k", "calm", score=80.0), HUNDRED)
    with pytest.raises(DataError, match=r"ordinal 1, 2, 3, 4, 5 in .*one.jsonl, number 0..100"):
        read_judgments([one, two])
    with pytest.raises(DataError, match="two scales"):
        convert(read([one, two]), tmp_path / "both.jsonl")
    assert not (tmp_path / "both.jsonl").exists()


def test_preferences_with_and_without_a_tie_are_one_question(tmp_path: Path) -> None:
    forced = replace(PREFERENCE, answers=("A", "B"), values=(1.0, -1.0))
    one, two, third = (
        table(tmp_path / f"{answer}.jsonl", Judgment("i", "j", "preference", answer=answer), asked)
        for answer, asked in (("A", forced), ("tie", PREFERENCE), ("B", forced))
    )
    for files in ([one, two, third], [two, one], [one, third, two]):
        found = read_judgments(files)
        assert found.questions["preference"].answers == ("A", "tie", "B")
        parts = [read_judgments([file]) for file in files]
        assert JudgmentTable.concat(parts).questions == found.questions


def test_a_guessed_scale_beside_a_file_is_guessed_again_from_all_answers(tmp_path: Path) -> None:
    files = [tmp_path / "one.jsonl", tmp_path / "two.jsonl"]
    for path, answer in zip(files, "13", strict=True):
        row = {"item": "i", "judge": path.stem, "question": "q", "answer": answer}
        convert(read(lines(tmp_path / f"{path.stem}.bare.jsonl", row)), path)
    found = read_judgments(files)
    assert found.questions["q"].answers == ("1", "3")
    assert found.inferred == {"q"}


def test_a_question_of_the_format_that_no_row_answers_meets_no_other(tmp_path: Path) -> None:
    row = {"instruction": "Hi", "completions": [{"response": "Yo", "overall_score": 7.0}]}
    other = Question("honesty", kind="ordinal", answers=("no", "yes"))
    mine = table(tmp_path / "mine.jsonl", Judgment("r", "me", "honesty", answer="yes"), other)
    found = read_judgments([lines(tmp_path / "feedback.jsonl", row), mine])
    assert found.questions["honesty"].answers == ("no", "yes")


@pytest.mark.parametrize(
    ("table", "questions"),
    [
        ("run/judgments.jsonl", "run/questions.json"),
        ("scores.jsonl.gz", "scores.questions.json"),
        ("s3://b/run/scores.parquet", "s3://b/run/scores.questions.json"),
    ],
)
def test_questions_stand_beside_their_table(table: str, questions: str) -> None:
    assert str(questions_path(table)) == questions


def test_a_workbook_that_was_renamed_keeps_the_scales_of_its_sheet_of_questions(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    write_template(tmp_path / "t.xlsx", blank(["c1"], [FIVE], ["ann"], {}, "wide"), [FIVE])
    (tmp_path / "t.xlsx").rename(tmp_path / "back.xlsx")
    (tmp_path / "t.questions.json").unlink()
    write_questions(tmp_path / "judgments.jsonl", [HUNDRED])  # the folder's questions.json
    with caplog.at_level("INFO", logger="assize"):
        assert read_judgments(tmp_path / "back.xlsx").questions == {"calm": FIVE}
    assert "passed over" not in caplog.text
    write_questions(tmp_path / "back.xlsx", [HUNDRED])  # a file of the workbook's name counts more
    assert questions_beside(tmp_path / "back.xlsx") == (HUNDRED,)


@pytest.mark.parametrize(("cell", "words"), [("{1", "sheet questions: not JSON"), ("{}", "id")])
def test_a_damaged_definition_in_a_workbook_is_an_error_and_words_are_none(
    cell: str, words: str, tmp_path: Path
) -> None:
    path = tmp_path / "w.xlsx"
    columns = (SheetColumn("question"), SheetColumn("definition"))
    write_workbook(path, [Sheet("questions", columns, (("q", cell),))])
    with pytest.raises(DataError, match=words):
        questions_beside(path)
    write_workbook(path, [Sheet("questions", columns, (("q", "how calm it is"),))])
    assert questions_beside(path) == ()
