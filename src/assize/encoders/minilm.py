"""The embedded encoder: all-MiniLM-L6-v2 on onnxruntime, without torch or transformers.

Whole texts get the vectors that sentence-transformers gives them: the mean of the last
layer's states, marks included, brought to length 1. Departures: a text longer than 256
word pieces is read in several windows where sentence-transformers cuts it, and `[SEP]`
and the like inside a text are plain text, so that a text cannot steer its own reading.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache, partial
from pathlib import Path
from typing import Any

from assize.base.errors import ConfigError, MissingExtra
from assize.encoders.batching import Reader, count_windows, encode_texts, padded
from assize.encoders.encoder import (
    POOLINGS,
    Encoding,
    Floats,
    Pooling,
    Precision,
    depth,
    known,
    signature_of,
)
from assize.encoders.pinned import HASHES, pinned_files
from assize.encoders.session import open_session
from assize.encoders.unknown_tokens import TokenCounts, Vocabulary

DIMENSION = 384
LAYERS = 6
WINDOW = 256  # word pieces with marks: the length the model was trained on
POSITIONS = 512  # the most it can read
BUDGET = 1024  # tokens in a batch: larger ones pad more and leave the processor's cache
PAD, UNKNOWN, CLS, SEP = 0, 100, 101, 102
VERSION = 1  # rises when the same settings give other vectors


class MiniLM:
    """The embedded encoder; files are located and verified when it is made.

    For the settings see `load_encoder`; `layer` counts to 6, `window` goes from 3 to 512.
    """

    name = "minilm"
    dimension = DIMENSION

    def __init__(
        self,
        *,
        precision: Precision = "fp32",
        pooling: Pooling = "mean",
        layer: int | None = None,
        window: int = WINDOW,
        threads: int | None = None,
    ) -> None:
        known("precision of the embedded encoder", precision, ("fp32", "int8"))
        if not 3 <= window <= POSITIONS:
            raise ConfigError(f"window {window} is outside 3..{POSITIONS} word pieces")
        known("pooling", pooling, POOLINGS)
        self._output = f"hidden.{depth(layer, LAYERS)}"
        try:
            from tokenizers import Tokenizer
        except ImportError as error:
            raise MissingExtra("encoding", extra="score", missing="tokenizers") from error
        files = pinned_files()
        self._tokenizer = Tokenizer.from_file(str(files.tokenizer))
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        self._tokenizer.encode_special_tokens = True  # "[SEP]" in a text is text
        self._session = _share_session(files.weights, precision, threads, os.getpid())
        self._threads = threads
        self.details: Mapping[str, Any] = {
            "encoder": self.name,
            "weights": HASHES["model.safetensors"],
            "tokenizer": HASHES["tokenizer.json"],
            "precision": precision,
            "pooling": pooling,
            "layer": depth(layer, LAYERS),
            "window": window,
            "normalised": True,
            "version": VERSION,
        }
        self.signature = signature_of(self.details)
        self._reader = Reader(
            tokenise=self._tokenise,
            run=self._run,
            before=(CLS,),
            after=(SEP,),
            blank=SEP,
            window=window,
            budget=BUDGET,
            dimension=DIMENSION,
            pooling=pooling,
        )

    def __reduce__(self) -> tuple[Any, ...]:
        """Open it anew where it is unpickled: its session stays in this process."""
        settings = {
            name: self.details[name] for name in ("precision", "pooling", "layer", "window")
        }
        return partial(MiniLM, **settings, threads=self._threads), ()

    def encode(self, texts: Sequence[str], *, tokens: bool = False) -> Encoding:
        """The vectors of `texts` and, on request, the states of their tokens; see `Encoder`."""
        return encode_texts(self._reader, texts, tokens)

    def windows(self, texts: Sequence[str]) -> list[int]:
        """In how many windows each text would be read."""
        return count_windows(self._reader, texts)

    def token_counts(self, texts: Sequence[str]) -> list[TokenCounts]:
        """How many tokens of each text are unknown, and known."""
        return self._vocabulary.count_tokens(texts, self._tokenise)

    @cached_property
    def _vocabulary(self) -> Vocabulary:
        return Vocabulary(self._tokenizer.get_vocab(), UNKNOWN)

    def _tokenise(self, texts: Sequence[str]) -> list[list[int]]:
        found = self._tokenizer.encode_batch_fast(texts, add_special_tokens=False)
        return [one.ids for one in found]

    def _run(self, ids: Sequence[Sequence[int]]) -> Floats:
        tokens, mask = padded(ids, PAD)
        feed = {"input_ids": tokens, "attention_mask": mask}
        states: Floats = self._session.run([self._output], feed)[0]
        return states


@lru_cache(maxsize=4)
def _share_session(weights: Path, precision: Precision, threads: int | None, process: int) -> Any:
    """Return the session of these weights, opened once a process: it takes 0.15 s and 90 MB.

    The file's hash is pinned, so the same path holds the same weights. A forked process opens its
    own, as threads do not outlive a fork.
    """
    return open_session(weights, precision, threads)
