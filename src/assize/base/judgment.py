"""The one format of every judgment, by a person, a model, a metric or an evaluator.

Whatever judges writes judgments; whatever learns reads them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Literal

from pydantic import Field

from assize.base.record import Count, Fraction, Id, Words, folded

Higher = Literal["better", "worse"]
QuestionKind = Literal["ordinal", "nominal", "binary", "number", "preference", "text"]
JudgeKind = Literal["person", "model", "metric", "evaluator"]
Order = Literal["AB", "BA"]

NOT_APPLICABLE = "NA"
REQUESTED = "requested"  # why a rating that was asked for is unscored, until it is filled in
PEOPLE_ASKED = "people_asked"  # in details: false where people were not asked this of the item


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
        higher: whether a higher value is better or worse; None where it is neither.
    """

    id: Id
    text: str = ""
    kind: QuestionKind = "number"
    answers: tuple[Words, ...] = ()
    values: tuple[float, ...] | None = None
    labels: Mapping[str, str] = field(default_factory=dict)
    range: tuple[float, float] | None = None
    applies: str = "always"
    audience: Literal["people", "models", "both"] = field(default="both", metadata={"json": "for"})
    higher: Higher | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def scale(self) -> tuple[object, ...]:
        """What two questions of one name must share, or numbers of one are read as the other's."""
        return self.kind, self.answers, self.values, self.range, self.higher == "worse"


TRUTHS = ("gold", "adjudicated")
"""Judges that stand for what counts as true, and are nobody who rated; the first one sooner."""

PREFERENCE = Question(
    id="preference",
    text="Which of the two is better?",
    kind="preference",
    answers=("A", "tie", "B"),
    values=(1.0, 0.0, -1.0),
)


def join_questions(first: Question, second: Question) -> Question | None:
    """Return one question for two of a name, or None where their scales differ.

    Two preferences are one question whether a tie is offered or not: a vote for A is the same
    vote. The joined question has the tie.

    >>> forced = replace(PREFERENCE, answers=("A", "B"), values=(1.0, -1.0))
    >>> join_questions(forced, PREFERENCE).answers
    ('A', 'tie', 'B')
    """
    if first.scale == second.scale:
        return first
    if not first.kind == second.kind == "preference":
        return None
    narrow, wide = sorted((first, second), key=lambda question: len(question.answers))
    if not _worth(narrow).items() <= _worth(wide).items():
        return None
    joined = replace(first, answers=wide.answers, values=wide.values)
    return (
        joined
        if joined.scale == replace(second, answers=wide.answers, values=wide.values).scale
        else None
    )


def _worth(question: Question) -> dict[str, float | None]:
    """The value of each answer; None where the question gives none."""
    values = question.values or [None] * len(question.answers)
    return dict(zip(question.answers, values, strict=True))


@dataclass(frozen=True, slots=True)
class Unscored:
    """Why a judgment could not be made: `refused`, `parse`, `timeout`, `too_long`, ..."""

    reason: str
    message: str = ""
    extra: Mapping[str, Any] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class Usage:
    """What one call cost; it stands on the first row that the call answered."""

    input_tokens: Count = 0
    output_tokens: Count = 0
    cost_usd: Annotated[float, Field(ge=0)] | None = None
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

    item: Id
    judge: Id
    question: Id
    answer: Words | None = None
    score: float | None = None
    distribution: Mapping[str, Fraction] | None = None
    outside: Fraction | None = None
    order: Order | None = None
    turn: Count | None = None
    repeat: Count = 0
    anonymous: bool = False
    call: Id | None = None
    kind: JudgeKind | None = None
    explanation: str | None = None
    details: Mapping[str, Any] | None = None
    unscored: Annotated[Unscored, folded(Unscored)] | None = None
    attempts: Count | None = None
    usage: Annotated[Usage, folded(Usage)] | None = None
    signature: str | None = None
    at: str | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def key(self) -> tuple[str, str, str, str | None, int | None, int]:
        """What identifies a row: item, judge, question, order, turn, repeat."""
        return (self.item, self.judge, self.question, self.order, self.turn, self.repeat)


CLICKS = (("no", "yes"), ("false", "true"), ("down", "up"))
"""Pairs of words whose order is known without a definition, the lower first."""

SCALES = (
    ("strongly disagree", "disagree", "somewhat disagree", "neutral", "neither agree nor disagree",
     "somewhat agree", "agree", "strongly agree"),
    ("very dissatisfied", "dissatisfied", "neutral", "satisfied", "very satisfied"),
    ("very poor", "poor", "fair", "average", "good", "very good", "excellent"),
    ("very bad", "bad", "okay", "good", "very good"),
    ("never", "rarely", "sometimes", "often", "always"),
    ("not at all", "slightly", "somewhat", "moderately", "very", "extremely"),
    ("low", "medium", "high"),
)  # fmt: skip
"""Words of questionnaires whose order is known without a definition, the lowest first."""


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
    return {name: infer_question(name, answers) for name, answers in seen.items()}


def infer_question(name: str, seen: Iterable[str]) -> Question:
    """A question whose scale is what the answers seen tell of it."""
    answers = set(seen) - {NOT_APPLICABLE}
    if not answers:
        return Question(id=name, kind="number")
    if answers <= set(PREFERENCE.answers):
        return replace(PREFERENCE, id=name, text="")
    numbers = {answer: _number(answer) for answer in answers}
    if any(number is None for number in numbers.values()):
        for two in CLICKS:
            if answers <= set(two):
                return Question(id=name, kind="binary", answers=two, values=(0.0, 1.0))
        places = next((found for one in SCALES if (found := _places(answers, one))), None)
        if places is not None:
            ranked = tuple(sorted(answers, key=places.__getitem__))
            values = tuple(float(place) for place, _ in enumerate(ranked, start=1))
            return Question(id=name, kind="ordinal", answers=ranked, values=values)
        return Question(id=name, kind="nominal", answers=tuple(sorted(answers)))
    ordered = sorted(answers, key=lambda answer: (numbers[answer], answer))
    values = tuple(float(answer) for answer in ordered)
    return Question(id=name, kind="ordinal", answers=tuple(ordered), values=values)


def _places(answers: Iterable[str], scale: Sequence[str]) -> dict[str, int] | None:
    """Where each answer stands among the words of a scale; None where two share a place or one
    has none."""
    known = {word: place for place, word in enumerate(scale)}
    found = {one: known.get(one.strip().casefold(), -1) for one in answers}
    apart = -1 not in found.values() and len(set(found.values())) == len(found) > 1
    return found if apart else None


def _number(answer: str) -> float | None:
    try:
        number = float(answer)
    except ValueError:
        return None
    return number if math.isfinite(number) else None
