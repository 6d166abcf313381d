"""Stored judgments and the items they are about, as commands read them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from assize.cli.terminal import note

RAW = 10_000  # characters of a bad record that are kept

if TYPE_CHECKING:
    from assize.calibration import Calibrator, Features
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


def answers_in(
    files: Sequence[str], *, on_error: str, quiet: bool, what: str = "answers"
) -> JudgmentTable:
    """The judgments that are not by people: one file may hold answers and ratings."""
    table = judgments_of(files, format=None, on_error=on_error, quiet=quiet, what=what)
    others = table.where(kind=("model", "metric", "evaluator", None))
    kept = _told(table, others, "ratings by people", quiet)
    return _some(kept, files, "all judgments here are ratings by people; give a model's answers")


def ratings_in(
    files: Sequence[str], *, on_error: str, quiet: bool, what: str = "ratings"
) -> JudgmentTable:
    """The judgments by people, or by who does not say what it is."""
    table = judgments_of(files, format=None, on_error=on_error, quiet=quiet, what=what)
    kept = _told(table, table.where(kind=("person", None)), "judgments by no person", quiet)
    problem = "no judgment here is by a person; give ratings, whose kind is person or not said"
    return _some(kept, files, problem)


def _some(table: JudgmentTable, files: Sequence[str], problem: str) -> JudgmentTable:
    from assize.errors import DataError

    if not len(table):
        raise DataError(problem, source=", ".join(files))
    return table


def _told(table: JudgmentTable, kept: JudgmentTable, others: str, quiet: bool) -> JudgmentTable:
    if len(kept) < len(table) and not quiet:
        note(f"{len(table) - len(kept):,} {others} in these files are not read here")
    return kept


def items_of(files: Iterable[str] | None, *, format: str | None = None) -> Iterator[Item]:
    """The conversations, pairs and continuations of the files, without their judgments."""
    from assize.formats import read
    from assize.judgment import Judgment

    for file in files or ():
        for record in read(file, format=format):
            if not isinstance(record, Judgment):
                yield record


def features_for(
    calibrators: Sequence[Calibrator],
    answers: Sequence[str],
    items: Sequence[str] | None,
    *,
    on_error: str,
    quiet: bool,
    what: str = "answers",
) -> Features:
    """The table that fitted calibrators read: answers, and what stands beside them.

    Embeddings that they were fitted with are made anew from the conversations in `items`;
    what else they read and is not there counts as average, which stderr says.

    Raises:
        ConfigError: one reads embeddings, and there are no conversations.
        DataError: the encoder is not the one it was fitted with.
    """
    from assize.calibration.data import embedding

    read = list(dict.fromkeys(block for one in calibrators for block in one.blocks))
    needed = list(items_of(items)) if embedding.embedding_blocks(read) else []
    table = answers_in(answers, on_error=on_error, quiet=quiet, what=what)
    features = embedding.features_for(read, table, needed)
    here = {block.key for block in features.blocks}
    missing = [block for block in read if block.key not in here]
    if 0 < len(missing) < len(read) and not quiet:
        names = ", ".join(f"{block.question} by {block.judge}" for block in missing[:3])
        note(f"{len(missing)} of what the calibrator reads is not there, as {names}: it counts"
             " as average")  # fmt: skip
    if not quiet:
        late = {block.key for block in read if block.late}
        tell_lacking(features, late)
    return features


def tell_lacking(features: Features, late: Collection[tuple[str, str, str]]) -> None:
    """A line for each of these blocks that some items with answers are without."""
    from assize.calibration.data.embedding import count_lacking

    known = (~features.empty).sum()
    for block, lacking in count_lacking(features, late).items():
        note(f"{lacking:,} of {known:,} items have no {block.question} by {block.judge}:"
             " it counts as average")  # fmt: skip
