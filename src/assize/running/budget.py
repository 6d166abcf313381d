"""Money: set aside before a call, booked after it, and remembered over kills.

The ledger `money.jsonl` in a journal's folder holds what earlier sessions have spent, and a
line before and after each call:

    {"spent": 0.71, "unsettled": 3}         earlier sessions; calls whose end nobody saw
    {"call": "12", "most": 0.0123}          goes out, and cannot cost more than this
    {"call": "12", "cost": 0.0021}          has come back
    {"call": "9f2c..", "most": 0.01, "batch": true}     waits, in this session and later ones

A call without an end was in flight when the process was killed. It may have been charged, so
it stays booked at its upper bound. A line is written before the call is made and outlives the
process at once; it is on the disk, safe from a power cut, with the next record at the latest.
"""

from __future__ import annotations

import asyncio
import json
import math
from collections import deque
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from assize.base.errors import BudgetError, DataError, OutputError
from assize.running.control import Interrupted
from assize.running.durable import AppendFile, replace, unwritten

MONEY = "money.jsonl"
_NO_BOOKING = (ValueError, KeyError, TypeError, OverflowError, RecursionError)
_ROUNDING = 1e-9  # relative; what sums of prices may be off by


@dataclass
class Balance:
    """What a ledger says."""

    spent: float = 0.0  # US dollars of calls that have come back, and of `unsettled` ones
    unsettled: int = 0  # calls of earlier sessions that never came back, at their upper bounds
    # upper bounds of this session's calls that have not come back, by name
    open: dict[str, float] = field(default_factory=dict)
    batches: dict[str, float] = field(default_factory=dict)  # those of calls that wait for a batch
    aside: float = 0.0  # the sum of both

    @property
    def booked(self) -> float:
        """US dollars that may have been charged by now."""
        return self.spent + self.aside

    def take(self, line: dict[str, Any]) -> None:
        """Reads one line; raises KeyError, TypeError or ValueError where it is no booking."""
        if "spent" in line:
            spent, unsettled = amount(line["spent"]), int(line["unsettled"])
            self.spent, self.unsettled = self.spent + spent, self.unsettled + unsettled
            return
        call: str = line["call"]
        if "most" in line:
            most = amount(line["most"])
            self._back(call)
            kept = self.batches if line.get("batch") else self.open
            kept[call] = most
            self.aside += most
        else:
            cost = amount(line["cost"])
            self._back(call)
            self.spent += cost

    def _back(self, call: str) -> None:
        """Takes away what was set aside for a call."""
        self.aside -= self.open.pop(call, 0.0) + self.batches.pop(call, 0.0)
        if not self.open and not self.batches:
            self.aside = 0.0  # what rounding has left

    def close(self) -> None:
        """Takes calls that have not come back for lost: spent, at their upper bounds."""
        for name, most in list(self.open.items()):
            self.take({"call": name, "cost": most})
            self.unsettled += 1


