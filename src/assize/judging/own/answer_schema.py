"""What a model's answer to a prompt file looks like: made of its questions, or given in full."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assize.formats.yaml_nodes import Fail
from assize.judging.schemas import one_of, record, words
from assize.judgment import Question

EXPLANATION = "explanation"
ALONE = "answer"  # the field of a question that is the only one

Place = tuple[str | int, ...]

_NUMBERS = ("minimum", "maximum", "minItems")
_TYPES = ("object", "array", "string", "integer", "number", "boolean")
_SCHEMA = (
    *("type", "properties", "required", "items", "enum", "description"),
    *("additionalProperties", *_NUMBERS),
)


def derived(
    questions: tuple[Question, ...], fields: Mapping[str, str], *, explains: bool
) -> dict[str, Any]:
    """The schema of an answer: reasons first, then a field a question.

    Args:
        questions: what is asked.
        fields: of each question, by id.
        explains: whether reasons are asked for.
    """
    asked = {fields[one.id]: _field(one) for one in questions}
    return record(**({EXPLANATION: words()} if explains else {}), **asked)


def _field(one: Question) -> dict[str, Any]:
    if one.kind == "text":
        return words()
    if one.kind == "number" and one.range is not None:
        low, high = map(_whole, one.range)
        return {"type": "number", "minimum": low, "maximum": high}
    return one_of(one.answers)


def _whole(number: float) -> int | float:
    return int(number) if number.is_integer() else number


def typed(value: Any, place: Place, fail: Fail) -> dict[str, Any]:
    """A JSON schema from the front matter, where everything is text.

    Args:
        value: as it was read.
        place: where it stands, for errors.
        fail: makes the errors.

    Raises:
        DataError: a keyword is none that answers are checked by, or its value cannot be.
    """
    if not isinstance(value, dict):
        raise fail("expected a JSON schema, `type: ...`", *place)
    for name in value:
        if name not in _SCHEMA:
            raise fail(f"no such keyword; known are {', '.join(_SCHEMA)}", *place, name)
    kind = value.get("type", "string" if "enum" in value else "object")
    if kind not in _TYPES:
        raise fail(f"received {kind!r}; allowed are {', '.join(_TYPES)}", *place, "type")
    found: dict[str, Any] = {"type": kind}
    if "description" in value:
        found["description"] = value["description"]
    for name in _NUMBERS:
        if name in value:
            found[name] = _number(value[name], (*place, name), fail)
    if "enum" in value:
        found["enum"] = _enum(value["enum"], kind, (*place, "enum"), fail)
    if kind == "array":
        items = value.get("items", {"type": "string"})
        return found | {"items": typed(items, (*place, "items"), fail)}
    if kind != "object":
        return found
    inner = value.get("properties")
    if not isinstance(inner, dict) or not inner:
        raise fail("an object needs `properties`", *place)
    parts = {name: typed(one, (*place, "properties", name), fail) for name, one in inner.items()}
    return found | record(**parts)


def _number(value: Any, place: Place, fail: Fail) -> int | float:
    try:
        return _whole(float(value))
    except (TypeError, ValueError, OverflowError):
        raise fail(f"received {value!r}; expected a number", *place) from None


def _enum(value: Any, kind: str, place: Place, fail: Fail) -> list[Any]:
    if not isinstance(value, list) or not value:
        raise fail("expected a list of answers", *place)
    if kind in ("integer", "number"):
        return [_number(one, (*place, at), fail) for at, one in enumerate(value)]
    return value


def fields_in(
    schema: Mapping[str, Any], questions: tuple[Question, ...], fail: Fail
) -> dict[str, str]:
    """The field of each question in a schema that was given.

    Raises:
        DataError: a question has no field, or the field does not allow just its answers.
    """
    if schema["type"] != "object":
        raise fail("the answer is an object: `type: object`", "schema", "type")
    parts = schema["properties"]
    fields: dict[str, str] = {}
    for one in questions:
        names = [one.id, *([ALONE] if len(questions) == 1 else [])]
        name = next((name for name in names if name in parts), None)
        if name is None:
            wanted = " or ".join(map(repr, names))
            raise fail(f"question {one.id!r} needs a field {wanted}", "schema", "properties")
        if not _fits(parts[name], one):
            told = f"answers of {one.id!r} are {_shown(one)}; the field must allow just these"
            raise fail(told, "schema", "properties", name)
        fields[one.id] = name
    return fields


def _fits(part: Mapping[str, Any], one: Question) -> bool:
    if one.kind == "text":
        return bool(part["type"] == "string")
    if one.kind == "number":
        span = (part.get("minimum"), part.get("maximum"))
        return part["type"] in ("number", "integer") and span == one.range
    return set(map(str, part.get("enum", ()))) == set(one.answers)


def _shown(one: Question) -> str:
    if one.range is not None:
        return f"numbers, minimum {one.range[0]:g}, maximum {one.range[1]:g}"
    return ", ".join(one.answers) or "text"
