"""Sheets that people filled in, and their keys: odd cells and damaged files are read or refused."""

from __future__ import annotations

import copy
import csv
import io
import json
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.fuzz.fuzzing import Folder, damaged, fill, fuzz, tries
from tests.fuzz.test_artefacts import nearly
from tests.fuzz.test_readers import ODD
from tests.fuzz.test_replies import mutated
from tests.reference.ensemble.made import continuations

from assize.formats.xlsx import Sheet, SheetColumn, read_workbook, write_workbook
from assize.formats.xlsx.reading import SHEET as RATINGS_SHEET
from assize.reference._rating_sheets.form import FORMS
from assize.reference._rating_sheets.labels import labels_of
from assize.reference._rating_sheets.workbook import KEY, SHEET, read_key, write_form

Table = list[list[str]]


@pytest.fixture(scope="module")
def forms(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[bytes, Table]]:
    """The key of each form, and its table filled in with answers that it offers."""
    found = []
    for name, form in FORMS.items():
        place = tmp_path_factory.mktemp(name)
        write_form(place, form, continuations(3), {"seed": 0})
        head, *rows = read_workbook(place / SHEET)[RATINGS_SHEET]
        answers = [next(iter(asked.answers), "because") for asked in form.asked]
        filled = [row[: len(head) - len(answers)] + answers for row in rows]
        found.append(((place / KEY).read_bytes(), [head, *filled]))
    return found


def packed(table: Table, suffix: str, folder: Path) -> bytes:
    if suffix == ".csv":
        text = io.StringIO(newline="")
        csv.writer(text).writerows(table)
        return text.getvalue().encode("utf-8", "surrogatepass")
    columns = tuple(SheetColumn(name) for name in table[0])
    write_workbook(
        folder / "made.xlsx", [Sheet(RATINGS_SHEET, columns, tuple(map(tuple, table[1:])))]
    )
    return (folder / "made.xlsx").read_bytes()


def inputs(
    forms: list[tuple[bytes, Table]], folder: Path, rng: random.Random, count: int
) -> Iterator[Folder]:
    """A key and a sheet, of which a cell, a fact or bytes are odd."""
    for _ in range(count):
        key, table = rng.choice(forms)
        table = copy.deepcopy(table)
        suffix = rng.choice([".csv", ".csv", ".csv", ".xlsx"])
        kind = rng.random()
        if kind < 0.4:
            for _ in range(rng.randint(1, 3)):
                row = rng.choice(table)
                row[rng.randrange(len(row))] = str(rng.choice(ODD))
        elif kind < 0.7:
            key = json.dumps(rng.choice([nearly, mutated])(json.loads(key), rng)).encode()
        elif kind < 0.8:
            key = damaged(key, rng)
        data = packed(table, suffix, folder)
        yield {KEY: key, f"anna{suffix}": damaged(data, rng) if kind > 0.8 else data}


@pytest.mark.filterwarnings("default")
def test_a_sheet_with_odd_cells_or_a_damaged_key_is_read_or_refused(
    forms: list[tuple[bytes, Table]], tmp_path: Path
) -> None:
    place = tmp_path / "x"

    def read(files: Folder) -> None:
        fill(place, files)
        sheet = next(name for name in files if name != KEY)
        table = labels_of(read_key(place), [place / sheet])
        assert all(row.unscored or row.answer is not None for row in table)

    assert fuzz("sheets", inputs(forms, tmp_path, random.Random(5), tries(300)), read).mixed
