"""What making continuations comes to: the records, where they went, and what was left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from assize.conversation import Continuation, Item
from assize.reference.data.split import UNSAID
from assize.results import Column, Result, ResultTable, columns
from assize.results.numbers import counted


@dataclass(frozen=True, slots=True, eq=False)
class Continuations(Result):
    """Continuations that were cut or chosen, with what became none.

    Args:
        items: the continuations; iterating gives them too.
        title: what was done.
        passed: what gave no continuation: how many, by reason.
        told: what a reader should know.
        out: the file that holds them; None where none was asked for.
    """

    items: Sequence[Continuation]
    title: str
    passed: Mapping[str, int]
    told: Sequence[str]
    out: str | None
    signature: str

    def __iter__(self) -> Iterator[Continuation]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)

    @property
    def tables(self) -> Mapping[str, ResultTable]:
        """`continuations` by source, and `left out` where anything was."""
        named = [Column("candidates by"), *columns("count", "continuations", "conversations")]
        rows = []
        for source in dict.fromkeys(map(_source, self.items)):
            of = [one for one in self.items if _source(one) == source]
            rows.append((source, len(of), len({one.conversation for one in of})))
        found = {"continuations": ResultTable(self.title, named, rows)}
        return found | left_out(self.passed)

    @property
    def lines(self) -> Sequence[str]:
        """What makes the set reproducible."""
        return [self.signature]

    @property
    def notes(self) -> Sequence[str]:
        """Where they stand, and what a reader should know."""
        written = f"{self.out}: {counted(len(self.items), 'continuation')}"
        return [*self.told, *([] if self.out is None else [written])]

    def to_json(self) -> dict[str, Any]:
        """How many, by source, and what was left out."""
        return {
            "continuations": len(self.items),
            "conversations": len({one.conversation for one in self.items}),
            "sources": dict(Counter(map(_source, self.items))),
            "left_out": dict(self.passed),
            "out": self.out,
            "notes": list(self.notes),
            "signature": self.signature,
        }


def _source(one: Continuation) -> str:
    if not one.candidate.strip():
        return "(nobody yet)"
    return UNSAID if one.source is None else one.source


def left_out(passed: Mapping[str, int]) -> dict[str, ResultTable]:
    """The table of what gave nothing, by reason; none where nothing was left out."""
    named = [Column("reason"), *columns("count", "count")]
    return {"left out": ResultTable("Left out", named, list(passed.items()))} if passed else {}


@dataclass(frozen=True, slots=True, eq=False)
class DataSplit(Result):
    """Items on two or three sides.

    Args:
        sides: the items of each: `split["train"]`.
        conversations: how many conversations are on each.
        strata: how many items of each stratum, by side.
        by: what the sides are alike in.
        groups: how many groups were dealt; the largest holds the share `largest` of the items.
        judgments: that stood among the items; they are on no side.
        files: where each side was written, by its name.
    """

    sides: Mapping[str, Sequence[Item]]
    conversations: Mapping[str, int]
    strata: Mapping[str, Mapping[str, int]]
    by: str
    groups: int
    largest: float
    judgments: int = 0
    files: Mapping[str, str] = field(default_factory=dict)
    signature: str = ""

    def __getitem__(self, side: str) -> Sequence[Item]:
        return self.sides[side]

    @property
    def tables(self) -> Mapping[str, ResultTable]:
        """`sides`, and `strata` with the share that each has of a side."""
        named = [Column("side"), *columns("count", "items", "conversations")]
        rows = [(one, len(items), self.conversations[one]) for one, items in self.sides.items()]
        found = {"sides": ResultTable("Sides", named, rows)}
        names = dict.fromkeys(name for each in self.strata.values() for name in each)
        if len(names) > 1:
            named = [Column(self.by), *columns("count", *self.sides)]
            each = [
                (name, *(self.strata[one].get(name, 0) for one in self.sides)) for name in names
            ]
            found["strata"] = ResultTable(f"Items by {self.by}", named, each)
        return found

    @property
    def lines(self) -> Sequence[str]:
        """What makes the split reproducible."""
        return [self.signature]

    @property
    def notes(self) -> Sequence[str]:
        """What was written, and whether the groups let the shares come out."""
        said = [
            f"{path}: {counted(len(self.sides[one]), 'item')}" for one, path in self.files.items()
        ]
        if self.judgments:
            rows = counted(self.judgments, "judgment")
            said.append(f"{rows} among them: not split, for ids find them wherever they stand")
        if self.largest > 0.2:
            said.append(
                f"{self.largest:.0%} of the items hang together by conversation or context and"
                " stay on one side; the shares cannot come out as asked"
            )
        return said

    def to_json(self) -> dict[str, Any]:
        """Counts by side."""
        return {
            "sides": {
                name: {
                    "items": len(items),
                    "conversations": self.conversations[name],
                    "strata": dict(self.strata[name]),
                    "file": self.files.get(name),
                }
                for name, items in self.sides.items()
            },
            "by": self.by,
            "groups": self.groups,
            "largest_group": self.largest,
            "notes": list(self.notes),
            "signature": self.signature,
        }


@dataclass(frozen=True, slots=True, eq=False)
class ExportedCompletions(Result):
    """Prompt-completion rows, and the files that hold them.

    Args:
        rows: by input, or all under `items` where they came from memory.
        files: where each was written.
        passed: continuations that gave no row, by reason.
        odd: rows whose prompt does not end with a user's turn.
    """

    rows: Mapping[str, Sequence[Mapping[str, Any]]]
    files: Mapping[str, str]
    passed: Mapping[str, int]
    odd: int
    signature: str

    @property
    def tables(self) -> Mapping[str, ResultTable]:
        """`completions` by input, and `left out` where anything was."""
        named = [Column("input"), *columns("count", "rows", "conversations")]
        rows = [
            (name, len(rows), len({one["conversation"] for one in rows}))
            for name, rows in self.rows.items()
        ]
        found = {"completions": ResultTable("Prompts and completions", named, rows)}
        return found | left_out(self.passed)

    @property
    def lines(self) -> Sequence[str]:
        """What makes the rows reproducible."""
        return [self.signature]

    @property
    def notes(self) -> Sequence[str]:
        """What was written, and what a chat template may refuse."""
        said = [
            f"{path}: {counted(len(self.rows[one]), 'row')}" for one, path in self.files.items()
        ]
        if self.odd:
            end = "does not end" if self.odd == 1 else "do not end"
            said.append(
                f"{counted(self.odd, 'prompt')} {end} with a user's turn; some chat"
                " templates refuse such"
            )
        return said

    def to_json(self) -> dict[str, Any]:
        """Rows by input, and what was left out."""
        return {
            "inputs": {
                name: {"rows": len(rows), "file": self.files.get(name)}
                for name, rows in self.rows.items()
            },
            "left_out": dict(self.passed),
            "odd": self.odd,
            "notes": list(self.notes),
            "signature": self.signature,
        }
