"""People's votes on pairs, counted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from assize.base.conversation import Pair
from assize.base.errors import ConfigError
from assize.judgments import JudgmentTable
from assize.judgments.combine import combine

Tally = tuple[float, float]
"""How many voters prefer A, and B; ties are in neither."""

GOLD = "gold"


def tallies_of(
    pairs: Iterable[Pair], table: JudgmentTable | None, question: str
) -> dict[str, Tally]:
    """How many voters prefer A and B, by pair; a pair without a vote has that of its gold.

    A voter who was shown both orders has one vote (see `judgments.combine`); `gold` is no voter.

    Raises:
        ConfigError: votes are there, but none answers the question.
    """
    found: dict[str, Tally] = {}
    cast = _cast(table, question)
    for pair in pairs:
        a, b = cast.get(pair.id, (0.0, 0.0))
        if pair.id not in cast:
            gold = pair.gold.get(question) if isinstance(pair.gold, Mapping) else pair.gold
            a, b = float(gold == "A"), float(gold == "B")
        found[pair.id] = a, b
    return found


def _cast(table: JudgmentTable | None, question: str) -> dict[str, Tally]:
    if table is None or not len(table):
        return {}
    kept = table.where(question=question)
    voters = [one for one in kept.judges if one != GOLD]
    if not len(kept):
        known = ", ".join(table.questions)
        raise ConfigError(f"question {question!r}: no vote answers it; there are {known}")
    if not voters:
        return {}
    one_each = combine(kept.where(judge=voters), table.questions[question])
    found: dict[str, Tally] = {}
    for at, value in zip(one_each.unit.tolist(), one_each.values.tolist(), strict=True):
        item = one_each.units[at][0]
        a, b = found.get(item, (0.0, 0.0))
        found[item] = a + (value > 0), b + (value < 0)
    return found
