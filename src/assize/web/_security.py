"""What guards every request: where it comes from, how large it is, what its page may do.

The policy allows scripts and styles of this server alone, no inline ones, no `eval`, and no
request to anywhere else.
"""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LARGEST = 2_000_000  # bytes of a request's body
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
    " connect-src 'self'; font-src 'self'; form-action 'self'; base-uri 'none';"
    " frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "x-frame-options": "DENY",
}
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
LOCAL = frozenset({"localhost", "127.0.0.1", "[::1]"})


class TooLarge(Exception):
    """The body of a request holds more than is taken."""


class Guard:
    """Around the whole app: refuses what comes from other sites or is too large, adds headers.

    Args:
        local: whether only this machine's names are answered to, so that no other name can be
            bound to it (`--open`).
    """

    def __init__(self, app: ASGIApp, *, local: bool = False) -> None:
        self._app = app
        self._local = local

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        seen = 0
        begun = False

        async def limited() -> Message:
            nonlocal seen
            message = await receive()
            seen += len(message.get("body", b""))
            if seen > LARGEST:
                raise TooLarge
            return message

        async def guarded(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                headers.setdefault("cache-control", "no-store")
            await send(message)

        refused = self._refused(scope["method"], Headers(scope=scope))
        if refused is not None:
            await refused(scope, receive, guarded)
            return
        try:
            await self._app(scope, limited, guarded)
        except TooLarge:
            if begun:
                raise
            await _too_large()(scope, receive, guarded)

    def _refused(self, method: str, headers: Mapping[str, str]) -> PlainTextResponse | None:
        host = headers.get("host", "")
        if self._local and host.rpartition(":")[0] not in LOCAL and host not in LOCAL:
            return PlainTextResponse("This server answers to localhost only.", 421)
        if method not in SAFE and not _same_site(headers, host):
            return PlainTextResponse("This came from another site and was not done.", 403)
        length = headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > LARGEST:
            return _too_large()
        return None


def _too_large() -> PlainTextResponse:
    headers = {"connection": "close"}
    return PlainTextResponse(f"At most {LARGEST:,} bytes are taken.", 413, headers)


def _same_site(headers: Mapping[str, str], host: str) -> bool:
    """As the browser says it; clients that are no browser say neither and need the token."""
    site = headers.get("sec-fetch-site")
    if site is not None and site not in ("same-origin", "none"):
        return False
    origin = headers.get("origin")
    return origin is None or urlsplit(origin).netloc == host
