"""What a jury used, and what asking everyone would have used."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from assize.judgment import Usage
from assize.juries.ballots import Ballot, StoredVotes


@dataclass(slots=True)
class Spent:
    """Votes that were read, and what they cost where that is stored."""

    votes: int = 0  # rows
    calls: int = 0  # calls to models, answers that had to be asked again included
    # input_tokens, output_tokens: of the rows whose usage is stored
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float = 0.0  # of those whose price is known
    unpriced: int = 0  # rows with a usage whose price is not known
    unknown: int = 0  # rows without a usage
    estimated: int = 0  # votes that were never asked for, counted as the judge's others on average

    def add(self, ballots: Iterable[Ballot]) -> Spent:
        """Counts the stored votes of these ballots."""
        stored = [one.votes for one in ballots if isinstance(one.votes, StoredVotes)]
        if stored:
            cells = np.array([one.cell for one in stored])
            for name, values in stored[0].source.usage.items():
                total = values[cells].sum()
                more = float(total) if name == "cost_usd" else int(total)
                setattr(self, name, getattr(self, name) + more)
        return self

    def add_estimated(self, ballots: int, like: Spent, votes: int) -> Spent:
        """Counts ballots of so many votes that were never asked for, each vote the mean of
        `like`'s."""
        count = ballots * votes
        self.votes += count
        self.estimated += count
        if like.votes == like.unknown:  # nothing is known of what a vote costs
            self.unknown += count
            return self
        share = count / (like.votes - like.unknown)
        self.calls += round(like.calls * share)
        self.input_tokens += round(like.input_tokens * share)
        self.output_tokens += round(like.output_tokens * share)
        self.cost_usd += like.cost_usd * share
        self.unpriced += round(like.unpriced * share)
        return self

    def merge(self, other: Spent) -> Spent:
        """Adds the sums of another."""
        for name in type(self).__slots__:
            setattr(self, name, getattr(self, name) + getattr(other, name))
        return self

    @property
    def priced(self) -> bool:
        """Whether `cost_usd` is all of the cost."""
        return self.votes > 0 and self.unpriced == 0 and self.unknown == 0

    def usage(self) -> Usage | None:
        """The sums as a judgment's usage; None where nothing is stored."""
        if self.votes == self.unknown:
            return None
        cost = self.cost_usd if self.priced else None
        return Usage(self.input_tokens, self.output_tokens, cost)

    def to_json(self) -> dict[str, Any]:
        """Counts; the cost is null where it is not known in full."""
        return {
            "votes": self.votes,
            "calls": self.calls,
            "input_tokens": self.input_tokens,
            "output_tokens": self.output_tokens,
            "cost_usd": round(self.cost_usd, 6) if self.priced else None,
            "estimated_votes": self.estimated,
        }


def spent_on(ballots: Iterable[Ballot]) -> Spent:
    """What these ballots used."""
    return Spent().add(ballots)


@dataclass(frozen=True, slots=True)
class Saving:
    """What was used, beside what all judges on all items would have used."""

    used: Spent
    everyone: Spent

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

    def to_json(self) -> dict[str, Any]:
        """Both sums, and the share saved."""
        return {
            "used": self.used.to_json(),
            "everyone": self.everyone.to_json(),
            "saved_percent": None if self.percent is None else round(self.percent, 2),
            "saved_of": self.measured_in,
        }
