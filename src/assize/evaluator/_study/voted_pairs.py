"""Pairs with features, votes and gold: what every learner of a study reads.

Letters: N pairs, F features, J judges.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assize.base.conversation import Pair
from assize.base.errors import ConfigError, DataError
from assize.encoders import Encoder
from assize.evaluator._examples import joined_by, read_views
from assize.evaluator._features.blocks import TurnFeatures
from assize.evaluator._features.featuriser import Featuriser, feature_rows
from assize.evaluator._measuring.tasks import GOLD, Task, find_tasks, majority_sides
from assize.judging.aspects import canonical, spelling
from assize.judgments import JudgmentTable
from assize.judgments.membership import group_units
from assize.judgments.values import votes as votes_of
from assize.stats._arrays import FloatArray, IntArray
from assize.stats._reliability import Votes
from assize.stats._studies.splits import drawn


@dataclass(frozen=True, slots=True, eq=False)
class VotedPairs:
    """Pairs, in one order, with everything that is known of them.

    Args:
        ids: (N) of the pairs.
        a, b: (N, F) features of both sides.
        judges: (J) names.
        votes: (N, J, 1) counts of the judges' votes on one question, one an order and repeat.
        truth: (N,) gold: 1 for A, 0 for a tie, -1 for B; NaN where there is none.
        groups: (N,) pairs of one number share a text, or what the user says; they are held out
            together.
        dimension: of the encoder.
        source: who gave the gold, see `Task`.
    """

    ids: tuple[str, ...]
    a: FloatArray
    b: FloatArray
    judges: tuple[str, ...]
    votes: Votes
    truth: FloatArray
    groups: IntArray
    dimension: int
    source: str = GOLD
    left_out: int = 0  # pairs without a vote, or without an assistant's turn to read on a side
    # of rows that were learnt from; learners one after the other share them
    designs: dict[bytes, Any] = field(default_factory=dict, repr=False)

    def __len__(self) -> int:
        return len(self.ids)

    def by(self, judges: Sequence[str]) -> VotedPairs:
        """The same pairs with the votes of some judges."""
        missing = [name for name in judges if name not in self.judges]
        if missing:
            raise ConfigError(f"no votes by {missing[0]!r}; there are {', '.join(self.judges)}")
        at = [self.judges.index(name) for name in judges]
        votes = Votes(
            *(part[:, at] for part in (self.votes.for_a, self.votes.for_b, self.votes.ties))
        )
        return replace(self, judges=tuple(judges), votes=votes)

    @property
    def counts(self) -> FloatArray:
        """(N, 3) votes for A, for a tie and for B, of all judges together."""
        parts = (self.votes.for_a, self.votes.ties, self.votes.for_b)
        return np.stack([part.sum(axis=(1, 2)) for part in parts], axis=1)

    @property
    def majority(self) -> FloatArray:
        """(N,) the answer with most votes, a tie where two share that; NaN without a vote."""
        return majority_sides(self.counts)


def voted_pairs(
    items: Sequence[Pair],
    table: JudgmentTable,
    encoder: Encoder,
    *,
    question: str = "preference",
    gold: str = GOLD,
    by: str | None = None,
    exchangeable: bool = False,
    judges: Sequence[str] | None = None,
    featuriser: Featuriser | None = None,
) -> VotedPairs:
    """Reads features, votes and gold of pairs.

    Args:
        items: the pairs; those without anything to read, or without a vote, are left out.
        table: votes of judges, and the gold where the pairs do not hold it.
        question: what is learnt: `preference` (Overall too), or a dimension.
        gold: judge whose answers count as true; people's where it gave none.
        by: what pairs that are held out together share, see `group_units`; by default pairs that
            share a side, a context, or the user's turns.
        exchangeable: which response is A is chance, or always the better one: the sides of half
            of the pairs, chosen by their ids, are exchanged with their votes and gold.
        judges: whose votes are learnt from; by default all that are neither gold nor people, for
            gold is often what people said.
        featuriser: of the sides; the shipped evaluator's by default.

    Raises:
        DataError: no pair, no vote, no gold, gold of one side only, or all votes are ties.
    """
    asked = spelling(question)
    pairs = [item for item in items if isinstance(item, Pair)]
    if not pairs:
        raise DataError("there is no pair among the items; a study learns from pairs with votes")
    task = _gold(pairs, table, asked, gold)
    names, votes, seen = _votes(pairs, _cast(canonical(table), asked, gold, task, judges))
    shown = TurnFeatures() if featuriser is None else featuriser
    sides = read_views(pairs, encoder, shown).sides
    read = np.array([item.id in sides for item in pairs])
    kept = np.flatnonzero(read & seen)
    if len(kept) == 0:
        raise DataError(
            "no pair with a vote has an assistant's turn on both sides that the encoder can read"
        )
    truth = dict(zip((item for item, _ in task.units), task.truth.tolist(), strict=True))
    chosen = [pairs[at] for at in kept.tolist()]
    rows = feature_rows([view for item in chosen for view in sides[item.id]], encoder, shown)
    found = VotedPairs(
        tuple(item.id for item in chosen),
        rows[0::2],
        rows[1::2],
        names,
        votes.take(kept),
        np.array([truth.get(item.id, np.nan) for item in chosen]),
        groups_of(chosen, by),
        encoder.dimension,
        task.source,
        len(pairs) - len(kept),
    )
    return _checked(_exchanged(found) if exchangeable else found)


def _gold(pairs: Sequence[Pair], table: JudgmentTable, asked: str, gold: str) -> Task:
    """The gold of the question."""
    for task in find_tasks({"pairs": pairs}, table, gold=gold):
        if task.paired and task.question == asked and task.source != "judges":
            return task
    raise _no_gold(asked, gold)


def _no_gold(asked: str, gold: str) -> DataError:
    return DataError(
        f"no pair has gold for {asked!r}: a study measures what is learnt from votes against gold"
        f" labels (in the pairs, or by the judge {gold!r}) or people's preferences; give them"
    )


def _cast(
    table: JudgmentTable, asked: str, gold: str, task: Task, judges: Sequence[str] | None
) -> JudgmentTable:
    """The rows that are votes of judges."""
    rows = table.where(question=asked)
    if judges is not None:
        for name in judges:
            if name not in rows.judges or name == gold:
                known = ", ".join(one for one in rows.judges if one != gold)
                raise ConfigError(f"no votes by {name!r}; there are {known}")
        return rows.where(judge=tuple(judges))
    unsaid = [] if task.source == "people" else [None]
    cast = rows.where(kind=("model", "metric", "evaluator", *unsaid))
    if not len(cast) and not len(rows.where(kind="person")) and len(rows.where(kind=None)):
        raise _no_gold(asked, gold)  # of votes that do not say whose they are all were taken for it
    return cast.where(judge=tuple(name for name in cast.judges if name != gold))


def _votes(
    pairs: Sequence[Pair], rows: JudgmentTable
) -> tuple[tuple[str, ...], Votes, NDArray[np.bool_]]:
    """Judges, their votes (N, J, 1), and which pairs have one (N,)."""
    judges = list(rows.judges)
    place = {item.id: at for at, item in enumerate(pairs)}
    item_codes, items = rows.codes("item")
    pair = np.array([place.get(one, -1) for one in items], dtype=np.int64)[item_codes]
    if not (pair >= 0).any():
        raise DataError(
            "no judge voted on any of these pairs on this question; check the ids of the pairs and"
            " the question, and name people among the judges where they are to be learnt from"
        )
    codes, names = rows.codes("judge")
    judge = np.array([judges.index(one) if one in judges else -1 for one in names])[codes]
    given = votes_of(rows)
    counts = np.zeros((3, len(pairs), len(judges)))
    for side, value in enumerate((1.0, -1.0, 0.0)):
        here = (given == value) & (pair >= 0)
        np.add.at(counts[side], (pair[here], judge[here]), 1.0)
    there = counts.sum(axis=0).any(axis=0)
    kept = tuple(name for name, voted in zip(judges, there.tolist(), strict=True) if voted)
    if not kept:
        raise DataError("no judge has a vote on any of these pairs; all are unscored")
    counts = counts[:, :, there]
    votes = Votes.of(*(part[:, :, None] for part in counts))
    return kept, votes, counts.sum(axis=(0, 2)) > 0


def _checked(found: VotedPairs) -> VotedPairs:
    known = found.truth[~np.isnan(found.truth)]
    if len(known) == 0:
        raise DataError("no pair that has a vote has gold too; check the ids")
    sides = set(known[known != 0].tolist())
    if not sides:
        raise DataError("gold is a tie for every pair; nothing can be right or wrong about sides")
    if len(sides) == 1 and len(known) > 1:
        side = "A" if sides == {1.0} else "B"
        raise DataError(
            f"gold is {side} for every decided pair, so that a judge who always says {side} is"
            " always right; where that is only how the file is written, ask for exchangeable"
        )
    if not (found.votes.for_a.any() or found.votes.for_b.any()):
        raise DataError("every vote on these pairs is a tie; there is nothing to learn")
    return found


def _exchanged(found: VotedPairs) -> VotedPairs:
    """Half of the pairs with their sides exchanged, the same half whatever else is there."""
    turned = np.array([drawn(name, 0.5, "exchanged") for name in found.ids])
    side, cell = turned[:, None], turned[:, None, None]
    votes = Votes(
        np.where(cell, found.votes.for_b, found.votes.for_a),
        np.where(cell, found.votes.for_a, found.votes.for_b),
        found.votes.ties,
    )
    return replace(
        found,
        a=np.where(side, found.b, found.a),
        b=np.where(side, found.a, found.b),
        votes=votes,
        truth=np.where(turned, -found.truth, found.truth),
    )


def groups_of(pairs: Sequence[Pair], by: str | None = None) -> IntArray:
    """(N,) a number a group: pairs that share a text are in one, also by way of others.

    A text is a context, a whole side where there is no context, or all that the user says.

    >>> from assize.base.conversation import Turn
    >>> said = lambda text: (Turn("assistant", text),)
    >>> asked = (Turn("user", "Why?"),)
    >>> pairs = [Pair(str(n), asked if n else (), said("x"), said(str(n))) for n in range(3)]
    >>> groups_of(pairs).tolist()
    [0, 1, 1]
    """
    if by is not None:
        named = group_units([(item.id, None) for item in pairs], by, pairs).names
        keys: list[list[object]] = [
            [("alone", item.id) if name is None else ("group", name)]
            for item, name in zip(pairs, named, strict=True)
        ]
    else:
        keys = [list(_texts(item)) for item in pairs]
    return joined_by(keys)


def _texts(item: Pair) -> Iterable[object]:
    if item.context:
        yield ("context", tuple((turn.role, turn.text) for turn in item.context))
        return
    for side in (item.a, item.b):
        yield ("side", tuple((turn.role, turn.text) for turn in side))
        if asked := tuple(turn.text for turn in side if turn.role == "user"):
            yield ("user", asked)
