"""Stored judgments and the items they are about, as commands read them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from assize.cli.terminal import note

RAW = 10_000  # characters of a bad record that are kept

if TYPE_CHECKING:
    from assize.conversation import Item
    from assize.formats.reading import OnReject
    from assize.judgments import JudgmentTable


def judgments_of(
    files: Sequence[str], *, format: str | None, on_error: str, quiet: bool, what: str = ""
) -> JudgmentTable:
    """All judgments of the files; stderr says what was left out, guessed, or repeated.

    Left out with `skip` are records that are none, and judgments whose answer is not the
    question's; `what` goes into the name of their file, so that two readings by one command
    keep theirs.

    Raises:
        DataError: a row is bad and `on_error` is `fail`, or there is no judgment.
    """
    from assize.errors import DataError
    from assize.formats import read_judgments
    from assize.formats.rejects import Rejects, rejects_beside
    from assize.formats.rejects import on_error as chosen

    with Rejects(rejects_beside(f"{what}.jsonl" if what else "-")) as rejects:
        keep = chosen(on_error, rejects)
        table = read_judgments(files, format=format, on_reject=keep)
        if keep is not None:
            table = _sound(table, files, keep)
    if rejects.count and not quiet:
        were = "record was" if rejects.count == 1 else "records were"
        note(f"{rejects.count} bad {were} left out; they stand in {rejects.location}")
    if not len(table):
        raise DataError("there is no judgment in these files", source=", ".join(files))
    if table.inferred and not quiet:
        note(f"scales guessed from the answers seen: {', '.join(sorted(table.inferred))}")
    if table.duplicates and not quiet:
        note(f"{table.duplicates} rows repeat an earlier one; they count like any other")
    return table


def _sound(table: JudgmentTable, files: Sequence[str], keep: OnReject) -> JudgmentTable:
    """The judgments that fit their questions; the others are kept as rejects."""
    import numpy as np

    from assize.formats.checks import on_scale
    from assize.formats.reading import Reject
    from assize.formats.records import to_json
    from assize.formats.writing import json_line

    sound = [on_scale(row, table.questions[row.question]) for row in table]
    for number, row in enumerate(table, start=1):
        if not sound[number - 1]:
            problem = f"item {row.item!r}: not an answer of {row.question!r}"
            raw = json_line(to_json(row)).decode(errors="replace").rstrip()[:RAW]
            keep(Reject(", ".join(files), number, row.question, problem, raw))
    return table.filter(np.array(sound, dtype=bool))


def items_of(files: Iterable[str] | None, *, format: str | None = None) -> Iterator[Item]:
    """The conversations, pairs and continuations of the files, without their judgments."""
    from assize.formats import read
    from assize.judgment import Judgment

    for file in files or ():
        for record in read(file, format=format):
            if not isinstance(record, Judgment):
                yield record
