"""What the calls of a run took together, judgments and steps alike."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Self

from assize.base.judgment import Usage


@dataclass
class UsageTotal:
    """Calls, tokens and cost of a session, or of a whole run with its earlier sessions.

    Args:
        calls: that were made; answers from the cache are none.
        cached: answers that came from the cache, whose tokens and cost are not counted again.
        cost_usd: of the calls whose price is known.
        unpriced: answers whose price is not known.
        booked_usd: of all calls, also of those whose answers a kill has lost.
        earlier: of the calls, those of earlier sessions.
    """

    calls: int = 0
    cached: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float = 0.0
    unpriced: int = 0
    booked_usd: float = 0.0
    earlier: int = 0

    def add(self, usage: Usage, attempts: int, *, stored: bool = False) -> None:
        """Count one answer, for which a model was asked so many times.

        Args:
            stored: whether it is from an earlier session.
        """
        if usage.cached:
            self.cached += 1
            return
        self.calls += attempts
        self.earlier += attempts if stored else 0
        self.input_tokens += usage.input_tokens
        self.output_tokens += usage.output_tokens
        self.cost_usd += 0.0 if usage.cost_usd is None else usage.cost_usd
        self.unpriced += usage.cost_usd is None and attempts > 0

    def merge(self, other: Self) -> None:
        """Add the sums of another."""
        for part in fields(self):
            setattr(self, part.name, getattr(self, part.name) + getattr(other, part.name))

    def __str__(self) -> str:
        cost = f"${self.cost_usd:.4f}"
        if self.unpriced:
            cost = f"at least {cost} (the price of {self.unpriced:,} answers is not known)"
        if self.booked_usd > self.cost_usd + 1e-6:
            cost += (
                f" (${self.booked_usd:.4f} booked in all: some answers were lost or asked again)"
            )
        calls = f"{self.calls:,} calls"
        if self.earlier:
            calls += f" ({self.calls - self.earlier:,} now, {self.earlier:,} earlier)"
        return (
            f"{calls}, {self.cached:,} answers from the cache,"
            f" {self.input_tokens:,} tokens in, {self.output_tokens:,} out, {cost}"
        )
