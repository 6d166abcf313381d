"""Spreadsheets as Office Open XML (.xlsx), by the standard library alone.

Only what forms for people need: texts, widths, dropdowns; and texts back from whatever program
saved them. Source: ECMA-376, part 1, section 18 (SpreadsheetML).
"""

from assize.formats.xlsx.reading import read_workbook
from assize.formats.xlsx.writing import Sheet, SheetColumn, write_workbook

__all__ = ["Sheet", "SheetColumn", "read_workbook", "write_workbook"]
