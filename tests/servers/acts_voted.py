"""Stored votes of judges of dialogue acts and maxims, made by hand."""

from __future__ import annotations

from typing import Any

from assize.acts._maxims import MAXIMS
from assize.acts._taxonomy import load_taxonomy
from assize.base.conversation import Pair, Turn
from assize.base.judgment import PREFERENCE, Judgment, Order

ISO = load_taxonomy()
PAIR = Pair(
    "p",
    (Turn("user", "Hi"), Turn("assistant", "Yes?"), Turn("user", "Go")),
    (Turn("assistant", "one"),),
    (Turn("assistant", "two"),),
    gold="A",
)


def held(better: int = 0, worse: int = 0, both: int = 0) -> dict[str, str]:
    sides = ["A"] * better + ["B"] * worse + ["both"] * both
    sides += ["neither"] * (len(MAXIMS) - len(sides))
    return dict(zip(MAXIMS, sides, strict=True))


def row(
    judge: str,
    details: Any,
    order: Order | None = "AB",
    item: str = "p",
    answer: str = "A",
    **more: Any,
) -> Judgment:
    if "unscored" not in more:
        more["answer"] = answer
    return Judgment(item, judge, PREFERENCE.id, order=order, details=details, **more)


def ours(*context: Any, a: Any, b: Any) -> dict[str, Any]:
    return {"acts": {"context": list(context), "a": [a], "b": [b]}}


T = ["Task", "Inform"]
Q = ["Task", "Set Question"]
