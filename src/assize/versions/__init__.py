"""Two or more versions of an assistant, compared: which conversations belong together, how far
means are apart, and what to read."""

from assize.base.lazy import promised_names

__getattr__, __dir__, __all__ = promised_names(__name__, __file__)
