"""Learning from judges, from records and from files."""

from __future__ import annotations

import pytest

from assize import Judgment, Pair, Statistics, Turn, study
from assize.base.errors import DataError
from assize.stats._studies import KFold

GOOD = ("Left at the church, then over the bridge.", "The train leaves at nine from track two.")
BAD = ("no", "whatever")


def paired(number: int) -> Pair:
    asked = (Turn("user", f"Question {number}: can you help me?"),)
    good, bad = (Turn("assistant", some[number % 2]) for some in (GOOD, BAD))
    first = number % 3 == 0
    sides = (good, bad) if first else (bad, good)
    return Pair(f"p{number}", asked, (sides[0],), (sides[1],), gold="A" if first else "B")


PAIRS = [paired(number) for number in range(30)]
VOTES = [
    Judgment(pair.id, judge, "preference", answer=answer, kind="model")
    for number, pair in enumerate(PAIRS)
    for judge, answer in (
        ("right", pair.gold),
        ("mostly", pair.gold if number % 4 else "tie"),
        ("always A", "A"),
    )
    if isinstance(answer, str)
]


def test_records_in_memory_are_studied() -> None:
    found = study.evaluators(
        PAIRS,
        votes=VOTES,
        learners="majority vote,joint",
        splits=KFold(2, seeds=1),
        statistics=Statistics(permutations=100),
        quiet=True,
    )
    assert found.table.figures["only right"]["without_tie"].estimate > 0.9
    assert {one.judge: one.tie for one in found.votes} == {"right": 0, "mostly": 8, "always A": 0}
    assert {one.judge for one in found.judges} == {"right", "mostly", "always A"}


def test_votes_of_other_pairs_are_explained() -> None:
    other = [Judgment("elsewhere", "j", "preference", answer="A", kind="model")]
    with pytest.raises(DataError, match="no judge voted on any of these pairs"):
        study.evaluators(PAIRS, votes=other, quiet=True)
