from __future__ import annotations

from assize.base.judgment import Judgment, Question
from assize.formats.ratings.stated import as_stated
from assize.judgments import JudgmentTable

Q0 = Question("Q0", "How good?", "ordinal", ("1", "2", "3"), (1, 2, 3), {"3": "Very good"})


def table(question: str, *answers: str) -> JudgmentTable:
    rows = [Judgment(f"c{n}", "ann", question, answer=one) for n, one in enumerate(answers)]
    return JudgmentTable.of(rows)


def read(found: JudgmentTable) -> tuple[set[str], list[str | None]]:
    return set(found.asked), [one.answer for one in found]


def test_a_question_in_another_case_or_by_its_words_is_the_stated_one() -> None:
    assert read(as_stated(table("q0", "1", "2"), [Q0])) == ({"Q0"}, ["1", "2"])
    assert read(as_stated(table("how GOOD?", "1"), [Q0])) == ({"Q0"}, ["1"])
    assert read(as_stated(table("Ratings | how good?", "1"), [Q0])) == ({"Q0"}, ["1"])
    assert read(as_stated(table("tone", "1"), [Q0])) == ({"tone"}, ["1"])


def test_answers_in_words_are_the_stated_ones_all_or_none() -> None:
    found = as_stated(table("Q0", "very good", "1.0", "NA"), [Q0]).stated([Q0])
    assert read(found) == ({"Q0"}, ["3", "1", "NA"])
    assert not found.inferred
    assert read(as_stated(table("Q0", "very good", "awful"), [Q0]))[1] == ["very good", "awful"]


def test_what_raters_columns_are_about_is_the_target() -> None:
    assert read(as_stated(table("rating", "1"), [Q0], "Q0"))[0] == {"Q0"}
    assert read(as_stated(table("rating", "1"), [Q0]))[0] == {"rating"}


def test_a_defined_question_stays_as_it_is() -> None:
    mine = Question("q0", kind="ordinal", answers=("1", "2"), values=(1, 2))
    given = JudgmentTable.of([Judgment("c", "ann", "q0", answer="1")], [mine])
    assert as_stated(given, [Q0]).asked == ("q0",)
