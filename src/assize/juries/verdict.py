"""What a jury came to on one item, and by whom."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from assize.base.judgment import Judgment, Unscored
from assize.juries.ballots import Ballot, ballot_details

IDENTICAL = "identical"


@dataclass(frozen=True, slots=True)
class Verdict:
    """A jury's answer on one item.

    Args:
        item: its id.
        answer: `A`, `B` or `tie`; None where nobody could judge.
        by: who decided: a judge, `identical` where both responses are the same, or how a
            panel came to it; None where nobody decided.
        ballots: what was read or asked, in that order.
        reason: why there is no answer.
        weight: how strongly a panel is for its answer, in [0, 1]; None for a cascade.
    """

    item: str
    answer: str | None
    by: str | None
    ballots: tuple[Ballot, ...]
    reason: str | None = None
    weight: float | None = None

    @property
    def decided(self) -> bool:
        """Whether it is A or B."""
        return self.answer in ("A", "B")

    def path(self, gold: str | None = None) -> str:
        """What each ballot was, from the first: `tie-win` against gold, `tie-A` without it.

        >>> Verdict("p", "A", "maxim", (Ballot("da", (), "tie"), Ballot("maxim", (), "A"))).path()
        'tie-A'
        """
        if not self.ballots:
            return self.by or "unscored"
        return "-".join(result(one.answer, gold) for one in self.ballots)

    def result(self, gold: str | None) -> str:
        """`win`, `tie`, `loss` or `unscored` against gold; the answer itself without it."""
        return result(self.answer, gold)

    def to_judgment(self, judge: str, question: str, signature: str) -> Judgment:
        """The verdict as a judgment by the jury; every vote stands in `details`."""
        details: dict[str, Any] = {"by": self.by, "path": self.path()}
        if self.weight is not None:
            details["weight"] = self.weight
        details["ballots"] = [ballot_details(ballot) for ballot in self.ballots]
        missing = None if self.answer is not None else Unscored(self.reason or "missing")
        return Judgment(
            self.item,
            judge,
            question,
            answer=self.answer,
            kind="model",
            details=details,
            unscored=missing,
            signature=signature,
        )


def result(answer: str | None, gold: str | None) -> str:
    """An answer against gold: `win`, `tie`, `loss`, or `unscored`.

    >>> result("B", "A"), result("tie", "A"), result("B", None)
    ('loss', 'tie', 'B')
    """
    if answer is None:
        return "unscored"
    if answer == "tie" or gold is None or gold == "tie":
        return answer
    return "win" if answer == gold else "loss"


def identical_verdict(item: str) -> Verdict:
    """The tie of two identical responses, which nobody is asked about."""
    return Verdict(item, "tie", IDENTICAL, ())


Decide = Callable[[str], Verdict]
