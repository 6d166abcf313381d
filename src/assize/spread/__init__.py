"""How answers are spread over conversations: densities with bands, over time, by version."""

from assize.base.lazy import promised_names

__getattr__, __dir__, __all__ = promised_names(__name__, __file__)
