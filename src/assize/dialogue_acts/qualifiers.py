"""Qualifiers and dependence relations: what is said of an act beyond its dimension and function.

A judge marks acts so where its taxonomy has such marks (`iso-24617-2-links`): an act is
uncertain, conditional, or said with some sentiment; and it depends on an earlier turn, as an
answer does on its question (functional dependence) or a thank-you on what it is for (feedback
dependence). Counted are the first votes, as everywhere; speakers are the user and the assistant
of the context, and of the responses the chosen and the rejected one.

Source: ISO 24617-2 (Bunt 2019, sections on qualifiers and on dependence relations); AMULET
leaves both to later work (section 6).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assize import stats
from assize.conversation import Conversation, Pair
from assize.dialogue_acts.annotations import Votes
from assize.dialogue_acts.labels import Act
from assize.stats import Estimate

SPEAKERS = ("user", "assistant", "chosen", "rejected")
LED = ("right", "another act", "own turn", "no earlier turn")
"""Where a dependence leads: to an earlier turn of the other one that holds what it can respond to;
to one that does not; to the speaker's own; to no earlier turn at all."""

_QUESTIONS = ("Propositional Question", "Set Question", "Choice Question", "Check Question")
_TOLD = ("Inform", "Answer", "Confirm", "Disconfirm", "Agreement", "Disagreement", "Correction")
RESPONDS_TO: Mapping[str, tuple[str, ...]] = {
    "Answer": _QUESTIONS,
    "Confirm": _QUESTIONS,
    "Disconfirm": _QUESTIONS,
    "Agreement": _TOLD,
    "Disagreement": _TOLD,
    "Correction": _TOLD,
    **dict.fromkeys(("Accept Request", "Decline Request"), ("Request", "Instruct")),
    **dict.fromkeys(("Accept Suggest", "Decline Suggest"), ("Suggest",)),
    **dict.fromkeys(("Accept Offer", "Decline Offer"), ("Offer", "Promise")),
    "Return Greeting": ("Initial Greeting",),
    "Return Self-Introduction": ("Initial Self-Introduction",),
    "Accept Apology": ("Apology",),
    "Accept Thanking": ("Thanking",),
    "Return Goodbye": ("Initial Goodbye",),
}
"""What an act can respond to; of an act that is not here any act of the other speaker will do."""


@dataclass(frozen=True, slots=True)
class MarkedAct:
    """One act of a first vote with what else is said of it."""

    item: str
    speaker: str  # one of `SPEAKERS`; `response` where gold prefers neither
    act: Act
    qualifiers: tuple[str, ...]
    relations: tuple[tuple[str, str], ...]  # each with where it leads, one of `LED`


@dataclass(frozen=True, slots=True)
class Mark:
    """How one qualifier or relation is used: shares of acts."""

    of_acts: Estimate
    by_speaker: Mapping[str, Estimate]
    by_dimension: Mapping[str, Estimate]  # of the acts of each, where it occurs
    by_function: Mapping[str, Estimate]
    # of its links, where each leads (of `LED`); {} for a qualifier
    led: Mapping[str, Estimate]


@dataclass(frozen=True, slots=True)
class OfQualifiers:
    """What the marks of all first votes show."""

    acts: int
    by_speaker: Mapping[str, int]  # acts of each
    qualifiers: Mapping[str, Mark]
    relations: Mapping[str, Mark]


@dataclass(frozen=True, slots=True)
class _Place:
    """A turn that can be pointed at."""

    role: str
    functions: frozenset[str]


def marked_acts(votes: Votes, items: Mapping[str, Pair | Conversation]) -> list[MarkedAct]:
    """All acts of first votes on items in which any act is marked."""
    return [
        one
        for item, acts in votes.marked.items()
        for one in _of_item(item, acts, items[item], votes.gold.get(item))
    ]


