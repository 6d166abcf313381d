from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import Connection, update
from tests.web.monitor.worked import Worked, two, write_project
from tests.web.tasks.making import lines

from assize.web._monitor import watch as module
from assize.web._monitor.watch import Watch, watch_of
from assize.web._storage.schema import assignments


@pytest.fixture
def worked(tmp_path: Path) -> Worked:
    write_project(tmp_path, items=6, gold=2)
    found = Worked(tmp_path)
    found.rate("ann", lambda *_: two("1", "2"), most=4)
    return found


def test_figures_are_kept_until_somebody_answers(worked: Worked) -> None:
    watch = Watch(worked.store)

    async def look() -> None:
        first = await watch.figures(worked.task)
        assert (await watch.figures(worked.task)) is first
        await asyncio.to_thread(worked.rate, "ann", lambda *_: two("3", "2"), 1)
        after = await watch.figures(worked.task)
        assert (after.answers, after.newer) == (first.answers + 1, 0)

    asyncio.run(look())


def test_many_who_look_at_once_wait_for_one_computation(worked: Worked) -> None:
    watch = Watch(worked.store)

    async def look() -> None:
        found = await asyncio.gather(*(watch.figures(worked.task) for _ in range(8)))
        assert all(one is found[0] for one in found)

    asyncio.run(look())


def test_where_there_is_much_the_last_figures_are_shown_while_newer_are_made(
    worked: Worked, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MANY", 1)
    watch = Watch(worked.store)

    async def look() -> None:
        first = await watch.figures(worked.task)
        await asyncio.to_thread(worked.rate, "ann", lambda *_: two("3", "2"), 2)
        stale = await watch.figures(worked.task)
        assert (stale.answers, stale.newer) == (first.answers, 2)
        assert stale.figures is first.figures
        for _ in range(500):
            now = await watch.figures(worked.task)
            if not now.newer:
                break
            await asyncio.sleep(0.01)
        assert now.answers == first.answers + 2

    asyncio.run(look())


def test_the_qualification_is_right_where_the_task_lets_it_pass(tmp_path: Path) -> None:
    rows = [{"item": f"q{n}", "judge": "gold", "question": "clear", "answer": "4"} for n in "123"]
    talks = [{"id": f"q{n}", "turns": [{"role": "user", "text": "?"}]} for n in "123"]
    lines(tmp_path / "q.jsonl", talks)
    lines(tmp_path / "right.jsonl", rows)
    asked = "qualification: {items: [q.jsonl], judgments: [right.jsonl], within: 1}\n"
    write_project(tmp_path, more=asked)
    worked = Worked(tmp_path)
    worked.rate("ann", lambda *_: two("3", "2"), most=3)
    (share,) = asyncio.run(Watch(worked.store).figures(worked.task)).figures.qualified
    assert (share.right.estimate, share.right.n) == (1.0, 3)


def test_progress_is_that_of_now(worked: Worked) -> None:
    watch = Watch(worked.store)

    async def look() -> None:
        before = await watch.progress(worked.task)
        await asyncio.to_thread(worked.rate, "bob", lambda *_: two("3", "2"))
        after = await watch.progress(worked.task)
        assert (len(before.raters), len(after.raters)) == (1, 2)
        assert after.ratings == before.ratings + 6

    asyncio.run(look())


def test_progress_is_not_counted_again_where_nothing_changed(worked: Worked) -> None:
    watch = Watch(worked.store)

    async def look() -> None:
        first = await watch.progress(worked.task)
        assert (await watch.progress(worked.task)) is first

    asyncio.run(look())


def test_a_pilot_round_is_left_out_once_it_is_over(worked: Worked) -> None:
    def piloted(connection: Connection) -> None:
        connection.execute(update(assignments).where(assignments.c.draw < 2).values(pilot=True))

    worked.store.write_now(piloted)
    now = asyncio.run(Watch(worked.store).figures(worked.task))
    pilot = asyncio.run(Watch(worked.store).figures(replace(worked.task, pilot=True)))
    assert (now.pilot, len(now.collected.work)) == (2, 2)
    assert (pilot.pilot, len(pilot.collected.work)) == (0, 4)


def test_a_store_has_one_watch(worked: Worked) -> None:
    assert watch_of(worked.store) is watch_of(worked.store)
