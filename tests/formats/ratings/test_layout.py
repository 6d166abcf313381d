from __future__ import annotations

from assize.base.judgment import Question
from assize.formats.ratings.layout import layout_of


def table(header: str, *lines: str) -> list[dict[str, str]]:
    names = header.split(",")
    return [dict(zip(names, line.split(","), strict=True)) for line in lines]


def kind(rows: list[dict[str, str]], *known: str, sure: bool = True) -> str | None:
    found = layout_of(rows, {name: Question(name) for name in known}, sure=sure)
    return None if found is None else found.kind


def test_a_template_that_nobody_has_begun_is_one() -> None:
    assert kind(table("item,rater,question,answer", "c,,q,")) == "long"
    assert kind(table("item,rater,tone,comment", "c,ann,,")) == "questions"


def test_defined_questions_are_columns_of_questions() -> None:
    assert kind(table("item,ann,ben", "c,3,4", "d,4,4"), "ann", "ben") == "questions"


def test_columns_without_a_common_scale_are_raters_only_on_request() -> None:
    rows = table("item,clicks,bot", "c,3,red", "d,4,blue")
    assert kind(rows) is None
    assert kind(rows, sure=False) == "raters"


def test_columns_that_may_be_raters_are_a_table_of_ratings_with_a_doubt() -> None:
    rows = table("item,tone,depth,pace", "c,3,4,1", "d,5,2,2")
    layout = layout_of(rows, {}, sure=True)
    assert layout is not None
    assert "columns=rater (the raters are tone, depth, pace;" in layout.doubt
    sure = layout_of(rows, {"tone": Question("tone")}, sure=True)
    assert sure is not None
    assert (sure.doubt, list(sure.rated)) == ("", ["tone"])


def test_no_rows_are_no_table() -> None:
    assert kind([]) is None
