"""A model that plays both sides of a dialogue: known turns, known citations, a known end.

The user asks `ROUNDS` things about the topic and then ends; the assistant cites the first of its
sources, and at its second answer one that there is not. `play` is a script (`scripted:`), `answer`
what a server's models say.
"""

from __future__ import annotations

import json
import re
from typing import Any

from chat_server import completion, schema_of

from assize.models import Request

NAMES = ("writer", "asker")
ROUNDS = 3
_TURN = re.compile(r"^\[\w+\] talk, turn \d+, (?:user|assistant):\n(.*)$", re.MULTILINE)
_TOPIC = re.compile(r"^\[\w+\] subject 1:\n(.*)$", re.MULTILINE)
_SOURCE = re.compile(r"^\[\w+\] source (\d+):", re.MULTILINE)


def play(request: Request) -> str:
    """What the script says."""
    return said([one.text for one in request.messages], request.schema or {})


def answer(body: dict[str, Any]) -> dict[str, Any]:
    """What a server's model says."""
    texts = [one["content"] for one in body["messages"]]
    return completion(body, said(texts, schema_of(body)))


def kind_of(texts: list[str], schema: Any) -> str:
    """`whole`, `query`, `question`, `user` or `assistant`."""
    fields = schema.get("properties", {})
    for name, kind in (("exchanges", "whole"), ("query", "query")):
        if name in fields:
            return kind
    if "You are an AI assistant that helps" in texts[0]:
        return "assistant"
    return "question" if "what you would ask first" in texts[0] else "user"


def said(texts: list[str], schema: Any) -> str:
    """The answer to a prompt, as JSON."""
    kind, shown = kind_of(texts, schema), texts[1]
    topic = _TOPIC.search(shown)
    about = topic[1] if topic is not None else "it"
    turns = _TURN.findall(shown)
    sources = _SOURCE.findall(shown)
    if kind == "whole":
        cite = " [1]" if sources else ""
        each = [
            {"user": f"What about {about}, part {n}?", "assistant": f"Part {n} is done so{cite}."}
            for n in range(1, ROUNDS + 1)
        ]
        return json.dumps({"exchanges": each})
    if kind == "query":
        return json.dumps({"query": " ".join(turns[1].split()[2:])})
    if kind == "question":
        return json.dumps({"text": f"Tell me about {about}"})
    asked = len(turns) // 2
    if kind == "user":
        over = asked >= ROUNDS
        return json.dumps({"text": "END OF CONVERSATION!" if over else f"And part {asked + 1}?"})
    if not sources:
        return json.dumps({"text": "What exactly do you mean?"})
    more = " See [9] too." if asked == 2 else ""
    return json.dumps({"text": f"Answer {asked} rests on this [1].{more}"})
