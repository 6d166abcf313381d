"""What AMULET prints adds up where it should."""

from __future__ import annotations

import pytest

from assize.acts._printed import printed_tables


def test_table_1_adds_up_to_its_totals_and_those_to_everything() -> None:
    *parts, total = printed_tables()["Table 1"].rows
    for at in range(1, 9):
        assert sum(row[at] for row in parts) == pytest.approx(total[at], abs=0.11)
    for at in range(1, 9, 2):
        assert total[at] + total[at + 1] == pytest.approx(100)


def test_table_12_has_one_consecutive_turn_fewer_than_turns_in_each_valid_instance() -> None:
    rows = {
        row[0]: [float(one.replace(",", "")) for one in row[1:]]
        for row in printed_tables()["Table 12"].rows
    }
    valid = rows["instances with valid acts and maxims"]
    for n, turns, consecutive in zip(
        valid, rows["user turns"], rows["consecutive turns"], strict=True
    ):
        assert turns - n == consecutive


def test_every_table_has_the_four_data_sets() -> None:
    for name, table in printed_tables().items():
        heads = {one.name.split(" ")[0] for one in table.columns}
        rows = {str(row[0]) for row in table.rows}
        sets = {"HH-TEST", "HH-TRAIN", "NECTAR", "WILDFEEDBACK"}
        assert sets <= heads | rows, name
        assert table.title == f"{name}, as printed"
