"""Conversations with ratings that an evaluator only half knows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from letters import Letters

from assize.base.conversation import Conversation, Pair, Turn
from assize.base.judgment import Judgment, Question
from assize.evaluator import Evaluator
from assize.evaluator._learning import learn
from assize.evaluator._scoring import raw_numbers
from assize.judgments import JudgmentTable

RATING = Question(
    "satisfied", kind="ordinal", answers=("1", "2", "3", "4", "5"), values=(1.0, 2.0, 3.0, 4.0, 5.0)
)


@dataclass(frozen=True)
class World:
    """Answers of letters: the evaluator likes a; its users agree, and may like f as well."""

    evaluator: Evaluator
    items: list[Conversation]
    pairs: list[Pair]
    quality: dict[str, float]

    def ratings(self, count: int, seed: int = 0, *, f: float = 0.0) -> JudgmentTable:
        """People's ratings, 1 to 5, of the first conversations."""
        rng = np.random.default_rng(seed)
        rows = []
        for item in self.items[:count]:
            text = item.turns[1].text
            value = 1.2 * self.quality[item.id] + f * (text.count("f") - 1.5)
            shown = int(np.clip(np.round(3 + value + rng.normal(0, 0.5)), 1, 5))
            rows.append(Judgment(item.id, "ann", "satisfied", answer=str(shown), kind="person"))
        return JudgmentTable.of(rows, [RATING])

    def votes(self, count: int) -> JudgmentTable:
        """People's preferences of pairs, with a tie where sides are alike."""
        rows = []
        for pair in self.pairs[:count]:
            apart = self.quality[f"{pair.id}a"] - self.quality[f"{pair.id}b"]
            answer = "tie" if abs(apart) < 0.4 else "A" if apart > 0 else "B"
            rows.append(Judgment(pair.id, "ann", "preference", answer=answer, kind="person"))
        return JudgmentTable.of(rows)


def _text(rng: np.random.Generator) -> str:
    """Twelve letters: a to e at random, and up to three f."""
    good = rng.uniform(0.05, 0.8)
    letters = rng.choice(list("abcde"), 9, p=[good, *[(1 - good) / 4] * 4]).tolist()
    f = int(rng.integers(0, 4))
    return "".join([*letters, *"f" * f, *"b" * (3 - f)])


@pytest.fixture(scope="session")
def world(talk: Callable[..., Conversation]) -> World:
    rng = np.random.default_rng(7)
    texts = [_text(rng) for _ in range(400)]
    items = [talk(f"c{at}", "u: cd", f"a: {text}") for at, text in enumerate(texts)]
    teach = [talk(f"t{at}", "u: cd", f"a: {_text(rng)}") for at in range(200)]
    rows: list[Any] = []
    for item in teach:
        text = item.turns[1].text
        likes = text.count("a") + rng.normal(0, 1)
        rows.append(Judgment(item.id, "bot", "overall", score=likes))
        rows.append(Judgment(item.id, "bot", "other", score=text.count("f")))
    evaluator = learn({"taught": teach}, JudgmentTable.of(rows), Letters(), name="taught")
    found = raw_numbers(items, evaluator=evaluator)
    raw = np.array([one["overall"] for one in found if isinstance(one, Mapping)])
    standard = ((raw - raw.mean()) / raw.std()).tolist()
    quality = {item.id: one for item, one in zip(items, standard, strict=True)}
    pairs, user = [], (Turn("user", "cd"),)
    for at in range(100):
        left, right = ((Turn("assistant", text),) for text in texts[2 * at : 2 * at + 2])
        pairs.append(Pair(f"p{at}", user, left, right))
        quality |= {f"p{at}a": standard[2 * at], f"p{at}b": standard[2 * at + 1]}
    return World(evaluator, items, pairs, quality)
