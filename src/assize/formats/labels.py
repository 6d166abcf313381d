"""Words for answers that a table gives with each answer, such as `3: Neutral`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from assize.formats.records import Record
from assize.judgment import Judgment, Question

Labels = dict[str, dict[str, str]]


def learn(labels: Labels, record: Record) -> None:
    """Adds the words that a judgment's `details` hold as `label`, by question and answer.

    The first words seen for an answer stay; others remain in their own `details`.
    """
    if not isinstance(record, Judgment) or record.answer is None or record.details is None:
        return
    words = record.details.get("label")
    if isinstance(words, str):
        labels.setdefault(record.question, {}).setdefault(record.answer, words)


def labelled(question: Question, labels: Mapping[str, Mapping[str, str]]) -> Question:
    """The question with words for those of its answers that had none.

    >>> scale = Question("q", kind="ordinal", answers=("1", "2"), labels={"1": "no"})
    >>> labelled(scale, {"q": {"1": "never", "2": "yes", "9": "?"}}).labels
    {'1': 'no', '2': 'yes'}
    """
    learnt = labels.get(question.id, {})
    words = {answer: learnt[answer] for answer in question.answers if answer in learnt}
    return replace(question, labels=words | dict(question.labels)) if words else question
