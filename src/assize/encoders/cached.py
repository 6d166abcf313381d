"""Encodings kept on disk, for training and studies: a text is encoded once, whoever asks.

One file for all encoders and processes. The key is the encoder's signature with the text, so
that nothing is found under another encoder, precision, pooling or layer. Scoring keeps
nothing: its texts are seldom seen again.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from assize.base.disk_cache import DiskCache, bytes_allowed, cache_folder
from assize.base.errors import ConfigError
from assize.base.signature import content_hash
from assize.encoders.batching import CHUNK_CHARACTERS, CHUNK_TEXTS, chunks, distinct
from assize.encoders.encoder import Encoder, Encoding

FILE = "encodings.sqlite"
MAX_BYTES = 4 << 30  # 2.5 million texts of the embedded encoder
SIZE_VARIABLE = "ASSIZE_ENCODINGS_BYTES"

_FORMAT = 2  # of the values: the number of windows, then the vector, little-endian


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

    def __init__(self, encoder: Encoder, kept: DiskCache | InMemory | None = None) -> None:
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
        """The vectors of `texts`; states of tokens, where asked for, are made anew each time."""
        if tokens:
            return self.encoder.encode(texts, tokens=True)
        places, order = distinct(texts)
        keys = {text: _key(self.signature, text) for text in places}
        layout = np.dtype([("windows", "<u4"), ("vector", "<f4", (self.dimension,))])
        rows = self._read(keys, layout.itemsize)
        missing = [text for text in places if text not in rows]
        for chunk in chunks(missing, CHUNK_TEXTS, CHUNK_CHARACTERS):
            encoding = self.encoder.encode(chunk)
            new = np.empty(len(chunk), layout)
            new["windows"], new["vector"] = encoding.windows, encoding.vectors
            packed = {text: row.tobytes() for text, row in zip(chunk, new, strict=True)}
            self._write([(keys[text], row) for text, row in packed.items()])
            rows |= packed
        found = np.frombuffer(b"".join(rows[text] for text in places), layout)[order]
        return Encoding(found["vector"].astype(np.float32), found["windows"].astype(np.int64))

    def _read(self, keys: Mapping[str, bytes], size: int) -> dict[str, bytes]:
        """By text its row of so many bytes, of those that are kept."""
        try:
            values = self._kept.get(list(keys.values()))
        except sqlite3.Error:
            self._kept = InMemory()
            return {}
        whole = {key: value for key, value in values.items() if len(value) == size}
        return {text: whole[key] for text, key in keys.items() if key in whole}

    def _write(self, entries: Sequence[tuple[bytes, bytes]]) -> None:
        try:
            self._kept.put(entries)
        except sqlite3.Error:  # a full disk, for instance: what is lost is time
            self._kept = InMemory()
            self._kept.put(entries)


def uncached(encoder: Encoder) -> Encoder:
    """Return the encoder below any cache."""
    return encoder.encoder if isinstance(encoder, CachedEncoder) else encoder


def remembering(encoder: Encoder) -> CachedEncoder:
    """Return an encoder that encodes each text once while it is in memory, or on disk if cached."""
    return encoder if isinstance(encoder, CachedEncoder) else CachedEncoder(encoder, InMemory())


def _on_disk() -> DiskCache | InMemory:
    most = bytes_allowed(SIZE_VARIABLE, MAX_BYTES)
    try:
        return open_encodings(most)
    except (ConfigError, sqlite3.Error):
        return InMemory()


def _key(signature: str, text: str) -> bytes:
    return bytes.fromhex(content_hash(f"{_FORMAT} {signature} ", text))
