"""Columns that name a question and a rater: the numbers are those of the long table."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.formats.conftest import write_text
from tests.formats.ratings.sheet_of_raters import ANSWERS, Cells, alphas, crossed, write_table

from assize.base.errors import ConfigError, DataError
from assize.base.judgment import Question
from assize.formats import read_judgments
from assize.formats.ratings.crossed import find_crossing

PATTERNS = ["{q} - {r}", "{q} – {r}", "{q} [{r}]", "{q} ({r})", "{r}: {q}", "{q} | {r}", "{r}_{q}"]


@pytest.mark.parametrize("suffix", [".csv", ".xlsx"])
@pytest.mark.parametrize("by_rater", [False, True])
@pytest.mark.parametrize("pattern", PATTERNS)
def test_a_sheet_of_raters_has_the_numbers_of_the_long_table(
    pattern: str,
    by_rater: bool,
    suffix: str,
    cells: Cells,
    expected: dict[str, float],
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    table = crossed(cells, pattern, by_rater=by_rater)
    path = write_table(tmp_path / f"wide{suffix}", {"Sheet1": table})
    with caplog.at_level("INFO", logger="assize"):
        assert alphas(path) == expected
    shape = pattern.replace("–", "-").format(q="QUESTION", r="RATER")
    assert f"columns `{shape}`" in caplog.text
    assert "5 raters (r1, r2, r3, r4, r5)" in caplog.text
    assert len(read_judgments(path)) == ANSWERS


def grid(questions: list[str], raters: list[str], pattern: str = "{q} - {r}") -> list[str]:
    return [pattern.format(q=question, r=rater) for question in questions for rater in raters]


@pytest.mark.parametrize(
    ("columns", "order"),
    [
        (grid(["Tone", "Clarity"], ["ann", "ben"]), "question-rater"),
        (grid(["Tone", "Clarity"], ["ann", "ben"], "{r}: {q}"), "rater-question"),
        (grid(["Depth", "Warmth"], ["Rater 1", "Rater 2"]), "question-rater"),
        (grid(["Depth", "Warmth"], ["a@x.org", "b@x.org"], "{r} - {q}"), "rater-question"),
        (grid(["Depth", "Warmth"], ["ann", "ben"], "{q} [{r}]"), "question-rater"),
        (grid(["Depth"], ["ann", "ben", "eve"]), "question-rater"),
        (grid(["Tone"], ["ann", "ben", "eve"], "{r} - {q}"), "rater-question"),
        (grid(["Q1 - Tone", "Q2 - Pace"], ["ann", "ben"]), "question-rater"),
        (grid(["Warmth", "Tone"], ["Constance", "ben", "eve"]), None),
        (grid(["Depth", "Warmth"], ["ann", "ben"]), None),
        (grid(["Depth", "Kind"], ["ann", "ben"]), "question-rater"),  # a defined question decides
    ],
)
def test_the_side_that_looks_like_questions_is_the_questions(
    columns: list[str], order: str | None
) -> None:
    crossing = find_crossing(columns, {"Kind": Question("Kind")})
    assert crossing is not None
    assert crossing.order == order


@pytest.fixture
def depth(tmp_path: Path) -> Path:
    """A grid of which nothing tells the raters from the questions."""
    header = ",".join(["id", *grid(["Depth", "Warmth"], ["ann", "ben"])])
    (tmp_path / "depth.csv").write_text(f"{header}\nc1,4,3,2,1\nc2,1,2,3,4\n")
    return tmp_path / "depth.csv"


@pytest.mark.parametrize(
    "columns",
    [
        ["Q1 - Was it clear?", "Q2 - Was it kind?", "Q3 - Was it short?"],  # a diagonal
        ["Helpful - score", "Polite - score"],  # questions of one rater
        ["Quality [clear]", "Quality [kind]"],  # a grid of questions
        ["is_clear", "is_kind", "was_clear", "was_kind"],  # words of one name
        ["Helpful (1-5)", "Polite (1-5)"],
        ["ann", "ben"],
        [],
    ],
)
def test_other_columns_are_no_grid_of_questions_and_raters(columns: list[str]) -> None:
    assert find_crossing(columns, {}) is None


def test_where_nothing_tells_the_rater_the_error_says_what_to_do(depth: Path) -> None:
    words = (
        "depth.csv: columns such as 'Depth - ann' name a question and a rater",
        "--map columns=question-rater (rater 'ann')",
        "--map columns=rater-question (rater 'Depth')",
        "`Question [rater]`",
    )
    with pytest.raises(DataError, match=".*".join(map(re.escape, words))):
        read_judgments(depth)


@pytest.mark.parametrize(
    ("columns", "questions", "judges"),
    [
        ("question-rater", {"Depth", "Warmth"}, {"ann", "ben"}),
        ("rater-question", {"ann", "ben"}, {"Depth", "Warmth"}),
        ("question", set(grid(["Depth", "Warmth"], ["ann", "ben"])), {"depth"}),
        ("rater", {"rating"}, set(grid(["Depth", "Warmth"], ["ann", "ben"]))),
    ],
)
def test_a_mapping_says_what_the_columns_are(
    columns: str, questions: set[str], judges: set[str], depth: Path
) -> None:
    for map in (f"columns={columns}", {"columns": columns}):
        table = read_judgments(depth, map=map)
        assert (set(table.asked), set(table.judges)) == (questions, judges)


def test_a_mapping_that_does_not_fit_the_columns_is_an_error(tmp_path: Path) -> None:
    path = write_text(tmp_path / "plain.csv", "id,ann,ben\nc1,4,3\nc2,1,2\n")
    with pytest.raises(DataError, match="the columns ann, ben are no grid"):
        read_judgments(path, map="columns=question-rater")
    with pytest.raises(ConfigError, match="allowed are question, rater, question-rater"):
        read_judgments(path, map="columns=raters")


def test_an_odd_cell_is_odd_among_the_answers_to_its_question(tmp_path: Path) -> None:
    lines = [f"c{n},{1 + n % 4},{1 + n % 4},{10 + n % 40},{10 + n % 40}" for n in range(40)]
    lines[3] = "c3,44,3?,44,12"
    path = write_text(
        tmp_path / "odd.csv",
        "id,Tone - r1,Tone - r2,Score - r1,Score - r2\n" + "\n".join(lines) + "\n",
    )
    table = read_judgments(path, format="ratings")
    odd = [(row.question, row.judge) for row in table if row.unscored is not None]
    assert odd == [("Tone", "r1"), ("Tone", "r2")]
    assert table.questions["Tone"].answers == ("1", "2", "3", "4")


def test_another_column_of_answers_is_named_and_not_read(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = write_text(
        tmp_path / "extra.csv",
        "id,Tone - r1,Tone - r2,Clarity - r1,Clarity - r2,Comments\nc1,4,3,2,1,x\nc2,4,,2,1,\n",
    )
    with caplog.at_level("INFO", logger="assize"):
        table = read_judgments(path)
    assert len(table) == 7
    assert "columns `QUESTION - RATER`; not read: Comments" in caplog.text
