"""A model that asks, answers and compares: it says one thing where a matter is settled.

A prompt that asks what somebody likes is answered with another colour each time; any other prompt
always gets the same answer. As a judge it holds texts to be equivalent where they are the same.
"""

from __future__ import annotations

import re
from typing import Any

from chat_server import completion, schema_of

from assize.base.conversation import Conversation, Turn

COLOURS = ("red", "blue", "green")


def talks(count: int) -> list[Conversation]:
    """Conversations of three exchanges about a settled matter."""
    return [_talk(number) for number in range(count)]


def _talk(number: int) -> Conversation:
    turns = []
    for at in range(3):
        turns.append(Turn("user", f"What is step {at} of recipe {number}?"))
        turns.append(Turn("assistant", f"Step {at}."))
    return Conversation(f"c{number}", tuple(turns))


def kind_of(body: dict[str, Any]) -> str:
    """Which kind of call a request is: `questions`, `judge` or `sample`."""
    fields = schema_of(body).get("properties", {})
    return "questions" if "questions" in fields else "judge" if "answer" in fields else "sample"


def answer(body: dict[str, Any]) -> dict[str, Any]:
    """The model."""
    return completion(
        body, {"questions": _asked, "judge": _judged, "sample": _said}[kind_of(body)](body)
    )


def _asked(body: dict[str, Any]) -> str:
    said = body["messages"][-1]["content"]
    count = int(re.search(r"Write (\d+)", said)[1])  # type: ignore[index]
    earlier = said.count("question ")
    listed = ", ".join(f'"What do you like about number {earlier + n}?"' for n in range(count))
    return f'{{"questions": [{listed}]}}'


def _said(body: dict[str, Any]) -> str:
    last = body["messages"][-1]["content"]
    if "like" in last:
        return f"I like {COLOURS[body['seed'] % len(COLOURS)]}."
    return f"That is settled: {last}"


def _judged(body: dict[str, Any]) -> str:
    said = body["messages"][-1]["content"]
    texts = re.findall(r"(?:reference|candidate), turn \d+, assistant:\n(.*)\n", said)
    assert len(texts) == 2
    same = "yes" if texts[0] == texts[1] else "no"
    return f'{{"explanation": "They read so.", "answer": "{same}"}}'
