"""Rubric files: YAML in, a checked `Rubric` out; every error names file, line and what is allowed.

Scalars are read as text, so that `yes`, `no` and `1` stay the answers they look like.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from assize.base.errors import ConfigError, DataError
from assize.base.judgment import Question
from assize.base.signature import content_hash
from assize.formats.records import conversation
from assize.formats.yaml_nodes import Fail, text_in, validated
from assize.rubric._checking import check
from assize.rubric._rubric import Rubric, Section, Shown

FOLDER = Path(__file__).with_name("rubrics")

_TURN = re.compile(r"turns\[(\d+)\]")

_Name = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9_-]*$")]
_Words = Annotated[str, Field(min_length=1)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True)


class _Answer(_Strict):
    answer: _Words
    meaning: str = ""
    value: float | None = Field(None, allow_inf_nan=False)


def _answers(given: Any) -> Any:
    """`{answer: meaning}`, or a list of answers or of `{answer, meaning, value}`, as the last."""
    if isinstance(given, dict):
        return [{"answer": answer, "meaning": meaning} for answer, meaning in given.items()]
    if isinstance(given, list):
        return [{"answer": one} if isinstance(one, str) else one for one in given]
    return given


class _Question(_Strict):
    id: _Name
    name: str = ""
    text: _Words
    kind: Literal["ordinal", "nominal", "binary", "number", "text"] = "ordinal"
    answers: Annotated[list[_Answer], BeforeValidator(_answers)] = Field(default_factory=list)
    range: tuple[float, float] | None = None
    applies: str = "always"
    audience: Literal["people", "models", "both"] = Field("both", alias="for")
    skip: dict[str, str] = Field(default_factory=dict)


class _Section(_Strict):
    title: str = ""
    instructions: str = ""
    questions: list[_Question] = Field(min_length=1)


class _Example(_Strict):
    turns: list[dict[str, Any]] = Field(min_length=1)
    answers: dict[str, str]
    reasons: dict[str, str] = Field(default_factory=dict)


class _Rubric(_Strict):
    rubric: _Name
    version: str = "1"
    title: str = ""
    about: str = ""
    main: str
    instructions: str = ""
    personas: dict[_Name, _Words] = Field(default_factory=dict)
    sections: list[_Section] = Field(min_length=1)
    examples: list[_Example] = Field(default_factory=list)


_PARTS: Mapping[str | int, type[BaseModel]] = {
    "sections": _Section,
    "questions": _Question,
    "answers": _Answer,
    "examples": _Example,
}


@cache
def shipped() -> tuple[str, ...]:
    """Names of the rubrics that come with the package."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.yaml")))


def rubric_text(name: str) -> tuple[str, str]:
    """Where a rubric stands and the text of its file; `name` is a shipped one, a path or a URL."""
    if name in shipped():
        return name, (FOLDER / f"{name}.yaml").read_text("utf-8")
    if "/" not in name and Path(name).suffix not in (".yaml", ".yml") and not Path(name).is_file():
        known = ", ".join(shipped())
        raise ConfigError(
            f"no rubric {name!r}; shipped are {known}; or give a file, such as r.yaml"
        )
    return name, text_in(name)


def load_rubric(name: str) -> Rubric:
    """Load a shipped rubric by its name, or a file by its path or URL.

    Raises:
        ConfigError: there is no rubric of that name.
        DataError: the file is no rubric; the message says the line, the place, what was received
            and what is allowed.
    """
    source, text = rubric_text(name)
    return parse_rubric(text, source)


def parse_rubric(text: str, source: str) -> Rubric:
    """Make a rubric of a file's text.

    Args:
        text: YAML.
        source: name of the file, for messages.

    Raises:
        DataError: it is no YAML or no rubric; the message says the line, the place, what was
            received and what is allowed.
    """
    record, _, fail = validated(text, source, _Rubric, _PARTS)
    digest = content_hash(text, digits=12)
    made = _built(record, fail, digest)
    check(made, fail)
    return made


def _built(record: _Rubric, fail: Fail, digest: str) -> Rubric:
    sections = tuple(
        Section(one.title, tuple(map(_question, one.questions)), one.instructions)
        for one in record.sections
    )
    examples = tuple(_shown(one, number, fail) for number, one in enumerate(record.examples))
    skips = {
        one.id: one.skip for section in record.sections for one in section.questions if one.skip
    }
    return Rubric(
        record.rubric,
        record.title or record.rubric,
        record.main,
        sections,
        record.about,
        record.version,
        record.instructions,
        skips,
        record.personas,
        examples,
        digest,
    )


def _question(one: _Question) -> Question:
    answers = tuple(answer.answer for answer in one.answers)
    return Question(
        one.id,
        one.text,
        one.kind,
        answers,
        _values(one),
        {answer.answer: answer.meaning for answer in one.answers if answer.meaning},
        one.range,
        one.applies,
        one.audience,
        extra={"name": one.name} if one.name else {},
    )


def _values(one: _Question) -> tuple[float, ...] | None:
    """Given values; else the answers as numbers; else 1, 2, ... in their order."""
    given = [answer.value for answer in one.answers]
    if any(value is not None for value in given):
        return tuple(float("nan") if value is None else value for value in given)
    if one.kind not in ("ordinal", "binary") or not given:
        return None
    try:
        numbers = tuple(float(answer.answer) for answer in one.answers)
    except ValueError:
        numbers = ()
    if numbers and all(map(math.isfinite, numbers)):
        return numbers
    return tuple(float(place) for place in range(1, len(given) + 1))


def _shown(one: _Example, number: int, fail: Fail) -> Shown:
    try:
        made = conversation({"id": f"example-{number}", "turns": one.turns})
    except DataError as error:
        turn = _TURN.match(error.field or "")
        place = ("turns", int(turn[1])) if turn else ("turns",)
        inside = (error.field or "").removeprefix(turn[0]).lstrip(".") if turn else ""
        problem = f"{inside}: {error.problem}" if inside else error.problem
        raise fail(problem, "examples", number, *place) from None
    return Shown(made, one.answers, one.reasons)
