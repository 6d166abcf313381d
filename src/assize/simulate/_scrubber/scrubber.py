"""Placeholders for what is personal in conversations, the same for the same value, and back."""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from assize.base.conversation import Conversation, Item, Pair, Reference, ToolCall, Turn
from assize.base.errors import DataError
from assize.simulate._scrubber.names import named
from assize.simulate._scrubber.patterns import KINDS, PLACEHOLDER, Found, apart, patterned

MAPPING = "scrubbed.json"
_SHORTEST = 3  # letters of a part of a name that is looked for elsewhere


class Scrubber:
    """Replaces mails, keys, numbers, dates, addresses and names by `[NAME 1]` and the like.

    A value has one placeholder in everything that one scrubber sees, numbered in order of first
    appearance. Parts of a name found in a conversation are names in all of that conversation.

    Args:
        placed: placeholders that are known already, with their values.
        terms: words and phrases that are personal too, in any case.

    >>> scrubber = Scrubber()
    >>> scrubber.texts(["I'm Anna, anna@x.org.", "Thanks, Anna!"])
    ["I'm [NAME 1], [MAIL 1].", 'Thanks, [NAME 1]!']
    >>> scrubber.restored("Dear [NAME 1]")
    'Dear Anna'
    """

    def __init__(self, placed: Mapping[str, str] | None = None, terms: Iterable[str] = ()) -> None:
        self.placed: dict[str, str] = dict(placed or {})
        self.counts: Counter[str] = Counter()
        self._known = {(_kind(name), value): name for name, value in self.placed.items()}
        self._numbers = Counter(map(_kind, self.placed))
        wanted = sorted({one.strip() for one in terms if one.strip()}, key=len, reverse=True)
        self._terms = None
        if wanted:
            each = "|".join(map(re.escape, wanted))
            self._terms = re.compile(rf"(?<!\w)(?:{each})(?!\w)", re.IGNORECASE)

    def texts(self, texts: Sequence[str]) -> list[str]:
        """Texts of one conversation without what is personal."""
        found = [self._found(one) for one in texts]
        parts = {
            part
            for text, each in zip(texts, found, strict=True)
            for one in each
            if one.kind == "NAME"
            for part in text[one.start : one.end].split()
            if len(part) >= _SHORTEST and part[0].isupper()
        }
        again = None
        if parts:
            each_part = "|".join(map(re.escape, sorted(parts, key=len, reverse=True)))
            again = re.compile(rf"(?<!\w)(?:{each_part})(?!\w)")
        done = []
        for text, each in zip(texts, found, strict=True):
            more = (
                []
                if again is None
                else [Found(one.start(), one.end(), "NAME") for one in again.finditer(text)]
            )
            every = sorted([*each, *apart(more, each)], key=lambda one: one.start)
            done.append(self._replaced(text, every))
        return done

    def _found(self, text: str) -> list[Found]:
        taken = patterned(text)
        if self._terms is not None:
            own = [Found(one.start(), one.end(), "TERM") for one in self._terms.finditer(text)]
            taken = [one for one in taken if one.kind == "LITERAL"]
            taken += apart(own, taken)
            taken += apart(patterned(text), taken)
        taken += apart(named(text), taken)
        return sorted(taken, key=lambda one: one.start)

    def _replaced(self, text: str, found: Iterable[Found]) -> str:
        pieces, at = [], 0
        for one in found:
            pieces += [text[at : one.start], self._placeholder(one.kind, text[one.start : one.end])]
            at = one.end
        return "".join([*pieces, text[at:]])

    def _placeholder(self, kind: str, value: str) -> str:
        self.counts[kind] += 1
        if (kind, value) not in self._known:
            self._numbers[kind] += 1
            name = f"[{kind} {self._numbers[kind]}]"
            self._known[kind, value] = name
            self.placed[name] = value
        return self._known[kind, value]

    def conversation(self, chat: Conversation) -> Conversation:
        """A conversation without what is personal; see `item`."""
        return replace(chat, turns=self._turns(chat.turns))

    def item(self, item: Item) -> Item:
        """A conversation, pair or continuation without what is personal in its texts.

        Turns, sources and tool calls are read; ids, `system`, metadata and unknown fields are not:
        no prompt shows them.
        """
        if isinstance(item, Conversation):
            return self.conversation(item)
        if isinstance(item, Pair):
            every = self._turns((*item.context, *item.a, *item.b))
            first, second = len(item.context), len(item.context) + len(item.a)
            return replace(item, context=every[:first], a=every[first:second], b=every[second:])
        turns = (
            *item.context,
            Turn("assistant", item.candidate),
            *(Turn("assistant", one) for one in item.references),
        )
        every = self._turns(turns)
        size = len(item.context)
        return replace(
            item,
            context=every[:size],
            candidate=every[size].text,
            references=tuple(one.text for one in every[size + 1 :]),
        )

    def _turns(self, turns: Sequence[Turn]) -> tuple[Turn, ...]:
        """The turns with all of their texts taken together."""
        texts: list[str] = []

        def noted(text: str) -> str:
            texts.append(text)
            return text

        for turn in turns:
            _mapped(turn, noted)
        clean = iter(self.texts(texts))
        return tuple(_mapped(turn, lambda _: next(clean)) for turn in turns)

    def restored(self, value: Any) -> Any:
        """A text, or all texts of a JSON value, with the values in their places again."""
        if isinstance(value, str):
            return PLACEHOLDER.sub(lambda one: self.placed.get(one[0], one[0]), value)
        if isinstance(value, Mapping):
            return {self.restored(key): self.restored(part) for key, part in value.items()}
        if isinstance(value, list | tuple):
            return [self.restored(part) for part in value]
        return value

    def save(self, path: Path) -> None:
        """Writes the mapping, readable by the owner alone."""
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_name(f"{path.name}.{os.getpid()}.part")
        part.unlink(missing_ok=True)
        handle = os.open(part, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as stream:
            json.dump(self.placed, stream, ensure_ascii=False, indent=1)
            stream.flush()
            os.fsync(stream.fileno())
        part.replace(path)


def _kind(name: str) -> str:
    return name[1:].partition(" ")[0]


def _mapped(turn: Turn, clean: Any) -> Turn:
    """The turn with each of its texts put through a function, in a fixed order."""
    return replace(
        turn,
        text=clean(turn.text),
        references=tuple(
            Reference(one.id, clean(one.title), clean(one.text), one.extra)
            for one in turn.references
        ),
        tool_calls=tuple(
            ToolCall(one.id, one.name, _arguments(one.arguments, clean), one.extra)
            for one in turn.tool_calls
        ),
        name=None if turn.name is None else clean(turn.name),
    )


def _arguments(value: Any, clean: Any) -> Any:
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, Mapping):
        return {key: _arguments(part, clean) for key, part in value.items()}
    if isinstance(value, list):
        return [_arguments(part, clean) for part in value]
    return value


def read_mapping(path: Path) -> dict[str, str]:
    """Placeholders and their values, as `Scrubber.save` wrote them.

    Raises:
        DataError: there is no such file, or it holds something else.
    """
    try:
        said = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
        problem = f"{error}; give the {MAPPING} that scrubbing wrote"
        raise DataError(problem, source=str(path)) from error
    whole = isinstance(said, dict) and all(
        isinstance(value, str) and PLACEHOLDER.fullmatch(name) for name, value in said.items()
    )
    if not whole:
        raise DataError(f"no mapping of placeholders; give a {MAPPING}", source=str(path))
    return dict(said)


def scrubber_in(folder: Path | None, terms: Iterable[str] = ()) -> Scrubber:
    """A scrubber that goes on from the mapping in a run's folder, if there is one."""
    place = None if folder is None else folder / MAPPING
    known = read_mapping(place) if place is not None and place.exists() else {}
    return Scrubber(known, terms)


__all__ = ["KINDS", "MAPPING", "Scrubber", "read_mapping", "scrubber_in"]
