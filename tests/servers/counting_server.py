"""A chat server in a thread that counts what it was asked and what it charged for it."""

from __future__ import annotations

import asyncio
import hashlib
import json
import threading
from collections import Counter
from typing import Any

TOKENS_IN, TOKENS_OUT = 10, 5


class CountingServer:
    """Answers every chat completion after `latency` seconds; use as a context manager.

    A reply's `model` is the digest of the messages it answers, so that whoever finds a stored
    reply knows which question is not to be asked again.
    """

    def __init__(self, latency: float = 0.01, text: str = '{"answer": "A"}') -> None:
        self.latency = latency
        self.text = text
        self.asked: Counter[str] = Counter()
        self.open: set[Any] = set()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)

    def __enter__(self) -> CountingServer:
        self._thread.start()
        serving = self._loop.create_server(lambda: _Connection(self), "127.0.0.1", 0)
        self._server = asyncio.run_coroutine_threadsafe(serving, self._loop).result()
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}/v1"
        return self

    def __exit__(self, *_: object) -> None:
        async def close() -> None:
            self._server.close()
            for transport in list(self.open):
                transport.abort()
            await asyncio.sleep(0)  # lets them be closed

        asyncio.run_coroutine_threadsafe(close(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def charged(self, dollars_a_million: float) -> float:
        """US dollars for all that arrived, whether or not anybody heard the answer."""
        return self.asked.total() * (TOKENS_IN + TOKENS_OUT) * dollars_a_million / 1e6

    def reply(self, body: bytes) -> bytes:
        """Counts a request; the whole HTTP response."""
        messages = json.loads(body)["messages"]
        digest = hashlib.sha256(json.dumps(messages).encode()).hexdigest()[:16]
        self.asked[digest] += 1
        message = {"role": "assistant", "content": self.text}
        value = {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 1,
            "model": digest,
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            "usage": {
                "prompt_tokens": TOKENS_IN,
                "completion_tokens": TOKENS_OUT,
                "total_tokens": TOKENS_IN + TOKENS_OUT,
            },
        }
        return response_of(value)


def response_of(value: object, status: str = "200 OK") -> bytes:
    """Return a whole HTTP response."""
    data = json.dumps(value).encode()
    head = f"HTTP/1.1 {status}\r\ncontent-type: application/json\r\nretry-after: 0.01\r\n"
    return f"{head}content-length: {len(data)}\r\n\r\n".encode() + data


class _Connection(asyncio.Protocol):
    def __init__(self, server: CountingServer) -> None:
        self._server = server
        self._buffer = b""

    def connection_made(self, transport: Any) -> None:
        self._transport = transport
        self._server.open.add(transport)

    def connection_lost(self, _: Exception | None) -> None:
        self._server.open.discard(self._transport)

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        while (end := self._buffer.find(b"\r\n\r\n")) >= 0:
            head = self._buffer[:end].lower()
            place = head.find(b"content-length:")
            whole = end + 4 + int(head[place + 15 :].split(b"\r\n")[0])
            if len(self._buffer) < whole:
                return
            body, self._buffer = self._buffer[end + 4 : whole], self._buffer[whole:]
            reply = self._server.reply(body)
            self._server._loop.call_later(self._server.latency, self._answer, reply)

    def _answer(self, reply: bytes) -> None:
        if not reply:
            self._transport.abort()
        elif not self._transport.is_closing():
            self._transport.write(reply)
