"""A tool call in any shape that logs give it: read into one record, written as OpenAI does."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from assize.base.conversation import ToolCall
from assize.base.errors import DataError

# Fields of a turn that have to do with tools.
TOOL_FIELDS = frozenset({"tool_calls", "tool_call_id", "name"})

_NAMES = ("name", "tool_name", "toolName", "function", "tool")
_ARGUMENTS = ("arguments", "args", "input", "parameters")
_IDS = ("id", "call_id", "tool_call_id", "toolCallId")
_SHOWN = 200  # characters of field names in an error
_OWN = ("id", "name", "arguments")
_WRAPPERS = ("function", "custom")
# What a call may say of its type without saying anything.
_PLAIN_TYPES = ("function", "tool_call", "tool_use", "function_call")


def tool_fields(rest: Mapping[str, Any], field: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Of a message's further fields those of a turn, and what is left.

    A field that is null, empty or of another type stays with what is left.

    Raises:
        DataError: a call that names no tool; `field` says where the message stands.
    """
    fields: dict[str, Any] = {
        key: rest[key] for key in ("tool_call_id", "name") if isinstance(rest.get(key), str)
    }
    calls = rest.get("tool_calls")
    if isinstance(calls, list | tuple) and calls:
        fields["tool_calls"] = tuple(
            tool_call(call, f"{field}.tool_calls[{at}]") for at, call in enumerate(calls)
        )
    return fields, {key: value for key, value in rest.items() if key not in fields}


def tool_call(value: Any, field: str) -> ToolCall:
    """A call from any known shape: OpenAI's, Anthropic's, LangChain's, Inspect's, our own.

    Raises:
        DataError: it names no tool.

    >>> tool_call({"id": "t1", "name": "search", "args": {"q": "a"}}, "").arguments
    {'q': 'a'}
    """
    if not isinstance(value, Mapping):
        raise DataError(f"received {ascii(value)[:60]}; expected a tool call", field=field)
    if isinstance(value.get("tool_call"), Mapping):  # as spans of OpenInference nest it
        value = value["tool_call"]
    wrapper = next((key for key in _WRAPPERS if isinstance(value.get(key), Mapping)), None)
    if isinstance(value.get("name"), str):
        wrapper = None
    inner = value if wrapper is None else value[wrapper]
    name = next((key for key in _NAMES if isinstance(inner.get(key), str)), None)
    if name is None:
        fields = ", ".join(ascii(str(key))[1:-1] for key in value)[:_SHOWN]
        problem = f"names no tool (its fields are {fields or 'none'})"
        raise DataError(f"{problem}; give the call a `name`", field=field)
    held = next((key for key in _ARGUMENTS if key in inner), "")
    arguments = read_arguments(inner.get(held))
    key = next((key for key in _IDS if isinstance(value.get(key), str | int)), "")
    taken = {*_OWN, key, *((wrapper,) if wrapper else (name, held))}
    rest = {
        key: part
        for key, part in value.items()
        if key not in taken and not (key == "type" and part in _PLAIN_TYPES)
    }
    if wrapper:
        left = {key: part for key, part in inner.items() if key not in (name, held)}
        rest |= {wrapper: left} if left or wrapper == "custom" else {}
    return ToolCall(str(value.get(key, "")), inner[name], arguments, rest)


def read_arguments(value: Any) -> dict[str, Any] | str:
    """Arguments as an object, or as text where the model wrote no object in JSON."""
    if value is None:
        return {}
    if isinstance(value, Mapping):
        return dict(value)
    if not isinstance(value, str):
        return dumped(value)
    try:
        found = json.loads(value)
    except (ValueError, RecursionError):
        return value
    return found if isinstance(found, dict) else value


def dumped(value: Any) -> str:
    """JSON as models write arguments: nothing escaped that need not be, no blanks."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)


def arguments_text(call: ToolCall) -> str:
    """The arguments as a JSON string.

    >>> arguments_text(ToolCall("", "f", {"a": 1}))
    '{"a":1}'
    """
    return call.arguments if isinstance(call.arguments, str) else dumped(call.arguments)


def openai_call(call: ToolCall) -> dict[str, Any]:
    """A call as OpenAI's chat messages have it."""
    rest = dict(call.extra)
    if isinstance(rest.get("custom"), Mapping):
        more = rest.pop("custom")
        inner = {"name": call.name, "input": arguments_text(call), **more}
        return {"id": call.id, "type": "custom", "custom": inner} | rest
    more = rest.pop("function", {})
    more = more if isinstance(more, Mapping) else {}
    inner = {"name": call.name, "arguments": arguments_text(call), **more}
    return {"id": call.id, "type": "function", "function": inner} | rest
