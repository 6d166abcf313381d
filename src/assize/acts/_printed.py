"""What AMULET prints in its tables 1 and 12 to 17 (arXiv 2505.20451), to set beside one's own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from assize.results import Column, ResultTable
from assize.results.columns import columns

Rows = Sequence[tuple[str | float, ...]]

_ALIKE = ("HH-TEST", "HH-TRAIN", "NECTAR", "WILDFEEDBACK")
_ROLES = ("HH-TRAIN", "HH-TEST", "NECTAR", "WILDFEEDBACK")
_COUNTED = ("HH-TEST", "WILDFEEDBACK", "NECTAR", "HH-TRAIN")

_TABLE_1: Rows = (
    ("Chosen satisfies more", 15.9, 59.1, 16.3, 59.1, 28.5, 52.1, 51.3, 30.3),
    ("Rejected satisfies more", 4.3, 15.3, 4.2, 14.4, 2.9, 3.3, 4.7, 4.3),
    ("Both satisfy equally", 2.6, 2.8, 2.8, 3.2, 9.3, 3.9, 7.6, 1.6),
    ("Total", 22.8, 77.2, 23.3, 76.7, 40.7, 59.3, 63.7, 36.3),
)
_TABLE_12: Rows = (
    ("instances", "460", "4,684", "6,513", "8,210"),
    ("instances with valid acts and maxims", "460", "4,514", "6,508", "8,180"),
    ("user turns", "2,143", "30,564", "29,109", "37,918"),
    ("consecutive turns", "1,683", "26,050", "22,601", "29,738"),
    ("% labels with valid dimensions", "100.0", "100.0", "99.9", "100.0"),
    ("% labels with valid functions", "99.1", "99.1", "99.1", "99.0"),
    ("% turns with different dimensions across votes", "13.3", "9.2", "12.4", "12.7"),
    ("% turns with different functions across votes", "28.7", "24.8", "27.2", "28.4"),
)
_TABLE_13: Rows = (
    ("User turns", "Function", 0.96, 0.96, 0.96, 0.89),
    ("User turns", "Dimension", 0.62, 0.64, 0.52, 0.36),
    ("Assistant turns", "Function", 0.92, 0.92, 0.88, 0.80),
    ("Assistant turns", "Dimension", 0.48, 0.47, 0.42, 0.49),
)
_TABLE_14: Rows = (
    ("User turns", "Function", 0.79, 0.80, 0.76, 0.56),
    ("User turns", "Dimension", 0.34, 0.34, 0.28, 0.14),
    ("Assistant turns", "Function", 0.79, 0.79, 0.74, 0.49),
    ("Assistant turns", "Dimension", 0.31, 0.29, 0.27, 0.22),
)
_TABLE_15: Rows = (
    ("HH-TRAIN", 0.77, 0.35),
    ("HH-TEST", 0.77, 0.37),
    ("NECTAR", 0.59, 0.27),
    ("WILDFEEDBACK", 0.36, 0.17),
)
_TABLE_16: Rows = (
    ("HH-TRAIN", 6.33),
    ("HH-TEST", 6.20),
    ("NECTAR", 6.03),
    ("WILDFEEDBACK", 6.22),
)
_TABLE_17: Rows = (
    ("HH-TEST", 49.8, 56.1, 48.3),
    ("WILDFEEDBACK", 62.2, 65.8, 60.4),
    ("NECTAR", 69.9, 66.0, 63.8),
    ("HH-TRAIN", 50.9, 57.9, 48.6),
)
_NOTES = {
    "Table 1": "15.3 makes the column add up; 70 of 460 are 15.2.",
    "Table 12": "Appendix D has 6,531 instances of Nectar.",
    "Table 15": "Table 1 has different acts in 76.7, 77.2, 59.3 and 36.3% of pairs.",
}


def printed_tables() -> Mapping[str, ResultTable]:
    """What the paper prints, by the number of the table: all four data sets, GPT-4o."""
    alike = [f"{name} {how}" for name in _ALIKE for how in ("same", "diff.")]
    turns = [Column("Turns"), Column("Type"), *columns("number", *_ROLES, digits=2)]
    acts = columns("number", "Function", "Dimension", digits=2)
    right = columns("number", "Maxim judge", "Chosen > rejected", "and the judge right", digits=1)
    found = {
        "Table 1": ([Column("Maxims"), *columns("number", *alike, digits=1)], _TABLE_1),
        "Table 12": ([Column("Statistic"), *columns("number", *_COUNTED)], _TABLE_12),
        "Table 13": (turns, _TABLE_13),
        "Table 14": (turns, _TABLE_14),
        "Table 15": ([Column("Data"), *acts], _TABLE_15),
        "Table 16": ([Column("Data"), *columns("number", "Maxim asymmetry", digits=2)], _TABLE_16),
        "Table 17": ([Column("Data"), *right], _TABLE_17),
    }
    return {
        name: ResultTable(
            f"{name}, as printed", named, rows, [_NOTES[name]] if name in _NOTES else []
        )
        for name, (named, rows) in found.items()
    }
