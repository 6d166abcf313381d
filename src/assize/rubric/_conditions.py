"""When a question applies to a conversation; where it does not, its answer is NA."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from assize.base.conversation import Conversation
from assize.base.fields import value_at

_METADATA = "metadata."


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition that questions may name in `applies`: what it says, and its test."""

    about: str
    holds: Callable[[Conversation], bool]


def _roles(conversation: Conversation, role: str) -> int:
    return sum(turn.role == role for turn in conversation.turns)


def calls_tools(conversation: Conversation) -> bool:
    """Whether some turn calls a tool."""
    return any(turn.tool_calls for turn in conversation.turns)


# To add a condition: add its row, mirror its test.
CONDITIONS: dict[str, Condition] = {
    "always": Condition("every conversation", lambda _: True),
    "has_references": Condition(
        "some turn came with sources", lambda one: any(turn.references for turn in one.turns)
    ),
    "several_exchanges": Condition(
        "the user spoke more than once", lambda one: _roles(one, "user") > 1
    ),
    "has_system_message": Condition(
        "the assistant had instructions", lambda one: _roles(one, "system") > 0
    ),
    "uses_tools": Condition(
        "the assistant called a tool, or a tool answered",
        lambda one: calls_tools(one) or _roles(one, "tool") > 0,
    ),
    "tool_answered": Condition("a tool answered", lambda one: _roles(one, "tool") > 0),
}


def known(condition: str) -> bool:
    """Whether a question may say this.

    >>> known("has_references"), known("metadata.topic=travel"), known("sometimes")
    (True, True, False)
    """
    key = condition.partition("=")[0]
    return condition in CONDITIONS or (key.startswith(_METADATA) and all(key.split(".")))


def applies(condition: str, conversation: Conversation) -> bool:
    """Tell whether a question with this condition is asked about the conversation.

    `metadata.KEY=VALUE` holds if the conversation's metadata have that value, `metadata.KEY` if
    they have any value that is not false or empty. KEY may be a path such as `user.language`; true
    and false are written as in JSON.

    >>> talk = Conversation("c", (), metadata={"topic": "travel"})
    >>> applies("metadata.topic=travel", talk), applies("metadata.rated", talk)
    (True, False)
    """
    if condition in CONDITIONS:
        return CONDITIONS[condition].holds(conversation)
    key, equals, value = condition.removeprefix(_METADATA).partition("=")
    found = value_at(conversation, f"{_METADATA}{key}")
    if not equals:
        return bool(found)
    written = str(found).lower() if isinstance(found, bool) else str(found)
    return found is not None and written == value
