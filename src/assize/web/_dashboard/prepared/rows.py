"""Every judgment of a conversation, and its record, found without reading the others."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import cast

import numpy as np
import pyarrow as pa

from assize.base.conversation import Item
from assize.base.judgment import Judgment
from assize.formats.records import parse
from assize.judgments import JudgmentTable
from assize.judgments.schema import SCHEMA, absent, to_rows
from assize.web._dashboard.prepared.view import View

_BLOCK = 50_000  # rows that are compressed together


def write_rows(table: JudgmentTable, items: Mapping[str, int], folder: Path) -> None:
    """Writes the judgments by conversation, in their order; empty columns take no room."""
    codes, names = table.codes("item")
    place = np.array([items.get(one, -1) for one in names], dtype=np.int64)[codes]
    order = None if (np.diff(place) >= 0).all() else np.argsort(place, kind="stable")
    counts = np.bincount(place, minlength=len(items))
    np.save(folder / "rows.npy", np.r_[0, np.cumsum(counts)])
    held = [one for one in SCHEMA if table.arrow[one.name].null_count < max(1, len(table))]
    arrow = table.arrow.select([one.name for one in held]).combine_chunks()  # quicker to take
    schema = pa.schema(held)
    options = pa.ipc.IpcWriteOptions(compression="lz4")
    with pa.OSFile(str(folder / "rows.arrow"), "wb") as sink:  # noqa: SIM117
        with pa.ipc.new_file(sink, schema, options=options) as writer:
            for at in range(0, len(table), _BLOCK):
                part = arrow.slice(at, _BLOCK)
                if order is not None:
                    part = arrow.take(pa.array(order[at : at + _BLOCK]))
                for batch in part.combine_chunks().to_batches():
                    writer.write_batch(batch)


def judgments_of(view: View, place: int) -> list[Judgment]:
    """All judgments of a conversation, in the order in which they were read."""
    starts = np.load(view.folder / "rows.npy", mmap_mode="r")
    begin, end = int(starts[place]), int(starts[place + 1])
    if begin == end:
        return []
    with pa.memory_map(str(view.folder / "rows.arrow")) as source:
        reader = pa.ipc.open_file(source)
        first, last = begin // _BLOCK, (end - 1) // _BLOCK
        batches = [reader.get_batch(at) for at in range(first, last + 1)]
        part = pa.Table.from_batches(batches).slice(begin - first * _BLOCK, end - begin)
        columns = [
            part[one.name] if one.name in part.column_names else absent(one, end - begin)
            for one in SCHEMA
        ]
        return list(to_rows(pa.Table.from_arrays(columns, schema=SCHEMA)))


def item_of(view: View, place: int) -> Item | None:
    """The record of a conversation; None where it was not given."""
    at, length = np.load(view.folder / "items.npy", mmap_mode="r")[place].tolist()
    if not length:
        return None
    with open(view.folder / "items.bin", "rb") as stream:
        stream.seek(at)
        text = zlib.decompress(stream.read(length))
    return cast(Item, parse(json.loads(text)))
