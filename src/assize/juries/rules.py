"""What a jury comes to on one item, and by which rule: a cascade, or a panel.

A cascade is decided by the first judge whose votes agree; a tie passes on to the next:

da ──tie──► maxim ──tie──► explained ──tie──► reward
 └─ A or B     └─ A or B       └─ A or B        └─ A, B or tie

Of a panel every judge is heard, and the heavier side wins.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assize.base.errors import ConfigError
from assize.base.judgment import Judgment, Unscored
from assize.juries.ballots import Ballot, Ballots, ballot_details

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


def cascade(ballots: Ballots, order: Sequence[str], item: str) -> Verdict:
    """The cascade's verdict on one item.

    Args:
        order: the judges' full names, first asked first.

    A tie or an unscored judge passes on. Where nobody decides the item is a tie if any
    judge came to a tie, and unscored, with the last judge's reason, if none did.

    Source: AMULET, section 4.3.
    """
    read: list[Ballot] = []
    for judge in order:
        read.append(ballots.of(judge, item))
        if read[-1].decides:
            break
    return closed(item, read)


def closed(item: str, read: Sequence[Ballot]) -> Verdict:
    """The verdict when these ballots, in this order, are all there will be."""
    last = read[-1]
    if last.decides:
        return Verdict(item, last.answer, last.judge, tuple(read))
    if any(one.answer == "tie" for one in read):
        return Verdict(item, "tie", None, tuple(read))
    return Verdict(item, None, None, tuple(read), last.reason)


def panel(ballots: Ballots, weights: Mapping[str, float], item: str) -> Verdict:
    """The panel's verdict on one item.

    Args:
        weights: above 0, one a judge; all 1 is the majority.

    A judge's tie counts for neither side, an unscored judge is not counted at all. Sides of
    equal weight are a tie; an item that no judge could score is unscored. `weight` is the
    difference of the two sides over the weight of all who were scored. `by` is `unanimous`
    where all who were scored say the same, else `majority`.

    Raises:
        ConfigError: a weight is not above 0.
    """
    if any(not weight > 0 for weight in weights.values()):
        raise ConfigError(f"weights must be above 0; they are {dict(weights)}")
    read = tuple(ballots.of(judge, item) for judge in weights)
    scored = [one for one in read if one.answer is not None]
    if not scored:
        return Verdict(item, None, None, read, read[-1].reason if read else "missing")
    side = {"A": 1.0, "tie": 0.0, "B": -1.0}
    lead = sum(weights[one.judge] * side[one.answer] for one in scored if one.answer is not None)
    strength = abs(lead) / sum(weights[one.judge] for one in scored)
    if strength < _EQUAL:
        return Verdict(item, "tie", None, read, weight=0.0)
    answer = "A" if lead > 0 else "B"
    unanimous = all(one.answer == answer for one in scored)
    return Verdict(item, answer, "unanimous" if unanimous else "majority", read, weight=strength)


_EQUAL = 1e-9  # sums of equal weights may differ in their last bits
