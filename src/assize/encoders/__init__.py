"""Text to vectors, and to token states on request.

`load_encoder("minilm")` is the embedded encoder, which needs neither torch nor
transformers nor a network once its weights are installed.
"""

from __future__ import annotations

from assize.encoders.encoder import Encoder, Encoding, Pooling, Precision, TokenStates
from assize.errors import ConfigError

__all__ = ["Encoder", "Encoding", "Pooling", "Precision", "TokenStates", "load_encoder"]


def load_encoder(
    spec: str = "minilm",
    *,
    precision: Precision = "fp32",
    pooling: Pooling | None = None,
    threads: int | None = None,
) -> Encoder:
    """The encoder that `spec` names.

    Raises:
        ConfigError: the name or a setting is not known.
    """
    if spec != "minilm":
        raise ConfigError(f"encoder {spec!r} is not known; known: minilm")
    from assize.encoders.minilm import MiniLM

    return MiniLM(
        precision=precision, pooling="mean" if pooling is None else pooling, threads=threads
    )
