"""The one format of every judgment, by a person, a model, a metric or an evaluator.

Whatever judges writes judgments; whatever learns reads them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

QuestionKind = Literal["ordinal", "nominal", "binary", "number", "preference", "text"]
JudgeKind = Literal["person", "model", "metric", "evaluator"]
Order = Literal["AB", "BA"]

NOT_APPLICABLE = "NA"


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, and the scale of its answers.

    Args:
        id: the name that judgments refer to.
        kind: `ordinal` answers are ordered, `nominal` ones are not, `number` is
            any number in `range`, `preference` is A, B or tie, `text` is free.
        answers: the allowed answers, lowest first when ordered; () where any is.
        values: one number an answer, for means and correlations.
        range: lowest and highest score of a `number`.
        applies: when the question is asked, for instance `has_references`.
        audience: who is asked; the record's field is `for`.
    """

    id: str
    text: str = ""
    kind: QuestionKind = "number"
    answers: tuple[str, ...] = ()
    values: tuple[float, ...] | None = None
    labels: Mapping[str, str] = field(default_factory=dict)
    range: tuple[float, float] | None = None
    applies: str = "always"
    audience: Literal["people", "models", "both"] = "both"
    extra: Mapping[str, Any] = field(default_factory=dict)


PREFERENCE = Question(
    id="preference",
    text="Which of the two is better?",
    kind="preference",
    answers=("A", "tie", "B"),
    values=(1.0, 0.0, -1.0),
)


@dataclass(frozen=True, slots=True)
class Unscored:
    """Why a judgment could not be made: `refused`, `parse`, `timeout`, `too_long`, ..."""

    reason: str
    message: str = ""


@dataclass(frozen=True, slots=True)
class Usage:
    """What one call cost; it stands on the first row that the call answered."""

    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float | None = None
    cached: bool = False
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Judgment:
    """One judge's answer to one question about one item.

    One of `answer`, `score`, `distribution` and `unscored` is present. A failure is
    unscored, never a zero; an `answer` of "NA" means that the question does not apply.
    `distribution` is kept as given: its sum plus `outside`, the probability of
    anything that is no answer, may be below 1. With order "BA" everything but
    `explanation` is already mapped back to the real A and B.
    """

    item: str
    judge: str
    question: str
    answer: str | None = None
    score: float | None = None
    distribution: Mapping[str, float] | None = None
    outside: float | None = None
    order: Order | None = None
    turn: int | None = None
    repeat: int = 0
    anonymous: bool = False
    call: str | None = None
    kind: JudgeKind | None = None
    explanation: str | None = None
    details: Mapping[str, Any] | None = None
    unscored: Unscored | None = None
    attempts: int | None = None
    usage: Usage | None = None
    signature: str | None = None
    at: str | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def key(self) -> tuple[str, str, str, str | None, int | None, int]:
        """What identifies a row: item, judge, question, order, turn, repeat."""
        return (self.item, self.judge, self.question, self.order, self.turn, self.repeat)


@dataclass(frozen=True, slots=True)
class JudgmentTable:
    """Judgments with the questions they answer.

    Args:
        rows: in the order in which they were read; duplicates are kept.
        questions: by id; every question that a row answers is here.
        inferred: ids of the questions whose scale was guessed from the answers seen.
    """

    rows: tuple[Judgment, ...]
    questions: Mapping[str, Question]
    inferred: frozenset[str] = frozenset()

    @classmethod
    def of(cls, rows: Iterable[Judgment], questions: Iterable[Question] = ()) -> JudgmentTable:
        """A table in which the questions that are not given are inferred."""
        kept = tuple(rows)
        known = {question.id: question for question in questions}
        guessed = infer_questions(row for row in kept if row.question not in known)
        return cls(kept, known | guessed, frozenset(guessed))

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Judgment]:
        return iter(self.rows)

    @property
    def judges(self) -> tuple[str, ...]:
        """Names of the judges, in order of appearance."""
        return tuple(dict.fromkeys(row.judge for row in self.rows))

    @property
    def items(self) -> tuple[str, ...]:
        """Ids of the items, in order of appearance."""
        return tuple(dict.fromkeys(row.item for row in self.rows))

    @property
    def duplicates(self) -> int:
        """Rows whose key an earlier row already had."""
        return len(self.rows) - len({row.key for row in self.rows})

    @property
    def unscored(self) -> int:
        """Rows that could not be judged."""
        return sum(row.unscored is not None for row in self.rows)


def infer_questions(rows: Iterable[Judgment]) -> dict[str, Question]:
    """The scale of each question from the answers seen; numeric answers are ordered.

    >>> rows = [Judgment("i", "j", "q", answer=a) for a in ("3", "10", "1", "NA")]
    >>> infer_questions(rows)["q"].answers
    ('1', '3', '10')
    """
    seen: dict[str, set[str]] = {}
    for row in rows:
        answers = seen.setdefault(row.question, set())
        answers.update(row.distribution or ())
        if row.answer is not None:
            answers.add(row.answer)
    return {name: _question(name, answers - {NOT_APPLICABLE}) for name, answers in seen.items()}


def _question(name: str, answers: set[str]) -> Question:
    if not answers:
        return Question(id=name, kind="number")
    if answers <= set(PREFERENCE.answers):
        return replace(PREFERENCE, id=name, text="")
    numbers = {answer: _number(answer) for answer in answers}
    if any(number is None for number in numbers.values()):
        return Question(id=name, kind="nominal", answers=tuple(sorted(answers)))
    ordered = sorted(answers, key=lambda answer: (numbers[answer], answer))
    values = tuple(float(answer) for answer in ordered)
    return Question(id=name, kind="ordinal", answers=tuple(ordered), values=values)


def _number(answer: str) -> float | None:
    try:
        number = float(answer)
    except ValueError:
        return None
    return number if math.isfinite(number) else None
