from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import Engine
from tests.web.queue.rounds import Round, check, conversations, emptied, known, round_of

from assize.web._queue import Nothing, read_participant, set_state
from assize.web._queue.choose_item import WINDOW, count_gold_ahead
from assize.web._storage import Store
from assize.web._tasks.definition import Gold, Qualification


def keys(play: Round, who: str, most: int = 10_000) -> list[str]:
    return [one.key for one in play.worked(who, most)]


def test_nobody_gets_an_item_twice_and_no_item_more_raters_than_wanted(
    either_store: Store, tmp_path: Path
) -> None:
    with round_of(either_store.engine, tmp_path) as play:
        had = {who: keys(play, who) for who in play.people}
        assert all(len(set(one)) == len(one) for one in had.values())
        assert [len(one) for one in had.values()] == [10, 10, 0]
        check(play.connection, play.task)


def test_a_random_order_is_each_raters_own_and_the_same_when_drawn_again(
    sqlite_engine: Engine, tmp_path: Path
) -> None:
    rounds = []
    for _ in range(2):
        emptied(sqlite_engine)
        with round_of(sqlite_engine, tmp_path, 30) as play:
            rounds.append([keys(play, "ann"), keys(play, "bob")])
    assert rounds[0] == rounds[1]
    assert rounds[0][0] != rounds[0][1]
    assert rounds[0][0] != sorted(rounds[0][0])


def test_a_long_file_is_drawn_window_by_window_and_to_its_end(
    sqlite_engine: Engine, tmp_path: Path
) -> None:
    with round_of(sqlite_engine, tmp_path, 2 * WINDOW + 10) as play:
        assert len(set(keys(play, "ann"))) == 2 * WINDOW + 10


def test_somebody_waits_for_what_others_hold(scarce: Round) -> None:
    held = scarce.given("ann")
    assert len(scarce.worked("bob")) == 9
    assert scarce.next("bob") == Nothing("wait")
    scarce.answer(held)
    assert scarce.next("bob") == Nothing("finished")


def test_gold_stands_at_one_place_in_every_k(sqlite_engine: Engine, tmp_path: Path) -> None:
    known(tmp_path, [f"c{n}" for n in range(8)], "gold.jsonl")
    gold = Gold.model_validate({"judgments": ["gold.jsonl"], "every": 4})
    with round_of(sqlite_engine, tmp_path, 40, gold=gold, raters_per_item=3) as play:
        places = {}
        for who in ("ann", "bob", "cat"):
            chosen = [one.chosen for one in play.worked(who, 32)]
            assert [chosen[at : at + 4].count("gold") for at in range(0, 32, 4)] == [1] * 8
            places[who] = tuple(at for at, one in enumerate(chosen) if one == "gold")
        assert len(set(places.values())) == 3
        check(play.connection, play.task)


def test_a_total_that_counts_gold_ahead_does_not_change_when_gold_comes(
    sqlite_engine: Engine, tmp_path: Path
) -> None:
    known(tmp_path, [f"c{n}" for n in range(6)], "gold.jsonl")
    gold = Gold.model_validate({"judgments": ["gold.jsonl"], "every": 4})
    with round_of(sqlite_engine, tmp_path, 20, gold=gold) as play:
        totals = set()
        chosen: list[str] = []
        for left in range(14, -1, -1):
            rater = read_participant(play.connection, play.task, play.people["ann"])
            ahead = count_gold_ahead(play.connection, play.task, rater, left)
            totals.add(rater.done + left + ahead)
            while left and chosen[-1:] != ["rate"]:
                one = play.given("ann")
                chosen.append(one.purpose)
                play.answer(one)
            chosen.append("")
        assert len(totals) == 1
        assert "gold" in chosen


def test_a_share_ends_the_work_and_the_qualification_is_no_part_of_it(
    sqlite_engine: Engine, tmp_path: Path
) -> None:
    known(tmp_path, ["c0", "c1"], "pass.jsonl")
    conversations(tmp_path, ["c0", "c1"], "first.jsonl")
    asked = Qualification.model_validate({"items": ["first.jsonl"], "judgments": ["pass.jsonl"]})
    with round_of(sqlite_engine, tmp_path, 10, items_per_rater=3, qualification=asked) as play:
        assert [one.purpose for one in play.worked("ann")] == ["qualify"] * 2 + ["rate"] * 3
        assert read_participant(play.connection, play.task, play.people["ann"]).done == 3
        assert play.next("ann") == Nothing("allowance")
        assert len(play.worked("bob")) == 5


@pytest.mark.parametrize("state", ["paused", "closed"])
def test_a_paused_or_closed_task_gives_nothing(play: Round, state: str) -> None:
    set_state(play.connection, play.task, state)
    assert play.next("ann") == Nothing(state)  # type: ignore[arg-type]


def test_who_is_not_invited_or_has_not_agreed_gets_nothing(play: Round) -> None:
    play.task = replace(play.task, raters=("bob",), consent="I agree.")
    assert play.next("ann") == Nothing("not_invited")
    assert play.next("bob") == Nothing("consent")


def test_what_was_begun_is_finished_while_a_task_is_paused(play: Round) -> None:
    one = play.given("ann")
    set_state(play.connection, play.task, "paused")
    assert play.given("ann").id == one.id
    play.answer(one)
    assert play.next("ann") == Nothing("paused")
    assert play.next("bob") == Nothing("paused")
