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
from typing import Annotated, Any, Self

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
ERRORS = ("missing", "wrong", "invented")
SPEAKERS = ("user", "assistant", "response")
HARSHNESS = ("too harsh", "too mild", "other")
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
class OfFunction:
    """One function over all turns."""

    gold: int  # turns that have it by the reference
    judge: int
    both: int


@dataclass(frozen=True, slots=True)
class TurnAgreement:
    """Turns on which both have acts."""

    items: int
    right: Share  # share of turns with the same functions
    by_speaker: Mapping[str, Share]
    turns_with: Mapping[str, Share]  # by error: share of turns that have it
    functions: Mapping[str, int]  # by error: how many functions
    by_function: Mapping[str, OfFunction]  # the most frequent first
    unknown: int  # of the judge's functions, those that the taxonomy has not

    @property
    def commonest(self) -> str | None:
        """The error that most turns have; None where there is none."""
        found = {name: one.count for name, one in self.turns_with.items()}
        most = max(found.values(), default=0)
        return next((name for name in ERRORS if found[name] == most), None) if most else None


@dataclass(frozen=True, slots=True)
class OfMaxim:
    """One maxim over all pairs."""

    agreed: Share
    kappa: Estimate


@dataclass(frozen=True, slots=True)
class MaximAgreement:
    """Maxims about which both say something."""

    items: int
    agreed: Share  # share of labels that are the same
    kappa: Estimate  # over all maxims together
    differ: Mapping[str, Share]  # by `HARSHNESS`: share of labels
    by_maxim: Mapping[str, OfMaxim]

    @property
    def commonest(self) -> str | None:
        """How most of the labels that differ do; None where none does."""
        found = {name: one.count for name, one in self.differ.items()}
        most = max(found.values(), default=0)
        return next((name for name in HARSHNESS if found[name] == most), None) if most else None


