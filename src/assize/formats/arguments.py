"""What functions are given, read: judgments, items, and what stands beside them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from assize.base.arguments import did_you_mean, match_name, plain_name
from assize.base.conversation import Item
from assize.base.errors import ConfigError, DataError
from assize.base.judgment import JudgeKind, Judgment, Question
from assize.formats.files import is_read_once, plain_suffix
from assize.formats.items import Items, ItemsLike, read
from assize.formats.judgment_files import JudgmentsLike, judgments_from
from assize.formats.ratings import LACKS_COLUMN, LOOK
from assize.formats.ratings.stated import as_stated
from assize.formats.read_options import ReadOptions
from assize.formats.reading import iter_records
from assize.judgments import JudgmentTable
from assize.results.log import log


def judgments_of(
    given: JudgmentsLike,
    *,
    argument: str = "judgments",
    stated: Iterable[Question] = (),
    target: str | None = None,
) -> JudgmentTable:
    """All judgments that are given; the log says what was guessed, or repeated.

    Questions whose scale would be guessed have that of `stated`, where it fits their answers;
    the one of a table with one column per rater, which does not say what is asked, is `target`.

    Raises:
        DataError: a row is bad, or there is no judgment.
    """
    table = _read(given, argument)
    if not len(table):
        raise DataError("there is no judgment in these files", source=named(given))
    known, source = tuple(stated), table.source
    if known:
        from assize.judgments.spellings import rename_spellings

        table = rename_spellings(table, [question.id for question in known])
    table = _divided(as_stated(table, known, target).stated(known))
    if table.inferred:
        log.warning("scales guessed from the answers seen: %s", ", ".join(sorted(table.inferred)))
    if table.duplicates:
        log.info("%s rows repeat an earlier one; they count like any other", table.duplicates)
    _warn_of_spellings(table.judges)
    return replace(table, source=source)


def _read(given: JudgmentsLike, argument: str) -> JudgmentTable:
    """The judgments; of a table that holds none an error says what one of ratings is like."""
    try:
        return judgments_from(given, name=argument)
    except DataError as error:
        tables = [
            file for file in files_in(given) if plain_suffix(file) in (".csv", ".tsv", ".xlsx")
        ]
        is_explained = LOOK in error.problem or error.problem.startswith(LACKS_COLUMN)
        if tables and error.line is None and not is_explained:
            error.problem += f"; {LOOK}"
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


def _warn_of_spellings(judges: Iterable[str]) -> None:
    """Log the judges that are counted apart though their names differ by case and spaces only."""
    spellings: dict[str, list[str]] = {}
    for name in judges:
        spellings.setdefault(plain_name(name), []).append(name)
    alike = [", ".join(names) for names in spellings.values() if len(names) > 1]
    if alike:
        log.warning(
            "judges whose names differ only by case and spaces are counted apart: %s; write each"
            " name in one way",
            "; ".join(alike),
        )


def select_items(table: JudgmentTable, ids: Collection[str], source: str = "") -> JudgmentTable:
    """Return the judgments of these items; the log counts those of others.

    Raises:
        DataError: no judgment is of one of them; `source` names the judgments.
    """
    import numpy as np

    codes, names = table.codes("item")
    wanted = np.array([name in ids for name in names], dtype=bool)[codes]
    if not wanted.any():
        raise DataError(
            "no judgment is of these items; give the items that were judged", source=source or None
        )
    if not wanted.all():
        prefix = f"{source}: " if source else ""
        log.warning("%s%s judgments of other items are left out", prefix, f"{(~wanted).sum():,}")
    return table.filter(wanted)


def answers_in(given: JudgmentsLike, *, what: str = "answers") -> JudgmentTable:
    """The judgments that are not by people: one file may hold answers and ratings."""
    table = judgments_of(given, argument=what)
    problem = "all judgments here are ratings by people; give a model's answers"
    kinds: tuple[JudgeKind | None, ...] = ("model", "metric", "evaluator", None)
    return _of_kinds(table, kinds, "ratings by people", problem, given)


def ratings_in(
    given: JudgmentsLike,
    *,
    what: str = "ratings",
    stated: Iterable[Question] = (),
    target: str | None = None,
) -> JudgmentTable:
    """The judgments by people, or by who does not say what it is.

    `stated` and `target` are those of `judgments_of`.
    """
    table = judgments_of(given, argument=what, stated=stated, target=target)
    problem = "no judgment here is by a person; give ratings, whose kind is person or not said"
    return _of_kinds(table, ("person", None), "judgments by no person", problem, given)


def _of_kinds(
    table: JudgmentTable,
    kinds: tuple[JudgeKind | None, ...],
    others: str,
    problem: str,
    given: JudgmentsLike,
) -> JudgmentTable:
    kept = table.where(kind=kinds)
    if not len(kept):
        raise DataError(problem, source=named(given))
    if len(kept) < len(table):
        log.info("%s %s in these files are not read here", f"{len(table) - len(kept):,}", others)
    return kept


def items_in(given: ItemsLike | None) -> Iterator[Item]:
    """The conversations, pairs and continuations that are given; nothing for None."""
    return iter(()) if given is None else iter(read(given))


def items_beside(judgments: JudgmentsLike, items: ItemsLike | None) -> Iterator[Item]:
    """The items that are given, and those that stand in the files of judgments."""
    source = source_of(judgments)
    files = [file for file in source.paths if not (is_read_once(file) or Path(file).is_dir())]
    for file in dict.fromkeys(files):
        # Bad records have been refused, or kept aside, when the judgments were read.
        for record in iter_records(file, source.options, lambda _: None):
            if not isinstance(record, Judgment):
                yield record
    if source.in_memory and isinstance(source.source, list | tuple):
        yield from (part for part in source.source if isinstance(part, Item))
    yield from items_in(items)


def source_of(given: Any, name: str = "items") -> Items:
    """Where judgments or items come from: themselves, or what a table was read from."""
    if isinstance(given, JudgmentTable) and given.source is not None:
        source: Items = given.source
        return source
    return given if isinstance(given, Items) else Items(given, ReadOptions(), name)


def files_in(given: Any) -> list[str]:
    """The files among what is given, as they were named; in-memory records have none."""
    if isinstance(given, JudgmentTable):
        return [] if given.source is None else given.source.paths
    if isinstance(given, Items):
        return given.paths
    several = given if isinstance(given, list | tuple) else [given]
    return [str(part) for part in several if isinstance(part, str | Path)]


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


def known_questions(names: Iterable[str], known: Collection[str]) -> list[str]:
    """Return the questions that are named, in whatever case and spaces, as they are known.

    >>> known_questions(["overall"], ["Overall", "tone"])
    ['Overall']

    Raises:
        ConfigError: one of the names is not known.
    """
    matches = []
    for name in names:
        match = match_name(name, known)
        if match is None:
            raise ConfigError(
                f"no question {name!r}; {did_you_mean(name, known)}asked were {', '.join(known)}"
            )
        matches.append(match)
    return matches


def listed(names: str | Iterable[str]) -> list[str]:
    """One name, or several, as they are."""
    return [names] if isinstance(names, str) else list(names)
