"""Lines of data out of a stream, and the errors that it tells of."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import httpx2
import pytest

from assize import errors
from assize.models.sse import data_lines, event, is_streamed


class _Parts(httpx2.AsyncByteStream):
    def __init__(self, *parts: bytes) -> None:
        self._parts = parts

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for part in self._parts:
            yield part


def read(*parts: bytes) -> list[str]:
    async def once() -> list[str]:
        response = httpx2.Response(200, stream=_Parts(*parts))
        return [line async for line in data_lines(response)]

    return asyncio.run(once())


def test_data_is_read_whatever_the_parts_and_line_ends() -> None:
    assert read(b'data: {"a"', b":1}\r\n\r\nda", b"ta:[DONE]\n\n") == ['{"a":1}', "[DONE]"]


def test_comments_and_other_fields_are_passed_over() -> None:
    assert read(b": ping\n\nevent: x\nid: 7\ndata: {}\nretry: 3\n\n") == ["{}"]


def test_a_character_split_over_two_parts_is_whole() -> None:
    assert read("data: é\n".encode()[:7], "data: é\n".encode()[7:]) == ["é"]


def test_only_event_streams_are_streamed() -> None:
    for kind, expected in (("text/event-stream; charset=utf-8", True), ("application/json", False)):
        assert is_streamed(httpx2.Response(200, headers={"content-type": kind})) is expected


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        ('{"error": {"message": "m", "type": "overloaded_error"}}', errors.RateLimitError),
        ('{"error": {"message": "m", "code": "rate_limit_exceeded"}}', errors.RateLimitError),
        ('{"error": {"message": "m", "code": 400}}', errors.BadRequestError),
        ('{"error": {"message": "m", "code": "context_length_exceeded"}}', errors.TooLongError),
        ('{"error": {"message": "m", "code": "insufficient_quota"}}', errors.AuthenticationError),
        ('{"error": {"message": "m", "type": "timeout_error"}}', errors.ModelTimeout),
        ('{"error": {"message": "m"}}', errors.ServerError),
        ('{"error": "broken"}', errors.ServerError),
        ("<html>", errors.ServerError),
        ("[1]", errors.ServerError),
        ("[" * 100_000, errors.ServerError),
    ],
)
def test_each_error_has_its_kind(data: str, kind: type[errors.ModelError]) -> None:
    with pytest.raises(kind) as raised:
        event(data)
    assert raised.type is kind
