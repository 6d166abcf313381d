"""Worked examples as a page shows them: an item, its answers in words, and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from assize.web._forms import Field
from assize.web._forms.view import words
from assize.web._tasks import Task, Worked, examples_of, kind_of


@dataclass(frozen=True, slots=True)
class Said:
    """One answer of an example, in the words of the form."""

    question: str
    answer: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class Example:
    """A worked example: `template` shows the item with the values `shown`."""

    template: str
    shown: Mapping[str, Any]
    said: tuple[Said, ...]
    why: str = ""


def shown_examples(task: Task) -> tuple[Example, ...]:
    """The task's worked examples, or those that come with its kind.

    Raises:
        DataError: one names an item that the task's files do not have, or a wrong answer.
    """
    kind = kind_of(task)
    return tuple(
        Example(kind.template, kind.shown(task, one.item, None), _said(task, one), one.why)
        for one in examples_of(task)
    )


def _said(task: Task, one: Worked) -> tuple[Said, ...]:
    return tuple(
        Said(
            asked.question.text or asked.name,
            _in_words(asked, one.answers[asked.name]),
            one.reasons.get(asked.name, ""),
        )
        for asked in kind_of(task).form(task, one.item).fields
        if asked.name in one.answers
    )


def _in_words(asked: Field, given: str | list[str]) -> str:
    every = [given] if isinstance(given, str) else given
    return "; ".join(words(asked.question, one) for one in every)
