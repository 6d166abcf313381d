"""Agreement between judges, from tables of judgments: the step between records and `stats`."""

from assize.base.lazy import promised_names

__getattr__, __dir__, __all__ = promised_names(__name__, __file__)
