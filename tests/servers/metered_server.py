"""A chat server that charges as much as any could: a token for each byte, and some of its own."""

from __future__ import annotations

import json
import random

from counting_server import CountingServer, response_of

from assize.models.scripted import example

OWN = 500  # tokens that it adds to a call, as for tools


class MeteredServer(CountingServer):
    """Charges for each call when it arrives, whoever hears the answer, or whether it breaks off.

    A tenth of the calls is answered with 429, which costs nothing, and a tenth is charged and
    broken off. Answers have any length that was allowed.
    """

    def __init__(self, draw: random.Random, dollars_a_million: float) -> None:
        super().__init__()
        self.dollars = 0.0
        self.calls = 0
        self._draw = draw
        self._price = dollars_a_million / 1e6

    def reply(self, body: bytes) -> bytes:
        """Counts a request; the whole HTTP response, b"" to break off."""
        luck = self._draw.random()
        if luck < 0.1:
            return response_of({"error": {"message": "slow down"}}, "429 Too Many Requests")
        self.calls += 1
        asked = json.loads(body)
        text = sum(len(one["content"].encode()) for one in asked["messages"])
        shape = asked["response_format"]
        came_in = text + 6 * len(asked["messages"]) + len(json.dumps(shape["json_schema"])) + OWN
        went_out = self._draw.randint(1, asked["max_tokens"])
        self.dollars += (came_in + went_out) * self._price
        if luck > 0.9:
            return b""
        answer = example(shape["json_schema"]["schema"], self._draw.choice)
        message = {"role": "assistant", "content": json.dumps(answer)}
        return response_of(
            {
                "id": "1",
                "object": "chat.completion",
                "created": 1,
                "model": "tiny",
                "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
                "usage": {"prompt_tokens": came_in, "completion_tokens": went_out},
            }
        )
