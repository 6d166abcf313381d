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
from typing import TYPE_CHECKING, Any, TypeGuard, TypeVar

from pydantic import TypeAdapter, ValidationError

from assize.base.conversation import ROLES, Continuation, Conversation, Item, Pair, Turn
from assize.base.errors import DataError, shorten
from assize.base.judgment import REQUESTED, Judgment, Question, Unscored
from assize.base.record import fold
from assize.base.whole_text import replace_halves
from assize.formats.tool_calls import TOOL_FIELDS, split_tool_fields

if TYPE_CHECKING:
    from assize.judgments import JudgmentTable


Record = Item | Judgment

_ROUNDING = 1e-6


def parse(value: Any) -> Record:
    """Make a record of a JSON object: a conversation, pair, continuation, judgment or turn.

    The fields decide which record it is.

    Raises:
        DataError: the fields are those of no record, or a field is wrong; the message names the
            field, what was received and what is allowed.

    >>> parse({"id": "c1", "turns": [{"role": "user", "text": "Hi"}]}).turns[0].text
    'Hi'
    """
    if not isinstance(value, dict):
        raise DataError(f"expected a JSON object, received {shorten(value)}")
    for marks, build in _SHAPES:
        if all(mark in value for mark in marks):
            return build(value)
    raise DataError(
        f"no known record: the fields are {shorten(sorted(value))}; a conversation has `turns`,"
        " a pair `a` and `b`, a continuation `candidate`, a judgment `item` and `judge`"
    )


def conversation(value: Any) -> Conversation:
    """Builds a conversation; raises DataError as `parse` does."""
    record = read_record(Conversation, value)
    if not record.turns:
        raise DataError("a conversation needs at least one turn", field="turns")
    return _with_tools(record, "turns")


def pair(value: Any) -> Pair:
    """Builds a pair; `shared_user` is verified."""
    if isinstance(value, dict) and value.get("context") is None:
        value = {**value, "context": ()}  # two whole dialogues
    record = read_record(Pair, value)
    if not record.a or not record.b:
        raise DataError("both sides of a pair need at least one turn", field="a, b")
    if record.shared_user and _said(record.a) != _said(record.b):
        raise DataError(
            "says true, but the user's turns differ; mend them or say false", field="shared_user"
        )
    return _with_tools(record, "context", "a", "b")


def continuation(value: Any) -> Continuation:
    """Builds a continuation; raises DataError as `parse` does."""
    return _with_tools(read_record(Continuation, value), "context")


def judgment(value: Any) -> Judgment:
    """Builds a judgment; a score that is NaN becomes unscored with the reason `nan`, and a
    request that was filled in is none any more."""
    record = read_record(Judgment, value)
    score, unscored = record.score, record.unscored
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
    if unscored is None and all(part is None for part in given):
        raise DataError("needs one of `answer`, `score`, `distribution` or `unscored`")
    if record.distribution is not None:
        mass = sum(record.distribution.values()) + (record.outside or 0.0)
        if mass > 1 + _ROUNDING:
            raise DataError(f"the probabilities sum to {mass:.6g}, above 1", field="distribution")
    if score is record.score and unscored is record.unscored:
        return record
    return replace(record, score=score, unscored=unscored)


def question(value: Any) -> Question:
    """Builds a question; `values`, when given, must be one number an answer."""
    record = read_record(Question, value)
    if record.values is not None and len(record.values) != len(record.answers):
        raise DataError(
            f"{len(record.values)} values for {len(record.answers)} answers; give one an answer",
            field="values",
        )
    return record


_SHAPES: tuple[tuple[tuple[str, ...], Callable[[Any], Record]], ...] = (
    (("item", "judge"), judgment),
    (("a", "b"), pair),
    (("candidate",), continuation),
    (("turns",), conversation),
)

_Read = TypeVar("_Read")
_Turns = TypeVar("_Turns", Conversation, Pair, Continuation)


def read_record(cls: type[_Read], value: Any) -> _Read:
    """Build a record of a JSON object, by the types of its fields; raises DataError."""
    adapter: TypeAdapter[_Read] = _adapter(cls)  # type: ignore[arg-type]  # classes can be hashed
    try:
        return adapter.validate_python(fold(cls, value))
    except ValidationError as error:
        if not any(one["type"] in _HALF_CHARACTER for one in error.errors(include_url=False)):
            raise _data_error(error) from None
    try:
        return adapter.validate_python(fold(cls, replace_halves(value)))
    except ValidationError as error:
        raise _data_error(error) from None


@cache
def _adapter(cls: Any) -> TypeAdapter[Any]:
    return TypeAdapter(cls)


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
        problem = f"received {shorten(first['input'])}; {first['msg'].lower()}"
    if first["loc"] and first["loc"][-1] == "role":
        missing = first["type"] == "missing"
        got = "is missing" if missing else f"received {shorten(first['input'])}"
        problem = f"{got}; allowed are {', '.join(ROLES)}"
    more = f" (and {len(others)} more in this record)" if others else ""
    return DataError(problem + more, field=field)


def _with_tools(record: _Turns, *names: str) -> _Turns:
    """The record, whose turns have the calls, ids and names that stand among further fields."""
    changed: Any = {}
    for name in names:
        turns: tuple[Turn, ...] = getattr(record, name)
        if not all(TOOL_FIELDS.isdisjoint(turn.extra) for turn in turns):
            changed[name] = tuple(
                _with_tool_fields(turn, f"{name}[{index}]") for index, turn in enumerate(turns)
            )
    return replace(record, **changed) if changed else record


def _with_tool_fields(turn: Turn, field: str) -> Turn:
    if TOOL_FIELDS.isdisjoint(turn.extra):
        return turn
    known, extra = split_tool_fields(turn.extra, field)
    return replace(turn, extra=extra, **known)


def _said(turns: Iterable[Turn]) -> list[str]:
    return [turn.text for turn in turns if turn.role == "user"]


_ALWAYS = frozenset({"id", "turns", "context", "a", "b", "candidate", "role", "text", "arguments"})


def to_json(record: Any) -> dict[str, Any]:
    """Return a record as a JSON object, without fields at their default, `extra` merged in.

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
        found.append((one.name, one.metadata.get("json") or one.name, default, empty))
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


KINDS: Mapping[type, str] = {
    Conversation: "conversations",
    Pair: "pairs",
    Continuation: "continuations",
    Judgment: "judgments",
}


def is_table(value: object) -> TypeGuard[JudgmentTable]:
    """Whether this is a table of judgments; told by its fields, for pyarrow need not be loaded."""
    return hasattr(value, "arrow") and hasattr(value, "inferred")


def is_items(value: object) -> bool:
    """Whether this is what `read` gives; told by its attributes, for `Items` stands on this."""
    return hasattr(value, "rejects") and hasattr(value, "records")


def kind_of(record: Record) -> str:
    """The word for the record's kind: conversations, pairs, continuations or judgments."""
    return KINDS[type(record)]


def counted(count: int, kind: str) -> str:
    """A count with the word for it.

    >>> counted(1, "pairs"), counted(32210, "judgments")
    ('1 pair', '32,210 judgments')
    """
    return f"{count:,} {kind[:-1] if count == 1 else kind}"
