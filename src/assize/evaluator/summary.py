"""What a run of scores amounts to: numbers a question, shares, the lowest items.

Items are added one at a time; what is kept is one number an item and question, and the
names of the few lowest, so that a long stream costs little memory.
"""

from __future__ import annotations

import heapq
from array import array
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from assize.conversation import Continuation, Conversation, Item
from assize.evaluator.evaluator import Evaluator
from assize.evaluator.heads.scored_question import ScoredQuestion
from assize.judgment import PREFERENCE, Judgment
from assize.stats import Estimate, mean, share
from assize.tables import Result, ResultTable, columns, with_rows
from assize.tables.numbers import counted

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
LOWEST = 10
_EXCERPT = 200


@dataclass(frozen=True, slots=True)
class Low:
    """One of the lowest items: its score, its id, and how the assistant's last turn begins."""

    score: float
    item: str
    text: str


@dataclass(frozen=True, slots=True)
class Figures:
    """The scores on one question."""

    mean: Estimate  # with its interval; items are the independent units, for turns as well
    quantiles: tuple[float, ...]  # at `QUANTILES`; NaN where nothing was scored
    low: Estimate  # the share at or below the question's threshold


@dataclass
class Summary(Result):
    """Gathers what `score_items` yields.

    Args:
        passed_over, rejects: judgments among the items, and bad records that were left out.
    """

    evaluator: Evaluator
    items: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    unscored: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    answers: dict[str, Counter[str]] = field(default_factory=dict)
    languages: Counter[str] = field(default_factory=Counter)
    windowed: int = 0
    passed_over: int = 0
    rejects: int = 0
    _values: dict[tuple[str, bool], array[float]] = field(default_factory=dict)
    _owners: dict[tuple[str, bool], array[int]] = field(default_factory=dict)
    _missing: Counter[tuple[str, bool]] = field(default_factory=Counter)
    _lowest: list[tuple[float, int, str, str]] = field(default_factory=list)

    def add(self, item: Item, judgments: Sequence[Judgment]) -> None:
        """Counts one item with its judgments."""
        self.items += 1
        self.kinds[type(item).__name__.lower()] += 1
        first = judgments[0]
        if first.unscored is not None:
            self.unscored += 1
            self.reasons[first.unscored.reason] += 1
        elif first.score is not None:
            self._rank(item, first.score)
        details = first.details or {}
        self.windowed += "windows" in details
        if "language" in details:
            self.languages[details["language"]] += 1
        for row in judgments:
            self._count(row)

    def _count(self, row: Judgment) -> None:
        if row.question in self._compared:
            answers = self.answers.setdefault(row.question, Counter())
            answers["unscored" if row.answer is None else row.answer] += 1
            return
        key = (row.question, row.turn is not None)
        if row.score is None:
            self._missing[key] += 1
        else:
            self._values.setdefault(key, array("d")).append(row.score)
            if row.turn is not None:
                self._owners.setdefault(key, array("q")).append(self.items)

    def _rank(self, item: Item, value: float) -> None:
        entry = (-value, -self.items, item.id)
        if len(self._lowest) < LOWEST:
            heapq.heappush(self._lowest, (*entry, _excerpt(item)))
        elif entry > self._lowest[0][:3]:
            heapq.heapreplace(self._lowest, (*entry, _excerpt(item)))

    @cached_property
    def _compared(self) -> frozenset[str]:
        """Questions that pairs are asked."""
        asked = self.evaluator.questions
        return frozenset(one.id for one in asked if one.kind == "preference")

    @property
    def lowest(self) -> list[Low]:
        """The items with the lowest scores on the first question, lowest first."""
        return [Low(-value, item, text) for value, _, item, text in sorted(self._lowest)[::-1]]

    def figures(self, *, turns: bool = False) -> Iterator[tuple[str, Figures]]:
        """(question, figures) of each question that was asked of items, or of turns."""
        for name, asked in self.evaluator.scored.items():
            key = (name, turns)
            if key in self._values or key in self._missing:
                yield name, self._figures(asked, key)

    def _figures(self, asked: ScoredQuestion, key: tuple[str, bool]) -> Figures:
        values = np.array(self._values.get(key, ()), dtype=np.float64)
        missing = np.full(self._missing[key], np.nan)
        everything = np.concatenate([values, missing])
        owners = self._owners.get(key)
        clusters = None if owners is None else np.concatenate([owners, np.full(len(missing), -1)])
        quantiles = np.quantile(values, QUANTILES) if len(values) else np.full(5, np.nan)
        low = np.where(np.isnan(everything), np.nan, everything <= asked.low)
        return Figures(
            mean(everything, clusters=clusters),
            tuple(map(float, quantiles)),
            share(low, clusters=clusters),
        )

    @property
    def tables(self) -> Mapping[str, ResultTable]:
        """`questions`, `pairs` and `lowest`; those that hold anything."""
        kinds = ", ".join(counted(count, kind) for kind, count in self.kinds.items())
        title = f"{self.evaluator.judge}: {kinds}"
        figures = [*self.figures()]
        figures += [(f"{name} (turns)", one) for name, one in self.figures(turns=True)]
        rows = [
            (name, one.mean.n, one.mean.unscored, one.mean, *one.quantiles[::2], one.low)
            for name, one in figures
        ]
        named = [
            *columns("words", "question"),
            *columns("count", "n", "unscored"),
            *columns("number", "mean [95%]", "5%", "50%", "95%", digits=2),
            *columns("percent", "low", digits=0, ends="none", unit="%"),
        ]
        sides = ("A", "tie", "B", "unscored")
        pairs = [(name, *(found[one] for one in sides)) for name, found in self.answers.items()]
        of_pairs = [*columns("words", "question"), *columns("count", *sides)]
        lowest = [(one.score, one.item, one.text) for one in self.lowest]
        of_lowest = [
            *columns("number", self.evaluator.main.question.id),
            *columns("words", "item"),
            *columns("words", "last turn", cut=True),
        ]
        found = {
            "questions": ResultTable(title, named, rows),
            "pairs": ResultTable(f"{title}: which side is better", of_pairs, pairs),
            "lowest": ResultTable("Lowest", of_lowest, lowest),
        }
        return with_rows(found)

    def to_json(self) -> dict[str, Any]:
        """The numbers as one object, shaped as DESIGN asks of `--json`."""
        found: dict[str, Any] = {
            "judge": self.evaluator.judge,
            "items": self.items,
            "kinds": dict(self.kinds),
            "unscored": self.unscored,
            "reasons": dict(self.reasons),
            "questions": {name: _described(one) for name, one in self.figures()},
        }
        if turns := {name: _described(one) for name, one in self.figures(turns=True)}:
            found["turns"] = turns
        if self.answers:
            found["pairs"] = {name: _shares(answers) for name, answers in self.answers.items()}
        found["languages"] = dict(self.languages)
        found["windowed"] = self.windowed
        found["lowest"] = [{"item": one.item, "score": one.score} for one in self.lowest]
        found["signature"] = self.evaluator.signature
        return found | {"judgments_passed_over": self.passed_over, "rejects": self.rejects}

    @property
    def notes(self) -> Sequence[str]:
        """Why items are unscored, and which languages the evaluator cannot read."""
        said = [f"{count:,} unscored: {reason}" for reason, count in self.reasons.items()]
        if self.languages:
            count, names = self.languages.total(), ", ".join(self.languages)
            said.append(f"{count:,} not in English ({names}): their scores mean nothing")
        return said

    @property
    def missing(self) -> tuple[int, int]:
        """Unscored items, and all."""
        return self.unscored, self.items


def _shares(answers: Counter[str]) -> dict[str, Any]:
    """Shares of all pairs; they and `unscored` add up to `n`."""
    total = sum(answers.values())
    shares = {
        answer: share([float(place < answers[answer]) for place in range(total)]).to_share()
        for answer in PREFERENCE.answers
    }
    return {"n": total, **shares, "unscored": answers["unscored"]}


def _described(one: Figures) -> dict[str, Any]:
    quantiles = {
        f"{level:g}": None if np.isnan(value) else value
        for level, value in zip(QUANTILES, one.quantiles, strict=True)
    }
    return one.mean.to_json() | {"quantiles": quantiles, "low": one.low.to_share()}


def _excerpt(item: Item) -> str:
    """How the assistant's last turn begins, on one line."""
    if isinstance(item, Continuation):
        text = item.candidate
    elif isinstance(item, Conversation):
        said = [turn.text for turn in item.turns if turn.role == "assistant" and turn.text.strip()]
        text = said[-1]
    else:
        text = ""
    return " ".join(text[: 4 * _EXCERPT].split())[:_EXCERPT]
