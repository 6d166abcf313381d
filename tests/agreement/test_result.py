"""The findings on every question as one result."""

from __future__ import annotations

import json

from assize.agreement import AgreeOptions, find
from assize.agreement.result import AgreementResult
from assize.judgment import Judgment, Unscored
from assize.judgments import JudgmentTable


def result() -> AgreementResult:
    rows = [
        Judgment(f"i{n}", judge, question, score=float(n % (2 + place)))
        for n in range(6)
        for place, judge in enumerate("ab")
        for question in ("q", "r")
    ]
    table = JudgmentTable.of([*rows, Judgment("i9", "a", "q", unscored=Unscored("parse"))])
    return AgreementResult([find(table, name, AgreeOptions()) for name in table.asked], table)


def test_tables_are_named_by_question() -> None:
    found = result()
    assert {name.partition(": ")[0] for name in found.tables} == {"q", "r"}
    assert "q: pairs" in found.tables


def test_the_line_below_holds_what_the_signature_is_of() -> None:
    found = result()
    assert [line.rpartition("|")[2] for line in found.lines] == [
        one.signature for one in found.findings
    ]


def test_what_is_missing_is_counted_over_questions_and_judges() -> None:
    assert result().missing == (1, 25)


def test_json_is_json_and_has_every_question() -> None:
    found = json.loads(json.dumps(result().to_json()))
    assert set(found["questions"]) == {"q", "r"}
    assert found["inferred"] == ["q", "r"]
