"""Agreement about acts and maxims, turn by turn and maxim by maxim: with a person, or of judges.

A turn is right where the judge gives exactly the functions that the reference gives: AMULET's
authors count so when they find 84% of 194 turns right (163, of 30 conversations), and of
maxims 96% of 84 labels (81, of 7 conversations; section 3). They looked at the judge's labels
and said whether these are right; labels that a person gives without seeing them agree less.

What is not the same is told apart. Functions that the reference has and the judge has not
are *missing*, those that the judge has and the reference has not are *invented*; where a turn
has both, one of each is a *wrong* function. A maxim's label is *too harsh* where the judge says of
fewer responses that they keep to it (one, where the reference says both), and *too mild* where
of more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

from assize import stats
from assize.acts._annotations import Annotation, Judged, acts_in
from assize.acts._maxims import MAXIMS, SIDES
from assize.acts._taxonomy import Taxonomy
from assize.base.judgment import Judgment
from assize.base.signature import sign_text
from assize.judgments import JudgmentTable
from assize.results import Column, Hidden, Result, Share, Table, to_json
from assize.results.numbers import percent
from assize.stats import Estimate

VERSION = 1
ERRORS = {
    "missing": "a function is missing",
    "wrong": "a function is wrong",
    "invented": "a function is invented",
}
SPEAKERS = ("user", "assistant", "response")
HARSHNESS = {
    "too harsh": "too harsh",
    "too mild": "too mild",
    "other": "names the other response",
}
ALL_TURNS, ALL_MAXIMS = "right, all turns", "all maxims"
_KEEPS = {"A": {"A"}, "B": {"B"}, "both": {"A", "B"}, "neither": set[str]()}


@dataclass(frozen=True, slots=True)
class TurnPair:
    """One turn as both see it."""

    item: str
    speaker: str  # of `SPEAKERS`
    gold: frozenset[str]  # functions of the reference
    judge: frozenset[str]

    @property
    def right(self) -> bool:
        """Whether the functions are the same."""
        return self.gold == self.judge

    @property
    def errors(self) -> Counter[str]:
        """How many functions are missing, wrong and invented."""
        missing, more = len(self.gold - self.judge), len(self.judge - self.gold)
        wrong = min(missing, more)
        return Counter(missing=missing - wrong, wrong=wrong, invented=more - wrong)


@dataclass(frozen=True, slots=True)
class TurnShare:
    """How many turns are right, or have one kind of error.

    Args:
        functions: how many functions are wrong so; a turn may have several.
    """

    judge: str
    what: Annotated[str, Column("turns")]
    share: Share
    functions: int | None


@dataclass(frozen=True, slots=True)
class FunctionTurns:
    """How many turns have a function, by the reference (`gold`), by the judge, by both."""

    judge: str
    function: str
    gold: int
    by_judge: Annotated[int, Column("by the judge")]
    both: int
    missing: int
    invented: int


@dataclass(frozen=True, slots=True)
class MaximShare:
    """How many labels of a maxim agree, or differ in one way (`too harsh`, `too mild`)."""

    judge: str
    maxim: str
    share: Share
    kappa: Annotated[Estimate | None, Column(digits=2)]


@dataclass(frozen=True)
class ActsAgreement(Result):
    """Judges' acts and maxims held to those of a reference.

    Args:
        gold: whose labels count as right: a person, or another judge.
        judges: every other judge with labels of the same items.
        invalid, asked: judgments without valid labels on items that the reference has labelled,
            and all of them.
        remarks: by table, of how many items its figures are, and the commonest errors.
    """

    heading = "Agreement about dialogue acts and maxims"

    gold: str
    judges: Sequence[str] = field(repr=False)
    invalid: Annotated[int, Column("judgments without valid labels", extra=True)]
    asked: Hidden[int]
    signature: str
    turns: Annotated[
        Sequence[TurnShare],
        Table("Acts, turn by turn", "How many turns have exactly the right functions.", "judge"),
    ]
    functions: Annotated[
        Sequence[FunctionTurns],
        Table(
            "Acts, function by function",
            "Which functions are missed and which invented.",
            "judge",
            notes=["Turns that have each function; the most frequent first."],
            most=20,
        ),
    ]
    maxims: Annotated[
        Sequence[MaximShare],
        Table("Maxims, one by one", "How many labels of maxims are the same.", "judge"),
    ]
    remarks: Mapping[str, Sequence[str]] = field(repr=False)

    @property
    def table_notes(self) -> Mapping[str, Sequence[str]]:
        """Of how many items figures are, and the commonest errors."""
        return self.remarks

    @property
    def sentence(self) -> str:
        """How many turns and labels agree."""
        right = {row.judge: row.share for row in self.turns if row.what == ALL_TURNS}
        agreed = {row.judge: row.share for row in self.maxims if row.maxim == ALL_MAXIMS}
        parts = []
        for judge in self.judges:
            if judge in right:
                shown = _shown(right[judge], "turns")
                parts.append(f"{judge} is right in {shown}")
            if judge in agreed:
                parts.append(f"{judge} agrees in {_shown(agreed[judge], 'labels of maxims')}")
        return f"Held to {self.gold}: {'; '.join(parts)}."

    @property
    def notes(self) -> Sequence[str]:
        """How many judgments hold nothing."""
        if not self.invalid:
            return []
        return [f"{self.invalid:,} of {self.asked:,} judgments hold no valid labels."]

    @property
    def missing(self) -> tuple[int, int]:
        """Judgments without valid labels, and all."""
        return self.invalid, self.asked


def _shown(share: Share, what: str) -> str:
    return f"{share.count:,} of {share.n:,} {what} ({percent(share.estimate)})"


def compare_labels(
    gold: str, reference: Labels, labels: Mapping[str, Labels], taxonomies: Mapping[str, Taxonomy]
) -> ActsAgreement:
    """Return judges' labels held to the reference's, on what both have labelled.

    Args:
        labels, taxonomies: by judge.
    """
    turns: list[TurnShare] = []
    functions: list[FunctionTurns] = []
    maxims: list[MaximShare] = []
    notes: dict[str, list[str]] = {"turns": [], "maxims": []}
    for judge, own in labels.items():
        pairs = list(_turn_pairs(own, reference))
        if pairs:
            turns += turn_rows(judge, pairs)
            functions += function_rows(judge, pairs)
            unknown = sum(len(one.judge - taxonomies[judge].function_names) for one in pairs)
            items = len({one.item for one in pairs})
            notes["turns"] += [
                f"{judge} held to {gold}: {len(pairs):,} turns of {items:,} items. A turn is right"
                " where the functions are the same; a missing and an invented one together are a"
                f" wrong one. {unknown:,} functions of the judge are not in the taxonomy.",
                *commonest_error(pairs),
            ]
        pairs_of_maxims = list(_maxim_pairs(own, reference))
        if pairs_of_maxims:
            maxims += maxim_rows(judge, pairs_of_maxims)
            items = len({one.item for one in pairs_of_maxims})
            notes["maxims"] += [
                f"{judge} held to {gold}: {len(pairs_of_maxims):,} labels of {items:,} items.",
                *commonest_difference(pairs_of_maxims),
            ]
    here = reference.turns.keys() | reference.maxims.keys()
    invalid = sum(len(own.invalid & here) for own in labels.values())
    valid = sum(len((own.turns.keys() | own.maxims.keys()) & here) for own in labels.values())
    names = [f"{one.name}:{one.hash}" for one in taxonomies.values()]
    rows = to_json([turns, functions, maxims])
    return ActsAgreement(
        gold,
        tuple(labels),
        invalid,
        invalid + valid,
        sign_text(f"acts-agreement|v{VERSION}|{'|'.join(names)}|{gold}|{rows}"),
        turns,
        functions,
        maxims,
        notes,
    )


@dataclass(frozen=True)
class Labels:
    """What one judge says of some items, by its first vote.

    Args:
        turns: by item, of each turn the speaker and the functions, None where it was not looked
            at; the context comes first, then both responses.
        maxims: by item, what is said of each maxim that was looked at.
        invalid: items whose judgment holds no valid labels.
    """

    turns: Mapping[str, Sequence[tuple[str, frozenset[str] | None]]]
    maxims: Mapping[str, Mapping[str, str]]
    invalid: frozenset[str]


def labels_of(
    table: JudgmentTable | Iterable[Judgment],
    items: Mapping[str, Judged],
    judge: str,
    taxonomy: Taxonomy,
) -> Labels:
    """The labels of a judge's first votes: those in order AB, or without an order.

    A person may have looked at some turns only: a turn that is null in `details.acts` was not
    looked at, and so was a maxim that is not named.
    """
    turns: dict[str, Any] = {}
    maxims: dict[str, Mapping[str, str]] = {}
    rows = [row for row in table if row.judge == judge and not row.repeat and row.item in items]
    shown = {row.item for row in rows if row.order != "BA"}
    asked: dict[str, None] = {}
    for row in rows:
        name = row.item
        if row.order == "BA" and name in shown:
            continue
        asked[name] = None
        held = (row.details or {}).get("maxims")
        if isinstance(held, Mapping) and name not in maxims:
            maxims[name] = {one: held[one] for one in MAXIMS if held.get(one) in SIDES}
        annotation = None
        if name not in turns:
            annotation = acts_in(row.details, items[name], row.order, taxonomy)
        if annotation is not None:
            turns[name] = list(_turns(annotation, row.details))
    told = turns.keys() | {name for name, held in maxims.items() if held}
    return Labels(turns, maxims, frozenset(asked.keys() - told))


def _turns(
    annotation: Annotation, details: Mapping[str, Any] | None
) -> Iterator[tuple[str, frozenset[str] | None]]:
    stored = (details or {}).get("acts")
    raw = stored if isinstance(stored, Mapping) else {}
    parts = (
        ("context", annotation.context, annotation.roles),
        ("a", annotation.a, ("response",) * len(annotation.a)),
        ("b", annotation.b, ("response",) * len(annotation.b)),
    )
    for part, turns, speakers in parts:
        given = raw.get("turns", raw.get(part)) if part == "context" else raw.get(part)
        for number, (acts, speaker) in enumerate(zip(turns, speakers, strict=True)):
            seen = not isinstance(given, list | tuple) or given[number] is not None
            yield speaker, frozenset(act.function for act in acts) if seen else None


def _turn_pairs(labels: Labels, gold: Labels) -> Iterator[TurnPair]:
    for item, turns in gold.turns.items():
        others = labels.turns.get(item, ())
        if len(others) != len(turns):
            continue
        for (speaker, right), (_, said) in zip(turns, others, strict=True):
            if right is not None and said is not None and speaker in SPEAKERS:
                yield TurnPair(item, speaker, right, said)


def turn_rows(judge: str, turns: Sequence[TurnPair]) -> Iterator[TurnShare]:
    """Yield how many turns are right, of all and by speaker, and how many have each error."""
    yield TurnShare(judge, ALL_TURNS, _share((one.item, one.right) for one in turns), None)
    for speaker in SPEAKERS:
        own = [(one.item, one.right) for one in turns if one.speaker == speaker]
        if own:
            yield TurnShare(judge, f"right, {speaker}", _share(own), None)
    for error, words in ERRORS.items():
        share = _share((one.item, one.errors[error] > 0) for one in turns)
        yield TurnShare(judge, words, share, sum(one.errors[error] for one in turns))


def commonest_error(turns: Sequence[TurnPair]) -> Iterator[str]:
    """Yield the error that most turns have, as a sentence; nothing where there is none."""
    counts = Counter(error for error in ERRORS for one in turns if one.errors[error])
    for error, _ in counts.most_common(1):
        yield f"The commonest error: {ERRORS[error]}."


def function_rows(judge: str, turns: Sequence[TurnPair]) -> Iterator[FunctionTurns]:
    """Yield how many turns have each function, the most frequent first."""
    gold = Counter(name for one in turns for name in one.gold)
    own = Counter(name for one in turns for name in one.judge)
    both = Counter(name for one in turns for name in one.gold & one.judge)
    totals = gold + own
    for name in sorted(totals, key=lambda name: (-totals[name], name)):
        missing, invented = gold[name] - both[name], own[name] - both[name]
        counts = gold[name], own[name], both[name], missing, invented
        yield FunctionTurns(judge, name, *counts)


@dataclass(frozen=True, slots=True)
class MaximPair:
    """What both say of one maxim."""

    item: str
    maxim: str
    gold: str
    judge: str

    @property
    def differs(self) -> str | None:
        """How the judge's label differs."""
        return harshness(self.gold, self.judge)


