"""What the local server says to a page's judges: a valid answer, whatever is asked."""

from __future__ import annotations

import json
import re
from typing import Any

from chat_server import Body, completion, mock

_TURN = re.compile(r"^\[\w+\] (context|A|B), turn (\d+), (user|assistant):$", re.MULTILINE)


def answer(body: Body) -> Body:
    """As the mock answers; a judge of dialogue acts gets an entry for every turn."""
    asked: Any = body.get("response_format", {}).get("json_schema", {}).get("schema", {})
    if "turns" not in asked.get("properties", {}):
        return mock(body)
    turns = [
        {"place": place, "turn": int(number), "acts": [_act(role, int(number))]}
        for place, number, role in _TURN.findall(body["messages"][-1]["content"])
    ]
    said = {"turns": turns, "explanation": "B adds nothing.", "answer": "A"}
    return completion(body, json.dumps(said))


def _act(role: str, number: int) -> str:
    if role == "user":
        return "Task: Set Question" if number % 4 == 0 else "Task: Inform"
    return "Task: Answer" if number % 4 == 1 else "Task: Inform"
