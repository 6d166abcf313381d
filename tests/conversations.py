"""Items and votes in memory, as a notebook has them."""

from __future__ import annotations

from typing import Any

from assize.base.conversation import Pair, Turn
from assize.base.judgment import Judgment


def chat(name: str, *said: str) -> dict[str, Any]:
    """A conversation as a log has it, user and assistant in turn."""
    roles = ("user", "assistant")
    messages = [{"role": roles[at % 2], "content": text} for at, text in enumerate(said)]
    return {"id": name, "messages": messages}


CHATS = [
    chat("kind", "Where is the station?", "Left at the church, then straight on."),
    chat("odd", "Where is the station?", "I like turtles."),
    chat("asked", "Where is the station?"),
]


def pair(name: str, gold: Any = "A") -> Pair:
    """A pair whose texts tell which it is."""
    sides = (Turn("assistant", f"one of {name}"),), (Turn("assistant", f"two of {name}"),)
    return Pair(name, (Turn("user", f"What of {name}?"),), *sides, gold=gold)


def votes(item: str, judge: str, first: str, second: str) -> list[Judgment]:
    """A judge's answers in both orders."""
    return [
        Judgment(item, judge, "preference", answer=first, order="AB"),
        Judgment(item, judge, "preference", answer=second, order="BA"),
    ]
