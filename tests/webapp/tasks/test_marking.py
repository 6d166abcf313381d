from __future__ import annotations

from pathlib import Path

import pytest
from tests.webapp.tasks.making import BARE, lines, make_task

from assize.errors import DataError
from assize.judgment import PREFERENCE, Question
from assize.webapp.forms import Field, Form, FormSection
from assize.webapp.tasks.marking import expected_of, is_right, right

SCALE = Question("scale", kind="ordinal", answers=("1", "2", "3", "4"))
KIND = Question("kind", kind="nominal", answers=("1", "2"))
NUMBER = Question("n", kind="number")


def form(*questions: Question) -> Form:
    return Form((FormSection("", tuple(Field(one.id, one) for one in questions)),))


def test_answers_are_counted_and_the_wrong_ones_named() -> None:
    marked = right(form(SCALE, KIND), {"scale": "1", "kind": "2"}, {"scale": "1", "kind": "1"})
    assert (marked.right, marked.asked, marked.wrong, marked.share) == (1, 2, ("kind",), 0.5)


def test_nothing_known_has_no_share() -> None:
    assert right(form(SCALE), {"scale": "1"}, {"other": "1"}).share is None


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


def test_an_answer_about_exchanged_sides_is_about_the_real_ones() -> None:
    asked = form(PREFERENCE)
    assert right(asked, {"preference": "A"}, {"preference": "B"}, order="BA").right == 1
    assert right(asked, {"preference": "A"}, {"preference": "B"}).right == 0


def test_no_answer_is_right_only_where_none_is_expected() -> None:
    assert right(form(SCALE), {}, {"scale": "NA"}).right == 1
    assert right(form(SCALE), {}, {"scale": "1"}).right == 0


def test_expected_answers_are_read_by_item_and_question(tmp_path: Path) -> None:
    rows: list[dict[str, str | int]] = [
        {"item": "c2", "judge": "gold", "question": "Q0", "answer": "4"},
        {"item": "c2", "judge": "gold", "question": "n", "score": 3},
        {"item": "c2", "judge": "gold", "question": "Q1", "answer": "1"},
        {"item": "c2", "judge": "other", "question": "Q1", "answer": "2"},
    ]
    lines(tmp_path / "gold.jsonl", rows)
    task = make_task(tmp_path, "rate", [BARE])
    assert expected_of(task, ["gold.jsonl"]) == {"c2": {"Q0": "4", "n": "3"}}


def test_a_file_without_answers_is_refused(tmp_path: Path) -> None:
    unscored = {"item": "c2", "judge": "g", "question": "Q0", "unscored": {"reason": "skipped"}}
    lines(tmp_path / "gold.jsonl", [unscored])
    with pytest.raises(DataError, match="holds no answers"):
        expected_of(make_task(tmp_path, "rate", [BARE]), ["gold.jsonl"])
