"""A jury against gold: win, tie and loss, where each decision fell, each judge by itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from assize.juries.ballots import Ballots
from assize.juries.cost import Saving, Spent, spent_on
from assize.juries.verdict import IDENTICAL, Verdict, identical_verdict, result
from assize.stats import Estimate, wilson

WhenUnscored = Literal["skip", "loss"]
RESULTS = ("win", "tie", "loss")


@dataclass(frozen=True, slots=True)
class Standing:
    """How somebody did on items whose gold is A or B."""

    counts: Mapping[str, int]  # of `win`, `tie`, `loss` and `unscored`; they add up to `n`
    # of what is unscored, whatever it counts as
    reasons: Mapping[str, int] = field(default_factory=dict)

    @property
    def n(self) -> int:
        """Items, unscored ones included."""
        return sum(self.counts.values())

    def share(self, name: str, confidence: float = 0.95) -> Estimate:
        """A result's share of all items, with Wilson's interval."""
        return wilson(self.counts.get(name, 0), self.n, confidence=confidence)


@dataclass(frozen=True, slots=True)
class Alone:
    """One judge by itself, and its part in the jury."""

    standing: Standing  # on the items that it has voted on, as if it were the whole jury
    read: int  # items on which the jury read its votes
    decided: Mapping[str, int]  # results against gold of those that it decided
    # items on which it has no vote at all, as most of a live cascade's later judges
    not_asked: int = 0
    right_alone: int = 0  # items that it has right and the jury has wrong


@dataclass(frozen=True)
class Outcome:
    """What a jury came to on all items.

    Args:
        verdicts: one an item.
        gold: A, B or tie, by item, where it is known.
        jury: on items whose gold is A or B; None where no item has any.
        answers: what the verdicts are, on all items.
        judges: each judge by itself, by name.
        decided_by: who decided, with results against gold (or answers without any).
        paths: how each item went, such as `tie-win`.
        ties_of_gold: what the verdicts are where gold is a tie.
        without_gold: items that have none though others have.
        saving: what was read, and what all judges on all items would have been.
    """

    verdicts: Sequence[Verdict]
    gold: Mapping[str, str]
    jury: Standing | None
    answers: Mapping[str, int]
    judges: Mapping[str, Alone]
    decided_by: Mapping[str, Mapping[str, int]]
    paths: Mapping[str, int]
    ties_of_gold: Mapping[str, int]
    without_gold: int
    saving: Saving

    @property
    def n(self) -> int:
        """Items that count: those with gold A or B, or all where there is no gold."""
        return len(self.verdicts) if self.jury is None else self.jury.n

    @property
    def counted(self) -> Sequence[Verdict]:
        """The verdicts on the items that count."""
        if self.jury is None:
            return self.verdicts
        return [one for one in self.verdicts if self.gold.get(one.item) in ("A", "B")]

    @property
    def unscored(self) -> int:
        """Items without a verdict among those that count."""
        if self.jury is None:
            return self.answers.get("unscored", 0)
        return sum(self.jury.reasons.values())


def sit(
    ballots: Ballots,
    judges: Sequence[str],
    items: Iterable[str],
    decide: Callable[[str], Verdict],
    *,
    gold: Mapping[str, str] | None = None,
    identical: Iterable[str] = (),
    unscored: WhenUnscored = "skip",
) -> Outcome:
    """Decides all items and holds them against gold.

    Args:
        judges: full names of those who sit; each is also looked at alone.
        items: what is decided.
        decide: one item's verdict, by a cascade or a panel.
        gold: A, B or tie by item. Gold ties stand outside win and loss.
        identical: items whose responses are the same: a tie that nobody is asked about.
        unscored: `loss` counts a judge that is unscored alone as a loss, and so it does a
            jury whose last judge is unscored when nobody has decided; inside a jury an
            unscored judge passes on either way. `skip` leaves the unscored apart.

    Source: AMULET, section 4 (win, tie, loss; an absent judge is a loss).
    """
    truth, same = dict(gold or {}), frozenset(identical)
    verdicts = [identical_verdict(item) if item in same else decide(item) for item in items]
    counted = [one for one in verdicts if truth.get(one.item) in ("A", "B")] or verdicts
    some_gold = any(truth.get(one.item) in ("A", "B") for one in verdicts)
    known = truth if some_gold else {}
    results = [_result(one, known.get(one.item), unscored) for one in counted]
    tied = [one.answer or "unscored" for one in verdicts if truth.get(one.item) == "tie"]
    reasons = Counter(one.reason or "missing" for one in counted if one.answer is None)
    return Outcome(
        verdicts,
        known,
        Standing(Counter(results), reasons) if some_gold else None,
        Counter(one.answer or "unscored" for one in verdicts),
        {name: _alone(ballots, name, counted, known, same, unscored) for name in judges},
        _decided_by(counted, results),
        Counter(one.path(known.get(one.item)) for one in counted),
        Counter(tied),
        sum(one.item not in truth for one in verdicts) if some_gold else 0,
        Saving(
            spent_on(ballot for one in verdicts for ballot in one.ballots),
            _everyone(ballots, judges, verdicts),
        ),
    )


def _result(verdict: Verdict, gold: str | None, unscored: WhenUnscored) -> str:
    found = verdict.result(gold)
    if unscored == "skip" or gold is None:
        return found
    last_absent = bool(verdict.ballots) and verdict.ballots[-1].answer is None
    undecided = verdict.answer is None or (
        verdict.answer == "tie" and verdict.by is None and verdict.weight is None and last_absent
    )
    return "loss" if undecided else found


def _alone(
    ballots: Ballots,
    judge: str,
    verdicts: Sequence[Verdict],
    gold: Mapping[str, str],
    same: frozenset[str],
    unscored: WhenUnscored,
) -> Alone:
    counts, reasons = Counter[str](), Counter[str]()
    decided, read, not_asked, right_alone = Counter[str](), 0, 0, 0
    for verdict in verdicts:
        truth = gold.get(verdict.item)
        if verdict.item in same:
            counts["tie"] += 1
            continue
        own = ballots.of(judge, verdict.item)
        if not own.votes:
            not_asked += 1
            continue
        found = result(own.answer, truth)
        if own.answer is None:
            reasons[own.reason or "missing"] += 1
            found = "loss" if unscored == "loss" and truth is not None else found
        counts[found] += 1
        right_alone += found == "win" and verdict.result(truth) == "loss"
        read += any(one.judge == judge for one in verdict.ballots)
        if verdict.by == judge:
            decided[verdict.result(truth)] += 1
    return Alone(Standing(counts, reasons), read, decided, not_asked, right_alone)


def _decided_by(verdicts: Sequence[Verdict], results: Sequence[str]) -> dict[str, Counter[str]]:
    found: dict[str, Counter[str]] = {}
    for verdict, came in zip(verdicts, results, strict=True):
        found.setdefault(verdict.by or "nobody", Counter())[came] += 1
    return found


def _everyone(ballots: Ballots, judges: Iterable[str], verdicts: Sequence[Verdict]) -> Spent:
    """All judges on all items; who was never asked about one counts as on the others."""
    items = [one.item for one in verdicts if one.by != IDENTICAL]
    whole = Spent()
    for judge in judges:
        given = [one for one in (ballots.of(judge, item) for item in items) if one.votes]
        own = spent_on(given)
        whole.merge(own)
        whole.add_estimated(len(items) - len(given), own, ballots.expected(judge))
    return whole
