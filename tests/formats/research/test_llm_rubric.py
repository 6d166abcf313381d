from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from tests.formats.conftest import lines, only_record, write_text

from assize.base.conversation import Reference
from assize.base.errors import DataError
from assize.base.judgment import Judgment, Question
from assize.formats import parse, to_json
from assize.formats.reading import iter_records
from assize.formats.research.llm_rubric import PEOPLE_QUESTIONS, QUESTIONS, parse_references

ANSWERS = "dialogue_id,question,p1,p2,p3,p4,sampled_answer,in_id_list"
PEOPLE = "row,judge_id,dialogue_id,Q0,Q1,Q2,Q3,Q4,Q5,Q6,Q7,Q8,round,DQQ0,DQQ1,DQQ2"
BLOCK = (
    "\n\nSources:\n[1]: URL: http://a.org/x --- Title: A --- Body: One.\nTwo.\n"
    "[2]: URL: http://b.org --- Title:  --- Body: B\n"
)


def table(tmp_path: Path, header: str, *lines: str, name: str = "t.csv") -> Path:
    return write_text(tmp_path / name, "\n".join((header, *lines)) + "\n")


def dialogue(**more: Any) -> dict[str, Any]:
    texts = ("Hello!", "What is A?", "A is this [1].", "Thanks", "Bye")
    return {
        "id": "aa",
        "topic": "A",
        "dialogue_version": 1,
        "openai_model": "m",
        "turns": [
            {"role": "user" if place % 2 else "assistant", "text": text}
            for place, text in enumerate(texts)
        ],
        "references": BLOCK,
        "reference_urls": "[1]: http://a.org/x",
    } | more


def judgments(path: Path) -> list[Judgment]:
    rows = [one for one in iter_records(path) if isinstance(one, Judgment)]
    assert [parse(to_json(row)) for row in rows] == rows
    return rows


def test_a_distribution_is_kept_digit_for_digit_with_the_drawn_answer(tmp_path: Path) -> None:
    first, q8 = "V2_1,Q0,0.1,0.2,0.3,0.39999999,3,0", "V2_1,Q8,0.1,0.2,0.6,0.1,3,1"
    row, last = judgments(table(tmp_path, ANSWERS, first, q8))
    assert row.distribution == {"1": 0.1, "2": 0.2, "3": 0.3, "4": 0.39999999}
    assert row.details == {"sampled_answer": "3", "in_id_list": False}
    assert (row.judge, row.kind) == ("rubric@openai:gpt-3.5-turbo-16k", "model")
    # The fourth column of Q8 is no answer of it.
    assert (last.distribution, last.outside) == ({"1": 0.1, "2": 0.2, "3": 0.6}, 0.1)


def test_what_people_were_not_asked_is_marked_and_the_answer_kept(tmp_path: Path) -> None:
    rows = ("V1_1,Q3,0.1,0.2,0.3,0.4,3,1", "V1_1,Q6,0.1,0.2,0.3,0.4,3,1")
    citation, other = judgments(table(tmp_path, ANSWERS, *rows))
    assert citation.distribution == {"1": 0.1, "2": 0.2, "3": 0.3, "4": 0.4}
    assert [(row.details or {}).get("people_asked") for row in (citation, other)] == [False, None]


def test_real_dialogues_without_references_are_looked_up_beside_the_table(tmp_path: Path) -> None:
    path = table(tmp_path, ANSWERS, "aa,Q2,0,0,0,1,4,1", "bb,Q2,0,0,0,1,4,1")
    lines(tmp_path / "real_dialogues.jsonl", dialogue(), dialogue(id="bb", references=None))
    assert [(row.details or {}).get("people_asked") for row in judgments(path)] == [None, False]


@pytest.mark.parametrize(
    ("header", "row", "problem"),
    [
        (ANSWERS, "cc,Q2,0,0,0,1,4,1", "dialogue_id: is not among the dialogues"),
        (ANSWERS, "V2_1,Q0,0,x,0,1,4,1", "p2: received 'x'; expected a probability"),
        (
            PEOPLE,
            "0,7,V2_1,5,3,3,3,3,3,3,3,3,round1,1,4,3",
            "Q0: answer '5' is not allowed; allowed are 1, 2, 3, 4",
        ),
    ],
)
def test_a_bad_row_says_what_is_wrong(header: str, row: str, problem: str, tmp_path: Path) -> None:
    lines(tmp_path / "real_dialogues.jsonl", dialogue())
    with pytest.raises(DataError, match=problem):
        judgments(table(tmp_path, header, row))


def test_without_the_dialogues_the_error_says_where_they_should_stand(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="put it beside this table"):
        judgments(table(tmp_path, ANSWERS, "bb,Q2,0,0,0,1,4,1"))


def people(tmp_path: Path, *lines: str) -> dict[tuple[str, int], Judgment]:
    return {(row.question, row.repeat): row for row in judgments(table(tmp_path, PEOPLE, *lines))}


@pytest.mark.parametrize(("released", "coded"), [("1", "1"), ("2", "3"), ("3", "2"), ("NA", "NA")])
def test_people_s_q8_is_put_back_into_the_questionnaire_s_coding(
    released: str, coded: str, tmp_path: Path
) -> None:
    rows = people(tmp_path, f"0,7,V2_1,3,3,3,3,3,3,3,3,{released},round1,1,4,3")
    assert rows["Q8", 0].answer == coded


