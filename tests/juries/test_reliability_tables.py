from __future__ import annotations

import json

import numpy as np
import pytest

from assize.judgment import Judgment
from assize.judgments import JudgmentTable
from assize.juries import Composition, decide
from assize.juries.reliability import LearntReliabilities, learn
from assize.juries.reliability_tables import as_json, each, tables_of

JUDGES = {"a@m": 0.9, "b@n": 0.8, "c@o": 0.7}


def several(items: int = 120, seed: int = 0) -> JudgmentTable:
    """Three judges on two questions; on Safety the third has only ties."""
    rng = np.random.default_rng(seed)
    rows = []
    for question in ("Overall", "Safety"):
        truth = rng.random(items) < 0.5
        for judge, skill in JUDGES.items():
            right = rng.random(items) < skill
            for n in range(items):
                answer = "A" if right[n] == truth[n] else "B"
                tie = question == "Safety" and judge == "c@o"
                rows.append(Judgment(f"p{n}", judge, question, answer="tie" if tie else answer))
    return JudgmentTable.of(rows)


@pytest.fixture(scope="module")
def learnt() -> LearntReliabilities:
    table = several()
    return learn(
        table, ("Overall", "Safety"), tuple(JUDGES), table.items, rng=np.random.default_rng(0)
    )


def test_several_questions_have_a_column(learnt: LearntReliabilities) -> None:
    tables = tables_of(learnt)
    named, rows = tables["reliability"].texts()
    assert [one.name for one in named][:2] == ["question", "judge"]
    assert len(list(rows)) == 6
    assert [row[0] for row in tables["questions"].rows] == ["Overall", "Safety"]


def test_a_judge_of_ties_alone_has_no_figures_there(learnt: LearntReliabilities) -> None:
    found = {(question, judge): one for question, judge, one in each(learnt)}
    only_ties = found["Safety", "c@o"]
    assert np.isnan(only_ties.alpha)
    assert (only_ties.votes, only_ties.ties) == (0, 120)
    said = as_json(learnt)["Safety"]["judges"]["c@o"]
    assert said["alpha"]["estimate"] is None
    assert said["tie_votes"] == 120


def test_json_is_strict_and_says_the_doubts(learnt: LearntReliabilities) -> None:
    said = json.loads(json.dumps(as_json(learnt), allow_nan=False))
    assert said["Overall"]["doubts"] == []
    assert "2 judges have voted for a side" in said["Safety"]["doubts"][0]
    assert 0.5 < said["Overall"]["mean"]["estimate"] < 1
    assert learnt.to_json() == as_json(learnt)
    assert list(learnt.notes) == [f"doubtful: {said['Safety']['doubts'][0]}"]


def test_a_jury_shows_them_beside_its_own() -> None:
    result = decide(several(), Composition(reliability=True))
    assert result.question == "Overall"
    assert list(result.tables)[-2:] == ["reliability", "questions"]
    assert set(result.to_json()["questions"]) == {"Overall", "Safety"}
