"""Juries compared: cascades and panels, by several models, on several data sets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from assize.conversation import Continuation, Conversation, Pair
from assize.errors import ConfigError, DataError
from assize.formats import Items, Judgments
from assize.formats.any_log import Map, Roles, with_mapping
from assize.judgments import JudgmentTable
from assize.juries.study import DataSet, JuryStudy, StudySettings, study_juries
from assize.juries.study.in_shape import is_paper_s
from assize.juries.study.published import LEAST, SETS
from assize.workflows.allowed import check_range, check_word
from assize.workflows.reading import OnError, files_in, items_in, judgments_of, listed, log, named
from assize.workflows.run_folder import items_judged, selected_by_cascade

ALONE = "all pairs"  # what a single data set without a name is called


@with_mapping
def jury_study(
    judgments: Judgments | None = None,
    *,
    sets: Mapping[str, Judgments] | None = None,
    items: Items | None = None,
    cascade: str | Sequence[str] = (),
    panel: str | Sequence[str] = (),
    model: str | Sequence[str] = (),
    turns: int | Sequence[int] = (),
    against: str | None = None,
    paper: bool = False,
    unscored: Literal["skip", "loss"] | None = None,
    question: str = "preference",
    gold: str = "gold",
    seed: int = 0,
    format: str | None = None,
    map: Map | None = None,
    roles: Roles | None = None,
    on_error: OnError = "fail",
) -> JuryStudy:
    """Compares judges and juries: each judge alone, cascades and panels, by model and data set.

    Shows who is right how often, what becomes of ties, whether two juries
    differ on the same pairs, and how far judges that were asked several times
    agree with themselves. A file called `study` is written `./study`.

    Args:
        judgments: folders of runs, or files of judgments: one data set.
        sets: a data set by name with its files, as NAME=FILE,FILE (repeatable).
        items: the pairs that were judged, unless they stand among the files or a run names them
            (repeatable).
        cascade: a jury in which a tie passes on, the usual ones by default (repeatable). `reward`
            stands for each reward model.
        panel: a jury in which all are heard, or `all` (repeatable).
        model: only judges of these models, by enough of a name to tell (repeatable).
        turns: also only pairs with as many turns of the user, or more (repeatable).
        against: the jury that the others are tested against, by default all pairs of juries.
        paper: show AMULET's tables and what is printed there, of sets that are called HH-TEST,
            WILDFEEDBACK, NECTAR or HH-TRAIN.
        unscored: what an unscored verdict is, left apart (skip) or a loss, as `paper` has it.
        question: the question that votes answer.
        gold: the judge whose answers are gold.
        seed: seed of every random choice.
        format: format of the input, recognised from the content by default.
        map: where the fields of an unknown log stand; see `assize.read`.
        roles: what its names of roles mean.
        on_error: what a bad record does, fail or skip (kept in a file).

    Raises:
        ConfigError: a judge, a model or a jury is not there, or no data set is given.
        DataError: a record is bad, or nothing can be compared.
    """
    check_word("unscored", unscored, ("skip", "loss"))
    lengths = [turns] if isinstance(turns, int) else list(turns)
    for one in lengths:
        check_range("turns", one, 1)
    given = _given(judgments, sets)
    if paper:
        _check_names(given)
    data = [
        _data_set(name, files, items, format, on_error, alone=len(given) == 1)
        for name, files in given.items()
    ]
    least = (*LEAST, *lengths) if paper else (0, *lengths)
    return study_juries(
        data,
        cascades=listed(cascade),
        panels=listed(panel),
        models=listed(model),
        unscored=unscored or ("loss" if paper else "skip"),
        settings=StudySettings(
            tuple(dict.fromkeys(least)),
            question,
            gold,
            against,
            seed,
            paper,
        ),
    )


def _given(
    judgments: Judgments | None, sets: Mapping[str, Judgments] | None
) -> dict[str, Judgments]:
    """What is given, by the names of the data sets."""
    found: dict[str, Judgments] = {} if judgments is None else {ALONE: judgments}
    for name, files in (sets or {}).items():
        if name in found:
            raise ConfigError(f"two data sets are called {name!r}; give each its own name")
        found[name] = files
    if not found:
        raise ConfigError("give judgments, or data sets by name as sets (NAME=FILE,FILE)")
    return found


def _check_names(given: Mapping[str, Judgments]) -> None:
    for name in given:
        if not is_paper_s(name):
            raise ConfigError(
                f"paper shows the data sets {', '.join(SETS)}, and here is {name!r}; name it"
                f" among the sets as {SETS[0]}=FILES, or leave paper out"
            )


def _data_set(
    name: str,
    given: Any,
    items: Items | None,
    format: str | None,
    on_error: OnError,
    *,
    alone: bool,
) -> DataSet:
    """One set's judgments and pairs, which may stand among them."""
    votes, own = _parted(given)
    for file in files_in(votes):
        selected = selected_by_cascade(file)
        if selected is not None:
            log.warning("%s; its later judges have no figures of their own", selected)
    table = judgments_of(votes, format=format, on_error=on_error, what=name, argument=name)
    if alone and items is not None:
        return DataSet(name, table, _pairs(items_in(items, on_error=on_error), named(items)))
    found = _pairs([*own, *items_judged(votes, None, format=format)], named(given))
    if not found and items is not None:  # pairs of several sets stand together
        judged = set(table.items)
        found = _pairs(
            (one for one in items_in(items, on_error=on_error) if one.id in judged), named(items)
        )
    return DataSet(name, table, found or None)


def _parted(given: Any) -> tuple[Any, list[Any]]:
    """Judgments, and the items in memory among them."""
    if isinstance(given, str | JudgmentTable) or not isinstance(given, list | tuple):
        return given, []
    kinds = (Pair, Conversation, Continuation)
    items = [one for one in given if isinstance(one, kinds)]
    return [one for one in given if not isinstance(one, kinds)], items


def _pairs(records: Iterable[Any], source: str) -> dict[str, Pair]:
    found: dict[str, Pair] = {}
    for one in records:
        if isinstance(one, Pair) and found.setdefault(one.id, one) != one:
            raise DataError(f"two pairs have the id {one.id!r}", source=source)
    return found
