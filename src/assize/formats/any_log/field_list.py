"""The fields of a log of no known format, as an error lists them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from assize.formats.rows import Sample, parse_json_text

MOST_WORDS = 6  # different words that a field such as that of speakers may have
LOOKED_AT = 20  # rows, or messages of a list, whose fields are looked at
_DEEPEST = 6
_SHOWN_FIELDS = 24
_LONGEST = 600  # characters of fields that a message shows
_NAME = 40  # characters of a field's path that a message shows
_EXAMPLE = 24  # characters of an example


def describe_fields(sample: Sample) -> list[str]:
    """The fields of the first records, each with its type and the beginning of an example, or with
    all its values where they are a few words.

    >>> describe_fields(Sample("json", ({"who": {"id": 7}, "said": [{"t": "Hi"}]},), "log.jsonl"))
    ['who.id (number 7)', 'said (list of 1)', "said.*.t (text 'Hi')"]
    """
    values: dict[str, list[Any]] = {}
    for row in sample.rows:
        for path, value in walk_fields(row, "", most=LOOKED_AT):
            values.setdefault(path, []).append(value)
    fields: list[str] = []
    for path, column in values.items():
        if len(fields) == _SHOWN_FIELDS or sum(map(len, fields)) > _LONGEST:
            return [*fields, f"and {len(values) - len(fields)} more"]
        name = ascii(path)[1:-1]
        example = _few_words(column) or _example(column[0])
        fields.append(f"{name if len(name) <= _NAME else name[:_NAME] + '...'} ({example})")
    return fields


def _few_words(column: Sequence[Any]) -> str | None:
    """All values of a field, where they are a few words that it repeats."""
    values = [value for value in column if value is not None]
    if not all(map(_is_word, values)):
        return None
    words = list(dict.fromkeys(values))
    is_few = 1 < len(words) <= min(MOST_WORDS, len(values) - 1)
    return f"text {', '.join(map(ascii, words))}" if is_few else None


def _is_word(value: Any) -> bool:
    return isinstance(value, str) and len(value.split()) == 1 and len(value) <= _EXAMPLE


def walk_fields(value: Any, path: str, depth: int = 0, most: int = 3) -> Iterator[tuple[str, Any]]:
    """The paths of a value that lead to no object, with what stands there; of a list the
    first elements, at most `most`."""
    value = parse_json_text(value)
    start = f"{path}." if path else ""
    if isinstance(value, Mapping) and depth < _DEEPEST:
        for name, inner in value.items():
            yield from walk_fields(inner, f"{start}{name}", depth + 1, most)
        return
    yield path, value
    if isinstance(value, list) and depth < _DEEPEST:
        for inner in map(parse_json_text, value[:most]):
            if isinstance(inner, Mapping):
                yield from walk_fields(inner, f"{start}*", depth + 1, most)


def _example(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return f"number {value}"[:_EXAMPLE]
    if isinstance(value, str):
        text = ascii(value)
        return f"text {text if len(text) <= _EXAMPLE else text[: _EXAMPLE - 4] + '...' + text[0]}"
    if isinstance(value, list):
        return f"list of {len(value)}"
    return "empty" if value is None else "object"
