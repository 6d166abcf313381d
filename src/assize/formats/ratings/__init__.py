"""Tables in which people rate: long or wide, CSV or workbook, as people keep them.

headers (what a column is called) ──► layout (which columns are what) ──► judgments
"""

from assize.formats.ratings.layout import LOOK
from assize.formats.ratings.rating_table import RATINGS
from assize.formats.ratings.refused import is_no_table_of_ratings
from assize.formats.ratings.stated import as_stated

__all__ = ["LOOK", "RATINGS", "as_stated", "is_no_table_of_ratings"]
