"""What maxims show of pairs: which tell responses apart, and how acts and maxims go together.

A response satisfies a maxim when it keeps to it better, or both do (AMULET, section 3.2).
The `chosen` response is the one that gold prefers, the other is `rejected`; pairs whose
gold is a tie, or unknown, stand outside. By the rule `agreed` a maxim counts only where both
votes say the same of it; table 17 counts so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from assize import stats
from assize.acts._analysis import named
from assize.acts._annotations import Annotation, Held, Votes, responses
from assize.acts._maxims import MAXIMS
from assize.results import Share
from assize.stats import Estimate

MORE = ("chosen", "rejected", "equal")
HELD = ("chosen", "rejected", "both", "neither")
APART = "votes differ"
RULES = {
    "agreed": "maxims on which both votes agree, and the judge right in both",
    "first": "the first vote alone",
    "second": "the second vote alone",
}

_OTHER = {"A": "B", "B": "A"}


def who_more(held: Held, chosen: str) -> str:
    """Which response satisfies more maxims: `chosen`, `rejected`, or `equal`."""
    difference = held.satisfied(chosen) - held.satisfied(_OTHER[chosen])
    return "chosen" if difference > 0 else "rejected" if difference < 0 else "equal"


@dataclass(frozen=True, slots=True)
class Crossed:
    """Same or different acts of the two responses, crossed with which satisfies more maxims."""

    n: int  # pairs with both annotations and a chosen response
    # same, different: share of them
    same: Share
    different: Share
    # (`same` or `different`; `chosen`, `rejected` or `equal`) -> share of all n
    cells: Mapping[tuple[str, str], Share]


def counted(votes: Votes, *, agreed: bool = False) -> dict[str, Held]:
    """The maxims that count, by item: of the first vote, or only those that both votes agree on.

    A maxim on which they differ is satisfied by neither, and told as `votes differ`.
    """
    first, second = votes.maxims["first"], votes.maxims["second"]
    if not agreed:
        return first
    return {item: agreeing(first[item], second[item]) for item in first if item in second}


def agreeing(first: Held, second: Held) -> Held:
    """Both votes as one, with only what they agree on."""
    maxims = {
        name: side if side == second.maxims[name] else APART for name, side in first.maxims.items()
    }
    return Held(first.item, maxims, first.answer if first.answer == second.answer else "tie")


def crossed(votes: Votes, level: str = "function", *, agreed: bool = False) -> Crossed:
    """Over pairs whose first votes of acts and of maxims are valid; both of maxims for `agreed`."""
    counts: Counter[tuple[str, str]] = Counter()
    maxims = counted(votes, agreed=agreed)
    for item, annotation in votes.acts["first"].items():
        held, chosen = maxims.get(item), votes.gold.get(item)
        if held is not None and chosen is not None and annotation.is_pair:
            counts[_alike(annotation, level), who_more(held, chosen)] += 1
    n = counts.total()
    alike = {
        one: stats.wilson(sum(counts[one, more] for more in MORE), n)
        for one in ("same", "different")
    }
    cells = {(one, more): stats.wilson(counts[one, more], n) for one in alike for more in MORE}
    return Crossed(n, alike["same"], alike["different"], cells)


def _alike(annotation: Annotation, level: str) -> str:
    a, b = responses(annotation)
    return "same" if named(a, level) == named(b, level) else "different"


@dataclass(frozen=True, slots=True)
class PerMaxim:
    """Who keeps to one maxim, over all pairs: a share each."""

    shares: Mapping[str, Share]


def per_maxim(votes: Votes, *, agreed: bool = False) -> dict[str, PerMaxim]:
    """By maxim, who satisfies it: the chosen response alone, the rejected alone, both, neither.

    With `agreed` also how often the votes differ about it.
    """
    told = [
        (held, votes.gold[item])
        for item, held in counted(votes, agreed=agreed).items()
        if item in votes.gold
    ]
    sides = (*HELD, APART) if agreed else HELD
    found = {}
    for maxim in MAXIMS:
        counts = Counter(_whose(held.maxims[maxim], chosen) for held, chosen in told)
        found[maxim] = PerMaxim({one: stats.wilson(counts[one], len(told)) for one in sides})
    return found


def _whose(side: str, chosen: str) -> str:
    if side in _OTHER:
        return "chosen" if side == chosen else "rejected"
    return side


def asymmetry(held: Iterable[Held]) -> Estimate:
    """The mean number of maxims, of twelve, that only one response satisfies."""
    return stats.mean([sum(side in _OTHER for side in one.maxims.values()) for one in held])


@dataclass(frozen=True, slots=True)
class More:
    """How often the chosen response satisfies more maxims, by one rule over votes."""

    chosen_more: Share  # share of pairs where it does
    rejected_more: Share  # share of pairs where the rejected response does
    right: Share  # share of pairs where it does and the judge chose it, too
    accuracy: Share  # share of pairs where the judge chose it, whatever the maxims


def by_rule(votes: Votes) -> dict[str, More]:
    """The same share under each rule over votes; table 17 counts by `agreed`."""
    first, second = votes.maxims["first"], votes.maxims["second"]
    both = [(first[i], second[i], votes.gold[i]) for i in first if i in second and i in votes.gold]
    by_votes = {
        "agreed": [_agreed(one, two, chosen) for one, two, chosen in both],
        "first": [_told(first[i], votes.gold[i]) for i in first if i in votes.gold],
        "second": [_told(second[i], votes.gold[i]) for i in second if i in votes.gold],
    }
    found = {}
    for rule in RULES:
        told = by_votes[rule]
        if told:
            found[rule] = More(
                stats.share([one.more == "chosen" for one in told]),
                stats.share([one.more == "rejected" for one in told]),
                stats.share([one.hit for one in told]),
                stats.share([one.right for one in told]),
            )
    return found


@dataclass(frozen=True, slots=True)
class _Told:
    """Of one pair by one rule: who satisfies more, whether the judge is right, and whether both
    hold of the chosen response at once."""

    more: str
    right: bool
    hit: bool


def _told(held: Held, chosen: str) -> _Told:
    more, right = who_more(held, chosen), held.answer == chosen
    return _Told(more, right, more == "chosen" and right)


def _agreed(one: Held, two: Held, chosen: str) -> _Told:
    more = who_more(agreeing(one, two), chosen)
    right = one.answer == chosen and two.answer == chosen
    return _Told(more, right, more == "chosen" and right)
