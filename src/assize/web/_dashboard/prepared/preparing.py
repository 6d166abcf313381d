"""Making a prepared view: once at import or first use, then kept."""

from __future__ import annotations

import json
import os
import secrets
import shutil
import zlib
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from assize.base.conversation import Item
from assize.base.errors import DataError
from assize.base.fields import value_at, word_at
from assize.base.judgment import TRUTHS, Question
from assize.base.signature import content_hash
from assize.formats.records import to_json
from assize.formats.sampling import prompt_of
from assize.formats.times import read_time
from assize.judgments import JudgmentTable
from assize.web._dashboard.prepared.cells import cells_of
from assize.web._dashboard.prepared.rows import write_rows
from assize.web._dashboard.prepared.view import (
    CALIBRATED,
    CELL_ARRAYS,
    MANIFEST,
    NONE,
    VERSION,
    Cells,
    Group,
    IntArray,
    Rater,
    View,
    cells_path,
    open_view,
)

MOST_WORDS = 50  # values of a field that conversations are split by
MOST_ANSWERS = 30  # of a nominal question that has a chart


def prepare_view(
    table: JudgmentTable,
    items: Iterable[Item],
    folder: str | Path,
    *,
    fields: Sequence[str] | None = None,
    time: str | None = None,
    trusted: Sequence[str] = (),
    made_of: str = "",
) -> View:
    """Writes the view of judgments and the items that they judge, and opens it.

    The folder appears whole or not at all. Items that nobody judged are left out, and counted.

    Args:
        items: read once, one at a time.
        fields: what conversations can be split by; None takes `system` and all of the metadata
            with 2 to 50 values.
        time: field that says when a conversation was.
        trusted: raters who are a group of their own, as they or their predictions are called.
        made_of: a hash of the sources.

    Raises:
        DataError: no question has a chart, or a trusted rater is not there.
    """
    target = Path(folder)
    target.parent.mkdir(parents=True, exist_ok=True)
    draft = target.parent / f".{target.name}-{secrets.token_hex(4)}"
    draft.mkdir()
    try:
        facts = _written(table, items, draft, fields, time, trusted)
        facts |= {"version": VERSION, "made_of": made_of}
        (draft / MANIFEST).write_text(json.dumps(facts), encoding="utf-8")
        _put(draft, target)
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return open_view(target)


def _put(draft: Path, target: Path) -> None:
    """Renames; where another process was quicker, its folder, of the same sources, stays."""
    if target.exists() and not (target / MANIFEST).exists():
        shutil.rmtree(target)
    with suppress(FileExistsError, OSError):
        os.rename(draft, target)
    if not (target / MANIFEST).exists():
        raise DataError("the view could not be written", source=str(target))


def _written(
    table: JudgmentTable,
    items: Iterable[Item],
    folder: Path,
    fields: Sequence[str] | None,
    time: str | None,
    trusted: Sequence[str],
) -> dict[str, Any]:
    names = table.items
    places = {name: place for place, name in enumerate(names)}
    raters = raters_of(table, trusted)
    told = []
    asked = [one for one in table.asked if _has_chart(table.questions[one])]
    if len(asked) < len(table.asked):
        words = ", ".join(one for one in table.asked if one not in asked)
        told.append(f"no chart of free text, or of more than {MOST_ANSWERS} answers: {words}")
    kept: list[dict[str, Any]] = []
    for name in asked:
        question = table.questions[name]
        cells = cells_of(table.where(question=name), question, raters, places)
        if len(cells.value):
            _write_cells(folder, len(kept), cells)
            kept.append(to_json(question))
    if not kept:
        raise DataError("no judgment here is a number or an answer that a question names")
    write_rows(table, places, folder)
    read = _Items(places, fields, time)
    read.write(items, folder)
    _write_ids(names, folder)
    return {
        "questions": kept,
        "asked": [to_json(table.questions[one]) for one in table.asked],
        "raters": [{"name": one.name, "group": one.group} for one in raters],
        "size": len(names),
        "fields": read.save_fields(folder),
        "timed": bool(time) and bool(np.isfinite(read.at).any()),
        "told": [*told, *read.told(table)],
    }


def _has_chart(question: Question) -> bool:
    if question.kind == "nominal":
        return 0 < len(question.answers) <= MOST_ANSWERS
    return question.kind != "text"


def raters_of(table: JudgmentTable, trusted: Sequence[str] = ()) -> tuple[Rater, ...]:
    """Who judged, by rising name within trusted raters, calibrated ones, people, models and gold.

    Args:
        trusted: names, or those of predicted raters without `calibration:`.

    Raises:
        DataError: one of them is not there.
    """
    among = {one.removeprefix(CALIBRATED): one for one in sorted(table.judges, reverse=True)}
    for one in trusted:
        if one not in among and one not in table.judges:
            some = ", ".join(list(table.judges)[:8])
            raise DataError(f"no trusted rater {one!r} is here; there are {some}")
    codes, names = table.codes("judge")
    kinds, known = table.codes("kind")
    person = np.zeros(len(names), dtype=bool)
    model = np.zeros(len(names), dtype=bool)
    for place, kind in enumerate(known):
        (person if kind == "person" else model)[codes[kinds == place]] = True
    found = []
    for name in table.judges:
        at = names.index(name)
        group: Group = "models" if model[at] and not person[at] else "people"
        if name in TRUTHS:
            group = "gold"
        elif name in trusted or name.removeprefix(CALIBRATED) in trusted:
            group = "trusted"
        elif name == CALIBRATED + "unknown":
            group = "average"
        elif name.startswith(CALIBRATED):
            group = "calibrated"
        elif not person[at] and not model[at] and "@" in name:
            group = "models"
        found.append(Rater(name, group))
    order: tuple[Group, ...] = (
        "trusted",
        "calibrated",
        "people",
        "models",
        "average",
        "gold",
    )
    return tuple(sorted(found, key=lambda one: (order.index(one.group), one.name)))


