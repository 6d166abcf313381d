"""Continuations on two or three sides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from assize.base.conversation import Item
from assize.base.signature import json_hash, sign
from assize.formats import ItemsLike, read, write
from assize.formats.arguments import source_of
from assize.formats.files import make_folder
from assize.reference._continuations.result import (
    DataSplit,
    SplitSide,
    Stratum,
    note_split,
)
from assize.reference._continuations.split import SIDES, deal, leave_out, shares_of
from assize.results.numbers import counted


def split(
    items: ItemsLike,
    *,
    shares: str = "80,10,10",
    by: str = "source",
    tuned_on: ItemsLike | None = None,
    out: str | Path | None = None,
    seed: int = 0,
) -> DataSplit:
    """Splits continuations, conversations or pairs into train, validation and test.

    No conversation and no context stands on two sides: what shares either stays together.
    The sides are alike in what `by` names.

    Args:
        items: continuations: paths, URLs, or - for standard input. In Python also records.
        shares: of train, validation and test, as 80,10,10; two numbers leave validation out.
        by: what the sides are alike in: source, or a field of the records or of their metadata.
        tuned_on: what a model was tuned on: what shares a conversation or a context with it is
            left out (repeatable).
        out: a folder, which gets a file a side.
        seed: seed of the deal.

    Raises:
        ConfigError: the shares are none, or nothing has a field `by`.
        DataError: too few conversations that share nothing, or all was tuned on.
    """
    wanted = shares_of(shares)
    names = SIDES if len(wanted) == 3 else (SIDES[0], SIDES[2])
    several, judged = read(items).items_and_judgments()
    total = len(several)
    if tuned_on is not None:
        several = leave_out(several, list(source_of(tuned_on, "tuned_on")))
    dealt = deal(several, wanted, by, np.random.default_rng(seed))
    items_by_side = {
        name: tuple(several[at] for at in np.flatnonzero(dealt.side == place).tolist())
        for place, name in enumerate(names)
    }
    files = {} if out is None else _written(items_by_side, Path(out))
    sides = []
    strata: dict[str, dict[str, int]] = {}
    for place, name in enumerate(names):
        conversations = set[str]()
        for row in np.flatnonzero(dealt.side == place).tolist():
            conversations.add(dealt.conversation[row])
            by_side = strata.setdefault(dealt.strata[row], dict.fromkeys(names, 0))
            by_side[name] += 1
        sides.append(SplitSide(name, len(items_by_side[name]), len(conversations), files.get(name)))
    rows = [Stratum(name, by_side) for name, by_side in strata.items()]
    ids = json_hash([[item.id for item in side] for side in items_by_side.values()])
    notes = note_split(sides, dealt.largest, len(judged))
    if tuned_on is not None:
        notes.append(f"{counted(total - len(several), 'item')} of what was tuned on left out")
    return DataSplit(
        items_by_side,
        sides,
        rows if len(rows) > 1 else [],
        by,
        int(dealt.group.max()) + 1,
        dealt.largest,
        notes,
        sign("split", 1, list(wanted), by, seed, ids),
    )


def _written(sides: Mapping[str, Sequence[Item]], folder: Path) -> dict[str, str]:
    make_folder(folder)
    files = {}
    for name, items in sides.items():
        path = folder / f"{name}.jsonl"
        write(path, items)
        files[name] = str(path)
    return files
