"""Two versions of an assistant, drawn: the second is better in English and worse in German."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from assize.base.conversation import Conversation, Turn
from assize.base.judgment import Judgment, Question, Unscored
from assize.judgments import JudgmentTable
from assize.versions.version import Version

HELPFUL = Question(
    "helpful",
    "How helpful is the assistant?",
    "ordinal",
    tuple("12345"),
    (1, 2, 3, 4, 5),
    higher="better",
)


def chat(name: str, number: int) -> Conversation:
    """A conversation whose prompt is the same in every version."""
    lang = "de" if number % 3 == 0 else "en"
    turns = (Turn("user", f"Question {number}?"), Turn("assistant", f"{name} says {number}."))
    week = f"2026-{1 + number // 28 % 12:02d}-{1 + number % 28:02d}"
    fields = {"version": name, "lang": lang, "started": week, "user": f"u{number % 10}"}
    return Conversation(f"c{number}", turns, name, fields)


def made(
    name: str,
    values: Sequence[float | None],
    *,
    ids: Sequence[str] | None = None,
    judge: str = "rating@m",
    signature: str = "s1",
    texts: bool = True,
) -> Version:
    """A version whose conversations have these answers; None is unscored."""
    chats = [chat(name, number) for number in range(len(values))]
    named = [one.id for one in chats] if ids is None else ids
    rows = [
        Judgment(item, judge, "helpful", unscored=Unscored("refused"), kind="model")
        if value is None
        else Judgment(
            item, judge, "helpful", answer=f"{value:g}", kind="model", signature=signature
        )
        for item, value in zip(named, values, strict=True)
    ]
    items = dict(zip(named, chats, strict=True)) if texts else {}
    return Version(name, JudgmentTable.of(rows, [HELPFUL]), items)


def chats_of(version: Version) -> dict[str, Conversation]:
    """A version's conversations."""
    return {name: one for name, one in version.items.items() if isinstance(one, Conversation)}


def two_versions(count: int = 90, gain: float = 0.8) -> tuple[Version, Version]:
    """Old and new, of as many conversations with the same prompts and ids."""
    rng = np.random.default_rng(0)
    base = rng.normal(3.2, 0.9, count)
    german = np.arange(count) % 3 == 0
    shift = np.where(german, -gain, gain)
    sides = [base + rng.normal(0, 0.5, count), base + shift + rng.normal(0, 0.5, count)]
    old, new = (np.clip(np.round(one), 1, 5).tolist() for one in sides)
    return made("old", old), made("new", new)
