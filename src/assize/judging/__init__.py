"""Asking judges about items: the judge protocol, the table of judges, the run that resumes."""

from assize.base.lazy import promised_names

__getattr__, __dir__, __all__ = promised_names(__name__, __file__)
