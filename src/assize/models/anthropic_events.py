"""The events of a streamed message of Anthropic's, put together to the body of a whole one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assize.errors import ServerError


class Events:
    """What has arrived so far of an answer."""

    def __init__(self) -> None:
        self._text: list[str] = []
        self._usage: dict[str, Any] = {}
        self._stop: Any = None
        self._model: Any = ""

    def add(self, event: Mapping[str, Any]) -> str:
        """Takes the next event; returns its text, which may be empty.

        Raises:
            ServerError: it has another form than the protocol's.
        """
        try:
            return self._taken(event)
        except (LookupError, TypeError, AttributeError, ValueError) as error:
            raise ServerError(f"the server streamed another form ({error!r})") from error

    def _taken(self, event: Mapping[str, Any]) -> str:
        kind, text = event.get("type"), ""
        if kind == "message_start":
            message = event["message"]
            self._model = message.get("model")
            self._usage |= message.get("usage") or {}
        elif kind == "content_block_start":
            text = str(event["content_block"].get("text") or "")
        elif kind == "content_block_delta":
            text = str(event["delta"].get("text") or "")
        elif kind == "message_delta":
            self._stop = event["delta"].get("stop_reason") or self._stop
            self._usage |= event.get("usage") or {}
        self._text.append(text)
        return text

    def whole(self) -> dict[str, Any]:
        """The body, as an answer in one piece has it.

        Raises:
            ServerError: the answer broke off.
        """
        if self._stop is None:
            raise ServerError("the answer broke off before its end")
        content = [{"type": "text", "text": "".join(self._text)}]
        return {
            "content": content, "stop_reason": self._stop, "model": self._model,
            "usage": self._usage,
        }  # fmt: skip
