"""A stand-in for a language model: `--model scripted:players:answer`, in the folder of this file.

It writes dialogues, with some evasive answers, and answers the questions of a rubric by counting
these.
"""

import json
import re
import zlib
from collections.abc import Sequence

from assize.models.model import Request


def answer(request: Request) -> str:
    """Answer a request as a model would: with a JSON object that fits the schema."""
    prompt = request.messages[-1].text
    fields = (request.schema or {}).get("properties", {})
    if "exchanges" in fields:
        return json.dumps({"exchanges": write_dialogue(prompt)})
    helpful, evasive = len(re.findall("because", prompt)), len(re.findall("elsewhere", prompt))
    level = helpful / max(1, helpful + evasive)
    return json.dumps({name: choose(field.get("enum"), level) for name, field in fields.items()})


def choose(answers: Sequence[str] | None, level: float) -> str:
    """The answer at a level from 0 to 1; a sentence where the field is free text."""
    return answers[round(level * (len(answers) - 1))] if answers else "So it reads."


def write_dialogue(prompt: str) -> list[dict[str, str]]:
    """Three exchanges on the topic; which answers are evasive depends on the topic alone."""
    topic = prompt.partition("subject 1:\n")[2].partition("\n")[0]
    luck = zlib.crc32(topic.encode())
    exchanges = []
    for part in range(1, 4):
        helpful = f"First look at {topic}, then go on, because part {part} rests on it."
        evasive = f"I cannot say much about {topic}; please look elsewhere."
        reply = helpful if (luck >> 2 * part) % 4 > 0 else evasive
        exchanges.append({"user": f"{topic}: part {part}?", "assistant": reply})
    return exchanges
