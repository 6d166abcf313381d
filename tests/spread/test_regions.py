"""A region holds exactly the conversations, or answers, whose numbers lie in it; worst first."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from tests.spread.simulated import CHOICE, LIKERT, NUMBER, of_answers, of_scores

from assize.base.errors import ConfigError
from assize.base.judgment import Judgment, Question
from assize.judgments import JudgmentTable
from assize.spread import Region, SpreadOptions, gather_ratings, list_region, measure_spread

SYSTEMS = ["old", "new"] * 40
BY = SpreadOptions(by="system")


def scores_of(question: Question) -> np.ndarray:
    """80 conversations, 5 raters, a fifth of the answers missing."""
    rng = np.random.default_rng(0)
    scores = rng.uniform(1, 4, (80, 5))
    scores = scores if question is NUMBER else np.rint(scores)
    scores[rng.random((80, 5)) < 0.2] = np.nan
    return scores


@pytest.mark.parametrize("question", [NUMBER, LIKERT])
@pytest.mark.parametrize("apart", [False, True])
@pytest.mark.parametrize("group", ["", "old"])
def test_a_region_holds_exactly_what_lies_in_it(
    question: Question, apart: bool, group: str
) -> None:
    scores, rng = scores_of(question), np.random.default_rng(1)
    ratings = of_scores(scores, question, SYSTEMS)
    ends = [tuple(sorted(rng.uniform(1, 4, 2))) for _ in range(4)]
    for low, high in (*ends, (1, 4), (2, 2), (-np.inf, 1.5)):
        region = Region("q", low, high, group=group)
        rows = list_region(ratings, replace(BY, apart=apart), region).rows
        values = scores if apart else np.nanmean(scores, axis=1)[:, None]
        inside = (low <= values) & (values <= high)
        inside[[bool(group) and system != group for system in SYSTEMS]] = False
        wanted = [(f"i{item}", f"rater {rater}" * apart) for item, rater in np.argwhere(inside)]
        assert sorted((row.item, row.rater) for row in rows) == sorted(wanted)
        ranked = [row.ranked for row in rows]
        assert ranked == sorted(ranked)


def test_strips_and_bars_hold_every_number_once() -> None:
    ratings = of_scores(scores_of(NUMBER), NUMBER, SYSTEMS)
    edges = measure_spread(ratings, BY).distributions[0].edges.tolist()
    rows = [
        row for ends in pairwise(edges) for row in list_region(ratings, BY, Region("q", *ends)).rows
    ]
    assert sorted(row.item for row in rows) == sorted(f"i{item}" for item in range(80))
    answers = of_scores(np.rint(scores_of(NUMBER))[:, :1], LIKERT, SYSTEMS)
    result = measure_spread(answers, BY)
    values = result.distributions[0].values.tolist()
    listed = sum(list_region(answers, BY, Region("q", value, value)).total for value in values)
    assert listed == sum(row.n for row in result.means)


def test_answers_are_listed_by_most_raters_and_split_ones_apart() -> None:
    ratings = of_answers([["a", "a", "b"], ["a", "b", None], ["b", "b", "b"]])
    options = SpreadOptions()
    by_answer = {
        answer: [row.item for row in list_region(ratings, options, Region("q", answer=answer)).rows]
        for answer in ("a", "b", "c", "(split)")
    }
    assert by_answer == {"a": ["i0"], "b": ["i2"], "c": [], "(split)": ["i1"]}
    apart = list_region(ratings, SpreadOptions(apart=True), Region("q", answer="b"))
    assert apart.total == 5


def test_the_worst_by_the_main_question_come_first() -> None:
    rows = [
        Judgment(f"i{at}", "ann", name, answer=answer)
        for at, (choice, number) in enumerate([("a", "3"), ("a", None), ("b", "1"), ("a", "2")])
        for name, answer in (("choice", choice), ("q", number))
        if answer is not None
    ]
    for question, order in ((LIKERT, "301"), (replace(LIKERT, higher="worse"), "031")):
        table = JudgmentTable.of(rows, [replace(CHOICE, id="choice"), question])
        ratings = gather_ratings(table)
        listed = list_region(ratings, SpreadOptions(), Region("choice", answer="a"), main="q")
        assert [row.item for row in listed.rows] == [f"i{at}" for at in order]


@pytest.mark.parametrize(
    ("region", "said"),
    [
        (Region("q", 1, 4, group="x"), "no group 'x'"),
        (Region("x"), "no question 'x'"),
        (Region("q", answer="z"), "there are a, b, c"),
    ],
)
def test_what_cannot_be_is_refused(region: Region, said: str) -> None:
    ratings = of_answers([["a"]] * 80, SYSTEMS)
    with pytest.raises(ConfigError, match=said):
        list_region(ratings, BY, region)
