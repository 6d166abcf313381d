"""What an encoder is: texts in, one vector a text out, token states on request."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from assize.base.errors import ConfigError
from assize.base.signature import json_hash

Pooling = Literal["mean", "cls", "last"]
Precision = Literal["fp32", "bf16", "int8"]
POOLINGS: tuple[Pooling, ...] = ("mean", "cls", "last")
Template = Literal["chat", "plain"]
Attention = Literal["eager", "sdpa", "flash_attention_2"]
Floats = NDArray[np.float32]

_UNUSABLE = dict.fromkeys((0, *range(0xD800, 0xE000)), "\ufffd")


@dataclass(frozen=True, slots=True, eq=False)
class TokenStates:
    """The hidden states of one text's tokens, as the model gave them: never normalised.

    A text that took several windows has the tokens of all of them in order; only the
    marks before the first and after the last window are kept.

    Args:
        states: (tokens T, dimension D).
        mask: (T,) True for a piece of the text, False for a mark the model adds, such as
            [CLS] and [SEP].
    """

    states: Floats
    mask: NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Encoding:
    """What `encode` returns, in the order of the texts.

    Args:
        vectors: (texts N, dimension D), each of length 1 (or all zeros).
        windows: (N,) how many windows each text was read in; 1 means whole. A text is
            never cut: one longer than the model's window is read in several, and its
            vector is their mean, weighted by the number of tokens in each.
        tokens: one entry a text, or None where they were not asked for.
    """

    vectors: Floats
    windows: NDArray[np.int64]
    tokens: tuple[TokenStates, ...] | None = None


class Encoder(Protocol):
    """Anything that turns texts into vectors."""

    @property
    def name(self) -> str:
        """How the encoder is written in `load_encoder`, for instance `minilm`."""
        ...

    @property
    def dimension(self) -> int:
        """The length D of a vector."""
        ...

    @property
    def signature(self) -> str:
        """A short hash of everything that can change a vector: weights, pooling, layer..."""
        ...

    @property
    def details(self) -> Mapping[str, object]:
        """The settings behind the signature, readable and free of keys and paths."""
        ...

    def encode(self, texts: Sequence[str], *, tokens: bool = False) -> Encoding:
        """The vectors of `texts`, and the states of their tokens where asked for.

        An empty text has the vector of the empty sequence. Equal texts are encoded once.
        NUL and lone surrogates, which no tokeniser takes, are read as U+FFFD. Memory
        beyond the result does not grow with the number of texts.

        Raises:
            ConfigError: `tokens` is asked of an encoder that has none to give.
        """
        ...


def readable(text: str) -> str:
    """The text with NUL and lone surrogates replaced, character for character.

    >>> readable("a\\x00b\\ud800")
    'a�b�'
    """
    if text.isascii() and "\0" not in text:
        return text
    return text.translate(_UNUSABLE)


def signature_of(details: Mapping[str, object]) -> str:
    """Sixteen hexadecimal digits that stand for these settings.

    >>> signature_of({"a": 1, "b": 2}) == signature_of({"b": 2, "a": 1})
    True
    """
    return json_hash(details, 16)


def depth(layer: int | None, layers: int) -> int:
    """The layer meant, counted from 0 (the embeddings) to `layers`; None is the last.

    >>> depth(None, 6), depth(-2, 6), depth(0, 6)
    (6, 5, 0)
    """
    if layer is None:
        return layers
    if not -layers - 1 <= layer <= layers:
        raise ConfigError(f"layer {layer} does not exist; the encoder has 0 to {layers}, or -1...")
    return layer % (layers + 1)


def known(what: str, given: str, allowed: Iterable[str]) -> str:
    """`given`, when it is one of `allowed`."""
    names = list(allowed)
    if given not in names:
        raise ConfigError(f"{what} {given!r} is not known here; known: {', '.join(names)}")
    return given
