"""Makes the example judgments: votes on the pairs, a model's answers, and people's ratings.

python examples/make_judgments.py [FOLDER]

No person and no model gave them; they are drawn, so that guides and tests have judgments whose
making is known. What is drawn leans towards `metadata.kind`, so that there is something to learn.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import assize
from assize import Conversation, Judgment, JudgmentTable, Pair, Question
from assize.base.judgment import PREFERENCE

HERE = Path(__file__).parent
KINDS = {"bad": 0.25, "mixed": 0.55, "good": 0.85}
ANSWERS = ("1", "2", "3", "4")
STRICTNESS = {"ann": 0.1, "bob": 0.0, "eve": -0.1}
"""How much each rater takes off."""
SKILL = {"small": 0.6, "medium": 0.75, "large": 0.95}
"""How often each judge of pairs sees what our preference sees."""

HELPFUL = Question(
    "helpful",
    "How helpful is the assistant?",
    kind="ordinal",
    answers=ANSWERS,
    values=(1, 2, 3, 4),
    higher="better",
)
CLEAR = Question(
    "clear",
    "How clear are its answers?",
    kind="ordinal",
    answers=ANSWERS,
    values=(1, 2, 3, 4),
    higher="better",
)
LEARNT = 24  # conversations whose ratings are to learn from; those of the others are held out


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else HERE
    chats = [one for one in read("conversations.jsonl") if isinstance(one, Conversation)]
    pairs = [one for one in read("pairs.jsonl") if isinstance(one, Pair)]
    rng = np.random.default_rng(7)
    assize.write(folder / "votes.jsonl", votes(pairs, rng))
    assize.write(folder / "answers.jsonl", answers(chats, rng))
    rated = ratings(chats, rng)
    seen = [one.id for one in chats[:LEARNT]]
    held = [one.id for one in chats[LEARNT:]]
    assize.write(folder / "ratings.jsonl", rated.where(item=seen))
    assize.write(folder / "held-ratings.jsonl", rated.where(item=held))


def read(name: str) -> list[object]:
    """The records of an example file."""
    return list(assize.read(HERE / name))


def votes(pairs: list[Pair], rng: np.random.Generator) -> JudgmentTable:
    """Both orders of each pair, by three judges."""
    rows = []
    for pair in pairs:
        gold = pair.gold if pair.gold in ("A", "B") else None
        for judge, skill in SKILL.items():
            for order in ("AB", "BA"):
                right = gold is not None and rng.random() < skill
                answer = str(gold) if right else str(rng.choice(["A", "B"]))
                rows.append(Judgment(pair.id, judge, "preference", answer=answer, order=order))
    return JudgmentTable.of(rows, [PREFERENCE])


def answers(chats: list[Conversation], rng: np.random.Generator) -> JudgmentTable:
    """How likely a model holds each answer to be, to both questions."""
    rows = []
    for chat in chats:
        for question in (HELPFUL, CLEAR):
            middle = KINDS[str(chat.metadata["kind"])] + rng.normal(0, 0.12)
            weights = np.exp(-0.5 * ((np.linspace(0.1, 0.9, 4) - middle) / 0.2) ** 2)
            shares = [round(float(one), 4) for one in weights / weights.sum()]
            shares[-1] = round(1 - sum(shares[:-1]), 4)
            drawn = dict(zip(ANSWERS, shares, strict=True))
            rows.append(Judgment(chat.id, "model", question.id, distribution=drawn, kind="model"))
    return JudgmentTable.of(rows, [HELPFUL, CLEAR])


def ratings(chats: list[Conversation], rng: np.random.Generator) -> JudgmentTable:
    """What three people answer about each conversation: how helpful."""
    rows = []
    for chat in chats:
        shared = KINDS[str(chat.metadata["kind"])] + rng.normal(0, 0.08)
        for rater, less in STRICTNESS.items():
            place = int(np.clip(4 * (shared - less + rng.normal(0, 0.1)), 0, 3))
            rows.append(Judgment(chat.id, rater, HELPFUL.id, answer=ANSWERS[place], kind="person"))
    return JudgmentTable.of(rows, [HELPFUL])


if __name__ == "__main__":
    main()
