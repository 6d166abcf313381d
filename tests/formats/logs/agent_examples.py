"""One dialogue with two calls of tools, as each tool that logs such dialogues writes it."""

from __future__ import annotations

import json
from typing import Any

ARGUMENTS = '{"order": "7", "note": "caf\\u00e9"}'  # as a model wrote it: an escape, blanks
ORDER = {"order": "7", "note": "café"}
RESULT = '{"at": "depot", "due": "Fri"}'
ASKED, LOOKED, SAID = "Where is order 7?", "Let me look.", "At the depot; it comes on Friday."

# What every reader must find.
EXPECTED = [
    ("user", ASKED, (), None),
    ("assistant", LOOKED, (("c1", "get_order", ORDER), ("c2", "get_time", {})), None),
    ("tool", RESULT, (), "c1"),
    ("tool", "noon", (), "c2"),
    ("assistant", SAID, (), None),
]

_CALLS = [
    {"id": "c1", "type": "function", "function": {"name": "get_order", "arguments": ARGUMENTS}},
    {"id": "c2", "type": "function", "function": {"name": "get_time", "arguments": "{}"}},
]
CHAT: list[dict[str, Any]] = [
    {"role": "user", "content": ASKED},
    {"role": "assistant", "content": LOOKED, "tool_calls": _CALLS},
    {"role": "tool", "tool_call_id": "c1", "name": "get_order", "content": RESULT},
    {"role": "tool", "tool_call_id": "c2", "content": "noon"},
    {"role": "assistant", "content": SAID},
]

OPENAI = {"id": "x1", "model": "gpt-5-mini", "messages": CHAT}

RESPONSES = {
    "id": "x1",
    "model": "gpt-5-mini",
    "input": [
        {"role": "user", "content": ASKED},
        {"type": "reasoning", "id": "rs_1", "summary": []},
        {
            "type": "message",
            "id": "msg_1",
            "role": "assistant",
            "status": "completed",
            "content": [{"type": "output_text", "text": LOOKED, "annotations": []}],
        },
        {
            "type": "function_call",
            "id": "fc_1",
            "call_id": "c1",
            "name": "get_order",
            "arguments": ARGUMENTS,
            "status": "completed",
        },
        {"type": "function_call", "call_id": "c2", "name": "get_time", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "c1", "output": RESULT},
        {"type": "function_call_output", "call_id": "c2", "output": "noon"},
    ],
    "output": [
        {
            "type": "message",
            "id": "msg_2",
            "role": "assistant",
            "content": [{"type": "output_text", "text": SAID, "annotations": []}],
        }
    ],
    "tools": [{"type": "function", "name": "get_order"}],
}

ANTHROPIC = {
    "id": "x1",
    "model": "claude-sonnet-4-5",
    "messages": [
        {"role": "user", "content": ASKED},
        {
            "role": "assistant",
            "content": [
                {"type": "text", "text": LOOKED},
                {"type": "tool_use", "id": "c1", "name": "get_order", "input": ORDER},
                {"type": "tool_use", "id": "c2", "name": "get_time", "input": {}},
            ],
        },
        {
            "role": "user",
            "content": [
                {"type": "tool_result", "tool_use_id": "c1", "content": RESULT},
                {
                    "type": "tool_result",
                    "tool_use_id": "c2",
                    "content": [{"type": "text", "text": "noon"}],
                },
            ],
        },
        {"role": "assistant", "content": [{"type": "text", "text": SAID}]},
    ],
}


def _dumped(kind: str, **data: Any) -> dict[str, Any]:
    return {"type": kind, "data": {"additional_kwargs": {}, "type": kind, "id": None, **data}}


