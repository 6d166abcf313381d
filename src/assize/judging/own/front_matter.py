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
from assize.judging.own.answer_schema import ALONE, EXPLANATION, derived

Place = tuple[str | int, ...]

_LINE = "---"
_FEWEST = 2
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


class _Head(_Strict):
    name: _Name
    about: str = ""
    version: str = "0"
    takes: Literal["conversation", "pair", "continuation"]
    questions: list[_Question] = Field(min_length=1)
    explanation: bool = True
    max_tokens: int | None = Field(None, gt=0)


@dataclass(frozen=True, slots=True)
class Head:
    """What a prompt file says of itself.

    Args:
        name: of the judge.
        about: one line for lists of judges.
        version: in words, for `run.json`.
        takes: the kind of item it judges.
        questions: what it answers.
        schema: what the model's answer looks like.
        fields: of each question, by id: the field of the schema that answers it.
        max_tokens: longest answer; None for a usual length.
        lines: of the file that come before its body.
    """

    name: str
    about: str
    version: str
    takes: Literal["conversation", "pair", "continuation"]
    questions: tuple[Question, ...]
    schema: Mapping[str, Any]
    fields: Mapping[str, str]
    max_tokens: int | None
    lines: int

    @property
    def explains(self) -> bool:
        """Whether the answer holds reasons."""
        return EXPLANATION in self.schema["properties"]


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
    ends = (at for at, line in enumerate(lines[1:], start=1) if line.rstrip() == _LINE)
    end = next(ends, None)
    if end is None:
        raise DataError("the front matter has no last line `---`", source=source, line=1)
    # An empty line stands for the first `---`, so that lines count as in the file.
    return "\n".join(["", *lines[1:end]]), end + 1, "\n".join(lines[end + 1 :])


def read_head(text: str, lines: int, source: str) -> Head:
    """The front matter, checked.

    Args:
        text: as `split` gives it.
        lines: of the file up to its body.
        source: named in errors.

    Raises:
        DataError: it is no YAML, or not what a head must be; says the line and what is allowed.
    """
    head, value, fail = validated(text, source, _Head, {"questions": _Question})
    answers = [one.get("answers") for one in value["questions"]]
    questions = tuple(
        _question(one, given, at, head.takes, fail)
        for at, (one, given) in enumerate(zip(head.questions, answers, strict=True))
    )
    _check_ids(questions, fail)
    fields = {one.id: ALONE if len(questions) == 1 else one.id for one in questions}
    schema = derived(questions, fields, explains=head.explanation)
    return Head(
        head.name,
        head.about,
        head.version,
        head.takes,
        questions,
        schema,
        fields,
        head.max_tokens,
        lines,
    )


def _question(one: _Question, given: Any, at: int, takes: str, fail: Fail) -> Question:
    """The question, with the answers and values that its kind has by itself."""
    here: Place = ("questions", at)
    if (one.kind == "preference") != (takes == "pair"):
        problem = "a pair is answered by questions of kind preference, and nothing else is"
        raise fail(f"received kind {one.kind} where takes is {takes}; {problem}", *here, "kind")
    if one.kind == "preference":
        answers, values = _preferred(one, here, fail)
    elif one.kind in ("number", "text"):
        if one.answers or one.values:
            raise fail(f"a question of kind {one.kind} has no answers", *here, "answers")
        answers, values = (), None
    else:
        answers, values = _chosen(one, here, fail)
    _check_range(one, here, fail)
    labels = {**(given if isinstance(given, dict) else {}), **one.labels}
    stray = [answer for answer in labels if answer not in answers]
    if stray:
        known = ", ".join(answers) or "none"
        raise fail(
            f"a label of {stray[0]!r}, which is no answer; answers are {known}",
            *here,
            "labels",
            stray[0],
        )
    labels = {answer: label for answer, label in labels.items() if label}
    return Question(
        one.id, one.text, one.kind, answers, values, labels, one.range, higher=one.higher
    )


def _preferred(one: _Question, here: Place, fail: Fail) -> tuple[tuple[str, ...], Any]:
    given = one.answers or list(PREFERENCE.answers)
    if set(given) not in ({"A", "B"}, {"A", "B", "tie"}) or len(given) > len(PREFERENCE.answers):
        raise fail("answers of a preference are A, B and tie, or A and B", *here, "answers")
    if one.values is not None:
        raise fail("a preference has the values 1, 0 and -1; leave them out", *here, "values")
    kept = tuple(answer for answer in PREFERENCE.answers if answer in given)
    worth = dict(zip(PREFERENCE.answers, PREFERENCE.values or (), strict=True))
    return kept, tuple(worth[answer] for answer in kept)


def _chosen(one: _Question, here: Place, fail: Fail) -> tuple[tuple[str, ...], Any]:
    count = len(one.answers)
    if count < _FEWEST or (one.kind == "binary" and count != _FEWEST):
        wanted = "exactly two" if one.kind == "binary" else "at least two"
        problem = f"{one.kind} needs {wanted} answers; there are {count}"
        raise fail(f"{problem}; write `answers: [...]`, lowest first", *here, "answers")
    if len(set(one.answers)) < count:
        raise fail(f"an answer stands twice in {', '.join(one.answers)}", *here, "answers")
    if NOT_APPLICABLE in one.answers:
        raise fail(f"{NOT_APPLICABLE} means that a question does not apply", *here, "answers")
    if one.values is None:
        return tuple(one.answers), None if one.kind == "nominal" else _numbers(one.answers)
    if one.kind == "nominal":
        raise fail("nominal answers are not ordered and have no values", *here, "values")
    if len(one.values) != count:
        raise fail(
            f"{len(one.values)} values for {count} answers; give one an answer", *here, "values"
        )
    return tuple(one.answers), tuple(one.values)


def _numbers(answers: list[str]) -> tuple[float, ...] | None:
    try:
        found = tuple(map(float, answers))
    except ValueError:
        return None
    return found if all(map(math.isfinite, found)) else None


def _check_range(one: _Question, here: Place, fail: Fail) -> None:
    if one.range is None:
        if one.kind == "number":
            problem = "a question of kind number needs its lowest and highest number"
            raise fail(f"{problem}: `range: [0, 100]`", *here)
        return
    low, high = one.range
    if one.kind != "number" or not low < high or not math.isfinite(high - low):
        problem = "only a question of kind number has a range, from a lower to a higher number"
        raise fail(problem, *here, "range")


def _check_ids(questions: tuple[Question, ...], fail: Fail) -> None:
    seen: set[str] = set()
    for at, one in enumerate(questions):
        if one.id in seen:
            raise fail(f"two questions have the id {one.id!r}", "questions", at, "id")
        if one.id == EXPLANATION:
            raise fail(f"{EXPLANATION!r} is the field of the reasons", "questions", at, "id")
        seen.add(one.id)
