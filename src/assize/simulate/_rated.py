"""Pairs out of rated conversations, for whatever learns from pairs or is measured on them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from assize.base.arguments import check_range
from assize.base.conversation import Conversation
from assize.base.errors import ConfigError, DataError
from assize.base.judgment import Judgment
from assize.base.signature import json_hash, sign
from assize.formats import ItemsLike, JudgmentsLike, read, read_judgments, write
from assize.formats.arguments import judgments_of
from assize.judgments import JudgmentTable
from assize.simulate._rated_pairs import Pairing, RatedPairs, rated_pairs


@dataclass(frozen=True)
class PairsFromRatings:
    """Pairs of rated conversations, who was rated higher being gold; see `simulate.pairs`.

    Args:
        pairs_from_ratings: the question whose ratings decide who is better.
        pairs_per_group: with it, pairs drawn from each group, 0 for all.
        group: with it, the field that says which conversations are compared, or `rater`.
        least_difference: with it, the difference of ratings up to which a pair is a tie.
        seed: with it, the seed of the draw.
    """

    pairs_from_ratings: str
    pairs_per_group: int = 1
    group: str = "group"
    least_difference: float = 0.0
    seed: int = 0


def pairs(
    items: ItemsLike,
    question: str,
    *,
    judgments: JudgmentsLike | None = None,
    group: str = "group",
    pairs_per_group: int = 1,
    least_difference: float = 0.0,
    out: str | Path | None = None,
    seed: int = 0,
) -> RatedPairs:
    """Makes pairs of conversations that people rated: who was rated higher is gold.

    Conversations of one group are compared: those of the same rater and scenario, or those
    that answer one user. Gold holds `preference` by the deciding question, and every other
    question that both were rated on.

    Args:
        items: conversations: paths, URLs, or - for standard input. In Python also records.
        question: whose ratings decide.
        judgments: the ratings, where they do not stand among the items.
        group: a field of the conversations or of their metadata; `rater` compares what one
            person rated.
        pairs_per_group: pairs drawn at random from each group, 0 for all.
        least_difference: of the deciding ratings, up to which a pair is a tie.
        out: write the pairs here.
        seed: seed of the draw, and of which of the two is A.

    Raises:
        DataError: there is no conversation, no such rating, or no group of two.
        ConfigError: an argument is not allowed.

    Source: MTDEval, appendix D; see `rated_pairs` for what it leaves open.
    """
    check_range("pairs_per_group", pairs_per_group, 0)
    check_range("least_difference", least_difference, 0)
    if out is not None and str(out) == "-":
        raise ConfigError("out is -, but pairs are written to a file; name one", "out")
    given, judged = read(items).items_and_judgments()
    chats = [one for one in given if isinstance(one, Conversation)]
    if not chats:
        raise DataError("there is no conversation to pair; give conversations", source="items")
    pairing = Pairing(question, group, pairs_per_group, least_difference)
    table = _ratings(judgments, judged)
    found = rated_pairs(chats, table, pairing, np.random.default_rng(seed))
    texts = json_hash([(one.id, one.gold) for one in found.pairs])
    settings = [question, group, pairs_per_group, least_difference, seed]
    if out is not None:
        write(out, found.pairs)
    return replace(
        found,
        signature=sign("pairs-from-ratings", 1, settings, texts),
        out=None if out is None else str(out),
    )


def _ratings(judgments: JudgmentsLike | None, judged: Sequence[Judgment]) -> JudgmentTable:
    """People's ratings: those given, else those that stood with the conversations.

    Raises:
        DataError: there is none.
    """
    if judgments is not None:
        table = judgments_of(judgments)
    elif judged:
        table = read_judgments(judged)
    else:
        raise DataError("no rating stands with the conversations; give them", source="judgments")
    people = table.where(kind=("person", None))
    if not len(people):
        raise DataError("no judgment here is by a person; give ratings", source="judgments")
    return people