_LANGCHAIN_CALLS = [
    {"name": "get_order", "args": ORDER, "id": "c1", "type": "tool_call"},
    {"name": "get_time", "args": {}, "id": "c2", "type": "tool_call"},
]
LANGCHAIN: dict[str, Any] = {
    "id": "x1",
    "messages": [
        _dumped("human", content=ASKED),
        _dumped("ai", content=LOOKED, tool_calls=_LANGCHAIN_CALLS, invalid_tool_calls=[]),
        _dumped("tool", content=RESULT, tool_call_id="c1", name="get_order", status="success"),
        _dumped("tool", content="noon", tool_call_id="c2", status="success"),
        _dumped("ai", content=SAID, tool_calls=[]),
    ],
}
LANGGRAPH = {
    "thread_id": "x1",
    "values": {"messages": [one["data"] for one in LANGCHAIN["messages"]], "step": 3},
}


def _part(kind: str, **held: Any) -> dict[str, Any]:
    return {"type": kind, **held}


_OTEL_SENT = [
    {"role": "user", "parts": [_part("text", content=ASKED)]},
    {
        "role": "assistant",
        "parts": [
            _part("text", content=LOOKED),
            _part("tool_call", id="c1", name="get_order", arguments=ARGUMENTS),
            _part("tool_call", id="c2", name="get_time", arguments={}),
        ],
    },
    {"role": "tool", "parts": [_part("tool_call_response", id="c1", response=RESULT)]},
    {"role": "tool", "parts": [_part("tool_call_response", id="c2", response="noon")]},
]
_OTEL_SAID = [
    {"role": "assistant", "parts": [_part("text", content=SAID)], "finish_reason": "stop"}
]


def _otlp(**attributes: str) -> list[dict[str, Any]]:
    return [
        {"key": key.replace("__", "."), "value": {"stringValue": value}}
        for key, value in attributes.items()
    ]


def _span(start: int, sent: Any, said: Any) -> dict[str, Any]:
    held = _otlp(
        gen_ai__operation__name="chat",
        gen_ai__conversation__id="x1",
        gen_ai__request__model="gpt-5-mini",
        gen_ai__input__messages=json.dumps(sent),
        gen_ai__output__messages=json.dumps(said),
    )
    return {
        "traceId": f"trace{start}",
        "spanId": str(start),
        "name": "chat gpt-5-mini",
        "startTimeUnixNano": str(start),
        "attributes": held,
    }


# The second call first: spans come as they end.
OTEL = {
    "resourceSpans": [
        {
            "scopeSpans": [
                {
                    "spans": [
                        _span(2000, _OTEL_SENT, _OTEL_SAID),
                        _span(1000, _OTEL_SENT[:1], _OTEL_SENT[1:2]),
                    ]
                }
            ]
        }
    ]
}


def _event(name: str, **held: Any) -> dict[str, Any]:
    return {"name": f"gen_ai.{name}", "attributes": held}


OTEL_EVENTS = {
    "name": "chat",
    "context": {"trace_id": "x1", "span_id": "1"},
    "start_time": "2026-11-02T10:00:00Z",
    "attributes": {"gen_ai.system": "openai", "gen_ai.request.model": "gpt-5-mini"},
    "events": [
        _event("user.message", content=ASKED),
        _event("assistant.message", content=LOOKED, tool_calls=json.dumps(_CALLS)),
        _event("tool.message", content=RESULT, id="c1"),
        _event("tool.message", content="noon", id="c2"),
        _event("choice", index=0, finish_reason="stop", message=json.dumps({"content": SAID})),
    ],
}


def _openinference(messages: list[dict[str, Any]], name: str) -> dict[str, Any]:
    held: dict[str, Any] = {}
    for at, message in enumerate(messages):
        start = f"{name}.{at}.message"
        for key in ("role", "content", "tool_call_id", "name"):
            if message.get(key) is not None:
                held[f"{start}.{key}"] = message[key]
        for number, call in enumerate(message.get("tool_calls", ())):
            inner = f"{start}.tool_calls.{number}.tool_call"
            held[f"{inner}.id"] = call["id"]
            held[f"{inner}.function.name"] = call["function"]["name"]
            held[f"{inner}.function.arguments"] = call["function"]["arguments"]
    return held


