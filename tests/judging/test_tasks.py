"""What is asked about each item: orders, repeats, sides, and what is passed over."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from run_work import judge_session as judge
from tests.judging.conftest import judge_rows, rows_of, session

from assize.base.conversation import Conversation, Turn
from assize.base.errors import DataError
from assize.formats import write
from assize.judging.tasks import orders


def test_pairs_get_two_votes_or_one_in_an_order_drawn_by_the_seed(
    tmp_path: Path, pairs_file: Any
) -> None:
    file = pairs_file(40)
    both = judge_rows(session(file, tmp_path / "two"))
    assert Counter(row["order"] for row in both) == {"AB": 40, "BA": 40}
    once = judge_rows(session(file, tmp_path / "one", votes=1))
    drawn = Counter(row["order"] for row in once)
    assert sum(drawn.values()) == 40
    assert min(drawn.values()) >= 10
    assert {orders(f"p{n}", 1, 0) for n in range(40)} != {orders("p0", 1, 0)}
    assert [orders("p1", 1, seed) for seed in range(20)] != [orders("p1", 1, 0)] * 20


def test_repeats_are_asked_independently(tmp_path: Path, pairs_file: Any) -> None:
    rows = judge_rows(session(pairs_file(10), tmp_path / "run", repeats=3))
    assert Counter(row.get("repeat", 0) for row in rows) == {0: 20, 1: 20, 2: 20}
    by_repeat = [[row["answer"] for row in rows if row.get("repeat", 0) == n] for n in range(3)]
    assert by_repeat[0] != by_repeat[1]


def test_a_judge_of_conversations_judges_both_sides_of_a_pair(
    tmp_path: Path, pairs_file: Any
) -> None:
    rows = judge_rows(session(pairs_file(2), tmp_path / "run", "rating@scripted:any"))
    assert sorted(row["item"] for row in rows) == [
        "p0/A",
        "p0/B",
        "p1/A",
        "p1/B",
    ]


def test_what_a_judge_does_not_take_ends_the_run_or_is_unscored_with_skip(tmp_path: Path) -> None:
    file = tmp_path / "talks.jsonl"
    write(file, [Conversation("c1", (Turn("user", "Hi"),))])
    with pytest.raises(DataError, match="io@scripted:any judges pairs"):
        judge(session(file, tmp_path / "run"))
    rows = judge_rows(session(file, tmp_path / "run", on_error="skip"))
    assert [row["unscored"]["reason"] for row in rows] == ["unsupported"]


def test_an_id_that_is_there_twice_is_refused_or_passed_over_and_counted(
    tmp_path: Path, pairs_file: Any
) -> None:
    file = pairs_file(2)
    file.write_text(file.read_text() * 2)
    with pytest.raises(DataError, match="two items have the id 'p0'"):
        judge(session(file, tmp_path / "run"))
    outcome = judge(session(file, tmp_path / "run", on_error="skip"))
    assert outcome.summary.skipped == 2
    assert len(rows_of(tmp_path / "run")) == 4
