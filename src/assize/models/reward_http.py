"""`http://...`, `https://...`: a reward endpoint, asked for one number a conversation.

It is sent `{"messages": [{"role": .., "content": ..}, ..]}`, with `"model"` where the address
ends in `#NAME`, and answers `{"score": 1.5}`. `reward` in place of `score` is understood, and
so is what vLLM's `/pooling` answers: `{"data": [{"data": [1.5]}]}`.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any
from urllib.parse import urldefrag

from assize.base.endpoints import REWARD_KEY, address, key_in, of_http, of_status, safe
from assize.base.errors import ServerError
from assize.base.judgment import Usage
from assize.models.model import Capability, Reply, Request, token_count, wire

if TYPE_CHECKING:
    from assize.models.opening import Models


class HTTPReward:
    """A reward endpoint, `url#NAME` where it serves several; the key: `ASSIZE_REWARD_KEY`."""

    capabilities: frozenset[Capability] = frozenset()

    def __init__(self, url: str, *, timeout: float) -> None:
        from assize.base.http_client import BoundedClient

        address(url)  # refuses what is none
        self._url, self._model = urldefrag(url)
        self.name = address(self._url) + (f"#{self._model}" if self._model else "")
        key = key_in(REWARD_KEY)
        headers = {} if key is None else {"authorization": f"Bearer {key}"}
        self._client = BoundedClient(timeout=timeout, headers=headers)
        self.identity = f"reward {self.name}"

    async def ask(self, request: Request) -> Reply:
        """The number as text; raises a ModelError where there is none."""
        import httpx2

        body: dict[str, Any] = {"messages": wire(request.messages)}
        if self._model:
            body["model"] = self._model
        try:
            answer = await self._client.post(self._url, json=body)
        except Exception as error:
            raise of_http(error, self._url) from error
        if answer.status_code != httpx2.codes.OK:
            words = safe(answer.text[:500])
            raise of_status(answer.status_code, words, answer.headers, url=self._url)
        return read_reward(answer.text, self.name)

    async def aclose(self) -> None:
        """Closes the connections."""
        await self._client.aclose()


def read_reward(text: str, name: str) -> Reply:
    """Return the number that an endpoint's answer holds, as text; ServerError where it has none."""
    try:
        value = json.loads(text)
        number = _number_in(value)
    except OverflowError:  # an integer that no float holds
        number = None
    except (ValueError, RecursionError) as error:
        raise ServerError(f"{name} answered no JSON ({error})") from error
    if number is None or not math.isfinite(number):
        raise ServerError(f"{name} answered without a `score`: {text[:200]}")
    return Reply(json.dumps(number), usage=_usage(value), model=name)


def _usage(value: Any) -> Usage:
    """What an answer says of its tokens, as vLLM's does; nothing where it says nothing."""
    try:
        return Usage(token_count(value["usage"]["prompt_tokens"]), 0)
    except (LookupError, TypeError, ValueError):
        return Usage()


def _number_in(value: Any) -> float | None:
    """The one number of an answer, whichever of the known shapes it has."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return float(value)
    if isinstance(value, list):
        return _number_in(value[0]) if len(value) == 1 else None
    if isinstance(value, Mapping):
        for field in ("score", "reward", "scores", "rewards", "data", "embedding"):
            if field in value:
                return _number_in(value[field])
    return None


def open_https(name: str, models: Models, *, scheme: str = "https") -> HTTPReward:
    """A reward endpoint."""
    return HTTPReward(f"{scheme}:{name}", timeout=models.settings.timeout)


open_http = partial(open_https, scheme="http")
