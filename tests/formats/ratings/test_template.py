from __future__ import annotations

import csv
import re
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from assize.base.conversation import Continuation, Conversation, Pair, Turn
from assize.base.errors import ConfigError
from assize.base.judgment import Question
from assize.formats import read_judgments
from assize.formats.ratings.template import MOST, TemplateLayout, blank, item_text, write_template
from assize.formats.xlsx import read_workbook

SAID = {"Q1": "3: very good", "solved": "no", "why": "it is short"}


def fill(cells: dict[str, str]) -> tuple[str, ...]:
    """A row of the template, answered where it is about c1."""
    if cells["item"] == "c1":
        for name in cells:
            question = cells["question"] if name == "answer" else name.partition(".")[0]
            cells[name] = SAID.get(question, cells[name])
    return tuple(cells.values())


ASKED = (
    Question("Q1", "How good?", "ordinal", ("1", "2", "3"), (1, 2, 3), {"3": "very good"}),
    Question("solved", "Solved?", "binary", ("no", "yes"), (0, 1), applies="has_problem"),
    Question("why", "Why?", "text"),
)
TEXTS = {"c1": item_text(Conversation("c1", (Turn("user", "=1+1"), Turn("assistant", "2"))))}


@pytest.mark.parametrize("layout", ["long", "wide"])
@pytest.mark.parametrize("name", ["t.csv", "t.xlsx"])
def test_what_is_filled_in_is_read_back(layout: TemplateLayout, name: str, tmp_path: Path) -> None:
    table = blank(["c1", "=c2"], ASKED, ["ann"], TEXTS, layout)
    names = [column.name for column in table.columns]
    rows = tuple(fill(dict(zip(names, row, strict=True))) for row in table.rows)
    assert write_template(tmp_path / name, replace(table, rows=rows), ASKED) == 0
    read = read_judgments(tmp_path / name)
    assert {(one.item, one.judge, one.question): one.answer for one in read} == {
        ("c1", "ann", "Q1"): "3",
        ("c1", "ann", "solved"): "no",
        ("c1", "ann", "why"): "it is short",
        ("=c2", "ann", "Q1"): None,
        ("=c2", "ann", "solved"): None,
        ("=c2", "ann", "why"): None,
    }
    assert not read.inferred


def test_no_cell_of_csv_begins_as_a_formula(tmp_path: Path) -> None:
    texts = {"=c1": "=HYPERLINK(1)", "+c2": "@SUM(1)"}
    write_template(tmp_path / "t.csv", blank(list(texts), ASKED, [], texts, "long"), ASKED)
    with (tmp_path / "t.csv").open(newline="") as stream:
        cells = [cell for row in csv.reader(stream) for cell in row]
    assert "'=HYPERLINK(1)" in cells
    assert not [one for one in cells if re.match(r"[=+\-@\t\r]", one)]


def test_a_workbook_offers_each_row_s_answers_and_locks_the_rest(tmp_path: Path) -> None:
    write_template(tmp_path / "t.xlsx", blank(["c1", "c2"], ASKED, ["ann"], {}, "long"), ASKED)
    with zipfile.ZipFile(tmp_path / "t.xlsx") as archive:
        sheet = archive.read("xl/worksheets/sheet2.xml").decode()
    offered = re.findall(r'sqref="([^"]+)"><formula1>"([^"]+)"', sheet)
    # Columns: item, rater, question, asked, allowed, answer (F); three questions an item.
    assert offered == [("F2 F5", "1,2,3: very good"), ("F3 F6", "no,yes,NA")]
    assert "<sheetProtection" in sheet
    assert list(read_workbook(tmp_path / "t.xlsx")) == ["questions", "ratings"]


def test_answers_that_make_no_dropdown_are_free_text(tmp_path: Path) -> None:
    odd = Question("odd", kind="nominal", answers=("a, b", "c"))
    table = blank(["c1"], [odd], [], {}, "wide")
    assert {column.name: column.by_row for column in table.columns}["odd"] == ((),)
    write_template(tmp_path / "t.xlsx", table, [odd])


def test_each_rater_has_all_items() -> None:
    table = blank(["c1", "c2"], ASKED[:1], ["ann", "ben"], {}, "wide")
    assert [row[:2] for row in table.rows] == [
        ("c1", "ann"),
        ("c2", "ann"),
        ("c1", "ben"),
        ("c2", "ben"),
    ]


def test_a_long_text_says_how_much_is_left_out() -> None:
    long = item_text(Conversation("c", (Turn("user", "x" * (MOST + 100)),)))
    assert "[... 106 characters left out ...]" in long
    pair = Pair("p", (Turn("user", "Q"),), (Turn("assistant", "1"),), (Turn("assistant", "2"),))
    assert item_text(pair) == "[Context]\nuser: Q\n\n[A]\nassistant: 1\n\n[B]\nassistant: 2"
    said = item_text(Continuation("k", (Turn("user", "Q"),), candidate="Yes"))
    assert said.endswith("[Candidate]\nYes")


def test_another_kind_of_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"as \.xlsx or \.csv"):
        write_template(tmp_path / "t.ods", blank(["c"], ASKED, [], {}, "wide"), ASKED)
