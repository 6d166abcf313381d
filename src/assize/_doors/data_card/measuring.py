"""What can be counted in data: conversations, turns, characters, labels, raters."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from operator import ne
from typing import Annotated, Literal

import numpy as np

from assize.base.conversation import Continuation, Conversation, Item, Pair, Turn
from assize.base.judgment import Judgment
from assize.formats.records import kind_of
from assize.judgments.item_fields import systems_of
from assize.reference._continuations.context import SPEAKERS, context_key, conversation_names
from assize.results import Column, Hidden

NAN = float("nan")


Whole = Annotated[float, Column(digits=0)]
Tenth = Annotated[float, Column(digits=1)]


@dataclass(frozen=True, slots=True)
class Length:
    """Lengths in a whole set: no estimates, and so without intervals. NaN where there is none."""

    length_of: str
    mean: Tenth = NAN
    median: Tenth = NAN
    lowest: Whole = NAN
    highest: Whole = NAN
    n: int = 0


def measure_length(name: str, values: Sequence[float]) -> Length:
    """Return the spread of lengths.

    >>> measure_length("a turn", [1, 2, 6]).mean, measure_length("a turn", []).n
    (3.0, 0)
    """
    if not len(values):
        return Length(name)
    lengths = np.asarray(values, dtype=float)
    low, high = float(lengths.min()), float(lengths.max())
    return Length(name, float(lengths.mean()), float(np.median(lengths)), low, high, len(lengths))


@dataclass(frozen=True, slots=True)
class LabelCount:
    """Judgments on one question.

    Args:
        people, programs, gold: judgments by each; see `kind_of_judge`. None where nobody of the
            kind judged any question.
        unscored: of all.
        items: items, or turns of them, that people judged.
        raters_each: people an item or turn, on average; NaN where people judged none.
        fewest_raters, most_raters: people an item or turn.
    """

    question: str
    people: int
    programs: int | None
    gold: int | None
    unscored: int
    items: int
    raters_each: Annotated[float, Column(digits=2)] = NAN
    fewest_raters: Hidden[int] = 0
    most_raters: Hidden[int] = 0

    @property
    def total(self) -> int:
        """All judgments on the question."""
        return self.people + (self.programs or 0) + (self.gold or 0)


@dataclass(frozen=True, slots=True)
class Measured:
    """Counts of a set.

    Args:
        kinds: items by kind.
        conversations: how many different ones, by id or, where none is given, by context.
        utterances: turns of user and assistant of all conversations.
        lengths: of conversations, as far as the items show them, in utterances and in turn pairs
            (user's turns that an assistant's follows at once); in characters of all turns before
            a judged turn, of a judged turn (a candidate, a side of a pair, an assistant's turn)
            and of a human reference.
        candidates: continuations with a candidate.
        referenced: continuations with a reference.
        alternating: items in which user and assistant take turns and nobody else speaks.
        sourced: items in which a turn shows a source.
        sources: who wrote candidates or took part as assistant, with the number of items.
        labels: by question.
        by_turn: judgments about one turn of a conversation.
        both: items that programs judged and people, or that have gold.
        raters: people by name; positions that are no people are not counted.
    """

    kinds: Counter[str]
    conversations: int
    utterances: int
    lengths: Sequence[Length]
    candidates: int
    referenced: int
    alternating: int
    sourced: int
    sources: Counter[str]
    labels: Sequence[LabelCount]
    by_turn: int
    both: int
    raters: int

    @property
    def items(self) -> int:
        """How many items there are."""
        return self.kinds.total()


@dataclass(slots=True)
class _Texts:
    history: list[int] = field(default_factory=list)
    judged: list[int] = field(default_factory=list)
    references: list[int] = field(default_factory=list)

    def add(self, item: Item) -> None:
        """The lengths of what is judged in an item, of what stands before it, of references."""
        if isinstance(item, Conversation):
            before = 0
            for turn in item.turns:
                if turn.role == "assistant" and turn.text.strip():
                    self.history.append(before)
                    self.judged.append(len(turn.text))
                before += len(turn.text)
            return
        self.history.append(_characters(item.context))
        if isinstance(item, Pair):
            self.judged += [_characters(side) for side in (item.a, item.b)]
            return
        self.references += [len(text) for text in item.references]
        if item.candidate.strip():
            self.judged.append(len(item.candidate))


def _characters(turns: Iterable[Turn]) -> int:
    return sum(len(turn.text) for turn in turns)


def measure(items: Sequence[Item], judgments: Sequence[Judgment]) -> Measured:
    """Counts items and judgments.

    A conversation is as long as its items show it: of continuations the longest context with
    the turn that follows, of pairs the context with both sides, of which each is a turn.

    Source: UPHELD, section 3.1.2 and tables 6 to 8, whose figures these are: 5.2 turn pairs or
    10.4 turns a conversation, 560 characters of history, 245 of a judged turn. Differs: the
    history's characters are those of the turns' texts alone, without names of speakers.
    """
    texts, shown = _Texts(), dict[str, tuple[str, ...]]()
    sides: dict[str, set[str]] = defaultdict(set)
    sources, plain, sourced = Counter[str](), 0, 0
    for item, name in zip(items, conversation_names(items), strict=True):
        texts.add(item)
        roles = _roles(item)
        if len(roles) > len(shown.get(name, ())) or name not in shown:
            shown[name] = roles
        if isinstance(item, Pair):
            sides[name] |= {context_key(side) for side in (item.a, item.b)}
        turns = _turns(item)
        speakers = [turn.role for turn in turns]
        plain += {*speakers} <= {*SPEAKERS} and all(map(ne, speakers, speakers[1:]))
        sourced += any(turn.references for turn in turns)
        sources.update(one for one in systems_of(item) if one is not None)
    extra = {name: max(0, len(found) - 1) for name, found in sides.items()}
    utterances = [len(roles) + extra.get(name, 0) for name, roles in shown.items()]
    turn_pairs = [list(pairwise(roles)).count(("user", "assistant")) for roles in shown.values()]
    lengths = [
        measure_length("a conversation, in utterances", utterances),
        measure_length("a conversation, in turn pairs", turn_pairs),
        measure_length("a history, in characters", texts.history),
        measure_length("a judged turn, in characters", texts.judged),
        measure_length("a reference, in characters", texts.references),
    ]
    known = [one for one in items if isinstance(one, Continuation)]
    by_turn = sum(one.turn is not None for one in judgments)
    kinds = [kind_of_judge(one) for one in judgments]
    people = [one for one, kind in zip(judgments, kinds, strict=True) if kind == "people"]
    programs = {one.item for one, kind in zip(judgments, kinds, strict=True) if kind == "programs"}
    gold = {one.item for one, kind in zip(judgments, kinds, strict=True) if kind == "gold"}
    return Measured(
        Counter(map(kind_of, items)),
        len(shown),
        sum(utterances),
        [length for length in lengths if length.n],
        sum(bool(one.candidate.strip()) for one in known),
        sum(any(text.strip() for text in one.references) for one in known),
        plain,
        sourced,
        sources,
        label_counts(judgments),
        by_turn,
        len(programs & ({one.item for one in people} | gold)),
        len({one.judge for one in people if not one.anonymous}),
    )


def _turns(item: Item) -> tuple[Turn, ...]:
    if isinstance(item, Conversation):
        return item.turns
    if isinstance(item, Pair):
        return (*item.context, *item.a)
    return item.context


def _roles(item: Item) -> tuple[str, ...]:
    """Who speaks, user or assistant, turn after turn."""
    after = ("assistant",) if isinstance(item, Continuation) else ()
    return (*(turn.role for turn in _turns(item) if turn.role in SPEAKERS), *after)


def kind_of_judge(one: Judgment) -> Literal["people", "programs", "gold"]:
    """Who judged: `gold` is nobody, and one that does not say what it is, such as a rater's
    bare id, a person, unless it is written `name@model`.

    >>> [kind_of_judge(Judgment("i", judge, "q", score=1)) for judge in ("ann", "da@m", "gold")]
    ['people', 'programs', 'gold']
    """
    if one.judge == "gold":
        return "gold"
    if one.kind is None:
        return "programs" if "@" in one.judge else "people"
    return "people" if one.kind == "person" else "programs"


def label_counts(judgments: Iterable[Judgment]) -> list[LabelCount]:
    """Return judgments by question, in their order."""
    rows: dict[str, list[Judgment]] = defaultdict(list)
    kinds = Counter[str]()
    for judgment in judgments:
        rows[judgment.question].append(judgment)
        kinds[kind_of_judge(judgment)] += 1
    labels = [_label_count(question, own) for question, own in rows.items()]
    return [
        replace(
            label,
            programs=label.programs if kinds["programs"] else None,
            gold=label.gold if kinds["gold"] else None,
        )
        for label in labels
    ]


def _label_count(question: str, rows: Sequence[Judgment]) -> LabelCount:
    raters: dict[tuple[str, int | None], set[str]] = defaultdict(set)
    kinds = Counter(map(kind_of_judge, rows))
    for row in rows:
        if kind_of_judge(row) == "people" and row.unscored is None:
            raters[row.item, row.turn].add(row.judge)
    sizes = [len(names) for names in raters.values()]
    unscored = sum(row.unscored is not None for row in rows)
    counts = LabelCount(
        question, kinds["people"], kinds["programs"], kinds["gold"], unscored, len(raters)
    )
    if not sizes:
        return counts
    mean = float(np.mean(sizes))
    return replace(counts, raters_each=mean, fewest_raters=min(sizes), most_raters=max(sizes))
