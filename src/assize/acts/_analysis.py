"""What dialogue acts show of conversations: how often, how many, how they change and follow.

Counting rules (AMULET, sections 3.1 and I.2 to I.5, which leave most of them open; with these
its figures come out exactly): valid items; the first vote; the context up to the last human
turn; a turn's acts are the *set* of its functions (or of its dimensions); two turns differ when
their sets do. Shares of turns have intervals by conversation.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from assize import stats
from assize.acts._annotations import Acts, Annotation, Votes, responses
from assize.acts._maxims import MAXIMS
from assize.acts._taxonomy import Taxonomy
from assize.results import Share

Level = str
Named = frozenset[str]
LEVELS: tuple[Level, ...] = ("function", "dimension")
COUNTED = ("act", *LEVELS)  # a turn's act is the combination of all its dimensions and functions
ROLES = ("user", "assistant")


def named(acts: Acts, level: Level) -> Named:
    """The set of a turn's functions, or of its dimensions.

    >>> from assize.acts._labels import Act
    >>> sorted(named((Act("Task", "Inform"), Act("Task", "Answer")), "function"))
    ['Answer', 'Inform']
    """
    position = 1 if level == "function" else 0
    return frozenset(act[position] for act in acts if act[position])


def turns_of(annotation: Annotation, role: str, level: Level) -> list[Named]:
    """The sets of a role's turns in the context."""
    return [
        named(acts, level)
        for said, acts in zip(annotation.roles, annotation.context, strict=True)
        if said == role
    ]


@dataclass(frozen=True, slots=True)
class Frequency:
    """How many of some turns hold each name: a share each, the most frequent first."""

    turns: int
    names: Mapping[str, Share]


def frequencies(annotations: Iterable[Annotation], level: Level) -> dict[str, Frequency]:
    """By who speaks: `user`, `assistant` (both in the context) and `response`."""
    sets: dict[str, list[Named]] = {"user": [], "assistant": [], "response": []}
    clusters: dict[str, list[int]] = {name: [] for name in sets}
    for number, one in enumerate(annotations):
        for role in ROLES:
            found = turns_of(one, role, level)
            sets[role] += found
            clusters[role] += [number] * len(found)
        for acts in (*one.a, *one.b):
            sets["response"].append(named(acts, level))
            clusters["response"].append(number)
    return {role: _frequency(sets[role], clusters[role]) for role in sets}


def _frequency(sets: Sequence[Named], clusters: Sequence[int]) -> Frequency:
    counts = Counter(name for one in sets for name in one)
    names = {
        name: stats.share([name in one for one in sets], clusters=clusters)
        for name, _ in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    }
    return Frequency(len(sets), names)


def distinct(annotations: Sequence[Annotation], role: str, what: str) -> dict[int, Share]:
    """The share of conversations with at least x distinct acts of a role, for x from 1.

    Args:
        what: `act`, the combination of all dimensions and functions of a turn (AMULET, section
            3.1 and its figures 3b and 8); `function` or `dimension`, each one by itself.
    """
    counts = [_distinct(one, role, what) for one in annotations if role in one.roles]
    most = max(counts, default=0)
    return {x: stats.share([count >= x for count in counts]) for x in range(1, most + 1)}


def _distinct(annotation: Annotation, role: str, what: str) -> int:
    if what != "act":
        return len(frozenset().union(*turns_of(annotation, role, what)))
    turns = zip(annotation.roles, annotation.context, strict=True)
    return len({frozenset(acts) for said, acts in turns if said == role})


@dataclass(frozen=True, slots=True)
class Changes:
    """How often a role's acts change from one of its turns to its next."""

    turns: Share  # share of consecutive turns of the role that differ
    # share of conversations in which it happens at least once, of those in which the role has two
    # turns
    once: Share


def changes(annotations: Iterable[Annotation], role: str, level: Level) -> Changes:
    """Changes between consecutive turns of a role (AMULET, sections 3.1, I.3 and I.4)."""
    changed: list[bool] = []
    clusters: list[int] = []
    once: list[bool] = []
    for number, one in enumerate(annotations):
        sets = turns_of(one, role, level)
        differ = [first != second for first, second in pairwise(sets)]
        changed += differ
        clusters += [number] * len(differ)
        if differ:
            once.append(any(differ))
    return Changes(_clustered(changed, clusters), stats.share(once))


def _clustered(values: Sequence[bool], clusters: Sequence[int]) -> Share:
    return stats.share(values, clusters=clusters) if values else stats.share([])


def following(annotations: Iterable[Annotation], level: Level = "function") -> Share:
    """Share of changes of the human's acts after which the answering assistant's change too."""
    changed: list[bool] = []
    clusters: list[int] = []
    for number, one in enumerate(annotations):
        sets = [named(acts, level) for acts in one.context]
        asked = [place for place, role in enumerate(one.roles) if role == "user"]
        for first, second in pairwise(asked):
            answers = [_answer(one.roles, place) for place in (first, second)]
            if sets[first] != sets[second] and None not in answers:
                before, after = (sets[place] for place in answers if place is not None)
                changed.append(before != after)
                clusters.append(number)
    return _clustered(changed, clusters)


def _answer(roles: Sequence[str], asked: int) -> int | None:
    """The assistant's turn that follows a human one, before the next human one."""
    for place in range(asked + 1, len(roles)):
        if roles[place] == "user":
            return None
        if roles[place] == "assistant":
            return place
    return None


def differing(annotations: Iterable[Annotation], level: Level) -> Share:
    """Share of pairs whose responses have different acts."""
    return stats.share(
        [
            named(a, level) != named(b, level)
            for one in annotations
            if one.is_pair
            for a, b in [responses(one)]
        ]
    )


