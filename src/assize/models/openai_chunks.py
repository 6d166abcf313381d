"""The chunks of a streamed chat completion, put together to the body of a whole one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assize.errors import ServerError


class Chunks:
    """What has arrived so far of an answer."""

    def __init__(self) -> None:
        self._text: list[str] = []
        self._refusal: list[str] = []
        self._finish: str | None = None
        self._usage: Mapping[str, Any] = {}
        self._model: Any = ""

    def add(self, chunk: Mapping[str, Any]) -> str:
        """Takes the next chunk; returns its text, which may be empty.

        Raises:
            ServerError: it has another form than the protocol's.
        """
        try:
            self._model = chunk.get("model") or self._model
            self._usage = chunk.get("usage") or self._usage
            choices = chunk.get("choices") or ()
            return self._choice(choices[0]) if choices else ""
        except (LookupError, TypeError, AttributeError) as error:
            raise ServerError(f"the server streamed another form ({error!r})") from error

    def _choice(self, choice: Mapping[str, Any]) -> str:
        delta = choice.get("delta") or {}
        self._refusal += [str(delta.get("refusal") or "")]
        self._finish = choice.get("finish_reason") or self._finish
        text = str(delta.get("content") or "")
        self._text.append(text)
        return text

    def end(self) -> None:
        """Takes the mark that says there is no more."""
        self._finish = "stop" if self._finish is None else self._finish

    def whole(self) -> dict[str, Any]:
        """The body, as an answer in one piece has it.

        Raises:
            ServerError: the answer broke off.
        """
        if self._finish is None:
            raise ServerError("the answer broke off before its end")
        refusal = "".join(self._refusal)
        text = "".join(self._text)
        message = {"content": text or None, "refusal": refusal or None}
        choice = {"message": message, "finish_reason": self._finish}
        return {"choices": [choice], "model": self._model, "usage": self._usage}
