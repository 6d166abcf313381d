"""Worked examples as a page shows them: an item, its answers in words, and why."""

from __future__ import annotations

from typing import Any

from assize.web._forms.view import words
from assize.web._tasks import Task, Worked, examples_of, kind_of


def shown_examples(task: Task) -> list[dict[str, Any]]:
    """The task's worked examples, or those that come with its kind.

    Returns:
        Each as `template` and the values `shown` with which it shows the item, `why`, and what is
        `said`: by the words of a question the answer in words, and its reason.

    Raises:
        DataError: one names an item that the task's files do not have, or a wrong answer.
    """
    kind = kind_of(task)
    return [
        {
            "template": kind.template,
            "shown": kind.shown(task, example.item, None),
            "said": _answers(task, example),
            "why": example.why,
        }
        for example in examples_of(task)
    ]


def _answers(task: Task, example: Worked) -> list[tuple[str, str, str]]:
    rows = []
    for field in kind_of(task).form(task, example.item).fields:
        answers = example.answers.get(field.name, ())
        several = [answers] if isinstance(answers, str) else answers
        text = "; ".join(words(field.question, answer) for answer in several)
        if several:
            reason = example.reasons.get(field.name, "")
            rows.append((field.question.text or field.name, text, reason))
    return rows
