"""A streamed chat completion: its text as it comes, and the body of a whole one at the end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from assize.base.endpoints import of_event, of_sdk
from assize.base.errors import ModelError, ServerError
from assize.base.secrets import redacted, undecided

if TYPE_CHECKING:
    import httpx2


class StreamedAnswer:
    """What has arrived so far of an answer; text is handed on without secrets, which a server may
    split over pieces."""

    def __init__(self) -> None:
        self._text: list[str] = []
        self._refusal: list[str] = []
        self._finish: str | None = None
        self._usage: Mapping[str, Any] = {}
        self._model: Any = ""
        self._held_back = ""
        self._released = 0  # characters

    def add(self, chunk: Any) -> str:
        """Take the next chunk; return the text that can be handed on by now, which may be empty.

        Raises:
            ServerError: it has another form than the protocol's.
        """
        try:
            self._model = chunk.get("model") or self._model
            self._usage = chunk.get("usage") or self._usage
            choices = chunk.get("choices")
            if choices:
                delta = choices[0].get("delta") or {}
                self._finish = choices[0].get("finish_reason") or self._finish
                self._refusal.append(str(delta.get("refusal") or ""))
                self._text.append(str(delta.get("content") or ""))
                self._held_back += self._text[-1]
        except (LookupError, TypeError, AttributeError) as error:
            raise ServerError(f"the server streamed another form ({error!r})") from error
        text = redacted(self._held_back)
        end = len(text) - undecided(text)  # with the rest a secret may begin
        self._held_back = text[end:]
        self._released += end
        return text[:end]

    def rest(self, text: str) -> str:
        """Return what was not handed on yet of the whole text, without secrets."""
        return text[self._released :]

    def body(self) -> dict[str, Any]:
        """Return the body, as an answer in one piece has it.

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


def is_streamed(response: httpx2.Response) -> bool:
    """Whether events follow; some servers answer as a whole though a stream was asked for."""
    return str(response.headers.get("content-type", "")).lower().startswith("text/event-stream")


def of_stream(error: Exception) -> ModelError:
    """Our error for one that the SDK raises while it reads events."""
    import openai

    if type(error) is openai.APIError:  # an event tells of it
        return of_event(error.body)
    return of_sdk(error, "openai")
