"""Scores that somebody has written down already."""

from __future__ import annotations

from pathlib import Path

import pytest
from scores_asked import context, judged
from tests.judging.conftest import why_unscored

from assize.base.errors import ConfigError
from assize.base.judgment import Judgment, Unscored
from assize.formats import write
from assize.judging.judges.stored import read_scores
from assize.judging.table import open_judge

NAN = float("nan")


@pytest.mark.parametrize(
    ("rows", "answer"),
    [
        (
            [Judgment("p1/A", "m", "q", score=1.0), Judgment("p1/B", "m", "q", score=2.0)],
            "B",
        ),
        ([Judgment("p1", "m", "q", answer="A", details={"scores": {"A": 5, "B": 4}})], "A"),
        ([], "missing"),
        (
            [Judgment("p1", "m", "q", answer="A", details={"scores": {"A": NAN, "B": NAN}})],
            "missing",
        ),
        (
            [Judgment("p1", "m", "q", answer="A", details={"scores": {"A": True, "B": 1.0}})],
            "missing",
        ),
        ([Judgment("p1/A", "m", "q", score=1.0)], "missing"),
        (
            [
                Judgment(
                    "p1",
                    "m",
                    "q",
                    unscored=Unscored("missing"),
                    details={"scores": {"A": 2, "B": 1}},
                )
            ],
            "missing",
        ),
    ],
    ids=["of sides", "of pairs", "none", "no number", "a truth value", "of one side", "unscored"],
)
def test_stored_scores_of_either_shape_are_compared_and_what_is_no_number_is_missing(
    rows: list[Judgment], answer: str, tmp_path: Path
) -> None:
    write(tmp_path / "scores.jsonl", [Judgment("other/A", "m", "q", score=1.0), *rows])
    judge = open_judge(f"reward@stored:{tmp_path / 'scores.jsonl'}", context())
    assert judge.name == "reward@stored:scores.jsonl"
    (row,) = judged(judge)
    assert (row.answer or why_unscored(row)) == answer


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([Judgment("p", "m", "q", answer="A")], "holds no score"),
        (
            [Judgment("p/A", "m", "q", score=n, repeat=n) for n in range(2)],
            "two scores for p/A by m",
        ),
    ],
)
def test_a_file_without_scores_or_with_two_for_one_response_is_refused(
    rows: list[Judgment], message: str, tmp_path: Path
) -> None:
    write(tmp_path / "scores.jsonl", rows)
    with pytest.raises(ConfigError, match=message):
        read_scores(str(tmp_path / "scores.jsonl"))


@pytest.fixture
def several(tmp_path: Path) -> str:
    """Rewards of one pair by two models that prefer different responses."""
    rows = [
        Judgment("p1", f"reward@hf:{name}", "q", answer="A", details={"scores": scores})
        for name, scores in (("Small-8B", {"A": 2, "B": 1}), ("Large-70B", {"A": 1, "B": 2}))
    ]
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
