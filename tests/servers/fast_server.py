"""A mock of the chat protocol in a process of its own, for benchmarks: it costs next to nothing.

    python fast_server.py --latency 0.05      prints its port, serves until killed

`GET /stats` gives the calls served and how many were in flight on average and at most.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.request import urlopen

ANSWER = '{"answer":"A"}'
ASPECTS = [
    "Accuracy",
    "Logicality",
    "Conversationality",
    "Relevance",
    "Personalization",
    "Creativity",
    "Interactivity",
    "Emotionality",
    "Informativeness",
    "Safety",
    "Overall",
]
ELEVEN = json.dumps({"explanation": "Both are much the same."} | dict.fromkeys(ASPECTS, "tie"))


def reply(logprobs: bool, text: str = ANSWER) -> bytes:
    """A whole HTTP response."""
    content = None
    if logprobs:
        top = [{"token": t, "logprob": p, "bytes": [65]} for t, p in (("A", -0.2), ("B", -1.8))]
        shown = top + [{"token": f"t{n}", "logprob": -9.0, "bytes": [65]} for n in range(6)]
        pieces = ['{"', "answer", '":"', "A", '"}']
        content = {
            "content": [
                {"token": piece, "logprob": -0.2, "bytes": [65], "top_logprobs": shown}
                for piece in pieces
            ]
        }
    body = json.dumps(
        {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 1,
            "model": "mock",
            "choices": [
                {
                    "index": 0,
                    "message": {"role": "assistant", "content": text},
                    "finish_reason": "stop",
                    "logprobs": content,
                }
            ],
            "usage": {"prompt_tokens": 500, "completion_tokens": 5, "total_tokens": 505},
        }
    ).encode()
    head = (
        f"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


class Mock(asyncio.Protocol):
    """One connection; requests are told apart by their content-length alone."""

    served = 0
    in_flight = 0
    peak = 0
    busy = 0.0  # in-flight calls times seconds
    changed = 0.0
    began = 0.0
    ended = 0.0

    def __init__(self, latency: float) -> None:
        self._latency = latency
        self._buffer = b""

    def connection_made(self, transport: Any) -> None:
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        while (end := self._buffer.find(b"\r\n\r\n")) >= 0:
            head = self._buffer[:end].lower()
            if head.startswith(b"get /stats"):
                self._transport.write(stats())
                self._buffer = b""
                return
            place = head.find(b"content-length:")
            length = int(head[place + 15 : place + 30].split(b"\r\n")[0]) if place >= 0 else 0
            whole = end + 4 + length
            if len(self._buffer) < whole:
                return
            body, self._buffer = self._buffer[end + 4 : whole], self._buffer[whole:]
            self._begin()
            answer = REPLIES[b'"logprobs"' in body, b'"Safety"' in body]
            asyncio.get_running_loop().call_later(self._latency, self._answer, answer)

    def _begin(self) -> None:
        count(1)
        if Mock.began == 0.0:
            Mock.began = time.perf_counter()

    def _answer(self, answer: bytes) -> None:
        count(-1)
        Mock.served += 1
        Mock.ended = time.perf_counter()
        if not self._transport.is_closing():
            self._transport.write(answer)


REPLIES = {
    (True, False): reply(True),
    (False, False): reply(False),
    (False, True): reply(False, ELEVEN),
}


def count(change: int) -> None:
    """Books a call that begins or ends."""
    now = time.perf_counter()
    Mock.busy += Mock.in_flight * (now - Mock.changed)
    Mock.changed = now
    Mock.in_flight += change
    Mock.peak = max(Mock.peak, Mock.in_flight)


def stats() -> bytes:
    """Counts since the last time they were asked for."""
    span = Mock.ended - Mock.began
    value = {"served": Mock.served, "peak": Mock.peak, "mean": Mock.busy / span if span > 0 else 0}
    Mock.served, Mock.peak, Mock.busy, Mock.began, Mock.ended = 0, 0, 0.0, 0.0, 0.0
    body = json.dumps(value).encode()
    return b"HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: %d\r\n\r\n" % len(body) + body


async def serve(latency: float) -> None:
    """Serves until killed."""
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: Mock(latency), "127.0.0.1", 0, backlog=1024)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


@contextmanager
def fast_server(latency: float) -> Iterator[str]:
    """Runs the server in a process of its own; gives what `--base-url` takes."""
    process = subprocess.Popen(
        [sys.executable, __file__, "--latency", str(latency)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    port = int(process.stdout.readline())
    try:
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        process.kill()
        process.wait()
        process.stdout.close()


def stats_of(url: str) -> dict[str, float]:
    """Calls served since the last time, mean and most in flight."""
    with urlopen(f"{url.removesuffix('/v1')}/stats") as response:
        value: dict[str, float] = json.loads(response.read())
    return value


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--latency", type=float, default=0.05)
    asyncio.run(serve(parser.parse_args().latency))
