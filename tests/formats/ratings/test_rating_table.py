"""Tables that people rate in, as they really come."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest
from tests.formats.conftest import write_text

from assize.base.errors import DataError
from assize.formats import read, read_judgments
from assize.formats.arguments import judgments_of
from assize.judgments import JudgmentTable

SCALE = {"kind": "ordinal", "answers": ["1", "2", "3", "4"], "values": [1, 2, 3, 4]}

LONG = """Conversation ID,Rater,Question,Answer,Comments
c1,ann,overall,4,fine
c1,ben,overall,3,
c2,ann,overall,,
c2,ben,overall,5 - very good,
"""
QUESTIONS = """Item,JUDGE,Q0,q1. Was it helpful?,Notes
c1,ann,4.0,Yes,aaa
c1,ben,3.0,no,
c2,ann,,YES,
"""
RATERS = """id,Ann,Ben,Eve
c1,4,3,
c2,2,,1
c3,3,3,4
"""
GOOGLE = """Timestamp,Email Address,Which conversation did you rate? (Conversation ID),\
Q1. Was it helpful?,2. How clear was it?,Any other comments?
2026/03/01 9:30:12 AM GMT+1,ann@x.org,c1,Yes,4,great
2026/03/01 9:35:12 AM GMT+1,ben@x.org,c1,No,2,
2026/03/01 9:45:12 AM GMT+1,ann@x.org,c2,Yes,,"long, long"
"""
MICROSOFT = """ID,Start time,Completion time,Email,Name,Last modified time,Conversation id,\
How helpful was it?,Resolved?
1,3/1/26 9:30,3/1/26 9:31,anonymous,,,c1,4,Yes
2,3/1/26 9:32,3/1/26 9:33,anonymous,,,c2,3,No
"""
GRID = """Timestamp,Email Address,How helpful was it? [c1],How helpful was it? [c2]
x,ann@x.org,4,3
y,ben@x.org,,2
"""


def table(folder: Path, text: str, name: str = "ratings.csv") -> Path:
    return write_text(folder / name, text)


def rows(found: JudgmentTable) -> list[tuple[str, str, str, str | None]]:
    return [(one.item, one.judge, one.question, one.answer) for one in found]


LAYOUTS = {
    "an answer a row": (
        LONG,
        [
            ("c1", "ann", "overall", "4"),
            ("c1", "ben", "overall", "3"),
            ("c2", "ann", "overall", None),
            ("c2", "ben", "overall", "5"),
        ],
    ),
    "a column a question": (
        QUESTIONS,
        [
            ("c1", "ann", "Q0", "4"),
            ("c1", "ann", "Q1", "yes"),
            ("c1", "ben", "Q0", "3"),
            ("c1", "ben", "Q1", "no"),
            ("c2", "ann", "Q0", None),
            ("c2", "ann", "Q1", "yes"),
        ],
    ),
    "a column a rater": (  # a blank cell is nobody's answer
        RATERS,
        [
            ("c1", "Ann", "rating", "4"),
            ("c1", "Ben", "rating", "3"),
            ("c2", "Ann", "rating", "2"),
            ("c2", "Eve", "rating", "1"),
            ("c3", "Ann", "rating", "3"),
            ("c3", "Ben", "rating", "3"),
            ("c3", "Eve", "rating", "4"),
        ],
    ),
    "Google's form, by e-mail address": (
        GOOGLE,
        [
            ("c1", "ann@x.org", "Q1", "yes"),
            ("c1", "ann@x.org", "Q2", "4"),
            ("c1", "ben@x.org", "Q1", "no"),
            ("c1", "ben@x.org", "Q2", "2"),
            ("c2", "ann@x.org", "Q1", "yes"),
            ("c2", "ann@x.org", "Q2", None),
        ],
    ),
    "a form's grid, a column an item": (
        GRID,
        [
            ("c1", "ann@x.org", "How helpful was it?", "4"),
            ("c2", "ann@x.org", "How helpful was it?", "3"),
            ("c2", "ben@x.org", "How helpful was it?", "2"),
        ],
    ),
    "no rater but the file": (
        "id,Helpfulness,Clarity\nc1,4,3\nc2,2,2\n",
        [
            ("c1", "ratings", "Helpfulness", "4"),
            ("c1", "ratings", "Clarity", "3"),
            ("c2", "ratings", "Helpfulness", "2"),
            ("c2", "ratings", "Clarity", "2"),
        ],
    ),
    "judgments of ours": (
        "item,judge,question,answer\nc1,ann,q,4\n",
        [("c1", "ann", "q", "4")],
    ),
}


@pytest.mark.parametrize(("text", "expected"), LAYOUTS.values(), ids=LAYOUTS)
def test_a_table_is_read_however_it_is_laid_out(
    text: str, expected: list[tuple[str, str, str, str | None]], tmp_path: Path
) -> None:
    assert rows(read_judgments(table(tmp_path, text))) == expected


def test_a_blank_cell_is_missing_and_words_of_a_cell_are_labels(tmp_path: Path) -> None:
    found = read_judgments(table(tmp_path, LONG))
    first, _, blank, labelled = found.rows()
    assert (first.kind, first.explanation) == ("person", "fine")
    assert blank.unscored is not None
    assert blank.unscored.reason == "missing"
    assert labelled.details == {"label": "very good"}
    assert found.questions["overall"].labels == {"5": "very good"}


def test_the_words_of_a_header_are_the_question_s(tmp_path: Path) -> None:
    asked = read_judgments(table(tmp_path, QUESTIONS)).questions["Q1"]
    assert (asked.text, asked.kind, asked.answers) == ("Was it helpful?", "binary", ("no", "yes"))
    assert read_judgments(table(tmp_path, GOOGLE)).questions["Q2"].text == "How clear was it?"


def test_what_raters_were_asked_may_be_named(tmp_path: Path) -> None:
    path = table(tmp_path, RATERS)
    assert read_judgments(path, options={"question": "tone"}).asked == ("tone",)
    (tmp_path / "questions.json").write_text(json.dumps([SCALE | {"id": "clarity"}]))
    found = read_judgments(path)
    assert (found.asked, found.inferred) == (("clarity",), frozenset())


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("c2,ann,5", r"ratings.csv:3: overall: answer '5' is not allowed"),
        ("c1,,4", r"ratings.csv:3: .* is empty"),
        (",ann,4", r"ratings.csv:3: .* is empty"),
    ],
)
def test_a_bad_row_says_where_and_what_is_allowed(line: str, words: str, tmp_path: Path) -> None:
    (tmp_path / "questions.json").write_text(json.dumps([SCALE | {"id": "overall"}]))
    with pytest.raises(DataError, match=words):
        read_judgments(table(tmp_path, f"item,rater,overall\nc0,ann,3\n{line}\n"))


def test_a_workbook_and_a_data_frame_are_read_as_csv_is(tmp_path: Path) -> None:
    path = table(tmp_path, QUESTIONS)
    frame = pd.read_csv(path)
    frame.to_excel(tmp_path / "ratings.xlsx", index=False, engine="xlsxwriter")
    for other in (tmp_path / "ratings.xlsx", frame):
        assert rows(read_judgments(other)) == rows(read_judgments(path))


def test_microsoft_s_form_without_names_has_anonymous_raters(tmp_path: Path) -> None:
    found = read_judgments(table(tmp_path, MICROSOFT))
    assert {one.judge for one in found} == {"response-1", "response-2"}
    assert all(one.anonymous for one in found)
    assert set(found.asked) == {"How helpful was it?", "Resolved?"}


def test_the_log_says_how_a_table_is_read(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level("INFO", logger="assize"):
        read_judgments(table(tmp_path, QUESTIONS))
    assert "one column per question (Q0, Q1), raters: JUDGE; not read: Notes" in caplog.text


def test_answers_follow_the_questions_that_stand_beside(tmp_path: Path) -> None:
    text = "item,rater,OVERALL,Was it resolved?\nc1,ann,Very good,y\nc2,ben,1.0,N/A\n"
    beside = [
        {
            "id": "overall",
            "kind": "ordinal",
            "answers": ["1", "2"],
            "values": [1, 2],
            "labels": {"2": "very good"},
        },
        {
            "id": "solved",
            "text": "Was it resolved?",
            "kind": "binary",
            "answers": ["n", "y"],
            "values": [0, 1],
        },
    ]
    (tmp_path / "ratings.questions.json").write_text(json.dumps(beside))
    found = read_judgments(table(tmp_path, text))
    assert rows(found) == [
        ("c1", "ann", "overall", "2"),
        ("c1", "ann", "solved", "y"),
        ("c2", "ben", "overall", "1"),
        ("c2", "ben", "solved", "NA"),
    ]
    assert not found.inferred


@pytest.mark.parametrize(
    "text",
    [
        "id,prompt,response,score\nc1,Hi,Hello,4\nc2,Ho,Hm,3\n",  # responses and a score
        "id,prompt,response,one,two\nc1,Hi,Hello,4,3\nc2,Ho,Hm,3,4\n",
        "id,clicks,length\nc1,1,1200\nc2,0,3111\n",  # no common scale
        "question,answer\nWhy?,Because.\n",
        "id,label\nc1,1\nc2,0\n",
        "rater,comment\nann,good\n",
    ],
)
def test_a_table_that_may_be_something_else_is_not_taken_for_ratings(
    text: str, tmp_path: Path
) -> None:
    with pytest.raises(DataError, match="this format is not known"):
        read_judgments(table(tmp_path, text))


@pytest.mark.parametrize(
    ("header", "words"),
    [
        ("chat,", r"csv: if these are ratings \(Manner, Speed\), no column names the rater"),
        ("chat,", r"--map columns=question \(the questions are Manner, Speed;"),
        ("chat,", r"or --map columns=rater \(the raters are Manner, Speed;"),
        ("rater,", r"no column names the item: call one 'item' .* Otherwise: this format"),
    ],
)
def test_a_table_like_ratings_that_lacks_a_column_says_so_first(
    header: str, words: str, tmp_path: Path
) -> None:
    path = table(tmp_path, f"{header}Manner,Speed\nx,4,yes\ny,3,no\n")
    with pytest.raises(DataError, match=words):
        read_judgments(path)


def test_where_the_remedy_is_said_no_list_of_formats_follows(tmp_path: Path) -> None:
    path = table(tmp_path, "item,me\nx,yes\ny,no\n")
    with pytest.raises(DataError, match="no column names the rater") as error:
        judgments_of(path)
    assert len(str(error.value)) < 700
    assert "sharegpt" not in str(error.value)


def test_one_person_s_table_is_read_as_the_message_says(tmp_path: Path) -> None:
    path = table(tmp_path, "chat,Manner,Speed\nc1,4,yes\nc2,3,no\n")
    for format in (None, "ratings"):
        ratings = read_judgments(path, format=format, map="columns=question")
        assert (ratings.judges, ratings.asked) == (("ratings",), ("Manner", "Speed"))


def test_a_header_with_the_ends_of_a_scale_is_a_question(tmp_path: Path) -> None:
    path = table(tmp_path, "chat,Warmth (1-5),Pace [1 to 5]\nc1,4,yes\nc2,3,no\n")
    ratings = read_judgments(path)
    assert (ratings.judges, ratings.asked) == (("ratings",), ("Warmth (1-5)", "Pace [1 to 5]"))


def test_columns_answered_as_questions_are_questions_too(tmp_path: Path) -> None:
    path = table(tmp_path, "id,clarity,accuracy,depth,words\nc1,4,3,5,310\nc2,2,2,1,95\n")
    assert read_judgments(path).asked == ("clarity", "accuracy", "depth")


def test_columns_that_may_be_raters_are_read_as_the_caller_says(tmp_path: Path) -> None:
    path = table(tmp_path, "id,Ann,Ben,Constance\nc1,4,3,4\nc2,2,2,1\n")
    words = r"csv: columns may be .* columns=question \(the questions are Ann, Ben, Constance;"
    with pytest.raises(DataError, match=words):
        read_judgments(path)
    assert read_judgments(path, map="columns=rater").judges == ("Ann", "Ben", "Constance")
    assert read_judgments(path, map="columns=question").judges == ("ratings",)


def test_the_log_says_how_else_a_table_may_be_read(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level("INFO", logger="assize"):
        read_judgments(table(tmp_path, RATERS))
        assert "(Ann, Ben, Eve); if these are questions, add --map columns=question" in caplog.text
        caplog.clear()
        read_judgments(table(tmp_path, RATERS), map="columns=rater")
        assert "(Ann, Ben, Eve)\n" in caplog.text


def test_the_conversations_of_a_table_of_ratings_are_read_as_the_log_says(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    chat = '"User: Hi\nAgent: Hello"'
    text = f"chat_id,transcript,rater,tone\nc1,{chat},ann,4\nc1,{chat},ben,3\nc2,{chat},ann,2\n"
    path = table(tmp_path, text)
    with caplog.at_level("INFO", logger="assize"):
        assert len(read_judgments(path)) == 3
        assert "conversations are read with --map turns=transcript,id=chat_id" in caplog.text
        assert [chat.id for chat in read(path, map="turns=transcript,id=chat_id")] == ["c1", "c2"]
        assert "1 row left out, of conversations that earlier rows hold" in caplog.text


def test_stated_questions_are_those_of_the_columns_by_id_or_words(tmp_path: Path) -> None:
    tone = {"id": "tone", "text": "Was it kind?", "labels": {"4": "very kind"}} | SCALE
    for text in (
        "id,rater,Ratings,\n,,Was it kind?,Depth\nc1,ann,4,3\nc2,ann,Very kind,1\n",
        "id,rater,TONE,Depth\nc1,ann,4,3\nc2,ann,very kind,1\n",
        "id,was it kind?,,Depth,\n,ann,ben,ann,ben\nc1,4,3,2,1\nc2,4.0,3,2,1\n",
        "id,ann,,ben,\n,Was it kind?,Depth,Was it kind?,Depth\nc1,4,3,2,1\nc2,4,3,2,1\n",
        "id,ann,ben\nc1,4,2\nc2,4,1\n",
    ):
        ratings = read_judgments(table(tmp_path, text), questions=[tone])
        assert {row.answer for row in ratings if row.judge == "ann" and row.question == "tone"} == {
            "4"
        }
    with pytest.raises(DataError, match=r"csv:2: TONE: answer '5' is not allowed for tone"):
        read_judgments(table(tmp_path, "id,rater,TONE\nc1,ann,5\n"), questions=[tone])


def test_a_table_of_ratings_is_no_items(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"only judgments are here; .* --map turns=COLUMN"):
        list(read(table(tmp_path, LONG)))


def test_an_odd_cell_is_unscored_and_named_and_the_scale_stays(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    lines = [f"c{n},ann,{1 + n % 4}" for n in range(100)]
    lines[7] = "c7,ann,3?"
    lines[9] = "c9,ann,44"
    lines[11] = "c11,ann,-"
    path = table(tmp_path, "item,rater,Q1. Was it helpful?\n" + "\n".join(lines) + "\n")
    found = read_judgments([path])
    question = found.questions["Q1"]
    assert (question.kind, question.answers) == ("ordinal", ("1", "2", "3", "4"))
    odd = {row.item: row.unscored for row in found if row.unscored is not None}
    assert {item: lost.reason for item, lost in odd.items()} == {"c7": "parse", "c9": "parse"}
    assert odd["c7"].message == "cell '3?' fits none of the answers 1, 2, 3, 4"
    assert next(row for row in found if row.item == "c11").answer == "NA"
    assert "2 cells fit no answer and are unscored" in caplog.text
    assert "row 9, Q1. Was it helpful?: '3?'; row 11, Q1. Was it helpful?: '44'" in caplog.text
