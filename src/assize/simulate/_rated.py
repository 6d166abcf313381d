"""Pairs out of rated conversations, for whatever learns from pairs or is measured on them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from assize.base.arguments import check_range
from assize.base.conversation import Conversation
from assize.base.errors import ConfigError, DataError
from assize.base.signature import json_hash, sign
from assize.formats import ItemsLike, JudgmentsLike, read, write
from assize.formats.arguments import ratings_in
from assize.simulate._rated_pairs import RatedPairs, rated_pairs


def pairs(
    items: ItemsLike,
    question: str,
    *,
    judgments: JudgmentsLike | None = None,
    group: str = "group",
    pairs_per_group: int = 1,
    least_difference: float = 0.0,
    sample: int | None = None,
    out: str | Path | None = None,
    seed: int = 0,
) -> RatedPairs:
    """Make pairs of conversations that people rated: the one rated higher is gold.

    Conversations of one group are compared: those of the same rater and scenario, or those that
    answer one user. Gold has `preference` by the deciding question, and every other question that
    both were rated on.

    Args:
        items: conversations: paths, URLs, or - for standard input. In Python also records.
        question: question whose ratings decide.
        judgments: files of the ratings. Default: those among the items.
        group: field of the conversations, or of their metadata: conversations with one value are
            compared; `rater` compares what one person rated.
        pairs_per_group: number of pairs to draw at random from each group, 0 for all.
        least_difference: difference of the deciding ratings up to which a pair is a tie.
        sample: number of pairs to draw at random from all of these.
        out: file to write the pairs to.
        seed: random seed, also of which side is A.

    Raises:
        DataError: there is no conversation, no such rating, or no group of two.
        ConfigError: an argument is not allowed.

    Source: MTDEval, appendix D; see `rated_pairs` for what it leaves open.
    """
    check_range("pairs_per_group", pairs_per_group, 0)
    check_range("least_difference", least_difference, 0)
    check_range("sample", sample, 1)
    if out is not None and str(out) == "-":
        raise ConfigError("out is -, but pairs are written to a file; name one", "out")
    given, judged = read(items).items_and_judgments()
    chats = [one for one in given if isinstance(one, Conversation)]
    if not chats:
        raise DataError("there is no conversation to pair; give conversations", source="items")
    if judgments is None and not judged:
        raise DataError("no rating stands with the conversations; give them", source="judgments")
    people = ratings_in(judged if judgments is None else judgments, what="judgments")
    made = rated_pairs(
        chats,
        people,
        question,
        np.random.default_rng(seed),
        group=group,
        per_group=pairs_per_group,
        least=least_difference,
    )
    if sample is not None and sample < made.count:
        rng = np.random.default_rng([seed, 1])
        drawn = sorted(rng.choice(made.count, sample, replace=False).tolist())
        made = replace(made, records=[made.records[index] for index in drawn])
    texts = json_hash([(pair.id, pair.gold) for pair in made.records])
    settings = [question, group, pairs_per_group, least_difference, sample, seed]
    made = replace(made, signature=sign("pairs-from-ratings", 1, settings, texts))
    if out is None:
        return made
    write(out, made.records)
    return replace(made, outputs={str(out): made.count}, out=Path(out))
