"""A model for `da` and `maxim` judges: it answers every shown turn, as the schema wants.

`label` is a script for `Scripted`, and `labelled` the answer's text for any server.
"""

from __future__ import annotations

import json
import re
from typing import Any

from assize.models import Request
from assize.models.scripted import any_answer

TURN = re.compile(r"^\[\w+\] (context|A|B), turn (\d+), (\w+):$", re.MULTILINE)


def label(request: Request) -> str:
    """The answer to a request of any judge; those of other judges are drawn by their hash."""
    return labelled(request.messages[-1].text, any_answer(request))


def labelled(said: str, drawn: str) -> str:
    """The drawn answer, its `turns` replaced by one entry for each turn in the message."""
    answer: dict[str, Any] = json.loads(drawn)
    if "turns" in answer:
        answer["turns"] = turns_of(said)
    return json.dumps(answer)


def turns_of(said: str) -> list[dict[str, Any]]:
    """Every turn that a message shows between its fences, users asking, others answering."""
    asked = {"user": ["Task: Set Question"]}
    return [
        {"place": place, "turn": int(number), "acts": asked.get(role, ["Task: Answer"])}
        for place, number, role in TURN.findall(said)
    ]
