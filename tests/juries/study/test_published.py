"""AMULET's printed tables: whole, and consistent with one another where they repeat a figure."""

from __future__ import annotations

from typing import Any

import pytest

from assize.juries.study.published import MODELS, REWARDS, SETS, TABLES, Figures

FIGURES = {"win", "split", "alone"}


def printed(number: int) -> dict[tuple[str, str], Figures]:
    return {(row.label, column.label): right for row, column, _, right in TABLES[number].cells()}


def by_what(*numbers: int) -> dict[Any, list[float]]:
    """Printed shares of wins by what they are: data set, length, model and method."""
    found: dict[Any, list[float]] = {}
    for number in numbers:
        for *_, what, right in TABLES[number].cells():
            if what["figure"] in ("win", "split"):
                key = what["data"], what["least"], what["model"], what["method"]
                found.setdefault(key, []).append(right[0])
    return found


def test_every_cell_says_what_it_is_and_every_row_is_as_long_as_the_table() -> None:
    assert list(TABLES) == [2, 3, 4, 18, 19, 20, 25, 26, 30]
    sizes = {number: len(list(one.cells())) for number, one in TABLES.items()}
    assert sizes == {2: 84, 3: 27, 4: 12, 18: 35, 19: 5, 20: 3, 25: 12, 26: 9, 30: 20}
    for table in TABLES.values():
        for *_, what, right in table.cells():
            assert what["data"] in SETS
            assert what["model"] in MODELS
            assert what["figure"] in FIGURES or "-" in what["figure"]
            assert all(0 <= one <= 100 for one in right)
            assert len(right) == (3 if what["figure"] == "split" else 1)


def test_tables_that_repeat_a_figure_agree_but_for_two_that_the_paper_prints_differently() -> None:
    different = {key: found for key, found in by_what(2, 3, 4).items() if len(set(found)) > 1}
    assert different == {
        ("WILDFEEDBACK", 4, "GPT-4O", "da"): [72.7, 73.0],
        ("HH-TRAIN", 4, "GPT-4O", "da"): [60.2, 60.3],
    }


def test_win_tie_and_loss_add_up() -> None:
    for values in printed(4).values():
        assert sum(values) == pytest.approx(100, abs=0.15)


@pytest.mark.parametrize("model", MODELS)
def test_rows_of_table_3_add_up_with_table_26_once_the_exchanged_ones_are_put_back(
    model: str,
) -> None:
    """DA-then-MAXIM, and the ties that the reward model rightly breaks, are the jury's wins."""
    three, broken = printed(3), printed(26)
    (pair,) = three["DA-then-MAXIM", model]
    for name in REWARDS:
        (whole,) = three[f"DA-then-MAXIM-then-{name}", model]
        (tie,) = broken[model, {"SKY-LLAMA": "SKYWORK"}.get(name, name)]
        assert pair + tie == pytest.approx(whole, abs=0.16)  # three roundings


def test_ties_of_table_30_add_up_with_table_4() -> None:
    four, thirty = printed(4), printed(30)
    for data, label in (("HH-TEST", "HH-TEST"), ("NECTAR", "NECTAR")):
        before, after = four[data, "DA"], four[data, "DA-then-MAXIM"]
        (won,) = thirty["DA-then-MAXIM, Tie-Win", label]
        (lost,) = thirty["DA-then-MAXIM, Tie-Loss", label]
        assert after[0] - before[0] == pytest.approx(won, abs=0.2)
        assert after[2] - before[2] == pytest.approx(lost, abs=0.2)
