"""A YAML file as nested text, with the line of each part for errors: rubrics, routings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from assize.base.errors import DataError
from assize.formats.files import open_input

if TYPE_CHECKING:
    from yaml import Node

_Record = TypeVar("_Record")

_UNKNOWN = ("extra_forbidden", "unexpected_keyword_argument")  # of a model, of a dataclass
_ALLOWED = {  # by pydantic's type of error, where its own words are for programmers
    "model_type": "expected fields with values, `name: value`",
    "dataclass_type": "expected fields with values, `name: value`",
    "dict_type": "expected fields with values, `name: value`",
    "list_type": "expected a list, each entry after a `-`",
    "tuple_type": "expected a list, each entry after a `-`",
    "string_type": "expected text",
    "string_too_short": "expected some text",
    "string_pattern_mismatch": "allowed are letters, digits, - and _, first a letter or digit",
    "too_short": "expected at least one entry",
}

_COLON = "mapping values are not allowed here"  # what yaml says of `name: a text: with a colon`

DEEPEST = 100  # brackets in brackets
MOST = 100_000  # parts of a file, each counted as often as anchors repeat it


class Fail(Protocol):
    """Makes the error for a problem at a place in the file."""

    def __call__(self, problem: str, *place: str | int) -> DataError:
        """The error, to be raised."""
        ...


def text_in(source: str) -> str:
    """The text of a file or URL; raises DataError where it cannot be read or is not UTF-8."""
    with open_input(source) as stream:
        data = stream.read()
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DataError(f"not UTF-8 text ({error})", source=source) from error


def composed(text: str, source: str) -> tuple[Node, Any]:
    """A text's YAML: the node, which knows lines, and its `plain` value."""
    import yaml

    class Shallow(yaml.SafeLoader):  # type: ignore[misc]  # yaml has no types
        """Refuses brackets in brackets, for which it takes quadratic time, before it is deep."""

        def fetch_flow_collection_start(self, token: Any) -> None:
            if self.flow_level >= DEEPEST:
                raise RecursionError
            super().fetch_flow_collection_start(token)

    try:
        node = yaml.compose(text, Loader=Shallow)
        if node is None:
            raise DataError("the file is empty", source=source)
        return node, plain(node)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = None if mark is None else mark.line + 1
        problem = getattr(error, "problem", None) or str(error)
        problem += "; put a text with a colon in quotes" if problem == _COLON else ""
        raise DataError(f"not YAML: {problem}", source=source, line=line) from error
    except RecursionError:
        raise DataError("parts stand too deep inside each other", source=source) from None
    except DataError as error:
        raise error.at(source, None) from None


def plain(node: Node) -> Any:
    """Mappings, lists and text; nothing is read as a number, a date or a truth value."""
    return _plain(node, frozenset(), count())


def _plain(node: Node, seen: frozenset[int], parts: Iterator[int]) -> Any:
    from yaml import MappingNode, ScalarNode

    if next(parts) >= MOST:
        raise DataError(
            f"more than {MOST:,} parts; anchors may repeat some of them too often",
            line=node.start_mark.line + 1,
        )
    if isinstance(node, ScalarNode):
        return node.value
    if id(node) in seen:
        raise DataError("a part refers to itself", line=node.start_mark.line + 1)
    seen |= {id(node)}
    if not isinstance(node, MappingNode):
        return [_plain(inner, seen, parts) for inner in node.value]
    found: dict[str, Any] = {}
    for key, inner in node.value:
        if not isinstance(key, ScalarNode):
            raise DataError("a key must be plain text", line=key.start_mark.line + 1)
        if key.value in found:
            raise DataError(f"{key.value!r} stands twice", line=key.start_mark.line + 1)
        found[key.value] = _plain(inner, seen, parts)
    return found


def line_of(node: Node, place: Sequence[str | int]) -> int:
    """The line, from 1, of the deepest part on the way to `place` that is there."""
    from yaml import MappingNode, SequenceNode

    line: int = node.start_mark.line + 1
    for part in place:
        if isinstance(node, MappingNode):
            found = next(((key, inner) for key, inner in node.value if key.value == part), None)
            if found is None:
                break
            line, node = found[0].start_mark.line + 1, found[1]
        elif isinstance(node, SequenceNode) and isinstance(part, int) and part < len(node.value):
            node = node.value[part]
            line = node.start_mark.line + 1
        else:
            break
    return line


def failing(node: Node, source: str) -> Fail:
    """Makes the errors of a file: each says the line of its place, and the field."""

    def fail(problem: str, *place: str | int) -> DataError:
        field = ""
        for part in place:
            field += f"[{part}]" if isinstance(part, int) else f".{part}"
        return DataError(
            problem, source=source, line=line_of(node, place), field=field.lstrip(".") or None
        )

    return fail


def validated(
    text: str,
    source: str,
    record: type[_Record],
    parts: Mapping[str | int, type] | None = None,
) -> tuple[_Record, Any, Fail]:
    """A text's YAML as a record.

    Args:
        text: YAML.
        source: named in errors.
        record: what the whole file holds, a model of pydantic or a dataclass.
        parts: the records inside it, by the field that holds them.

    Returns:
        The record, the `plain` value it was made of, and what makes errors of its places.

    Raises:
        DataError: it is no YAML or no such record; says line, place, what was received and
            what is allowed.
    """
    from pydantic import TypeAdapter, ValidationError

    node, value = composed(text, source)
    fail = failing(node, source)
    try:
        return TypeAdapter(record).validate_python(value), value, fail
    except ValidationError as error:
        first = _telling(error.errors(include_url=False))
        known, place = parts or {}, first["loc"][:-1]
        inside = next((known[part] for part in reversed(place) if part in known), record)
        raise fail(_in_words(first, inside), *first["loc"]) from None


def _telling(errors: Sequence[Any]) -> Any:
    """The first, but where a field is missing one that is not known there: it may be misspelt."""
    first = errors[0]
    if first["type"] != "missing":
        return first
    beside = (one for one in errors if one["loc"][:-1] == first["loc"][:-1])
    return next((one for one in beside if one["type"] in _UNKNOWN), first)


def _in_words(error: Mapping[str, Any], record: Any) -> str:
    """One of `ValidationError.errors()`, about a field of this record, as users read it."""
    from pydantic import TypeAdapter

    if error["type"] == "missing":
        return f"`{error['loc'][-1]}` is missing"
    if error["type"] in _UNKNOWN:
        names = TypeAdapter(record).json_schema()["properties"]
        return f"no such field; allowed are {', '.join(names)}"
    shown = ascii(error["input"])
    allowed = _ALLOWED.get(error["type"], error["msg"][:1].lower() + error["msg"][1:])
    return f"received {shown if len(shown) <= 60 else shown[:60] + '...'}; {allowed}"
