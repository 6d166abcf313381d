"""`openai:NAME`: an embeddings endpoint that speaks OpenAI's protocol."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assize.base.endpoints import OPENAI_KEY, address, explain_key, key_in, of_sdk
from assize.base.errors import AnswerError, AuthenticationError, ConfigError
from assize.encoders.batching import CHUNK_CHARACTERS, CHUNK_TEXTS, chunks, distinct, unit
from assize.encoders.encoder import Encoding, Floats, readable, signature_of
from assize.running import run_sync

OFFICIAL = "https://api.openai.com/v1"
WINDOW = 8000  # characters: below the 8,192 tokens that OpenAI takes in nearly every script
REQUEST_TEXTS = 256
REQUEST_CHARACTERS = 200_000  # OpenAI takes 300,000 tokens a request
VERSION = 1  # rises when the same settings give other vectors


class Endpoint:
    """Embeddings from a server; the key comes from `OPENAI_API_KEY`.

    A text longer than `window` characters is sent in several pieces, cut at a blank where there is
    one: set it below what the model takes, for a server that cuts longer texts without a word would
    do so here. An empty text, which endpoints refuse, has a vector of zeros.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None = None,
        window: int = WINDOW,
        timeout: float = 60.0,
        retries: int = 4,
    ) -> None:
        if window < 1:
            raise ConfigError(f"window {window} is below 1 character")
        url = base_url or os.environ.get("OPENAI_BASE_URL") or OFFICIAL
        key = key_in(OPENAI_KEY)
        if not key and url.startswith(OFFICIAL):
            raise AuthenticationError(f"there is no key for {OFFICIAL}: set {OPENAI_KEY}")
        self.name = f"openai:{model}"
        self._model = model
        self._window = window
        self._connection = key or "none", url, timeout, retries
        self._dimension: int | None = None
        self.details: Mapping[str, object] = {
            "encoder": "openai",
            "model": model,
            "endpoint": address(url),
            "window_characters": window,
            "normalised": True,
            "version": VERSION,
        }
        self.signature = signature_of(self.details)

    @property
    def dimension(self) -> int:
        """The length of a vector; one text is sent to learn it where none was yet."""
        if self._dimension is None:
            self._ask(["length"])
        assert self._dimension is not None
        return self._dimension

    def encode(self, texts: Sequence[str], *, tokens: bool = False) -> Encoding:
        """The vectors of `texts`; see `Encoder`."""
        if tokens:
            raise ConfigError(
                f"{self.name} gives no token states, as no endpoint does; "
                "use the encoder minilm or hf:PATH"
            )
        places, order = distinct(texts)
        found = [self._encode_chunk(one) for one in chunks(places, CHUNK_TEXTS, CHUNK_CHARACTERS)]
        if not found:
            return Encoding(np.empty((0, self.dimension), np.float32), np.empty(0, np.int64))
        vectors = np.concatenate([vectors for vectors, _ in found])
        windows = np.concatenate([windows for _, windows in found])
        return Encoding(vectors[order], windows[order])

    def _encode_chunk(self, texts: Sequence[str]) -> tuple[Floats, NDArray[np.int64]]:
        cuts = [pieces(readable(text), self._window) for text in texts]
        sent = [piece for one in cuts for piece in one]
        owners = np.repeat(np.arange(len(texts)), [len(one) for one in cuts])
        weights = np.array([len(piece) for piece in sent], np.float64)
        answers = [self._ask(one) for one in chunks(sent, REQUEST_TEXTS, REQUEST_CHARACTERS)]
        totals = np.zeros((len(texts), self.dimension))
        if answers:
            np.add.at(totals, owners, unit(np.concatenate(answers)) * weights[:, None])
        counts = np.array([max(1, len(one)) for one in cuts], np.int64)
        return unit(totals), counts

    def _ask(self, texts: list[str]) -> NDArray[np.float64]:
        """One request: the vectors (texts, D) in the order of the texts."""
        with explain_key(self.name, OPENAI_KEY):
            try:
                answer = run_sync(lambda: self._request(texts))
            except Exception as error:
                raise of_sdk(error, "openai") from error
        try:
            ordered = sorted(answer.data, key=lambda one: one.index)
            vectors = np.array([one.embedding for one in ordered], np.float64)
            numbered = [one.index for one in ordered] == list(range(len(texts)))
        except (TypeError, ValueError, AttributeError) as error:
            raise AnswerError(f"{self.name} answered without vectors ({error!r})") from error
        if not numbered or vectors.ndim != 2 or not np.isfinite(vectors).all():
            raise AnswerError(
                f"{self.name} answered {len(ordered)} vectors to {len(texts)} texts, "
                "or vectors of unlike length, or not of finite numbers"
            )
        if self._dimension not in (None, vectors.shape[1]):
            raise AnswerError(
                f"{self.name} answered vectors of length {vectors.shape[1]}, "
                f"before of length {self._dimension}"
            )
        self._dimension = vectors.shape[1]
        return vectors

    async def _request(self, texts: list[str]) -> Any:
        import openai

        from assize.base.http_client import BoundedClient

        key, url, timeout, retries = self._connection
        async with openai.AsyncOpenAI(
            api_key=key,
            base_url=url,
            timeout=timeout,
            max_retries=retries,
            http_client=BoundedClient(timeout=timeout),
        ) as client:
            return await client.embeddings.create(
                model=self._model, input=texts, encoding_format="float"
            )


def pieces(text: str, window: int) -> list[str]:
    """The text in as few pieces of at most `window` characters as can be; none when empty.

    A piece ends after a blank where one stands in its last tenth.

    >>> pieces("one two three", 8)
    ['one two ', 'three']
    """
    found = []
    start = 0
    while len(text) - start > window:
        end = start + window
        blank = text.rfind(" ", end - max(1, window // 10), end)
        end = end if blank < 0 else blank + 1
        found.append(text[start:end])
        start = end
    return [*found, text[start:]] if text[start:] else found
