"""Reading a judge's answer out of its reply, never out of a quotation of what it judged.

A reply that is the JSON object alone is read as it stands. Otherwise everything up to
the last piece known from the item is set aside, and the last whole object after it is
the answer; where there is none, or two that decide differently, the judge is asked again.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from assize.base.errors import AnswerError

JSON = Mapping[str, Any]

# What a model thinks before it answers, in the spellings that models have for it.
_THOUGHT = re.compile(
    r"<\s{0,9}(/?)\s{0,9}(?:think|thinking|thought|reasoning)\b[^<>]{0,99}>", re.I
)
_FENCED = re.compile(r"\A```(?:json)?\s*\n(.*?)\n?```\Z", re.DOTALL)
_OBJECT = re.compile(r'\{(?=\s*["}])')
_MARK = re.compile(r'"(?:[^"\\]|\\.)*+"|[{}\[\]]', re.DOTALL)  # strings hide what is in them
DEEPEST = 24  # objects in objects that are read; answers have half a dozen
_SHORTEST_LINE = 16  # shorter lines of an item may well stand in an answer by chance


def read_answer(text: str, schema: JSON, judged: Iterable[str] = ()) -> dict[str, Any]:
    """The answer as an object that follows the schema.

    Args:
        text: the whole reply.
        schema: objects, enums, strings, integers and numbers in a range, arrays.
        judged: all text of the item; what the reply quotes of it is not read.

    >>> schema = {"type": "object", "properties": {"answer": {"enum": ["A", "B"]}}}
    >>> read_answer('I think: {"answer": "a"}', schema)
    {'answer': 'A'}
    """
    said, thought = text.strip(), ""
    if "<" in said and _whole(said) is None:
        said, thought = without_thoughts(said)
    bare = _FENCED.sub(r"\1", said).strip() if said.startswith("```") else said
    whole = _whole(bare)
    if whole is not None:
        answer, others = _checked(whole, schema), []
    else:
        rest = after_quotations(said, judged)
        _refuse_attempts(rest, schema)
        found = list(objects(rest))
        if not found:
            more = " after the last quotation" if len(rest) < len(said) else ""
            raise AnswerError(f"there is no JSON object{more}")
        *others, last = found
        answer = _checked(last, schema)
    for other in _inner([*others, *_objects_in(thought)]):
        if _verdict(other, schema) not in (None, _verdict(answer, schema)):
            raise AnswerError("it gives two different answers")
    return answer


def without_thoughts(text: str) -> tuple[str, str]:
    """What is said outside of thoughts, and what is said before the end of one that has no
    beginning: a model whose prompt begins its thought writes only the end.

    Raises:
        AnswerError: a thought is not closed, for nobody knows where the answer begins.
    """
    said, place, depth, thought = list[str](), 0, 0, ""
    for tag in _THOUGHT.finditer(text):
        if depth == 0:
            said.append(text[place : tag.start()])
        if not tag[1]:
            depth += 1
        elif depth > 0:
            depth -= 1
        else:
            thought, said = thought + "".join(said), []
        place = tag.end()
    if depth > 0:
        raise AnswerError("a thought is not closed, so nothing after it is the answer")
    return "".join([*said, text[place:]]).strip(), thought


def _refuse_attempts(text: str, schema: JSON) -> None:
    """Raises for what is meant as an answer and is no JSON: quoted otherwise, or not at all."""
    names = "|".join(map(re.escape, schema.get("properties", {})))
    if names and re.search(
        rf"\{{\s{{0,99}}[^\s\w\"{{}}]?(?:{names})[^\s\w\"{{}}:]?\s{{0,99}}:", text, re.I
    ):
        raise AnswerError("a JSON object is not well-formed")


def _verdict(value: Any, schema: JSON) -> str | None:
    """What an answer decides, without its free texts; None where it is none."""
    try:
        return _spelt(_decided(follow(value, schema), schema))
    except AnswerError:
        return None


def _decided(value: Any, schema: JSON) -> Any:
    """The value without free texts."""
    if isinstance(value, dict):
        kinds = schema.get("properties", {})
        return {name: _decided(inner, kinds[name]) for name, inner in value.items()}
    if isinstance(value, list):
        return [_decided(one, schema.get("items", {})) for one in value]
    return None if isinstance(value, str) and "enum" not in schema else value


def _whole(text: str) -> Any | None:
    if not text.startswith("{"):
        return None
    try:
        return _DECODER.decode(text)
    except (ValueError, RecursionError):
        return None


def _checked(value: Any, schema: JSON) -> dict[str, Any]:
    try:
        follows: dict[str, Any] = follow(value, schema)
    except AnswerError as error:
        raise AnswerError(f"the JSON object is not as asked: {error}") from None
    decided = _verdict(follows, schema)
    extra = [inner for name, inner in value.items() if _same(name) not in follows]
    if any(_verdict(one, schema) not in (None, decided) for one in _inner(extra)):
        raise AnswerError("it gives two different answers")
    return follows


def _inner(values: list[Any]) -> Iterator[dict[str, Any]]:
    """The objects among values, and in them."""
    waiting = list(values)
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            yield value
            waiting += value.values()
        elif isinstance(value, list):
            waiting += value


def after_quotations(text: str, judged: Iterable[str]) -> str:
    """What follows the last piece (text, longer line, JSON object) known from the item."""
    end = 0
    for piece in pieces(judged):
        place = text.rfind(piece)
        if place >= 0:
            end = max(end, place + len(piece))
    verdicts = {_spelt(value) for one in judged if "{" in one for value in _objects_in(one)}
    for match in _OBJECT.finditer(text) if verdicts else ():
        decoded = _decode(text, match.start())
        if decoded is not None and _spelt(decoded[0]) in verdicts:
            end = max(end, decoded[1])
    return text[end:]


def _spelt(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


def pieces(judged: Iterable[str]) -> Iterator[str]:
    """What of the item would be recognised in a reply, also when JSON-escaped."""
    for text in judged:
        for piece in {text.strip(), *(line.strip() for line in text.splitlines())}:
            if len(piece) >= _SHORTEST_LINE:
                yield piece
                escaped = json.dumps(piece)[1:-1]
                if escaped != piece:
                    yield escaped


def objects(text: str) -> Iterator[Any]:
    """The JSON objects of a text that stand in no other."""
    place = 0
    while (match := _OBJECT.search(text, place)) is not None:
        decoded = _decode(text, match.start())
        if decoded is None:
            raise AnswerError("a JSON object is cut off or not well-formed")
        value, place = decoded
        yield value


def _objects_in(text: str) -> Iterator[Any]:
    """Every JSON object in a text, at any depth and after any broken one."""
    for match in _OBJECT.finditer(text):
        decoded = _decode(text, match.start())
        if decoded is not None and decoded[0]:
            yield decoded[0]


def _decode(text: str, start: int) -> tuple[Any, int] | None:
    """The object that begins at `start` and where it ends; None where it is none, or too deep."""
    end = _end(text, start)
    if end is None:
        return None
    try:
        return _DECODER.decode(text[start:end]), end
    except (ValueError, RecursionError):
        return None


def _end(text: str, start: int) -> int | None:
    """Where the brace at `start` is closed; no text makes it look at a character more than
    `DEEPEST` times over all starts."""
    depth = 0
    for found in _MARK.finditer(text, start):
        mark = found[0][0]
        if mark in "{[":
            depth += 1
            if depth > DEEPEST:
                return None
        elif mark in "}]":
            depth -= 1
            if depth == 0:
                return found.end()
    return None


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        raise ValueError("a field is given twice")
    return value


_DECODER = json.JSONDecoder(object_pairs_hook=_once)


def follow(value: Any, schema: JSON, where: str = "") -> Any:
    """The value as the schema wants it; letter case of fixed answers is put right."""
    place = f"`{where}` " if where else "it "
    if "enum" in schema:
        return _one_of(value, schema["enum"], place)
    kind = schema.get("type", "object")
    if kind == "object":
        return _object(value, schema, where, place)
    if kind == "array":
        if not isinstance(value, list) or len(value) < schema.get("minItems", 0):
            raise AnswerError(f"{place}must be a list of at least {schema.get('minItems', 0)}")
        inner = schema.get("items", {"type": "string"})
        return [follow(one, inner, f"{where}[{n}]") for n, one in enumerate(value)]
    if kind == "string":
        if not isinstance(value, str):
            raise AnswerError(f"{place}must be a string")
        return value
    if kind in ("integer", "number"):
        return _number(value, schema, place)
    if kind == "boolean" and isinstance(value, bool):
        return value
    raise AnswerError(f"{place}must be of type {kind}")


def _object(value: Any, schema: JSON, where: str, place: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise AnswerError(f"{place}must be an object")
    properties = schema.get("properties", {})
    names: dict[str, str] = {_same(name): name for name in properties}
    given: dict[str, Any] = {}
    for name, inner in value.items():
        own = names.get(_same(name), str(name))
        if own in given and own in properties:
            raise AnswerError(f"{place}has `{own}` twice")
        given[own] = inner
    missing = [name for name in schema.get("required", properties) if name not in given]
    if missing:
        raise AnswerError(f"{place}lacks {', '.join(f'`{name}`' for name in missing)}")
    return {
        name: follow(given[name], inner, f"{where}.{name}" if where else name)
        for name, inner in properties.items()
        if name in given
    }


def _same(name: str) -> str:
    """A field's name without case, blanks and widths."""
    return unicodedata.normalize("NFKC", name).strip().casefold()


def _one_of(value: Any, allowed: list[Any], place: str) -> Any:
    if value in allowed and not isinstance(value, bool):
        return value
    said = str(value).strip().casefold()
    same = [one for one in allowed if str(one).casefold() == said]
    if len(same) != 1 or isinstance(value, dict | list):
        raise AnswerError(f"{place}must be one of {', '.join(map(json.dumps, allowed))}")
    return same[0]


def _number(value: Any, schema: JSON, place: str) -> int | float:
    low, high = schema.get("minimum"), schema.get("maximum")
    whole = schema.get("type") == "integer"
    usable = isinstance(value, int | float) and not isinstance(value, bool)
    if usable and whole and value == int(value):
        value = int(value)
    if (
        not usable
        or (whole and not isinstance(value, int))
        or (low is not None and not value >= low)
        or (high is not None and not value <= high)
    ):
        span = "" if low is None or high is None else f" from {low} to {high}"
        raise AnswerError(f"{place}must be {'a whole' if whole else 'a'} number{span}")
    return value  # type: ignore[no-any-return]
