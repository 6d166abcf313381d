"""The findings of a study as rows: one record a row of each table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any

from assize.acts._analysis import COUNTED, LEVELS, ROLES, Frequency, Validity, Variation
from assize.acts._maxim_analysis import MORE, RULES, Crossed, More, PerMaxim
from assize.results import Column, Hidden, Percent, Share
from assize.stats import wilson

IN_PERCENT = Column(kind="percent", digits=1, ends="none", unit="%")
ShareOnly = Annotated[Share | None, IN_PERCENT]


@dataclass(frozen=True, slots=True)
class JudgedItems:
    """How many items of a judge are analysed, and why others are left out."""

    judge: str
    labels: str
    items: Annotated[int, Column("valid items")]
    left_out: int
    why: str | None


@dataclass(frozen=True, slots=True)
class CrossedShare:
    """How many pairs have the same or different acts, and which response has more maxims.

    Args:
        acts: `same` or `different`.
        more: `chosen`, `rejected`, `equal`, or `all` for the three together.
    """

    acts: str
    more: Annotated[str, Column("satisfies more maxims")]
    share: Share


@dataclass(frozen=True, slots=True)
class ActChange:
    """How often acts change: from one turn of a role to its next, or between two responses."""

    level: str
    who: str
    change: str
    share: Share


@dataclass(frozen=True, slots=True)
class NameFrequency:
    """How many turns of each role have a function or a dimension; None where none has."""

    name: str
    user: ShareOnly
    assistant: ShareOnly
    response: ShareOnly


@dataclass(frozen=True, slots=True)
class DistinctActs:
    """In how many conversations a role uses at least so many distinct acts."""

    what: str
    at_least: int
    user: ShareOnly
    assistant: ShareOnly


@dataclass(frozen=True, slots=True)
class Transition:
    """How many of the turns with an act have another in the next turn.

    Args:
        turns: with the act that have a next turn.
        followed: of them, whose next turn has `next_act`.
    """

    act: str
    next_act: Annotated[str, Column("in the next turn")]
    followed: int
    turns: Annotated[int, Column("of turns")]
    share: Percent[float]


@dataclass(frozen=True, slots=True)
class LabelShare:
    """How many labels (or turns) are as the taxonomy has them."""

    labels: str
    share: Share


@dataclass(frozen=True, slots=True)
class MaximSides:
    """Who keeps to a maxim; `differ` where only what both votes agree on counts."""

    maxim: str
    chosen: ShareOnly
    rejected: ShareOnly
    both: ShareOnly
    neither: ShareOnly
    differ: Annotated[Share | None, replace(IN_PERCENT, name="votes differ")]


@dataclass(frozen=True, slots=True)
class RuleShare:
    """In how many pairs the chosen response satisfies more maxims, by one rule over votes.

    Args:
        right: where it does and the judge chose it, too.
        accuracy: where the judge chose it, whatever the maxims.
    """

    rule: Hidden[str]
    votes: Annotated[str, Column("votes that count")]
    chosen_more: Annotated[Share, replace(IN_PERCENT, name="chosen has more")]
    rejected_more: Annotated[Share, replace(IN_PERCENT, name="rejected has more")]
    right: Annotated[Share, replace(IN_PERCENT, name="and chosen")]
    accuracy: Hidden[Share]


@dataclass(frozen=True, slots=True)
class SecondVote:
    """How much the second vote labels otherwise."""

    level: str
    what: str
    share: Share


LABELS = {
    "dimensions": "dimension as in the taxonomy",
    "valid": "function and dimension as in the taxonomy",
    "foreign": "function known, dimension not its own",
    "hallucinated": "function unknown (hallucinated)",
    "turns": "turns with a hallucinated function",
}
VOTES = {
    "context": "turns of the context",
    "responses": "responses, each with itself",
    "as_published": "responses, by place as published",
    "turns": "all turns, by their set",
    "labels": "all turns, as published",
}


def crossed_rows(crossed: Crossed) -> Iterator[CrossedShare]:
    """Yield the shares of same and of different acts, each with the three below it."""
    for acts, share in (("same", crossed.same), ("different", crossed.different)):
        yield CrossedShare(acts, "all", share)
        for more in MORE:
            yield CrossedShare(acts, more, crossed.cells[acts, more])


def frequency_rows(by_role: Mapping[str, Frequency]) -> list[NameFrequency]:
    """Return all names, the most frequent first over all roles together."""
    totals = Counter[str]()
    for frequency in by_role.values():
        totals.update({name: share.count for name, share in frequency.names.items()})
    names = sorted(totals, key=lambda name: (-totals[name], name))
    roles = ("user", "assistant", "response")
    return [
        NameFrequency(name, *(share_of(by_role[role].names, name) for role in roles))
        for name in names
    ]


def share_of(shares: Mapping[Any, Share], key: Any) -> Share | None:
    """Return a share, 0 of as many where it never occurs; None where nothing was counted."""
    known = next(iter(shares.values()), None)
    return shares.get(key, None if known is None else wilson(0, known.n, unscored=known.unscored))


def distinct_rows(
    distinct: Mapping[str, Mapping[str, Mapping[int, Share]]],
) -> Iterator[DistinctActs]:
    """Yield the shares of conversations with at least so many acts, functions and dimensions."""
    for what in COUNTED:
        shares = [distinct[what][role] for role in ROLES]
        most = max((count for share in shares for count in share), default=0)
        for count in range(1, most + 1):
            yield DistinctActs(what, count, *(share_of(share, count) for share in shares))


def transition_rows(rows: Mapping[str, Mapping[str, int]]) -> list[Transition]:
    """Return which act follows which, the most frequent first."""
    found = [
        Transition(act, other, count, row[""], count / row[""])
        for act, row in rows.items()
        for other, count in row.items()
        if other
    ]
    return sorted(found, key=lambda row: (-row.followed, row.act, row.next_act))


def most_next(rows: Mapping[str, Mapping[str, int]]) -> list[str]:
    """The acts that follow, the most frequent first; a row's own count stands under ""."""
    totals = Counter[str]()
    for row in rows.values():
        totals.update({name: count for name, count in row.items() if name})
    return sorted(totals, key=lambda name: (-totals[name], name))


