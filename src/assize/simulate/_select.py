"""Keeping those pairs and votes of which preference data are made; no model is asked."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from assize.base.arguments import check_range
from assize.base.conversation import Pair
from assize.base.errors import ConfigError, DataError
from assize.base.judgment import Judgment
from assize.base.signature import json_hash, sign
from assize.formats import ItemsLike, JudgmentsLike, read, read_judgments
from assize.formats.arguments import judgments_of, names_of
from assize.judgments import JudgmentTable
from assize.simulate._funnel import Funnel
from assize.simulate._preference_data import PreferenceData
from assize.simulate._select_pairs import PAIRS, VOTES, Selecting, select_pairs, write_pairs
from assize.simulate._settings import PairChoice, turns_of

ALL = PairChoice(consistent=False, balance="none")
"""Every pair, whatever was voted."""


def select(
    items: ItemsLike,
    *,
    votes: JudgmentsLike | None = None,
    turns: str | None = None,
    drop_trivial: bool = False,
    words: float | None = None,
    apart: bool = False,
    choice: PairChoice = ALL,
    sample: int | None = None,
    gold: bool = False,
    out: str | Path | None = None,
    seed: int = 0,
) -> PreferenceData:
    """Keeps those pairs, and those votes, of which preference data are made.

    Each option is a step; what each left is counted. Steps are taken in the order of the
    options. Votes on pairs that go, go with them. No model is asked.

    Args:
        items: pairs, with their votes or without. In Python also records.
        votes: judgments of the pairs, where they do not stand with them (repeatable).
        turns: fewest and most turns, as 2-10; a turn is the user's with its answer.
        drop_trivial: leave out pairs in which the user only greets, thanks, or the like.
        words: most words by which the two responses may differ.
        apart: leave out the votes of judges on what they wrote.
        choice: which pairs are kept by their votes; every pair if unset.
        sample: draw so many pairs in the end.
        gold: write each pair's label into it as gold.
        out: the folder to write pairs.jsonl and judgments.jsonl to.
        seed: seed of what is drawn.

    Raises:
        DataError: there is no pair, a step needs votes that are not there, or nothing is left.
        ConfigError: an argument is not allowed, or no step was asked for.

    Source: MTDEval, section 3.1 and appendix A; see the functions of `assize.simulate`.
    """
    check_range("words", words, 0)
    check_range("sample", sample, 1)
    selecting = selecting_of(
        choice,
        turns=None if turns is None else turns_of(turns),
        trivial=drop_trivial,
        words=words,
        apart=apart,
        sample=sample,
        gold=gold,
    )
    if selecting == Selecting(question=choice.question, label=choice.label):
        raise ConfigError(
            "no step is asked for; name one, such as --turns 2-10, --consistent or"
            " --balance 40/40/20"
        )
    given, judged = read(items).items_and_judgments()
    pairs = [one for one in given if isinstance(one, Pair)]
    if not pairs:
        raise DataError("there is no pair to select; give pairs", source="items")
    funnel, table = Funnel(), _votes(votes, judged)
    funnel.add("given", "pairs", len(pairs))
    found = select_pairs(pairs, table, selecting, np.random.default_rng(seed), funnel)
    files: dict[str, int] = {}
    if out is not None:
        rows = [] if found.table is None else found.table.rows()
        asked = [] if found.table is None else list(found.table.questions.values())
        files = write_pairs(Path(out), (PAIRS, VOTES), found.pairs, rows, asked)
    settings = [repr(selecting), seed]
    ids = json_hash([(one.id, one.gold) for one in found.pairs])
    told = [] if len(pairs) == len(given) else [f"{len(given) - len(pairs):,} items are no pairs"]
    return PreferenceData(
        found.pairs,
        found.table,
        funnel,
        found.question,
        found.labels,
        found.votes,
        found.consistency,
        told=told,
        outputs=files,
        out=None if out is None else Path(out),
        signature=sign("select-preferences", 1, settings, ids),
    )


def selecting_of(choice: PairChoice, **others: Any) -> Selecting:
    """Return the steps of a choice, with others that look at no vote."""
    on = names_of(choice.consistent_on)
    return Selecting(
        consistent=choice.consistent or on is not None,
        consistent_on=None if on is None else tuple(on),
        question=choice.question,
        label=choice.label,
        balance=choice.shares(),
        **others,
    )


def _votes(votes: JudgmentsLike | None, judged: Sequence[Judgment]) -> JudgmentTable | None:
    """The votes given, else those that stood with the pairs; None for none."""
    if votes is not None:
        return judgments_of(votes, argument="votes")
    return read_judgments(judged) if judged else None
