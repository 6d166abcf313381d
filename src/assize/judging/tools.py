"""How judges are shown what an assistant asked of tools, and what the tools answered.

Arguments and results may run to pages. Of long ones the beginning and the end are shown, and how
much was left out between them.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from assize.base.conversation import ToolCall, Turn
from assize.formats.tool_calls import arguments_text
from assize.results.abridge import abridge

LONGEST_ARGUMENTS = 2_000  # characters of one call's arguments that a judge is shown
LONGEST_RESULT = 4_000  # characters of one result


def is_result(turn: Turn) -> bool:
    """Whether a turn is what a tool answered to a call."""
    return turn.role == "tool" and turn.tool_call_id is not None


def asked_at(turns: Sequence[Turn], first: int = 0) -> dict[int, tuple[int, int]]:
    """Of each result's place the turn and the number of the call that it answers; from 1.

    A call's id counts until it is used again; a result whose call is not among the turns has
    no place here.
    """
    made: dict[str, tuple[int, int]] = {}
    found = {}
    for place, turn in enumerate(turns, start=first):
        for number, call in enumerate(turn.tool_calls, start=1):
            if call.id:
                made[call.id] = (place, number)
        if is_result(turn) and turn.tool_call_id in made:
            found[place] = made[turn.tool_call_id]
    return found


def fenced_calls(mark: str, turn: Turn) -> list[str]:
    """The lines of a prompt that show a turn's calls; the tool's name is others' text too."""
    lines = []
    for number, call in enumerate(turn.tool_calls, start=1):
        lines += [f"[{mark}] call {number} of a tool in this turn, its name and arguments:"]
        lines += [call.name, *fenced_text(mark, arguments_text(call), LONGEST_ARGUMENTS)]
    return lines


def fenced_text(mark: str, text: str, limit: int) -> list[str]:
    """The text as lines of a prompt, with a line of ours where something is left out."""
    shown = abridge(text, limit)
    if not shown.left_out:
        return [shown.head]
    note = f"[{mark}] {shown.left_out:,} characters are left out here"
    return [shown.head, note, shown.tail]


def said(turn: Turn) -> str:
    """A turn as one text, its calls in words: for what reads a conversation without a boundary.

    >>> said(Turn("assistant", "Let me look.", tool_calls=(ToolCall("t", "find", {"q": 1}),)))
    'Let me look.\\n[calls find({"q":1})]'
    """
    if is_result(turn):
        return _in_one(turn.text, LONGEST_RESULT)
    calls = [
        f"[calls {call.name}({_in_one(arguments_text(call), LONGEST_ARGUMENTS)})]"
        for call in turn.tool_calls
    ]
    return "\n".join([*([turn.text] if turn.text or not calls else []), *calls])


def _in_one(text: str, limit: int) -> str:
    shown = abridge(text, limit)
    if not shown.left_out:
        return text
    return f"{shown.head} [... {shown.left_out:,} characters left out ...] {shown.tail}"


def texts_of_calls(turn: Turn) -> list[str]:
    """Everything in a turn's calls that others wrote, and that a judge is shown.

    Also the texts inside of arguments and results that are JSON, for a judge may quote them bare.
    """
    found = [text for call in turn.tool_calls for text in (call.name, arguments_text(call))]
    for call in turn.tool_calls:
        found += _texts_in(call.arguments)
    if is_result(turn) and turn.text.lstrip()[:1] in ("{", "["):
        with suppress(ValueError, RecursionError):
            found += _texts_in(json.loads(turn.text))
    return found


def _texts_in(value: Any) -> list[str]:
    if isinstance(value, Mapping):
        return [text for part in value.values() for text in _texts_in(part)]
    if isinstance(value, list | tuple):
        return [text for part in value for text in _texts_in(part)]
    return [value] if isinstance(value, str) and value else []


def call_length(turn: Turn) -> int:
    """How many characters of a turn's calls a judge is shown."""
    return sum(
        len(call.name) + min(len(arguments_text(call)), LONGEST_ARGUMENTS)
        for call in turn.tool_calls
    )


def text_length(turn: Turn) -> int:
    """How many characters of a turn's text a judge is shown."""
    return min(len(turn.text), LONGEST_RESULT) if is_result(turn) else len(turn.text)


def cleaned(calls: Iterable[ToolCall], clean: Callable[[str], str]) -> tuple[ToolCall, ...]:
    """The calls with their names and arguments cleaned."""
    return tuple(
        replace(call, name=clean(call.name), arguments=clean(arguments_text(call)), extra={})
        for call in calls
    )
