"""Workbooks (.xlsx): read by python-calamine, written by XlsxWriter."""

from assize.formats.xlsx.reading import read_workbook
from assize.formats.xlsx.writing import Sheet, SheetColumn, write_workbook

__all__ = ["Sheet", "SheetColumn", "read_workbook", "write_workbook"]
