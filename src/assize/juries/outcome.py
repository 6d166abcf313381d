"""A jury against gold: win, tie and loss, where each decision fell, each judge by itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Literal

import numpy as np

from assize.judging.usage_total import UsageTotal
from assize.juries.ballots import Ballot, Ballots, StoredVotes
from assize.juries.rules import IDENTICAL, Verdict, identical_verdict, result
from assize.results import Column, Hidden, Percent, PercentOnly, Share
from assize.stats import wilson

WhenUnscored = Literal["skip", "loss"]
RESULTS = ("win", "tie", "loss")
ANSWERS = ("A", "tie", "B")


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

    def share(self, name: str, confidence: float = 0.95) -> Share:
        """A result's share of all items, with Wilson's interval."""
        return wilson(self.counts.get(name, 0), self.n, confidence=confidence)


@dataclass(frozen=True, slots=True)
class JudgeResult:
    """One judge by itself, as if it were the whole jury, on the `n` items that it has voted on.

    Args:
        win, tie, loss: shares against gold; None without gold.
        a, b: shares of the answers A and B, where there is no gold.
        unscored: items that it could not be scored on, also where they count as a loss.
        not_asked: items on which it has no vote, as most of a live cascade's later judges; None
            where there is no such item.
        read: items on which the jury read its votes.
        right_alone: of all items, those that it has right by itself and the jury loses.
        reasons: of what is unscored.
    """

    judge: str
    n: Annotated[int, Column("items")]
    win: Percent[Share | None]
    a: Annotated[Share | None, Column("A", "percent", digits=1, unit="%")]
    tie: PercentOnly[Share]
    loss: PercentOnly[Share | None]
    b: Annotated[Share | None, Column("B", "percent", digits=1, unit="%", ends="none")]
    unscored: int
    not_asked: int | None
    read: Hidden[int]
    right_alone: Annotated[Share | None, Column("right, jury wrong", "percent", digits=1, unit="%")]
    reasons: Hidden[Mapping[str, int]]


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
        left_to_last: results on the items that all judges but the last of a cascade left open,
            by a tie or without a vote.
        ties_of_gold: what the verdicts are where gold is a tie.
        without_gold: items that have none though others have.
        saving: what was read, and what all judges on all items would have been.
    """

    verdicts: Sequence[Verdict]
    gold: Mapping[str, str]
    jury: Standing | None
    answers: Mapping[str, int]
    judges: Mapping[str, JudgeResult]
    decided_by: Mapping[str, Mapping[str, int]]
    paths: Mapping[str, int]
    left_to_last: Mapping[str, int]
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

    Source: AMULET, section 4.5 (win, tie, loss) and appendix I.2 (an absent judge is a loss).
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
        _left_to_last(counted, results, len(judges)),
        Counter(tied),
        sum(one.item not in truth for one in verdicts) if some_gold else 0,
        Saving(
            sum_usage(ballot for one in verdicts for ballot in one.ballots),
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
) -> JudgeResult:
    counts, reasons = Counter[str](), Counter[str]()
    read, not_asked, right_alone = 0, 0, 0
    for verdict in verdicts:
        truth = gold.get(verdict.item)
        if verdict.item in same:
            counts["tie"] += 1
            continue
        own = ballots.of(judge, verdict.item)
        if not own.votes:
            not_asked += 1
            continue
        came_to = result(own.answer, truth)
        if own.answer is None:
            reasons[own.reason or "missing"] += 1
            came_to = "loss" if unscored == "loss" and truth is not None else came_to
        counts[came_to] += 1
        right_alone += came_to == "win" and verdict.result(truth) == "loss"
        read += any(ballot.judge == judge for ballot in verdict.ballots)
    own_results = Standing(counts, reasons)
    return JudgeResult(
        judge,
        own_results.n,
        own_results.share("win") if gold else None,
        None if gold else own_results.share("A"),
        own_results.share("tie"),
        own_results.share("loss") if gold else None,
        None if gold else own_results.share("B"),
        reasons.total(),
        not_asked or None,
        read,
        wilson(right_alone, len(verdicts)) if gold else None,
        reasons,
    )


def _decided_by(verdicts: Sequence[Verdict], results: Sequence[str]) -> dict[str, Counter[str]]:
    found: dict[str, Counter[str]] = {}
    for verdict, came in zip(verdicts, results, strict=True):
        found.setdefault(verdict.by or "nobody", Counter())[came] += 1
    return found


