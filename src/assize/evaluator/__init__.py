"""A small local judge: a frozen encoder, features of a conversation, and a head.

`score(items)` scores with the shipped evaluator; `learning` makes another one.
"""

from assize.base.lazy import promised_names

__getattr__, __dir__, __all__ = promised_names(__name__, __file__)
