"""The page of any result, as one self-contained HTML file, and the pieces of one's own pages.

`charts` holds the figures and `page` the pieces, from which other reports are built.
"""

from assize.base.lazy import promised_names

__getattr__, __dir__, __all__ = promised_names(__name__, __file__)
