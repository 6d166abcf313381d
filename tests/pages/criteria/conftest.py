"""Scores by a set of two criteria, and their conversations."""

from __future__ import annotations

from assize.base.conversation import Conversation, Turn
from assize.base.judgment import Judgment, Unscored
from assize.criteria._criterion import (
    NETSAT,
    VALUES,
    CriteriaSet,
    Criterion,
    Labelling,
    net_satisfaction,
)
from assize.criteria._scores import CriteriaScores
from assize.criteria._scoring import label_details
from assize.judgments import JudgmentTable

HOSTILE = "<script>alert(1)</script>\u202e"
GIVEN = CriteriaSet(
    "two",
    (
        Criterion("helps", f"The assistant helps. {HOSTILE}", "sat", about="assistant"),
        Criterion("again", "The user asks again.", "dsat", about="user", maxim="Relevance"),
    ),
    labelling=Labelling(0.0, low=-5.0, high=5.0, slope=0.5, intercept=0.0),
)
WORDS = dict(zip(VALUES, GIVEN.criteria[0].question().answers, strict=True))
# NetSAT: a 10, b 2.5, c 0, d -7.5, e unscored
SAID: dict[str, dict[str, float | None]] = {
    "a": {"helps": 10.0, "again": 0.0},
    "b": {"helps": 5.0, "again": 2.5},
    "c": {"helps": 7.5, "again": 7.5},
    "d": {"helps": 2.5, "again": 10.0},
    "e": {"helps": 5.0, "again": None},
}
CHATS = [
    Conversation(
        name, (Turn("user", f"{name} asks {HOSTILE}"), Turn("assistant", f"{name} answers"))
    )
    for name in SAID
]


def rows_of(item: str, judge: str = "j", given: CriteriaSet = GIVEN) -> list[Judgment]:
    """NetSAT and both criteria, as `assize criteria score` writes them."""
    said = SAID[item]
    values = {name: value for name, value in said.items() if value is not None}
    net = net_satisfaction(values, given.criteria)
    if net is None or given.labelling is None:
        why = Unscored("incomplete", "1 criteria are unscored: again")
        first = Judgment(item, judge, NETSAT, score=net, unscored=why if net is None else None)
    else:
        first = Judgment(
            item, judge, NETSAT, score=net, details=label_details(net, given.labelling)
        )
    return [first, *(_row(item, judge, name, value) for name, value in said.items())]


def _row(item: str, judge: str, name: str, value: float | None) -> Judgment:
    if value is None:
        return Judgment(item, judge, name, unscored=Unscored("timeout", "no answer"))
    details = {"not_applicable": True} if value == 5 else None
    return Judgment(item, judge, name, answer=WORDS[value], details=details)


def table(given: CriteriaSet = GIVEN, judges: tuple[str, ...] = ("j",)) -> JudgmentTable:
    """All of them, by each judge."""
    rows = [row for judge in judges for item in SAID for row in rows_of(item, judge, given)]
    return JudgmentTable.of(rows, given.questions)


def scores(given: CriteriaSet = GIVEN) -> CriteriaScores:
    return CriteriaScores.of(table(given), given)
