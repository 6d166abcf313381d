"""Tables in a terminal, at several widths."""

from __future__ import annotations

import re
import sys
from io import StringIO

import pytest

from assize.results import Column, ResultTable
from assize.results.columns import columns
from assize.results.terminal import print_table, text
from assize.stats import Estimate

FOUND = Estimate(0.5, (0.25, 0.75))
WIDE = ResultTable(
    "Wide",
    columns("words", "method with a long name") + columns("number", *"abcdefgh", digits=2),
    [("m", *[FOUND] * 8)],
    ["A note."],
)


@pytest.mark.parametrize("width", [40, 80, 120])
def test_no_line_is_longer_than_the_terminal_and_no_number_is_broken(width: int) -> None:
    lines = text(WIDE, width).splitlines()
    assert max(map(len, lines)) <= width
    assert sum(line.count("0.50 [0.25, 0.75]") for line in lines) == 8


def test_pieces_are_numbered_and_each_has_the_first_column() -> None:
    found = text(WIDE, 80)
    pieces = found.count("Wide (")
    assert pieces > 1
    assert f"Wide ({pieces} of {pieces})" in found
    assert sum(line.split()[:1] == ["m"] for line in found.splitlines()) == pieces
    assert found.count("A note.") == 1


@pytest.mark.parametrize(
    ("rows", "repeated"),
    [
        ([("ann", "bob")], ["ann bob", "first second"]),
        (
            [("evaluatorofaverylongname", f"rater{n}ofaverylongname") for n in range(2)],
            ["rater0", "rater1"],
        ),
    ],
    ids=["all words that name a row", "those that tell rows apart, where all leave no room"],
)
def test_each_piece_has(rows: list[tuple[str, ...]], repeated: list[str]) -> None:
    named = columns("words", "first", "second") + columns("number", *"abcdefgh", digits=2)
    printed = text(ResultTable("Wide", named, [(*row, *[FOUND] * 8) for row in rows]), 80)
    pieces = printed.count("Wide (")
    assert pieces > 1
    words = " ".join(printed.split())
    assert [words.count(one) for one in repeated] == [pieces, pieces]


@pytest.mark.parametrize(
    ("words", "width"),
    [
        ("several words that may well stand on more than one line of a narrow terminal", 40),
        ("x" * 90, 50),
    ],
)
def test_words_give_way_before_numbers_do(words: str, width: int) -> None:
    named = columns("words", "about") + columns("number", "mean")
    found = text(ResultTable("t", named, [(words, FOUND)]), width)
    assert max(map(len, found.splitlines())) <= width
    assert found.count("x") == words.count("x")
    assert "(1 of" not in found
    assert "0.500 [0.250, 0.750]" in found


def test_a_name_is_broken_only_where_there_is_no_room() -> None:
    table = ResultTable(
        "t", columns("words", "a") + columns("count", "right, jury wrong"), [("x", 1)]
    )
    assert "right, jury wrong" in text(table, 80)
    many = ResultTable(
        "t", columns("words", "a") + columns("count", *["two words"] * 8), [("x", *[1] * 8)]
    )
    assert "two words" not in text(many, 80)
    assert "(1 of" not in text(many, 80)


@pytest.mark.parametrize("width", [40, 60, 80, 120])
def test_no_name_is_broken_inside_a_word(width: int) -> None:
    names = ["explained-fewshot@openai:gpt-4o-mini-2024-07-18", "majority, not perfect"]
    table = ResultTable(
        "t",
        columns("words", "judge", "about") + columns("number", "a", "b"),
        [(name, "what it says", FOUND, FOUND) for name in names],
    )
    found = text(table, width)
    assert max(map(len, found.splitlines())) <= width
    assert "explained-" in found
    words = {"explained", "fewshot", "openai", "gpt", "mini", "majority", "not", "perfect"}
    assert words <= set(re.findall(r"[a-z]+", found))
    assert found.count("0.500 [0.250, 0.750]") == 4


def test_colour_is_for_terminals_that_have_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether escapes are written on a terminal, in a pipe, and where NO_COLOR forbids them."""

    def written(terminal: bool) -> str:
        stream = StringIO()
        monkeypatch.setattr(stream, "isatty", lambda: terminal, raising=False)
        monkeypatch.setattr(sys, "stdout", stream)
        print_table(WIDE)
        return stream.getvalue()

    monkeypatch.setenv("TERM", "xterm-256color")
    for name in ("NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE"):
        monkeypatch.delenv(name, raising=False)
    assert "\x1b[" in written(True)
    assert "\x1b[" not in written(False)
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b[" not in written(True)


def test_the_column_that_gives_way_is_cut_to_one_line() -> None:
    last = columns("words", "last turn", cut=True)
    table = ResultTable("t", columns("words", "item") + last, [("x", "word " * 40)])
    (line,) = [line for line in text(table, 60).splitlines() if "word" in line]
    assert line.rstrip().endswith("…")


def test_no_control_character_reaches_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    print_table(ResultTable("a\x1b[31m", columns("words", "\x07"), [("\u202eb",)], ["\x9b"]))
    assert not set("\x1b\x07\u202e\x9b") & set(capsys.readouterr().out)


def test_a_name_is_broken_between_its_words_before_it_is_broken_inside_one() -> None:
    rows = [("da > maxim (openai:one-two-x)", *[0.5] * 6)]
    named = [Column("jury"), *columns("number", *"abcdef")]
    lines = text(ResultTable("T", named, rows), 70).split("\n")
    assert any(line.strip() == "(openai:one-two-x)" for line in lines)
    assert not any(line.rstrip().endswith("-") for line in lines)


def test_spare_columns_give_way_before_a_table_comes_in_pieces_and_a_note_names_them() -> None:
    named = [Column("who"), *columns("number", "first", "second"), Column("third", spare=True)]
    table = ResultTable("T", named, [("a name", 0.5, 0.25, "a long word that is spare")])
    assert "third" not in text(table, 30).split("Not shown")[0]
    assert "(too wide): third;" in " ".join(text(table, 30).split())
    assert "Not shown" not in text(table, 80)
    assert "third" in text(table, 80)
