"""What dialogue acts show of conversations: how often, how many, how they change and follow.

Counting rules (AMULET, sections 3.1 and I.2 to I.5, which leave most of them open; with these
its figures come out exactly): valid items; the first vote; the context up to the last human
turn; a turn's acts are the *set* of its functions (or of its dimensions); two turns differ when
their sets do. Shares of turns have intervals by conversation.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated, Any

from assize import stats
from assize.acts._annotations import Acts, Annotation, Votes, responses
from assize.acts._taxonomy import Taxonomy
from assize.results import Column, Percent, Share

Level = str
Names = frozenset[str]
LEVELS: tuple[Level, ...] = ("function", "dimension")
COUNTED = ("act", *LEVELS)  # a turn's act is the combination of all its dimensions and functions
ROLES = ("user", "assistant")
IN_PERCENT = Column(kind="percent", digits=1, ends="none", unit="%")
ShareOnly = Annotated[Share | None, IN_PERCENT]


@dataclass(frozen=True, slots=True)
class ActChange:
    """How often acts change: from one turn of a role to its next, or between two responses."""

    level: str
    who: str
    change: str
    share: Share


@dataclass(frozen=True, slots=True)
class NameFrequency:
    """How many turns of each role have a function or a dimension; None where none has any."""

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
class SecondVote:
    """How much the second vote labels otherwise."""

    level: str
    what: str
    share: Share


def find_share(rows: Iterable[Any], **fields: object) -> Share | None:
    """Return the share of the row with these fields; None where there is no such row."""
    for row in rows:
        if all(getattr(row, name) == value for name, value in fields.items()):
            share: Share = row.share
            return share
    return None


def named(acts: Acts, level: Level) -> Names:
    """The set of a turn's functions, or of its dimensions.

    >>> from assize.acts._labels import Act
    >>> sorted(named((Act("Task", "Inform"), Act("Task", "Answer")), "function"))
    ['Answer', 'Inform']
    """
    position = 1 if level == "function" else 0
    return frozenset(act[position] for act in acts if act[position])


def turns_of(annotation: Annotation, role: str, level: Level) -> list[Names]:
    """The sets of a role's turns in the context."""
    return [named(acts, level) for acts in annotation.acts_of(role)]


def _clustered(values: Sequence[tuple[int, bool]]) -> Share:
    """The share of true values, each with the number of its conversation."""
    clusters = [number for number, _ in values]
    return stats.share([value for _, value in values], clusters=clusters or None)


def frequencies(annotations: Iterable[Annotation], level: Level) -> list[NameFrequency]:
    """Return all names, the most frequent first: `user` and `assistant` in the context,
    `response`."""
    turns: dict[str, list[tuple[int, Names]]] = {"user": [], "assistant": [], "response": []}
    for number, annotation in enumerate(annotations):
        for role in ROLES:
            turns[role] += [(number, names) for names in turns_of(annotation, role, level)]
        for acts in (*annotation.a, *annotation.b):
            turns["response"].append((number, named(acts, level)))
    totals = Counter(name for role in turns.values() for _, names in role for name in names)
    return [
        NameFrequency(name, *(_share_with(name, role) for role in turns.values()))
        for name in sorted(totals, key=lambda name: (-totals[name], name))
    ]


def _share_with(name: str, turns: Sequence[tuple[int, Names]]) -> Share | None:
    """The share of turns with a name; None where no turn has any."""
    if not any(names for _, names in turns):
        return None
    return _clustered([(number, name in names) for number, names in turns])


def distinct(annotations: Sequence[Annotation]) -> Iterator[DistinctActs]:
    """Yield the shares of conversations with at least x distinct acts of a role, for x from 1.

    They are counted as `act`, the combination of all dimensions and functions of a turn (AMULET,
    section 3.1 and its figures 3b and 8), and as `function` and `dimension`, each by itself.
    """
    for what in COUNTED:
        counts = [
            [_count_distinct(one, role, what) for one in annotations if role in one.roles]
            for role in ROLES
        ]
        for least in range(1, max((count for role in counts for count in role), default=0) + 1):
            shares = [
                stats.share([count >= least for count in role]) if any(role) else None
                for role in counts
            ]
            yield DistinctActs(what, least, *shares)


def _count_distinct(annotation: Annotation, role: str, what: str) -> int:
    if what == "act":
        return len(set(map(frozenset, annotation.acts_of(role))))
    return len(frozenset().union(*turns_of(annotation, role, what)))


def changes(annotations: Sequence[Annotation]) -> Iterator[ActChange]:
    """Yield how often acts change, by level (AMULET, sections 3.1, I.3 and I.4).

    `from turn to turn` is of consecutive turns of a role, `at least once` of the conversations in
    which the role has two turns; `after a change of the user` is of the answering assistant's
    turns, and `between the two` of pairs of responses.
    """
    for level in LEVELS:
        for role in ROLES:
            differ = [
                (number, first != second)
                for number, one in enumerate(annotations)
                for first, second in pairwise(turns_of(one, role, level))
            ]
            changed = {number for number, changes in differ if changes}
            once = [number in changed for number in dict(differ)]
            yield ActChange(level, role, "from turn to turn", _clustered(differ))
            yield ActChange(level, role, "at least once", stats.share(once))
        yield ActChange(
            level, "assistant", "after a change of the user", _following(annotations, level)
        )
        pairs = [responses(one) for one in annotations if one.is_pair]
        across = stats.share([named(a, level) != named(b, level) for a, b in pairs])
        yield ActChange(level, "responses", "between the two", across)


