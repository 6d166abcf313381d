"""The head of a prompt file: what it may say, and errors with the line in the file."""

from __future__ import annotations

import re
import textwrap

import pytest

from assize.base.errors import DataError
from assize.base.judgment import PREFERENCE
from assize.judging.own.front_matter import Head, read_head, split

ONE = """\
---
name: polite
takes: conversation
questions:
  - id: polite
    text: "Is it polite?"
    kind: {kind}
---
{{{{ conversation }}}}
"""


def head(text: str) -> Head:
    front, lines, _ = split(textwrap.dedent(text), "p.jinja")
    return read_head(front, lines, "p.jinja")


def one(kind: str, *more: str) -> Head:
    return head(ONE.format(kind="\n    ".join([kind, *more])))


def test_a_file_is_split_into_head_and_body_with_its_lines() -> None:
    front, lines, body = split("---\nname: a\n---\nfirst\nsecond\n", "p.jinja")
    assert (front, lines, body) == ("\nname: a", 3, "first\nsecond\n")
    assert split("---\r\nname: a\r\n---\r\nbody", "p")[1:] == (3, "body")


def test_answers_stay_text_and_have_values_labels_and_a_direction() -> None:
    found = one("ordinal", "answers: {1: rude, 2: fair, 3: }", "higher: better").questions["answer"]
    assert (found.answers, found.values) == (("1", "2", "3"), (1.0, 2.0, 3.0))
    assert (found.labels, found.higher) == ({"1": "rude", "2": "fair"}, "better")
    found = one("binary", "answers: [no, yes]", "labels: {no: not so}").questions["answer"]
    assert (found.answers, found.values, found.labels) == (("no", "yes"), None, {"no": "not so"})
    found = one("ordinal", "answers: [low, high]", "values: [0, 2.5]").questions["answer"]
    assert found.values == (0.0, 2.5)
    assert one("nominal", "answers: [1, 2]").questions["answer"].values is None


def test_reasons_are_asked_for_first_unless_they_are_not_wanted() -> None:
    found = one("binary", "answers: [no, yes]")
    assert list(found.schema["properties"]) == ["explanation", "answer"]
    text = ONE.format(kind="binary\n    answers: [no, yes]").replace(
        "takes:", "explanation: no\ntakes:"
    )
    assert list(head(text).schema["properties"]) == ["answer"]


def test_a_pair_is_answered_by_preferences() -> None:
    text = ONE.format(kind="preference").replace("conversation", "pair")
    found = head(text).questions["answer"]
    assert (found.answers, found.values) == (PREFERENCE.answers, PREFERENCE.values)
    forced = head(text.replace("kind: preference", "kind: preference\n    answers: [A, B]"))
    assert forced.questions["answer"].values == (1.0, -1.0)


FILES = [
    ("Is it polite?\n", "p.jinja:1: no front matter: a prompt file begins with a line `---`"),
    ("", "p.jinja:1: no front matter"),
    ("---\nname: a\n", "p.jinja:1: the front matter has no last line `---`"),
    ("---\n---\nbody\n", "p.jinja: the file is empty"),
]
QUESTIONS = [
    ("ordinal", "5: questions[0].answers: ordinal needs at least two answers; there are 0"),
    ("binary\n    answers: [a]", "8: questions[0].answers: binary needs exactly two answers"),
    ("ordinal\n    answers: [a, a]", "8: questions[0].answers: an answer stands twice in a, a"),
    ("ordinal\n    answers: [a, NA]", "8: questions[0].answers: NA means"),
    (
        "ordinal\n    answers: [a, b]\n    values: [1]",
        "9: questions[0].values: 1 values for 2 answers",
    ),
    ("nominal\n    answers: [a, b]\n    values: [1, 2]", "9: questions[0].values: nominal"),
    (
        "ordinal\n    answers: [a, b]\n    labels: {c: x}",
        "9: questions[0].labels: a label of 'c', which is no answer; answers are a, b",
    ),
    ("number", "5: questions[0].range: a question of kind number, and no other, has a range"),
    ("number\n    range: [3, 1]", "8: questions[0].range: a question of kind number, and"),
    ("number\n    range: [0, 1]\n    answers: [a, b]", "9: questions[0].answers: a question"),
    ("text\n    answers: [a, b]", "8: questions[0].answers: a question of kind text has no"),
    ("preference", "7: questions[0].kind: received kind preference where takes is conv"),
    ("yesno", "7: questions[0].kind: received 'yesno'; input should be 'ordinal'"),
    ("text\n    weight: 3", "8: questions[0].weight: no such field; allowed are id, text"),
    ("text\n    values: [x]", "8: questions[0].values[0]: received 'x'"),
    (
        "text\n  - {id: polite, text: again, kind: text}",
        "8: questions[1].id: 'polite' is of two",
    ),
]
HEADS = [
    ("name: polite", "title: polite", "title: no such field; allowed are name"),
    ("name: polite", "name: po lite", "name: received 'po lite'; allowed are letters"),
    ("takes: conversation", "takes: turn", "takes: received 'turn'"),
    (
        "takes: conversation",
        "takes: conversation\nmodel: x",
        "model: no such field; allowed are name, about, version, takes, questions, explanation",
    ),
    ("  - id: polite", "  - id: explanation", "id: 'explanation' is the field of the reasons"),
    ("questions:", "asked:", "asked: no such field; allowed are name"),
    ('text: "Is it polite?"', "", "text: `text` is missing"),
]
BINARY = ONE.format(kind="binary\n    answers: [no, yes]")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        *((text, f"^{re.escape(told)}") for text, told in FILES),
        *((ONE.format(kind=kind), f"^{re.escape(f'p.jinja:{told}')}") for kind, told in QUESTIONS),
        *(
            (BINARY.replace(before, after), rf"^p\.jinja:\d+: .*{re.escape(told)}")
            for before, after, told in HEADS
        ),
    ],
)
def test_a_file_a_question_or_a_head_that_cannot_be_is_told_with_its_line(
    text: str, told: str
) -> None:
    with pytest.raises(DataError, match=told):
        head(text)
