"""Simulated ratings and preferences."""

from __future__ import annotations

import numpy as np

from assize.base.conversation import Pair, Turn
from assize.base.judgment import PREFERENCE, JudgeKind, Judgment, Question, Unscored
from assize.judgments import JudgmentTable

RATING = Question("q", kind="ordinal", answers=tuple("12345"), values=(1.0, 2, 3, 4, 5))


LETTERS = {1: "A", 0: "tie", -1: "B"}


def ratings(n: int = 80) -> tuple[JudgmentTable, np.ndarray]:
    """Two models, two people; one judgment of `m1` failed."""
    rng = np.random.default_rng(0)
    truth = rng.integers(1, 6, n)
    noise = rng.integers(-1, 2, (4, n))
    values = np.clip(truth + noise * [[0], [1], [1], [1]], 1, 5)
    judges: list[tuple[str, JudgeKind]] = [
        ("m1", "model"),
        ("m2", "model"),
        ("ann", "person"),
        ("bob", "person"),
    ]
    rows = [
        Judgment(f"i{item}", judge, "q", answer=str(values[at, item]), kind=kind)
        for at, (judge, kind) in enumerate(judges)
        for item in range(n)
    ]
    rows[0] = Judgment("i0", "m1", "q", unscored=Unscored("timeout"), kind="model")
    return JudgmentTable.of(rows, [RATING]), values


def pairs_table(n: int = 60) -> tuple[JudgmentTable, list[Pair]]:
    """A judge that takes the first shown with probability 1/2, votes in both orders, twice."""
    rng = np.random.default_rng(1)
    rows, items = [], []
    for at in range(n):
        gold = int(rng.choice([1, -1]))
        side = (Turn("assistant", "x" * int(rng.integers(5, 50))),)
        systems = {"A": "m", "B": "other"}
        items.append(
            Pair(f"p{at}", (), side, side, metadata={"systems": systems, "set": f"s{at % 9}"})
        )
        rows.append(Judgment(f"p{at}", "gold", "preference", answer=LETTERS[gold]))
        for order, first in (("AB", 1), ("BA", -1)):
            for repeat in (0, 1):
                answer = first if rng.random() < 0.5 else gold
                rows.append(
                    Judgment(
                        f"p{at}",
                        "io@m",
                        "preference",
                        answer=LETTERS[answer],
                        kind="model",
                        order=order,  # type: ignore[arg-type]
                        repeat=repeat,
                    )
                )
    return JudgmentTable.of(rows, [PREFERENCE]), items