def _following(annotations: Iterable[Annotation], level: Level) -> Share:
    """Share of changes of the human's acts after which the answering assistant's change too."""
    changed: list[tuple[int, bool]] = []
    for number, one in enumerate(annotations):
        sets = [named(acts, level) for acts in one.context]
        users = [index for index, role in enumerate(one.roles) if role == "user"]
        for first, second in pairwise(users):
            before, after = _answer(one.roles, first), _answer(one.roles, second)
            if sets[first] != sets[second] and before is not None and after is not None:
                changed.append((number, sets[before] != sets[after]))
    return _clustered(changed)


def _answer(roles: Sequence[str], user: int) -> int | None:
    """The assistant's turn that follows a human one, before the next human one."""
    for index in range(user + 1, len(roles)):
        if roles[index] in ROLES:
            return index if roles[index] == "assistant" else None
    return None


def transitions(annotations: Iterable[Annotation], role: str) -> list[Transition]:
    """Return which function follows which in the next turn, the most frequent first."""
    turns = Counter[str]()
    followed = Counter[tuple[str, str]]()
    for one in annotations:
        sets = [named(acts, "function") for acts in one.context]
        for speaker, (first, second) in zip(one.roles, pairwise(sets), strict=False):
            if speaker == role:
                turns.update(first)
                followed.update((name, other) for name in first for other in second)
    rows = [
        Transition(act, other, count, turns[act], count / turns[act])
        for (act, other), count in followed.items()
    ]
    return sorted(rows, key=lambda row: (-row.followed, row.act, row.next_act))


LABELS = {
    "dimensions": "dimension as in the taxonomy",
    "valid": "function and dimension as in the taxonomy",
    "foreign": "function known, dimension not its own",
    "hallucinated": "function unknown (hallucinated)",
    "turns": "turns with a hallucinated function",
}


def validity(annotations: Iterable[Annotation], taxonomy: Taxonomy) -> list[LabelShare]:
    """Return how many labels are the taxonomy's, of the context and of both responses."""
    allowed = set(taxonomy.acts.values())
    dimensions = {dimension for dimension, _ in allowed}
    shares: dict[str, list[tuple[int, bool]]] = {name: [] for name in LABELS}
    for number, one in enumerate(annotations):
        for acts in one.turns:
            for act in acts:
                known = act[1] in taxonomy.function_names
                shares["dimensions"].append((number, act[0] in dimensions))
                shares["valid"].append((number, tuple(act) in allowed))
                shares["foreign"].append((number, known and tuple(act) not in allowed))
                shares["hallucinated"].append((number, not known))
            unknown = any(act[1] not in taxonomy.function_names for act in acts)
            shares["turns"].append((number, unknown))
    return [LabelShare(words, _clustered(shares[name])) for name, words in LABELS.items()]


def hallucinated(annotations: Iterable[Annotation], taxonomy: Taxonomy) -> dict[str, int]:
    """Return the functions that the taxonomy has not, the most frequent first."""
    names = Counter(act[1] for one in annotations for acts in one.turns for act in acts)
    return {name: n for name, n in names.most_common() if name not in taxonomy.function_names}


def variation(votes: Votes) -> Iterator[SecondVote]:
    """Yield the shares of turns that a judge labels differently in its second vote.

    Responses are compared each with itself, and `as published` by place, as the paper's table 12
    does: what was shown first in one vote with what was shown first in the other, which are
    different responses. As published, dimensions are those of all labels of a turn, as often as
    each is named, where they are recorded as labels.
    """
    second = votes.acts["second"]
    pairs = [
        (one, second[item])
        for item, one in votes.acts["first"].items()
        if item in second and len(one.context) == len(second[item].context)
    ]
    for level in LEVELS:
        context = [_differ(one.context, two.context, level) for one, two in pairs]
        same = [_differ(responses(one), responses(two), level) for one, two in pairs]
        swapped = [_differ(responses(one), responses(two)[::-1], level) for one, two in pairs]
        turns = [[*one, *two] for one, two in zip(context, swapped, strict=True)]
        labels = turns
        if level == "dimension":
            labels = [_by_labels(*pair) or own for pair, own in zip(pairs, turns, strict=True)]
        yield SecondVote(level, "turns of the context", _flat(context))
        yield SecondVote(level, "responses, each with itself", _flat(same))
        yield SecondVote(level, "responses, by place as published", _flat(swapped))
        yield SecondVote(level, "all turns, by their set", _flat(turns))
        yield SecondVote(level, AS_PUBLISHED, _flat(labels))


AS_PUBLISHED = "all turns, as published"


def _by_labels(first: Annotation, second: Annotation) -> list[bool]:
    """Which turns name other dimensions, or one more or less often, responses by place."""
    shown = second.exchanged()
    if len(first.labels) != len(shown.labels):
        return []
    return [sorted(one) != sorted(two) for one, two in zip(first.labels, shown.labels, strict=True)]


def _differ(first: Sequence[Acts], second: Sequence[Acts], level: str) -> list[bool]:
    return [named(one, level) != named(two, level) for one, two in zip(first, second, strict=True)]


def _flat(items: Sequence[Sequence[bool]]) -> Share:
    return _clustered([(number, differ) for number, item in enumerate(items) for differ in item])
