"""Between JSON objects and the frozen dataclasses: the one gate for every record.

`parse(object)` validates and builds a record, `to_json(record)` is its inverse.
Fields that are not known are kept in `extra` and written back. Every reader of every
format passes through here, so a bad record is described in the same words wherever
it came from.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, fields, replace
from functools import cache
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from assize.conversation import ROLES, Continuation, Conversation, Item, Pair, Reference, Turn
from assize.errors import DataError
from assize.formats.tool_calls import TOOL_FIELDS, tool_fields
from assize.judgment import REQUESTED, Higher, Judgment, Question, Unscored, Usage
from assize.whole_text import replace_halves

Record = Item | Judgment

_Id = Annotated[str, Field(coerce_numbers_to_str=True, min_length=1)]
_Words = Annotated[str, Field(coerce_numbers_to_str=True)]
_Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
_Count = Annotated[int, Field(ge=0, le=(1 << 63) - 1)]  # what a column holds
_Object = dict[str, Any]
_Preference = Annotated[
    Literal["A", "B", "tie"], BeforeValidator(lambda gold: "tie" if gold == "Fair" else gold)
]

_ROUNDING = 1e-6
_SHOWN = 60


class _Fields(BaseModel):
    model_config = ConfigDict(extra="allow")


class _Reference(_Fields):
    id: _Id
    title: str = ""
    text: str = ""


class _Turn(_Fields):
    role: Literal["user", "assistant", "system", "tool"]
    text: str
    references: list[_Reference] = Field(default_factory=list)


class _Conversation(_Fields):
    id: _Id
    turns: list[_Turn]
    system: _Words | None = None
    metadata: _Object = Field(default_factory=dict)


class _Pair(_Fields):
    id: _Id
    context: list[_Turn] = Field(default_factory=list)
    a: list[_Turn]
    b: list[_Turn]
    shared_user: bool = False
    gold: _Preference | dict[str, _Words] | None = None
    metadata: _Object = Field(default_factory=dict)


class _Continuation(_Fields):
    id: _Id
    context: list[_Turn]
    candidate: str
    references: list[str] = Field(default_factory=list)
    conversation: _Id | None = None
    turn: _Count | None = None
    source: _Words | None = None
    metadata: _Object = Field(default_factory=dict)


class _Unscored(BaseModel):
    reason: str
    message: str = ""


class _Usage(_Fields):
    input_tokens: _Count = 0
    output_tokens: _Count = 0
    cost_usd: Annotated[float, Field(ge=0)] | None = None
    cached: bool = False


class _Judgment(_Fields):
    item: _Id
    judge: _Id
    question: _Id
    answer: _Words | None = None
    score: float | None = None
    distribution: dict[str, _Share] | None = None
    outside: _Share | None = None
    order: Literal["AB", "BA"] | None = None
    turn: _Count | None = None
    repeat: _Count = 0
    anonymous: bool = False
    call: _Id | None = None
    kind: Literal["person", "model", "metric", "evaluator"] | None = None
    explanation: str | None = None
    details: _Object | None = None
    unscored: _Unscored | None = None
    attempts: _Count | None = None
    usage: _Usage | None = None
    signature: str | None = None
    at: str | None = None


class _Question(_Fields):
    id: _Id
    text: str = ""
    kind: Literal["ordinal", "nominal", "binary", "number", "preference", "text"] = "number"
    answers: list[_Words] = Field(default_factory=list)
    values: list[float] | None = None
    labels: dict[str, str] = Field(default_factory=dict)
    range: tuple[float, float] | None = None
    applies: str = "always"
    audience: Literal["people", "models", "both"] = Field("both", alias="for")
    higher: Higher | None = None


def parse(value: Any) -> Record:
    """Builds whichever record the fields of a JSON object spell out.

    Raises:
        DataError: no known record, or a field that is not what it must be; the
            error names the field, what was received and what is allowed.

    >>> parse({"id": "c1", "turns": [{"role": "user", "text": "Hi"}]}).turns[0].text
    'Hi'
    """
    if not isinstance(value, dict):
        raise DataError(f"expected a JSON object, received {_shown(value)}")
    for marks, build in _SHAPES:
        if all(mark in value for mark in marks):
            return build(value)
    raise DataError(
        f"no known record: the fields are {_shown(sorted(value))}; a conversation has `turns`,"
        " a pair `a` and `b`, a continuation `candidate`, a judgment `item` and `judge`"
    )


def conversation(value: Any) -> Conversation:
    """Builds a conversation; raises DataError as `parse` does."""
    record = _checked(_Conversation, value)
    if not record.turns:
        raise DataError("a conversation needs at least one turn", field="turns")
    return _build(Conversation, record, turns=_turns(record.turns))


def pair(value: Any) -> Pair:
    """Builds a pair; `shared_user` is verified."""
    record = _checked(_Pair, value)
    sides = {name: _turns(getattr(record, name)) for name in ("context", "a", "b")}
    if not sides["a"] or not sides["b"]:
        raise DataError("both sides of a pair need at least one turn", field="a, b")
    if record.shared_user and _said(sides["a"]) != _said(sides["b"]):
        raise DataError(
            "says true, but the user's turns differ; mend them or say false", field="shared_user"
        )
    return _build(Pair, record, **sides)


def continuation(value: Any) -> Continuation:
    """Builds a continuation; raises DataError as `parse` does."""
    record = _checked(_Continuation, value)
    references = tuple(record.references)
    return _build(Continuation, record, context=_turns(record.context), references=references)


def judgment(value: Any) -> Judgment:
    """Builds a judgment; a score that is NaN becomes unscored with the reason `nan`, and a
    request that was filled in is none any more."""
    record = _checked(_Judgment, value)
    score, unscored = record.score, _plain(Unscored, record.unscored)
    if score is not None and math.isinf(score):
        raise DataError(f"received {score}; a score is a finite number or null", field="score")
    if score is not None and math.isnan(score):
        score, unscored = None, unscored or Unscored("nan", "the score was not a number")
    given = record.answer, score, record.distribution
    if (
        unscored is not None
        and unscored.reason == REQUESTED
        and any(part is not None for part in given)
    ):
        unscored = None  # a request that was filled in
    said: tuple[object, ...] = (*given, unscored)
    if all(part is None for part in said):
        raise DataError("needs one of `answer`, `score`, `distribution` or `unscored`")
    if record.distribution is not None:
        mass = sum(record.distribution.values()) + (record.outside or 0.0)
        if mass > 1 + _ROUNDING:
            problem = f"the probabilities sum to {mass:.6g}, above 1"
            raise DataError(problem, field="distribution")
    return _build(
        Judgment, record, score=score, unscored=unscored, usage=_plain(Usage, record.usage)
    )


def question(value: Any) -> Question:
    """Builds a question; `values`, when given, must be one number an answer."""
    record = _checked(_Question, value)
    values = None if record.values is None else tuple(record.values)
    if values is not None and len(values) != len(record.answers):
        raise DataError(
            f"{len(values)} values for {len(record.answers)} answers; give one an answer",
            field="values",
        )
    return _build(Question, record, answers=tuple(record.answers), values=values)


_SHAPES: tuple[tuple[tuple[str, ...], Callable[[Any], Record]], ...] = (
    (("item", "judge"), judgment),
    (("a", "b"), pair),
    (("candidate",), continuation),
    (("turns",), conversation),
)

_Model = TypeVar("_Model", bound=BaseModel)
_Built = TypeVar("_Built")


def _checked(model: type[_Model], value: Any) -> _Model:
    try:
        return model.model_validate(value)
    except ValidationError as error:
        if not any(one["type"] in _HALF_CHARACTER for one in error.errors(include_url=False)):
            raise _data_error(error) from None
    try:
        return model.model_validate(replace_halves(value))
    except ValidationError as error:
        raise _data_error(error) from None


# JSON can hold half a character (a lone surrogate), which pydantic refuses.
_HALF_CHARACTER = {"string_unicode", "invalid_key"}


def _data_error(error: ValidationError) -> DataError:
    first, *others = error.errors(include_url=False)
    field = "".join(
        f"[{part}]" if isinstance(part, int) else f".{part}" for part in first["loc"]
    ).lstrip(".")
    if first["type"] == "missing":
        problem = "is missing"
    else:
        problem = f"received {_shown(first['input'])}; {first['msg'].lower()}"
    if first["loc"] and first["loc"][-1] == "role":
        missing = first["type"] == "missing"
        got = "is missing" if missing else f"received {_shown(first['input'])}"
        problem = f"{got}; allowed are {', '.join(ROLES)}"
    more = f" (and {len(others)} more in this record)" if others else ""
    return DataError(problem + more, field=field)


def _shown(value: Any) -> str:
    text = ascii(value)
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "..."


def _build(cls: Callable[..., _Built], record: BaseModel, **replaced: Any) -> _Built:
    names = [field.name for field in fields(cls) if field.name != "extra"]  # type: ignore[arg-type]
    given = {name: replaced.get(name, getattr(record, name)) for name in names}
    return cls(**given, extra=record.model_extra or {})


def _plain(cls: Callable[..., _Built], record: BaseModel | None) -> _Built | None:
    if record is None:
        return None
    given: dict[str, Any] = {name: getattr(record, name) for name in type(record).model_fields}
    if record.model_extra:
        given["extra"] = record.model_extra
    return cls(**given)


def _turns(records: Iterable[_Turn]) -> tuple[Turn, ...]:
    return tuple(
        _with_tools(
            Turn(
                record.role,
                record.text,
                tuple(_build(Reference, reference) for reference in record.references),
                record.model_extra or {},
            ),
            f"turns[{index}]",
        )
        for index, record in enumerate(records)
    )


def _with_tools(turn: Turn, field: str) -> Turn:
    """The turn with the calls, the call's id and the name that stand among its further fields."""
    if TOOL_FIELDS.isdisjoint(turn.extra):
        return turn
    fields, extra = tool_fields(turn.extra, field)
    return replace(turn, extra=extra, **fields)


