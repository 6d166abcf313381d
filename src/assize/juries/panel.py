"""Panels: every judge is heard, and the heavier side wins."""

from __future__ import annotations

from collections.abc import Mapping

from assize.base.errors import ConfigError
from assize.juries.ballots import Ballots
from assize.juries.verdict import Verdict


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
