"""Continuations on two or three sides, and exported for tuning."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from assize.base.conversation import Continuation, Conversation, Item
from assize.base.errors import ConfigError, DataError
from assize.base.signature import json_hash, sign
from assize.formats import Items, ItemsLike, read, write
from assize.formats.arguments import source_of
from assize.formats.files import make_folder, open_output
from assize.formats.writing import json_line
from assize.reference._continuations.completions import completions
from assize.reference._continuations.cut import Cutting, cut_turns
from assize.reference._continuations.result import (
    DataSplit,
    ExportedCompletions,
    SplitSide,
    Stratum,
    count_completions,
    note_split,
)
from assize.reference._continuations.split import SIDES, counts, deal, shares_of


def split(
    items: ItemsLike,
    *,
    shares: str = "80,10,10",
    by: str = "source",
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
        out: a folder, which gets a file a side.
        seed: seed of the deal.

    Raises:
        ConfigError: the shares are none, or nothing has a field `by`.
        DataError: too few conversations that share nothing.
    """
    wanted = shares_of(shares)
    names = SIDES if len(wanted) == 3 else (SIDES[0], SIDES[2])
    several, judged = read(items).items_and_judgments()
    dealt = deal(several, wanted, by, np.random.default_rng(seed))
    items_by_side = {
        name: tuple(several[at] for at in np.flatnonzero(dealt.side == place).tolist())
        for place, name in enumerate(names)
    }
    on = counts(dealt, names)
    files = {} if out is None else _written(items_by_side, Path(out))
    sides = [
        SplitSide(name, len(items_by_side[name]), len(on[name]["conversations"]), files.get(name))
        for name in names
    ]
    strata = dict.fromkeys(name for side in names for name in on[side]["strata"])
    rows = [
        Stratum(name, {side: on[side]["strata"].get(name, 0) for side in names}) for name in strata
    ]
    ids = json_hash([[item.id for item in side] for side in items_by_side.values()])
    return DataSplit(
        items_by_side,
        sides,
        rows if len(rows) > 1 else [],
        by,
        int(dealt.group.max()) + 1,
        dealt.largest,
        note_split(sides, dealt.largest, len(judged)),
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


def export(
    items: ItemsLike,
    *,
    out: str | Path | None = None,
) -> ExportedCompletions:
    """Exports what people said after each context as prompt-completion files for TRL.

    Each line has `prompt`, messages, and `completion`, the reference as the assistant's
    message. Candidates are left out, and each reference stands once. Conversations are cut
    at the assistant's turns first.

    Args:
        items: continuations or conversations: paths, or the folder of a split, whose sides
            become a file each. In Python also records.
        out: a file, or for several inputs a folder, which gets a file an input.

    Raises:
        DataError: nothing gives a prompt with a completion.
        ConfigError: several inputs, and `out` is a file.
    """
    inputs = _inputs(items)
    rows, passed, odd = {}, dict[str, int](), 0
    for name, given in inputs.items():
        read = list(source_of(given, name))
        slots = cut_turns((one for one in read if isinstance(one, Conversation)), Cutting())
        done = completions([one for one in read if isinstance(one, Continuation)] + slots.found)
        rows[name], odd = done.rows, odd + done.odd
        for reason, n in (*slots.passed.items(), *done.passed.items()):
            passed[reason] = passed.get(reason, 0) + n
    if not any(rows.values()):
        problem = "nothing gives a prompt with a completion; give continuations with references"
        raise DataError(problem, source=", ".join(inputs))
    files = {} if out is None else _exported(rows, Path(out))
    signature = sign("completions", 1, {name: json_hash(one) for name, one in rows.items()})
    return count_completions(rows, files, passed, odd, signature)


def _inputs(items: ItemsLike) -> dict[str, Items]:
    """What is exported into a file of its own, by its name without suffixes."""
    source = source_of(items)
    files = [Path(path) for path in source.paths]
    if not files:
        return {"items": source}
    found = [
        inner for one in files for inner in (sorted(one.glob("*.jsonl")) if one.is_dir() else [one])
    ]
    if not found:
        raise DataError("there is no .jsonl file in this folder", source=str(files[0]))
    named: dict[str, Items] = {}
    for one in found:
        name = one.name.partition(".")[0]
        if name in named:
            raise ConfigError(f"two inputs are called {name}; export them one by one")
        named[name] = source.part(str(one))
    order = {name: place for place, name in enumerate(SIDES)}
    return dict(sorted(named.items(), key=lambda one: order.get(one[0], len(order))))


def _exported(rows: Mapping[str, Sequence[Mapping[str, Any]]], out: Path) -> dict[str, str]:
    folder = out.suffix == ""
    if len(rows) > 1 and not folder:
        raise ConfigError(f"out {out} is a file; {len(rows)} inputs want a folder", "out")
    if folder:
        make_folder(out)
    files = {}
    for name, some in rows.items():
        path = out / f"{name}.jsonl" if folder else out
        with open_output(path) as stream:
            for row in some:
                stream.write(json_line(row))
        files[name] = str(path)
    return files
