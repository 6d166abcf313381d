from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, text
from tests.web.queue.rounds import round_of

from assize.web._queue.choose_item import (
    WINDOW,
    choose_from_task,
)
from assize.web._queue.participant import read_participant


def test_every_draw_is_among_the_first_of_the_order(sqlite_engine: Engine, tmp_path: Path) -> None:
    with round_of(sqlite_engine, tmp_path, 3 * WINDOW) as play:
        ranks = [
            row[0] for row in play.connection.execute(text("SELECT id FROM items ORDER BY rank"))
        ]
        stands = read_participant(play.connection, play.task, play.people["ann"])
        drawn = set()
        for n in range(400):
            found: Any = choose_from_task(play.connection, play.task, replace(stands, draws=n))
            drawn.add(found.item)
        assert drawn <= set(ranks[:WINDOW])
        assert len(drawn) > WINDOW * 0.9


def test_in_the_order_of_the_file_what_a_person_has_had_is_passed_over(
    sqlite_engine: Engine, tmp_path: Path
) -> None:
    count = WINDOW + 11
    with round_of(sqlite_engine, tmp_path, count, raters_per_item=3, order="file") as play:
        assert [one.key for one in play.worked("ann")] == [f"c{n}" for n in range(count)]


def test_the_indexes_serve_the_draw(sqlite_engine: Engine, tmp_path: Path) -> None:
    from assize.web._queue import choose_item

    for asked in (
        choose_item._BY_PLACE,
        choose_item._BY_RANK,
        choose_item._GOLD,
    ):
        said = str(asked.compile(sqlite_engine))
        count = said.count("?")
        with sqlite_engine.connect() as connection:
            plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {said}", (1,) * count)
            lines = [str(row[3]) for row in plan]
        assert not [one for one in lines if one.startswith("SCAN") or "TEMP B-TREE" in one], lines
