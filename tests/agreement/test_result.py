"""The findings on every question as one result."""

from __future__ import annotations

import json

from assize.agreement import Agreement, AgreeOptions, measure_agreement
from assize.judgment import Judgment, Unscored
from assize.judgments import JudgmentTable


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