def _said(turns: Iterable[Turn]) -> list[str]:
    return [turn.text for turn in turns if turn.role == "user"]


_NAMES = {"audience": "for"}
_ALWAYS = frozenset({"id", "turns", "context", "a", "b", "candidate", "role", "text", "arguments"})


def to_json(record: Any) -> dict[str, Any]:
    """A record as a JSON object; fields at their default are left out, `extra` merged in.

    >>> to_json(Turn("user", "Hi", extra={"mood": "calm"}))
    {'role': 'user', 'text': 'Hi', 'mood': 'calm'}
    """
    written: dict[str, Any] = {}
    cls: Any = type(record)  # for mypy, a `type[Any]` cannot be hashed
    for name, as_, default, empty in _written(cls):
        value = getattr(record, name)
        if value is default or value == default or (empty and not value):
            continue
        written[as_] = _to_json(value)
    extra: Mapping[str, Any] = getattr(record, "extra", {})
    if extra:
        written |= _to_json(extra)
    return written


@cache
def _written(cls: Any) -> tuple[tuple[str, str, Any, bool], ...]:
    """Of each field but `extra`: its name, the record's, its default (MISSING where it is always
    written), and whether what is empty is its default."""
    found = []
    for one in fields(cls):
        always = one.name in _ALWAYS
        default = MISSING if always else one.default
        empty = not always and one.default_factory is not MISSING
        found.append((one.name, _NAMES.get(one.name, one.name), default, empty))
    return tuple(one for one in found if one[0] != "extra")


def _to_json(value: Any) -> Any:
    if isinstance(value, str):  # most of what there is, and quickest to tell
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, list | tuple):
        return [_to_json(part) for part in value]
    if isinstance(value, dict | Mapping):  # a dict is told quicker than a Mapping
        return {key: _to_json(part) for key, part in value.items()}
    return to_json(value) if hasattr(value, "__dataclass_fields__") else value
