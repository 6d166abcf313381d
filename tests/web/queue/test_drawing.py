from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from sqlalchemy import Engine, select, text
from tests.web.queue.rounds import Round, emptied, round_of

from assize.web._queue.drawing import WINDOW, gold, of_the_task
from assize.web._queue.standing import standing
from assize.web._storage.schema import participations


def test_every_draw_is_among_the_first_of_the_order(sqlite_engine: Engine, tmp_path: Path) -> None:
    emptied(sqlite_engine)
    with round_of(sqlite_engine, tmp_path, 3 * WINDOW) as play:
        ranks = [
            row[0] for row in play.connection.execute(text("SELECT id FROM items ORDER BY rank"))
        ]
        stands = standing(play.connection, play.task, play.people["ann"])
        drawn = set()
        for n in range(400):
            tried = play.connection.begin_nested()  # a draw takes the item
            found = of_the_task(play.connection, play.task, replace(stands, draws=n))
            assert found is not None
            drawn.add(found.item)
            tried.rollback()
        assert drawn <= set(ranks[:WINDOW])
        assert len(drawn) > WINDOW * 0.9


def test_the_front_moves_behind_what_a_person_has_had(
    sqlite_engine: Engine, tmp_path: Path
) -> None:
    emptied(sqlite_engine)
    with round_of(sqlite_engine, tmp_path, 100, raters_per_item=3, order="file") as play:
        play.worked("ann", 60)
        front = play.connection.execute(select(participations.c.front)).scalar_one()
        assert 30 <= front <= 60
        assert play.given("ann").key == "c60"


def test_nothing_is_drawn_that_was_not_asked_for(play: Round) -> None:
    stands = standing(play.connection, play.task, play.people["ann"])
    assert gold(play.connection, play.task, stands) is None


def test_the_indexes_serve_the_draw(sqlite_engine: Engine, tmp_path: Path) -> None:
    from assize.web._queue import drawing

    for asked in (drawing._IN_FILE, drawing._BY_RANK, drawing._GOLD):
        said = str(asked.one.compile(sqlite_engine))
        count = said.count("?")
        with sqlite_engine.connect() as connection:
            plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {said}", (1,) * count)
            lines = [str(row[3]) for row in plan]
        assert not [one for one in lines if one.startswith("SCAN") or "TEMP B-TREE" in one], lines
