"""A server's models that answer users, say whether talks hold together, and vote on pairs.

`small` answers in 14 words; `large` in 40, and in as many as it is asked for from then on. A judge
prefers small on two of five matters, large on two, neither on the fifth; `judge-2` always prefers
what is shown first where the matter's number can be divided by 7.
"""

from __future__ import annotations

import json
import re
from typing import Any

from chat_server import completion, schema_of

from assize.base.conversation import Conversation, Turn

MODELS = ("openai:small", "openai:large")
NAMES = ("small", "large", "judge-1", "judge-2", "reader", "translator")


def talk(number: int, rounds: int = 2, *more: str) -> Conversation:
    """A conversation about a numbered matter, whose recorded answers have 30 words."""
    turns = []
    for text in (*(f"What is step {at} of matter {number}?" for at in range(rounds)), *more):
        turns += [Turn("user", text), Turn("assistant", "recorded " * 30)]
    return Conversation(f"c{number}", tuple(turns), "openai:old", {"topic": "steps"})


def kind_of(body: dict[str, Any]) -> str:
    """What a request is: `coherence`, `translate`, `vote` or `respond`."""
    fields = schema_of(body).get("properties", {})
    known = {"theme": "coherence", "turns": "translate", "Overall": "vote"}
    return next((kind for name, kind in known.items() if name in fields), "respond")


def answer(body: dict[str, Any]) -> dict[str, Any]:
    """The models."""
    asked = {
        "coherence": _coherent,
        "translate": _translated,
        "vote": _voted,
        "respond": _answered,
    }[kind_of(body)]
    return completion(body, asked(body))


def _translated(body: dict[str, Any]) -> str:
    """Each turn, said to be in another language."""
    said = re.findall(r"conversation, turn \d+, \w+:\n(.*?)\n\[", body["messages"][-1]["content"])
    return json.dumps({"turns": [f"In English: {one}" for one in said]})


def _coherent(body: dict[str, Any]) -> str:
    whole = "no" if "zebra" in body["messages"][-1]["content"] else "yes"
    return json.dumps({"explanation": "So.", "theme": whole, "logic": "yes", "transitions": "yes"})


def _answered(body: dict[str, Any]) -> str:
    last = body["messages"][-1]["content"]
    said = f"{body['model']} on {last}".split()
    system = " ".join(one["content"] for one in body["messages"] if one["role"] == "system")
    wish = re.search(r"in about (\d+) words", system)
    wanted = 14 if body["model"] == "small" else int(wish[1]) if wish else 40
    return " ".join([*said, *["word"] * wanted][:wanted])


def _voted(body: dict[str, Any]) -> str:
    said = body["messages"][-1]["content"]
    found = re.search(r"matter (\d+)", said)
    number = int(found[1]) if found else 0
    sides = (
        ["small", "large"] if said.find("small on") < said.find("large on") else ["large", "small"]
    )
    better = ("small", "small", "large", "large", None)[number % 5]
    vote = "tie" if better is None else "AB"[sides.index(better)]
    if body["model"] == "judge-2" and number % 7 == 0:
        vote = "A"
    fields = schema_of(body)["properties"]
    return json.dumps({name: "So." if name == "explanation" else vote for name in fields})
