"""Questions of several sources: one scale a name, and inferred where none states it."""

from __future__ import annotations

import pytest

from assize.base.errors import DataError
from assize.base.judgment import Judgment, Question
from assize.judgments import JudgmentTable
from assize.judgments.apart import of_set
from assize.judgments.questions import MOST_ANSWERS, Questions

SCALE = Question("q", kind="ordinal", answers=("1", "2", "3"), values=(1.0, 2.0, 3.0))


def test_a_question_is_worded_as_its_judgments_were_asked() -> None:
    questions = Questions()
    questions.begin("a.csv", ())
    details = {"asked": "Was it good?", "label": "Good"}
    questions.add_row(Judgment("i", "ann", "Q1", answer="4", details=details))
    found, inferred = questions.result()
    assert (found["Q1"].text, found["Q1"].labels) == ("Was it good?", {"4": "Good"})
    assert inferred == {"Q1"}


def test_questions_of_two_sets_get_names_and_those_of_before_change_theirs() -> None:
    first = of_set(Question("net", range=(0.0, 1.0)), "a.yaml", "v1")
    second = of_set(Question("net", range=(0.0, 2.0)), "b.yaml", "v1")
    questions = Questions()
    assert questions.merge("a", [first]) == ({}, {})
    assert questions.merge("b", [second]) == ({"net": "net@a.yaml"}, {"net": "net@b.yaml"})
    assert {name: one.range for name, one in questions.result()[0].items()} == {
        "net@a.yaml": (0.0, 1.0),
        "net@b.yaml": (0.0, 2.0),
    }
    with pytest.raises(DataError, match=r"^c: question 'net@a.yaml' has two scales: .* in a"):
        questions.begin("c", [Question("net@a.yaml", range=(0.0, 3.0))])


def test_an_inferred_scale_stays_as_wide_as_it_was() -> None:
    table = JudgmentTable.of([Judgment("i", "j", "q", answer=one) for one in "135"])
    kept = table.where(judge="j").filter(table.numeric("repeat") == 0).where(answer="3")
    assert JudgmentTable.concat([kept, kept]).questions["q"].answers == ("1", "3", "5")


def test_a_question_with_very_many_answers_is_free_text() -> None:
    questions = Questions()
    for number in range(MOST_ANSWERS + 2):
        questions.add_row(Judgment("i", "j", "why", answer=f"because {number}"))
    assert questions.result()[0]["why"].kind == "text"
