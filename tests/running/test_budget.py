"""Money: never more than allowed, and remembered whatever ends the process."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path
from typing import Any

import pytest

from assize.errors import BudgetError, DataError
from assize.running import Budget, Ledger
from assize.running.budget import MONEY, read_ledger


def kept(folder: Path, allowed: float | None = None) -> tuple[Budget, Ledger]:
    budget, ledger = Budget(allowed), Ledger(folder)
    budget.keep_in(ledger)
    return budget, ledger


def test_a_call_is_refused_that_could_exceed_what_is_left_with_those_in_flight() -> None:
    budget = Budget(1.0)
    first = budget.reserve(0.6)
    with pytest.raises(BudgetError, match="--max-cost"):
        budget.reserve(0.6)
    budget.check(0.6)  # it may be had once the first is back
    budget.settle(first, 0.1)
    budget.settle(budget.reserve(0.6), 0.5)
    assert budget.spent == pytest.approx(0.6)
    with pytest.raises(BudgetError):
        budget.check(0.6)


def test_a_call_whose_end_is_not_known_stays_booked_at_its_bound() -> None:
    budget = Budget(1.0)
    budget.settle(budget.reserve(0.7), None)
    assert budget.spent == pytest.approx(0.7)


def test_calls_in_flight_at_a_kill_stay_booked_at_their_bounds(tmp_path: Path) -> None:
    budget, _ = kept(tmp_path)  # never closed, as after a kill
    budget.settle(budget.reserve(0.5), 0.25)
    budget.reserve(0.5)
    budget.reserve(0.125)
    balance = read_ledger(tmp_path)
    assert (balance.spent, balance.booked, len(balance.open)) == (0.25, 0.875, 2)
    again, ledger = kept(tmp_path, 1.0)
    assert (again.spent, ledger.balance.unsettled) == (0.875, 2)
    with pytest.raises(BudgetError):
        again.reserve(0.25)
    ledger.close()


def test_closing_the_books_of_earlier_sessions_keeps_the_file_short(tmp_path: Path) -> None:
    for _ in range(3):
        budget, ledger = kept(tmp_path)
        for _ in range(10):
            budget.settle(budget.reserve(0.5), 0.25)
        ledger.close()
    assert len((tmp_path / MONEY).read_text().splitlines()) == 1 + 20
    assert read_ledger(tmp_path).spent == 7.5


def test_a_call_that_waits_for_a_batch_is_set_aside_once_over_all_sessions(tmp_path: Path) -> None:
    for _ in range(2):
        budget, ledger = kept(tmp_path, 1.0)
        budget.reserve_batch("9f2c", 0.75)
        assert (budget.batches, budget.spent) == (("9f2c",), 0.0)
        with pytest.raises(BudgetError):
            budget.check(0.5)
        ledger.close()
    budget, ledger = kept(tmp_path)
    budget.settle("9f2c", 0.125)
    ledger.close()
    assert read_ledger(tmp_path).booked == 0.125


def test_what_is_free_is_not_written_down(tmp_path: Path) -> None:
    budget, ledger = kept(tmp_path)
    budget.settle(budget.reserve(0.0), 0.0)
    ledger.close()
    assert not (tmp_path / MONEY).exists()


@pytest.mark.parametrize("torn", [b'{"call": "2", "mo', b"\0\0\0\n", b'{"call"}\n'])
def test_an_unfinished_last_line_is_passed_over(tmp_path: Path, torn: bytes) -> None:
    budget, ledger = kept(tmp_path)
    budget.settle(budget.reserve(0.5), 0.25)
    ledger.close()
    with (tmp_path / MONEY).open("ab") as stream:
        stream.write(torn)
    assert kept(tmp_path)[0].spent == 0.25


def test_a_damaged_line_among_others_is_named(tmp_path: Path) -> None:
    (tmp_path / MONEY).write_text('nonsense\n{"spent": 1.0, "unsettled": 0}\n')
    with pytest.raises(DataError, match=r"money\.jsonl:1: not a booking"):
        Ledger(tmp_path)


def test_on_a_full_disk_no_call_goes_out_and_what_came_back_stays_at_its_bound(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    budget, ledger = kept(tmp_path)
    call = budget.reserve(0.5)

    def full(*_: Any) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(DataError, match="the disk is full"):
        budget.reserve(0.5)
    budget.settle(call, 0.25)
    monkeypatch.undo()
    ledger.close()
    assert read_ledger(tmp_path).booked == 0.5
    assert kept(tmp_path)[0].spent == 0.5


def test_lines_are_as_the_module_says(tmp_path: Path) -> None:
    budget, ledger = kept(tmp_path)
    budget.settle(budget.reserve(0.5), 0.25)
    budget.reserve_batch("k", 0.5)
    ledger.close()
    assert [json.loads(line) for line in (tmp_path / MONEY).read_text().splitlines()] == [
        {"spent": 0.0, "unsettled": 0},
        {"call": "1", "most": 0.5},
        {"call": "1", "cost": 0.25},
        {"call": "k", "most": 0.5, "batch": True},
    ]
