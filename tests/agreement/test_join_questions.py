"""Questions of judges and raters that are one, and those that do not meet."""

from __future__ import annotations

import logging
from typing import Any

import pytest

import assize
from assize import Judgment
from assize.agreement import report_raters
from assize.agreement.join_questions import join_questions, questions_apart
from assize.base.judgment import Question
from assize.judgments import JudgmentTable
from assize.judgments.answers import PEOPLE

SCORE = Question("overall", "", "number", range=(0, 1))
LEVELS = (1, 3, 2, 5, 4, 2, 5, 1, 3, 4)


def table(name: str = "Overall", *, raters: int = 3, question: str = "overall") -> JudgmentTable:
    """Ratings of 10 chats under one name, and scores of an evaluator under another."""
    rows = [
        Judgment(
            f"i{item}",
            f"r{rater}",
            name,
            answer=str(max(1, level - (item % 3 == rater))),
            kind="person",
        )
        for item, level in enumerate(LEVELS)
        for rater in range(raters)
    ]
    rows += [
        Judgment(f"i{item}", "bot", question, score=level / 5, kind="evaluator")
        for item, level in enumerate(LEVELS)
    ]
    return JudgmentTable.of(rows, [SCORE])


def test_another_spelling_is_one_question(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "assize"):
        result = assize.agree(table(), gold="people")
    assert [(row.question, row.first, row.second) for row in result.pairs] == [
        ("overall", "bot", "people")
    ]
    assert "question Overall is read as overall" in caplog.text


@pytest.mark.parametrize("name", ["Overall", "overall", "over ALL"])
def test_a_question_is_named_in_any_spelling(name: str) -> None:
    assert [row.question for row in assize.agree(table(), question=name).questions] == ["overall"]


def test_people_keep_their_own_figures_beside_a_judge_on_another_scale() -> None:
    alone = assize.agree(table().where(kind="person"))
    result = assize.agree(table(), gold="people")
    figures: Any = [(row.statistic, row.estimate.estimate) for row in alone.overall]
    assert [(row.statistic, row.estimate.estimate) for row in result.overall] == figures
    assert {row.rater: row.correlation for row in result.raters} == {
        row.rater: row.correlation for row in alone.raters
    }
    assert result.table_notes["overall"][0].startswith("overall: people alone")


def test_people_on_two_scales_have_no_figures_together() -> None:
    five = Question("five", "", "ordinal", tuple("12345"), (1, 2, 3, 4, 5))
    three = Question("three", "", "ordinal", tuple("123"), (1, 2, 3))
    rows = [
        Judgment(f"i{item}", rater, question, answer=str(1 + item % 3), kind="person")
        for item in range(6)
        for rater, question in (("ann", "five"), ("bob", "three"), ("eve", "three"))
    ]
    joined = join_questions(JudgmentTable.of(rows, [five, three]), {"three": "five"})
    assert joined.mixed == joined.mixed_people == {"five"}
    assert assize.agree(JudgmentTable.of(rows, [five, three]), same={"three": "five"}).raters == []


def test_guessed_scales_of_two_spellings_are_one_scale() -> None:
    rows = [
        Judgment(f"i{item}", rater, name, answer=answer, kind="person")
        for item in range(4)
        for rater, name, answer in (("ann", "Tone", str(1 + item % 2)), ("bob", "tone", "4"))
    ]
    result = assize.agree(JudgmentTable.of(rows))
    assert [(row.question, row.kind) for row in result.questions] == [("Tone", "ordinal")]
    assert result.notes == []


def test_questions_that_do_not_meet_are_said_with_what_to_type() -> None:
    other = table("General")
    (note,) = questions_apart(other, PEOPLE, None)
    assert note == (
        "bot and people answered no question in common, so they are not compared: bot answered"
        " overall, and people General; where two ask the same, add --same, for example"
        " --same overall=General"
    )
    assert note in assize.agree(other, gold="people").notes
    assert not [*questions_apart(table(question="Overall"), PEOPLE, None)]
    assert not [*questions_apart(other, PEOPLE, ["ann"])]


def test_the_report_of_raters_reads_two_spellings_as_one_question() -> None:
    rows = [
        Judgment(f"i{item}", rater, name, answer=str(1 + item % 3), kind="person")
        for item in range(4)
        for rater, name in (("ann", "Tone"), ("bob", "tone"))
    ]
    report = report_raters(rows, question="TONE")
    assert {row.question for row in report.overall} == {"Tone"}
