"""Tables in which people rate: long or wide, CSV or workbook, as people keep them.

headers (what a column is called) ──► layout (which columns are what) ──► judgments
"""

from assize.formats.ratings.layout import LACKS_COLUMN, LOOK
from assize.formats.ratings.rating_table import RATINGS

__all__ = ["LACKS_COLUMN", "LOOK", "RATINGS"]
