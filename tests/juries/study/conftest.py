"""Two models' judges and a reward model on four pairs; and the study of HH-TEST."""

from __future__ import annotations

import pytest
from tests.juries.conftest import pair, vote

from assize.base.conversation import Pair
from assize.base.judgment import Judgment, Order
from assize.judgments import JudgmentTable
from assize.juries.study import DataSet, JuryStudy, StudySettings, study_juries

# by judge, what it says of p1 to p4: A, B, or t for votes that differ; gold is always A
SAID = {
    "da@x": "AtBA",
    "maxim@x": "BABt",
    "da@y": "AAAt",
    "reward@hf:r": "AAAB",
}
ORDERS: tuple[Order, Order] = ("AB", "BA")
PAIRS = {f"p{n}": pair(f"p{n}") for n in range(1, 5)}


def rows(judge: str, said: str, repeat: int = 0) -> list[Judgment]:
    """Votes of one judge; a reward has no order."""
    if judge.startswith("reward"):
        return [vote(f"p{n}", judge, one, None, repeat) for n, one in enumerate(said, 1)]
    return [
        vote(f"p{n}", judge, answer, order, repeat)
        for n, one in enumerate(said, 1)
        for order, answer in zip(ORDERS, ("A", "B") if one == "t" else (one, one), strict=True)
    ]


def data_set(name: str = "chats", **said: str) -> DataSet:
    """A set of these judges, by default all four."""
    given = said or SAID
    return DataSet(
        name, JudgmentTable.of([row for one in given for row in rows(one, given[one])]), PAIRS
    )


@pytest.fixture(scope="session")
def study() -> JuryStudy:
    """`da > maxim` and `da > reward` by two models, with everybody alone."""
    return study_juries([data_set()], cascades=["da > maxim", "da > reward"])


@pytest.fixture(scope="session")
def hh_test(amulet: JudgmentTable, amulet_pairs: dict[str, Pair]) -> JuryStudy:
    """The paper's juries on HH-TEST."""
    settings = StudySettings(least=(4,), paper=True)
    return study_juries(
        [DataSet("HH-TEST", amulet, amulet_pairs)], unscored="loss", settings=settings
    )
