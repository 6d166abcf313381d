"""The head of a prompt file: YAML between two lines `---`, checked; every error says its line.

Scalars are read as text, so that `yes`, `no` and `1` stay the answers they look like.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from assize.base.errors import DataError
from assize.base.judgment import NOT_APPLICABLE, PREFERENCE, Higher, Question, QuestionKind
from assize.formats.yaml_nodes import Fail, validated
from assize.judging.own.answers import numbers_in
from assize.judging.schemas import one_of, record, words

EXPLANATION = "explanation"
ALONE = "answer"  # the field of a question that is the only one

_LINE = "---"
_Name = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]*$")]
_Words = Annotated[str, Field(min_length=1)]


def _listed(given: Any) -> Any:
    """Answers as a list; those of a mapping have labels."""
    return list(given) if isinstance(given, dict) else given


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True)


class _Question(_Strict):
    id: _Name
    text: _Words
    kind: QuestionKind
    answers: Annotated[list[_Words], BeforeValidator(_listed)] = Field(default_factory=list)
    values: list[Annotated[float, Field(allow_inf_nan=False)]] | None = None
    labels: dict[str, str] = Field(default_factory=dict)
    range: tuple[float, float] | None = None
    higher: Higher | None = None


class FrontMatter(_Strict):
    """The fields of a prompt file's front matter, as written."""

    name: _Name
    about: str = ""  # one line for lists of judges
    version: str = "0"  # in words, for `run.json`
    takes: Literal["conversation", "pair", "continuation"]
    questions: list[_Question] = Field(min_length=1)
    explanation: bool = True
    max_tokens: int | None = Field(None, gt=0)  # longest answer; None for a usual length


@dataclass(frozen=True, slots=True)
class Head:
    """What a prompt file says of itself.

    Args:
        front: its fields.
        questions: what it answers, by the field of the schema that answers it.
        schema: what the model's answer looks like: reasons first, then a field a question.
        lines: of the file that come before its body.
    """

    front: FrontMatter
    questions: Mapping[str, Question]
    schema: Mapping[str, Any]
    lines: int


def split(text: str, source: str) -> tuple[str, int, str]:
    """A file's front matter, the lines up to its body, and the body.

    Raises:
        DataError: the file does not begin with front matter, or it does not end.
    """
    lines = text.split("\n")
    if lines[0].rstrip() != _LINE:
        raise DataError(
            "no front matter: a prompt file begins with a line `---`, fields such as"
            " `name`, `takes` and `questions`, and another line `---`",
            source=source,
            line=1,
        )
    for end, line in enumerate(lines[1:], start=1):
        if line.rstrip() == _LINE:
            # An empty line stands for the first `---`, so that lines count as in the file.
            return "\n".join(["", *lines[1:end]]), end + 1, "\n".join(lines[end + 1 :])
    raise DataError("the front matter has no last line `---`", source=source, line=1)


def read_head(text: str, lines: int, source: str) -> Head:
    """The front matter, checked.

    Args:
        text: as `split` gives it.
        lines: of the file up to its body.
        source: named in errors.

    Raises:
        DataError: it is no YAML, or not what a head must be; says the line and what is allowed.
    """
    front, value, fail = validated(text, source, FrontMatter, {"questions": _Question})
    questions: dict[str, Question] = {}
    for index, one in enumerate(front.questions):
        if one.id in questions or one.id == EXPLANATION:
            taken = "the field of the reasons" if one.id == EXPLANATION else "of two questions"
            raise fail(f"{one.id!r} is {taken}; choose another", "questions", index, "id")
        questions[one.id] = _question(one, value["questions"][index], index, front.takes, fail)
    if len(questions) == 1:
        questions = {ALONE: next(iter(questions.values()))}
    reasons = {EXPLANATION: words()} if front.explanation else {}
    schema = record(**reasons, **{name: _field(one) for name, one in questions.items()})
    return Head(front, questions, schema, lines)


def _field(one: Question) -> dict[str, Any]:
    """What the model's answer to a question looks like."""
    if one.kind == "text":
        return words()
    if one.range is not None:
        low, high = (int(end) if end.is_integer() else end for end in one.range)
        return {"type": "number", "minimum": low, "maximum": high}
    return one_of(one.answers)


def _question(
    one: _Question, value: Mapping[str, Any], index: int, takes: str, fail: Fail
) -> Question:
    """The question, with the answers and values that its kind has by itself."""
    number, preference = one.kind == "number", one.kind == "preference"
    open_answer = one.kind in ("number", "text")
    low, high = one.range or (0.0, 1.0)
    count, fewest = len(one.answers), 2
    exactly = "exactly two" if one.kind == "binary" else "at least two"
    wrong_count = count < fewest or (one.kind == "binary" and count != fewest)
    labels = {**(value["answers"] if isinstance(value.get("answers"), dict) else {}), **one.labels}
    stray = [answer for answer in labels if answer not in one.answers]
    problems: list[tuple[bool, str, str]] = [
        (
            preference != (takes == "pair"),
            "kind",
            f"received kind {one.kind} where takes is {takes}; a pair is answered by questions of"
            " kind preference, and nothing else is",
        ),
        (
            open_answer and bool(one.answers or one.values),
            "answers",
            f"a question of kind {one.kind} has no answers",
        ),
        (
            preference and one.answers not in ([], ["A", "B"], ["A", "tie", "B"]),
            "answers",
            "answers of a preference are [A, tie, B], or [A, B]",
        ),
        (
            not open_answer and not preference and wrong_count,
            "answers",
            f"{one.kind} needs {exactly} answers; there are {count}; write `answers: [...]`,"
            " lowest first",
        ),
        (
            len(set(one.answers)) < count,
            "answers",
            f"an answer stands twice in {', '.join(one.answers)}",
        ),
        (
            NOT_APPLICABLE in one.answers,
            "answers",
            f"{NOT_APPLICABLE} means that a question does not apply",
        ),
        (
            one.values is not None and (preference or one.kind == "nominal"),
            "values",
            f"{one.kind} answers have no values to give",
        ),
        (
            one.values is not None and len(one.values) != count,
            "values",
            f"{len(one.values or ())} values for {count} answers; give one an answer",
        ),
        (
            number != (one.range is not None) or not low < high or not math.isfinite(high - low),
            "range",
            "a question of kind number, and no other, has a range from its lowest to its highest"
            " number: `range: [0, 100]`",
        ),
        (
            bool(stray),
            "labels",
            f"a label of {', '.join(map(repr, stray))}, which is no answer; answers are"
            f" {', '.join(one.answers) or 'none'}",
        ),
    ]
    for wrong, field, problem in problems:
        if wrong:
            raise fail(problem, "questions", index, field)
    answers, values = tuple(one.answers), None if one.values is None else tuple(one.values)
    if preference:
        worth = dict(zip(PREFERENCE.answers, PREFERENCE.values or (), strict=True))
        answers = answers or PREFERENCE.answers
        values = tuple(worth[answer] for answer in answers)
    elif one.kind in ("ordinal", "binary") and values is None:
        values = numbers_in(answers)
    return Question(
        one.id,
        one.text,
        one.kind,
        answers,
        values,
        {answer: label for answer, label in labels.items() if label},
        one.range,
        higher=one.higher,
    )
