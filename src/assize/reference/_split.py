"""Continuations on two or three sides."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import numpy as np

from assize.base.conversation import Item
from assize.base.errors import ConfigError
from assize.base.signature import json_hash, sign
from assize.formats import ItemsLike, read, write
from assize.formats.arguments import source_of
from assize.formats.files import make_folder
from assize.reference._continuations.context import conversation_names
from assize.reference._continuations.split import (
    SIDES,
    UNSAID,
    groups,
    leave_out,
    shares_of,
    stratum,
)
from assize.results import Hidden, Result, Table
from assize.results.numbers import counted
from assize.stats._studies.splits import dealt_in_classes

LARGE = 0.2  # share of the items from which a group hinders the shares


@dataclass(frozen=True, slots=True)
class SplitSide:
    """Counts of one side of a split, and the file that holds it."""

    side: str
    items: int
    conversations: int
    file: Hidden[str | None] = None


@dataclass(frozen=True, slots=True)
class Stratum:
    """Items of one stratum, by side."""

    stratum: str
    items: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class DataSplit(Result):
    """How the items were split, and how alike the sides are.

    Args:
        items: of each side: `split["train"]`.
        strata: how the sides are alike in what `by` names; empty where it has one value.
        groups: how many groups were dealt; the largest holds the share `largest_group` of the
            items.
    """

    items: Mapping[str, Sequence[Item]] = field(repr=False)
    sides: Annotated[Sequence[SplitSide], Table("Sides")]
    strata: Annotated[Sequence[Stratum], Table("Items by stratum")]
    by: str
    groups: Hidden[int]
    largest_group: float
    notes: Sequence[str] = ()
    signature: str = ""

    def __getitem__(self, side: str) -> Sequence[Item]:
        return self.items[side]


def split(
    items: ItemsLike,
    *,
    shares: str = "80,10,10",
    by: str = "source",
    tuned_on: ItemsLike | None = None,
    out: str | Path | None = None,
    seed: int = 0,
) -> DataSplit:
    """Split continuations, conversations or pairs into train, validation and test.

    No conversation and no context is in two parts: items that share either stay together. The parts
    are alike in what `by` names.

    Args:
        items: continuations: paths, URLs, or - for standard input. In Python also records.
        shares: shares of train, validation and test, for example 80,10,10; two numbers leave
            validation out.
        by: what should be spread alike over the parts: source, or a field of the records or of
            their metadata.
        tuned_on: items that a model was tuned on: leave out what shares a conversation or a context
            with them (repeatable).
        out: folder to write one file per part to.
        seed: random seed.

    Raises:
        ConfigError: the shares are none, or nothing has a field `by`.
        DataError: too few conversations that share nothing, or all was tuned on.
    """
    wanted = shares_of(shares)
    names = SIDES if len(wanted) == 3 else (SIDES[0], SIDES[2])
    records, judged = read(items).items_and_judgments()
    total = len(records)
    if tuned_on is not None:
        records = leave_out(records, list(source_of(tuned_on, "tuned_on")))
    conversations = conversation_names(records)
    group = groups(records, conversations)
    strata = [stratum(record, by) for record in records]
    if by != "source" and set(strata) == {UNSAID}:
        raise ConfigError(f"by {by!r}: no item has such a field, nor its metadata")
    rng = np.random.default_rng(seed)
    side = dealt_in_classes(strata, group, len(names), rng, wanted)
    if out is not None:
        make_folder(Path(out))
    by_side: dict[str, list[Item]] = {}
    sides: list[SplitSide] = []
    for number, name in enumerate(names):
        rows = np.flatnonzero(side == number).tolist()
        by_side[name] = [records[row] for row in rows]
        file = None if out is None else str(Path(out) / f"{name}.jsonl")
        if file is not None:
            write(file, by_side[name])
        sides.append(SplitSide(name, len(rows), len({conversations[row] for row in rows}), file))
    counts = Counter(zip(strata, (names[number] for number in side.tolist()), strict=True))
    table = [
        Stratum(word, {name: counts[word, name] for name in names})
        for word in dict.fromkeys(strata)
    ]
    largest = float(np.bincount(group).max() / len(group))
    lost, rows_left = total - len(records), counted(len(judged), "judgment")
    notes = {
        **{f"{row.file}: {counted(row.items, 'item')}": row.file for row in sides},
        f"{rows_left} among them: not split, for ids find them wherever they stand": judged,
        f"{largest:.0%} of the items hang together by conversation or context and stay on one side;"
        " the shares cannot come out as asked": largest > LARGE,
        f"{counted(lost, 'item')} of what was tuned on left out": tuned_on is not None,
    }
    ids = json_hash([[item.id for item in by_side[name]] for name in names])
    return DataSplit(
        by_side,
        sides,
        table if len(table) > 1 else [],
        by,
        int(group.max()) + 1,
        largest,
        [note for note, holds in notes.items() if holds],
        sign("split", 1, list(wanted), by, seed, ids),
    )
