"""One conversation with everything that was said about it; all of it is text."""

from __future__ import annotations

from tests.web.dashboard.project import ATTACK, conversations, table

from assize.base.judgment import Judgment, Question, Unscored
from assize.pages.conversation import describe_answer, show_conversation


def test_turns_and_judgments_are_shown_and_escaped() -> None:
    judgments = table()
    rows = [row for row in judgments.rows() if row.item == "c/000"]
    page = show_conversation(conversations()[0], rows, judgments.questions.values())
    assert page.count('<li class="turn') == 4
    assert page.count("<tr>") == len(rows) + 1
    assert "turn-help 0" in page  # a number about a turn stands beside it
    assert ATTACK not in page


def test_without_its_text_the_judgments_stand_alone() -> None:
    page = show_conversation("c9", [Judgment("c9", "ann", "q", answer="2")], [])
    assert "text of this conversation was not given" in page
    assert "ann" in page


def test_an_answer_is_described_in_words() -> None:
    asked = Question("q", kind="nominal", answers=("a", "b"), labels={"a": "first"})
    said = [
        Judgment("i", "j", "q", answer="a"),
        Judgment("i", "j", "q", answer="NA"),
        Judgment("i", "j", "q", unscored=Unscored("refused", "it would not")),
        Judgment("i", "j", "q", score=2.5, distribution={"a": 0.004, "b": 0.996}),
    ]
    assert [describe_answer(row, asked) for row in said] == [
        "a: first",
        "does not apply",
        "unscored: refused it would not",
        "2.500, b 100%",
    ]
