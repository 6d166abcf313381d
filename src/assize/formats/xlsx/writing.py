"""Writing a workbook of texts: what a cell holds is never taken for a formula."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from math import ceil
from pathlib import Path

from assize.errors import ConfigError, DataError, OutputError
from assize.tables.escape import visible

LONGEST = 32_767  # characters a cell may hold
_LONGEST_LIST = 255  # characters of a dropdown's answers together
_NAME = re.compile(r"[^\[\]:*?/\\]{1,31}")
_ESCAPED = re.compile(r"_(?=x[0-9A-Fa-f]{4}_)")
_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_SHEET_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_PLAIN, _HEADING, _FIXED, _OPEN = range(4)  # the cell formats of `_STYLES`
_LINE, _TALLEST = 15.0, 409.0  # points of a line, and of the tallest row there can be
_DATE = (1980, 1, 1, 0, 0, 0)  # of every part, so that the same sheets are the same bytes


@dataclass(frozen=True, slots=True)
class SheetColumn:
    """A column of a sheet.

    Args:
        width: in characters.
        answers: what a dropdown offers; () for none.
        open: whether people fill it in; the others are locked, without a password.
        by_row: what a dropdown offers in each row, where rows differ; () for none there.
    """

    name: str
    width: float = 20
    answers: tuple[str, ...] = ()
    open: bool = False
    by_row: tuple[tuple[str, ...], ...] = ()

    def offered(self, rows: int) -> dict[tuple[str, ...], list[int]]:
        """The rows, counted from 0, of each set of answers that a dropdown offers."""
        found: dict[tuple[str, ...], list[int]] = {}
        for row, answers in enumerate(self.by_row or (self.answers,) * rows):
            if answers:
                found.setdefault(answers, []).append(row)
        return found


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet: a heading, then rows of texts.

    Args:
        locked: whether what is not open is protected against being changed by mistake.
    """

    name: str
    columns: tuple[SheetColumn, ...]
    rows: tuple[tuple[str, ...], ...]
    locked: bool = True


def write_workbook(path: str | Path, sheets: Sequence[Sheet]) -> int:
    """Writes the sheets, the last one shown first; returns how many texts were cut.

    Every cell is a text, marked as one: `=1+1` stays these four characters. What no XML can hold
    is shown by its number, as on pages; what is longer than a cell can be ends with a mark.

    Raises:
        ConfigError: a sheet's name or a dropdown is not what the format allows.
        DataError: a row has more cells than there are columns.
        OutputError: the file cannot be written.
    """
    for one in sheets:
        _check(one)
    parts = {
        "[Content_Types].xml": _content_types(len(sheets)),
        "_rels/.rels": _relations([("officeDocument", "xl/workbook.xml")]),
        "xl/workbook.xml": _workbook(sheets),
        "xl/_rels/workbook.xml.rels": _relations(
            [
                *(("worksheet", f"worksheets/sheet{n}.xml") for n in range(1, len(sheets) + 1)),
                ("styles", "styles.xml"),
            ]
        ),
        "xl/styles.xml": _STYLES,
    }
    for number, one in enumerate(sheets, start=1):
        shown = number == len(sheets)
        parts[f"xl/worksheets/sheet{number}.xml"] = "".join(_sheet(one, shown=shown))
    try:
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, text in parts.items():
                archive.writestr(zipfile.ZipInfo(name, _DATE), text.encode("utf-8"), 8)
    except OSError as error:
        raise OutputError(f"cannot write: {error.strerror}", source=str(path)) from error
    return sum(len(visible(cell)) > LONGEST for one in sheets for row in one.rows for cell in row)


def _check(sheet: Sheet) -> None:
    if _NAME.fullmatch(sheet.name) is None:
        raise ConfigError(
            f"a sheet cannot be named {sheet.name!r}: 1 to 31 characters, no []:*?/\\"
        )
    for column in sheet.columns:
        for answers in {column.answers, *column.by_row}:
            listed = ",".join(answers)
            if len(listed) > _LONGEST_LIST or any("," in one or '"' in one for one in answers):
                raise ConfigError(
                    f"the answers of column {column.name!r} make no dropdown: no commas, no quotes,"
                    f" {_LONGEST_LIST} characters together"
                )
    for number, row in enumerate(sheet.rows, start=2):
        if len(row) > len(sheet.columns):
            raise DataError(
                f"sheet {sheet.name!r}, row {number}: {len(row)} cells for"
                f" {len(sheet.columns)} columns"
            )


