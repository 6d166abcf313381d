"""Pairs out of ratings: two conversations of one group, labelled by who was rated higher.

A group is what makes ratings comparable: the same rater and scenario, the same opening, the two
answers to one user. Between groups ratings differ for reasons that are no quality.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from statistics import fmean
from typing import Annotated, Any, ClassVar

import numpy as np

from assize.base.conversation import Conversation, Pair, Preference
from assize.base.errors import DataError
from assize.base.fields import word_at
from assize.base.judgment import PREFERENCE
from assize.judgments import JudgmentTable
from assize.judgments.values import goodness
from assize.results import Table
from assize.simulate._majority import majority_label
from assize.simulate._result import Simulated

RATER = "rater"
"""As a group: the conversations that one person rated, compared by that person's own ratings."""

NO_GROUP = "it has no group"
UNRATED = "nobody rated it on the deciding question"
ALONE = "it stands alone in its group"
_EXACT = 1e-9  # means of ratings that are equal on paper
_RATED = ("ordinal", "number", "binary")

ByRater = Mapping[str, Mapping[str, float]]
"""By rater and conversation a rating, higher being better."""

Ratings = Mapping[str, ByRater]
"""By question, each rater's ratings."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RatedPairs(Simulated[Pair]):
    """Pairs with gold from ratings, and the conversations that are in none.

    Args:
        question: question whose ratings decide.
        groups: how many groups gave any.
        left_out: conversations that could not be paired, by reason.
    """

    heading: ClassVar[str] = "Pairs from ratings"

    question: str
    groups: int
    left_out: Annotated[Mapping[str, int], Table("Left out", key="conversations left out")] = field(
        default_factory=dict
    )


def rated_pairs(
    chats: Iterable[Conversation],
    judgments: JudgmentTable,
    question: str,
    rng: np.random.Generator,
    *,
    group: str = "group",
    per_group: int = 1,
    least: float = 0.0,
) -> RatedPairs:
    """Two conversations of a group a pair; gold says which was rated higher, on each question.

    Args:
        chats: N conversations.
        judgments: people's ratings of whole conversations. Rows about single turns are passed over.
        question: whose ratings decide who is better overall.
        rng: draws the pairs of a group, without one twice, and which of the two is A.
        group: a field of the conversations or of their metadata, or `rater`.
        per_group: pairs drawn from each group at random; 0 for all.
        least: difference of the deciding ratings up to which a pair is a tie, in their unit.

    Returns:
        Pairs of two whole dialogues, groups in order of appearance. `gold` holds `preference`,
        by the deciding question, and every question that both were rated on, the deciding one
        among them; there ties are equal ratings. Each person who rated both has a vote, and the
        majority is gold, a tie where no vote is the most frequent; where nobody rated both, the
        mean ratings are compared. Questions where lower is better are turned.
        Of G groups of four, one pair a group gives G pairs, all give 6 G. The metadata name
        group, both conversations, and the rater where one person rated both.

    Raises:
        DataError: the question is not rated, or no group has two rated conversations.

    Source: MTDEval, appendix D, xDial-IEval-Pair: two response pairs are said to be drawn at
    random from each set of four, yet there are 480, one a set; two a set are 960. Its sets share
    their user turns by its words; in the released dialogues they do not (`shared_user`). Its
    rule for a tie is unpublished: here equal ratings, or a difference up to `least`.
    """
    whole = {chat.id: chat for chat in chats}
    ratings = read_ratings(judgments.where(turn=None))
    if question not in ratings:
        there = ", ".join(sorted(ratings)) if ratings else "no question"
        raise DataError(
            f"there is no rating on {question!r}; rated are {there}", source="judgments"
        )
    passed: Counter[str] = Counter()
    groups = group_rated(whole, ratings, question, group, passed)
    pairs = []
    for name, ids, own in groups:
        for two in draw_pairs(ids, per_group, rng):
            a, b = two if rng.random() < 0.5 else two[::-1]
            pairs.append(make_pair(whole[a], whole[b], own, question, {group: name}, least))
    if not pairs:
        reasons = ", ".join(f"{reason} ({n})" for reason, n in passed.items())
        raise DataError(
            f"no two rated conversations share {group!r}: {reasons}; name another field with"
            " --group",
            source="items",
        )
    return RatedPairs(records=pairs, question=question, groups=len(groups), left_out=dict(+passed))


def read_ratings(table: JudgmentTable) -> Ratings:
    """Each person's ratings by question; of several ratings by one person the mean counts."""
    ratings: dict[str, ByRater] = {}
    for name, question in table.questions.items():
        if question.kind not in _RATED or name not in table.asked:
            continue
        rows = table.where(question=name)
        judges, raters = rows.codes("judge")
        items, ids = rows.codes("item")
        cells: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
        values = goodness(rows, question)
        for judge, item, value in zip(judges, items, values.tolist(), strict=True):
            if value == value:
                cells[raters[judge]][ids[item]].append(value)
        ratings[name] = {
            rater: {item: fmean(given) for item, given in own.items()}
            for rater, own in cells.items()
        }
    return ratings


