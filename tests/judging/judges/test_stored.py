"""Scores that somebody has written down already."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.judging.conftest import why_unscored

from assize.base.conversation import Pair, Turn
from assize.base.errors import ConfigError
from assize.base.judgment import Judgment, Unscored
from assize.formats import write
from assize.judging.judge import JudgeContext, JudgeSettings, Task
from assize.judging.judges.stored import read_scores
from assize.judging.table import open_judge
from assize.models import Models

HI = (Turn("user", "Hi"),)
APPLE, PEAR = (Turn("assistant", "apple"),), (Turn("assistant", "pear"),)
PAIR = Pair("p1", HI, APPLE, PEAR)


def context(settings: JudgeSettings | None = None) -> JudgeContext:
    return JudgeContext(Models(), JudgeSettings() if settings is None else settings)


def judged(judge: Any, pair: Pair = PAIR) -> Sequence[Judgment]:
    rows: Sequence[Judgment] = asyncio.run(judge.judge(Task(pair)))
    return rows


def test_stored_scores_of_either_shape_are_compared(tmp_path: Path) -> None:
    rows = [
        Judgment("p1/A", "m", "q", score=1.0),
        Judgment("p1/B", "m", "q", score=2.0),
        Judgment("p2", "m", "q", answer="A", details={"scores": {"A": 5, "B": 4}}),
    ]
    write(tmp_path / "scores.jsonl", rows)
    judge = open_judge(f"reward@stored:{tmp_path / 'scores.jsonl'}", context())
    assert judge.name == "reward@stored:scores.jsonl"
    answers = []
    for name in ("p1", "p2", "p3"):
        (row,) = judged(judge, Pair(name, PAIR.context, PAIR.a, PAIR.b))
        answers.append(row.answer or (row.unscored and row.unscored.reason))
    assert answers == ["B", "A", "missing"]


def test_a_stored_score_that_is_no_number_is_missing_and_no_tie(tmp_path: Path) -> None:
    nan = float("nan")
    rows = [
        Judgment("p1", "m", "q", answer="A", details={"scores": {"A": nan, "B": nan}}),
        Judgment("p2", "m", "q", answer="A", details={"scores": {"A": True, "B": 1.0}}),
        Judgment("p3/A", "m", "q", score=1.0),
    ]
    write(tmp_path / "scores.jsonl", rows)
    judge = open_judge(f"reward@stored:{tmp_path / 'scores.jsonl'}", context())
    for name in ("p1", "p2", "p3"):
        (row,) = judged(judge, Pair(name, PAIR.context, PAIR.a, PAIR.b))
        assert (row.answer, why_unscored(row)) == (None, "missing")


def test_a_file_without_scores_or_with_two_for_one_response_is_refused(tmp_path: Path) -> None:
    write(tmp_path / "none.jsonl", [Judgment("p", "m", "q", answer="A")])
    with pytest.raises(ConfigError, match="holds no score"):
        read_scores(str(tmp_path / "none.jsonl"))
    two = [Judgment("p/A", "m", "q", score=n, repeat=n) for n in range(2)]
    write(tmp_path / "two.jsonl", two)
    with pytest.raises(ConfigError, match="two scores for p/A by m"):
        read_scores(str(tmp_path / "two.jsonl"))


@pytest.fixture
def several(tmp_path: Path) -> str:
    """Rewards of one pair by two models that prefer different responses, and one left out."""
    rows = [
        Judgment("p1", f"reward@hf:{name}", "q", answer="A", details={"scores": scores})
        for name, scores in (("Small-8B", {"A": 2, "B": 1}), ("Large-70B", {"A": 1, "B": 2}))
    ]
    missed = Unscored("missing")
    rows.append(
        Judgment(
            "p2", "reward@hf:Small-8B", "q", unscored=missed, details={"scores": {"A": 2, "B": 1}}
        )
    )
    write(tmp_path / "rewards.jsonl", rows)
    return str(tmp_path / "rewards.jsonl")


@pytest.mark.parametrize(
    ("named", "answer", "called"),
    [
        ("Small", "A", "hf:Small-8B"),
        ("hf:Large-70B", "B", "hf:Large-70B"),
        ("reward@hf:Large-70B", "B", "hf:Large-70B"),
    ],
)
def test_one_of_several_judges_scores_is_chosen_by_name(
    several: str, named: str, answer: str, called: str
) -> None:
    judge = open_judge(f"reward@stored:{several}#{named}", context())
    assert judge.name == f"reward@stored:rewards.jsonl#{called}"
    assert judged(judge)[0].answer == answer


def test_scores_by_several_judges_are_listed_with_how_to_name_one(several: str) -> None:
    there = "reward@stored:FILE#JUDGE; there are hf:Small-8B, hf:Large-70B"
    for target, said in (
        (several, "several judges; name one as"),
        (f"{several}#B", "several judges called 'B'"),
        (f"{several}#", "no judge called ''"),
        (f"{several}#Medium", "no judge called 'Medium'"),
    ):
        with pytest.raises(ConfigError, match=said) as told:
            open_judge(f"reward@stored:{target}", context())
        assert there in str(told.value)


def test_a_file_may_have_a_number_sign_in_its_name(several: str, tmp_path: Path) -> None:
    Path(several).rename(tmp_path / "a#b.jsonl")
    judge = open_judge(f"reward@stored:{tmp_path / 'a#b.jsonl'}#Large", context())
    assert judged(judge)[0].answer == "B"


def test_an_unscored_judgment_lends_no_score(several: str) -> None:
    judge = open_judge(f"reward@stored:{several}#Small", context())
    (row,) = judged(judge, Pair("p2", PAIR.context, PAIR.a, PAIR.b))
    assert why_unscored(row) == "missing"
