"""Chunks of a streamed completion become pieces of text, and the body of a whole one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import httpx2
import openai
import pytest

from assize.base import errors
from assize.base.secrets import keep
from assize.models import Request, messages
from assize.models.openai import OpenAIModel
from assize.models.openai_connection import connect
from assize.models.openai_stream import StreamedAnswer, is_streamed

STREAMED = "text/event-stream; charset=utf-8"


def chunk(content: str | None = None, *, finish: str | None = None, **more: Any) -> dict[str, Any]:
    delta = {"content": content} | more
    return {"model": "m", "choices": [{"delta": delta, "finish_reason": finish}]}


def test_text_finish_usage_and_model_are_put_together() -> None:
    answer = StreamedAnswer()
    assert [answer.add(chunk("Hi")), answer.add(chunk(" you", finish="length"))] == ["Hi", " you"]
    assert answer.add({"choices": [], "usage": {"completion_tokens": 2}}) == ""
    body = answer.body()
    assert body["choices"][0]["message"]["content"] == "Hi you"
    assert body["choices"][0]["finish_reason"] == "length"
    assert (body["model"], body["usage"]) == ("m", {"completion_tokens": 2})


def test_a_refusal_is_kept_apart_from_the_text() -> None:
    answer = StreamedAnswer()
    assert answer.add(chunk(refusal="I can", finish="stop")) == ""
    assert answer.body()["choices"][0]["message"] == {"content": None, "refusal": "I can"}


def test_reasoning_that_a_server_streams_beside_the_text_is_passed_over() -> None:
    assert StreamedAnswer().add(chunk(None, reasoning_content="hmm")) == ""


def test_without_a_finish_the_answer_broke_off() -> None:
    answer = StreamedAnswer()
    answer.add(chunk("Hi"))
    with pytest.raises(errors.ServerError, match="broke off"):
        answer.body()


@pytest.mark.parametrize(
    "wrong", [[1], "text", {"choices": 3}, {"choices": [3]}, {"choices": [{"delta": 3}]}]
)
def test_another_form_is_a_servers_error(wrong: Any) -> None:
    with pytest.raises(errors.ServerError, match="another form"):
        StreamedAnswer().add(wrong)


def test_text_that_begins_like_a_secret_is_handed_on_once_it_is_none() -> None:
    keep("swordfish-and-chips")
    answer = StreamedAnswer()
    pieces = [answer.add(chunk(text)) for text in ("a sword", "fish", " swims s")]
    assert pieces == ["a ", "", "swordfish swims "]
    assert answer.rest("a swordfish swims s") == "s"


def test_only_event_streams_are_streamed() -> None:
    for kind, expected in ((STREAMED, True), ("application/json", False)):
        assert is_streamed(httpx2.Response(200, headers={"content-type": kind})) is expected


async def read(*parts: bytes) -> list[Any]:
    """What the provider streams of a response whose body comes in these parts."""

    async def body() -> AsyncIterator[bytes]:
        for part in parts:
            yield part

    def answer(_: httpx2.Request) -> httpx2.Response:
        return httpx2.Response(200, headers={"content-type": STREAMED}, content=body())

    http = httpx2.AsyncClient(transport=httpx2.MockTransport(answer))
    sdk = openai.AsyncOpenAI(api_key="none", base_url="http://m/v1", http_client=http)
    connection = replace(connect("http://m/v1", timeout=1), sdk=sdk)
    request = Request(messages(("user", "Hi")))
    return [part async for part in OpenAIModel("m", connection).stream(request)]


DATA = 'data: {"choices": [{"delta": {"content": "é"}, "finish_reason": "stop"}]}'.encode()


@pytest.mark.parametrize(
    "parts",
    [
        (DATA[:9], DATA[9:] + b"\r\n\r\nda", b"ta: [DONE]\n\n"),
        (b": ping\n\nevent: x\nid: 7\n" + DATA + b"\nretry: 3\n\n",),
        (DATA[:43], DATA[43:] + b"\n\n"),  # in the middle of a character
    ],
)
def test_events_are_read_whatever_the_parts_and_line_ends(parts: tuple[bytes, ...]) -> None:
    piece, reply = asyncio.run(read(*parts))
    assert piece == reply.text == "é"


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b'{"error": {"message": "m", "type": "overloaded_error"}}', errors.RateLimitError),
        (b'{"error": {"message": "m", "code": "rate_limit_exceeded"}}', errors.RateLimitError),
        (b'{"error": {"message": "m", "code": 400}}', errors.BadRequestError),
        (b'{"error": {"message": "m", "code": "context_length_exceeded"}}', errors.TooLongError),
        (b'{"error": {"message": "m", "code": "insufficient_quota"}}', errors.AuthenticationError),
        (b'{"error": {"message": "m", "type": "timeout_error"}}', errors.ModelTimeout),
        (b'{"error": {"message": "m"}}', errors.ServerError),
        (b'{"error": "broken"}', errors.ServerError),
        (b"<html>", errors.ServerError),
        (b"[1]", errors.ServerError),
        (b"[" * 100_000, errors.ServerError),
    ],
)
def test_each_error_has_its_kind(data: bytes, kind: type[errors.ModelError]) -> None:
    with pytest.raises(kind) as raised:
        asyncio.run(read(b"data: " + data + b"\n\n"))
    assert raised.type is kind
    assert raised.value.may_cost
