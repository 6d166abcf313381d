"""Files for pages that compare continuations with what a person said: drawn, with planted facts.

Of the sources `gpt-4o` and `gpt-3.5`, the first is longer and asks nothing back more often, and
people score its content lower.
"""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from assize import reference
from assize.base.conversation import Continuation, Turn
from assize.base.judgment import Judgment
from assize.formats import write
from assize.formats.research.upheld import QUESTIONS
from assize.reference._rating_sheets.workbook import Entry

SOURCES = ("gpt-4o", "gpt-3.5")
_TOPICS = ("sourdough", "a flat tyre", "a resume", "a trip to Lisbon", "a maths test", "a fridge")
_LONG = (
    "There are several steps that you can take: 1. Look at {topic} closely. 2. Make a list. 3."
    " Consider your options, each of which has its advantages."
)
_SHORT = "Let's look at {topic} together. What bothers you about it?"
Fill = Callable[[Entry, np.random.Generator], dict[str, str]]


def continuations() -> list[Continuation]:
    """Two sources at two turns of forty-five conversations."""
    rng = np.random.default_rng(0)
    return [
        Continuation(
            f"k{number}-{turn}-{side}",
            _context(number, turn),
            (_LONG if long else _SHORT).format(topic=_TOPICS[number % len(_TOPICS)]),
            ("Let's start small. What worries you most about it?",),
            f"c{number}",
            turn,
            source,
        )
        for number in range(45)
        for turn in (1, 3)
        for side, source in enumerate(SOURCES)
        for long in [rng.random() < (0.8 if side == 0 else 0.2)]
    ]


def _context(number: int, turn: int) -> tuple[Turn, ...]:
    first = Turn("user", f"I need help with {_TOPICS[number % len(_TOPICS)]}.")
    more = (Turn("assistant", "Sure. What have you tried so far?"), Turn("user", "Nothing yet."))
    return (first, *(more if turn == 3 else ()))


def people() -> list[Judgment]:
    """Three people's content scores."""
    rng = np.random.default_rng(1)
    return [
        Judgment(one.id, rater, "content", answer=str(_score(one, rng)), kind="person")
        for one in continuations()
        for rater in ("r1", "r2", "r3")
    ]


def _score(one: Continuation, rng: np.random.Generator) -> int:
    middle = 2.2 if "several steps" in one.candidate else 3.4
    return int(np.clip(round(rng.normal(middle, 0.9)), 1, 5))


def compared(folder: Path) -> None:
    """`continuations.jsonl`, `ratings.jsonl`, and sheets that two people have filled in."""
    write(folder / "continuations.jsonl", continuations())
    write(folder / "ratings.jsonl", people(), questions=QUESTIONS[:1])
    with TemporaryDirectory() as scratch:
        rating = reference.sheet(continuations(), Path(scratch) / "rating", n=40).key.entries
        drawn = reference.contrast(
            continuations(), people(), SOURCES, Path(scratch) / "contrast"
        ).key.entries
    for seed, name in enumerate(("anna", "ben")):
        _fill(folder / f"{name}-rated.csv", rating, _rated, seed)
        _fill(folder / f"{name}.csv", drawn, _noted, seed)


def _fill(place: Path, entries: tuple[Entry, ...], fill: Fill, seed: int) -> None:
    rng = np.random.default_rng(seed)
    rows = [{"row": one.row, **fill(one, rng)} for one in entries]
    with place.open("w", newline="", encoding="utf-8") as stream:
        writer = csv.DictWriter(stream, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def _rated(entry: Entry, rng: np.random.Generator) -> dict[str, str]:
    return {
        "score_task_1_content": str(rng.integers(1, 6)),
        "score_task_2_style": str(rng.choice([1, 3, 5])),
        "score_task_3_reasonableness": "5: a reasonable continuation",
    }


def _noted(entry: Entry, rng: np.random.Generator) -> dict[str, str]:
    candidate = {one.id: one.candidate for one in continuations()}[entry.item]
    long = "several steps" in candidate
    if rng.random() < 0.02:
        return {"phrasing": "", "difference": ""}
    notes = (
        ("longer", "a list", "asks nothing back", "less engaging")
        if long
        else ("same", "same", "another question", "less engaging")
    )
    human = rng.random() < (0.15 if long else 0.85)
    return {
        "phrasing": "human" if human else "template",
        "difference": str(rng.choice(notes)),
    }
