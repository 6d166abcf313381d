"""What judgments amount to: numbers a question, shares, the lowest items, what failed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated

from assize.base.conversation import Item
from assize.base.judgment import Judgment, Question
from assize.encoders import UNREADABLE
from assize.evaluator._adapting.result import Adaptation
from assize.judgments.tally import Tally
from assize.results import TEXT, Column, Hidden, Result, ResultTable, Share, Table
from assize.results.numbers import counted
from assize.stats._spread import Spread

SET_ASIDE = ("language", "too_short", UNREADABLE)

Side = Annotated[Share, Column(kind="share", digits=1, ends="none", unit="%")]


@dataclass(frozen=True, slots=True)
class LowestItem:
    """One of the lowest items.

    Args:
        turns, effect: where scores are explained the turns that pull it down most, and by how
            much; None where none does.
        begins: the item's first words; "" where its text is not known.
        text: of a continuation the candidate, else the assistant's part of `turns`; None without.
    """

    score: Annotated[float, Column(digits=3)]
    item: str
    turns: str | None
    effect: Annotated[float | None, Column("moved by", digits=2)]
    begins: Annotated[str, Column(cut=True)] = field(metadata=TEXT)
    text: Annotated[str | None, Column(cut=True)] = field(default=None, metadata=TEXT)


@dataclass(frozen=True, slots=True)
class RatingRequest:
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
    """Which side of pairs is better; shares and `unscored` add up to `n`."""

    a: Annotated[Share, Column("A", kind="share", digits=1, ends="none", unit="%")]
    tie: Side
    b: Annotated[Share, Column("B", kind="share", digits=1, ends="none", unit="%")]
    n: int
    unscored: int


@dataclass(frozen=True, slots=True)
class AnswerShare:
    """How often one answer was given to a question whose answers have no order."""

    question: str
    answer: str
    judgments: Share


@dataclass(frozen=True, slots=True)
class FailedJudgment:
    """A judgment that could not be made."""

    item: str
    judge: str
    question: str
    reason: str
    message: str = field(metadata=TEXT)


@dataclass(frozen=True, slots=True)
class JudgeRows:
    """Who judged how often; numbers are comparable where signatures are the same.

    Args:
        signature: "" where none was given.
    """

    judge: str
    signature: str
    judgments: int
    unscored: int
    not_applicable: int


@dataclass(frozen=True, slots=True)
class ListedItem:
    """An item that the page lists with its text.

    Args:
        item: its id alone where the text is not known.
        value: the number by which items are ordered.
    """

    item: Item | str
    value: float
    judgments: Sequence[Judgment]


@dataclass(frozen=True)
class ScoreSummary(Result):
    """The scores of a run, or any judgments, in short.

    Args:
        judge: the only one; None for several.
        question: heads the page and orders the items; None when nothing was asked.
        items: of which `unscored` could not be judged on the main question, for `not_applicable`
            it does not apply, and `not_judged` hold no judgment on it.
        judgments: rows, of which `duplicates` repeat another's key.
        kinds: items by what they are; `reasons` by why they are unscored, `languages` by the one
            that a judge flags as not its own.
        windowed: items with a text longer than the judge's window; `shortened` of which it read
            no oldest turns.
        tool_turns: calls and results of tools that were not read, by what they are, and `items`,
            how many items have some; None where there are none.
        ask: conversations that people should rate, most urgent first.
        adapted: whether adapting the evaluator helped, where it was adapted.
        passed_over, rejects: judgments among the items, and bad records that were left out.
        meaning: what the scores of an evaluator mean, in sentences.
        tallies: what was counted, by judge and question.
        values: of the items on the main question, over judges.
        listed: the items that the page shows, in the order that `listing` names.
    """

    heading = "Scores"

    judge: str | None
    question: str | None
    items: int
    unscored: int
    not_applicable: Hidden[int]
    not_judged: Hidden[int]
    judgments: Hidden[int]
    duplicates: Hidden[int]
    questions: Annotated[
        Mapping[str, Spread],
        Table("Scores", "Mean and percentiles of the items' scores.", key="question"),
    ]
    turns: Annotated[Mapping[str, Spread], Table("Scores of turns", key="question")]
    pairs: Annotated[Mapping[str, SideShares], Table("Which side is better", key="question")]
    answers: Annotated[Sequence[AnswerShare], Table("Answers without an order", most=100)]
    lowest: Annotated[
        Sequence[LowestItem],
        Table("Lowest", "The items with the lowest scores, to look at first."),
    ]
    ask: Annotated[Sequence[RatingRequest], Table("Ask people to rate these")]
    failures: Annotated[Sequence[FailedJudgment], Table("Judgments that could not be made")]
    judges: Annotated[
        Sequence[JudgeRows],
        Table(
            "Who judged",
            notes=["Numbers are comparable where the signatures are the same."],
            most=100,
        ),
    ]
    kinds: Mapping[str, int]
    reasons: Mapping[str, int]
    languages: Mapping[str, int]
    tool_turns: Mapping[str, int] | None
    windowed: Hidden[int]
    shortened: Hidden[int]
    adapted: Adaptation | None
    passed_over: Hidden[int]
    rejects: Hidden[int]
    signature: str
    spent: str | None
    encoder: str | None = field(repr=False)
    inferred: Sequence[str] = field(repr=False)
    main: Question | None = field(repr=False)
    meaning: Sequence[str] = field(repr=False)
    tallies: Mapping[tuple[str, str], Tally] = field(repr=False)
    values: Sequence[float] = field(repr=False)
    listed: Sequence[ListedItem] = field(repr=False)
    listing: str = field(repr=False)

    @property
    def tables(self) -> Mapping[str, ResultTable]:
        """Those of the adaptation, where there was one, then its own."""
        adapted = {} if self.adapted is None else self.adapted.tables
        return {**adapted, **super().tables}

    @property
    def table_notes(self) -> Mapping[str, Sequence[str]]:
        """What the scores mean, and which turns are named beside the lowest."""
        explained = any(row.effect is not None for row in self.lowest)
        turns = "turns: those that lower the score most; moved by: by how much."
        return {"questions": self.meaning, "lowest": [turns] if explained else []}

    @property
    def sentence(self) -> str:
        """What was scored by whom."""
        kinds = ", ".join(counted(count, kind) for kind, count in self.kinds.items())
        judge = self.judge or counted(len({row.judge for row in self.judges}), "judge")
        sentence = f"{judge} scored {kinds or counted(self.items, 'item')}."
        if self.encoder is not None:
            sentence += (
                " The shipped evaluator spots poor conversations; it does not rank strong"
                " assistants, check facts, or read languages other than English."
            )
        return sentence

    @property
    def notes(self) -> Sequence[str]:
        """Why items are unscored, and for which a judge says that care is needed."""
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
                f"{unread:,} that the encoder {self.encoder} cannot read: most of their tokens are"
                " unknown to it, so nothing scores them"
            )
        if self.shortened:
            notes.append(
                f"{self.shortened:,} too long for a judge, read without their oldest turns"
            )
        if self.tool_turns is not None:
            results = counted(self.tool_turns.get("results", 0), "tool result")
            calls = counted(self.tool_turns.get("calls", 0), "turn")
            items = counted(self.tool_turns["items"], "item")
            notes.append(
                f"{results} and {calls} that only called tools passed over, in {items}:"
                " the evaluator reads only what was said"
            )
        if self.inferred:
            names = ", ".join(self.inferred)
            notes.append(f"no scale was given for {names}: it was inferred from the answers seen")
        return notes

    @property
    def missing(self) -> tuple[int, int]:
        """Unscored items, and all; what no evaluator of its kind can score is no failure of it."""
        aside = sum(self.reasons.get(reason, 0) for reason in SET_ASIDE)
        return self.unscored - aside, self.items
