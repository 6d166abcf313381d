"""What a run came to, counted while it goes: no judgment is kept in memory."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from assize.base.judgment import Judgment, Usage
from assize.base.signature import sign
from assize.judging.boundary import INVISIBLE
from assize.judging.shortening import LEFT_OUT
from assize.judging.usage_total import UsageTotal


@dataclass
class Tally:
    """One judge's answers to one question."""

    answers: Counter[str] = field(default_factory=Counter)
    unscored: Counter[str] = field(default_factory=Counter)

    @property
    def n(self) -> int:
        """Judgments, unscored ones included."""
        return sum(self.answers.values()) + sum(self.unscored.values())


@dataclass
class Summary:
    """Counts of a session or of a whole run."""

    # by judge and question
    tallies: dict[tuple[str, str], Tally] = field(
        default_factory=lambda: defaultdict(Tally), repr=False
    )
    # by judge, each that its rows have
    signed: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set), repr=False)
    spent: UsageTotal = field(default_factory=UsageTotal)
    skipped: int = 0  # items that were passed over because their id had been seen
    shortened: int = 0  # judgments of items that were too long and lost their oldest turns
    invisible: int = 0  # judgments of items with characters that nobody sees

    def add(self, rows: Iterable[Judgment]) -> None:
        """Counts one answer's rows."""
        for row in rows:
            reason = None if row.unscored is None else row.unscored.reason
            self._add((row.judge, row.question), row.answer, reason, row.signature, row.details)
            if row.usage is not None:
                self.spent.add(row.usage, row.attempts or 1)

    def add_stored(self, rows: Iterable[Mapping[str, Any]]) -> None:
        """Counts rows as they stand in a file."""
        for row in rows:
            reason = (row.get("unscored") or {}).get("reason")
            answer, signed, details = map(row.get, ("answer", "signature", "details"))
            self._add((row["judge"], row["question"]), answer, reason, signed, details)
            used = row.get("usage")
            if used is not None:
                tokens = used.get("input_tokens") or 0, used.get("output_tokens") or 0
                usage = Usage(*tokens, used.get("cost_usd"), used.get("cached", False))
                attempts = 1 if row.get("attempts") is None else row["attempts"]
                self.spent.add(usage, attempts, stored=True)

    def _add(
        self,
        asked: tuple[str, str],
        answer: str | None,
        reason: str | None,
        signed: str | None,
        details: Mapping[str, Any] | None,
    ) -> None:
        """Count a row by the judge and the question that were asked."""
        tally = self.tallies[asked]
        self.shortened += LEFT_OUT in (details or {})
        self.invisible += INVISIBLE in (details or {})
        if reason is not None:
            tally.unscored[reason] += 1
        else:
            tally.answers["" if answer is None else answer] += 1
        if signed is not None:
            self.signed[asked[0]].add(signed)

    def order_judges(self, names: Iterable[str]) -> None:
        """Put judges into an order, whoever answered first."""
        rank = {name: number for number, name in enumerate(names)}
        last = len(rank)
        tallies = sorted(self.tallies.items(), key=lambda tally: rank.get(tally[0][0], last))
        self.tallies = dict(tallies)

    @property
    def signatures(self) -> dict[str, str]:
        """By judge: its rows' signature; of several, one of them all."""
        return {
            judge: next(iter(found)) if len(found) == 1 else sign(sorted(found))
            for judge, found in self.signed.items()
        }

    @property
    def n(self) -> int:
        """Judgments."""
        return sum(tally.n for tally in self.tallies.values())

    @property
    def unscored(self) -> int:
        """Judgments that could not be made."""
        return sum(sum(tally.unscored.values()) for tally in self.tallies.values())

    @property
    def reasons(self) -> Counter[str]:
        """Unscored judgments by reason."""
        return sum((tally.unscored for tally in self.tallies.values()), Counter())
