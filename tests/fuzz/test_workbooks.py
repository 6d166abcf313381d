"""Odd parts in sound archives: python-calamine aborts the process where a check lets one pass."""

from __future__ import annotations

import random
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path

from tests.formats.xlsx.test_reading import workbook
from tests.fuzz.fuzzing import damaged, fuzz, tries

from assize.formats.xlsx import Sheet, SheetColumn, read_workbook, write_workbook

CELLS = (
    '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="C1" t="s"><v>1</v></c></row>'
    '<row r="3"><c r="A3"><v>3</v></c><c r="B3" t="str"><f>A1</f><v>sum</v></c>'
    '<c r="C3" t="inlineStr"><is><t>own</t></is></c></row>'
    '<row r="5"><c r="A5" t="b"><v>1</v></c><c r="B5" s="1"><v>46024</v></c>'
    '<c r="C5" s="2"><v>46024.5</v></c><c r="D5" t="e"><v>#N/A</v></c></row>'
)
ODD = (
    b"-1",
    b"99999999999999999999",
    b"4294967296",
    b"2147483648",
    b"1e999",
    b"NaN",
    b"-inf",
    b"1e300",
    b"-1e300",
    b"-1e11",
    b"-1e9",
    b"1e12",
    b"2958466",
    b"A0",
    b"A1048577",
    b"XFE1",
    b"",
    b"s",
    b"d",
    b"b",
    b"e",
    b"str",
    b"1",
    b"0",
    b"2026-13-45T99:99:99",
    b"\xef\xbf\xbd",
)
_VALUE = re.compile(rb'(?<=")[^"]*(?=")|(?<=>)[^<>]+(?=<)')
_TAG = re.compile(rb"<[^>]*>")


def changed(data: bytes, rng: random.Random) -> bytes:
    """A part with a value exchanged, a tag gone or doubled, or damaged bytes."""
    kind = rng.random()
    found = list((_VALUE if kind < 0.7 else _TAG).finditer(data))
    if kind > 0.85 or not found:
        return damaged(data, rng)
    one = rng.choice(found)
    new = rng.choice(ODD) if kind < 0.7 else one.group() * rng.choice([0, 2])
    return data[: one.start()] + new + data[one.end() :]


def archives(folder: Path, rng: random.Random, count: int) -> Iterator[dict[str, bytes]]:
    rows = (("q", "x"), ("=1", "y"))
    columns = (SheetColumn("a"), SheetColumn("b", 10, ("x", "y"), open=True))
    write_workbook(folder / "b.xlsx", [Sheet("t", columns, rows)])
    sound = []
    for path in (workbook(folder / "a.xlsx", CELLS), folder / "b.xlsx"):
        with zipfile.ZipFile(path) as archive:
            sound.append({name: archive.read(name) for name in archive.namelist()})
    for _ in range(count):
        parts = dict(rng.choice(sound))
        sheets = [name for name in parts if "worksheets" in name]
        name = rng.choice(sheets if rng.random() < 0.5 else list(parts))
        for _ in range(rng.choice([1, 1, 2, 3])):
            parts[name] = changed(parts[name], rng)
        yield parts


def test_a_workbook_of_odd_parts_is_read_or_refused(tmp_path: Path) -> None:
    def take(parts: dict[str, bytes]) -> None:
        with zipfile.ZipFile(tmp_path / "x.xlsx", "w") as archive:
            for name, data in parts.items():
                archive.writestr(name, data)
        read_workbook(tmp_path / "x.xlsx")

    made = archives(tmp_path, random.Random(0), tries(600))
    assert fuzz("workbooks", made, take).read