def group_rated(
    whole: Mapping[str, Conversation],
    ratings: Ratings,
    question: str,
    group: str,
    passed: Counter[str],
) -> list[tuple[str, list[str], Ratings]]:
    """(name, ids, ratings that count) of each group of at least two rated conversations."""
    members: dict[str, list[str]] = defaultdict(list)
    for chat in whole.values():
        names = raters = [rater for rater, own in ratings[question].items() if chat.id in own]
        if group != RATER:
            names = list(filter(None, [word_at(chat, group)]))
        if not names and group != RATER:
            passed[NO_GROUP] += 1
        elif not raters:
            passed[UNRATED] += 1
        else:
            for name in names:
                members[name].append(chat.id)
    passed[ALONE] += sum(len(ids) == 1 for ids in members.values())
    groups = []
    for name, ids in members.items():
        own = ratings
        if group == RATER:
            own = {key: {name: by[name]} for key, by in ratings.items() if name in by}
        if len(ids) > 1:
            groups.append((name, ids, own))
    return groups


def draw_pairs(ids: Sequence[str], count: int, rng: np.random.Generator) -> list[tuple[str, str]]:
    """Pairs of a group, at most `count`, all for 0."""
    pairs = list(combinations(ids, 2))
    if not count or count >= len(pairs):
        return pairs
    return [pairs[row] for row in sorted(rng.choice(len(pairs), count, replace=False).tolist())]


def make_pair(
    a: Conversation,
    b: Conversation,
    ratings: Ratings,
    question: str,
    group: Mapping[str, str],
    least: float,
) -> Pair:
    """Two conversations as a pair with gold."""
    between = {name: differences(by, a.id, b.id) for name, by in ratings.items()}
    gold = {PREFERENCE.id: gold_label(between[question], least)}
    for name, values in between.items():
        if values:
            gold.setdefault(name, gold_label(values))
    first, second = ([turn.text for turn in chat.turns if turn.role == "user"] for chat in (a, b))
    metadata: dict[str, Any] = {
        **group,
        "a": a.id,
        "b": b.id,
        "decided_by": question,
        "difference": round(fmean(between[question]), 6),
    }
    raters = [rater for rater, own in ratings[question].items() if a.id in own or b.id in own]
    if len(raters) == 1:
        metadata[RATER] = raters[0]
    if a.system is not None or b.system is not None:
        metadata["systems"] = {"A": a.system, "B": b.system}
    same = bool(first) and first == second
    return Pair(f"{a.id}+{b.id}", (), a.turns, b.turns, same, gold, metadata)


def differences(ratings: ByRater, a: str, b: str) -> list[float]:
    """How much higher A is, by each person who rated both; else of the means; [] for unrated."""
    both = [own[a] - own[b] for own in ratings.values() if a in own and b in own]
    means = [[own[item] for own in ratings.values() if item in own] for item in (a, b)]
    if both or not all(means):
        return both
    return [fmean(means[0]) - fmean(means[1])]


def gold_label(values: Sequence[float], least: float = 0.0) -> str:
    """The majority of the sides that differences are for; up to `least` one is for a tie.

    >>> gold_label([2.0, 1.0, -4.0]), gold_label([2.0, -1.0]), gold_label([0.5], 1.0)
    ('A', 'tie', 'tie')
    """
    votes: list[Preference] = []
    for value in values:
        side: Preference = "A" if value > 0 else "B"
        votes.append("tie" if abs(value) <= least + _EXACT else side)
    return str(majority_label(votes))
