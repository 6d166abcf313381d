"""Scores of conversations, pairs and continuations by an evaluator: `assize.score`."""

from assize.base.lazy import promised_names

__getattr__, __dir__, __all__ = promised_names(__name__, __file__)