def test_a_questionnaire_is_twelve_judgments_by_its_judge(tmp_path: Path) -> None:
    rows = people(tmp_path, "5,7,V1_2,3,2,NA,NA,NA,NA,4,missing,2,round3,1,4,0")
    assert [name for name, _ in rows] == [question.id for question in PEOPLE_QUESTIONS]
    assert {row.judge for row in rows.values()} == {"7"}
    assert rows["Q1", 0].details == {"row": "5", "round": "round3"}
    assert {name for (name, _), row in rows.items() if row.answer == "NA"} == {
        *("Q2", "Q3", "Q4", "Q5", "DQQ2")
    }
    assert [(row.question, row.unscored.reason) for row in rows.values() if row.unscored] == [
        ("Q7", "missing")
    ]


REAL = (  # 32-digit ids; "aa" and "bb" are dialogues without references
    "0,7,aa,3,NA,4,NA,NA,NA,3,3,3,r,1,1,1",
    "1,8,bb,2,NA,3,NA,NA,NA,3,3,3,r,1,1,1",
    "2,7,cc,3,1,2,3,3,3,3,3,3,r,1,1,1",
)


def answers_to(rows: list[Judgment], question: str) -> list[str | None]:
    return [row.answer for row in rows if row.question == question]


def test_q1_and_q2_of_real_dialogues_are_put_back_and_the_log_says_so(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = table(tmp_path, PEOPLE, *REAL)
    with caplog.at_level("INFO", logger="assize"):
        rows = judgments(path)
    assert answers_to(rows, "Q1") == ["4", "3", "2"]
    assert answers_to(rows, "Q2") == ["NA", "NA", "1"]
    assert "Q1 and Q2 are exchanged" in caplog.text
    assert "Q1 is NA in 2 of 2 questionnaires without references" in caplog.text


def test_q1_and_q2_stay_where_the_table_has_them_right(tmp_path: Path) -> None:
    # A synthetic dialogue without references, beside the real ones of above: each kind is looked
    # at by itself. A rejected questionnaire, NA throughout, says nothing.
    rejected = ",".join(["3", "7", "V1_2", *["NA"] * 9, "r", "2", "0", "0"])
    lines = ("4,7,V1_1,3,4,NA,NA,NA,NA,3,3,3,r,1,1,1", rejected, *REAL)
    rows = judgments(table(tmp_path, PEOPLE, *lines))
    assert answers_to(rows, "Q1") == ["4", "NA", "4", "3", "2"]
    assert answers_to(rows, "Q2") == ["NA", "NA", "NA", "NA", "1"]


def test_a_second_questionnaire_on_the_same_dialogue_is_a_repeat(tmp_path: Path) -> None:
    line = "{},{},V2_25,3,3,3,3,3,3,3,3,3,round1,1,4,3"
    lines = [line.format(n, judge) for n, judge in enumerate((11, 12, 11))]
    rows = judgments(table(tmp_path, PEOPLE, *lines))
    assert [(row.judge, row.repeat) for row in rows if row.question == "Q0"] == [
        ("11", 0),
        ("12", 0),
        ("11", 1),
    ]


def test_references_stand_on_the_first_answer(tmp_path: Path) -> None:
    talk = only_record(lines(tmp_path / "d.jsonl", dialogue()))
    assert parse(to_json(talk)) == talk
    assert [turn.references for turn in talk.turns] == [
        (),
        (),
        (
            Reference("1", "A", "One.\nTwo.", {"url": "http://a.org/x"}),
            Reference("2", "", "B", {"url": "http://b.org"}),
        ),
        (),
        (),
    ]
    assert (talk.system, talk.metadata["topic"]) == ("DS1", "A")


def test_a_dialogue_without_references_has_none(tmp_path: Path) -> None:
    talk = only_record(lines(tmp_path / "d.jsonl", dialogue(references=None, dialogue_version=0)))
    assert not any(turn.references for turn in talk.turns)


@pytest.mark.parametrize("more", [{"references": "see the web"}, {"turns": []}])
def test_references_that_cannot_be_placed_are_an_error(
    more: dict[str, Any], tmp_path: Path
) -> None:
    with pytest.raises(DataError, match="references: "):
        only_record(lines(tmp_path / "d.jsonl", dialogue(**more)))


@pytest.mark.parametrize("questions", [QUESTIONS, PEOPLE_QUESTIONS])
def test_only_questions_about_references_depend_on_them(questions: Iterable[Question]) -> None:
    asked = [one.id for one in questions if one.applies == "has_references"]
    assert asked == ["Q2", "Q3", "Q4", "Q5"]


def test_q8_is_three_answers_without_an_order() -> None:
    q8 = QUESTIONS[-1]
    assert (q8.id, q8.kind, q8.values, q8.answers) == ("Q8", "nominal", None, ("1", "2", "3"))


def test_the_text_of_a_reference_may_hold_anything_but_the_mark_of_the_next() -> None:
    text = "[1]: URL: http://a.org --- Title: T --- Body: a --- b [2]: c\n[3] d"
    (only,) = parse_references(text)
    assert only["text"] == "a --- b [2]: c\n[3] d"
