"""Tool calls: read from any log's shape, written as OpenAI's chat messages have them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from assize.base.conversation import ToolCall
from assize.base.errors import DataError, shorten

# Fields of a turn that have to do with tools.
TOOL_FIELDS = frozenset({"tool_calls", "tool_call_id", "name"})

_NAME_KEYS = ("name", "tool_name", "toolName", "function", "tool")
_ARGUMENT_KEYS = ("arguments", "args", "input", "parameters")
_ID_KEYS = ("id", "call_id", "tool_call_id", "toolCallId")
# Types that every call may have; any other type is kept in `extra`.
_PLAIN_TYPES = ("function", "tool_call", "tool_use", "function_call")


def split_tool_fields(
    fields: Mapping[str, Any], place: str
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Split a message's fields into the tool fields of a turn and the rest.

    A field that is null, empty or of another type stays with the rest.

    Raises:
        DataError: a call names no tool.
    """
    tools: dict[str, Any] = {
        key: fields[key] for key in ("tool_call_id", "name") if isinstance(fields.get(key), str)
    }
    calls = fields.get("tool_calls")
    if isinstance(calls, list | tuple) and calls:
        tools["tool_calls"] = tuple(
            read_tool_call(call, f"{place}.tool_calls[{index}]") for index, call in enumerate(calls)
        )
    return tools, {key: value for key, value in fields.items() if key not in tools}


def read_tool_call(value: Any, place: str) -> ToolCall:
    """Read a call in any known shape: OpenAI's, Anthropic's, LangChain's, Inspect's or assize's.

    Raises:
        DataError: the call names no tool; `place` says where it stands.

    >>> read_tool_call({"id": "t1", "name": "search", "args": {"q": "a"}}, "").arguments
    {'q': 'a'}
    """
    if not isinstance(value, Mapping):
        raise DataError(f"received {shorten(value)}; expected a tool call", field=place)
    if isinstance(value.get("tool_call"), Mapping):  # OpenInference
        value = value["tool_call"]
    wrapper = None
    if not isinstance(value.get("name"), str):
        wrapper = _first_key(value, ("function", "custom"), Mapping)
    inner = value if wrapper is None else value[wrapper]
    name_key = _first_key(inner, _NAME_KEYS, str)
    if name_key is None:
        fields = ", ".join(ascii(str(key))[1:-1] for key in value)[:200] or "none"
        raise DataError(
            f"names no tool (its fields are {fields}); give the call a `name`", field=place
        )
    id_key = _first_key(value, _ID_KEYS, str | int)
    arguments_key = _first_key(inner, _ARGUMENT_KEYS, object)
    used = {"id", "name", "arguments", id_key, wrapper}
    if wrapper is None:
        used |= {name_key, arguments_key}
    extra = {
        key: part
        for key, part in value.items()
        if key not in used and not (key == "type" and part in _PLAIN_TYPES)
    }
    arguments = parse_arguments(inner.get(arguments_key))
    return ToolCall(str(value.get(id_key, "")), inner[name_key], arguments, extra)


def _first_key(value: Mapping[str, Any], keys: tuple[str, ...], kind: Any) -> Any:
    return next((key for key in keys if key in value and isinstance(value[key], kind)), None)


def parse_arguments(value: Any) -> dict[str, Any] | str:
    """Return the arguments as an object, or as text where the model wrote no JSON object."""
    if value is None:
        return {}
    if isinstance(value, Mapping):
        return dict(value)
    if not isinstance(value, str):
        return compact_json(value)
    try:
        parsed = json.loads(value)
    except (ValueError, RecursionError):
        return value
    return parsed if isinstance(parsed, dict) else value


def arguments_text(call: ToolCall) -> str:
    """Return the arguments as a JSON string.

    >>> arguments_text(ToolCall("", "f", {"a": 1}))
    '{"a":1}'
    """
    return call.arguments if isinstance(call.arguments, str) else compact_json(call.arguments)


def compact_json(value: Any) -> str:
    """Write JSON as models write arguments: no blanks, nothing escaped that need not be."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)


def openai_call(call: ToolCall) -> dict[str, Any]:
    """Return the call as OpenAI's chat messages have it."""
    custom = call.extra.get("type") == "custom"
    kind, arguments = ("custom", "input") if custom else ("function", "arguments")
    inner = {"name": call.name, arguments: arguments_text(call)}
    return {**call.extra, "id": call.id, "type": kind, kind: inner}