def label_rows(validity: Validity) -> list[LabelShare]:
    """Return how many labels are the taxonomy's."""
    return [LabelShare(words, getattr(validity, name)) for name, words in LABELS.items()]


def side_rows(per_maxim: Mapping[str, PerMaxim]) -> list[MaximSides]:
    """Return who keeps to each maxim."""
    sides = ("chosen", "rejected", "both", "neither", "votes differ")
    return [
        MaximSides(name, *(maxim.shares.get(side) for side in sides))
        for name, maxim in per_maxim.items()
    ]


def rule_rows(by_rule: Mapping[str, More]) -> list[RuleShare]:
    """Return the shares under each rule over votes."""
    return [
        RuleShare(
            rule, RULES[rule], more.chosen_more, more.rejected_more, more.right, more.accuracy
        )
        for rule, more in by_rule.items()
    ]


def vote_rows(variation: Mapping[str, Variation], maxims: Share | None) -> list[SecondVote]:
    """Return how far the second vote differs about acts, and about maxims."""
    rows = [
        SecondVote(level, words, getattr(variation[level], name))
        for level in LEVELS
        if level in variation
        for name, words in VOTES.items()
    ]
    return rows + ([] if maxims is None else [SecondVote("maxim", "answers about a maxim", maxims)])


def names_of(counts: Mapping[str, int]) -> str:
    """Return names with their counts in a line."""
    return ", ".join(f"{name or '(none)'} {count:,}" for name, count in counts.items()) or "none"


def judge_rows(
    judges: Sequence[tuple[str, str | None]],
    items: Mapping[str, int],
    excluded: Mapping[str, Mapping[str, int]],
) -> Iterator[JudgedItems]:
    """Yield what of each judge is analysed."""
    for labels, judge in judges:
        if judge is not None:
            reasons = excluded.get(judge, {})
            why = ", ".join(f"{reason}: {count:,}" for reason, count in reasons.items())
            yield JudgedItems(judge, labels, items[labels], sum(reasons.values()), why or None)
