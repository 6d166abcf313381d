"""Encodings kept on disk, for training and studies: a text is encoded once, whoever asks.

One file for all encoders and processes. The key is the encoder's signature with the text, so
that nothing is found under another encoder, precision, pooling or layer. Scoring keeps
nothing: its texts are seldom seen again.
"""

from __future__ import annotations

import sqlite3
import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import repeat
from typing import Any, NamedTuple, Protocol

import numpy as np

from assize.base.disk_cache import DiskCache, bytes_allowed, cache_folder
from assize.base.errors import ConfigError
from assize.base.signature import content_hash
from assize.encoders.batching import CHUNK_CHARACTERS, CHUNK_TEXTS, chunks, distinct
from assize.encoders.encoder import Encoder, Encoding, Floats, TokenStates

FILE = "encodings.sqlite"
MAX_BYTES = 4 << 30  # 2.5 million texts of the embedded encoder
SIZE_VARIABLE = "ASSIZE_ENCODINGS_BYTES"

_FORMAT = 1  # of the values
_HEAD = struct.Struct("<III")  # windows, dimension D, tokens T


class Kept(Protocol):
    """Where encodings are kept."""

    def get(self, keys: Sequence[bytes]) -> Mapping[bytes, bytes]:
        """The values of those keys that are there."""
        ...

    def put(self, entries: Iterable[tuple[bytes, bytes]]) -> None:
        """Stores values."""
        ...


class InMemory:
    """Encodings kept for as long as this stands."""

    def __init__(self) -> None:
        self._held: dict[bytes, bytes] = {}

    def get(self, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """The values of those keys that are there."""
        return {key: self._held[key] for key in keys if key in self._held}

    def put(self, entries: Iterable[tuple[bytes, bytes]]) -> None:
        """Stores values."""
        self._held.update(entries)


def open_encodings(max_bytes: int | None = None) -> DiskCache:
    """The cache of encodings in `ASSIZE_CACHE_DIR`, capped by `ASSIZE_ENCODINGS_BYTES`."""
    return DiskCache(
        cache_folder() / FILE,
        table="encodings",
        column="encoding",
        max_bytes=bytes_allowed(SIZE_VARIABLE, MAX_BYTES) if max_bytes is None else max_bytes,
        durable=False,
    )


class CachedEncoder:
    """An encoder that reads each text once: a text that was encoded before is looked up.

    What it returns is what the encoder returned then, to the last bit. A long list of texts is
    kept a chunk at a time, so that work that is killed goes on from there.

    Args:
        encoder: whose encodings these are.
        kept: None is the cache on disk or, where that cannot be used, memory.
    """

    def __init__(self, encoder: Encoder, kept: Kept | None = None) -> None:
        self.encoder = encoder
        self._kept = _on_disk() if kept is None else kept

    def __reduce__(self) -> tuple[Any, ...]:
        """Open what is kept anew where it is unpickled."""
        return CachedEncoder, (self.encoder,)

    @property
    def name(self) -> str:
        """The encoder's."""
        return self.encoder.name

    @property
    def dimension(self) -> int:
        """The encoder's."""
        return self.encoder.dimension

    @property
    def signature(self) -> str:
        """The encoder's: what is kept changes no vector."""
        return self.encoder.signature

    @property
    def details(self) -> Mapping[str, object]:
        """The encoder's."""
        return self.encoder.details

    def encode(self, texts: Sequence[str], *, tokens: bool = False) -> Encoding:
        """The vectors of `texts` and, on request, the states of their tokens; see `Encoder`."""
        places, order = distinct(texts)
        keys = {text: _key(self.signature, text, tokens) for text in places}
        found = self._known(keys, tokens)
        missing = [text for text in places if text not in found]
        for some in chunks(missing, CHUNK_TEXTS, CHUNK_CHARACTERS):
            new = dict(zip(some, _each(self.encoder.encode(some, tokens=tokens)), strict=True))
            self._keep([(keys[text], _packed(one)) for text, one in new.items()])
            found |= new
        every = [found[text] for text in places]
        vectors = np.empty((len(every), self.dimension), np.float32)
        for row, one in zip(vectors, every, strict=True):
            row[:] = one.vector
        windows = np.array([one.windows for one in every], np.int64)
        states = tuple(every[place].states for place in order) if tokens else None
        return Encoding(vectors[order], windows[order], states)

    def _known(self, keys: Mapping[str, bytes], tokens: bool) -> dict[str, _One]:
        try:
            values = self._kept.get(list(keys.values()))
        except sqlite3.Error:
            self._kept = InMemory()
            return {}
        found: dict[str, _One] = {}
        for text, key in keys.items():
            if key in values:
                with suppress(ValueError, TypeError, struct.error):  # it is no encoding
                    one = _unpacked(values[key], tokens)
                    if len(one.vector) == self.dimension:
                        found[text] = one
        return found

    def _keep(self, entries: Sequence[tuple[bytes, bytes]]) -> None:
        try:
            self._kept.put(entries)
        except sqlite3.Error:  # a full disk, for instance: what is lost is time
            self._kept = InMemory()
            self._kept.put(entries)


def uncached(encoder: Encoder) -> Encoder:
    """The encoder itself, which keeps nothing."""
    return encoder.encoder if isinstance(encoder, CachedEncoder) else encoder


def remembering(encoder: Encoder) -> CachedEncoder:
    """The encoder where it is cached already, or one that remembers as long as it stands."""
    return encoder if isinstance(encoder, CachedEncoder) else CachedEncoder(encoder, InMemory())


def _on_disk() -> Kept:
    most = bytes_allowed(SIZE_VARIABLE, MAX_BYTES)
    try:
        return open_encodings(most)
    except (ConfigError, sqlite3.Error):
        return InMemory()


def _key(signature: str, text: str, tokens: bool) -> bytes:
    asked = f"{_FORMAT} {signature} {'tokens' if tokens else 'vector'} "
    return bytes.fromhex(content_hash(asked, text))


class _One(NamedTuple):
    """One text's part of an encoding."""

    vector: Floats
    windows: int
    states: TokenStates | None


def _each(encoding: Encoding) -> Iterator[_One]:
    states = repeat(None) if encoding.tokens is None else encoding.tokens
    for vector, windows, tokens in zip(encoding.vectors, encoding.windows, states, strict=False):
        yield _One(vector, int(windows), tokens)


def _packed(one: _One) -> bytes:
    """Its numbers one behind the other, little-endian."""
    head = _HEAD.pack(
        one.windows, len(one.vector), 0 if one.states is None else len(one.states.mask)
    )
    if one.states is None:
        return head + one.vector.astype("<f4").tobytes()
    parts = (one.vector.astype("<f4"), one.states.states.astype("<f4"))
    more = (one.states.mask.astype("u1"), one.states.offsets.astype("<i8"))
    return head + b"".join(part.tobytes() for part in (*parts, *more))


def _unpacked(data: bytes, tokens: bool) -> _One:
    windows, dimension, length = _HEAD.unpack_from(data)
    at = _HEAD.size
    vector = np.frombuffer(data, "<f4", dimension, at).astype(np.float32)
    if not tokens:
        return _One(vector, windows, None)
    at += 4 * dimension
    states = np.frombuffer(data, "<f4", length * dimension, at).reshape(length, dimension)
    at += states.nbytes
    mask = np.frombuffer(data, "u1", length, at)
    offsets = np.frombuffer(data, "<i8", 2 * length, at + length).reshape(length, 2)
    kept = TokenStates(states.astype(np.float32), mask.astype(np.bool_), offsets.astype(np.int64))
    return _One(vector, windows, kept)
