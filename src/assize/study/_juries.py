"""Juries compared: cascades and panels, by several models, on several data sets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from assize.base.arguments import check_range, check_word, shown
from assize.base.conversation import Continuation, Conversation, Pair
from assize.base.errors import ConfigError
from assize.formats import ItemsLike, JudgmentsLike
from assize.formats.arguments import files_in, items_in, judgments_of, listed, named
from assize.formats.items import pairs_by_id
from assize.judging.run_folder import items_judged, selected_by_cascade
from assize.judgments import JudgmentTable
from assize.juries import Cascade, Panel
from assize.juries.study import DataSet, JuryStudy, StudySettings, study_juries
from assize.juries.study.in_shape import is_paper_s
from assize.juries.study.published import LEAST, SETS
from assize.results.log import log

ALONE = "all pairs"  # what a single data set without a name is called


def juries(
    judgments: JudgmentsLike | None = None,
    *,
    sets: Mapping[str, JudgmentsLike] | None = None,
    items: ItemsLike | None = None,
    juries: Sequence[Cascade | Panel] = (),
    model: str | Sequence[str] = (),
    turns: int | Sequence[int] = (),
    against: str | None = None,
    paper: bool = False,
    unscored: Literal["skip", "loss"] | None = None,
    question: str = "preference",
    gold: str = "gold",
    seed: int = 0,
) -> JuryStudy:
    """Compare judges and juries: each judge alone, cascades and panels, by model and data set.

    Shows how often each is right, what becomes of ties, whether two juries differ on the same
    pairs, and how far judges that were asked several times agree with themselves.

    Args:
        judgments: folders of runs, or files of judgments, of one data set.
        sets: named data set with its files, as NAME=FILE,FILE (repeatable).
        items: files of the judged pairs (repeatable). Default: those among the files, or those that
            a run names.
        juries: each a `Cascade`, in which `reward` stands for each reward model, or a `Panel`;
            the usual cascades by default.
        model: only judges of these models: enough of a name to tell them apart (repeatable).
        turns: also show only pairs with at least this many user turns (repeatable).
        against: jury that all others are tested against. Default: test all pairs of juries.
        paper: show AMULET's tables beside the published figures, for sets called HH-TEST,
            WILDFEEDBACK, NECTAR or HH-TRAIN.
        unscored: how to count an unscored verdict: skip it, or as a loss, as `paper` does.
        question: question that the votes answer.
        gold: judge whose answers count as true.
        seed: random seed.

    Raises:
        ConfigError: a judge, a model or a jury is not there, or no data set is given.
        DataError: a record is bad, or nothing can be compared.
    """
    check_word("unscored", unscored, ("skip", "loss"))
    lengths = [turns] if isinstance(turns, int) else list(turns)
    for one in lengths:
        check_range("turns", one, 1)
    for jury in juries:
        if not isinstance(jury, Cascade | Panel) or jury.model is not None:
            raise ConfigError(
                f"juries: received {shown(jury)}; give a Cascade or a Panel without a model, and"
                " models as model"
            )
    given = _given(judgments, sets)
    for name in given if paper else ():
        if not is_paper_s(name):
            raise ConfigError(
                f"paper shows the data sets {', '.join(SETS)}, and here is {name!r}; name it"
                f" among the sets as {SETS[0]}=FILES, or leave paper out",
                "paper",
            )
    data = [_data_set(name, files, items, alone=len(given) == 1) for name, files in given.items()]
    least = (*LEAST, *lengths) if paper else (0, *lengths)
    return study_juries(
        data,
        cascades=[" > ".join(jury.names) for jury in juries if isinstance(jury, Cascade)],
        panels=[
            ", ".join(f"{name}={weight!r}" for name, weight in jury.weights.items()) or "all"
            for jury in juries
            if isinstance(jury, Panel)
        ],
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
    judgments: JudgmentsLike | None, sets: Mapping[str, JudgmentsLike] | None
) -> dict[str, JudgmentsLike]:
    """What is given, by the names of the data sets."""
    found: dict[str, JudgmentsLike] = {} if judgments is None else {ALONE: judgments}
    for name, files in (sets or {}).items():
        if name in found:
            raise ConfigError(f"two data sets are called {name!r}; give each its own name")
        found[name] = files
    if not found:
        raise ConfigError("give judgments, or data sets by name as sets (NAME=FILE,FILE)")
    return found


def _data_set(
    name: str,
    given: Any,
    items: ItemsLike | None,
    *,
    alone: bool,
) -> DataSet:
    """One set's judgments and pairs, which may stand among them."""
    votes, own = _parted(given)
    for file in files_in(votes):
        selected = selected_by_cascade(file)
        if selected is not None:
            log.warning("%s; its later judges have no figures of their own", selected)
    table = judgments_of(votes, argument=name)
    if alone and items is not None:
        return DataSet(name, table, pairs_by_id(items_in(items), named(items)))
    found = pairs_by_id([*own, *items_judged(votes, None)], named(given))
    if not found and items is not None:  # pairs of several sets stand together
        judged = set(table.items)
        found = pairs_by_id((one for one in items_in(items) if one.id in judged), named(items))
    return DataSet(name, table, found or None)


def _parted(given: Any) -> tuple[Any, list[Any]]:
    """Judgments, and the items in memory among them."""
    if isinstance(given, str | JudgmentTable) or not isinstance(given, list | tuple):
        return given, []
    kinds = (Pair, Conversation, Continuation)
    items = [one for one in given if isinstance(one, kinds)]
    return [one for one in given if not isinstance(one, kinds)], items
