"""Balancing pairs by label: which to leave out, and which to turn round, for 40 A, 40 B, 20 ties.

Turning a pair round exchanges its sides and all that was said of them, so nothing is lost.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import floor
from typing import Any

import numpy as np

from assize.conversation import PREFERENCES, Pair, Preference
from assize.errors import ConfigError, DataError
from assize.judgment import Judgment, Question

MIRRORED = "/exchanged"
"""What an id ends with whose sides were exchanged."""

_OTHER = {"A": "B", "B": "A", "a": "b", "b": "a", "AB": "BA", "BA": "AB"}


@dataclass(frozen=True, slots=True)
class Balanced:
    """Which pairs stay.

    Args:
        kept: ids, in the order of the labels that were given.
        exchanged: those of them whose sides must be exchanged.
        left_out: pairs that go, by label.
    """

    kept: tuple[str, ...]
    exchanged: frozenset[str]
    left_out: Mapping[str, int]


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
    *,
    exchange: bool = False,
) -> Balanced:
    """As many pairs as there can be with these shares, the others drawn at random.

    Args:
        labels: by pair, A, B or tie.
        shares: of A, B and ties; they sum to 1.
        rng: draws who goes.
        exchange: turn pairs of the more frequent side round, so that A and B lose none to one
            another; only the sides' sum and the ties then bind.

    Raises:
        DataError: a label that should have a share has no pair, so nothing can be kept.

    Source: MTDEval, appendix A.2: 40% A, 40% B, 20% Fair; how pairs were chosen is not said.
    Differs: `exchange` is ours.
    """
    by = {label: [one for one, found in labels.items() if found == label] for label in PREFERENCES}
    want = dict(zip(("A", "B", "tie"), shares, strict=True))
    sizes = _sizes({label: len(ids) for label, ids in by.items()}, want, exchange=exchange)
    if not sum(sizes.values()):
        had = ", ".join(f"{len(ids)} {label}" for label, ids in by.items())
        raise DataError(f"no pairs can have these shares: there are {had}", source="labels")
    drawn = {label: [ids[at] for at in rng.permutation(len(ids))] for label, ids in by.items()}
    kept = {label: drawn[label][: sizes[label]] for label in by}
    exchanged: list[str] = []
    crossed: tuple[tuple[Preference, Preference], ...] = (("A", "B"), ("B", "A"))
    for label, other in crossed:
        spare = drawn[other][sizes[other] :]
        exchanged += spare[: sizes[label] - len(kept[label])]
    chosen = {one for ids in kept.values() for one in ids} | set(exchanged)
    gone = Counter(label for one, label in labels.items() if one not in chosen)
    return Balanced(
        tuple(one for one in labels if one in chosen),
        frozenset(exchanged),
        {label: gone[label] for label in PREFERENCES},
    )


def _sizes(
    there: Mapping[str, int], want: Mapping[str, float], *, exchange: bool
) -> dict[str, int]:
    """How many of each label: the most in all that keep the shares, rounded down each."""
    sided = there["A"] + there["B"]
    pools = [(there["tie"], want["tie"])]
    if exchange:
        pools.append((sided, want["A"] + want["B"]))
    else:
        pools += [(there[label], want[label]) for label in ("A", "B")]
    total = min((count / share for count, share in pools if share > 0), default=0.0)
    return {label: floor(total * share + 1e-9) for label, share in want.items()}


def mirrored(pair: Pair) -> Pair:
    """The pair with its sides exchanged; gold and the systems' names go with them."""
    gold: Any = pair.gold
    if isinstance(gold, Mapping):
        gold = {name: _other(one) for name, one in gold.items()}
    elif gold is not None:
        gold = _other(gold)
    return replace(
        pair, id=pair.id + MIRRORED, a=pair.b, b=pair.a, gold=gold,
        metadata=_metadata(pair.metadata) | {"exchanged": True},
    )  # fmt: skip


_SIDED = (("system_a", "system_b"), ("model_a", "model_b"), ("model_name1", "model_name2"))


def _metadata(fields: Mapping[str, Any]) -> dict[str, Any]:
    """Metadata of a pair whose sides are exchanged: names of the sides are, nothing else is."""
    found = dict(fields)
    for first, second in (*_SIDED, ("a", "b")):
        if first in fields or second in fields:
            found[first], found[second] = fields.get(second), fields.get(first)
    systems = fields.get("systems")
    if isinstance(systems, Mapping):
        found["systems"] = {_other(name): one for name, one in systems.items()}
    elif isinstance(systems, Sequence) and not isinstance(systems, str):
        found["systems"] = list(systems)[::-1]
    if isinstance(fields.get("difference"), int | float):
        found["difference"] = -fields["difference"]
    return found


def mirrored_rows(rows: Iterable[Judgment], questions: Mapping[str, Question]) -> list[Judgment]:
    """A pair's judgments for the pair with its sides exchanged: votes, scores, orders, details.

    Only rows of preferences; a number about a pair that is no preference stays as it is. What an
    explanation says of first and second still holds, for it names them as they were shown.
    """
    return [_mirrored(row, questions[row.question].kind == "preference") for row in rows]


def _mirrored(row: Judgment, preference: bool) -> Judgment:
    order: Any = None if row.order is None else _OTHER[row.order]
    moved = replace(row, item=row.item + MIRRORED, order=order, call=_call(row))
    if not preference:
        return moved
    distribution = row.distribution
    if distribution is not None:
        distribution = {_other(name): mass for name, mass in distribution.items()}
    return replace(
        moved,
        answer=None if row.answer is None else _other(row.answer),
        score=None if row.score is None else -row.score,
        distribution=distribution,
        details=None if row.details is None else _exchanged(row.details),
    )


def _call(row: Judgment) -> str | None:
    return None if row.call is None else row.call + MIRRORED


def _other(label: str) -> Any:
    return {"A": "B", "B": "A"}.get(label, label)


def _exchanged(value: Any) -> Any:
    """Details with the sides exchanged, as names and as values."""
    if isinstance(value, Mapping):
        return {_OTHER.get(name, name): _exchanged(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_exchanged(one) for one in value]
    return _OTHER.get(value, value) if isinstance(value, str) else value