def _of_item(
    item: str, acts: Mapping[str, Any], judged: Pair | Conversation, chosen: str | None
) -> Iterator[MarkedAct]:
    context = acts.get("turns", acts.get("context", ()))
    said = judged.context if isinstance(judged, Pair) else judged.turns
    roles = [turn.role for turn in said[len(said) - len(context) :]]
    before = [_place(role, turn) for role, turn in zip(roles, context, strict=True)]
    for number, (role, turn) in enumerate(zip(roles, context, strict=True)):
        if role in SPEAKERS:
            yield from _of_turn(item, role, turn, before[:number], role)
    for side, name in (("a", "A"), ("b", "B")):
        speaker = "response" if chosen is None else "chosen" if chosen == name else "rejected"
        earlier = list(before)
        for turn in acts.get(side, ()):
            yield from _of_turn(item, speaker, turn, earlier, "assistant")
            earlier.append(_place("assistant", turn))


def _place(role: str, turn: Any) -> _Place:
    return _Place(role, frozenset(str(act[1]) for act in turn if len(act) > 1))


def _of_turn(
    item: str, speaker: str, turn: Any, before: Sequence[_Place], role: str
) -> Iterator[MarkedAct]:
    for act in turn:
        if len(act) < 2:
            continue
        more = act[2] if len(act) > 2 and isinstance(act[2], Mapping) else {}
        links = tuple(
            (str(link[0]), led(str(link[0]), str(act[1]), link[1], before, role))
            for link in more.get("relations", ())
            if isinstance(link, list | tuple) and len(link) == 2
        )
        marks = tuple(dict.fromkeys(str(one) for one in more.get("qualifiers", ())))
        yield MarkedAct(item, speaker, Act(str(act[0]), str(act[1])), marks, links)


def led(relation: str, function: str, turn: Any, before: Sequence[_Place], role: str) -> str:
    """Where a relation of an act leads, one of `LED`.

    Args:
        relation: its name. In one of feedback, any act of the other speaker will do, and in
            allo-feedback any earlier turn: it may be about how one's own words were taken.
        function: of the act.
        turn: the number that it names, from 0 over the turns shown.
        before: the turns before it.
        role: who speaks.
    """
    if not isinstance(turn, int) or isinstance(turn, bool) or not 0 <= turn < len(before):
        return "no earlier turn"
    if before[turn].role == role:
        return "right" if "feedback" in relation and function.startswith("Allo") else "own turn"
    wanted = () if "feedback" in relation else RESPONDS_TO.get(function, ())
    return "right" if not wanted or before[turn].functions & set(wanted) else "another act"


def of_qualifiers(acts: Sequence[MarkedAct]) -> OfQualifiers:
    """Counts and shares of every qualifier and relation that occurs, the most frequent first."""
    qualifiers = Counter(name for one in acts for name in one.qualifiers)
    relations = Counter(name for one in acts for name, _ in one.relations)
    speakers = Counter(one.speaker for one in acts)
    return OfQualifiers(
        len(acts),
        {name: speakers[name] for name in (*SPEAKERS, "response") if speakers[name]},
        {name: _mark(acts, name) for name, _ in qualifiers.most_common()},
        {name: _mark(acts, name) for name, _ in relations.most_common()},
    )


def _mark(acts: Sequence[MarkedAct], name: str) -> Mark:
    links = [(one.item, where) for one in acts for found, where in one.relations if found == name]
    return Mark(
        _share([(one.item, _has(one, name)) for one in acts]),
        _by(acts, name, lambda one: one.speaker, always=True),
        _by(acts, name, lambda one: one.act.dimension),
        _by(acts, name, lambda one: one.act.function),
        {where: _share([(item, found == where) for item, found in links]) for where in LED}
        if links
        else {},
    )


def _has(act: MarkedAct, name: str) -> bool:
    return name in act.qualifiers or any(name == found for found, _ in act.relations)


def _by(acts: Sequence[MarkedAct], name: str, of: Any, *, always: bool = False) -> dict[str, Any]:
    """The share of acts that are marked so, by some field of theirs, the most marked first."""
    groups: dict[str, list[tuple[str, bool]]] = {}
    for one in acts:
        groups.setdefault(of(one), []).append((one.item, _has(one, name)))
    counts = {group: sum(has for _, has in rows) for group, rows in groups.items()}
    order = sorted(groups, key=lambda group: (-counts[group], group))
    if always:
        order = [one for one in (*SPEAKERS, "response") if one in groups]
    return {group: _share(groups[group]) for group in order if always or counts[group]}


def _share(rows: Sequence[tuple[str, bool]]) -> Estimate:
    return stats.share([has for _, has in rows], clusters=[item for item, _ in rows])
