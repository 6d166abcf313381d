"""A prepared view of judgments: arrays on disk that a page reads without reading the judgments.

    view.json        questions, raters, fields, counts: what is there
    ids.*            names of the conversations
    fields.npy       (F, U) codes of the conversations' fields
    at.npy           (U,) seconds since 1970, NaN for none
    prompts.npy      (U,) a number for each first prompt, 0 for none
    cells-N.npz ...  the answers to question N, as numbers; of a nominal one as places
    rows.arrow       every judgment, by conversation
    items.bin        every conversation's record

Arrays are mapped into memory, so that opening a view costs milliseconds, whatever its size.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from assize.base.errors import ConfigError
from assize.base.judgment import Question
from assize.formats.records import question as read_question

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

VERSION = 3  # of the folder
MANIFEST = "view.json"
CALIBRATED = "calibration:"  # begins the names of predicted raters
NONE = "(none)"
"""What a conversation without a value of a field is called."""

Group = Literal["trusted", "calibrated", "people", "models", "average", "gold"]


@dataclass(frozen=True, slots=True)
class Rater:
    """Whoever answered, or is predicted to.

    Args:
        group: `calibrated` for predictions (`calibration:ana`), `models` for whatever else is no
            person; gold stands apart.
    """

    name: str
    group: Group


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """The answers to one question as numbers: C cells, one a rater and conversation.

    Args:
        starts: (J + 1,) the cells of rater j are `starts[j]:starts[j + 1]`.
        unit: (C,) the place of each cell's conversation, rising within a rater.
        value: (C,) the number, of a nominal question the answer's place among its answers;
            repeats, orders and turns are put together (`combine`).
        levels: (K,) values (or places) of the question's answers, rising; () where none is
            drawn.
        cuts: (K - 1, C) of 65,536 equally likely numbers, from which one on the answer lies
            above `levels[k]`; None where no judge gave distributions.
        drawn: (J,) raters of whom all cells hold a distribution that is to be drawn from.
        scored, unscored, skipped: (J,) how many conversations have a number, could not be
            judged, and are not applicable.
    """

    starts: IntArray
    unit: NDArray[np.int32]
    value: FloatArray
    levels: FloatArray
    cuts: NDArray[np.uint16] | None
    drawn: NDArray[np.bool_]
    scored: IntArray
    unscored: IntArray
    skipped: IntArray

    def of(self, rater: int) -> slice:
        """Where a rater's cells are."""
        return slice(int(self.starts[rater]), int(self.starts[rater + 1]))


@dataclass(frozen=True, slots=True)
class Fields:
    """Fields of the conversations, such as `system`.

    Args:
        names: of the fields.
        words: by field its values; the last one is `NONE` where some conversation has none.
        codes: (F, U) the value of each conversation.
    """

    names: Sequence[str]
    words: Sequence[Sequence[str]]
    codes: NDArray[np.int32]

    def place(self, name: str) -> int:
        """The row of a field.

        Raises:
            ConfigError: there is none of that name.
        """
        if name not in self.names:
            known = ", ".join(self.names) or "none"
            raise ConfigError(f"no field {name!r} to split by; there are {known}")
        return list(self.names).index(name)

    def having(self, where: str) -> NDArray[np.bool_]:
        """(U,) the conversations with one value of a field, written `field:value`.

        Raises:
            ConfigError: there is no such field, or it never has that value.
        """
        named = [one for one in self.names if where.startswith(f"{one}:")]
        if not named:
            known = ", ".join(self.names) or "none"
            raise ConfigError(f"{where!r} is no field and value (field:value); fields are {known}")
        name = max(named, key=len)
        place, word = self.place(name), where[len(name) + 1 :]
        words = list(self.words[place])
        if word not in words:
            raise ConfigError(f"{name} is never {word!r}; it is {', '.join(words[:8])}")
        return np.asarray(self.codes[place] == words.index(word))


