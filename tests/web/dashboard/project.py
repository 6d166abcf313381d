"""A small project with a dashboard: 60 conversations, 6 raters and 3 questions, simulated."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

import assize
from assize.base.conversation import Conversation, Reference, ToolCall, Turn
from assize.base.judgment import Judgment, Question, Unscored
from assize.judgments import JudgmentTable

ATTACK = "<script>alert('x')</script><img src=x onerror=alert(1)> [go](javascript:alert(2))"
SCALE = ("1", "2", "3", "4")
RATERS = tuple(f"calibration:rater {at}" for at in range(6))
QUESTIONS = [
    Question(
        name,
        f"{text} {ATTACK}" if name == "Q2" else text,
        "ordinal",
        SCALE,
        (1.0, 2.0, 3.0, 4.0),
        higher="better",
    )
    for name, text in (("Q0", "Was the user satisfied?"), ("Q1", "Was it natural?"), ("Q2", ""))
]
LENGTH = Question(
    "length",
    "Was it the right length?",
    "nominal",
    ("short", "long", "right"),
    labels={"short": "too short", "long": ATTACK},
)
"""Answered by two people, who differ about every fourth conversation."""
YAML = """
dashboard: satisfaction
title: Satisfaction
about: What raters would say about last month's conversations.
judgments: [judgments.jsonl]
items: [conversations.jsonl]
main: Q0
raters: [calibrated]
by: [system, metadata.topic]
time: metadata.started
replicates: 40
"""


def conversations(count: int = 60) -> list[Conversation]:
    """Two systems, three topics; the first one attacks the page."""
    found = []
    for at in range(count):
        text = ATTACK if at == 0 else f"How do I renew plot {at // 2}? I **need** it."
        turns = (
            Turn("user", text),
            Turn(
                "assistant",
                f"Fill in the form [1]. {ATTACK}",
                (Reference("1", "Plots", f"Plots are let for ten years. {ATTACK}"),),
                tool_calls=(ToolCall("t1", "search", {"q": ATTACK}),),
            ),
            Turn("tool", ATTACK, tool_call_id="t1"),
            Turn("user", "Thank you!"),
        )
        told = {"topic": ("plots", "fees", ATTACK)[at % 3], "started": f"2026-03-{1 + at % 28:02d}"}
        found.append(Conversation(f"c/{at:03d}", turns, ("old", "new")[at % 2], told))
    return found


def predictions(count: int = 60, seed: int = 0) -> list[Judgment]:
    """Every predicted rater's answers to every question about every conversation."""
    rng = np.random.default_rng(seed)
    quality = rng.normal(size=count)
    found = []
    for question in QUESTIONS:
        for at in range(count):
            for rater, name in enumerate(RATERS):
                middle = 2.5 + 0.6 * quality[at] + 0.2 * (rater - 2) + 0.3 * (at % 2)
                p = np.exp(-0.8 * (np.arange(1, 5) - middle) ** 2)
                p /= p.sum()
                found.append(
                    Judgment(
                        f"c/{at:03d}",
                        name,
                        question.id,
                        score=float(p @ np.arange(1, 5)),
                        distribution=dict(zip(SCALE, p.tolist(), strict=True)),
                        kind="model" if rater else None,
                    )
                )
    return found


def others() -> list[Judgment]:
    """What else is said about the first conversation: acts, turns, criteria, a failure."""
    acts = [[["Task", "Set Question"]], [["Task", "Inform"], ["Task", ATTACK]], [], []]
    return [
        Judgment("c/000", "acts@local", "acts", score=2.0, details={"acts": {"turns": acts}}),
        Judgment(
            "c/000",
            "io@m",
            "Q0",
            answer="2",
            explanation=f"**Short** answer. {ATTACK}",
            kind="model",
        ),
        Judgment("c/000", "io@m", "Q1", unscored=Unscored("refused", "it would not"), kind="model"),
        Judgment("c/000", "io@m", "turn-help", answer="no", turn=1, explanation="It only points."),
        Judgment("c/000", "io@m", "D1", answer="7", details={"turns": [1]}),
    ]


def lengths(count: int = 60) -> list[Judgment]:
    """What two people say of each conversation's length."""
    found = []
    for at in range(count):
        first = LENGTH.answers[at % 3]
        second = LENGTH.answers[(at + 1) % 3] if at % 4 == 0 else first
        for name, answer in (("ann", first), ("bob", second)):
            found.append(Judgment(f"c/{at:03d}", name, "length", answer=answer, kind="person"))
    return found


def table(rows: Sequence[Judgment] | None = None) -> JudgmentTable:
    """The judgments as a table."""
    given = [*predictions(), *others(), *lengths()] if rows is None else rows
    return JudgmentTable.of(given, [*QUESTIONS, LENGTH])


def write_project(folder: Path) -> None:
    """Writes the project's files."""
    (folder / "dashboards").mkdir(parents=True)
    (folder / "dashboards" / "satisfaction.yaml").write_text(YAML, encoding="utf-8")
    assize.write(str(folder / "conversations.jsonl"), conversations())
    assize.write(str(folder / "judgments.jsonl"), table())
