"""What functions are given, read: judgments, items, and what stands beside them."""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from assize.errors import ConfigError, DataError
from assize.formats import Items, Judgments, items_from, judgments_from, read
from assize.formats.files import is_read_once
from assize.formats.ratings import LOOK
from assize.formats.ratings.refused import is_no_table_of_ratings
from assize.formats.ratings.stated import as_stated
from assize.formats.rejects import Rejects
from assize.formats.rejects import on_error as chosen
from assize.judgment import Judgment, Question
from assize.judgments import JudgmentTable

if TYPE_CHECKING:
    from assize.conversation import Item
    from assize.formats.reading import OnReject

log = logging.getLogger("assize")
OnError = Literal["fail", "skip"]
_RAW = 10_000  # characters of a bad record that are kept


@contextmanager
def rejects(on_error: str, location: str) -> Iterator[tuple[Rejects, OnReject | None]]:
    """Where bad records are kept, and what a reader calls with one, which is None for `fail`.

    The log says how many were left out.
    """
    with Rejects(location) as kept:
        yield kept, chosen(on_error, kept)
    if kept.count:
        were = "record was" if kept.count == 1 else "records were"
        log.warning("%s bad %s left out; they stand in %s", f"{kept.count:,}", were, kept.location)


def judgments_of(
    given: Judgments,
    *,
    format: str | None = None,
    on_error: OnError = "fail",
    what: str = "",
    argument: str = "judgments",
    stated: Iterable[Question] = (),
    target: str | None = None,
) -> JudgmentTable:
    """All judgments that are given; the log says what was left out, guessed, or repeated.

    Questions whose scale would be guessed have that of `stated`, where it fits their answers;
    the one of a table with a column a rater, which does not say what is asked, is `target`.

    Left out with `skip` are records that are none, and judgments whose answer is not the
    question's; `what` goes into the name of their file, so that two readings by one call keep
    theirs.

    Raises:
        DataError: a row is bad and `on_error` is `fail`, or there is no judgment.
    """
    with rejects(on_error, f"{what}.rejects.jsonl" if what else "rejects.jsonl") as (_, keep):
        table = _read(given, argument, format, keep)
        if keep is not None:
            table = _sound(table, named(given), keep)
    if not len(table):
        raise DataError("there is no judgment in these files", source=named(given))
    known = tuple(stated)
    table = _divided(as_stated(table, known, target).stated(known))
    if table.inferred:
        log.warning("scales guessed from the answers seen: %s", ", ".join(sorted(table.inferred)))
    if table.duplicates:
        log.info("%s rows repeat an earlier one; they count like any other", table.duplicates)
    return table


def _read(
    given: Judgments, argument: str, format: str | None, keep: OnReject | None
) -> JudgmentTable:
    """The judgments; of a spreadsheet that holds none an error says what one of ratings is like."""
    try:
        return judgments_from(given, argument=argument, format=format, on_reject=keep)
    except DataError as error:
        for file in files_in(given):
            if LOOK not in str(error) and (format is None and is_no_table_of_ratings(file)):
                raise DataError(
                    f"{error.problem}; {LOOK}",
                    source=error.source,
                    line=error.line,
                    field=error.field,
                ) from error
        raise


def _divided(table: JudgmentTable) -> JudgmentTable:
    """The table with judges of one name and several signatures apart; the log names them."""
    from assize.judgments.judges import judges_apart

    table, divided = judges_apart(table)
    for name, parts in divided.items():
        log.warning(
            "%s answered with %s prompts, models or settings; these are judges of their own: %s",
            name,
            len(parts),
            ", ".join(parts),
        )
    return table


def _sound(table: JudgmentTable, source: str, keep: OnReject) -> JudgmentTable:
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
            raw = json_line(to_json(row)).decode(errors="replace").rstrip()[:_RAW]
            keep(Reject(source, number, row.question, problem, raw))
    return table.filter(np.array(sound, dtype=bool))


def select_items(table: JudgmentTable, ids: Collection[str], source: str = "") -> JudgmentTable:
    """Return the judgments of these items; the log counts those of others.

    Raises:
        DataError: no judgment is of one of them; `source` names the judgments.
    """
    import numpy as np

    codes, names = table.codes("item")
    wanted = np.array([name in ids for name in names], dtype=bool)[codes]
    if not wanted.any():
        problem = "no judgment is of these items; give the items that were judged"
        raise DataError(problem, source=source or None)
    if not wanted.all():
        prefix = f"{source}: " if source else ""
        log.warning("%s%s judgments of other items are left out", prefix, f"{(~wanted).sum():,}")
    return table.filter(wanted)