def column_name(place: int) -> str:
    """The letters of a column, counted from 0.

    >>> column_name(0), column_name(26)
    ('A', 'AA')
    """
    letters = ""
    number = place + 1
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters


def _text(text: str) -> str:
    """A text as XML; what programs would read as a character, such as `_x000A_`, stays."""
    shown = visible(text.replace("\r\n", "\n").replace("\r", "\n"))
    if len(shown) > LONGEST:
        more = " [cut]"
        shown = shown[: LONGEST - len(more)] + more
    return escape(_ESCAPED.sub("_x005F_", shown), quote=False)


def _sheet(sheet: Sheet, *, shown: bool) -> Iterator[str]:
    yield f'{_HEAD}<worksheet xmlns="{_MAIN}">'
    yield '<sheetPr><pageSetUpPr fitToPage="1"/></sheetPr><sheetViews>'
    tab = ' tabSelected="1"' if shown else ""
    yield f'<sheetView{tab} workbookViewId="0"><pane ySplit="1" topLeftCell="A2"'
    yield ' activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><cols>'
    for place, column in enumerate(sheet.columns, start=1):
        yield f'<col min="{place}" max="{place}" width="{column.width:g}" customWidth="1"/>'
    yield "</cols><sheetData>"
    yield _row(1, [one.name for one in sheet.columns], [_HEADING] * len(sheet.columns))
    formats = [_OPEN if one.open else _FIXED for one in sheet.columns]
    for number, row in enumerate(sheet.rows, start=2):
        cells = [*row, *[""] * (len(sheet.columns) - len(row))]
        yield _row(number, cells, formats, _height(cells, sheet.columns))
    yield "</sheetData>"
    if sheet.locked:
        yield '<sheetProtection sheet="1" formatColumns="0" formatRows="0" autoFilter="0"/>'
    yield from _dropdowns(sheet)
    yield '<pageSetup orientation="landscape" fitToHeight="0"/></worksheet>'


def _height(cells: Sequence[str], columns: Sequence[SheetColumn]) -> float:
    """Points that the wrapped texts of a row need: not every program works them out itself."""
    lines = max(
        (
            sum(ceil(max(1, len(line)) / column.width) for line in cell.split("\n"))
            for cell, column in zip(cells, columns, strict=True)
        ),
        default=1,
    )
    return min(_TALLEST, _LINE * lines + 1)


def _row(number: int, cells: Sequence[str], formats: Sequence[int], height: float = _LINE) -> str:
    said = [f'<row r="{number}" ht="{height:g}" customHeight="1">']
    for place, (cell, kind) in enumerate(zip(cells, formats, strict=True)):
        where = f'<c r="{column_name(place)}{number}" s="{kind}"'
        if cell:
            text = f'<is><t xml:space="preserve">{_text(cell)}</t></is>'
            said.append(f'{where} t="inlineStr">{text}</c>')
        else:
            said.append(f"{where}/>")
    return "".join([*said, "</row>"])


def _dropdowns(sheet: Sheet) -> Iterator[str]:
    offered = [
        (column_name(at), answers, rows)
        for at, one in enumerate(sheet.columns)
        for answers, rows in one.offered(len(sheet.rows)).items()
    ]
    if not offered or not sheet.rows:
        return
    yield f'<dataValidations count="{len(offered)}">'
    for letters, answers, rows in offered:
        yield '<dataValidation type="list" allowBlank="1" showErrorMessage="1"'
        yield ' errorTitle="Not on the list" error="Please choose one of the answers offered."'
        yield f' sqref="{" ".join(_ranges(letters, rows))}">'
        yield f'<formula1>"{escape(",".join(answers), quote=False)}"</formula1>'
        yield "</dataValidation>"
    yield "</dataValidations>"


