"""Steps in the journal: found again by what they were made from."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from assize.base.errors import BudgetError, DataError, ServerError
from assize.base.judgment import Unscored, Usage
from assize.formats import read, to_json
from assize.judging.prompt_judge import Asked
from assize.judging.session import RunSettings, Session, open_run
from assize.judging.steps import (
    STEPS,
    WRITTEN,
    Step,
    Steps,
    hash_of,
    read_step,
    step_records,
    stored_steps,
)
from assize.judging.usage_total import UsageTotal
from assize.models import Models
from assize.running import run as running

DONE = Asked({"patterns": []}, None, Usage(10, 2, 0.5), 1)
FAILED = Asked(None, Unscored("timeout", "too slow"), Usage(10, 0, None), 1)
UNREAD = Asked(None, Unscored("parse", "?"), Usage(), 6, "What?")


def session(folder: Path, *, retry: bool = False) -> Session:
    return Session(read([]), [], folder, RunSettings(retry=retry))


def take(
    folder: Path, *asked: tuple[str, Asked], retry: bool = False, finishes: bool = True
) -> tuple[Steps, list[str]]:
    """A session that takes these steps; those that it had to ask for."""
    called: list[str] = []
    steps = Steps()

    async def task(place: tuple[str, Asked]) -> list[Step]:
        of, one = place

        async def ask() -> Asked:
            called.append(of)
            return one

        await steps.take("extract", of, ["given"], ask)
        return []

    async def go() -> None:
        told = session(folder, retry=retry)
        records = step_records(steps, {"of": "a test"}, {"p": "1 abc"}, retry=retry)
        async with Models() as models, open_run(told, models, records) as opened:
            steps.opened = opened
            await opened.run.do(asked, task, at_once=1)
            assert (await opened.settle(steps.spent)).finished == finishes

    asyncio.run(go())
    return steps, called


def test_a_step_is_its_line() -> None:
    step = Step("extract", "c1", "h", {"a": 1}, None, Usage(1, 2, 0.1, True), 2, None, "now")
    assert read_step(json.loads(json.dumps(to_json(step)))) == step
    step = Step("extract", "c1", "h", None, Unscored("parse", "?"), attempts=1, raw="What?")
    assert read_step(to_json(step)) == step


def test_what_is_stored_is_not_asked_again(tmp_path: Path) -> None:
    assert take(tmp_path / "run", ("c1", DONE))[1] == ["c1"]
    steps, called = take(tmp_path / "run", ("c1", DONE), ("c2", DONE))
    assert called == ["c2"]
    assert [step.usage for step in steps.known.values()] == [Usage(10, 2, 0.5)] * 2
    assert (tmp_path / "run" / STEPS).read_text().count("\n") == 2


def test_what_failed_for_now_is_asked_again_and_what_was_not_readable_on_request(
    tmp_path: Path,
) -> None:
    given = ("late", FAILED), ("odd", UNREAD)
    steps, _ = take(tmp_path / "run", *given)
    assert steps.unscored("extract") == {"timeout": 1, "parse": 1}
    assert [one.again for one in steps.used.values()] == [True, False]
    assert take(tmp_path / "run", *given)[1] == ["late"]
    assert take(tmp_path / "run", *given, retry=True)[1] == ["late", "odd"]


def test_a_line_that_is_no_step_is_an_error_with_its_place(tmp_path: Path) -> None:
    take(tmp_path / "run", ("c1", DONE))
    place = tmp_path / "run" / STEPS
    place.write_text('{"stage": "extract", "of": "c0", "given": "x"}\n' + place.read_text())
    with pytest.raises(DataError, match=r"steps\.jsonl:1: no record"):
        take(tmp_path / "run", ("c1", DONE))


def test_another_input_is_another_step() -> None:
    first = Step("summarise", "sat/1", hash_of(["a"]))
    assert first.key != Step("summarise", "sat/1", hash_of(["b"])).key
    assert first.key != Step("update", "sat/1", hash_of(["a"])).key


def test_what_is_stored_is_known_without_opening_the_folder(tmp_path: Path) -> None:
    take(tmp_path / "run", ("a", DONE), ("b", FAILED), ("c", UNREAD))
    assert [one.of for one in stored_steps(session(tmp_path / "run")).values()] == ["a", "c"]
    retried = stored_steps(session(tmp_path / "run", retry=True))
    assert [one.of for one in retried.values()] == ["a"]
    assert stored_steps(session(tmp_path / "none")) == {}


def test_what_all_sessions_spent_is_counted_with_what_has_no_price(tmp_path: Path) -> None:
    unpriced = Asked({"said": "no"}, None, Usage(10, 2, None), 2)
    cached = Asked({"said": "no"}, None, Usage(10, 2, 0.0, True), 1)
    take(tmp_path / "run", ("a", DONE), ("b", cached))
    steps, _ = take(tmp_path / "run", ("a", DONE), ("c", unpriced))
    assert steps.spent == UsageTotal(3, 1, 20, 4, 0.5, 1, earlier=1)


def test_what_was_written_and_cost_nothing_is_no_call(tmp_path: Path) -> None:
    steps = Steps()
    asyncio.run(steps.keep(WRITTEN, "a", ["given"], DONE))
    assert (len(steps.known), steps.spent) == (1, UsageTotal())


def test_steps_that_fail_as_all_others_will_stop_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running, "GIVE_UP_AFTER", 3)
    down = Asked(None, Unscored("server", "down"), error=ServerError("down"))
    refused = Asked(None, Unscored("refused"))
    poor = Asked(None, Unscored("budget"), error=BudgetError("no money"))
    harmless = [("refused", refused), ("poor", poor), ("late", down), ("well", DONE)]
    _, called = take(tmp_path / "goes on", *harmless, *((f"d{n}", down) for n in range(2)))
    assert len(called) == 6
    steps, _ = take(tmp_path / "run", *((f"d{n}", down) for n in range(9)), finishes=False)
    assert len(steps.known) == 3
