"""One row of each chat-log format."""

from __future__ import annotations

from typing import Any

TOOL_CALL = {"id": "call_1", "type": "function", "function": {"name": "now", "arguments": "{}"}}
IMAGE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA=="}}

# One row of each format as it is found in the wild.
ROWS: dict[str, dict[str, Any]] = {
    "openai": {
        "id": "chatcmpl-1",
        "model": "gpt-4o",
        "messages": [
            {"role": "developer", "content": "Answer briefly."},
            {
                "role": "user",
                "content": [
                    {"type": "text", "text": "What is"},
                    IMAGE,
                    {"type": "text", "text": "this?"},
                ],
                "name": "ada",
            },
            {"role": "assistant", "content": None, "tool_calls": [TOOL_CALL]},
            {"role": "tool", "content": "noon", "tool_call_id": "call_1"},
            {"role": "function", "content": "noon", "name": "now"},
            {"role": "assistant", "tool_calls": [TOOL_CALL]},
            {"role": "assistant", "content": "It is noon."},
        ],
        "metadata": {"team": "a"},
        "tools": [{"type": "function"}],
        "temperature": 0.2,
    },
    "sharegpt": {
        "id": "s1",
        "conversations": [
            {"from": "human", "value": "Hi", "weight": 0},
            {"from": "gpt", "value": "Hello!"},
            {"from": "function_call", "value": "{}"},
            {"from": "observation", "value": "42"},
            {"from": "chatgpt", "value": "42."},
        ],
        "source": "web",
        "tools": "[]",
    },
    "hh-rlhf": {
        "id": "h1",
        "chosen": "\n\nHuman: Hi\n\nAssistant: Hello\n\nmore\n\nHuman: And?\n\nAssistant: Yes.",
        "rejected": "\n\nHuman: Hi\n\nAssistant: Hello\n\nmore\n\nHuman: And?\n\nAssistant:  No.",
    },
    "trl": {
        "id": "t1",
        "prompt": [{"role": "user", "content": "Hi"}],
        "chosen": [{"role": "assistant", "content": "Hello!"}],
        "rejected": [{"role": "assistant", "content": "Go away."}],
        "score_chosen": 9.5,
    },
}
