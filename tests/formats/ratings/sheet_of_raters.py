"""Made ratings: 5 raters, 4 questions, and the layouts that a lead keeps them in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
import xlsxwriter

from assize import agree

QUESTIONS = ("Helpful", "Polite", "Clear", "Depth")
RATERS = ("r1", "r2", "r3", "r4", "r5")
ITEMS = tuple(f"c{n}" for n in range(50))
ANSWERS = 822
Cells = Mapping[tuple[str, str, str], int]  # by item, question and rater
Table = list[list[str]]


def draw_ratings() -> Cells:
    """Draw 822 answers from 1 to 5: what an item deserves, and how each rater sees it."""
    rng = np.random.default_rng(31)
    size = len(ITEMS), len(QUESTIONS), len(RATERS)
    level = rng.normal(3.0, 0.9, size[:2])[..., None]  # (items, questions, 1)
    noise = np.array([0.5, 0.7, 0.9, 1.1])[:, None]  # (questions, 1)
    scores = np.clip(np.rint(level + rng.normal(size=size) * noise), 1, 5)
    cells = list(np.ndindex(*size))
    rng.shuffle(cells)
    return {
        (ITEMS[i], QUESTIONS[q], RATERS[r]): int(scores[i, q, r])
        for i, q, r in sorted(map(tuple, cells[:ANSWERS]))
    }


def long(cells: Cells) -> Table:
    rows = [
        [item, rater, question, str(answer)] for (item, question, rater), answer in cells.items()
    ]
    return [["item", "rater", "question", "answer"], *rows]


def crossed(cells: Cells, pattern: str, *, by_rater: bool = False) -> Table:
    """A column a question and rater, named by a pattern such as `{q} - {r}`."""
    pairs = _pairs(by_rater)
    header = ["Chat ID", *(pattern.format(q=question, r=rater) for question, rater in pairs)]
    return [header, *_rows(cells, pairs)]


def two_headers(
    cells: Cells, *, merged: bool, by_rater: bool = False, item_low: bool = False
) -> Table:
    """Questions above raters, or raters above questions; the upper name once, or repeated."""
    pairs = _pairs(by_rater)
    if by_rater:
        upper, lower = [rater for _, rater in pairs], [question for question, _ in pairs]
    else:
        upper, lower = [question for question, _ in pairs], [rater for _, rater in pairs]
    if merged:
        upper = ["" if n and name == upper[n - 1] else name for n, name in enumerate(upper)]
    corner = ["", "Chat ID"] if item_low else ["Chat ID", ""]
    return [[corner[0], *upper], [corner[1], *lower], *_rows(cells, pairs)]


def _pairs(by_rater: bool) -> list[tuple[str, str]]:
    if by_rater:
        return [(question, rater) for rater in RATERS for question in QUESTIONS]
    return [(question, rater) for question in QUESTIONS for rater in RATERS]


def _rows(cells: Cells, pairs: list[tuple[str, str]]) -> Iterator[list[str]]:
    for item in ITEMS:
        yield [item, *(str(cells.get((item, *pair), "")) for pair in pairs)]


def sheets_of_raters(cells: Cells) -> dict[str, Table]:
    """A sheet a question, in which a column is a rater."""
    return {
        question: [
            ["Chat ID", *RATERS],
            *_rows(cells, [(question, rater) for rater in RATERS]),
        ]
        for question in QUESTIONS
    }


def write_table(path: Path, sheets: Mapping[str, Table]) -> Path:
    """Write a workbook, whose numbers are numbers; or of one table a CSV file."""
    if path.suffix == ".csv":
        (table,) = sheets.values()
        path.write_text("".join(",".join(row) + "\n" for row in table))
        return path
    with xlsxwriter.Workbook(str(path)) as workbook:
        for name, table in sheets.items():
            sheet = workbook.add_worksheet(name)
            for number, row in enumerate(table):
                for column, cell in enumerate(row):
                    if cell:
                        sheet.write(number, column, int(cell) if cell.isdigit() else cell)
    return path


def alphas(path: Path) -> dict[str, float]:
    """By question the alpha of all raters that `agree` finds."""
    return {
        row.question: round(row.estimate.estimate, 12)
        for row in agree(str(path)).overall
        if row.statistic == "alpha (ordinal)"
    }