def amount(value: Any) -> float:
    """US dollars as they stand in a file; raises ValueError for what no call costs, such as NaN."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not value >= 0:
        raise ValueError(f"{value!r:.40} is no amount of money")
    if math.isinf(value):
        raise ValueError("the amount is infinite")
    return float(value)


def read_ledger(folder: Path) -> Balance:
    """The balance of a folder; an unfinished last line is passed over."""
    balance, path = Balance(), folder / MONEY
    if not path.exists():
        return balance
    with path.open("rb") as stream:
        for number, line in enumerate(stream, start=1):
            try:
                balance.take(json.loads(line))
            except _NO_BOOKING as error:
                if not stream.peek(1):
                    break
                problem = f"not a booking ({error!r}); mend or remove the line"
                raise DataError(problem, source=str(path), line=number) from error
    return balance


class Ledger:
    """The open ledger of a folder whose lock is held; the file is made with the first call.

    Args:
        folder: of the journal.
        at_least: what was spent when the journal was opened before; a ledger that says less has
            lost lines.
    """

    def __init__(self, folder: Path, *, at_least: float = 0.0) -> None:
        self._path = folder / MONEY
        self._file: AppendFile | None = None
        self._changed = False
        self.balance = read_ledger(folder)
        self.balance.spent = max(self.balance.spent, at_least)
        if self._path.exists() or at_least:
            self._open()

    def _open(self) -> None:
        """Closes the books of earlier sessions into one line."""
        self.balance.close()
        replace(self._path, self._lines())
        self._file = AppendFile(self._path)

    def _lines(self) -> Iterator[bytes]:
        yield _line({"spent": self.balance.spent, "unsettled": self.balance.unsettled})
        for name, most in self.balance.batches.items():
            yield _line({"call": name, "most": most, "batch": True})

    def write(self, line: dict[str, Any]) -> None:
        """Books one line; raises OutputError where it cannot be written, nothing being booked."""
        try:
            if self._file is None:
                self._open()
            assert self._file is not None
            self._file.append(_line(line))
        except OSError as error:
            raise unwritten(self._path, error) from error
        self.balance.take(line)
        self._changed = True

    def sync(self) -> None:
        """Makes what was booked safe from a power cut; called before records are written."""
        if self._changed and self._file is not None:
            self._changed = False
            self._file.sync()

    def close(self) -> None:
        """Closes the file."""
        if self._file is not None:
            self._file.close()

    def remove(self) -> None:
        """Takes the file away, where nothing was spent."""
        self._path.unlink(missing_ok=True)


def _line(line: dict[str, Any]) -> bytes:
    return json.dumps(line).encode() + b"\n"


class Budget:
    """Money that may be spent, with what calls in flight could still cost set aside.

    Args:
        allowed: US dollars; None for no limit.
        spent: what has been spent already.
    """

    def __init__(self, allowed: float | None = None, *, spent: float = 0.0) -> None:
        self.allowed = allowed
        self._balance = Balance(spent)
        self._ledger: Ledger | None = None
        self._count = 0
        self._waiting: deque[tuple[float, asyncio.Future[str]]] = deque()
        self._stopped = False
        self._exceeded: str | None = None  # how a call has cost more than it could

    def keep_in(self, ledger: Ledger) -> None:
        """Books in a folder from now on, where its earlier sessions booked."""
        self._ledger, self._balance = ledger, ledger.balance

    @property
    def spent(self) -> float:
        """US dollars that calls have cost, those whose end is not known at their bounds."""
        return self._balance.spent

    @property
    def batches(self) -> Collection[str]:
        """Names of the calls that wait for a batch."""
        return tuple(self._balance.batches)

    def check(self, most: float) -> None:
        """Raises BudgetError where a call is too dear even with nothing else in flight."""
        in_flight = sum(self._balance.open.values())
        self._check(most, self._balance.booked - in_flight)

    def _check(self, most: float, booked: float) -> None:
        if self.allowed is None:
            return
        if self._exceeded is not None:
            raise BudgetError(self._exceeded)
        if booked + most > self.allowed:
            raise BudgetError(
                f"the next call could cost ${most:.4f}, and ${booked:.4f} of"
                f" ${self.allowed:.4f} is spent; run again with a larger --max-cost"
            )

    async def reserve(self, most: float) -> str:
        """Sets `most` aside for a call that goes out now; returns the call's name.

        Where calls in flight hold what it needs, it waits for them, first come, first served:
        most of them give back a part of what was set aside.

        Raises:
            BudgetError: the call could exceed what is allowed, with nothing else in flight.
            OutputError: it cannot be booked; do not make the call.
            Interrupted: the session has ended while it waited.
        """
        if not self._waiting and self._fits(most):
            return self._reserve_next(most)
        place: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._waiting.append((most, place))
        self._admit()
        try:
            return await place
        except asyncio.CancelledError:
            if place.done() and not place.cancelled() and place.exception() is None:
                self.settle(place.result(), 0.0)  # it was never made
            raise

    def _fits(self, most: float) -> bool:
        """Whether there is room beside all that is in flight."""
        if most <= 0 or self.allowed is None:
            return True
        return self._exceeded is None and self._balance.booked + most <= self.allowed

    def _reserve_next(self, most: float) -> str:
        self._count += 1
        return self._reserve(most, call=str(self._count))

    def _admit(self) -> None:
        """Lets those who wait go on: out, where there is room again, or without any hope.

        Where the first has neither, calls are in flight, and the next to be settled comes here.
        """
        while self._waiting:
            most, place = self._waiting[0]
            if not place.done():
                try:
                    if self._stopped:
                        raise Interrupted("the session ends")
                    self.check(most)
                    if not self._fits(most):
                        return
                    place.set_result(self._reserve_next(most))
                except Exception as error:
                    place.set_exception(error)
            self._waiting.popleft()

    def stop(self) -> None:
        """Lets no call go out that has to wait for money."""
        self._stopped = True
        self._admit()

    def reserve_batch(self, call: str, most: float) -> None:
        """Sets `most` aside for a call that waits for a batch, once over all sessions."""
        if call not in self._balance.batches:
            self._check(most, self._balance.booked)
            self._reserve(most, call=call, batch=True)

    def _reserve(self, most: float, *, call: str, **kind: bool) -> str:
        if most > 0:  # what is free is not booked
            self._book({"call": call, "most": most, **kind})
        return call

    def settle(self, call: str, cost: float | None) -> None:
        """Books what a call did cost in the place of what was set aside for it.

        None, for a call whose end is not known, books its upper bound. A call that cost more
        than its bound is booked as it is, and where there is a limit, it is the last one: what
        others will cost is not known either.
        """
        balance = self._balance
        most = balance.open.get(call, balance.batches.get(call))
        if most is not None and cost is None:
            balance.unsettled += 1
            cost = most
        if most is None and not cost:
            return  # it was free
        paid = 0.0 if cost is None else cost
        bound = paid if most is None else most
        if paid > bound * (1 + _ROUNDING):
            self._exceeded = (
                f"a call cost ${paid:.4f}, which could not cost more than ${bound:.4f}: its server"
                " counts more tokens than there are, and --max-cost cannot be kept; look at the"
                " server's bill, and run again without --max-cost"
            )
        line = {"call": call, "cost": paid}
        try:
            self._book(line)
        except OutputError:  # in the file it stays at its bound, and records will fail as well
            balance.take(line | {"cost": max(bound, paid)})
        self._admit()

    def _book(self, line: dict[str, Any]) -> None:
        if self._ledger is None:
            self._balance.take(line)
        else:
            self._ledger.write(line)
