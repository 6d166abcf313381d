"""The findings on every question as one result."""

from __future__ import annotations

import json

from assize.agreement import Agreement, AgreeOptions, CloserToGold, measure_agreement
from assize.base.judgment import Judgment, Unscored
from assize.judgments import JudgmentTable
from assize.stats._statistics import StatisticsSettings


def result() -> Agreement:
    rows = [
        Judgment(f"i{n}", judge, question, score=float(n % (2 + place)))
        for n in range(6)
        for place, judge in enumerate("ab")
        for question in ("q", "r")
    ]
    table = JudgmentTable.of([*rows, Judgment("i9", "a", "q", unscored=Unscored("parse"))])
    return measure_agreement(table, table.asked, AgreeOptions())


def test_each_field_that_holds_rows_is_a_table() -> None:
    assert list(result().tables) == ["overall", "pairs", "judges"]


def test_the_line_below_ends_with_the_signature() -> None:
    found = result()
    assert found.lines[0].endswith(found.signature)


def test_what_is_missing_is_counted_over_questions_and_judges() -> None:
    assert result().missing == (1, 25)


def test_json_has_a_record_a_row_and_no_working_data() -> None:
    found = json.loads(json.dumps(result().to_json()))
    assert {row["question"] for row in found["pairs"]} == {"q", "r"}
    assert "alpha" in found["pairs"][0]
    assert not {"answers", "judgments"} & set(found)


def compared() -> Agreement:
    rows = [
        Judgment(f"i{n}", judge, "q", score=float((n * 7 + place) % 5))
        for n in range(20)
        for place, judge in enumerate(("gold", "a", "b"))
    ]
    how = StatisticsSettings(permutations=200)
    options = AgreeOptions(compare=CloserToGold(("a", "b")), statistics=how)
    return measure_agreement(JudgmentTable.of(rows), ["q"], options)


def test_the_test_of_a_comparison_is_a_column_and_its_error_a_note() -> None:
    table = compared().tables["comparisons"]
    (row,) = table.rows
    columns = [column.name for column in table.columns]
    assert row[columns.index("p")] == compared().comparisons[0].test.p_value
    assert any(note.startswith("p from 200 permutations, ±") for note in table.notes)


def test_a_missing_figure_says_why_below_the_table() -> None:
    rows = [Judgment(f"i{n}", judge, "q", score=1.0) for n in range(6) for judge in "ab"]
    pairs = measure_agreement(JudgmentTable.of(rows), ["q"], AgreeOptions()).tables["pairs"]
    assert any("spearman: " in note and "constant" in note for note in pairs.notes)


def test_scales_that_were_guessed_are_noted() -> None:
    (note,) = compared().tables["judges"].notes
    assert note == "The scale of q was guessed from the answers seen."


def test_a_sentence_says_who_answered_what() -> None:
    assert compared().sentence.startswith("3 judges, 1 question: 60 answers, 0 unscored. Alpha")
