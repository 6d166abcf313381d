"""Forms: what they offer is what their questions know."""

from __future__ import annotations

import pytest

from assize.formats.research.upheld import QUESTIONS
from assize.reference._rating_sheets.form import COMPARED, CONTENT, DIFFERENCE, FORMS, RATINGS, Form


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_every_answer_that_is_offered_is_one_of_its_question(form: Form) -> None:
    for asked in form.asked:
        for offered in asked.answers:
            meant = asked.meant(offered)
            assert meant in asked.question.answers


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_examples_are_filled_in_as_raters_can(form: Form) -> None:
    assert form.examples
    for one in form.examples:
        assert len(one.filled) == len(form.asked)
        for asked, cell in zip(form.asked, one.filled, strict=True):
            assert not cell or asked.meant(cell) is not None


def test_the_paper_table_has_its_three_questions_and_points() -> None:
    assert [one.column for one in RATINGS.asked] == [
        "score_task_1_content",
        "score_task_2_style",
        "score_task_3_reasonableness",
    ]
    assert [one.question for one in RATINGS.asked] == list(QUESTIONS)
    points = [[one.partition(":")[0] for one in asked.answers] for asked in RATINGS.asked]
    assert points == [["1", "2", "3", "4", "5"], ["1", "3", "5"], ["1", "5"]]


def test_an_answer_is_known_by_its_number_or_its_words() -> None:
    for cell in ("3: neutral", "3", " 3: Neutral "):
        assert CONTENT.meant(cell) == "3"
    assert CONTENT.meant("6") is None
    assert DIFFERENCE.meant("anything") == "anything"
    assert COMPARED.questions.keys() == {"phrasing", "difference", "theme"}
