"""What raters see of a chat: texts, cited sources, and nothing that tells a system."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from assize.base.conversation import Reference
from assize.web._citing import cited_markdown
from assize.web._collect.retrieving import all_sources
from assize.web._collect.turns import turns_of
from assize.web._storage.chats import Chat, Message
from assize.web._tasks.shown import ShownSource


def exchanges(chat: Chat) -> list[dict[str, Any]]:
    """Return each message of the person as `asked`, and the `answers` to it."""
    rows: list[dict[str, Any]] = []
    for message in chat.messages:
        if message.role == "user":
            rows.append({"asked": message.text, "answers": []})
        else:
            rows[-1]["answers"].append(shown_answer(chat, message))
    return rows


def shown_answer(chat: Chat, message: Message) -> dict[str, Any]:
    """Return an answer's place, side and state, its text as HTML, and the sources that it cites.

    A number leads to where its source was shown.
    """
    seen: dict[str, Reference] = {}
    for earlier in chat.of(message.side):
        if earlier.place <= message.place:
            seen |= {source.id: source for source in earlier.references}
    anchors = {number: _anchor(message.place, message.side, number) for number in seen}
    html, cited = cited_markdown(message.text, list(seen.values()), anchors)
    return {
        "place": message.place,
        "side": message.side,
        "html": html,
        "state": message.state,
        "sources": [_source(seen[number], anchors[number]) for number in cited],
    }


def retrieved(chat: Chat) -> Mapping[str, Sequence[ShownSource]]:
    """By side, everything that its assistant was shown in the whole chat."""
    return {
        side: [
            _source(source, _anchor(0, side, source.id))
            for source in all_sources(turns_of(chat, side))
        ]
        for side in chat.sides
    }


def _source(source: Reference, anchor: str) -> ShownSource:
    """Return a source; one without a title is called by its page."""
    title = source.title or str(source.extra.get("page") or f"Source {source.id}")
    return ShownSource(source.id, title, source.text, anchor, bool(source.extra.get("cited", True)))


def _anchor(place: int, side: str, number: str) -> str:
    return "-".join(part for part in ("source", str(place), side.lower(), number) if part)
