from __future__ import annotations

from assize.base.judgment import Question
from assize.formats.ratings.layout import layout_of


def table(header: str, *lines: str) -> list[dict[str, str]]:
    names = header.split(",")
    return [dict(zip(names, line.split(","), strict=True)) for line in lines]


def kind(rows: list[dict[str, str]], *known: str, sure: bool = True) -> str | None:
    found = layout_of(rows, {name: Question(name) for name in known}, sure=sure)
    return None if found is None else found.kind


def test_each_layout_is_told_from_headers_and_cells() -> None:
    assert kind(table("item,rater,question,answer", "c,ann,q,4")) == "long"
    assert kind(table("item,rater,tone,pace", "c,ann,3,4")) == "questions"
    assert kind(table("item,ann,ben", "c,3,4", "d,4,4")) == "raters"
    assert kind(table("Timestamp,email,How? [c],How? [d]", "x,a,3,4")) == "grid"


def test_a_template_that_nobody_has_begun_is_one() -> None:
    assert kind(table("item,rater,question,answer", "c,,q,")) == "long"
    assert kind(table("item,rater,tone,comment", "c,ann,,")) == "questions"


def test_defined_questions_are_columns_of_questions() -> None:
    rows = table("item,ann,ben", "c,3,4", "d,4,4")
    assert kind(rows, "ann", "ben") == "questions"


def test_columns_without_a_common_scale_are_raters_only_on_request() -> None:
    rows = table("item,clicks,bot", "c,3,red", "d,4,blue")
    assert kind(rows) is None
    assert kind(rows, sure=False) == "raters"


def test_what_is_passed_over_is_kept_by_name() -> None:
    found = layout_of(table("item,rater,tone,Timestamp", "c,ann,3,x"), {}, sure=True)
    assert found is not None
    assert (found.item, found.rater, found.passed) == ("item", "rater", ("Timestamp",))


def test_no_rows_are_no_table() -> None:
    assert kind([]) is None
