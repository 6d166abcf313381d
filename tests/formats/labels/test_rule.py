"""One line that says which values are good: what it means, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from assize.base.errors import ConfigError
from assize.formats.labels import parse_rule
from assize.formats.labels.rule import word


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("thumbs:up=1,down=0", {"up": "good", "Down": "bad", "?": "not mapped", None: "missing"}),
        ("thumbs: UP=good, down=bad", {"up": "good", "DOWN ": "bad"}),
        ("rating>=4", {4: "good", 3.9: "bad", "5": "good", "-": "not mapped", True: "not mapped"}),
        ("rating>=4,<=2", {4: "good", 3: "between", 2: "bad", None: "missing"}),
        ("minutes<5,>=60", {3: "good", 30: "between", 60: "bad"}),
        ("resolved", {True: "good", False: "bad", "yes": "good", "0": "bad", 2: "not mapped"}),
        ("reopened:true=0,missing=1", {True: "bad", None: "good", False: "not mapped"}),
        ("regenerations<1", {0: "good", 1: "bad", "2": "bad"}),
        ("a.b:x=y=1,x=0", {"x=y": "good", "x": "bad"}),
    ],
)
def test_values_are_good_bad_or_neither(spec: str, said: dict[Any, str]) -> None:
    rule = parse_rule(spec)
    assert {value: rule.verdict(value) for value in said} == said


def test_the_field_may_be_inside_an_object() -> None:
    assert parse_rule("feedback.thumbs:up=1,down=0").field == "feedback.thumbs"
    assert parse_rule("rating>=4").field == parse_rule("rating").field == "rating"


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("", "write FIELD:up=1,down=0|write as FIELD"),
        ("thumbs:up", "received 'up'; write VALUE=1 or VALUE=0"),
        ("thumbs:up=1,down=2", "received 'down=2'"),
        ("thumbs:up=1", "all of its values are good; name one that is bad too"),
        ("thumbs:down=0", "all of its values are bad; name one that is good too"),
        ("thumbs:up=1,UP=0", "UP stands there twice"),
        ("rating>=four", "write as FIELD"),
        ("rating>=4,<=4", "no number may be both"),
        ("rating>=4,>=2", "no number may be both"),
        ("rating<=4,>=2", "no number may be both"),
        ("rating>=4,<=2,>1", "write as FIELD"),
        ("rating=4", "write as FIELD"),
    ],
)
def test_what_is_no_rule_is_refused(spec: str, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        parse_rule(spec)


def test_cuts_may_touch_where_one_end_is_open() -> None:
    rule = parse_rule("rating>4,<=4")
    assert [rule.verdict(value) for value in (4, 4.5)] == ["bad", "good"]


def test_numbers_are_written_as_a_person_would() -> None:
    assert [word(one) for one in (1.0, 0.5, False, "A b")] == ["1", "0.5", "false", "a b"]
