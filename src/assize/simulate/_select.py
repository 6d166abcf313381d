"""Keeping those pairs and votes of which preference data are made; no model is asked."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from assize.base.arguments import check_range
from assize.base.conversation import Pair
from assize.base.errors import ConfigError, DataError
from assize.base.signature import json_hash, sign
from assize.formats import ItemsLike, JudgmentsLike, read
from assize.simulate._funnel import Funnel
from assize.simulate._preference_data import PreferenceData
from assize.simulate._select_pairs import (
    PAIRS,
    VOTES,
    filter_texts,
    judgments_beside,
    select_pairs,
    write_pairs,
)
from assize.simulate._settings import ALL, PairChoice, turns_of


def select(
    items: ItemsLike,
    *,
    votes: JudgmentsLike | None = None,
    turns: str | None = None,
    drop_trivial: bool = False,
    words: float | None = None,
    apart: bool = False,
    choice: PairChoice = ALL,
    out: str | Path | None = None,
    seed: int = 0,
) -> PreferenceData:
    """Select the pairs and votes that preference data are made of.

    Each option is a step, and the page counts what each step left. Steps are taken in the order of
    the options. The votes on a pair go with it. No model is asked.

    Args:
        items: pairs, with their votes or without. In Python also records.
        votes: votes on the pairs (repeatable). Default: those among the pairs.
        turns: fewest and most turns (a user turn with its answer), for example 2-10.
        drop_trivial: leave out pairs in which the user only greets, thanks, or the like.
        words: maximum difference between the two responses in words.
        apart: leave out the votes of judges on their own answers.
        choice: which pairs are kept by their votes; every pair if unset.
        out: folder to write pairs.jsonl and judgments.jsonl to.
        seed: random seed.

    Raises:
        DataError: there is no pair, a step needs votes that are not there, or nothing is left.
        ConfigError: an argument is not allowed, or no step was asked for.

    Source: MTDEval, section 3.1 and appendix A; see the functions of `assize.simulate`.
    """
    check_range("words", words, 0)
    by_text = turns is not None or words is not None or drop_trivial
    if not (by_text or apart or choice.needs_votes):
        raise ConfigError(
            "no step is asked for; name one, such as --turns 2-10, --consistent or"
            " --balance 40/40/20"
        )
    bounds = None if turns is None else turns_of(turns)
    records, judged = read(items).items_and_judgments()
    pairs = [record for record in records if isinstance(record, Pair)]
    if not pairs:
        raise DataError("there is no pair to select; give pairs", source="items")
    funnel = Funnel()
    funnel.add("given", "pairs", len(pairs))
    notes = (
        [] if len(pairs) == len(records) else [f"{len(records) - len(pairs):,} items are no pairs"]
    )
    pairs = filter_texts(pairs, funnel, turns=bounds, drop_trivial=drop_trivial, words=words)
    data = PreferenceData(
        records=pairs, judgments=judgments_beside(votes, judged, "votes"), notes=notes
    )
    data = select_pairs(data, choice, np.random.default_rng(seed), funnel, apart=apart)
    ids = json_hash([(pair.id, pair.gold) for pair in data.records])
    data = replace(
        data,
        signature=sign(
            "select-preferences",
            1,
            [repr(choice), turns, drop_trivial, words, apart, seed],
            ids,
        ),
    )
    if out is None:
        return data
    return replace(data, outputs=write_pairs(Path(out), (PAIRS, VOTES), data), out=Path(out))
