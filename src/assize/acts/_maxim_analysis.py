"""What maxims show of pairs: which tell responses apart, and how acts and maxims go together.

A response satisfies a maxim when it keeps to it better, or both do (AMULET, section 3.2).
The `chosen` response is the one that gold prefers, the other is `rejected`; pairs whose
gold is a tie, or unknown, stand outside. By the rule `agreed` a maxim counts only where both
votes say the same of it; table 17 counts so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Annotated

from assize import stats
from assize.acts._analysis import IN_PERCENT, SecondVote, ShareOnly, named
from assize.acts._annotations import Annotation, Held, Votes, responses
from assize.acts._maxims import MAXIMS
from assize.results import Column, Hidden, Share
from assize.stats import Estimate, wilson

MORE = ("chosen", "rejected", "equal")
HELD = ("chosen", "rejected", "both", "neither")
APART = "votes differ"
RULES = {
    "agreed": "maxims on which both votes agree, and the judge right in both",
    "first": "the first vote alone",
    "second": "the second vote alone",
}

_OTHER = {"A": "B", "B": "A"}


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
class MaximSides:
    """Who keeps to a maxim; `differ` where only what both votes agree on counts."""

    maxim: str
    chosen: ShareOnly
    rejected: ShareOnly
    both: ShareOnly
    neither: ShareOnly
    differ: Annotated[Share | None, replace(IN_PERCENT, name=APART)]

    @property
    def shares(self) -> dict[str, Share]:
        """By who keeps to it."""
        values = (self.chosen, self.rejected, self.both, self.neither, self.differ)
        named = zip((*HELD, APART), values, strict=True)
        return {side: share for side, share in named if share is not None}


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


def who_more(held: Held, chosen: str) -> str:
    """Which response satisfies more maxims: `chosen`, `rejected`, or `equal`."""
    difference = held.satisfied(chosen) - held.satisfied(_OTHER[chosen])
    return "chosen" if difference > 0 else "rejected" if difference < 0 else "equal"


def agreeing(votes: Votes) -> dict[str, Held]:
    """Both votes as one, by item: a maxim on which they differ is satisfied by neither.

    It is told as `votes differ`; where the answers differ, the answer is a tie.
    """
    found = {}
    for item, first in votes.maxims["first"].items():
        second = votes.maxims["second"].get(item)
        if second is not None:
            maxims = {
                name: side if side == second.maxims[name] else APART
                for name, side in first.maxims.items()
            }
            found[item] = Held(
                item, maxims, first.answer if first.answer == second.answer else "tie"
            )
    return found


def counted(votes: Votes, *, agreed: bool = False) -> Mapping[str, Held]:
    """The maxims that count, by item: of the first vote, or only those that both votes agree on."""
    return agreeing(votes) if agreed else votes.maxims["first"]


def crossed(votes: Votes, *, agreed: bool = False) -> Iterator[CrossedShare]:
    """Yield shares of pairs by whether their acts are the same and which has more maxims.

    They are of pairs whose first votes of acts and of maxims are valid; both of maxims for
    `agreed`.
    """
    counts: Counter[tuple[str, str]] = Counter()
    maxims = counted(votes, agreed=agreed)
    for item, annotation in votes.acts["first"].items():
        held, chosen = maxims.get(item), votes.gold.get(item)
        if held is not None and chosen is not None and annotation.is_pair:
            counts[_alike(annotation), who_more(held, chosen)] += 1
    n = counts.total()
    for alike in ("same", "different"):
        total = sum(counts[alike, more] for more in MORE)
        yield CrossedShare(alike, "all", wilson(total, n))
        for more in MORE:
            yield CrossedShare(alike, more, wilson(counts[alike, more], n))


def _alike(annotation: Annotation) -> str:
    a, b = responses(annotation)
    return "same" if named(a, "function") == named(b, "function") else "different"


def sides(votes: Votes, *, agreed: bool = False) -> Iterator[MaximSides]:
    """Yield by maxim who satisfies it: the chosen response, the rejected, both, or neither.

    With `agreed` also how often the votes differ about it.
    """
    known = [
        (held, votes.gold[item])
        for item, held in counted(votes, agreed=agreed).items()
        if item in votes.gold
    ]
    for maxim in MAXIMS:
        counts = Counter(_whose(held.maxims[maxim], chosen) for held, chosen in known)
        sides = (*HELD, APART) if agreed else HELD
        shares = {side: wilson(counts[side], len(known)) for side in sides}
        yield MaximSides(maxim, *map(shares.get, (*HELD, APART)))


def _whose(side: str, chosen: str) -> str:
    if side in _OTHER:
        return "chosen" if side == chosen else "rejected"
    return side


def asymmetry(held: Iterable[Held]) -> Estimate:
    """The mean number of maxims, of twelve, that only one response satisfies."""
    return stats.mean([sum(side in _OTHER for side in one.maxims.values()) for one in held])


def rules(votes: Votes) -> Iterator[RuleShare]:
    """Yield the shares under each rule over votes; table 17 counts by `agreed`."""
    by_rule = {"agreed": agreeing(votes), **votes.maxims}
    for rule, words in RULES.items():
        known = [
            (held, votes.gold[item]) for item, held in by_rule[rule].items() if item in votes.gold
        ]
        if known:
            more = [who_more(held, chosen) for held, chosen in known]
            right = [held.answer == chosen for held, chosen in known]
            both = [side == "chosen" and hit for side, hit in zip(more, right, strict=True)]
            yield RuleShare(
                rule,
                words,
                stats.share([side == "chosen" for side in more]),
                stats.share([side == "rejected" for side in more]),
                stats.share(both),
                stats.share(right),
            )


def maxim_variation(votes: Votes) -> SecondVote:
    """Return the share of maxims about which a judge says something else in its second vote."""
    second = votes.maxims["second"]
    items = [
        [held.maxims[name] != second[item].maxims[name] for name in MAXIMS]
        for item, held in votes.maxims["first"].items()
        if item in second
    ]
    values = [differ for item in items for differ in item]
    clusters = [number for number, item in enumerate(items) for _ in item]
    share = stats.share(values, clusters=clusters or None)
    return SecondVote("maxim", "answers about a maxim", share)