@dataclass(frozen=True, eq=False)
class View:
    """A view that is open.

    Args:
        questions: those whose answers can be counted; nominal ones among them.
        size: conversations, U.
        told: what a reader should know about how it was made.
        made_of: the hash of the sources.
    """

    folder: Path
    questions: tuple[Question, ...]
    raters: tuple[Rater, ...]
    size: int
    told: tuple[str, ...]
    made_of: str
    _facts: Mapping[str, Any] = field(repr=False)
    _cells: dict[str, Cells] = field(default_factory=dict, repr=False)

    def question(self, name: str) -> Question:
        """The question of that id.

        Raises:
            ConfigError: nobody answered it.
        """
        for one in self.questions:
            if one.id == name:
                return one
        known = ", ".join(one.id for one in self.questions)
        raise ConfigError(f"no question {name!r} here; there are {known}")

    @cached_property
    def numbered(self) -> tuple[Question, ...]:
        """The questions whose answers are numbers, or have an order."""
        return tuple(one for one in self.questions if one.kind != "nominal")

    def cells(self, question: str) -> Cells:
        """The answers to a question."""
        found = self._cells.get(question)
        if found is None:
            place = self.questions.index(self.question(question))
            found = self._cells[question] = read_cells(self.folder, place)
        return found

    @cached_property
    def asked(self) -> tuple[Question, ...]:
        """Every question that was answered, those without numbers among them."""
        return tuple(read_question(one) for one in self._facts["asked"])

    @cached_property
    def fields(self) -> Fields:
        """What conversations can be split by."""
        given = self._facts["fields"]
        return Fields(
            [one["name"] for one in given],
            [one["words"] for one in given],
            _mapped(self.folder / "fields.npy"),
        )

    @cached_property
    def at(self) -> FloatArray | None:
        """(U,) when each conversation was, seconds since 1970, NaN for none; None without times."""
        return _mapped(self.folder / "at.npy") if self._facts["timed"] else None

    @cached_property
    def prompts(self) -> NDArray[np.uint64]:
        """(U,) equal where conversations begin with the same prompt; 0 where none is known."""
        found: NDArray[np.uint64] = _mapped(self.folder / "prompts.npy")
        return found

    @cached_property
    def ids(self) -> Ids:
        """Names of the conversations."""
        return Ids(
            _mapped(self.folder / "ids.npy"), np.memmap(self.folder / "ids.bin", np.uint8, "r")
        )


@dataclass(frozen=True, eq=False)
class Ids:
    """Names of conversations, one behind the other.

    Args:
        ends: (U + 1,) where each begins, and the last one ends.
    """

    ends: IntArray
    letters: NDArray[np.uint8]

    def __len__(self) -> int:
        return len(self.ends) - 1

    def __getitem__(self, place: int) -> str:
        return bytes(self.letters[self.ends[place] : self.ends[place + 1]]).decode()

    def all(self) -> list[str]:
        """Every name, by place."""
        whole, ends = bytes(self.letters), self.ends.tolist()
        return [whole[a:b].decode() for a, b in pairwise(ends)]

    @cached_property
    def places(self) -> Mapping[str, int]:
        """The place of each name."""
        return {name: place for place, name in enumerate(self.all())}


def open_view(folder: str | Path) -> View:
    """Opens a folder that `prepare_view` has written.

    Raises:
        ConfigError: it is none, or of another version.
    """
    place = Path(folder)
    try:
        facts = json.loads((place / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ConfigError(f"{place} holds no prepared view; prepare it again") from error
    if facts.get("version") != VERSION:
        raise ConfigError(f"{place} was prepared by another version; prepare it again")
    return View(
        place,
        tuple(read_question(one) for one in facts["questions"]),
        tuple(Rater(one["name"], one["group"]) for one in facts["raters"]),
        facts["size"],
        tuple(facts["told"]),
        facts["made_of"],
        facts,
    )


CELL_ARRAYS = ("starts", "unit", "value", "levels", "drawn", "scored", "unscored", "skipped")


def cells_path(folder: Path, question: int, name: str) -> Path:
    """Where one array of a question's answers is."""
    return folder / f"cells-{question}-{name}.npy"


def read_cells(folder: Path, question: int) -> Cells:
    """The answers to a question, by its place; nothing is read before it is looked at."""
    arrays = {name: _mapped(cells_path(folder, question, name)) for name in CELL_ARRAYS}
    cuts = cells_path(folder, question, "cuts")
    return Cells(**arrays, cuts=_mapped(cuts) if cuts.exists() else None)


def _mapped(path: Path) -> Any:
    """An array, mapped into memory; an empty one cannot be mapped."""
    try:
        return np.load(path, mmap_mode="r", allow_pickle=False)
    except ValueError:
        return np.load(path, allow_pickle=False)