@dataclass(frozen=True, slots=True)
class ActsAgreed:
    """One judge held to the reference; None where they share no turn, or no maxim."""

    judge: str
    turns: TurnAgreement | None
    maxims: MaximAgreement | None


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
    """

    heading = "Agreement about dialogue acts and maxims"

    gold: str
    judges: Sequence[ActsAgreed] = field(repr=False)
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

    @classmethod
    def of(
        cls, gold: str, judges: Sequence[ActsAgreed], invalid: int, asked: int, signature: str
    ) -> Self:
        """The result with a row for each figure of each judge."""
        return cls(
            gold,
            judges,
            invalid,
            asked,
            signature,
            [row for one in judges for row in _turn_rows(one)],
            [row for one in judges for row in _function_rows(one)],
            [row for one in judges for row in _maxim_rows(one)],
        )

    @property
    def sentence(self) -> str:
        """How many turns and labels agree."""
        parts = []
        for judge in self.judges:
            if judge.turns is not None:
                right = judge.turns.right
                shown = f"{right.count:,} of {right.n:,} turns ({percent(right.estimate)})"
                parts.append(f"{judge.judge} is right in {shown}")
            if judge.maxims is not None:
                agreed = judge.maxims.agreed
                shown = f"{agreed.count:,} of {agreed.n:,} labels of maxims"
                parts.append(f"{judge.judge} agrees in {shown} ({percent(agreed.estimate)})")
        return f"Held to {self.gold}: {'; '.join(parts)}."

    @property
    def table_notes(self) -> Mapping[str, Sequence[str]]:
        """Of how many items the figures are, and the commonest errors."""
        turns, maxims = [], []
        for judge in self.judges:
            if judge.turns is not None:
                turns += _turn_notes(judge.judge, judge.turns, self.gold)
            if judge.maxims is not None:
                maxims += _maxim_notes(judge.judge, judge.maxims, self.gold)
        return {"turns": turns, "maxims": maxims}

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


_ERROR_WORDS = {
    "missing": "a function is missing",
    "wrong": "a function is wrong",
    "invented": "a function is invented",
}


def _turn_rows(judge: ActsAgreed) -> Iterator[TurnShare]:
    turns = judge.turns
    if turns is not None:
        yield TurnShare(judge.judge, "right, all turns", turns.right, None)
        for name, share in turns.by_speaker.items():
            yield TurnShare(judge.judge, f"right, {name}", share, None)
        for name, share in turns.turns_with.items():
            yield TurnShare(judge.judge, _ERROR_WORDS[name], share, turns.functions[name])


def _function_rows(judge: ActsAgreed) -> Iterator[FunctionTurns]:
    for name, turns in {} if judge.turns is None else judge.turns.by_function.items():
        missing, invented = turns.gold - turns.both, turns.judge - turns.both
        counts = turns.gold, turns.judge, turns.both, missing, invented
        yield FunctionTurns(judge.judge, name, *counts)


def _maxim_rows(judge: ActsAgreed) -> Iterator[MaximShare]:
    maxims = judge.maxims
    if maxims is not None:
        yield MaximShare(judge.judge, "all maxims", maxims.agreed, maxims.kappa)
        for name, share in maxims.differ.items():
            words = "names the other response" if name == "other" else name
            yield MaximShare(judge.judge, f"the judge {words}", share, None)
        for name, maxim in maxims.by_maxim.items():
            yield MaximShare(judge.judge, name, maxim.agreed, maxim.kappa)


def _turn_notes(judge: str, turns: TurnAgreement, gold: str) -> list[str]:
    notes = [
        f"{judge} held to {gold}: {turns.right.n:,} turns of {turns.items:,} items. A turn is right"
        " where the functions are the same; a missing and an invented one together are a wrong one."
        f" {turns.unknown:,} functions of the judge are not in the taxonomy."
    ]
    if turns.commonest is not None:
        notes.append(f"The commonest error: {_ERROR_WORDS[turns.commonest]}.")
    return notes


def _maxim_notes(judge: str, maxims: MaximAgreement, gold: str) -> list[str]:
    notes = [f"{judge} held to {gold}: {maxims.agreed.n:,} labels of {maxims.items:,} items."]
    if maxims.commonest is not None:
        words = "names the other response" if maxims.commonest == "other" else "is {}"
        notes.append(f"Most often the judge {words.format(maxims.commonest)}.")
    return notes


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


def agreed(judge: str, labels: Labels, gold: Labels, taxonomy: Taxonomy) -> ActsAgreed:
    """One judge's labels held to the reference's, on what both have labelled."""
    turns = list(_turn_pairs(labels, gold))
    said = [
        (item, maxim, side, labels.maxims[item][maxim])
        for item, held in gold.maxims.items()
        for maxim, side in held.items()
        if maxim in labels.maxims.get(item, {})
    ]
    known = {one.name for one in taxonomy.functions}
    return ActsAgreed(
        judge,
        turn_agreement(turns, known) if turns else None,
        maxim_agreement(said) if said else None,
    )


def _turn_pairs(labels: Labels, gold: Labels) -> Iterator[TurnPair]:
    for item, turns in gold.turns.items():
        others = labels.turns.get(item, ())
        if len(others) != len(turns):
            continue
        for (speaker, right), (_, said) in zip(turns, others, strict=True):
            if right is not None and said is not None and speaker in SPEAKERS:
                yield TurnPair(item, speaker, right, said)


def turn_agreement(turns: Sequence[TurnPair], known: Iterable[str]) -> TurnAgreement:
    """The figures of turns that both have labelled."""
    functions = Counter(name for one in turns for name in (*one.gold, *one.judge))
    totals = sum((one.errors for one in turns), Counter[str]())
    taxonomy = set(known)
    return TurnAgreement(
        len({one.item for one in turns}),
        _share([(one.item, one.right) for one in turns]),
        {
            speaker: _share([(one.item, one.right) for one in turns if one.speaker == speaker])
            for speaker in SPEAKERS
            if any(one.speaker == speaker for one in turns)
        },
        {error: _share([(one.item, one.errors[error] > 0) for one in turns]) for error in ERRORS},
        {error: totals[error] for error in ERRORS},
        {name: _of_function(turns, name) for name, _ in _ranked(functions)},
        sum(len(one.judge - taxonomy) for one in turns),
    )


def _ranked(counts: Counter[str]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))


def _of_function(turns: Sequence[TurnPair], name: str) -> OfFunction:
    gold = [name in one.gold for one in turns]
    judge = [name in one.judge for one in turns]
    both = sum(a and b for a, b in zip(gold, judge, strict=True))
    return OfFunction(sum(gold), sum(judge), both)


def maxim_agreement(said: Sequence[tuple[str, str, str, str]]) -> MaximAgreement:
    """The figures of labels (item, maxim, the reference's, the judge's)."""
    return MaximAgreement(
        len({item for item, *_ in said}),
        _share([(item, gold == judge) for item, _, gold, judge in said]),
        _kappa(said),
        {
            kind: _share([(item, harshness(gold, judge) == kind) for item, _, gold, judge in said])
            for kind in HARSHNESS
        },
        {
            maxim: _of_maxim([one for one in said if one[1] == maxim])
            for maxim in MAXIMS
            if any(one[1] == maxim for one in said)
        },
    )


def _of_maxim(said: Sequence[tuple[str, str, str, str]]) -> OfMaxim:
    return OfMaxim(_share([(one[0], one[2] == one[3]) for one in said]), _kappa(said))


def _kappa(said: Sequence[tuple[str, str, str, str]]) -> Estimate:
    gold, judge = [one[2] for one in said], [one[3] for one in said]
    return stats.cohen_kappa(gold, judge, clusters=[one[0] for one in said])


def harshness(gold: str, judge: str) -> str | None:
    """How a maxim's label differs from the reference's; None where it does not.

    >>> harshness("both", "A"), harshness("neither", "B"), harshness("A", "B")
    ('too harsh', 'too mild', 'other')
    """
    if gold == judge:
        return None
    right, said = _KEEPS[gold], _KEEPS[judge]
    return "too harsh" if said < right else "too mild" if said > right else "other"


def _share(rows: Sequence[tuple[str, bool]]) -> Share:
    return stats.share([one for _, one in rows], clusters=[item for item, _ in rows])


def sign(gold: str, judges: Sequence[ActsAgreed], taxonomy: Taxonomy) -> str:
    """The signature of figures: the reference, the rules, and the counts."""
    told = "|".join(f"{one.judge}={to_json(one)}" for one in judges)
    return sign_text(f"acts-agreement|v{VERSION}|{taxonomy.name}:{taxonomy.hash}|{gold}|{told}")
