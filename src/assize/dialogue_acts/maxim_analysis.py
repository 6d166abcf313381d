"""What maxims show of pairs: which tell responses apart, and how acts and maxims go together.

A response satisfies a maxim when it keeps to it better, or both do (AMULET, section 4.3).
The `chosen` response is the one that gold prefers, the other is `rejected`; pairs whose
gold is a tie, or unknown, stand outside.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from assize import stats
from assize.dialogue_acts.analysis import named
from assize.dialogue_acts.annotations import Annotation, Held, Votes, responses
from assize.dialogue_acts.maxims import MAXIMS
from assize.stats import Estimate

MORE = ("chosen", "rejected", "equal")
HELD = ("chosen", "rejected", "both", "neither")
RULES = {
    "first": "the first vote alone",
    "second": "the second vote alone",
    "both": "both votes, each for itself",
    "either": "at least one of the votes",
    "summed": "maxims of both votes added up, and the judge right in both",
}

_OTHER = {"A": "B", "B": "A"}


def who_more(held: Held, chosen: str) -> str:
    """Which response satisfies more maxims: `chosen`, `rejected`, or `equal`."""
    return _more(held.satisfied(chosen) - held.satisfied(_OTHER[chosen]))


def _more(difference: int) -> str:
    return "chosen" if difference > 0 else "rejected" if difference < 0 else "equal"


@dataclass(frozen=True, slots=True)
class Crossed:
    """Same or different acts of the two responses, crossed with which satisfies more maxims."""

    n: int  # pairs with both annotations and a chosen response
    # same, different: share of them
    same: Estimate
    different: Estimate
    # (`same` or `different`; `chosen`, `rejected` or `equal`) -> share of all n
    cells: Mapping[tuple[str, str], Estimate]


def crossed(votes: Votes, level: str = "function") -> Crossed:
    """Over pairs whose first votes of acts and of maxims are valid."""
    counts: Counter[tuple[str, str]] = Counter()
    for item, annotation in votes.acts["first"].items():
        held, chosen = votes.maxims["first"].get(item), votes.gold.get(item)
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

    shares: Mapping[str, Estimate]


def per_maxim(votes: Votes) -> dict[str, PerMaxim]:
    """By maxim, who satisfies it: the chosen response alone, the rejected alone, both, neither."""
    told = [(held, votes.gold[item]) for item, held in votes.maxims["first"].items()
            if item in votes.gold]  # fmt: skip
    found = {}
    for maxim in MAXIMS:
        counts = Counter(_whose(held.maxims[maxim], chosen) for held, chosen in told)
        found[maxim] = PerMaxim({one: stats.wilson(counts[one], len(told)) for one in HELD})
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

    chosen_more: Estimate  # share of pairs where it does
    # share where the rejected response satisfies more; under `either` votes that contradict each
    # other count for both
    rejected_more: Estimate
    right: Estimate  # share of pairs where it does and the judge chose it, too


def by_rule(votes: Votes) -> dict[str, More]:
    """The same share under each rule over votes: table 17 does not say which are counted."""
    first, second = votes.maxims["first"], votes.maxims["second"]
    both = [(first[i], second[i], votes.gold[i]) for i in first if i in second and i in votes.gold]
    alone = {
        "first": [(first[i], votes.gold[i]) for i in first if i in votes.gold],
        "second": [(second[i], votes.gold[i]) for i in second if i in votes.gold],
    }
    found = {}
    for rule in RULES:
        if rule in alone:
            told = [
                ({who_more(held, chosen)}, held.answer == chosen) for held, chosen in alone[rule]
            ]
        else:
            told = [_together(rule, one, two, chosen) for one, two, chosen in both]
        if told:
            found[rule] = More(
                stats.share(["chosen" in more for more, _ in told]),
                stats.share(["rejected" in more for more, _ in told]),
                stats.share(["chosen" in more and right for more, right in told]),
            )
    return found


def _together(rule: str, one: Held, two: Held, chosen: str) -> tuple[set[str], bool]:
    """Who satisfies more by this rule, and whether the judge is right by it, too."""
    right = [held.answer == chosen for held in (one, two)]
    if rule == "summed":
        rejected = _OTHER[chosen]
        total = sum(held.satisfied(chosen) - held.satisfied(rejected) for held in (one, two))
        return {_more(total)}, all(right)
    mores = [who_more(one, chosen), who_more(two, chosen)]
    if rule == "both":
        return {mores[0] if mores[0] == mores[1] else "equal"}, all(right)
    hits = [more == "chosen" and good for more, good in zip(mores, right, strict=True)]
    return set(mores), any(hits)