def _maxim_pairs(labels: Labels, gold: Labels) -> Iterator[MaximPair]:
    for item, held in gold.maxims.items():
        own = labels.maxims.get(item, {})
        for maxim, side in held.items():
            if maxim in own:
                yield MaximPair(item, maxim, side, own[maxim])


def maxim_rows(judge: str, labels: Sequence[MaximPair]) -> Iterator[MaximShare]:
    """Yield how many labels agree, how the others differ, and how many of each maxim agree."""
    yield _agreed(judge, ALL_MAXIMS, labels)
    for kind, words in HARSHNESS.items():
        share = _share((one.item, one.differs == kind) for one in labels)
        yield MaximShare(judge, f"the judge {words}", share, None)
    for maxim in MAXIMS:
        own = [one for one in labels if one.maxim == maxim]
        if own:
            yield _agreed(judge, maxim, own)


def _agreed(judge: str, what: str, labels: Sequence[MaximPair]) -> MaximShare:
    gold, own = [one.gold for one in labels], [one.judge for one in labels]
    kappa = stats.cohen_kappa(gold, own, clusters=[one.item for one in labels])
    return MaximShare(judge, what, _share((one.item, one.differs is None) for one in labels), kappa)


def commonest_difference(labels: Sequence[MaximPair]) -> Iterator[str]:
    """Yield how most of the labels that differ do, as a sentence; nothing where none does."""
    counts = Counter(kind for kind in HARSHNESS for one in labels if one.differs == kind)
    for kind, _ in counts.most_common(1):
        words = HARSHNESS[kind] if kind == "other" else f"is {kind}"
        yield f"Most often the judge {words}."


def harshness(gold: str, judge: str) -> str | None:
    """How a maxim's label differs from the reference's; None where it does not.

    >>> harshness("both", "A"), harshness("neither", "B"), harshness("A", "B")
    ('too harsh', 'too mild', 'other')
    """
    if gold == judge:
        return None
    right, said = _KEEPS[gold], _KEEPS[judge]
    return "too harsh" if said < right else "too mild" if said > right else "other"


def _share(rows: Iterable[tuple[str, bool]]) -> Share:
    listed = list(rows)
    return stats.share([value for _, value in listed], clusters=[item for item, _ in listed])
