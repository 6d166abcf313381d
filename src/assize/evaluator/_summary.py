"""What a run of scores amounts to: numbers a question, shares, the lowest items.

Items are added one at a time; what is kept is one number an item and question, and the
names of the few lowest, so that a long stream costs little memory.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import nan
from typing import Annotated

import numpy as np

from assize.base.conversation import Continuation, Conversation, Item
from assize.base.judgment import Judgment
from assize.encoders import UNREADABLE
from assize.evaluator._adapting.result import Adaptation
from assize.evaluator._evaluator import Evaluator
from assize.evaluator._features.views import unread_turns
from assize.evaluator._uncertainty import how_many, urgency
from assize.judgments.tally import First
from assize.results import TEXT, Column, Hidden, Result, ResultTable, Share, Table
from assize.results.abridge import one_line
from assize.results.fields import tables_of
from assize.results.numbers import counted
from assize.stats import share
from assize.stats._estimate import nullable
from assize.stats._spread import Spread

LOWEST = 10
SET_ASIDE = ("language", "too_short", UNREADABLE)
_EXCERPT = 200


@dataclass(frozen=True, slots=True)
class Low:
    """One of the lowest items.

    Args:
        turns, effect: where scores are explained the turns that pull it down most, and by how
            much; None where none does.
        text: how the assistant's last turn begins, or its part of `turns`.
    """

    score: Annotated[float, Column(digits=3)]
    item: str
    turns: str | None
    effect: Annotated[float | None, Column("moved by", digits=2)]
    text: Annotated[str, Column(cut=True)] = field(metadata=TEXT)


@dataclass(frozen=True, slots=True)
class ToRate:
    """A conversation that people should rate, and why: what `details.doubt` says of it.

    Args:
        urgency: in [0, 1], see `uncertainty.urgency`.
    """

    item: str
    urgency: Annotated[float, Column(digits=2)]
    score: Annotated[float, Column(digits=2)]
    deviation: Annotated[float | None, Column(digits=2)]
    distance: Annotated[float | None, Column(digits=2)]


@dataclass(frozen=True, slots=True)
class SideShares:
    """Which side of pairs is better on one question; shares and `unscored` add up to `n`."""

    a: Annotated[Share, Column("A", kind="share", digits=1, ends="none", unit="%")]
    tie: Annotated[Share, Column(kind="share", digits=1, ends="none", unit="%")]
    b: Annotated[Share, Column("B", kind="share", digits=1, ends="none", unit="%")]
    n: int
    unscored: int

    @classmethod
    def of(cls, answers: Counter[str]) -> SideShares:
        """The shares of counted answers."""
        total = answers.total()
        a, tie, b = (
            share([float(index < answers[side]) for index in range(total)])
            for side in ("A", "tie", "B")
        )
        return cls(a, tie, b, total, answers["unscored"])


@dataclass(frozen=True)
class Summary(Result):
    """The scores of a run in short.

    Args:
        kinds: items by what they are; `reasons` by why they are unscored, `languages` by the one
            that they are in where it is not English.
        windowed: items with a text longer than the encoder's window.
        tool_turns: calls and results of tools that were not read, by what they are, and `items`,
            how many items have some; None where there are none.
        ask: conversations that people should rate, most urgent first.
        adapted: whether adapting the evaluator helped, where it was adapted.
        passed_over, rejects: judgments among the items, and bad records that were left out.
        page: where the page with the lowest ones stands; None where there is none.
    """

    evaluator: Evaluator = field(repr=False)
    judge: str
    items: int
    unscored: int
    questions: Annotated[
        Mapping[str, Spread],
        Table(
            "Scores",
            "A score is the share of the evaluator's training data that is predicted worse; of a"
            " question that a calibrator taught, the answer expected of it.",
            key="question",
        ),
    ]
    turns: Annotated[Mapping[str, Spread], Table("Scores of turns", key="question")]
    pairs: Annotated[Mapping[str, SideShares], Table("Which side is better", key="question")]
    lowest: Annotated[
        Sequence[Low],
        Table("Lowest", "Where --explain was asked for, with the turns that pull them down most."),
    ]
    ask: Annotated[Sequence[ToRate], Table("Ask people to rate these")]
    kinds: Mapping[str, int]
    reasons: Mapping[str, int]
    languages: Mapping[str, int]
    tool_turns: Mapping[str, int] | None
    windowed: Hidden[int]
    adapted: Adaptation | None
    passed_over: Hidden[int]
    rejects: Hidden[int]
    page: str | None

    @property
    def signature(self) -> str:
        """Of the scores."""
        return self.evaluator.signature

    @property
    def sentence(self) -> str:
        """What was scored by whom."""
        kinds = ", ".join(counted(count, kind) for kind, count in self.kinds.items())
        return f"{self.judge} scored {kinds}."

    @property
    def tables(self) -> Mapping[str, ResultTable]:
        """Those of the adaptation, where there was one, then its own."""
        adapted = {} if self.adapted is None else self.adapted.tables
        return {**adapted, **tables_of(self, {})}

    @property
    def notes(self) -> Sequence[str]:
        """Why items are unscored, and which languages the evaluator cannot read."""
        notes = [f"{count:,} unscored: {reason}" for reason, count in self.reasons.items()]
        if self.languages:
            count, names = sum(self.languages.values()), ", ".join(self.languages)
            if "language" in self.reasons:
                notes.append(
                    f"{count:,} not in English ({names}), which it does not read;"
                    " --any-language scores those whose tokens its encoder knows"
                )
            else:
                notes.append(f"{count:,} not in English ({names}): their scores mean nothing")
        if unread := self.reasons.get(UNREADABLE):
            notes.append(
                f"{unread:,} that the encoder {self.evaluator.encoder.name} cannot read: most of"
                " their tokens are unknown to it, so nothing scores them"
            )
        if self.page is not None:
            notes.append(f"{self.page}: the page is written")
        if self.tool_turns is not None:
            results = counted(self.tool_turns.get("results", 0), "tool result")
            calls = counted(self.tool_turns.get("calls", 0), "turn")
            items = counted(self.tool_turns["items"], "item")
            notes.append(
                f"{results} and {calls} that only called tools passed over, in {items}:"
                " the evaluator reads what was said"
            )
        return notes

    @property
    def missing(self) -> tuple[int, int]:
        """Unscored items, and all; what no evaluator of its kind can score is no failure of it."""
        aside = sum(self.reasons.get(reason, 0) for reason in SET_ASIDE)
        return self.unscored - aside, self.items


@dataclass
class ScoreCounter:
    """Counts what `score_items` yields.

    Args:
        ask: how many conversations people should rate, as a share or a number; None for none.
    """

    evaluator: Evaluator
    ask: float | None = None
    items: int = 0
    kinds: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    answers: dict[str, Counter[str]] = field(default_factory=dict)
    languages: Counter[str] = field(default_factory=Counter)
    windowed: int = 0
    tool_turns: Counter[str] = field(default_factory=Counter)
    _values: dict[tuple[str, bool], array[float]] = field(default_factory=dict)
    _owners: dict[tuple[str, bool], array[int]] = field(default_factory=dict)
    _lowest: First[Low] = field(default_factory=lambda: First(LOWEST))
    _doubted: list[str] = field(default_factory=list)
    _doubts: array[float] = field(default_factory=lambda: array("d"))

    def __post_init__(self) -> None:
        questions = self.evaluator.questions
        self._of_pairs = {question.id for question in questions if question.kind == "preference"}

    def summary(
        self,
        *,
        adapted: Adaptation | None = None,
        passed_over: int = 0,
        rejects: int = 0,
        page: str | None = None,
    ) -> Summary:
        """What was counted so far; arguments are those of `Summary`."""
        return Summary(
            evaluator=self.evaluator,
            judge=self.evaluator.judge,
            items=self.items,
            unscored=self.reasons.total(),
            questions=self._scores(turns=False),
            turns=self._scores(turns=True),
            pairs={name: SideShares.of(answers) for name, answers in self.answers.items()},
            lowest=self._lowest.values,
            ask=self._to_rate(),
            kinds=dict(self.kinds),
            reasons=dict(self.reasons),
            languages=dict(self.languages),
            tool_turns=dict(self.tool_turns) or None,
            windowed=self.windowed,
            adapted=adapted,
            passed_over=passed_over,
            rejects=rejects,
            page=page,
        )

    def add(self, item: Item, judgments: Sequence[Judgment]) -> None:
        """Counts one item with its judgments."""
        self.items += 1
        self.kinds[type(item).__name__.lower()] += 1
        first = judgments[0]
        if first.unscored is not None:
            self.reasons[first.unscored.reason] += 1
        elif first.score is not None:
            self._lowest.offer([first.score], lambda: self._low(item, first))
            self._note_doubt(item, first)
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
        if row.question in self._of_pairs:
            answers = self.answers.setdefault(row.question, Counter())
            answers["unscored" if row.answer is None else row.answer] += 1
            return
        key = (row.question, row.turn is not None)
        self._values.setdefault(key, array("d")).append(nan if row.score is None else row.score)
        self._owners.setdefault(key, array("q")).append(self.items)

    def _low(self, item: Item, first: Judgment) -> Low:
        assert first.score is not None
        return Low(first.score, item.id, *_excerpt(item, first))

    def _note_doubt(self, item: Item, first: Judgment) -> None:
        """What makes a conversation worth rating: three numbers and its id."""
        doubt = (first.details or {}).get("doubt")
        if self.ask is None or doubt is None:
            return
        assert first.score is not None
        self._doubted.append(item.id)
        self._doubts.extend((first.score, doubt.get("deviation", nan), doubt.get("distance", nan)))

    def _to_rate(self) -> list[ToRate]:
        """The conversations that people should rate, most urgent first."""
        if self.ask is None or not self._doubted:
            return []
        scores, deviation, distance = np.array(self._doubts).reshape(-1, 3).T
        levels = (self.evaluator.main.low, self.evaluator.main.high)
        near = np.min([np.abs(scores - level) for level in levels], axis=0)
        first = urgency(deviation, distance, near)
        order = np.argsort(-first, kind="stable")[: how_many(self.ask, len(first))]
        return [
            ToRate(
                self._doubted[index],
                float(first[index]),
                float(scores[index]),
                nullable(deviation[index]),
                nullable(distance[index]),
            )
            for index in order
        ]

    def _scores(self, *, turns: bool) -> dict[str, Spread]:
        """Each question that was asked of items, or of turns, whose item is their cluster."""
        return {
            name: Spread.of(
                values,
                question.ends,
                clusters=self._owners[name, turns] if turns else None,
                low=question.poor,
            )
            for name, question in self.evaluator.scored.items()
            if (values := self._values.get((name, turns))) is not None
        }


def _excerpt(item: Item, first: Judgment) -> tuple[str | None, float | None, str]:
    """The turns that pull an item's score down most, by how much, and a text of the item."""
    explained = (first.details or {}).get("explanation")
    if not explained or not isinstance(item, Conversation) or not explained["exchanges"]:
        return None, None, _last_turn(item)
    worst = min(explained["exchanges"], key=lambda exchange: exchange["effect"])
    numbers = worst["turns"]
    turns = [item.turns[number] for number in numbers]
    own = [turn for turn in turns if turn.role == "assistant"] or turns
    name = str(numbers[0]) if len(numbers) == 1 else f"{numbers[0]}-{numbers[-1]}"
    return name, worst["effect"], one_line(own[-1].text, _EXCERPT)


def _last_turn(item: Item) -> str:
    """How the assistant's last turn begins, on one line."""
    if isinstance(item, Continuation):
        text = item.candidate
    elif isinstance(item, Conversation):
        texts = [turn.text for turn in item.turns if turn.role == "assistant" and turn.text.strip()]
        text = texts[-1]
    else:
        text = ""
    return one_line(text, _EXCERPT)
