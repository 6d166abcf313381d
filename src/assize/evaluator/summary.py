"""What a run of scores amounts to: numbers a question, shares, the lowest items.

Items are added one at a time; what is kept is one number an item and question, and the
names of the few lowest, so that a long stream costs little memory.
"""

from __future__ import annotations

import heapq
from array import array
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from assize.conversation import Continuation, Conversation, Item
from assize.encoders import UNREADABLE
from assize.evaluator.adapting.result import Adaptation
from assize.evaluator.evaluator import Evaluator
from assize.evaluator.features.views import unread_turns
from assize.evaluator.heads.scored_question import ScoredQuestion
from assize.evaluator.uncertainty import how_many, urgency
from assize.judgment import PREFERENCE, Judgment
from assize.results import Result, ResultTable, columns, with_rows
from assize.results.numbers import counted
from assize.stats import Estimate, mean, share
from assize.stats.estimate import nullable

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
LOWEST = 10
SET_ASIDE = ("language", "too_short", UNREADABLE)
_EXCERPT = 200


@dataclass(frozen=True, slots=True)
class Low:
    """One of the lowest items: its score, its id, and how the assistant's last turn begins; where
    scores are explained the turns that pull it down most, and how the assistant's begin."""

    score: float
    item: str
    text: str
    turns: str = ""
    effect: float | None = None


