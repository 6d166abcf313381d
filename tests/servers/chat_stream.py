"""Answers of the chat server as server-sent events, as OpenAI spells them."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

from fastapi.responses import StreamingResponse

Body = dict[str, Any]
Pace = Callable[[int], None]  # called in a thread before each event; may block

FAULTS = (
    "stream_cut",  # the connection is torn
    "stream_ends",  # it ends politely, in the middle
    "stream_error",  # an event tells of an error
    "stream_overloaded",
    "stream_not_json",
)
_AFTER = 5  # events before a fault


def openai_events(body: Body, answer: Body) -> Iterator[str]:
    """The chunks of a chat completion."""
    choice = answer["choices"][0]
    shared = {"id": answer["id"], "object": "chat.completion.chunk", "model": answer["model"]}
    yield _data(shared | {"choices": [_choice({"role": "assistant", "content": ""})]})
    for piece in pieces(choice["message"].get("content") or ""):
        yield _data(shared | {"choices": [_choice({"content": piece})]})
    yield _data(shared | {"choices": [_choice({}, finish=choice["finish_reason"])]})
    if (body.get("stream_options") or {}).get("include_usage"):
        yield _data(shared | {"choices": [], "usage": answer["usage"]})
    yield "data: [DONE]\n\n"


def pieces(text: str) -> list[str]:
    """A text in words, spaces with the word before."""
    return re.findall(r"\s*\S+\s*", text)


def streamed(
    events: Iterator[str], fault: str | None, pace: Pace | None, abort: Callable[[], None]
) -> StreamingResponse:
    """The events, one a part, up to a fault."""

    async def parts() -> AsyncIterator[str]:
        for number, event in enumerate(events):
            if pace is not None:
                await asyncio.to_thread(pace, number)
            if fault is not None and number == _AFTER:
                if fault == "stream_cut":
                    abort()
                elif fault == "stream_not_json":
                    yield "data: <html>busy</html>\n\n"
                elif fault != "stream_ends":
                    yield _error(fault)
                return
            yield event

    return StreamingResponse(parts(), media_type="text/event-stream")


def _error(fault: str) -> str:
    kind = "overloaded_error" if fault == "stream_overloaded" else "server_error"
    error = {"type": kind, "message": "Something broke, with sk-live-12345678."}
    return f"event: error\ndata: {json.dumps({'type': 'error', 'error': error})}\n\n"


def _choice(delta: Body, *, finish: str | None = None) -> Body:
    return {"index": 0, "delta": delta, "finish_reason": finish}


def _data(value: Body) -> str:
    return f"data: {json.dumps(value)}\n\n"