def _write_cells(folder: Path, place: int, cells: Cells) -> None:
    for name in CELL_ARRAYS:
        np.save(cells_path(folder, place, name), getattr(cells, name))
    if cells.cuts is not None:
        np.save(cells_path(folder, place, "cuts"), cells.cuts)


def _write_ids(names: Sequence[str], folder: Path) -> None:
    letters = [name.encode() for name in names]
    np.save(folder / "ids.npy", np.cumsum([0, *map(len, letters)]))
    (folder / "ids.bin").write_bytes(b"".join(letters) or b"\0")


@dataclass
class _Items:
    """What is kept of the items while they are read, one at a time."""

    places: Mapping[str, int]
    fields: Sequence[str] | None
    time: str | None
    words: dict[str, dict[str, int]] = field(default_factory=dict)
    codes: dict[str, IntArray] = field(default_factory=dict)
    unjudged: int = 0
    untimed: int = 0

    def __post_init__(self) -> None:
        size = len(self.places)
        self.at = np.full(size, np.nan)
        self.prompts = np.zeros(size, dtype=np.uint64)
        self.span = np.zeros((size, 2), dtype=np.int64)  # where its record is, and how long

    def write(self, items: Iterable[Item], folder: Path) -> None:
        """Writes each record, and notes its fields, time and prompt."""
        end = 0
        with open(folder / "items.bin", "wb") as stream:
            for item in items:
                place = self.places.get(item.id)
                if place is None:
                    self.unjudged += 1
                    continue
                record = zlib.compress(json.dumps(to_json(item)).encode(), 1)
                stream.write(record)
                self.span[place] = end, len(record)
                end += len(record)
                self._note(item, place)
        np.save(folder / "items.npy", self.span)
        np.save(folder / "at.npy", self.at)
        np.save(folder / "prompts.npy", self.prompts)

    def _note(self, item: Item, place: int) -> None:
        prompt = prompt_of(item)
        if prompt:
            told = prompt.encode(errors="surrogatepass")
            self.prompts[place] = int(content_hash(told, digits=16), 16)
        if self.time is not None:
            read = read_time(value_at(item, self.time))
            if read is None:
                self.untimed += 1
            else:
                self.at[place] = read[0]
        for name in self._asked(item):
            word = word_at(item, name)
            if word is not None:
                self._code(name, word, place)

    def _asked(self, item: Item) -> Iterable[str]:
        if self.fields is not None:
            return self.fields
        return dict.fromkeys(["system", *(f"metadata.{one}" for one in item.metadata)])

    def _code(self, name: str, word: str, place: int) -> None:
        known = self.words.setdefault(name, {})
        if name not in self.codes:
            self.codes[name] = np.full(len(self.places), -1, dtype=np.int64)
        if len(known) <= MOST_WORDS or word in known:
            self.codes[name][place] = known.setdefault(word, len(known))

    def save_fields(self, folder: Path) -> list[dict[str, Any]]:
        """Writes the codes of the fields that can be split by, and returns what they mean."""
        found, columns = [], []
        for name, known in self.words.items():
            fits = len(known) <= MOST_WORDS and (len(known) > 1 or self.fields is not None)
            if name == self.time or not fits:
                continue
            order = sorted(known)
            rank = np.array([order.index(one) for one in known] + [len(order)])
            columns.append(rank[self.codes[name]].astype(np.int32))
            lacking = bool((self.codes[name] < 0).any())
            found.append({"name": name, "words": [*order, NONE] if lacking else order})
        size = len(self.places)
        whole = np.stack(columns) if columns else np.empty((0, size), dtype=np.int32)
        np.save(folder / "fields.npy", whole)
        return found

    def told(self, table: JudgmentTable) -> list[str]:
        """What a reader should know."""
        found = []
        unknown = int((self.span[:, 1] == 0).sum())
        if unknown:
            found.append(
                f"{unknown:,} of {len(self.places):,} items judged are not among those given"
            )
        if self.unjudged:
            found.append(f"{self.unjudged:,} items given were not judged, and are left out")
        if self.untimed:
            found.append(f"{self.untimed:,} conversations have no time under {self.time}")
        for name in self.fields or ():
            if len(self.words.get(name, ())) > MOST_WORDS:
                found.append(f"{name} has more than {MOST_WORDS} values and splits nothing")
            elif name not in self.words:
                found.append(f"no conversation has {name}")
        if table.inferred:
            found.append(
                f"scales guessed from the answers seen: {', '.join(sorted(table.inferred))}"
            )
        return found