@dataclass(frozen=True, slots=True)
class ToRate:
    """A conversation that people should rate, and why: what `details.doubt` says of it."""

    item: str
    urgency: float  # in [0, 1], see `uncertainty.urgency`
    score: float
    deviation: float | None
    distance: float | None


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
        ask: how many conversations people should rate, as a share or a number; None for none.
        adapted: whether adapting the evaluator helped, where it was adapted.
        passed_over, rejects: judgments among the items, and bad records that were left out.
        page: where the page with the lowest ones stands; None where there is none.
        tool_turns: calls and results of tools that were not read, by what they are, and `items`,
            how many items have some.
    """

    evaluator: Evaluator
    ask: float | None = None
    adapted: Adaptation | None = None
    items: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    unscored: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    answers: dict[str, Counter[str]] = field(default_factory=dict)
    languages: Counter[str] = field(default_factory=Counter)
    windowed: int = 0
    tool_turns: Counter[str] = field(default_factory=Counter)
    passed_over: int = 0
    rejects: int = 0
    page: str | None = None
    _values: dict[tuple[str, bool], array[float]] = field(default_factory=dict)
    _owners: dict[tuple[str, bool], array[int]] = field(default_factory=dict)
    _missing: Counter[tuple[str, bool]] = field(default_factory=Counter)
    _lowest: list[tuple[float, int, str, tuple[str, str, float | None]]] = field(
        default_factory=list
    )
    _asked: list[str] = field(default_factory=list)
    _reasons: array[float] = field(default_factory=lambda: array("d"))

    def add(self, item: Item, judgments: Sequence[Judgment]) -> None:
        """Counts one item with its judgments."""
        self.items += 1
        self.kinds[type(item).__name__.lower()] += 1
        first = judgments[0]
        if first.unscored is not None:
            self.unscored += 1
            self.reasons[first.unscored.reason] += 1
        elif first.score is not None:
            self._rank(item, first)
            self._note(item, first)
        details = first.details or {}
        self.windowed += "windows" in details
        unread = unread_turns(item)
        if unread:
            self.tool_turns += unread + Counter(items=1)
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

    def _rank(self, item: Item, first: Judgment) -> None:
        assert first.score is not None
        entry = (-first.score, -self.items, item.id)
        if len(self._lowest) < LOWEST:
            heapq.heappush(self._lowest, (*entry, _shown(item, first)))
        elif entry > self._lowest[0][:3]:
            heapq.heapreplace(self._lowest, (*entry, _shown(item, first)))

    def _note(self, item: Item, first: Judgment) -> None:
        """What makes a conversation worth rating: three numbers and its id."""
        doubt = (first.details or {}).get("doubt")
        if self.ask is None or doubt is None:
            return
        assert first.score is not None
        self._asked.append(item.id)
        nan = float("nan")
        self._reasons.extend((first.score, doubt.get("deviation", nan), doubt.get("distance", nan)))

    @property
    def to_rate(self) -> list[ToRate]:
        """The conversations that people should rate, most urgent first."""
        if self.ask is None or not self._asked:
            return []
        scores, deviation, distance = np.array(self._reasons).reshape(-1, 3).T
        levels = (self.evaluator.main.low, self.evaluator.main.high)
        near = np.min([np.abs(scores - one) for one in levels], axis=0)
        first = urgency(deviation, distance, near)
        order = np.argsort(-first, kind="stable")[: how_many(self.ask, len(first))]
        return [
            ToRate(
                self._asked[at],
                float(first[at]),
                float(scores[at]),
                nullable(deviation[at]),
                nullable(distance[at]),
            )
            for at in order
        ]

    @cached_property
    def _compared(self) -> frozenset[str]:
        """Questions that pairs are asked."""
        asked = self.evaluator.questions
        return frozenset(one.id for one in asked if one.kind == "preference")

    @property
    def lowest(self) -> list[Low]:
        """The items with the lowest scores on the first question, lowest first."""
        return [Low(-value, item, *shown) for value, _, item, shown in sorted(self._lowest)[::-1]]

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
            mean(everything, clusters=clusters).within(asked.question.range),
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
        found = {
            "questions": ResultTable(title, named, rows),
            "pairs": ResultTable(f"{title}: which side is better", of_pairs, pairs),
            "lowest": self._of_lowest(),
            "ask": self._of_asked(),
        }
        fitted = {} if self.adapted is None else self.adapted.tables
        return {**fitted, **with_rows(found)}

    def _of_lowest(self) -> ResultTable:
        lowest = self.lowest
        main = columns("number", self.evaluator.main.question.id)
        if not any(one.turns for one in lowest):
            named = [*main, *columns("words", "item"), *columns("words", "last turn", cut=True)]
            return ResultTable("Lowest", named, [(one.score, one.item, one.text) for one in lowest])
        named = [
            *main,
            *columns("words", "item", "turns"),
            *columns("number", "moved by", digits=2),
            *columns("words", "what was said", cut=True),
        ]
        rows = [(one.score, one.item, one.turns, one.effect, one.text) for one in lowest]
        return ResultTable("Lowest, with the turns that pull them down most", named, rows)

    def _of_asked(self) -> ResultTable:
        named = [
            *columns("words", "item"),
            *columns("number", "urgency", self.evaluator.main.question.id, digits=2),
            *columns("number", "deviation", "distance", digits=2),
        ]
        rows = [
            (one.item, one.urgency, one.score, one.deviation, one.distance) for one in self.to_rate
        ]
        return ResultTable("Ask people to rate these", named, rows)

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
        if self.tool_turns:
            found["tool_turns"] = dict(self.tool_turns)
        found["lowest"] = [{"item": one.item, "score": one.score} for one in self.lowest]
        for low, shown in zip(self.lowest, found["lowest"], strict=True):
            if low.turns:
                shown |= {"turns": low.turns, "effect": low.effect}
        if self.ask is not None:
            found["ask"] = [asdict(one) for one in self.to_rate]
        if self.adapted is not None:
            found["adapted"] = self.adapted.to_json()
        found["signature"] = self.evaluator.signature
        return found | {"judgments_passed_over": self.passed_over, "rejects": self.rejects}

    @property
    def notes(self) -> Sequence[str]:
        """Why items are unscored, and which languages the evaluator cannot read."""
        said = [f"{count:,} unscored: {reason}" for reason, count in self.reasons.items()]
        if self.languages:
            count, names = self.languages.total(), ", ".join(self.languages)
            if self.reasons["language"]:
                said.append(
                    f"{count:,} not in English ({names}), which it does not read;"
                    " --any-language scores those whose tokens its encoder knows"
                )
            else:
                said.append(f"{count:,} not in English ({names}): their scores mean nothing")
        if unread := self.reasons[UNREADABLE]:
            said.append(
                f"{unread:,} that the encoder {self.evaluator.encoder.name} cannot read: most of"
                " their tokens are unknown to it, so nothing scores them"
            )
        if self.page is not None:
            said.append(f"{self.page}: the page is written")
        if self.tool_turns:
            many = counted(self.tool_turns["results"], "tool result")
            calls = counted(self.tool_turns["calls"], "turn")
            held = counted(self.tool_turns["items"], "item")
            said.append(
                f"{many} and {calls} that only called tools passed over, in {held}:"
                " the evaluator reads what was said"
            )
        return said

    @property
    def missing(self) -> tuple[int, int]:
        """Unscored items, and all; what no evaluator of its kind can score is no failure of it."""
        aside = sum(self.reasons[reason] for reason in SET_ASIDE)
        return self.unscored - aside, self.items


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


def _shown(item: Item, first: Judgment) -> tuple[str, str, float | None]:
    """A text of the item, and the turns that pull its score down most, with by how much."""
    explained = (first.details or {}).get("explanation")
    if not explained or not isinstance(item, Conversation) or not explained["exchanges"]:
        return _excerpt(item), "", None
    worst = min(explained["exchanges"], key=lambda one: one["effect"])
    places = worst["turns"]
    said = [item.turns[place] for place in places]
    own = [turn for turn in said if turn.role == "assistant"] or said
    named = str(places[0]) if len(places) == 1 else f"{places[0]}-{places[-1]}"
    return _one_line(own[-1].text), named, worst["effect"]


def _one_line(text: str) -> str:
    return " ".join(text[: 4 * _EXCERPT].split())[:_EXCERPT]


def _excerpt(item: Item) -> str:
    """How the assistant's last turn begins, on one line."""
    if isinstance(item, Continuation):
        text = item.candidate
    elif isinstance(item, Conversation):
        said = [turn.text for turn in item.turns if turn.role == "assistant" and turn.text.strip()]
        text = said[-1]
    else:
        text = ""
    return _one_line(text)
