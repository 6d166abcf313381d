"""Votes made by hand, and AMULET's stored ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from assize.base.conversation import Pair, Turn
from assize.base.judgment import Judgment, Order, Unscored
from assize.formats import read, read_judgments
from assize.judgments import JudgmentTable

AMULET = Path(__file__).parents[3] / "shared" / "data" / "amulet-hh-test"
FILES = ("outputs-gpt4o.jsonl.gz", "reward-models.jsonl", "instances.jsonl")

# two judges, in both orders; see `table_of`
SAID = {
    "da": {"p1": "AA", "p2": "AB", "p3": "AB", "p4": "xx", "p5": "BB"},
    "maxim": {"p1": "BB", "p2": "AA", "p3": "tt", "p4": "Ax", "p5": "AA"},
}


def pair(id: str, gold: str | None = "A", same: bool = False) -> Pair:
    """Two responses of one word each, alike but for a blank where they are the same."""
    a, b = Turn("assistant", "one"), Turn("assistant", "one " if same else "two")
    return Pair(id, (), (a,), (b,), gold=gold)  # type: ignore[arg-type]


def vote(
    item: str, judge: str, answer: str | None, order: Order | None = "AB", repeat: int = 0
) -> Judgment:
    """One vote; None is one that could not be made."""
    missing = Unscored("refused") if answer is None else None
    return Judgment(
        item, judge, "preference", answer=answer, order=order, repeat=repeat, unscored=missing
    )


def table_of(said: dict[str, dict[str, str]]) -> JudgmentTable:
    """A table from `{judge: {item: two letters}}`: A, B, t (tie), x (unscored), - (no row)."""
    answers = {"A": "A", "B": "B", "t": "tie", "x": None}
    orders: tuple[Order, Order] = ("AB", "BA")
    return JudgmentTable.of(
        vote(item, judge, answers[letter], order)
        for judge, items in said.items()
        for item, letters in items.items()
        for order, letter in zip(orders, letters, strict=True)
        if letter != "-"
    )


@pytest.fixture(scope="session")
def amulet() -> JudgmentTable:
    """All stored judgments of GPT-4o and of the three reward models."""
    if not AMULET.exists():
        pytest.skip("needs shared/data/amulet-hh-test beside the repository")
    return read_judgments([AMULET / name for name in FILES])


@pytest.fixture(scope="session")
def amulet_pairs() -> dict[str, Pair]:
    """The 460 pairs by id."""
    if not AMULET.exists():
        pytest.skip("needs shared/data/amulet-hh-test beside the repository")
    records = read(AMULET / "instances.jsonl")
    return {one.id: one for one in records if isinstance(one, Pair)}
