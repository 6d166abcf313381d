"""A jury against gold: win, tie and loss, where each decision fell, each judge by itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal

import numpy as np

from assize.judging.usage_total import UsageTotal
from assize.judgments.values import SIGN, FloatArray
from assize.juries.decisions import Decisions, Labels
from assize.juries.rules import IDENTICAL, BoolArray, Verdicts
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
    """What a jury came to on N items.

    Args:
        verdicts: of the jury.
        gold: A, B or tie, by item, where it is known.
        results: (N,) `win`, `tie`, `loss` or `unscored`; the answer itself without gold.
        counted: (N,) the items with gold A or B; all where there is no gold. Not those of
            `not_asked`.
        not_asked: (N,) items that would count, on which no judge of the jury has a vote.
        path_of: (N,) what each decision that was read came to, such as `tie-win`.
        jury: on the counted items; None where no item has gold A or B.
        answers: what the verdicts are, on all items.
        judges: each judge by itself, by name.
        decided_by: who decided, with results against gold (or answers without any).
        left_to_last: results on the items that all judges but the last of a cascade left open,
            by a tie or without a vote.
        ties_of_gold: what the verdicts are where gold is a tie.
        without_gold: items that have none though others have.
        saving: what was read, and what all judges on all items would have been.
    """

    verdicts: Verdicts
    gold: Mapping[str, str]
    results: Labels
    counted: BoolArray
    not_asked: BoolArray
    path_of: Labels
    jury: Standing | None
    answers: Mapping[str, int]
    judges: Mapping[str, JudgeResult]
    decided_by: Mapping[str, Mapping[str, int]]
    left_to_last: Mapping[str, int]
    ties_of_gold: Mapping[str, int]
    without_gold: int
    saving: Saving

    @property
    def n(self) -> int:
        """Items that count: those with gold A or B, or all where there is no gold, if asked."""
        return int(self.counted.sum())

    @property
    def unscored(self) -> int:
        """Items without a verdict among those that count."""
        return int((np.isnan(self.verdicts.values) & self.counted).sum())

    @property
    def identical(self) -> BoolArray:
        """(N,) items whose two responses are alike, which are a tie without a call."""
        return np.asarray(self.verdicts.deciders == IDENTICAL, dtype=bool)

    @property
    def paths(self) -> Mapping[str, int]:
        """How many of the items that count went each way, such as `tie-win`."""
        return _count(self.path_of[self.counted])

    @property
    def items(self) -> tuple[str, ...]:
        """The ids of all items."""
        return self.verdicts.decisions.items


def evaluate(
    verdicts: Verdicts, gold: Mapping[str, str], unscored: WhenUnscored = "skip"
) -> Outcome:
    """Compare a jury's verdicts, and each judge's decisions, with gold.

    Args:
        gold: A, B or tie by item. Gold ties stand outside win and loss, and so do items that no
            judge of the jury was asked about.
        unscored: `loss` counts a judge that is unscored alone as a loss, and so it does a
            jury whose last judge is unscored when nobody has decided; inside a jury an
            unscored judge passes on either way. `skip` leaves the unscored apart.

    Source: AMULET, section 4.5 (win, tie, loss) and appendix I.2 (an absent judge is a loss).
    """
    decisions = verdicts.decisions
    truth = np.array([SIGN.get(gold.get(item, ""), np.nan) for item in decisions.items], float)
    sided = np.abs(truth) == 1
    some_gold = bool(sided.any())
    known = truth if some_gold else np.full(len(truth), np.nan)
    countable = sided if some_gold else np.ones(len(truth), dtype=bool)
    not_asked = ~(decisions.votes > 0).any(axis=0) & (verdicts.deciders != IDENTICAL)
    counted = countable & ~not_asked
    plain = results_of(verdicts.values, known)
    results = plain.copy()
    if unscored == "loss" and some_gold:
        results[sided & _undecided(verdicts)] = "loss"
    answers = results_of(verdicts.values, np.full(len(truth), np.nan))
    read_all = counted & verdicts.read.all(axis=0)
    left_open = read_all & ~(np.abs(decisions.values[:-1]) == 1).any(axis=0)
    jury = Standing(_count(results[counted]), _count(verdicts.reasons[counted]))
    return Outcome(
        verdicts,
        dict(gold) if some_gold else {},
        plain,
        counted,
        countable & not_asked,
        _paths(verdicts, known),
        jury if some_gold else None,
        _count(answers),
        {
            name: _alone(verdicts, row, known, plain, countable, unscored)
            for row, name in enumerate(decisions.judges)
        },
        _by_decider(verdicts.deciders[counted], results[counted]),
        _count(results[left_open]),
        _count(answers[truth == 0]),
        int(np.isnan(truth).sum()) if some_gold else 0,
        Saving(
            sum_usage(decisions, verdicts.read),
            _everyone(decisions, verdicts.deciders != IDENTICAL),
        ),
    )


def results_of(answers: FloatArray, gold: FloatArray) -> Labels:
    """Answers against gold: `win`, `tie`, `loss`, `unscored`; `A` or `B` where gold is no side.

    Args:
        answers: (..., N) 1 for A, 0 for a tie, -1 for B, NaN for unscored.
        gold: (N,) the same; NaN where there is none.

    >>> results_of(np.array([-1.0, 0.0, -1.0]), np.array([1.0, 1.0, np.nan])).tolist()
    ['loss', 'tie', 'B']
    """
    sided = np.abs(gold) == 1
    cases = [
        np.isnan(answers),
        answers == 0,
        sided & (answers == gold),
        np.broadcast_to(sided, answers.shape),
        answers > 0,
    ]
    return np.select(cases, ["unscored", "tie", "win", "loss", "A"], "B").astype(object)


def _paths(verdicts: Verdicts, gold: FloatArray) -> Labels:
    """(N,) what each decision that was read came to, first to last: `tie-win` against gold."""
    steps = results_of(verdicts.decisions.values, gold)  # (J, N)
    paths = np.full(len(gold), "unscored", dtype=object)
    for item, (column, read) in enumerate(zip(steps.T, verdicts.read.T, strict=True)):
        paths[item] = "-".join(column[read]) or verdicts.deciders[item] or "unscored"
    return paths


def _undecided(verdicts: Verdicts) -> BoolArray:
    """(N,) unscored, or passed on by every judge of a cascade to a last one that is unscored."""
    undecided = np.isnan(verdicts.values)
    if verdicts.weights is not None:
        return undecided
    passed_on = (verdicts.values == 0) & (verdicts.deciders == "")
    return np.asarray(undecided | (passed_on & np.isnan(verdicts.decisions.values[-1])))


def _alone(
    verdicts: Verdicts,
    judge: int,
    gold: FloatArray,
    jury: Labels,
    countable: BoolArray,
    unscored: WhenUnscored,
) -> JudgeResult:
    decisions, same = verdicts.decisions, verdicts.deciders == IDENTICAL
    counted = countable & ((decisions.votes > 0).any(axis=0) | same)
    voted = counted & ~same & (decisions.votes[judge] > 0)
    own = results_of(decisions.values[judge], gold)
    right_alone = int((voted & (own == "win") & (jury == "loss")).sum())
    own[same] = "tie"
    failed = own == "unscored"
    if unscored == "loss":
        own[failed & ~np.isnan(gold)] = "loss"
    alone = Standing(_count(own[voted | (counted & same)]), _count(decisions.reasons[judge, voted]))
    some_gold = not np.isnan(gold).all()
    return JudgeResult(
        decisions.judges[judge],
        alone.n,
        alone.share("win") if some_gold else None,
        None if some_gold else alone.share("A"),
        alone.share("tie"),
        alone.share("loss") if some_gold else None,
        None if some_gold else alone.share("B"),
        sum(alone.reasons.values()),
        int((countable & ~same & ~voted).sum()) or None,
        int((voted & verdicts.read[judge]).sum()),
        wilson(right_alone, int(counted.sum())) if some_gold else None,
        alone.reasons,
    )


def _by_decider(deciders: Labels, results: Labels) -> dict[str, Counter[str]]:
    found: dict[str, Counter[str]] = {}
    for name, result in zip(deciders, results, strict=True):
        found.setdefault(name or "nobody", Counter())[result] += 1
    return found


def _count(labels: Labels) -> Counter[str]:
    """How often each label is there, "" left out."""
    return Counter(label for label in labels.tolist() if label)


def _everyone(decisions: Decisions, items: BoolArray) -> VoteUsage:
    """All judges on some items (N,); who was never asked about one counts as on the others."""
    whole = VoteUsage()
    for judge, votes in enumerate(decisions.votes):
        cells = np.zeros(decisions.votes.shape, dtype=bool)
        cells[judge] = items
        own = sum_usage(decisions, cells)
        whole.merge(own)
        absent = int((items & (votes == 0)).sum())
        whole.add_estimated(absent * int(decisions.orders[judge]), own)
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

    def add_estimated(self, count: int, like: VoteUsage) -> None:
        """Counts so many votes never asked for, each as the mean of `like`'s."""
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


def sum_usage(decisions: Decisions, cells: BoolArray) -> VoteUsage:
    """Return what the stored votes behind some decisions (J, N) took."""
    total = VoteUsage()
    for name, values in decisions.usage.items():
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
