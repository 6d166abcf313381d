"""The tables of a jury, by hand."""

from __future__ import annotations

import pytest

from assize.judgment import Judgment
from assize.judgments import JudgmentTable
from assize.juries import Composition, JuryResult, decide
from assize.juries.tables import notes, short_names
from assize.results import ResultTable

VOTES = {"x@m": "AABt", "y@m": "ABBA", "gold": "AAAA"}
WORDS = {"A": "A", "B": "B", "t": "tie"}


def sat(composition: Composition, *judges: str) -> JuryResult:
    rows = [
        Judgment(f"p{n}", judge, "preference", answer=WORDS[answer])
        for judge in judges
        for n, answer in enumerate(VOTES[judge])
    ]
    return decide(JudgmentTable.of(rows), composition)


def shown(table: ResultTable) -> list[list[str]]:
    return [[first for first, _ in row] for row in table.texts()[1]]


def test_a_cascade_has_results_judges_and_paths() -> None:
    # x decides p0, p1 (win) and p2 (loss), and passes p3 on to y, which wins it
    tables = sat(Composition(("x", "y")), *VOTES).tables
    assert list(tables) == ["jury", "alone", "beside", "paths"]
    assert tables["jury"].title == "x > y, 4 items"
    results = [row[:3] for row in shown(tables["jury"])]
    assert results == [
        ["win", "3", "75.00"],
        ["tie", "0", "0.00"],
        ["loss", "1", "25.00"],
        ["unscored", "0", "0.00"],
    ]
    assert shown(tables["alone"])[0] == ["x", "50.00", "25.00", "25.00", "0"]
    assert shown(tables["beside"])[1][:4] == ["y", "1", "1", "100.00"]
    assert [row[:2] for row in shown(tables["paths"])] == [
        ["win", "2"],
        ["loss", "1"],
        ["tie-win", "1"],
    ]


def test_without_gold_answers_are_counted_and_nothing_is_right() -> None:
    tables = sat(Composition(("x", "y")), "x@m", "y@m").tables
    assert [row[:2] for row in shown(tables["jury"])] == [
        ["A", "3"],
        ["tie", "0"],
        ["B", "1"],
        ["unscored", "0"],
    ]
    assert [one.name for one in tables["beside"].texts()[0]] == ["judge", "read", "decided"]
    assert "beside" not in sat(Composition(), "x@m", "y@m").tables


def test_reliabilities_stand_with_their_intervals_in_place_of_paths() -> None:
    result = sat(Composition(reliability=True), *VOTES)
    assert "paths" not in result.tables
    (first, *_) = shown(result.tables["reliability"])
    assert first[0] == "x"
    assert first[1].count(",") == 1
    assert any("gold is A everywhere" in note for note in notes(result))


@pytest.mark.parametrize(
    ("names", "short"),
    [(["a@m", "b@m"], ["a", "b"]), (["a@m", "a@n", "b@m"], ["a@m", "a@n", "b"])],
)
def test_names_are_short_where_that_tells_judges_apart(names: list[str], short: list[str]) -> None:
    assert list(short_names(names).values()) == short
