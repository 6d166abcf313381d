"""Turns as a page shows them: who speaks, what they said, their sources, folded tool calls.

Beside a turn stand the sources that its log gives it, and those of earlier turns that it cites:
some logs hold all sources at the first answer. Others number each turn's sources from 1. There one
number stands for several texts, so a turn cites its own sources alone. Nothing of it tells which
system spoke: names of assistants, metadata and what a log holds besides are left out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import count
from typing import Any

from markupsafe import Markup

from assize.base.conversation import Conversation, Item, Pair, Reference, ToolCall, Turn
from assize.base.errors import DataError
from assize.base.fields import value_at
from assize.base.judgment import Order
from assize.pages.markdown import markdown
from assize.web._citing import cited_markdown

MOST_MARKED = 500  # words of a turn
_WORD = re.compile(r"(?<!&)\b\w+\b(?![^<>]*>)")  # outside tags and entities
_SPEAKERS = {"user": "User", "assistant": "Assistant", "system": "Instructions", "tool": "Tool"}


@dataclass(frozen=True, slots=True)
class ShownCall:
    """A call of a tool; `arguments` are JSON as text."""

    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class ShownSource:
    """A source beside a turn; citations lead to the element whose id is its `anchor`."""

    id: str
    title: str
    text: str
    anchor: str
    cited: bool = True


@dataclass(frozen=True, slots=True)
class ShownTurn:
    """One turn.

    Args:
        number: of the turn, from 0 over all turns of the item: of a pair context, a and b.
        who: for people: User, Assistant, ...
        html: the text of an assistant who has sources, its citations as links; else None.
        folded: whether it is shown closed at first: what a tool answered, and instructions.
    """

    number: int
    role: str
    who: str
    text: str
    sources: tuple[ShownSource, ...] = ()
    html: Markup | None = None
    calls: tuple[ShownCall, ...] = ()
    folded: bool = False


@dataclass(frozen=True, slots=True)
class ShownSide:
    """One side of a pair: as people see it `A` is the first, whichever it really is."""

    name: str
    turns: Sequence[ShownTurn]


def shown_turns(turns: Sequence[Turn]) -> tuple[ShownTurn, ...]:
    """Return the turns of a conversation as they are shown, numbered from 0."""
    return _numbered(turns, 0, (), one_numbering=_one_numbering(turns))


def shown_item(item: Item, order: Order | None, need: str = "") -> dict[str, Any]:
    """Return what a template shows of a conversation, or of a pair in the order of its sides.

    Args:
        need: the field of the item's metadata that says what the user wants; "" for none.
    """
    wish = value_at(item, f"metadata.{need.removeprefix('metadata.')}") if need else None
    shown: dict[str, Any] = {"need": "" if wish is None else str(wish)}
    if isinstance(item, Conversation):
        return {**shown, "turns": shown_turns(item.turns)}
    if not isinstance(item, Pair):
        raise DataError(f"{item.id!r} is a continuation, not a conversation or a pair")
    # Each side is a conversation of its own; where one numbers its sources by turn, so does the
    # other, so that both are shown alike.
    whole = all(_one_numbering([*item.context, *side]) for side in (item.a, item.b))
    start = len(item.context)
    a = _numbered(item.a, start, item.context, one_numbering=whole)
    b = _numbered(item.b, start + len(item.a), item.context, one_numbering=whole)
    marked = mark_differences(a, b)
    first, second = marked[::-1] if order == "BA" else marked
    return {
        **shown,
        "turns": _numbered(item.context, 0, (), one_numbering=whole),
        "sides": (ShownSide("A", first), ShownSide("B", second)),
        "dialogues": not item.context,
    }


def _numbered(
    turns: Sequence[Turn], first: int, before: Sequence[Turn], *, one_numbering: bool
) -> tuple[ShownTurn, ...]:
    """Turns as they are shown.

    Args:
        first: the number of the first one.
        before: turns ahead of them.
        one_numbering: whether they may cite sources of earlier turns, and of `before`.
    """
    users = {one.name for one in turns if one.role == "user" and one.name}
    seen = {source.id: source for turn in before for source in turn.references}
    found = []
    for number, turn in enumerate(turns, start=first):
        own = {source.id: source for source in turn.references}
        seen = seen | own if one_numbering else own
        found.append(_shown(number, turn, seen, several_users=len(users) > 1))
    return tuple(found)


def mark_differences(
    a: Sequence[ShownTurn], b: Sequence[ShownTurn]
) -> tuple[Sequence[ShownTurn], Sequence[ShownTurn]]:
    """Mark the words that only one of two sides has, turn by turn, where both have as many turns.

    Turns of more than 500 words stay as they are.
    """
    if len(a) != len(b):
        return a, b
    htmls = [
        tuple(str(turn.html or markdown(turn.text)) for turn in both)
        for both in zip(a, b, strict=True)
    ]
    pairs = [_mark(*both) for both in htmls]
    first = [replace(turn, html=pair[0]) for turn, pair in zip(a, pairs, strict=True)]
    return first, [replace(turn, html=pair[1]) for turn, pair in zip(b, pairs, strict=True)]


@lru_cache(maxsize=1024)
def _mark(a: str, b: str) -> tuple[Markup, Markup]:
    first, second = _WORD.findall(a), _WORD.findall(b)
    if max(len(first), len(second)) > MOST_MARKED:
        return Markup(a), Markup(b)  # noqa: S704
    shared: tuple[set[int], set[int]] = (set(), set())
    for block in SequenceMatcher(None, first, second, autojunk=False).get_matching_blocks():
        shared[0].update(range(block.a, block.a + block.size))
        shared[1].update(range(block.b, block.b + block.size))
    return _mark_rest(a, shared[0]), _mark_rest(b, shared[1])


def _mark_rest(html: str, shared: Collection[int]) -> Markup:
    places = count()

    def mark(word: re.Match[str]) -> str:
        return word[0] if next(places) in shared else f'<span class="differs">{word[0]}</span>'

    return Markup(_WORD.sub(mark, html))  # noqa: S704  (HTML of ours)


def _one_numbering(turns: Sequence[Turn]) -> bool:
    """Whether no number stands for sources of different texts or titles; empty ones fit any."""
    sources = [source for turn in turns for source in turn.references]
    texts = {(one.id, one.text) for one in sources if one.text}
    titles = {(one.id, one.title) for one in sources if one.title}
    return all(len(dict(named)) == len(named) for named in (texts, titles))


def _shown(
    number: int, turn: Turn, seen: Mapping[str, Reference], *, several_users: bool
) -> ShownTurn:
    who = _SPEAKERS[turn.role]
    if turn.role == "tool" and turn.name:
        who = f"Tool {turn.name}"
    elif turn.role == "user" and several_users and turn.name:
        who = f"User {turn.name}"
    sources, html = _sourced(number, turn, seen)
    return ShownTurn(
        number,
        turn.role,
        who,
        turn.text,
        sources,
        html,
        tuple(map(_call, turn.tool_calls)),
        folded=turn.role in ("system", "tool"),
    )


def _sourced(
    number: int, turn: Turn, seen: Mapping[str, Reference]
) -> tuple[tuple[ShownSource, ...], Markup | None]:
    """The sources beside a turn, and its text with citations that lead to them."""
    beside, html = {one.id: one for one in turn.references}, None
    anchors = {one: f"source-{number}-{place}" for place, one in enumerate(seen)}
    if seen and turn.role == "assistant":
        html, cited = cited_markdown(turn.text, list(seen.values()), anchors, marks=False)
        beside |= {one: seen[one] for one in cited}
    shown = (ShownSource(one.id, one.title, one.text, anchors[one.id]) for one in beside.values())
    return tuple(shown), html


def _call(one: ToolCall) -> ShownCall:
    said = one.arguments
    text = said if isinstance(said, str) else json.dumps(dict(said), ensure_ascii=False, indent=2)
    return ShownCall(one.name, text)
