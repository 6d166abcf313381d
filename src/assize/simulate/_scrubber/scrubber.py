"""Placeholders for what is personal in conversations, the same for the same value, and back."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import StringConstraints, TypeAdapter, ValidationError

from assize.base.conversation import Continuation, Conversation, Item, Reference, ToolCall, Turn
from assize.base.errors import DataError
from assize.running.durable import replace as replace_file
from assize.simulate._scrubber.fold import Folded, fold
from assize.simulate._scrubber.names import named
from assize.simulate._scrubber.patterns import PLACEHOLDER, Found, Room, patterned

MAPPING = "scrubbed.json"
_WORD = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*")
_SHORTEST = 3  # letters of a part of a name that is looked for elsewhere


Placeholder = Annotated[str, StringConstraints(pattern=rf"^{PLACEHOLDER.pattern}$")]


@dataclass(frozen=True, slots=True)
class Mapped:
    """What was scrubbed so far.

    Args:
        placeholders: what each stands for.
        conversations: by id of an item, the placeholders in it.
    """

    placeholders: Mapping[Placeholder, str]
    conversations: Mapping[str, Sequence[str]]

    def __post_init__(self) -> None:
        if not {name for names in self.conversations.values() for name in names}.issubset(
            self.placeholders
        ):
            raise ValueError("a conversation has a placeholder that stands for nothing")


NOTHING = Mapped({}, {})
AnItem = TypeVar("AnItem", bound=Item)
Clean = Callable[[str], str]


class Scrubber:
    """Replaces mails, keys, numbers, dates, addresses and names by `[NAME 1]` and the like.

    A value has one placeholder in everything that one scrubber sees, numbered in order of first
    appearance. Parts of a name found in a conversation are names in all of that conversation.

    Args:
        known: what was scrubbed before.
        terms: words and phrases that are personal too, in any case.

    >>> scrubber = Scrubber()
    >>> scrubber.texts(["I'm Anna, anna@x.org.", "Thanks, Anna!"])
    ["I'm [NAME 1], [MAIL 1].", 'Thanks, [NAME 1]!']
    >>> scrubber.restored("Dear [NAME 1]", scrubber.placed)
    'Dear Anna'
    """

    def __init__(self, known: Mapped = NOTHING, terms: Iterable[str] = ()) -> None:
        self.placed: dict[str, str] = dict(known.placeholders)
        self.owners = {name: set(found) for name, found in known.conversations.items()}
        self.counts: Counter[str] = Counter()
        self._known = {(kind_of(name), value): name for name, value in self.placed.items()}
        self._numbers = Counter(map(kind_of, self.placed))
        self._used: set[str] = set()
        wanted = sorted({fold(one.strip()).text for one in terms if one.strip()}, key=len)
        each = "|".join(map(re.escape, reversed(wanted)))
        self._terms = re.compile(rf"(?<!\w)(?:{each})(?!\w)", re.IGNORECASE) if wanted else None

    def texts(self, texts: Sequence[str]) -> list[str]:
        """Texts of one conversation without what is personal."""
        folded = [fold(text) for text in texts]
        found = [self._found(one.text) for one in folded]
        parts = {
            part
            for one, spans in zip(folded, found, strict=True)
            for span in spans
            if span.kind == "NAME"
            for part in _WORD.findall(one.text[span.start : span.end])
            if len(part) >= _SHORTEST and not part[0].islower()
        }
        return [
            self._replaced(text, one, _with_parts(one.text, spans, parts))
            for text, one, spans in zip(texts, folded, found, strict=True)
        ]

    def _found(self, text: str) -> list[Found]:
        """What is personal in a folded text."""
        room = Room(len(text))
        if self._terms is not None:
            room.add(*(Found(*one.span(), "LITERAL") for one in PLACEHOLDER.finditer(text)))
            room.add(*(Found(*one.span(), "TERM") for one in self._terms.finditer(text)))
        room = Room(len(text), patterned(text, room.found))
        room.add(*named(text))
        return room.found

    def _replaced(self, text: str, folded: Folded, found: Iterable[Found]) -> str:
        pieces, done = [], 0
        for one in found:
            start, end = folded.starts[one.start], folded.starts[one.end]
            pieces += [text[done:start], self._placeholder(one.kind, text[start:end])]
            done = end
        return "".join([*pieces, text[done:]])

    def _placeholder(self, kind: str, value: str) -> str:
        self.counts[kind] += 1
        if (kind, value) not in self._known:
            self._numbers[kind] += 1
            name = f"[{kind} {self._numbers[kind]}]"
            self._known[kind, value] = name
            self.placed[name] = value
        self._used.add(self._known[kind, value])
        return self._known[kind, value]

    def item(self, item: AnItem) -> AnItem:
        """A conversation, pair or continuation without what is personal in its texts.

        Turns, sources and tool calls are read; ids, `system`, metadata and unknown fields are not:
        no prompt shows them.
        """
        self._used = set()
        texts: list[str] = []

        def note(text: str) -> str:
            texts.append(text)
            return text

        _map_item(item, note)
        clean = iter(self.texts(texts))
        scrubbed: AnItem = _map_item(item, lambda _: next(clean))
        self.owners.setdefault(item.id, set()).update(self._used)
        return scrubbed

    def restored(self, value: Any, own: Container[str]) -> Any:
        """A text, or all texts of a JSON value, with values for the placeholders in `own`."""

        def put_back(text: str) -> str:
            return PLACEHOLDER.sub(
                lambda one: self.placed.get(one[0], one[0]) if one[0] in own else one[0], text
            )

        return _map_texts(value, put_back)

    def placeholders_of(self, record: Any) -> set[str]:
        """The placeholders of the conversation that a record of JSON is about: the first that it
        names, by the longest id; none where it names none that was scrubbed."""
        if not isinstance(record, Mapping):
            return set()
        more = record.get("metadata")
        names = [record.get(name) for name in ("id", "item", "conversation")]
        names += [more.get("conversation")] if isinstance(more, Mapping) else []
        for name in names:
            parts = name.split("/") if isinstance(name, str) else []  # a turn's id follows
            for end in range(len(parts), 0, -1):
                own = self.owners.get("/".join(parts[:end]))
                if own is not None:
                    return own
        return set()

    def save(self, path: Path) -> None:
        """Writes the mapping, readable by the owner alone."""
        path.parent.mkdir(parents=True, exist_ok=True)
        known = {
            "placeholders": self.placed,
            "conversations": {id: sorted(names) for id, names in self.owners.items()},
        }
        text = json.dumps(known, ensure_ascii=False, indent=1)
        replace_file(path, [text.encode()], mode=0o600)


def kind_of(name: str) -> str:
    """The kind of a placeholder, as NAME of `[NAME 3]`."""
    return name[1:].partition(" ")[0]


def _map_item(item: Any, clean: Clean) -> Any:
    """The item with each of its texts put through a function, in a fixed order."""
    parts = ("turns",) if isinstance(item, Conversation) else ("context", "a", "b")
    if isinstance(item, Continuation):
        context = tuple(_map_turn(turn, clean) for turn in item.context)
        candidate, references = clean(item.candidate), tuple(map(clean, item.references))
        return replace(item, context=context, candidate=candidate, references=references)
    return replace(
        item,
        **{name: tuple(_map_turn(turn, clean) for turn in getattr(item, name)) for name in parts},
    )


def _map_turn(turn: Turn, clean: Clean) -> Turn:
    return replace(
        turn,
        text=clean(turn.text),
        references=tuple(
            Reference(one.id, clean(one.title), clean(one.text), one.extra)
            for one in turn.references
        ),
        tool_calls=tuple(
            ToolCall(one.id, one.name, _map_texts(one.arguments, clean), one.extra)
            for one in turn.tool_calls
        ),
        name=None if turn.name is None else clean(turn.name),
    )


def _map_texts(value: Any, clean: Clean) -> Any:
    """A JSON value with each of its texts, names too, put through a function."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, Mapping):
        return {clean(key): _map_texts(part, clean) for key, part in value.items()}
    if isinstance(value, list):
        return [_map_texts(part, clean) for part in value]
    return value


def _with_parts(text: str, found: Sequence[Found], parts: Container[str]) -> list[Found]:
    """What was found, and the words that are parts of a name found elsewhere."""
    room = Room(len(text), found)
    room.add(*(Found(*one.span(), "NAME") for one in _WORD.finditer(text) if one[0] in parts))
    return room.found


def read_mapping(path: Path) -> Mapped:
    """What was scrubbed, as `Scrubber.save` wrote it.

    Raises:
        DataError: there is no such file, or it holds something else.
    """
    try:
        return TypeAdapter(Mapped).validate_json(path.read_bytes())
    except (OSError, ValidationError) as error:
        problem = f"no mapping of placeholders; give the {MAPPING} that scrubbing wrote"
        raise DataError(problem, source=str(path)) from error


def scrubber_in(folder: Path | None, terms: Iterable[str] = ()) -> Scrubber:
    """A scrubber that goes on from the mapping in a run's folder, if there is one."""
    place = None if folder is None else folder / MAPPING
    known = read_mapping(place) if place is not None and place.exists() else NOTHING
    return Scrubber(known, terms)
