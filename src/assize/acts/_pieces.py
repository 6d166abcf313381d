"""A recorded output in pieces: who is said to speak, what is repeated, which acts follow.

Two forms are read, and what lies between them: the text `turn <SEP> {label} ...`, and a
JSON object keyed by the turns' text, whose values hold the labels, often as JSON within
JSON.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from typing import Any, Literal

from assize.acts._labels import Act, Label, labels_in
from assize.acts._taxonomy import Taxonomy

Speaker = Literal["user", "assistant"]

_SPEAKERS: dict[str, Speaker] = {
    **dict.fromkeys(("human", "user", "h", "customer"), "user"),
    **dict.fromkeys(("assistant", "ai", "a", "bot", "response"), "assistant"),
}
_NAME = r"(?:Human|User|H|Customer|Assistant|AI|A|Bot|Response)(?:\s?[-_#]?\s?[12])?"
_MARKS = r"""[ \t\r>*#"'`{\[(,.\-–]*+"""  # possessive: an output may be a million blanks
_LEAD = rf"{_MARKS}(?:(?:turn ?)?\d{{1,4}} ?[.:)\]])?{_MARKS}"
_PREFIX = re.compile(rf"(?:\A|\n){_LEAD}((?:{_NAME}[*\s]*+:[*\s]*+)+)", re.IGNORECASE)
_ONE = re.compile(r"([A-Za-z]+)(?:\s?[-_#]?\s?([12]))?[*\s]*+:")
_SEPARATOR = re.compile(r"(?:<|&lt;|\[)\s{0,3}/?\s{0,3}SEP\s{0,3}(?:>|&gt;|\])", re.IGNORECASE)
_FENCE = re.compile(r"```[\w-]*")
_NOTHING = re.compile(r"""[\s,;:|"'\\\[\](){}\-–*.`]*\Z""")
_NOT_TEXT = {
    "label",
    "labels",
    "act",
    "acts",
    "dialog act",
    "dialog acts",
    "dialogue act",
    "dialogue acts",
    "dialog-act",
    "dialogue-act",
    "annotation",
    "annotations",
    "tags",
    "value",
}
_DEEPEST = 6


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of an output."""

    text: str  # what it repeats of the conversation, without speaker and label
    speaker: Speaker | None = None  # who is said to speak; None where nobody is named
    side: int = 0  # 1 or 2 for a response (`Assistant-1:`), 0 where no number is named
    acts: tuple[Act, ...] = ()  # its labels; empty where there are none
    # it is an entry of an object keyed by text, so it speaks for equal turns too
    keyed: bool = False
    # the dimension of each of its labels, which may name several functions
    dimensions: tuple[str, ...] = field(default=(), compare=False)


def pieces_of(recorded: Any, taxonomy: Taxonomy, own: Iterable[str] = ()) -> list[Piece]:
    """The pieces of an output, in its order; what looks like a label in a text of `own` is none."""
    if isinstance(recorded, str):
        held = _as_json(recorded)
        found = [] if held is None else list(_keyed(held, taxonomy, _DEEPEST))
        return found or list(_in_text(_masked(recorded, own), taxonomy))
    return list(_keyed(_pairs(recorded, _DEEPEST), taxonomy, _DEEPEST))


def _masked(text: str, own: Iterable[str]) -> str:
    """The text with the conversation's own label-like parts put out of sight."""
    for one in own:
        if "{" not in one and _SEPARATOR.search(one) is None:
            continue
        words = r"\s+".join(re.escape(word).replace('"', r'\\*"') for word in one.split())
        text = re.sub(words, lambda match: _unmarked(match.group()), text)
    return text


def _unmarked(text: str) -> str:
    return _SEPARATOR.sub(" SEP ", text).replace("{", "(").replace("}", ")")


def _in_text(text: str, taxonomy: Taxonomy) -> Iterator[Piece]:
    """Pieces of the text form: words up to a label, cut where another speaker begins."""
    text = _SEPARATOR.sub(" ", _FENCE.sub(" ", text))
    open_piece: Piece | None = None
    place = 0
    for label in labels_in(text, taxonomy):
        said = text[place : label.start]
        place = label.end
        parts = [] if _NOTHING.match(said) else list(_spoken(said))
        if open_piece is None and not parts:
            parts = [Piece("")]
        for part in parts:
            if open_piece is not None:
                yield open_piece
            open_piece = part
        if open_piece is not None:
            acts = tuple(dict.fromkeys((*open_piece.acts, *label.acts)))
            dimensions = (*open_piece.dimensions, label.dimension)
            open_piece = replace(open_piece, acts=acts, dimensions=dimensions)
    if open_piece is not None:
        yield open_piece
    rest = text[place:]
    yield from (part for part in _spoken(rest) if part.speaker is not None)


def _spoken(text: str) -> Iterator[Piece]:
    """The text cut before every line that begins with a speaker."""
    starts = list(_PREFIX.finditer(text))
    first = starts[0].start() if starts else len(text)
    if not _NOTHING.match(text[:first]):
        yield Piece(text[:first].strip())
    for match, following in zip_longest(starts, starts[1:]):
        end = len(text) if following is None else following.start()
        speaker, side = _speaker(match.group(1))
        yield Piece(text[match.end() : end].strip(), speaker, side)


def _speaker(prefix: str) -> tuple[Speaker | None, int]:
    """Who a prefix names; in a doubled one (`Assistant: Assistant-1:`) the number counts."""
    named = [(_SPEAKERS.get(name.casefold()), number) for name, number in _ONE.findall(prefix)]
    if not named:
        return None, 0
    side = next((int(number) for _, number in reversed(named) if number), 0)
    return named[-1][0], side


class _Pairs(list[tuple[str, Any]]):
    """An object as its pairs, so that a key that is there twice is kept twice."""


def _as_json(text: str) -> Any | None:
    bare = _FENCE.sub("", text).strip()
    if not bare.startswith(("{", "[")):
        return None
    try:
        value, _ = json.JSONDecoder(object_pairs_hook=_Pairs, strict=False).raw_decode(bare)
    except (ValueError, RecursionError):
        return None
    return value


def _pairs(value: Any, deepest: int) -> Any:
    if deepest and isinstance(value, Mapping):
        return _Pairs((str(key), _pairs(inner, deepest - 1)) for key, inner in value.items())
    if deepest and isinstance(value, list | tuple) and not isinstance(value, _Pairs):
        return [_pairs(inner, deepest - 1) for inner in value]
    return value


def _keyed(value: Any, taxonomy: Taxonomy, deepest: int) -> Iterator[Piece]:
    """Entries whose value holds labels, in order, from objects and lists at any depth."""
    if not deepest or not isinstance(value, list):
        return
    if not isinstance(value, _Pairs):
        for inner in value:
            yield from _keyed(inner, taxonomy, deepest - 1)
        return
    said = _said(value, taxonomy)
    for key, inner in value:
        labels = _labels(inner, taxonomy, deepest - 1)
        if labels:
            yield _entry(said if key.casefold() in _NOT_TEXT and said else key, labels)
        else:
            yield from _keyed(inner, taxonomy, deepest - 1)


def _entry(key: str, labels: Sequence[Label]) -> Piece:
    first = next(_spoken(_SEPARATOR.sub(" ", key)), Piece(""))
    prefix = None if first.speaker is None else _PREFIX.match(key)
    whole = key if prefix is None else key[prefix.end() :]
    acts = tuple(dict.fromkeys(act for label in labels for act in label.acts))
    dimensions = tuple(label.dimension for label in labels)
    return Piece(whole.strip(), first.speaker, first.side, acts, True, dimensions)


def _said(value: _Pairs, taxonomy: Taxonomy) -> str:
    """The words of an object that holds words beside labels."""
    texts = [
        inner
        for _, inner in value
        if isinstance(inner, str) and next(labels_in(inner, taxonomy), None) is None
    ]
    return max(texts, key=len, default="")


def _labels(value: Any, taxonomy: Taxonomy, deepest: int) -> list[Label]:
    """The labels of a value that is one, a list of labels, or either written as text."""
    if isinstance(value, str):
        return [label for label in labels_in(value, taxonomy) if label.acts]
    if isinstance(value, _Pairs):
        keys = {key.casefold()[:3] for key, _ in value}
        if not keys & {"dim", "fun"}:
            return []
        written = ", ".join(f'"{key}": {json.dumps(inner)}' for key, inner in value)
        return _labels(f"{{{written}}}", taxonomy, 0)
    if isinstance(value, list) and deepest:
        plain = all(isinstance(inner, str | _Pairs) for inner in value)
        return [one for inner in value for one in _labels(inner, taxonomy, 0)] if plain else []
    return []