def _ranges(letters: str, rows: Sequence[int]) -> Iterator[str]:
    """Cells of a column as ranges; rows count from 0 below the heading, and rise.

    >>> list(_ranges("C", [0, 1, 2, 5]))
    ['C2:C4', 'C7:C7']
    """
    start = rows[0]
    for here, after in zip(rows, [*rows[1:], -1], strict=True):
        if after != here + 1:
            yield f"{letters}{start + 2}:{letters}{here + 2}"
            start = after


def _workbook(sheets: Sequence[Sheet]) -> str:
    listed = "".join(
        f'<sheet name="{escape(one.name)}" sheetId="{n}" r:id="rId{n}"/>'
        for n, one in enumerate(sheets, start=1)
    )
    views = f'<bookViews><workbookView activeTab="{len(sheets) - 1}"/></bookViews>'
    return (
        f'{_HEAD}<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}">{views}'
        f"<sheets>{listed}</sheets></workbook>"
    )


def _relations(targets: Sequence[tuple[str, str]]) -> str:
    each = "".join(
        f'<Relationship Id="rId{n}" Type="{_OFFICE}/{kind}" Target="{target}"/>'
        for n, (kind, target) in enumerate(targets, start=1)
    )
    return f'{_HEAD}<Relationships xmlns="{_PACKAGE}/relationships">{each}</Relationships>'


def _content_types(sheets: int) -> str:
    parts = [("/xl/workbook.xml", "sheet.main"), ("/xl/styles.xml", "styles")]
    parts += [(f"/xl/worksheets/sheet{n}.xml", "worksheet") for n in range(1, sheets + 1)]
    each = "".join(
        f'<Override PartName="{part}" ContentType="{_SHEET_TYPE}.{kind}+xml"/>'
        for part, kind in parts
    )
    relations = "application/vnd.openxmlformats-package.relationships+xml"
    return (
        f'{_HEAD}<Types xmlns="{_PACKAGE}/content-types">'
        f'<Default Extension="rels" ContentType="{relations}"/>'
        f'<Default Extension="xml" ContentType="application/xml"/>{each}</Types>'
    )


# Cell formats: plain; a heading; a text that stays (locked); a text that people fill in. The last
# two wrap, and `quotePrefix` says that the cell is a text even when somebody edits it.
_WRAPPED = '<alignment vertical="top" wrapText="1"/>'
_STYLES = (
    f'{_HEAD}<styleSheet xmlns="{_MAIN}">'
    '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>'
    '<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>'
    '<fills count="4"><fill><patternFill patternType="none"/></fill>'
    '<fill><patternFill patternType="gray125"/></fill>'
    '<fill><patternFill patternType="solid"><fgColor rgb="FFE3E6EA"/></patternFill></fill>'
    '<fill><patternFill patternType="solid"><fgColor rgb="FFFFF8E1"/></patternFill></fill></fills>'
    '<borders count="2"><border><left/><right/><top/><bottom/><diagonal/></border>'
    + "<border>"
    + "".join(
        f'<{side} style="thin"><color rgb="FFB8BEC6"/></{side}>'
        for side in ("left", "right", "top", "bottom")
    )
    + "<diagonal/></border></borders>"
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>'
    '<cellXfs count="4"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>'
    '<xf numFmtId="49" fontId="1" fillId="2" borderId="1" xfId="0" applyFont="1" applyFill="1"'
    f' applyBorder="1" applyAlignment="1">{_WRAPPED}</xf>'
    '<xf numFmtId="49" fontId="0" fillId="0" borderId="1" xfId="0" quotePrefix="1"'
    f' applyNumberFormat="1" applyBorder="1" applyAlignment="1">{_WRAPPED}</xf>'
    '<xf numFmtId="49" fontId="0" fillId="3" borderId="1" xfId="0" quotePrefix="1"'
    ' applyNumberFormat="1" applyFill="1" applyBorder="1" applyAlignment="1"'
    f' applyProtection="1">{_WRAPPED}<protection locked="0"/></xf></cellXfs>'
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>'
    "</styleSheet>"
)
