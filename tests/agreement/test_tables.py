"""The tables of agreement, of two judges and gold."""

from __future__ import annotations

import pytest

from assize.agreement import AgreeOptions, Findings, find, tables
from assize.agreement.tables import MOST_ROWS
from assize.judgment import PREFERENCE, Judgment
from assize.judgments import JudgmentTable
from assize.stats import Test


@pytest.fixture
def findings() -> Findings:
    said = {"gold": "AABB" * 5, "right": "AABB" * 4 + "AABA", "wrong": "BABA" * 5}
    rows = [
        Judgment(f"p{n}", judge, "preference", answer=answer, order=order)
        for judge, answers in said.items()
        for n, answer in enumerate(answers)
        for order in (("AB", "BA") if judge != "gold" else (None,))
    ]
    options = AgreeOptions(compare=("right", "wrong"), audit=True)
    return find(JudgmentTable.of(rows, [PREFERENCE]), "preference", options)


def test_each_table_has_its_name_and_the_question_in_its_title(findings: Findings) -> None:
    assert list(findings.tables) == [
        "judges",
        "overall",
        "pairs",
        "comparison",
        "audit right",
        "audit wrong",
    ]
    assert all(one.title.startswith("preference: ") for one in findings.tables.values())


def test_gold_stands_first_and_pairs_are_groups(findings: Findings) -> None:
    assert findings.tables["judges"].rows[0][0] == "gold (gold)"
    pairs = findings.tables["pairs"]
    assert pairs.grouped
    first = [row[0][0] for row in pairs.texts()[1]]
    assert first[:2] == ["right ~ gold", "  agreement"]


def test_a_comparison_shows_both_judges_their_difference_and_its_test(findings: Findings) -> None:
    shown = [[cell for cell, _ in row] for row in findings.tables["comparison"].texts()[1]]
    assert [row[0] for row in shown] == ["right", "wrong", "difference", "paired swap test"]
    assert shown[0][1].startswith("0.950 [")
    assert shown[2][3] == "right is better"
    assert shown[3][3].startswith("p = ")


def test_more_judges_than_a_table_names_are_counted() -> None:
    rows = [
        Judgment(f"p{n}", f"j{judge}", "preference", answer="AB"[(n + judge) % 2])
        for judge in range(MOST_ROWS + 3)
        for n in range(4)
    ]
    table = find(JudgmentTable.of(rows, [PREFERENCE]), "preference", AgreeOptions()).tables[
        "judges"
    ]
    assert len(table.rows) == MOST_ROWS
    assert table.notes == ("3 further rows are not shown.",)


def test_a_test_says_what_its_p_value_rests_on() -> None:
    assert (
        tables.tested(Test(1.0, 0.0123, 0.0011, 10_000))
        == "p = 0.012 (10,000 permutations, ±0.0011)"
    )
    assert tables.tested(Test(1.0, 0.5, exact=True)) == "p = 0.5 (exact)"
    assert tables.tested(Test(1.0, float("nan"), reason="too few")) == "too few"
