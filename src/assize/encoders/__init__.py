"""Text to vectors, and to token states on request.

`load_encoder("minilm")` is the embedded encoder, which needs neither torch nor
transformers nor, once its weights are installed, a network. A new encoder is one file
beside the others and one row of `ENCODERS`.
"""

from assize.base.lazy import promised_names

__getattr__, __dir__, __all__ = promised_names(__name__, __file__)
