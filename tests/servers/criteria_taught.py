"""Conversations with planted conduct, and a model that finds it by its words.

The model does what a good one would: it names the conduct that it sees, in words that differ from
one conversation to the next; sums it up; does not always notice that an earlier criterion says the
same; and knows which criteria mean the same when it is shown them together.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from chat_server import completion
from chat_server import schema_of as schema_of

from assize.base.conversation import Conversation, Role, Turn


@dataclass(frozen=True)
class Conduct:
    """Something that people do in conversations.

    Args:
        cue: what a turn says that shows it.
        role: who does it.
        wordings: criteria that mean it; the first is kept.
    """

    cue: str
    role: Role
    maxim: str
    wordings: tuple[str, str]


GOOD = (
    Conduct(
        "the null is in line",
        "assistant",
        "Quality",
        ("The assistant names the failing line.", "The assistant points out the line that fails."),
    ),
    Conduct(
        "that fixed it",
        "user",
        "none",
        ("The user confirms the fix.", "The user says that the fix works."),
    ),
    Conduct(
        "which version",
        "assistant",
        "Quantity",
        ("The assistant asks for missing details.", "The assistant requests details it lacks."),
    ),
)
BAD = (
    Conduct(
        "turn it off and on",
        "assistant",
        "Relevance",
        ("The assistant gives generic advice.", "The assistant offers only general advice."),
    ),
    Conduct(
        "as i said",
        "user",
        "Relevance",
        ("The user repeats the question.", "The user asks the same question again."),
    ),
    Conduct(
        "timeout after",
        "tool",
        "Quality",
        ("The tool fails to answer.", "The tool returns no answer."),
    ),
)
ALL = (*GOOD, *BAD)


def taught(count: int = 12, first: int = 0) -> list[Conversation]:
    """Conversations of which every second is good, each with two kinds of conduct."""
    return [_conversation(number) for number in range(first, first + count)]


def _conversation(number: int) -> Conversation:
    good = number % 2 == 0
    ours = GOOD if good else BAD
    shown = [ours[(number // 2) % 3], ours[(number // 2 + 1) % 3]]
    turns = [Turn("user", f"My program {number} throws an exception.")]
    turns += [Turn(one.role, f"Well, {one.cue} {number}.") for one in shown]
    thumbs = {"thumbs": "up" if good else "down", "rating": 5 if good else 1}
    return Conversation(f"c{number}", tuple(turns), metadata=thumbs)


def conducts(conversation: Conversation) -> set[Conduct]:
    """What was planted."""
    said = " ".join(turn.text.lower() for turn in conversation.turns)
    return {one for one in ALL if one.cue in said}


def meant(text: str) -> Conduct:
    """The conduct that a criterion, or a pattern, speaks of."""
    return next(one for one in ALL if any(wording in text for wording in one.wordings))


def answer(body: dict[str, Any]) -> dict[str, Any]:
    """The body of a completion."""
    return completion(body, json.dumps(said(body["messages"], schema_of(body))))


def stage_of(body: dict[str, Any]) -> str:
    """Which stage asks."""
    (first, *_) = schema_of(body)["properties"]
    if first == "criteria":
        return "update" if "You keep a list" in body["messages"][0]["content"] else "summarise"
    return {"patterns": "extract", "groups": "deduplicate"}[first]


def said(messages: Sequence[dict[str, str]], schema: dict[str, Any]) -> dict[str, Any]:
    """What the model answers."""
    system, shown = messages[0]["content"], messages[1]["content"]
    if "groups" in schema["properties"]:
        return _groups(pieces(shown, "criterion"))
    if "patterns" in schema["properties"]:
        return _patterns(shown)
    patterns, earlier = pieces(shown, "pattern"), pieces(shown, "criterion")
    most = re.search(r"at most (\d+) criteria", system)
    tags = schema["properties"]["criteria"]["items"]["properties"]
    found = _criteria(patterns, earlier) if most is None else _list(patterns, earlier, int(most[1]))
    for one in found["criteria"]:
        conduct = meant(one["criterion"])
        one |= {"about": conduct.role, "maxim": conduct.maxim}
        for name in set(one) - set(tags):
            del one[name]
    if not earlier:
        found.pop("known", None)
    return found


def pieces(shown: str, label: str) -> list[str]:
    """The numbered texts of a prompt."""
    return re.findall(rf"^\[\w+\] {label} \d+:\n(.*?)(?=\n\[\w+\] )", shown, re.M | re.S)


def _patterns(shown: str) -> dict[str, Any]:
    turn = r"^\[\w+\] conversation, turn (\d+), \w+:\n(.*?)(?=\n\[\w+\] )"
    turns = re.findall(turn, shown, re.M | re.S)
    found = []
    for number, text in turns:
        for one in ALL:
            if one.cue in text.lower():
                wording = one.wordings[int(re.findall(r"\d+", text)[-1]) // 2 % 2]
                why = "that decides how it went"
                found.append({"pattern": wording, "reason": why, "turns": [int(number)]})
    return {"patterns": found}


def _criteria(patterns: Sequence[str], earlier: Sequence[str]) -> dict[str, Any]:
    """One criterion a wording: the model notices an earlier one only where the words are alike."""
    known, fresh = [], dict[str, list[int]]()
    for number, pattern in enumerate(patterns, start=1):
        text = _wording(pattern)
        if text in earlier:
            known.append({"pattern": number, "criterion": earlier.index(text) + 1})
        else:
            fresh.setdefault(text, []).append(number)
    made = [{"criterion": text, "patterns": numbers} for text, numbers in fresh.items()]
    return {"criteria": made, "known": known}


def _list(patterns: Sequence[str], earlier: Sequence[str], size: int) -> dict[str, Any]:
    places = {meant(text).wordings[0]: number for number, text in enumerate(earlier, start=1)}
    covered: dict[str, list[int]] = {text: [] for text in places}
    for number, pattern in enumerate(patterns, start=1):
        covered.setdefault(meant(pattern).wordings[0], []).append(number)
    kept = list(covered)[:size]
    made = [
        {
            "criterion": text,
            "patterns": covered[text],
            "from": [places[text]] if text in places else [],
        }
        for text in kept
    ]
    return {"criteria": made}


def _groups(criteria: Sequence[str]) -> dict[str, Any]:
    by: dict[Conduct, list[int]] = {}
    for number, text in enumerate(criteria, start=1):
        by.setdefault(meant(text), []).append(number)
    return {
        "groups": [
            {"same": numbers, "keep": _plainest(numbers, criteria, one)}
            for one, numbers in by.items()
            if len(numbers) > 1
        ]
    }


def _plainest(numbers: Iterable[int], criteria: Sequence[str], one: Conduct) -> int:
    return min(numbers, key=lambda number: one.wordings.index(criteria[number - 1]))


def _wording(pattern: str) -> str:
    return next(text for text in meant(pattern).wordings if text in pattern)