def answers_in(
    given: Judgments, *, on_error: OnError = "fail", what: str = "answers"
) -> JudgmentTable:
    """The judgments that are not by people: one file may hold answers and ratings."""
    table = judgments_of(given, on_error=on_error, what=what, argument=what)
    kept = _told(
        table, table.where(kind=("model", "metric", "evaluator", None)), "ratings by people"
    )
    problem = "all judgments here are ratings by people; give a model's answers"
    return _some(kept, given, problem)


def ratings_in(
    given: Judgments,
    *,
    on_error: OnError = "fail",
    what: str = "ratings",
    stated: Iterable[Question] = (),
    target: str | None = None,
) -> JudgmentTable:
    """The judgments by people, or by who does not say what it is.

    `stated` and `target` are those of `judgments_of`.
    """
    table = judgments_of(
        given, on_error=on_error, what=what, argument=what, stated=stated, target=target
    )
    kept = _told(table, table.where(kind=("person", None)), "judgments by no person")
    problem = "no judgment here is by a person; give ratings, whose kind is person or not said"
    return _some(kept, given, problem)


def _some(table: JudgmentTable, given: Judgments, problem: str) -> JudgmentTable:
    if not len(table):
        raise DataError(problem, source=named(given))
    return table


def _told(table: JudgmentTable, kept: JudgmentTable, others: str) -> JudgmentTable:
    if len(kept) < len(table):
        log.info("%s %s in these files are not read here", f"{len(table) - len(kept):,}", others)
    return kept


def items_in(
    given: Items | None, *, format: str | None = None, on_error: OnError = "fail"
) -> Iterator[Item]:
    """The conversations, pairs and continuations that are given, without any judgments.

    Bad records are left out with `skip`, and kept in `items.rejects.jsonl`.

    Raises:
        DataError: a record is bad and `on_error` is `fail`.
    """
    if given is not None:
        with rejects(on_error, "items.rejects.jsonl") as (_, keep):
            yield from items_from(given, format=format, on_reject=keep)


def items_beside(
    judgments: Judgments,
    items: Items | None,
    *,
    format: str | None = None,
    on_error: OnError = "fail",
) -> Iterator[Item]:
    """The items that are given, and those that stand in the files of judgments."""
    files = [one for one in files_in(judgments) if not (is_read_once(one) or Path(one).is_dir())]
    for file in dict.fromkeys(files):
        # Bad records have been refused, or kept aside, when the judgments were read.
        for record in read(file, format=format, on_reject=lambda _: None):
            if not isinstance(record, Judgment):
                yield record
    yield from items_in(items, on_error=on_error)


def files_in(given: Any) -> list[str]:
    """The files among what is given; in-memory records have none."""
    several = given if isinstance(given, list | tuple) else [given]
    return [str(one) for one in several if isinstance(one, str | Path)]


def is_judgment(one: Any) -> bool:
    """Whether a record in memory, or a dict, is a judgment, or a table of them."""
    if isinstance(one, Mapping):
        return {"item", "judge"} <= one.keys()
    return isinstance(one, Judgment | JudgmentTable)


def named(given: Any) -> str:
    """What is given, for a message: its files, or that it is in memory."""
    return ", ".join(files_in(given)) or f"<{type(given).__name__}>"


def names_of(given: str | Iterable[str] | None) -> list[str] | None:
    """Names, also where several are written with commas; None where none are given.

    >>> names_of("ann, bob"), names_of(["ann", "bob,eve"]), names_of(())
    (['ann', 'bob'], ['ann', 'bob', 'eve'], None)
    """
    if not isinstance(given, Iterable | None):
        raise ConfigError(f"received {given!r}; give a name, or a list of names")
    several: Sequence[str] = [given] if isinstance(given, str) else list(given or ())
    found = [name.strip() for one in several for name in one.split(",") if name.strip()]
    return found or None


def listed(names: str | Iterable[str]) -> list[str]:
    """One name, or several, as they are."""
    return [names] if isinstance(names, str) else list(names)
