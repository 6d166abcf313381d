"""Money: never more than allowed, and remembered whatever ends the process."""

from __future__ import annotations

import asyncio
import errno
import json
import os
from pathlib import Path
from typing import Any

import pytest
from tests.base.loops import in_loop

from assize.base.errors import BudgetError, DataError, OutputError
from assize.running import Budget, Interrupted, Ledger
from assize.running.budget import MONEY, read_ledger


def kept(folder: Path, allowed: float | None = None) -> tuple[Budget, Ledger]:
    budget, ledger = Budget(allowed), Ledger(folder)
    budget.keep_in(ledger)
    return budget, ledger


def reserve(budget: Budget, most: float) -> str:
    """Sets money aside where that needs no waiting."""
    return asyncio.run(budget.reserve(most))


@in_loop
async def test_a_call_waits_for_money_that_calls_in_flight_hold() -> None:
    budget = Budget(1.0)
    first = await budget.reserve(0.6)
    second = asyncio.ensure_future(budget.reserve(0.6))
    await asyncio.sleep(0)
    assert not second.done()
    budget.check(0.6)  # it may be had once the first is back
    budget.settle(first, 0.1)
    budget.settle(await second, 0.5)
    assert budget.spent == pytest.approx(0.6)
    with pytest.raises(BudgetError, match="--max-cost"):
        budget.check(0.6)
    with pytest.raises(BudgetError, match="--max-cost"):
        await budget.reserve(0.6)


@in_loop
async def test_calls_that_wait_go_out_in_their_order_and_those_without_hope_are_told() -> None:
    budget = Budget(1.0)
    first = await budget.reserve(0.9)
    waiting = [asyncio.ensure_future(budget.reserve(most)) for most in (0.8, 0.3, 0.05, 0.05)]
    await asyncio.sleep(0)
    assert not any(place.done() for place in waiting)  # nor the small one, out of its turn
    budget.settle(first, 0.5)
    large, *small = await asyncio.gather(*waiting, return_exceptions=True)
    assert budget.spent == 0.5
    assert isinstance(large, BudgetError)
    assert small == ["2", "3", "4"]


@in_loop
async def test_a_call_that_is_given_up_while_it_waits_holds_nothing() -> None:
    budget = Budget(1.0)
    first = await budget.reserve(1.0)
    second, third = (asyncio.ensure_future(budget.reserve(1.0)) for _ in range(2))
    await asyncio.sleep(0)
    budget.settle(first, 0.0)  # the second has its place, and is given up before it knows
    second.cancel()
    assert await third == "3"


@in_loop
async def test_at_the_end_of_a_session_no_call_goes_out_that_waits_for_money() -> None:
    budget = Budget(1.0)
    first = await budget.reserve(0.6)
    second = asyncio.ensure_future(budget.reserve(0.6))
    await asyncio.sleep(0)
    budget.stop()
    budget.settle(first, 0.1)
    with pytest.raises(Interrupted):
        await second


def test_a_call_that_cost_more_than_it_could_is_booked_and_is_the_last_under_a_limit() -> None:
    budget = Budget(10.0)
    budget.settle(reserve(budget, 0.5), 0.75)
    assert budget.spent == 0.75
    with pytest.raises(BudgetError, match=r"cost \$0\.7500.* not cost more than \$0\.5000"):
        reserve(budget, 0.1)
    unlimited = Budget()
    unlimited.settle(reserve(unlimited, 0.5), 0.75)
    assert reserve(unlimited, 0.5) == "2"


def test_a_call_whose_end_is_not_known_stays_booked_at_its_bound() -> None:
    budget = Budget(1.0)
    budget.settle(reserve(budget, 0.7), None)
    assert budget.spent == pytest.approx(0.7)


def test_calls_in_flight_at_a_kill_stay_booked_at_their_bounds(tmp_path: Path) -> None:
    budget, _ = kept(tmp_path)  # never closed, as after a kill
    budget.settle(reserve(budget, 0.5), 0.25)
    reserve(budget, 0.5)
    reserve(budget, 0.125)
    balance = read_ledger(tmp_path)
    assert (balance.spent, balance.booked, len(balance.open)) == (0.25, 0.875, 2)
    again, ledger = kept(tmp_path, 1.0)
    assert (again.spent, ledger.balance.unsettled) == (0.875, 2)
    with pytest.raises(BudgetError):
        reserve(again, 0.25)
    ledger.close()


def test_closing_the_books_of_earlier_sessions_keeps_the_file_short(tmp_path: Path) -> None:
    for _ in range(3):
        budget, ledger = kept(tmp_path)
        for _ in range(10):
            budget.settle(reserve(budget, 0.5), 0.25)
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
    budget.settle(reserve(budget, 0.0), 0.0)
    ledger.close()
    assert not (tmp_path / MONEY).exists()


@pytest.mark.parametrize("torn", [b'{"call": "2", "mo', b"\0\0\0\n", b'{"call"}\n'])
def test_an_unfinished_last_line_is_passed_over(tmp_path: Path, torn: bytes) -> None:
    budget, ledger = kept(tmp_path)
    budget.settle(reserve(budget, 0.5), 0.25)
    ledger.close()
    with (tmp_path / MONEY).open("ab") as stream:
        stream.write(torn)
    assert kept(tmp_path)[0].spent == 0.25


@pytest.mark.parametrize(
    "line",
    [
        "nonsense",
        '{"spent": NaN, "unsettled": 0}',
        '{"call": "1", "cost": -5.0}',
        '{"call": "1", "cost": 1e999}',
        '{"call": "1", "most": "0.5"}',
        '{"spent": 1.0, "unsettled": Infinity}',
        '{"call": ' + "[" * 100_000,
    ],
)
def test_a_damaged_line_among_others_is_named(line: str, tmp_path: Path) -> None:
    (tmp_path / MONEY).write_text(line + '\n{"spent": 1.0, "unsettled": 0}\n')
    with pytest.raises(DataError, match=r"money\.jsonl:1: not a booking"):
        Ledger(tmp_path)


def full(*_: Any) -> int:
    raise OSError(errno.ENOSPC, "No space left on device")


def test_on_a_full_disk_no_call_goes_out_and_what_came_back_stays_at_its_bound(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    budget, ledger = kept(tmp_path)
    call = reserve(budget, 0.5)
    monkeypatch.setattr(os, "write", full)
    with pytest.raises(DataError, match="the disk is full"):
        reserve(budget, 0.5)
    budget.settle(call, 0.25)
    assert budget.spent == 0.5  # nor does anybody wait for it to come back
    monkeypatch.undo()
    ledger.close()
    assert read_ledger(tmp_path).booked == 0.5
    assert kept(tmp_path)[0].spent == 0.5


def test_on_a_full_disk_the_first_call_does_not_go_out_either(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    budget, ledger = kept(tmp_path)
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OutputError, match="the disk is full"):
        reserve(budget, 0.5)
    monkeypatch.undo()
    assert budget.spent == 0.0
    ledger.close()


def test_lines_are_as_the_module_says(tmp_path: Path) -> None:
    budget, ledger = kept(tmp_path)
    budget.settle(reserve(budget, 0.5), 0.25)
    budget.reserve_batch("k", 0.5)
    ledger.close()
    assert [json.loads(line) for line in (tmp_path / MONEY).read_text().splitlines()] == [
        {"spent": 0.0, "unsettled": 0},
        {"call": "1", "most": 0.5},
        {"call": "1", "cost": 0.25},
        {"call": "k", "most": 0.5, "batch": True},
    ]
