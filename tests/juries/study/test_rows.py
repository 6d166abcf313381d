"""What a study shows of each jury."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from tests.juries.study.conftest import data_set, rows

from assize.base.judgment import Unscored
from assize.judgments import JudgmentTable
from assize.juries.study import DataSet, JuryStudy, StudySettings, study_juries


def test_what_the_last_judge_of_a_cascade_adds_is_counted(study: JuryStudy) -> None:
    (row,) = (one for one in study.ties if one.jury == "da > reward@hf:r (x)")
    # p2 is a tie that the reward breaks rightly; it has p3 right, where da decides wrongly
    shares = row.ties_won, row.ties_left, row.ties_lost, row.right_alone
    assert [share.estimate for share in shares if share is not None] == [0.25, 0.0, 0.0, 0.25]


def test_the_better_jury_stands_first_and_the_best_before_all_others(study: JuryStudy) -> None:
    best = [pair for pair in study.comparisons if pair.first == "da (y)"]
    assert study.comparisons[: len(best)] == best
    (pair,) = (pair for pair in best if pair.second == "maxim (x)")
    # maxim has p2 right, da of y p1, p2 and p3
    assert (pair.n, pair.difference.estimate) == (4, 0.5)
    assert (pair.only_first, pair.only_second) == (2, 0)
    low, high = pair.difference.interval
    assert 0 <= low <= 0.5 <= high
    assert all(pair.difference.estimate >= 0 for pair in study.comparisons)


def test_with_one_model_no_name_has_it_and_tests_may_be_against_one_jury() -> None:
    settings = StudySettings(against="maxim")
    study = study_juries([data_set()], cascades=["da > maxim"], models=["x"], settings=settings)
    assert [row.jury for row in study.juries] == ["da", "maxim", "da > maxim"]
    assert {row.model for row in study.juries} == {"x"}
    assert [(pair.first, pair.second) for pair in study.comparisons] == [
        ("maxim", "da"),
        ("maxim", "da > maxim"),
    ]


def test_reruns_and_their_runs_are_rows() -> None:
    table = JudgmentTable.of([*rows("da@x", "AAtB", 0), *rows("da@x", "AABB", 1)])
    study = study_juries([DataSet("chats", table, data_set().pairs)], cascades=["da"])
    (row,) = study.reruns
    assert (row.jury, row.runs, row.same.n, row.same.count) == ("da", 2, 4, 3)
    assert (row.win, row.deviation) == (0.5, 0.0)  # 2 of 4 right in both runs
    assert [run.run for run in study.runs] == [0, 1]
    assert study.to_json()["reruns"][0]["same"]["estimate"] == 0.75


def test_without_gold_nothing_is_called_right() -> None:
    table = JudgmentTable.of([*rows("da@x", "AAtB"), *rows("maxim@x", "AABB")])
    study = study_juries([DataSet("chats", table)], cascades=["da > maxim"])
    assert "no pair has gold" in str(study)
    assert study.to_json()["juries"][2]["answers"] == {"A": 2, "B": 2}
    assert study.comparisons == []


def test_a_judge_without_a_valid_vote_passes_on_as_a_tie_does() -> None:
    """p1: da absent, the reward right; p2: a tie, right; p3: absent, wrong; p4: da decides."""
    votes = [*rows("da@x", "AtBA"), *rows("reward@hf:r", "AABA")]
    absent = Unscored("parse")
    given = [
        replace(row, answer=None, unscored=absent)
        if row.judge == "da@x" and row.item in ("p1", "p3")
        else row
        for row in votes
    ]
    for unscored in ("skip", "loss"):
        data = DataSet("chats", JudgmentTable.of(given), data_set().pairs)
        study = study_juries([data], cascades=["da > reward"], unscored=unscored)
        (row,) = study.ties
        shares = row.ties_won, row.ties_left, row.ties_lost
        assert [share.estimate for share in shares if share is not None] == [0.5, 0.0, 0.25]


@pytest.mark.parametrize(("unscored", "lost"), [("skip", 0), ("loss", 1)])
def test_a_last_judge_without_a_valid_vote_leaves_the_tie_or_loses(
    unscored: str, lost: int
) -> None:
    given = [*rows("da@x", "ttAA"), *rows("maxim@x", "tAAA")]
    given = [
        replace(row, answer=None, unscored=Unscored("refused"))
        if (row.judge, row.item) == ("maxim@x", "p2")
        else row
        for row in given
    ]
    data = DataSet("chats", JudgmentTable.of(given), data_set().pairs)
    study: Any = study_juries([data], cascades=["da > maxim"], unscored=unscored)
    (row,) = study.ties
    assert (row.ties_left.count, row.ties_lost.count) == (2 - lost, lost)
