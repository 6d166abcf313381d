"""The tables of a study."""

from __future__ import annotations

from tests.criteria.study.test_comparing import FOUND, HAND, OURS, WEAK, studied

from assize.criteria.study.studied_tables import studied_tables

TABLES = studied_tables(FOUND)


def test_tables_are_in_the_shape_of_the_paper_with_ours_behind() -> None:
    names = [one.name for one in TABLES["methods"].columns]
    assert names[:7] == ["technique", "ΔNS", "YR@90", "A", "P", "R", "F1"]
    assert names[7:] == ["YR train", "its P", "r", "criteria", "of", "n", "unscored"]
    assert [row[0] for row in TABLES["methods"].rows] == ["ours", "weak", "hand"]


def test_policies_are_compared_where_there_is_something_to_choose() -> None:
    assert list(TABLES) == [
        "methods",
        "methods less the first",
        "policies",
        "policies less the first",
    ]
    assert [row[:2] for row in TABLES["policies"].rows] == [
        ("ours", "rubicon"),
        ("ours", "ucb"),
        ("weak", "rubicon"),
        ("weak", "ucb"),
    ]
    assert "hand: within the budgets, so taken whole" in str(TABLES["policies"])


def test_differences_leave_out_the_first() -> None:
    assert [row[0] for row in TABLES["methods less the first"].rows] == ["weak", "hand"]
    assert TABLES["methods less the first"].title == "Methods less ours"
    assert [row[:2] for row in TABLES["policies less the first"].rows] == [
        ("ours", "ucb"),
        ("weak", "ucb"),
    ]


def test_one_method_and_one_policy_make_one_table() -> None:
    assert list(studied_tables(studied(OURS))) == ["methods"]
    assert list(studied_tables(studied(OURS, policies=["rubicon", "ucb"]))) == [
        "policies",
        "policies less the first",
    ]
    assert list(studied_tables(studied(HAND, policies=["rubicon", "ucb"]))) == ["methods"]


def test_what_is_not_there_has_no_column() -> None:
    text = str(studied_tables(studied(OURS, WEAK))["methods"])
    assert "unscored" not in text
    assert "95% interval" in text
