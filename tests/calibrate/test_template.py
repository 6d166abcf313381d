from __future__ import annotations

import csv
import json
from pathlib import Path
from zipfile import ZipFile

import pytest

import assize
from assize import Conversation, Judgment, JudgmentTable
from assize.base.errors import ConfigError, DataError
from assize.base.judgment import Question
from assize.formats import read_judgments, write_questions


def test_a_template_is_filled_in_and_fitted(
    said: JudgmentTable, chats: list[Conversation], tmp_path: Path
) -> None:
    out = tmp_path / "ratings.csv"
    found = assize.calibrate.template(said, out, items=chats, raters="ann,bob", layout="wide")
    assert (found.rows, found.raters, found.shown) == (120, ("ann", "bob"), 60)
    with out.open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert rows[0]["excerpt"] == "user: hello\n\nassistant: hi"
    for place, row in enumerate(rows):
        row["Q0"] = str(1 + place % 4)
    with out.open("w", newline="") as stream:
        writer = csv.DictWriter(stream, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    fitted = assize.calibrate.fit(said, out, target="Q0")
    assert set(fitted.raters) >= {"ann", "bob"}
    assert fitted.target.question.answers == ("1", "2", "3", "4")


def test_only_a_question_and_the_first_items(said: JudgmentTable, tmp_path: Path) -> None:
    found = assize.calibrate.template(said, tmp_path / "r.xlsx", question="Q1", n=5)
    assert (found.rows, found.questions) == (5, ["Q1"])
    assert any("give --items" in note for note in found.notes)
    assert any("writes a name" in note for note in found.notes)
    beside = json.loads((tmp_path / "r.questions.json").read_text())
    assert [one["id"] for one in beside] == ["Q1"]
    assert found.to_json()["items"] == 5


def test_an_unknown_question_is_an_error(said: JudgmentTable, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no question 'Q9'; asked were Q0, Q1"):
        assize.calibrate.template(said, tmp_path / "r.csv", question="Q9")


RUBRIC = """
rubric: review
main: tone
sections:
  - questions:
      - {id: tone, text: "Was it polite?", answers: {1: rude, 2: polite}}
      - {id: cites, text: "Does it cite?", for: models, answers: {no: it does not, yes: it does}}
"""


def test_a_rubric_or_a_file_of_questions_makes_a_sheet_of_items_that_nobody_judged(
    chats: list[Conversation], tmp_path: Path
) -> None:
    rubric, questions = tmp_path / "mine.yaml", tmp_path / "old.questions.json"
    rubric.write_text(RUBRIC)
    write_questions(tmp_path / "old.csv", [Question("tone", kind="ordinal", answers=("1", "2"))])
    for asked in (rubric, questions):
        out = tmp_path / "new.csv"
        result = assize.calibrate.template(asked, out, items=chats, raters="ann,ben", n=3)
        assert (result.questions, result.rows, result.items, result.shown) == (["tone"], 6, 3, 3)
        assert read_judgments(out).questions["tone"].answers == ("1", "2")
    with pytest.raises(ConfigError, match=r"mine.yaml holds questions; give .* as --items"):
        assize.calibrate.template(rubric, tmp_path / "r.csv")


def test_items_that_nobody_judged_are_an_error_beside_judgments(
    said: JudgmentTable, tmp_path: Path
) -> None:
    new = [Conversation("new", ())]
    with pytest.raises(DataError, match=r"none of the 1 item in .* is judged in .*rubric"):
        assize.calibrate.template(said, tmp_path / "r.csv", items=new)
    assert not (tmp_path / "r.csv").exists()


def test_a_guessed_scale_beside_the_ratings_is_offered_and_said_to_be_a_guess(
    tmp_path: Path,
) -> None:
    (tmp_path / "r.csv").write_text("item,rater,Q\nc1,ann,2\nc2,ann,3\n")
    guess = Question("Q", kind="ordinal", answers=("1", "2", "3"), extra={"inferred": True})
    write_questions(tmp_path / "r.csv", [guess])
    result = assize.calibrate.template(tmp_path / "r.csv", tmp_path / "new.csv")
    assert "1; 2; 3" in (tmp_path / "new.csv").read_text()
    assert any("offered for Q were guessed: correct new.questions.json" in n for n in result.notes)
    (tmp_path / "r.csv").write_text("item,rater,Q\nc1,ann,2\nc2,ann,7\n")  # the guess lacks 7
    assize.calibrate.template(tmp_path / "r.csv", tmp_path / "new.csv")
    assert "2; 7" in (tmp_path / "new.csv").read_text()


def test_na_is_offered_where_people_used_it(tmp_path: Path) -> None:
    scale = Question("tone", "", "ordinal", ("1", "2"), (1, 2))
    other = Question("depth", "", "ordinal", ("1", "2"), (1, 2))
    rows = [
        Judgment("i", "ann", name, answer=answer, kind="person")
        for name, answer in (("tone", "NA"), ("depth", "1"))
    ]
    out = tmp_path / "new.xlsx"
    assize.calibrate.template(JudgmentTable.of(rows, [scale, other]), out)
    with ZipFile(out) as book:
        sheets = "".join(
            book.read(name).decode() for name in book.namelist() if "worksheets" in name
        )
    lists = sheets.replace('"', "")
    assert "1,2,NA<" in lists
    assert "1,2<" in lists
    stored = json.loads((tmp_path / "new.questions.json").read_text())
    assert "applies" not in stored[0] or stored[0]["applies"] == "always"
