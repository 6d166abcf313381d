"""Raters who are simulated from known parameters, and what they collect."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from assize.base.judgment import Judgment, Question
from assize.web._monitor.collected import Collected, Work

DAY = 86_400.0
START = 1_700_000_000.0
CLEAR = Question(
    "clear",
    "Is it clear?",
    kind="ordinal",
    answers=("1", "2", "3", "4", "5"),
    values=(1.0, 2.0, 3.0, 4.0, 5.0),
)
KIND = Question(
    "kind",
    "Is it kind?",
    kind="ordinal",
    answers=("1", "2", "3", "4", "5"),
    values=(1.0, 2.0, 3.0, 4.0, 5.0),
)
PART = Question("part", "Which part is worst?", kind="nominal", answers=("start", "middle", "end"))


@dataclass(frozen=True)
class Rater:
    """How a rater answers: the truth, plus noise and an offset, or at random."""

    noise: float = 0.8
    offset: float = 0.0
    careless: float = 0.0  # share of answers that are drawn from all of them
    always: str | None = None
    pace: float = 1.0
    later: float = 0.0  # added to the offset in the second half


@dataclass(frozen=True)
class Study:
    """Who rates how many items, and what they are."""

    raters: Mapping[str, Rater]
    items: int = 200
    overlap: int = 3
    gold: int = 0  # gold items that every rater sees
    questions: Sequence[Question] = field(default=(CLEAR, KIND))
    seed: int = 0


def collect(study: Study) -> Collected:
    """What the study's raters submit."""
    rng = np.random.default_rng(study.seed)
    names = list(study.raters)
    truth = {f"i{n}": rng.normal(3, 1.2, len(study.questions)) for n in range(study.items)}
    gold = {
        f"g{n}": rng.integers(1, 6, len(study.questions)).astype(float) for n in range(study.gold)
    }
    plan = [
        (item, name, "rate")
        for item in truth
        for name in rng.choice(names, min(study.overlap, len(names)), replace=False).tolist()
    ]
    plan += [(item, name, "gold") for item in gold for name in names]
    rng.shuffle(plan)
    pieces = []
    for place, (item, name, purpose) in enumerate(plan):
        who = study.raters[name]
        late = place > len(plan) / 2
        seconds = float(who.pace * rng.lognormal(4, 0.4))
        work = Work(
            name,
            item,
            purpose=purpose,
            chosen="gold" if gold.get(item) is not None else "random",
            created=START + 600 * place,
            submitted=START + 600 * place + seconds,
            seconds=seconds,
        )
        known = gold[item] if item in gold else truth[item]
        rows = []
        for question, value in zip(study.questions, known, strict=True):
            rows.append(_judged(work, question, float(value), who, late, rng))
        pieces.append((work, rows))
    expected = {
        item: {one.id: f"{value:g}" for one, value in zip(study.questions, values, strict=True)}
        for item, values in gold.items()
    }
    return Collected.of(pieces, study.questions, expected)


def _judged(
    work: Work, question: Question, value: float, who: Rater, late: bool, rng: np.random.Generator
) -> Judgment:
    noise = 0.3 if work.purpose == "gold" else who.noise
    said = value + rng.normal(0, noise) + who.offset + (who.later if late else 0)
    place = int(np.clip(round(said), 1, len(question.answers))) - 1
    if rng.random() < who.careless:
        place = int(rng.integers(len(question.answers)))
    answer = question.answers[place] if who.always is None else who.always
    return Judgment(work.item, work.rater, question.id, answer=answer, kind="person")


def answers(
    rows: Mapping[tuple[str, str], str], question: Question = CLEAR, **more: float
) -> Collected:
    """What stands in `rows`: (item, rater) -> answer, submitted one after the other."""
    pieces = []
    for place, ((item, rater), answer) in enumerate(rows.items()):
        work = Work(rater, item, submitted=START + place, seconds=60.0)
        pieces.append((work, [Judgment(item, rater, question.id, answer=answer, kind="person")]))
    return Collected.of(pieces, [question])


def crowd(count: int, **odd: Rater) -> dict[str, Rater]:
    """So many ordinary raters, and those who are named."""
    return {**{f"r{n}": Rater() for n in range(count)}, **odd}
