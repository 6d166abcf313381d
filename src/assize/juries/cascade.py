"""Cascades: the first judge whose votes agree decides; a tie passes on to the next.

da ──tie──► maxim ──tie──► explained ──tie──► reward
 └─ A or B     └─ A or B       └─ A or B        └─ A, B or tie
"""

from __future__ import annotations

from collections.abc import Sequence

from assize.juries.ballots import Ballot, Ballots
from assize.juries.verdict import Verdict


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
