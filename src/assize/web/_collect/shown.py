"""What raters see of a chat: texts, cited sources, and nothing that tells a system."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from markupsafe import Markup

from assize.base.conversation import Reference
from assize.web._citing import cited_markdown
from assize.web._collect.retrieving import all_sources
from assize.web._collect.turns import turns_of
from assize.web._storage.chats import Chat, Message, MessageState


@dataclass(frozen=True, slots=True)
class Source:
    """A source beside an answer.

    Args:
        anchor: the id of its element; citations lead there.
        cited: whether the assistant has cited it.
    """

    number: str
    title: str
    text: str
    anchor: str
    cited: bool = True


@dataclass(frozen=True, slots=True)
class Answer:
    """One side's answer.

    Args:
        side: `A`, `B` or "".
        sources: those that it cites.
    """

    place: int
    side: str
    html: Markup
    state: MessageState
    sources: tuple[Source, ...] = ()


@dataclass(frozen=True, slots=True)
class Exchange:
    """A message of the person, and the answers to it."""

    place: int
    asked: str
    answers: tuple[Answer, ...] = ()


def exchanges(chat: Chat) -> tuple[Exchange, ...]:
    """The whole chat as its page shows it."""
    found: list[Exchange] = []
    for one in chat.messages:
        if one.role == "user":
            found.append(Exchange(one.place, one.text))
        else:
            before = found.pop()
            answers = (*before.answers, shown_answer(chat, one))
            found.append(Exchange(before.place, before.asked, answers))
    return tuple(found)


def shown_answer(chat: Chat, message: Message) -> Answer:
    """An answer with the sources that it cites; a number leads to where its source was shown."""
    seen: dict[str, tuple[Reference, int]] = {}
    for one in chat.of(message.side):
        if one.place <= message.place:
            seen |= {source.id: (source, one.place) for source in one.references}
    sources = [source for source, _ in seen.values()]
    anchors = {number: _anchor(message.place, message.side, number) for number in seen}
    html, cited = cited_markdown(message.text, sources, anchors)
    return Answer(
        message.place,
        message.side,
        html,
        message.state,
        tuple(_source(seen[number][0], anchors) for number in cited),
    )


def retrieved(chat: Chat) -> Mapping[str, tuple[Source, ...]]:
    """By side, everything that its assistant was shown in the whole chat."""
    found = {}
    for side in chat.sides:
        sources = all_sources(turns_of(chat, side))
        anchors = {one.id: _anchor(0, side, one.id) for one in sources}
        found[side] = tuple(_source(one, anchors) for one in sources)
    return found


def _source(one: Reference, anchors: Mapping[str, str]) -> Source:
    cited = bool(one.extra.get("cited", True))
    return Source(one.id, one.title or _page(one), one.text, anchors[one.id], cited)


def _page(one: Reference) -> str:
    """What a source without a title is called: its page."""
    return str(one.extra.get("page") or f"Source {one.id}")


def _anchor(place: int, side: str, number: str) -> str:
    return "-".join(part for part in ("source", str(place), side.lower(), number) if part)
