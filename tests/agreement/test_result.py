"""The findings on every question as one result."""

from __future__ import annotations

import json

import assize
from assize.agreement import (
    Agreement,
    AgreeOptions,
    CloserToGold,
    measure_agreement,
    report_raters,
)
from assize.agreement.result import READ_FIRST
from assize.base.judgment import JudgeKind, Judgment, Unscored
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


def test_it_has_tables_a_signature_and_json_without_working_data() -> None:
    found = result()
    assert list(found.tables) == ["overall", "pairs", "judges"]
    assert found.lines[0].endswith(found.signature)
    assert found.missing == (1, 25)
    written = json.loads(json.dumps(found.to_json()))
    assert {row["question"] for row in written["pairs"]} == {"q", "r"}
    assert "alpha" in written["pairs"][0]
    assert not {"answers", "judgments"} & set(written)


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
    found = compared()
    table = found.tables["comparisons"]
    (row,) = table.rows
    columns = [column.name for column in table.columns]
    assert row[columns.index("p")] == found.comparisons[0].test.p_value
    assert any(note.startswith("p from 200 permutations, ±") for note in table.notes)
    (note,) = found.tables["judges"].notes
    assert note == "The scale of q was guessed from the answers seen."
    assert found.sentence.startswith("3 judges, 1 question: 60 answers, 0 unscored. Alpha")


def test_a_missing_figure_says_why_below_the_table() -> None:
    rows = [Judgment(f"i{n}", judge, "q", score=1.0) for n in range(6) for judge in "ab"]
    pairs = measure_agreement(JudgmentTable.of(rows), ["q"], AgreeOptions()).tables["pairs"]
    assert any("spearman: " in note and "constant" in note for note in pairs.notes)


def test_a_note_says_where_all_judges_are_people_and_models() -> None:
    kinds: dict[str, JudgeKind] = {"ann": "person", "bob": "person", "m": "model"}
    rows = [
        Judgment(f"i{n}", judge, "q", score=float(n % 3), kind=kind)
        for n in range(6)
        for judge, kind in kinds.items()
    ]
    table = JudgmentTable.of(rows)
    mixed = measure_agreement(table, ["q"], AgreeOptions())
    alone = measure_agreement(table, ["q"], AgreeOptions(judges=("ann", "bob")))
    note = "People and models; for people alone name them with --judges."
    assert note in mixed.tables["overall"].notes
    assert note not in alone.tables["overall"].notes


def test_with_several_questions_a_note_says_which_figure_to_read_first() -> None:
    rows = [
        Judgment(f"i{item}", judge, question, score=float(item), kind="person")
        for item in range(4)
        for judge in ("ann", "bob")
        for question in ("tone", "depth")
    ]
    table = JudgmentTable.of(rows)
    for agreement in (assize.agree(table), report_raters(table)):
        assert READ_FIRST in agreement.table_notes["overall"]
    alone = table.where(question="tone")
    for agreement in (assize.agree(alone), report_raters(alone)):
        assert READ_FIRST not in agreement.table_notes["overall"]
