"""Conversations over twelve weeks in which one criterion breaks and NetSAT with it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from assize.base.conversation import Conversation, Turn
from assize.base.judgment import Judgment, Unscored
from assize.criteria._criterion import LIKERT, VALUES, CriteriaSet, Criterion, Labelling
from assize.criteria._scoring import net_row
from assize.judgments import JudgmentTable

SET = CriteriaSet(
    "debugging",
    (
        Criterion("s1", "The assistant names the line that fails.", "sat"),
        Criterion("s2", "The user says that the fix works.", "sat"),
        Criterion("d1", "The user asks the same question again.", "dsat"),
        Criterion("d2", "The assistant repeats a fix that did not work.", "dsat"),
    ),
    labelling=Labelling(2.0, low=-4.0, high=6.0),
)
FIRST = np.datetime64("2026-01-05T00:00")  # a Monday
DAYS = 84
BREAKS = 60  # days before the change


def drifting(
    count: int = 900, drop: float = 1.0, seed: int = 0, users: int = 150
) -> tuple[list[Conversation], JudgmentTable]:
    """Chats with `started`, `user` and `system`, and a judge's answers to `SET`.

    Args:
        drop: places on the scale by which `s2` falls after `BREAKS` days.
    """
    rng = np.random.default_rng(seed)
    chats: list[Conversation] = []
    rows: list[Judgment] = []
    turns = (Turn("user", "It fails"), Turn("assistant", "Try this"))
    for at, day in enumerate(np.sort(rng.uniform(0, DAYS, count)).tolist()):
        name = f"chat-{at + 1}"
        started = str(FIRST + np.timedelta64(int(day * 1440), "m")) + "Z"
        facts = {"started": started, "user": f"u{rng.integers(users)}"}
        chats.append(Conversation(name, turns, system=("a", "b")[at % 2], metadata=facts))
        rows += _judged(name, rng, drop * (day >= BREAKS), lost=at % 97 == 0)
    return chats, JudgmentTable.of(rows, SET.questions)


def _judged(name: str, rng: np.random.Generator, drop: float, lost: bool) -> Sequence[Judgment]:
    good = rng.normal(0.4, 0.8)
    rows = {}
    for one in SET.criteria:
        place = 2 + (good if one.sat else -good) - drop * (one.id == "s2") + rng.normal(0, 0.7)
        answer = int(np.clip(np.round(place), 0, 4))
        rows[one.id] = Judgment(
            name, "criteria@set", one.id, answer=LIKERT[answer], score=VALUES[answer]
        )
    if lost:
        rows["d1"] = Judgment(name, "criteria@set", "d1", unscored=Unscored("refused", "no"))
    return [net_row(Judgment(name, "criteria@set", "NetSAT"), rows, SET), *rows.values()]
