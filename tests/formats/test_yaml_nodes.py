"""YAML as nested text with the line of each part; what would never end is refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import BaseModel, Field

from assize.base.errors import DataError
from assize.formats.yaml_nodes import composed, failing, line_of, text_in, validated

TEXT = """\
title: A form
questions:
  - id: Q0
    answers: [no, 1, 2020-01-01]
  - id: Q1
    text: |
      two
      lines
"""


def test_nothing_is_read_as_a_number_a_date_or_a_truth_value() -> None:
    assert composed("a: [no, 1, 0.50, 2020-01-01, null, ~]", "x")[1] == {
        "a": ["no", "1", "0.50", "2020-01-01", "null", "~"]
    }


@pytest.mark.parametrize(
    ("place", "line"),
    [
        ((), 1),
        (("title",), 1),
        (("questions",), 2),
        (("questions", 0), 3),
        (("questions", 0, "answers"), 4),
        (("questions", 0, "answers", 2), 4),
        (("questions", 1, "text"), 6),
        # A part that is not there has the line of what would hold it.
        (("nothing",), 1),
        (("questions", 1, "skip", "no"), 5),
        (("questions", 9), 2),
        (("questions", "first"), 2),
        (("title", 0), 1),
    ],
)
def test_every_part_has_its_line(place: tuple[str | int, ...], line: int) -> None:
    assert line_of(composed(TEXT, "x")[0], place) == line


COPIES = ["a0: &a0 [x]", *(f"a{n}: &a{n} [{','.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 10))]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "x: the file is empty"),
        ("# a remark\n", "x: the file is empty"),
        ("a: 1\nb: [\n", "x:3: not YAML: "),
        ("a: 1\nb: 2\na: 3\n", "x:3: 'a' stands twice"),
        ("a: 1\n? [b]\n: 2\n", "x:2: a key must be plain text"),
        ("a: *b\n", "x:1: not YAML: found undefined alias"),
        ("main: q\nsections: &a [*a]\n", "x:2: a part refers to itself"),
        ("\n".join(COPIES), "x:1: more than 100,000 parts"),
        ("[" * 20_000, "x: parts stand too deep"),
        ("rubric: " + "[" * 3_000 + "]" * 3_000, "x: parts stand too deep"),
    ],
    ids=lambda part: part[:20],
)
def test_what_is_no_sound_yaml_says_its_line(text: str, problem: str) -> None:
    with pytest.raises(DataError, match=f"^{problem}"):
        composed(text, "x")


def test_a_part_that_stands_in_two_places_is_in_both() -> None:
    assert composed("a: &it {b: c}\nd: *it\n", "x")[1] == {"a": {"b": "c"}, "d": {"b": "c"}}


def test_a_file_s_byte_order_mark_is_no_text(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes("\ufeffa: é".encode())
    assert text_in(str(tmp_path / "x")) == "a: é"


def test_a_file_that_is_not_utf_8_is_named(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes("é".encode("latin-1"))
    with pytest.raises(DataError, match="/x: not UTF-8 text"):
        text_in(str(tmp_path / "x"))


def test_an_error_says_line_and_field_of_its_place() -> None:
    node, _ = composed(TEXT, "r.yaml")
    error = failing(node, "r.yaml")("not so", "questions", 0, "answers")
    assert str(error) == "r.yaml:4: questions[0].answers: not so"


class Step(BaseModel, extra="forbid"):
    do: str


class Plan(BaseModel, extra="forbid"):
    steps: list[Step]
    kept: int = Field(0, alias="keep", ge=0)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"steps: {'x' * 80}", "r.yaml:1: steps: received 'xxx*...; expected a list, each entry"),
        ("keep: 1", "r.yaml:1: steps: `steps` is missing"),
        ("stepps: []", "r.yaml:1: stepps: no such field; allowed are steps, keep$"),
        ("steps:\n- do: a: b", "r.yaml:2: not YAML: .*; put a text with a colon in quotes"),
        (
            "steps:\n- do: a\n  dont: b",
            r"r.yaml:3: steps\[0\].dont: no such field; allowed are do$",
        ),
        ("steps: []\nkept: 1", "r.yaml:2: kept: no such field; allowed are steps, keep$"),
        ("steps: []\nkeep: -1", "r.yaml:2: keep: received '-1'; input should be greater"),
    ],
)
def test_an_error_of_the_schema_is_put_in_words(text: str, said: str) -> None:
    with pytest.raises(DataError, match=said):
        validated(text, "r.yaml", Plan, {"steps": Step})


def test_a_sound_file_is_a_record_with_its_plain_value() -> None:
    record, value, _ = validated("steps:\n- do: a\nkeep: 2", "r.yaml", Plan)
    assert (record.kept, value["keep"]) == (2, "2")
