"""Statistics on numpy arrays: no files, no models, one small record a result.

NaN marks a missing value everywhere; too little data gives NaN with a reason; a bad shape
raises `DataError` naming the argument; whatever samples takes a `numpy.random.Generator`.

To add a statistic, copy the smallest function of its family's file, add it to the list
below and mirror its test.
"""

from assize.base.lazy import promised_names

__getattr__, __dir__, __all__ = promised_names(__name__, __file__)