def _left_to_last(verdicts: Sequence[Verdict], results: Sequence[str], judges: int) -> Counter[str]:
    return Counter(
        came
        for verdict, came in zip(verdicts, results, strict=True)
        if len(verdict.ballots) == judges and not any(one.decides for one in verdict.ballots[:-1])
    )


def _everyone(ballots: Ballots, judges: Iterable[str], verdicts: Sequence[Verdict]) -> VoteUsage:
    """All judges on all items; who was never asked about one counts as on the others."""
    items = [one.item for one in verdicts if one.by != IDENTICAL]
    whole = VoteUsage()
    for judge in judges:
        given = [one for one in (ballots.of(judge, item) for item in items) if one.votes]
        own = sum_usage(given)
        whole.merge(own)
        whole.add_estimated(len(items) - len(given), own, ballots.expected(judge))
    return whole


@dataclass
class VoteUsage(UsageTotal):
    """What votes took, whether they came from a cache or not, where that is stored.

    Args:
        votes: rows.
        unknown: rows without a usage.
        estimated: votes that were never asked for, counted as the judge's others on average.
    """

    votes: int = 0
    unknown: int = 0
    estimated: int = 0

    def add_estimated(self, ballots: int, like: VoteUsage, votes: int) -> None:
        """Counts ballots of so many votes never asked for, each vote as the mean of `like`'s."""
        count = ballots * votes
        self.votes += count
        self.estimated += count
        if like.votes == like.unknown:  # nothing is known of what a vote costs
            self.unknown += count
            return
        share = count / (like.votes - like.unknown)
        self.calls += round(like.calls * share)
        self.input_tokens += round(like.input_tokens * share)
        self.output_tokens += round(like.output_tokens * share)
        self.cost_usd += like.cost_usd * share
        self.unpriced += round(like.unpriced * share)

    @property
    def priced(self) -> bool:
        """Whether `cost_usd` is all of the cost."""
        return self.votes > 0 and self.unpriced == 0 and self.unknown == 0

    def cost(self) -> Cost:
        """The sums as they are shown."""
        if self.votes == self.unknown:
            return Cost(self.votes, self.estimated)
        return Cost(
            self.votes,
            self.estimated,
            self.calls,
            self.input_tokens,
            self.output_tokens,
            self.cost_usd if self.priced else None,
        )


@dataclass(frozen=True, slots=True)
class Cost:
    """What votes took.

    Args:
        estimated_votes: of `votes`, those never asked for, each as the mean of the judge's others.
        calls: to models, answers that had to be asked for again included; None, as are tokens,
            where no usage is stored.
        cost_usd: None where it is not known in full.
    """

    votes: int
    estimated_votes: int
    calls: int | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost_usd: Annotated[float | None, Column("US dollars", digits=4)] = None


def sum_usage(ballots: Iterable[Ballot]) -> VoteUsage:
    """Return what the stored votes of these ballots took."""
    total = VoteUsage()
    stored = [ballot.votes for ballot in ballots if isinstance(ballot.votes, StoredVotes)]
    if stored:
        cells = np.array([votes.cell for votes in stored])
        for name, values in stored[0].source.usage.items():
            value = values[cells].sum()
            setattr(total, name, float(value) if name == "cost_usd" else int(value))
    return total


@dataclass(frozen=True, slots=True)
class Saving:
    """What was used, beside what all judges on all items would have used."""

    used: VoteUsage
    everyone: VoteUsage

    @property
    def percent(self) -> float | None:
        """Saved of the cost where it is known; else of the tokens, else of the votes."""
        for used, all_of in (
            (self.used.cost_usd, self.everyone.cost_usd if self.everyone.priced else 0.0),
            (self.used.output_tokens, 0 if self.everyone.unknown else self.everyone.output_tokens),
            (self.used.votes, self.everyone.votes),
        ):
            if all_of > 0:
                return 100 * (1 - used / all_of)
        return None

    @property
    def measured_in(self) -> str:
        """What `percent` is a share of."""
        if self.everyone.priced and self.everyone.cost_usd > 0:
            return "US dollars"
        known = self.everyone.unknown == 0 and self.everyone.output_tokens > 0
        return "output tokens" if known else "votes"
