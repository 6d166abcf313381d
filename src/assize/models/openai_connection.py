"""A connection to an endpoint that speaks OpenAI's protocol: the SDK's client, and HTTP below it.

The SDK keeps addresses, headers and keys, and carries streams and batches. Whole answers go past
it: its typed options and responses take as much processor time as the rest of a call.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from assize.base.endpoints import OPENAI_KEY, address, key_in, of_http, of_sdk, of_status, safe
from assize.base.errors import AuthenticationError, ModelError
from assize.base.privacy import plain_headers

if TYPE_CHECKING:
    import httpx2
    import openai

    from assize.base.http_client import BoundedClient

OFFICIAL = "https://api.openai.com/v1"
_PATH = "/chat/completions"


@dataclass(frozen=True, slots=True)
class Connection:
    """An endpoint's connection.

    Args:
        sdk: the client of streams and batches.
        http: the client below it, which bounds every attempt.
        url: of chat completions.
        headers: as the SDK makes them of the key and the environment, without the machine.
    """

    sdk: openai.AsyncOpenAI
    http: BoundedClient
    url: httpx2.URL
    headers: httpx2.Headers

    @property
    def address(self) -> str:
        """The endpoint's address, without user, password and query."""
        return address(str(self.sdk.base_url))

    @property
    def official(self) -> bool:
        """Whether it is OpenAI's own."""
        return str(self.sdk.base_url).startswith(OFFICIAL)

    async def post(self, body: Mapping[str, Any]) -> bytes:
        """Return a whole answer, as it came.

        Raises:
            ModelError: there is none.
        """
        try:
            content = json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode()
            response = await self.http.post(self.url, content=content, headers=self.headers)
        except Exception as error:
            raise of_http(error, str(self.url)) from error
        if not response.is_success:
            raise _status_error(response, str(self.url))
        return response.content

    async def stream(self, body: Mapping[str, Any]) -> openai.AsyncStream[object]:
        """Return an answer's events.

        Raises:
            ModelError: there is none.
        """
        import openai

        kind = openai.AsyncStream[object]
        try:
            return await self.sdk.post(
                _PATH, body=body, cast_to=object, stream=True, stream_cls=kind
            )
        except Exception as error:
            raise of_sdk(error, "openai") from error

    async def aclose(self) -> None:
        """Close it."""
        await self.sdk.close()


def connect(base_url: str | None, *, timeout: float) -> Connection:
    """Return the connection to an endpoint; the key comes from `OPENAI_API_KEY`.

    Raises:
        AuthenticationError: OpenAI's own endpoint needs a key.
        ConfigError: the address is none.
    """
    import httpx2
    import openai

    from assize.base.http_client import BoundedClient

    url = base_url or os.environ.get("OPENAI_BASE_URL") or OFFICIAL
    address(url)  # refuses what is none
    key = key_in(OPENAI_KEY)
    if not key and url.startswith(OFFICIAL):
        raise AuthenticationError(f"there is no key for {OFFICIAL}: set {OPENAI_KEY}")
    http = BoundedClient(timeout=timeout)
    sdk = openai.AsyncOpenAI(
        api_key=key or "none", base_url=url, timeout=timeout, max_retries=0, http_client=http
    )
    every = {**sdk.auth_headers, **sdk.default_headers}
    headers = httpx2.Headers(
        {name: value for name, value in every.items() if isinstance(value, str)}
    )
    return Connection(
        sdk,
        http,
        httpx2.URL(f"{str(sdk.base_url).rstrip('/')}{_PATH}"),
        plain_headers(headers),
    )


def _status_error(response: httpx2.Response, url: str) -> ModelError:
    """The error of an answer's status, with the message that its body tells."""
    status, text = f"Error code: {response.status_code}", response.text.strip()
    message, code = text or status, ""
    try:
        body = json.loads(text)
    except (ValueError, RecursionError):
        pass
    else:
        problem = body.get("error", body) if isinstance(body, Mapping) else None
        details = problem if isinstance(problem, Mapping) else {}
        message = status + (f" - {details['message']}" if details.get("message") else "")
        code = str(details.get("code") or "")
    return of_status(response.status_code, safe(message), response.headers, code, url)
