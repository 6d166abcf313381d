"""Ratings, metrics and judges of no conversation at all, whose true kappas are known.

Every candidate has a true answer, drawn from its source's distribution. A rater gives it with
the source's `agreement`, and else draws anew from the same distribution; so does a judge with
its own `skill`. A metric is the true answer with noise. Fleiss' kappa of a source then is the
square of its agreement, whatever the distribution.

    made = simulate(Simulating(conversations=60, seed=1))
    assize.study.reference(made.metrics, ratings=made.ratings, items=made.items)

Nothing here stands for people or models: it shows that the figures are right, not what they are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from assize.base.conversation import Continuation, Turn
from assize.base.judgment import Judgment, Question
from assize.judgments import JudgmentTable
from assize.stats._arrays import FloatArray


@dataclass(frozen=True, slots=True)
class Asked:
    """A target: its answers, and how often each is true of each source.

    Args:
        answers: (K,) values, lowest first.
        shares: by source (K,) probabilities.
    """

    answers: tuple[float, ...]
    shares: Mapping[str, tuple[float, ...]]


AGREEMENT: Mapping[str, float] = {
    "rephrased": 0.80,
    "tuned": 0.70,
    "model-1": 0.65,
    "model-2": 0.60,
    "random": 0.98,
}
"""By source, how often a rater gives the true answer rather than draws one."""

TARGETS: Mapping[str, Asked] = {
    "content": Asked(
        (1, 2, 3, 4, 5),
        {
            "rephrased": (0.02, 0.03, 0.10, 0.35, 0.50), "tuned": (0.15, 0.20, 0.25, 0.25, 0.15),
            "model-1": (0.25, 0.30, 0.25, 0.15, 0.05), "model-2": (0.30, 0.30, 0.25, 0.10, 0.05),
            "random": (0.90, 0.06, 0.02, 0.01, 0.01),
        },
    ),
    "style": Asked(
        (1, 3, 5),
        {
            "rephrased": (0.10, 0.40, 0.50), "tuned": (0.35, 0.40, 0.25),
            "model-1": (0.60, 0.30, 0.10), "model-2": (0.65, 0.25, 0.10),
            "random": (0.90, 0.08, 0.02),
        },
    ),
    "reasonableness": Asked(
        (1, 5),
        {
            "rephrased": (0.03, 0.97), "tuned": (0.08, 0.92), "model-1": (0.10, 0.90),
            "model-2": (0.12, 0.88), "random": (0.90, 0.10),
        },
    ),
}  # fmt: skip
METRICS: Mapping[str, float] = {"strong": 0.8, "middling": 0.5, "weak": 0.2, "noise": 0.0}
"""By metric, its correlation with the true content."""

SKILL: Mapping[str, float] = {"likert": 0.5, "yes-no": 0.6}
"""By judge, how often it says the true content; of `yes-no` whether that is above the middle."""


@dataclass(frozen=True, slots=True)
class Simulating:
    """What is simulated.

    Args:
        conversations, turns: each turn has one candidate a source.
        raters: of every candidate.
        seed: of all draws.
    """

    conversations: int = 60
    turns: int = 5
    raters: int = 5
    seed: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Simulated:
    """What was drawn.

    Args:
        items: continuations, whose metadata say that they are simulated.
        ratings: by people who are none.
        metrics: judgments by metrics and judges.
    """

    items: Sequence[Continuation]
    ratings: JudgmentTable
    metrics: JudgmentTable


def simulate(how: Simulating) -> Simulated:
    """Draws continuations, ratings and metrics.

    Args:
        how: what is simulated.
    """
    rng = np.random.default_rng(how.seed)
    items = list(_items(how))
    truth = {name: _drawn(asked, items, rng) for name, asked in TARGETS.items()}
    ratings = [
        row
        for name, asked in TARGETS.items()
        for row in _ratings(name, asked, truth[name], items, how.raters, rng)
    ]
    content = TARGETS["content"]
    metrics = [*_metrics(truth["content"], items, rng)]
    metrics += _judges(content, truth["content"], items, rng)
    return Simulated(
        items,
        JudgmentTable.of(ratings, [_question(name, asked) for name, asked in TARGETS.items()]),
        JudgmentTable.of(metrics, _judged(content)),
    )


def _items(how: Simulating) -> Sequence[Continuation]:
    return [
        Continuation(
            id=f"s{conversation}-{turn}-{source}",
            context=(Turn("user", "a simulated turn"),),
            candidate="a simulated candidate",
            references=("a simulated reference",),
            conversation=f"s{conversation}",
            turn=turn,
            source=source,
            metadata={"simulated": True},
        )
        for conversation in range(how.conversations)
        for turn in range(1, 2 * how.turns, 2)
        for source in AGREEMENT
    ]


def _drawn(asked: Asked, items: Sequence[Continuation], rng: np.random.Generator) -> FloatArray:
    """An answer to each item (N,) by its source's distribution."""
    edges = np.array([np.cumsum(asked.shares[str(one.source)]) for one in items])
    place = (rng.random(len(items))[:, None] > edges[:, :-1]).sum(axis=1)
    values: FloatArray = np.asarray(asked.answers, dtype=float)[place]
    return values


def _ratings(
    name: str,
    asked: Asked,
    truth: FloatArray,
    items: Sequence[Continuation],
    raters: int,
    rng: np.random.Generator,
) -> Sequence[Judgment]:
    agreement = np.array([AGREEMENT[str(one.source)] for one in items])
    found = []
    for rater in range(1, raters + 1):
        said = np.where(rng.random(len(items)) < agreement, truth, _drawn(asked, items, rng))
        found += [
            Judgment(one.id, f"simulated-{rater}", name, answer=f"{value:g}", kind="person")
            for one, value in zip(items, said.tolist(), strict=True)
        ]
    return found


def _metrics(
    truth: FloatArray, items: Sequence[Continuation], rng: np.random.Generator
) -> Sequence[Judgment]:
    standard = (truth - truth.mean()) / truth.std()
    found = []
    for name, share in METRICS.items():
        values = share * standard + np.sqrt(1 - share**2) * rng.normal(size=len(items))
        found += [
            Judgment(one.id, "metrics@simulated", name, score=float(value), kind="metric")
            for one, value in zip(items, values, strict=True)
        ]
    return found


def _judges(
    asked: Asked,
    truth: FloatArray,
    items: Sequence[Continuation],
    rng: np.random.Generator,
) -> Sequence[Judgment]:
    middle = (asked.answers[0] + asked.answers[-1]) / 2
    found = []
    for name, skill in SKILL.items():
        said = np.where(rng.random(len(items)) < skill, truth, _drawn(asked, items, rng))
        for one, value in zip(items, said.tolist(), strict=True):
            answer = ("no", "yes")[value > middle] if name == "yes-no" else f"{value:g}"
            found.append(Judgment(one.id, f"{name}@simulated", name, answer=answer, kind="model"))
    return found


def _question(name: str, asked: Asked) -> Question:
    return Question(
        name,
        text=f"A simulated rating of {name}.",
        kind="ordinal",
        answers=tuple(f"{one:g}" for one in asked.answers),
        values=tuple(map(float, asked.answers)),
        higher="better",
    )


def _judged(asked: Asked) -> Sequence[Question]:
    numbers = [Question(name, kind="number", higher="better") for name in METRICS]
    return [
        *numbers,
        _question("likert", asked),
        Question("yes-no", kind="binary", answers=("no", "yes"), values=(0.0, 1.0)),
    ]
