from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tests.web.tasks.making import BARE, lines, make_task

from assize.base.errors import DataError
from assize.base.judgment import Judgment, Question, Unscored
from assize.web._tasks.marking import answer_in, expected_of, is_right, question_of

SCALE = Question("scale", kind="ordinal", answers=("1", "2", "3", "4"))
KIND = Question("kind", kind="nominal", answers=("1", "2"))
NUMBER = Question("n", kind="number")


@pytest.mark.parametrize(
    ("question", "given", "expected", "within", "found"),
    [
        (SCALE, "1", "3", 1, False),
        (SCALE, "2", "3", 1, True),
        (KIND, "1", "2", 1, False),
        (NUMBER, "3.5", "4", 0, False),
        (NUMBER, "3.5", "4", 1, True),
        (NUMBER, "some", "4", 1, False),
        (SCALE, "NA", "1", 3, False),
        (SCALE, "NA", "NA", 0, True),
    ],
)
def test_places_count_on_ordered_scales_alone(
    question: Question, given: str, expected: str, within: int, found: bool
) -> None:
    assert is_right(question, given, expected, within) is found


def test_expected_answers_are_read_by_item_question_and_turn(tmp_path: Path) -> None:
    rows: list[dict[str, str | int]] = [
        {"item": "c2", "judge": "gold", "question": "Q0", "answer": "4"},
        {"item": "c2", "judge": "gold", "question": "n", "score": 3},
        {"item": "c2", "judge": "gold", "question": "Q1", "answer": "1"},
        {"item": "c2", "judge": "other", "question": "Q1", "answer": "2"},
        {"item": "c2", "judge": "gold", "question": "act_check", "answer": "right", "turn": 0},
        {"item": "c2", "judge": "gold", "question": "act_check", "answer": "missing", "turn": 1},
    ]
    lines(tmp_path / "gold.jsonl", rows)
    found = expected_of(make_task(tmp_path, "rate", [BARE]), ["gold.jsonl"])
    right = {"Q0": "4", "n": "3", "act_check@0": "right", "act_check@1": "missing"}
    assert found == {"c2": right}


def test_the_question_of_a_name_is_that_of_its_turn() -> None:
    asked = {"scale": SCALE, "at@home": KIND}
    names = ("scale", "scale@3", "at@home", "at")
    assert [question_of(name, asked) for name in names] == [SCALE, SCALE, KIND, None]


def test_an_unscored_row_has_no_answer() -> None:
    row = Judgment("c2", "g", "n", score=2.5)
    assert answer_in(row) == "2.5"
    assert answer_in(replace(row, answer="4")) == "4"
    assert answer_in(replace(row, score=None, unscored=Unscored("skipped"))) is None


def test_a_file_without_answers_is_refused(tmp_path: Path) -> None:
    unscored = {"item": "c2", "judge": "g", "question": "Q0", "unscored": {"reason": "skipped"}}
    lines(tmp_path / "gold.jsonl", [unscored])
    with pytest.raises(DataError, match="holds no answers"):
        expected_of(make_task(tmp_path, "rate", [BARE]), ["gold.jsonl"])
