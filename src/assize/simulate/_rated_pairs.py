"""Pairs out of ratings: two conversations of one group, labelled by who was rated higher.

A group is what makes ratings comparable: the same rater and scenario, the same opening, the two
answers to one user. Between groups ratings differ for reasons that are no quality.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Annotated, Any, ClassVar

import numpy as np

from assize.base.conversation import Conversation, Pair, Preference
from assize.base.errors import DataError
from assize.base.fields import word_at
from assize.base.judgment import PREFERENCE
from assize.judgments import JudgmentTable
from assize.judgments.combine import unit_means
from assize.results import Column, Records, Table, derive

RATER = "rater"
"""As a group: the conversations that one person rated, compared by that person's own ratings."""

NO_GROUP = "it has no group"
UNRATED = "nobody rated it on the deciding question"
ALONE = "it stands alone in its group"
_EXACT = 1e-9  # means of ratings that are equal on paper
_RATED = ("ordinal", "number", "binary")

Ratings = Mapping[str, Mapping[str, float]]


@dataclass(frozen=True, slots=True)
class Pairing:
    """How pairs are made of ratings.

    Args:
        question: whose ratings decide who is better overall.
        group: a field of the conversations or of their metadata, or `rater`.
        per_group: pairs drawn from each group at random; 0 for all.
        least: difference of the deciding ratings up to which a pair is a tie, in their unit.
    """

    question: str
    group: str = "group"
    per_group: int = 1
    least: float = 0.0


@dataclass(frozen=True, slots=True)
class RatedPairs(Records[Pair]):
    """Pairs with gold from ratings, and the conversations that are in none.

    Args:
        pairs: iterating gives them too.
        pairing: how they were made.
        groups: how many groups gave any.
        left_out: conversations that could not be paired, by reason.
        count: of the pairs.
    """

    heading: ClassVar[str] = "Pairs from ratings"

    pairs: Sequence[Pair] = field(repr=False)
    pairing: Pairing
    groups: int
    left_out: Annotated[Mapping[str, int], Table("Left out", key="conversations left out")]
    signature: str = ""
    out: str | None = None
    count: Annotated[int, Column("pairs")] = field(init=False)

    def __post_init__(self) -> None:
        derive(self, count=len(self.pairs))

    @property
    def notes(self) -> Sequence[str]:
        """How many, of how many groups, and by which question."""
        number = f"{len(self.pairs):,} pairs of {self.groups:,} groups"
        said = [f"{number}, decided by {self.pairing.question}"]
        if self.out is not None:
            said.append(f"{self.out}: {len(self.pairs):,} pairs")
        return said


def rated_pairs(
    chats: Iterable[Conversation],
    judgments: JudgmentTable,
    pairing: Pairing,
    rng: np.random.Generator,
) -> RatedPairs:
    """Two conversations of a group a pair; gold says which was rated higher, on each question.

    Args:
        chats: N conversations.
        judgments: people's ratings of whole conversations; of several people the mean counts.
            Rows about single turns are passed over.
        rng: draws the pairs of a group, without one twice, and which of the two is A.

    Returns:
        Pairs of two whole dialogues, groups in order of appearance. `gold` holds `preference`,
        by the deciding question, and every question that both were rated on, the deciding one
        among them; there ties are equal ratings. Questions where lower is better are turned.
        Of G groups of four, one pair a group gives G pairs, all give 6 G. The metadata name
        group, both conversations, and the rater where one person rated both.

    Raises:
        DataError: the question is not rated, or no group has two rated conversations.

    Source: MTDEval, appendix D, xDial-IEval-Pair: two response pairs are said to be drawn at
    random from each set of four, yet there are 480, one a set; two a set are 960. Its sets share
    their user turns by its words; in the released dialogues they do not (`shared_user`). Its
    rule for a tie is unpublished: here equal ratings, or a difference up to `least`.
    """
    whole = {one.id: one for one in chats}
    table = judgments.where(turn=None)
    known = sorted(one for one in table.asked if table.questions[one].kind in _RATED)
    if pairing.question not in known:
        there = ", ".join(known) if known else "no question"
        raise DataError(
            f"there is no rating on {pairing.question!r}; rated are {there}", source="judgments"
        )
    passed: Counter[str] = Counter()
    groups = _groups(whole, table, pairing, passed)
    raters = _raters(table.where(question=pairing.question))
    made = [
        _pair(name, _sides(whole, two, rng), ratings, pairing, raters)
        for name, ids, ratings in groups
        for two in _drawn(ids, pairing.per_group, rng)
    ]
    if not made:
        reasons = ", ".join(f"{reason} ({n})" for reason, n in passed.items())
        problem = f"no two rated conversations share {pairing.group!r}: {reasons}"
        raise DataError(f"{problem}; name another field with --group", source="items")
    return RatedPairs(tuple(made), pairing, len(groups), dict(passed))