def transitions(
    annotations: Iterable[Annotation], role: str, level: Level = "function"
) -> dict[str, dict[str, int]]:
    """Act -> act of the role's next turn -> turns; under `""`, turns that have a next one."""
    found: dict[str, Counter[str]] = {}
    for one in annotations:
        sets = [named(acts, level) for acts in one.context]
        for place in range(len(sets) - 1):
            if one.roles[place] == role:
                for name in sets[place]:
                    found.setdefault(name, Counter()).update(["", *sets[place + 1]])
    ordered = sorted(found.items(), key=lambda pair: (-pair[1][""], pair[0]))
    return {name: dict(row) for name, row in ordered}


@dataclass(frozen=True, slots=True)
class Validity:
    """How far labels are the taxonomy's."""

    labels: int  # labels given, one for each act of a turn
    valid: Share  # share whose function the taxonomy has, in a dimension that allows it
    foreign: Share  # share whose function the taxonomy has, in another dimension
    hallucinated: Share  # share whose function it does not have (or that give none)
    turns: Share  # share of turns with a hallucinated label
    dimensions: Share  # share of labels whose dimension the taxonomy has
    names: Mapping[str, int]  # the hallucinated functions, the most frequent first
    invented: int  # labelled stretches of outputs that were no turn of the item


def validity(annotations: Iterable[Annotation], taxonomy: Taxonomy) -> Validity:
    """Valid and hallucinated labels, of the context and of both responses."""
    allowed = set(taxonomy.acts.values())
    functions = {one.name for one in taxonomy.functions}
    dimensions = {dimension for dimension, _ in allowed}
    kinds: list[str] = []
    known: list[bool] = []
    turns: list[bool] = []
    of_label: list[int] = []
    of_turn: list[int] = []
    names: Counter[str] = Counter()
    invented = 0
    for number, one in enumerate(annotations):
        invented += one.invented
        for acts in (*one.context, *one.a, *one.b):
            found = [_kind(act, allowed, functions) for act in acts]
            names.update(act[1] for act in acts if act[1] not in functions)
            kinds += found
            known += [act[0] in dimensions for act in acts]
            of_label += [number] * len(found)
            turns.append("hallucinated" in found)
            of_turn.append(number)
    share: Callable[[str], Share] = lambda name: _clustered(  # noqa: E731
        [kind == name for kind in kinds], of_label
    )
    return Validity(
        len(kinds),
        share("valid"),
        share("foreign"),
        share("hallucinated"),
        _clustered(turns, of_turn),
        _clustered(known, of_label),
        dict(names.most_common()),
        invented,
    )


def _kind(act: tuple[str, str], allowed: set[tuple[str, str]], functions: set[str]) -> str:
    if tuple(act) in allowed:
        return "valid"
    return "foreign" if act[1] in functions else "hallucinated"


@dataclass(frozen=True, slots=True)
class Variation:
    """Shares of turns that a judge labels differently in its second vote."""

    context: Share  # of the context's turns
    responses: Share  # of the responses, each compared with itself
    # of the responses compared by place, as the paper's table 12 does: what was shown first in one
    # vote with what was shown first in the other, which are different responses
    as_published: Share
    # of all of these turns, the responses by place: the last line of table 12
    turns: Share
    # likewise, by the labels of a turn and not by their set: how often each dimension is named
    # counts. Of functions, and where acts are not recorded as labels, it is the same as `turns`
    labels: Share


def variation(votes: Votes) -> dict[str, Variation]:
    """By level (function or dimension), over items with both votes."""
    pairs = list(_both(votes))
    found = {}
    for level in LEVELS:
        context = [_differ(one.context, two.context, level) for one, two in pairs]
        same = [_differ(responses(one), responses(two), level) for one, two in pairs]
        swapped = [_differ(responses(one), responses(two)[::-1], level) for one, two in pairs]
        turns = [[*one, *two] for one, two in zip(context, swapped, strict=True)]
        labels = turns
        if level == "dimension":
            labels = [_by_labels(*pair) or own for pair, own in zip(pairs, turns, strict=True)]
        found[level] = Variation(*map(_share, (context, same, swapped, turns, labels)))
    return found


def _by_labels(first: Annotation, second: Annotation) -> list[bool]:
    """Which turns name other dimensions, or one more or less often, responses by place."""
    shown = second.exchanged()
    if len(first.labels) != len(shown.labels):
        return []
    return [sorted(one) != sorted(two) for one, two in zip(first.labels, shown.labels, strict=True)]


def _both(votes: Votes) -> Iterator[tuple[Annotation, Annotation]]:
    for item, first in votes.acts["first"].items():
        second = votes.acts["second"].get(item)
        if second is not None and len(first.context) == len(second.context):
            yield first, second


def _differ(first: Sequence[Acts], second: Sequence[Acts], level: str) -> list[bool]:
    return [named(one, level) != named(two, level) for one, two in zip(first, second, strict=True)]


def _share(items: Sequence[Sequence[bool]]) -> Share:
    flat = [differ for item in items for differ in item]
    clusters = [number for number, item in enumerate(items) for _ in item]
    return stats.share(flat, clusters=clusters or None)


def maxim_variation(votes: Votes) -> Share:
    """Share of maxims about which a judge says something else in its second vote."""
    second = votes.maxims["second"]
    items = [
        [held.maxims[name] != second[item].maxims[name] for name in MAXIMS]
        for item, held in votes.maxims["first"].items()
        if item in second
    ]
    return _share(items)
