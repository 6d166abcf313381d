"""A small rubric with everything in it, and conversations to ask it about."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from assize.base.conversation import Conversation, Reference, Turn
from assize.rubric import Rubric, parse_rubric

TEXT = """\
rubric: small
title: A small rubric
main: overall
instructions: Read it all.
personas:
  nurse: You are a nurse.
sections:
  - title: First
    questions:
      - id: talk
        text: Is this a conversation?
        kind: binary
        skip: {no: end}
        answers:
          no: it is not
          yes: it is
  - title: Then
    instructions: About sources.
    questions:
      - id: sourced
        text: Are there sources to the point?
        applies: has_references
        answers: [none, some, all]
      - id: length
        text: How long is it?
        kind: nominal
        answers: {short: too short, right: about right, long: too long}
      - id: note
        text: Anything else?
        kind: text
        for: people
      - id: overall
        text: How good is it?
        answers:
          - {answer: bad, meaning: not good, value: -1}
          - {answer: good, value: 2.5}
examples:
  - turns:
      - {role: user, text: Two plus two}
      - {role: assistant, text: Four.}
    answers: {length: right, overall: good}
    reasons: {overall: It is four.}
"""


@pytest.fixture
def text() -> str:
    return TEXT


@pytest.fixture
def small() -> Rubric:
    return parse_rubric(TEXT, "small.yaml")


@pytest.fixture
def talk() -> Conversation:
    return Conversation("c1", (Turn("user", "Is it far?"), Turn("assistant", "An hour by train.")))


@pytest.fixture
def sourced() -> Conversation:
    shown = (Reference("1", "Timetable", "One hour, every hour."),)
    turns = (Turn("user", "Is it far?"), Turn("assistant", "An hour [1].", shown))
    return Conversation("c2", turns)


class One:
    """Models of which there is one."""

    def __init__(self, model: Any) -> None:
        self.model = model

    def open(self, name: str) -> Any:
        return self.model


def noting(said: list[Any], script: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """The script, which first notes what it is asked."""

    def noted(request: Any) -> Any:
        said.append(request)
        return script(request)

    return noted