PHOENIX = {
    "name": "ChatCompletion",
    "context": {"trace_id": "t1", "span_id": "s1"},
    "span_kind": "LLM",
    "parent_id": None,
    "start_time": "2026-11-02T10:00:00+00:00",
    "attributes": {
        "openinference.span.kind": "LLM",
        "session.id": "x1",
        "llm.model_name": "gpt-5-mini",
        **_openinference(CHAT[:-1], "llm.input_messages"),
        **_openinference(CHAT[-1:], "llm.output_messages"),
    },
}


def _unprefixed(message: dict[str, Any]) -> dict[str, Any]:
    found = {f"message.{key}": part for key, part in message.items() if key != "tool_calls"}
    if "tool_calls" in message:
        found["message.tool_calls"] = [
            {
                "tool_call.id": call["id"],
                "tool_call.function.name": call["function"]["name"],
                "tool_call.function.arguments": call["function"]["arguments"],
            }
            for call in message["tool_calls"]
        ]
    return found


PHOENIX_FRAME = {
    "context.span_id": "s1",
    "context.trace_id": "t1",
    "name": "ChatCompletion",
    "span_kind": "LLM",
    "start_time": "2026-11-02T10:00:00",
    "attributes.session.id": "x1",
    "attributes.llm.input_messages": [_unprefixed(one) for one in CHAT[:-1]],
    "attributes.llm.output_messages": [_unprefixed(one) for one in CHAT[-1:]],
}


def _generation(sent: Any, said: Any, time: str) -> dict[str, Any]:
    kind = {"type": "GENERATION", "model": "gpt-5-mini", "startTime": time}
    return {"id": time, "traceId": "t1", **kind, "input": sent, "output": said}


LANGFUSE: dict[str, Any] = {
    "id": "t1",
    "sessionId": "x1",
    "timestamp": "2026-11-02T10:00:00.000Z",
    "name": "support",
    "input": {"question": ASKED},
    "output": SAID,
    "metadata": {"bot_version": "2.1"},
    "scores": [{"name": "thumbs", "value": 1}],
    "observations": [
        _generation(CHAT[:-1], CHAT[-1], "2026-11-02T10:00:02.000Z"),
        {"type": "TOOL", "name": "get_order", "input": ORDER, "output": RESULT},
        _generation(CHAT[:1], CHAT[1], "2026-11-02T10:00:01.000Z"),
    ],
}

INSPECT: dict[str, Any] = {
    "version": 2,
    "status": "success",
    "eval": {"task": "support", "model": "openai/gpt-5-mini"},
    "samples": [
        {
            "id": "x1",
            "epoch": 1,
            "input": ASKED,
            "target": "depot",
            "messages": [
                {"id": "m1", "role": "user", "content": ASKED, "source": "input"},
                {
                    "id": "m2",
                    "role": "assistant",
                    "content": LOOKED,
                    "source": "generate",
                    "tool_calls": [
                        {
                            "id": "c1",
                            "function": "get_order",
                            "arguments": ORDER,
                            "type": "function",
                        },
                        {"id": "c2", "function": "get_time", "arguments": {}, "type": "function"},
                    ],
                },
                {"role": "tool", "content": RESULT, "tool_call_id": "c1", "function": "get_order"},
                {
                    "role": "tool",
                    "content": "noon",
                    "tool_call_id": "c2",
                    "function": "get_time",
                },
                {"role": "assistant", "content": SAID},
            ],
            "scores": {"match": {"value": "C"}},
        }
    ],
}

EXAMPLES: dict[str, tuple[str, Any]] = {
    "openai": ("openai", OPENAI),
    "openai-responses": ("openai-responses", RESPONSES),
    "anthropic": ("anthropic", ANTHROPIC),
    "langchain": ("langchain", LANGCHAIN),
    "langgraph": ("langchain", LANGGRAPH),
    "otel": ("otel-genai", OTEL),
    "otel-events": ("otel-genai", OTEL_EVENTS),
    "phoenix": ("phoenix", PHOENIX),
    "phoenix-frame": ("phoenix", PHOENIX_FRAME),
    "langfuse": ("langfuse", LANGFUSE),
    "inspect": ("inspect", INSPECT),
}
