"""Names of questions that differ only by case and spaces."""

from __future__ import annotations

import logging

import pytest

from assize.base.judgment import Judgment, Question
from assize.judgments import JudgmentTable
from assize.judgments.spellings import find_spellings, match_spellings, rename_spellings

GRADE = Question("overall", "", "number", range=(0, 1))


def rows(*answers: tuple[str, str, str]) -> JudgmentTable:
    """Answers to questions by judges about one item."""
    made = [Judgment("i", judge, name, answer=answer) for judge, name, answer in answers]
    return JudgmentTable.of(made, [GRADE])


@pytest.mark.parametrize(
    ("names", "known", "matches"),
    [
        (["Over all"], ["overall"], {"Over all": "overall"}),
        (["Overall", "overall"], ["overall"], {}),
        (["Overall", "OVERALL"], ["overall"], {}),
        (["tone"], ["overall"], {}),
    ],
)
def test_a_name_is_matched_where_one_spelling_is_known(
    names: list[str], known: list[str], matches: dict[str, str]
) -> None:
    assert match_spellings(names, known) == matches


def test_a_renamed_question_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "assize"):
        assert rename_spellings(rows(("ann", "Overall", "3")), ["overall"]).asked == ("overall",)
    assert "question Overall is read as overall" in caplog.text


def test_a_stated_name_comes_before_the_first() -> None:
    assert find_spellings(rows(("ann", "Overall", "3"), ("bot", "overall", "1"))) == {
        "Overall": "overall"
    }
    assert find_spellings(rows(("ann", "Tone", "3"), ("bob", "tone", "1"))) == {"tone": "Tone"}


@pytest.mark.parametrize(
    "answers",
    [
        [("ann", "Overall", "3"), ("ann", "overall", "1")],
        [("ann", "Tone", "rude"), ("bob", "tone", "kind")],
    ],
)
def test_questions_stay_apart_that_one_judge_answered_both_or_without_numbers(
    answers: list[tuple[str, str, str]],
) -> None:
    assert find_spellings(rows(*answers)) == {}
