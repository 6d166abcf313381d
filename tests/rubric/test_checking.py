"""What cannot be in a rubric is told with its place in the file."""

from __future__ import annotations

import pytest

from assize.base.errors import DataError
from assize.rubric import parse_rubric


@pytest.mark.parametrize(
    ("old", "new", "below", "said"),
    [
        ("kind: binary", "kind: maybe", 0, "'ordinal', 'nominal'"),
        ("kind: binary", "colour: red", 0, "allowed are id, name, text, kind"),
        ("answers: [none, some, all]", "answers: [all]", 0, "at least two answers"),
        ("answers: [none, some, all]", "answers: [all, all]", 0, "stands twice"),
        ("answers: [none, some, all]", "answers: [NA, all]", 0, "use `applies`"),
        ("applies: has_references", "applies: often", 0, "has_references, several_exchanges"),
        ("value: -1", "value: 7", -1, "lowest first"),
        ("value: -1", "colour: red", 0, "allowed are answer, meaning, value"),
        (", value: -1", "", -1, "to every answer, or to none"),
        ("skip: {no: end}", "skip: {maybe: end}", 0, "allowed are no, yes"),
        ("skip: {no: end}", "skip: {no: talk}", 0, "end, sourced, length, note, overall"),
        ("main: overall", "main: note", 0, "one of talk, sourced, length, overall"),
        ("id: length", "id: talk", 0, "two questions have the id 'talk'"),
        ("id: length", "id: two words", 0, "allowed are letters, digits, - and _"),
        ("for: people", "for: everyone", 0, "'people', 'models' or 'both'"),
        ("for: people", "for: both", -3, "asked of people only"),
        ("nurse: You", "reasons: You", 0, "a variant's own name"),
        ("overall: good}", "overall: fine}", 0, "allowed are bad, good"),
        ("overall: good}", "other: good}", 0, "models are asked talk, sourced"),
        ("reasons: {overall", "reasons: {talk", 0, "a reason for an answer that is not given"),
        ("role: assistant", "role: nobody", 0, "user, assistant, system, tool"),
        ("title: A small rubric", "main: overall", 1, "'main' stands twice"),
        ("instructions: Read it all.", "instructions: [", 2, "not YAML"),
        ("kind: text\n", "kind: text\n        range: [0, 1]\n", 1, "kind number has a range"),
        ("kind: text\n", "kind: text\n        answers: [a, b]\n", 1, "has no answers"),
        ("kind: nominal", "kind: binary", 1, "exactly two answers"),
        (
            "answers: {short: too short, right: about right, long: too long}",
            "answers: [{answer: short, value: 1}, {answer: long, value: 2}]",
            0,
            "not ordered and have no values",
        ),
        ("        text: How good is it?\n", "", -1, "`text` is missing"),
    ],
)
def test_a_mistake_is_told_with_its_file_line_and_what_is_allowed(
    text: str, old: str, new: str, below: int, said: str
) -> None:
    line = 1 + text[: text.index(old)].count("\n") + below
    with pytest.raises(DataError) as caught:
        parse_rubric(text.replace(old, new, 1), "mine.yaml")
    assert str(caught.value).startswith(f"mine.yaml:{line}: ")
    assert said in str(caught.value)
