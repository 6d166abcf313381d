"""What can be counted in data: conversations, turns, characters, labels, raters."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from operator import ne
from typing import Annotated, Any, Literal

import numpy as np

from assize.base.conversation import Continuation, Conversation, Item, Pair, Turn
from assize.base.judgment import Judgment
from assize.formats.records import kind_of
from assize.judgments.item_fields import systems_of
from assize.reference._continuations.context import SPEAKERS, context_key, conversation_names
from assize.results import Column

NAN = float("nan")
_SHOWN_VALUES = 5  # values of a field that a card shows
_LONGEST_VALUE = 24  # characters of each


Whole = Annotated[float, Column(digits=0)]
Tenth = Annotated[float, Column(digits=1)]


@dataclass(frozen=True, slots=True)
class Length:
    """Lengths in a whole set: no estimates, and so without intervals."""

    length_of: str
    mean: Tenth
    median: Tenth
    lowest: Whole
    highest: Whole
    n: int


@dataclass(frozen=True, slots=True)
class LabelCount:
    """Judgments on one question.

    Args:
        people, programs, gold: judgments by each; see `kind_of_judge`. None where nobody of the
            kind judged any question.
        unscored: of all.
        items: items, or turns of them, that people judged.
        raters_each: people an item or turn, on average; NaN where people judged none.
    """

    question: str
    people: int
    programs: int | None
    gold: int | None
    unscored: int
    items: int
    raters_each: Annotated[float, Column("raters per item", digits=2)]


@dataclass(frozen=True, slots=True)
class FieldCount:
    """A field of the items: `system`, or one of the metadata.

    Args:
        items: how many have it.
        of: how many items there are.
        values: the most frequent ones, each with its number of items.
    """

    field: str
    items: int
    of: int
    values: Annotated[str, Column("most frequent values")]


@dataclass(frozen=True, slots=True)
class Measured:
    """Counts of a set.

    Args:
        kinds: items by kind.
        conversations: how many different ones, by id or, where none is given, by context.
        utterances: turns of user and assistant of all conversations.
        lengths: of conversations, as far as the items show them, in utterances and in turn pairs
            (user's turns that an assistant's follows at once); in characters of a response (a
            candidate, a side of a pair, an assistant's turn), of all turns before it, and of a
            human reference. What there is none of is left out.
        referenced: continuations with a reference.
        alternating: items in which user and assistant take turns and nobody else speaks.
        sourced: items in which a turn shows a source.
        sources: who wrote candidates or took part as assistant, with the number of items.
        fields: the system and the metadata.
        labels: by question.
        judged: judgments by people, programs and as gold.
        by_turn: judgments about one turn of a conversation.
        both: items that programs judged and people, or that have gold.
        raters: people by name; positions that are no people are not counted.
    """

    kinds: Counter[str]
    conversations: int
    utterances: int
    lengths: Sequence[Length]
    referenced: int
    alternating: int
    sourced: int
    sources: Counter[str]
    fields: Sequence[FieldCount]
    labels: Sequence[LabelCount]
    judged: Counter[str]
    by_turn: int
    both: int
    raters: int

    @property
    def items(self) -> int:
        """How many items there are."""
        return self.kinds.total()


def measure(items: Sequence[Item], judgments: Sequence[Judgment]) -> Measured:
    """Counts items and judgments.

    A conversation is as long as its items show it: of continuations the longest context with
    the turn that follows, of pairs the context with both sides, of which each is a turn.

    Source: UPHELD, section 3.1.2 and tables 6 to 8, whose figures these are: 5.2 turn pairs or
    10.4 turns a conversation, 560 characters of history, 245 of a judged turn. Differs: the
    history's characters are those of the turns' texts alone, without names of speakers.
    """
    roles: dict[str, list[str]] = {}
    sides: dict[str, set[str]] = defaultdict(set)
    histories, judged, references = list[int](), list[int](), list[int]()
    sources, referenced, alternating, sourced = Counter[str](), 0, 0, 0
    for item, name in zip(items, conversation_names(items), strict=True):
        turns = item.turns if isinstance(item, Conversation) else item.context
        if isinstance(item, Conversation):
            for place, turn in enumerate(item.turns):
                if turn.role == "assistant" and turn.text.strip():
                    histories.append(_characters(item.turns[:place]))
                    judged.append(len(turn.text))
        else:
            histories.append(_characters(item.context))
        if isinstance(item, Pair):
            turns = (*item.context, *item.a)
            judged += [_characters(side) for side in (item.a, item.b)]
            sides[name] |= {context_key(side) for side in (item.a, item.b)}
        spoken: list[str] = [turn.role for turn in turns if turn.role in SPEAKERS]
        alternating += len(spoken) == len(turns) and all(map(ne, spoken, spoken[1:]))
        if isinstance(item, Continuation):
            spoken.append("assistant")
            judged += [len(item.candidate)] if item.candidate.strip() else []
            references += [len(text) for text in item.references]
            referenced += any(text.strip() for text in item.references)
        roles[name] = max(roles.get(name, []), spoken, key=len)
        sourced += any(turn.references for turn in turns)
        sources.update(one for one in systems_of(item) if one is not None)
    utterances = [len(said) + max(0, len(sides[name]) - 1) for name, said in roles.items()]
    turn_pairs = [list(pairwise(said)).count(("user", "assistant")) for said in roles.values()]
    lengths = {
        "a conversation, in utterances": utterances,
        "a conversation, in turn pairs": turn_pairs,
        "a response, in characters": judged,
        "the turns before it, in characters": histories,
        "a reference, in characters": references,
    }
    kinds = [kind_of_judge(one) for one in judgments]
    by_kind: dict[str, set[str]] = defaultdict(set)
    for one, kind in zip(judgments, kinds, strict=True):
        by_kind[kind].add(one.item)
    raters = {
        one.judge
        for one, kind in zip(judgments, kinds, strict=True)
        if kind == "people" and not one.anonymous
    }
    return Measured(
        Counter(map(kind_of, items)),
        len(roles),
        sum(utterances),
        [measure_length(name, values) for name, values in lengths.items() if values],
        referenced,
        alternating,
        sourced,
        sources,
        count_fields(items),
        count_labels(judgments),
        Counter(kinds),
        sum(one.turn is not None for one in judgments),
        len(by_kind["programs"] & (by_kind["people"] | by_kind["gold"])),
        len(raters),
    )


def _characters(turns: Iterable[Turn]) -> int:
    return sum(len(turn.text) for turn in turns)


def measure_length(name: str, values: Sequence[float]) -> Length:
    """Return the spread of lengths.

    >>> measure_length("a turn", [1, 2, 6]).mean
    3.0
    """
    mean, median = float(np.mean(values)), float(np.median(values))
    return Length(name, mean, median, float(min(values)), float(max(values)), len(values))


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


def count_fields(items: Sequence[Item]) -> list[FieldCount]:
    """Return on how many items the system and each field of the metadata stand.

    >>> count_fields([Conversation("c", (), metadata={"stars": 5}), Conversation("d", ())])
    [FieldCount(field='stars', items=1, of=2, values='5 (1)')]
    """
    counts: dict[str, Counter[str]] = {"system": Counter()}
    present = Counter[str]()
    for item in items:
        systems = {system for system in systems_of(item) if system is not None}
        counts["system"].update(systems)
        present["system"] += bool(systems)
        for name, value in _flatten(item.metadata):
            if value not in (None, ""):
                counts.setdefault(name, Counter())[_value_text(value)] += 1
                present[name] += 1
    return [
        FieldCount(name, present[name], len(items), _format_values(values))
        for name, values in counts.items()
        if values
    ]


def _flatten(fields: Mapping[str, Any], path: str = "") -> Iterator[tuple[str, Any]]:
    """The fields of an object, those inside its objects by their dotted names."""
    for name, value in fields.items():
        if isinstance(value, Mapping) and value:
            yield from _flatten(value, f"{path}{name}.")
        else:
            yield f"{path}{name}", value


def _value_text(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value, default=str, ensure_ascii=False)
    return text if len(text) <= _LONGEST_VALUE else f"{text[: _LONGEST_VALUE - 3]}..."


def _format_values(counts: Counter[str]) -> str:
    """The most frequent values; only how many there are where no two items share one."""
    if len(counts) > _SHOWN_VALUES and len(counts) == counts.total():
        return f"{len(counts):,} different values"
    values = [f"{value} ({n:,})" for value, n in counts.most_common(_SHOWN_VALUES)]
    more = len(counts) - len(values)
    return ", ".join(values) + (f", {more:,} more" if more else "")


def count_labels(judgments: Iterable[Judgment]) -> list[LabelCount]:
    """Return judgments by question, in their order."""
    counts: dict[str, Counter[str]] = {}
    raters: dict[str, dict[tuple[str, int | None], set[str]]] = {}
    for row in judgments:
        kind = kind_of_judge(row)
        counts.setdefault(row.question, Counter())[kind] += 1
        counts[row.question]["unscored"] += row.unscored is not None
        units = raters.setdefault(row.question, {})
        if kind == "people" and row.unscored is None:
            units.setdefault((row.item, row.turn), set()).add(row.judge)
    there = set().union(*counts.values())
    labels = []
    for question, count in counts.items():
        sizes = [len(names) for names in raters[question].values()]
        programs, gold = (count[kind] if kind in there else None for kind in ("programs", "gold"))
        mean = float(np.mean(sizes)) if sizes else NAN
        row_of = (question, count["people"], programs, gold, count["unscored"], len(sizes), mean)
        labels.append(LabelCount(*row_of))
    return labels
