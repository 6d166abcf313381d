"""Balancing pairs by label: which to leave out, for 40 A, 40 B, 20 ties."""

from __future__ import annotations

from collections.abc import Mapping
from math import floor

import numpy as np

from assize.base.conversation import PREFERENCES, Preference
from assize.base.errors import ConfigError, DataError


def shares_of(text: str) -> tuple[float, float, float]:
    """Shares of A, B and ties that a text names, as parts of 1.

    >>> shares_of("40/40/20")
    (0.4, 0.4, 0.2)
    """
    try:
        found = [float(one) for one in text.replace(":", "/").split("/")]
    except ValueError:
        found = []
    if len(found) != 3 or min(found) < 0 or not 0 < sum(found) < float("inf"):
        raise ConfigError(
            f"balance {text!r}: give the shares of A, B and ties, as 40/40/20; they may not be"
            " negative, nor all zero"
        )
    total = sum(found)
    return found[0] / total, found[1] / total, found[2] / total


def balanced(
    labels: Mapping[str, Preference],
    shares: tuple[float, float, float],
    rng: np.random.Generator,
) -> tuple[str, ...]:
    """Ids of as many pairs as there can be with these shares, in order; who goes is drawn.

    Args:
        labels: by pair, A, B or tie.
        shares: of A, B and ties; they sum to 1.
        rng: draws who goes.

    Raises:
        DataError: a label that should have a share has no pair, so nothing can be kept.

    Source: MTDEval, appendix A.2: 40% A, 40% B, 20% Fair; how pairs were chosen is not said.
    """
    by = {label: [one for one, found in labels.items() if found == label] for label in PREFERENCES}
    want: dict[Preference, float] = {"A": shares[0], "B": shares[1], "tie": shares[2]}
    total = min((len(by[label]) / share for label, share in want.items() if share), default=0.0)
    sizes = {label: floor(total * want[label] + 1e-9) for label in PREFERENCES}
    if not any(sizes.values()):
        had = ", ".join(f"{len(ids)} {label}" for label, ids in by.items())
        raise DataError(f"no pairs can have these shares: there are {had}", source="labels")
    chosen: set[str] = set()
    for label, ids in by.items():
        drawn = [ids[at] for at in rng.permutation(len(ids))]
        chosen.update(drawn[: sizes[label]])
    return tuple(one for one in labels if one in chosen)