def _groups(
    whole: Mapping[str, Conversation],
    table: JudgmentTable,
    pairing: Pairing,
    passed: Counter[str],
) -> list[tuple[str, list[str], Ratings]]:
    """(name, ids, ratings by question and id) of each group of at least two."""
    found = []
    if pairing.group == RATER:
        for judge in table.judges:
            ratings = _ratings(table.where(judge=judge))
            ids = [one for one in whole if one in ratings.get(pairing.question, {})]
            found.append((judge, ids, ratings))
        seen = {one for _, ids, _ in found for one in ids}
        passed[UNRATED] += sum(one not in seen for one in whole)
    else:
        ratings, members = _ratings(table), defaultdict[str, list[str]](list)
        for one in whole.values():
            name = word_at(one, pairing.group)
            if name is None:
                passed[NO_GROUP] += 1
            elif one.id not in ratings[pairing.question]:
                passed[UNRATED] += 1
            else:
                members[name].append(one.id)
        found = [(name, ids, ratings) for name, ids in members.items()]
    passed[ALONE] += sum(len(ids) == 1 for _, ids, _ in found)
    for reason in [reason for reason, count in passed.items() if not count]:
        del passed[reason]
    return [one for one in found if len(one[1]) > 1]


def _ratings(table: JudgmentTable) -> Ratings:
    """The mean rating of each conversation by question, higher being better."""
    return {
        name: {
            item: mean
            for (item, _), mean in unit_means(table.where(question=name), one).items()
            if mean == mean
        }
        for name, one in table.questions.items()
        if one.kind in _RATED and name in table.asked
    }


def _raters(table: JudgmentTable) -> Mapping[str, set[str]]:
    """Who rated each conversation."""
    found: dict[str, set[str]] = defaultdict(set)
    items, ids = table.codes("item")
    judges, names = table.codes("judge")
    for item, judge in set(zip(items.tolist(), judges.tolist(), strict=True)):
        found[ids[item]].add(names[judge])
    return found


def _drawn(ids: Sequence[str], count: int, rng: np.random.Generator) -> list[tuple[str, str]]:
    """Pairs of a group, at most `count`, all for 0."""
    all_of = list(combinations(ids, 2))
    if not count or count >= len(all_of):
        return all_of
    return [all_of[at] for at in sorted(rng.choice(len(all_of), count, replace=False).tolist())]


def _sides(
    whole: Mapping[str, Conversation], two: tuple[str, str], rng: np.random.Generator
) -> tuple[Conversation, Conversation]:
    first, second = two if rng.random() < 0.5 else two[::-1]
    return whole[first], whole[second]


def _pair(
    group: str,
    sides: tuple[Conversation, Conversation],
    ratings: Ratings,
    pairing: Pairing,
    raters: Mapping[str, set[str]],
) -> Pair:
    a, b = sides
    between = {
        name: each[a.id] - each[b.id]
        for name, each in ratings.items()
        if a.id in each and b.id in each
    }
    decided = between[pairing.question]
    gold = {PREFERENCE.id: _label(decided, pairing.least)}
    gold |= {name: _label(one) for name, one in between.items() if name not in gold}
    users = [[turn.text for turn in one.turns if turn.role == "user"] for one in sides]
    metadata: dict[str, Any] = {
        pairing.group: group,
        "a": a.id,
        "b": b.id,
        "decided_by": pairing.question,
        "difference": round(decided, 6),
    }
    if len(by := raters[a.id] | raters[b.id]) == 1:
        metadata[RATER] = by.pop()
    if a.system is not None or b.system is not None:
        metadata["systems"] = {"A": a.system, "B": b.system}
    same = bool(users[0]) and users[0] == users[1]
    return Pair(f"{a.id}+{b.id}", (), a.turns, b.turns, same, gold, metadata)


def _label(difference: float, least: float = 0.0) -> Preference:
    if abs(difference) <= least + _EXACT:
        return "tie"
    return "A" if difference > 0 else "B"
