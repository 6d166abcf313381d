"""What the local server says to a page's judges: a valid answer, whatever is asked."""

from __future__ import annotations

import json
import re

import dialogues_played
import multiplicity_said
import pairs_answered
from chat_server import Body, completion, mock, schema_of
from tests.docs.guide_files import rating, verdict

_TURN = re.compile(r"^\[\w+\] (context|A|B), turn (\d+), (user|assistant):$", re.MULTILINE)
_OPEN = re.compile(r"questions that somebody could open|whether they are equivalent there")


def answer(body: Body) -> Body:
    """As the mock answers; a judge of dialogue acts gets an entry for every turn.

    What `assize reference multiplicity` asks is answered by `multiplicity_said`, the models of
    `assize simulate` by `dialogues_played` and `pairs_answered`, the pairs and the daily logs of
    the guides by `guide_files.verdict` and `guide_files.rating`.
    """
    if body["model"] in dialogues_played.NAMES:
        return dialogues_played.answer(body)
    if body["model"] in pairs_answered.NAMES:
        return pairs_answered.answer(body)
    if _OPEN.search(body["messages"][0]["content"]):
        return multiplicity_said.answer(body)
    if (side := verdict(body["messages"][-1]["content"], body["model"])) is not None:
        return mock(body, answer=side)
    asked = schema_of(body)
    if "rating" in asked.get("properties", {}):
        grade = rating(body["messages"][-1]["content"], body["model"])
        return mock(body) if grade is None else mock(body, rating=grade)
    if not asked and "[RESULT]" in body["messages"][-1]["content"]:
        return completion(body, f"Feedback: It answers what was asked. [RESULT] {_grade(body)}")
    if not asked and '"Rating: [[5]]"' in body["messages"][-1]["content"]:
        return completion(body, f"It answers what was asked. Rating: [[{_grade(body)}]]")
    if not asked:
        return multiplicity_said.answer(body)
    if "turns" not in asked.get("properties", {}):
        return mock(body)
    turns = [
        {"place": place, "turn": int(number), "acts": [_act(role, int(number))]}
        for place, number, role in _TURN.findall(body["messages"][-1]["content"])
    ]
    said = {"turns": turns, "explanation": "B adds nothing.", "answer": "A"}
    return completion(body, json.dumps(said))


def _grade(body: Body) -> str:
    """A grade or a side, by the length of what is judged."""
    said = body["messages"][-1]["content"]
    return "AB"[len(said) % 2] if "(A or B)" in said else str(2 + len(said) % 4)


def _act(role: str, number: int) -> str:
    if role == "user":
        return "Task: Set Question" if number % 4 == 0 else "Task: Inform"
    return "Task: Answer" if number % 4 == 1 else "Task: Inform"
