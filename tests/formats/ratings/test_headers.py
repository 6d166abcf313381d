from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from tests.formats.conftest import write_text
from tests.formats.ratings.sheet_of_raters import (
    ANSWERS,
    Cells,
    alphas,
    two_headers,
    write_table,
)

from assize.base.errors import DataError
from assize.base.judgment import Question
from assize.formats import read_judgments, write_questions
from assize.formats.ratings.headers import (
    asked,
    asks_nothing,
    columns_of,
    grid,
    join_headers,
    looks_asked,
    meaning,
)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "id,Tone,,Clarity,\n,r1,r2,r1,r2\nc1,4,3,2,1\n,4,3,2,1\n",
            r"two.csv:4: column 'id' is empty",
        ),
        # Of two rows either may be the raters.
        ("id,Depth,,Warmth,\n,ann,ben,ann,ben\nc1,4,3,2,1\n", "nothing tells which is which"),
        ("id,tone,tone\nc1,good,fine\n", "names 'tone' more than once"),
    ],
)
def test_an_error_of_two_header_rows_is_told(text: str, words: str, tmp_path: Path) -> None:
    (tmp_path / "two.csv").write_text(text)
    with pytest.raises(DataError, match=words):
        read_judgments(tmp_path / "two.csv")


@pytest.mark.parametrize(
    ("header", "said"),
    [
        ("Conversation ID", "item"),
        ("Which chat did you rate? (chat number)", "item"),
        ("DIALOGUE-ID:", "item"),
        ("Email Address", "rater"),
        ("Your initials", "rater"),
        ("Rater's name", "rater"),
        ("Criterion", "question"),
        ("Rating", "answer"),
        ("Q1", None),
        ("Case notes", None),
    ],
)
def test_what_a_column_names(header: str, said: str | None) -> None:
    assert meaning(header) == said


def test_the_surest_name_comes_first() -> None:
    found = columns_of(["conversation", "id", "Chat no.", "Item", "Name", "Rater"])
    assert found["item"] == ["Item", "Chat no.", "id", "conversation"]
    assert found["rater"] == ["Rater", "Name"]


def test_questions_by_number_words_and_definition() -> None:
    known = {one.id: one for one in (Question("clear", "Is it clear?"), Question("Q7"))}
    assert asked("Q1 - Was it good?", {})[:3] == ("Q1", "Was it good?", None)
    assert asked("q7) What else?", known).id == "Q7"
    assert asked("is it  CLEAR?", known)[:3] == ("clear", "", None)
    assert asked("Please rate [tone]", {}).id == "tone"
    assert asked("Was it safe? *", {}).id == "Was it safe?"


def test_times_texts_and_comments_ask_nothing() -> None:
    assert all(map(asks_nothing, ["Timestamp", "transcript", "Any other comments?", "", "URL"]))
    assert not asks_nothing("tone")


def test_what_looks_like_a_question() -> None:
    assert all(map(looks_asked, ["Q3", "Was it?", "clarity", "Rate [c1]", "2. Fine", "Pace (1–5)"]))
    assert not any(map(looks_asked, ["ann", "Ben", "rater 2"]))
    assert grid("ann") is grid("Pace [1-5]") is None


@pytest.mark.parametrize(
    ("merged", "by_rater", "item_low", "suffix"),
    list(itertools.product((False, True), (False, True), (False, True), (".csv", ".xlsx"))),
)
def test_two_header_rows_have_the_numbers_of_the_long_table(
    merged: bool,
    by_rater: bool,
    item_low: bool,
    suffix: str,
    cells: Cells,
    expected: dict[str, float],
    tmp_path: Path,
) -> None:
    table = two_headers(cells, merged=merged, by_rater=by_rater, item_low=item_low)
    path = write_table(tmp_path / f"two{suffix}", {"Sheet1": table})
    assert alphas(path) == expected
    assert len(read_judgments(path)) == ANSWERS


def test_sections_above_questions_keep_their_rater(tmp_path: Path) -> None:
    path = write_text(
        tmp_path / "sections.csv",
        "id,rater,Quality,,Safety,\n,,clear,overall,harm,overall\nc1,ann,4,3,1,1\n",
    )
    table = read_judgments(path)
    assert table.asked == (
        "Quality | clear",
        "Quality | overall",
        "Safety | harm",
        "Safety | overall",
    )
    assert table.judges == ("ann",)
    scale = Question("clear", kind="ordinal", answers=("1", "2", "3", "4"), values=(1, 2, 3, 4))
    write_questions(path, [scale])
    assert "clear" in read_judgments(path).asked


@pytest.mark.parametrize(
    ("upper", "lower", "joined"),
    [
        (
            ["id", "Tone", "Pace", "Tone", "Pace"],  # names that alternate are repeated too
            ["", "r1", "r1", "r2", "r2"],
            ["id", "Tone | r1", "Pace | r1", "Tone | r2", "Pace | r2"],
        ),
        # A first row of data is no second header.
        (["id", "ann", "ben"], ["c1", "4", "3"], None),
        (["id", "tone", "tone"], ["c1", "good", "fine"], None),  # a name twice above data
        (["id", "tone", ""], ["", "4", "3"], None),
        (["id", "tone", "tone"], ["", "r1", "r1"], None),  # a combination twice
        (["", "tone", "pace"], ["c1", "good", "fine"], None),
        ([], [], None),
    ],
)
def test_two_header_rows_are_joined(
    upper: list[str], lower: list[str], joined: list[str] | None
) -> None:
    assert join_headers(upper, lower) == joined


def test_an_empty_name_above_data_is_read_as_before(tmp_path: Path) -> None:
    path = write_text(
        tmp_path / "index.csv",
        ",item,rater,question,answer\n0,c1,ann,tone,4\n1,c2,ann,tone,3\n",
    )
    assert [row.answer for row in read_judgments(path)] == ["4", "3"]
