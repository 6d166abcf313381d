"""How much two votes on one item differ: the same judge, the responses shown exchanged."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from assize import stats
from assize.dialogue_acts.analysis import LEVELS, named
from assize.dialogue_acts.annotations import Acts, Annotation, Votes, responses
from assize.dialogue_acts.maxims import MAXIMS
from assize.stats import Estimate


@dataclass(frozen=True, slots=True)
class Variation:
    """Shares of turns that a judge labels differently in its second vote."""

    context: Estimate  # of the context's turns
    responses: Estimate  # of the responses, each compared with itself
    # of the responses compared by place, as the paper's table 12 does: what was shown first in one
    # vote with what was shown first in the other, which are different responses
    as_published: Estimate


def variation(votes: Votes) -> dict[str, Variation]:
    """By level (function or dimension), over items with both votes."""
    pairs = list(_both(votes))
    found = {}
    for level in LEVELS:
        context = [
            (number, named(one, level) != named(two, level))
            for number, (first, second) in enumerate(pairs)
            for one, two in zip(first.context, second.context, strict=False)
        ]
        same = [_differ(responses(first), responses(second), level) for first, second in pairs]
        swapped = [
            _differ(responses(first), responses(second)[::-1], level) for first, second in pairs
        ]
        clusters = [number for number, _ in context]
        share = stats.share([differ for _, differ in context], clusters=clusters or None)
        found[level] = Variation(share, _share(same), _share(swapped))
    return found


def _both(votes: Votes) -> Iterator[tuple[Annotation, Annotation]]:
    for item, first in votes.acts["first"].items():
        second = votes.acts["second"].get(item)
        if second is not None and len(first.context) == len(second.context):
            yield first, second


def _differ(first: Sequence[Acts], second: Sequence[Acts], level: str) -> list[bool]:
    return [named(one, level) != named(two, level) for one, two in zip(first, second, strict=True)]


def _share(items: Sequence[Sequence[bool]]) -> Estimate:
    flat = [differ for item in items for differ in item]
    clusters = [number for number, item in enumerate(items) for _ in item]
    return stats.share(flat, clusters=clusters or None)


def maxim_variation(votes: Votes) -> Estimate:
    """Share of maxims about which a judge says something else in its second vote."""
    second = votes.maxims["second"]
    items = [
        [held.maxims[name] != second[item].maxims[name] for name in MAXIMS]
        for item, held in votes.maxims["first"].items()
        if item in second
    ]
    return _share(items)
