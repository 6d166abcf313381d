"""What a run of scores is counted as."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from tests.criteria.conftest import SET

from assize.base.judgment import Judgment, Unscored
from assize.criteria._scores import CriteriaScores
from assize.judgments import JudgmentTable
from assize.stats import wilson

GONE = Unscored("refused")


def rows(
    item: str, net: float | None, answer: str | None, label: str | None = None, **details: object
) -> list[Judgment]:
    told = dict(details) or None
    labelled = None if label is None else {"label": label}
    lost = None if net is not None else Unscored("incomplete")
    return [
        Judgment(item, "j", "NetSAT", score=net, unscored=lost, details=labelled),
        Judgment(item, "j", "line", answer=answer, unscored=None if answer else GONE, details=told),
        Judgment(item, "j", "works", answer="Agree"),
        Judgment(item, "j", "again", answer="Neutral", score=6.0),
    ]


TABLE = JudgmentTable.of(
    [
        *rows("a", 8.0, "Strongly Agree", "good"),
        *rows("b", -6.0, "Disagree", "bad"),
        *rows("c", 1.0, "Neutral", "open", not_applicable=True),
        *rows("d", None, None),
    ],
    SET.questions,
)


def test_netsat_is_described_by_those_that_have_one() -> None:
    (net,) = CriteriaScores.of(TABLE, SET).netsat
    assert (net.n, net.unscored) == (3, 1)
    assert net.mean.estimate == 1.0
    assert net.sd == pytest.approx(7.0)
    quartiles = (net.least, net.lower_quartile, net.median, net.upper_quartile, net.most)
    assert quartiles == (-6.0, -2.5, 1.0, 4.5, 8.0)


def test_labels_are_shares_of_all_conversations_with_wilsons_interval() -> None:
    (labels,) = CriteriaScores.of(TABLE, SET).label_shares
    shares = (labels.good, labels.open, labels.bad, labels.unscored)
    assert [share.count for share in shares] == [1, 1, 1, 1]
    assert labels.good.interval == wilson(1, 4).interval


def test_a_criterion_has_mean_share_that_holds_and_what_is_missing() -> None:
    line, works, again = CriteriaScores.of(TABLE, SET).criteria
    assert line.mean.estimate == pytest.approx((10 + 2.5 + 5) / 3)
    assert (line.holds.count, line.holds.n) == (1, 3)
    assert (line.n, line.unscored, line.not_applicable) == (3, 1, 1)
    assert (works.holds.estimate, works.unscored) == (1.0, 0)
    assert again.mean.estimate == 6.0  # the score counts, not the word
    assert again.holds.estimate == 0.0


def test_tables_and_json_hold_the_figures() -> None:
    found = CriteriaScores.of(TABLE, SET)
    assert list(found.tables) == ["netsat", "label_shares", "criteria"]
    assert "1 (25.0%)" in str(found.tables["label_shares"])
    assert "The assistant names" in str(found.tables["criteria"])
    value = found.to_json()
    assert value["label_shares"][0]["bad"]["estimate"] == 0.25
    assert value["criteria"][0]["unscored"] == 1
    assert found.sentence == "4 conversations, 2 SAT and 1 DSAT criteria: mean NetSAT 1.0 by j."
    assert (found.conversations, found.unscored) == (4, 1)
    assert found.missing == (2, 16)
    assert (found.interrupted, list(found.unfinished), list(found.notes)) == (False, [], [])


def test_without_labels_or_scores_there_are_tables_all_the_same() -> None:
    lost = JudgmentTable.of(rows("d", None, None), SET.questions)
    found = CriteriaScores.of(lost, replace(SET, labelling=None))
    assert list(found.tables) == ["netsat", "criteria"]
    assert np.isnan(found.netsat[0].mean.estimate)
    assert found.to_json()["netsat"][0]["sd"] is None
    assert CriteriaScores.of(JudgmentTable.of([]), SET).netsat == []


def test_several_judges_have_rows_of_their_own() -> None:
    other = JudgmentTable.of([replace(row, judge="k") for row in TABLE], SET.questions)
    found = CriteriaScores.of(JudgmentTable.concat([TABLE, other]), SET)
    assert found.tables["netsat"].columns[0].name == "judge"
    assert len(found.tables["criteria"].rows) == 6


def test_repeats_of_a_conversation_are_one_unit() -> None:
    twice = [row for repeat in (0, 1) for row in (replace(one, repeat=repeat) for one in TABLE)]
    (net,) = CriteriaScores.of(JudgmentTable.of(twice, SET.questions), SET).netsat
    assert (net.n, net.mean.n, net.mean.clusters) == (6, 6, 3)
