"""How well each rater is predicted, beside everything simpler."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal

from assize.base.conversation import Conversation, Item
from assize.calibrate import features_of, forms_of
from assize.calibrate._data.features import NotAsked
from assize.calibrate._data.forms import Forms
from assize.calibrate._inputs import ratings_beside
from assize.calibrate._network.grids import GRIDS
from assize.calibrate._results.questions import MethodList
from assize.calibrate._study import QUICK, Data, Options, Study, StudyTables, data_of, study
from assize.calibrate._study.methods import METHODS
from assize.formats import ItemsLike, JudgmentsLike
from assize.formats.arguments import answers_in, items_in, listed
from assize.judgments import JudgmentTable
from assize.judgments.membership import group_units
from assize.results.log import log
from assize.stats._statistics import Statistics
from assize.stats._studies.folds import KFold, LeaveOut

USUAL = Statistics(permutations=20_000)

SEARCHES = {"none": None, "quick": QUICK, **GRIDS}
"""By what `search` of `assize.study.calibration` is called."""


def calibration(
    answers: JudgmentsLike,
    ratings: JudgmentsLike,
    *,
    target: str,
    test_answers: JudgmentsLike | None = None,
    test_ratings: JudgmentsLike | None = None,
    method: str | Sequence[str] = (),
    splits: KFold | LeaveOut = KFold(),
    search: Literal["quick", "small", "published", "none"] = "quick",
    items: ItemsLike | None = None,
    na: NotAsked = "kept",
    tables: StudyTables = StudyTables(),
    statistics: Statistics = USUAL,
) -> Study:
    """Compare the calibrator with baselines, ablations and oracles, cross-validated.

    All methods share the folds: of items, of groups of items, or one group each. Every difference
    is tested. With `test_ratings`, everything is also measured on a test set that nothing is fitted
    on.

    Args:
        answers: model judgments: files or folders of runs (repeatable).
        ratings: judgments by people (repeatable).
        target: question to predict.
        test_answers: model judgments of the test items: files or folders of runs (repeatable).
        test_ratings: judgments by people of the test items, which are never fitted on (repeatable).
        method: method or group of methods to compare, as `assize.study.methods` or --list names
            them (repeatable).
        splits: what is held out: `KFold`, or `LeaveOut` for one group at a time.
        search: settings to search for each network inside every split: quick (starts and epochs),
            small, published (takes days), or none.
        items: files of the conversations, for their systems and metadata (repeatable).
        na: how to treat a model's answers to questions that people were not asked: kept, or zeros
            as in the paper.
        tables: what is measured beside the main tables; see `StudyTables`.
        statistics: how the tests are made; see `Statistics`.

    Raises:
        ConfigError: a method is not known.
        DataError: a row is bad, or there is too little to learn from.
    """
    how = statistics.settings(USUAL)
    said = answers_in(answers)
    rated = ratings_beside(said, ratings, target)
    if test_answers is not None:
        more = answers_in(test_answers, what="test_answers")
        said = JudgmentTable.concat([said, more])
    held: Sequence[str] = ()
    if test_ratings is not None:
        tested = ratings_beside(said, test_ratings, target, what="test_ratings")
        rated, held = JudgmentTable.concat([rated, tested]), tested.items
    forms, known = (
        forms_of(features_of(said, na=na), rated, target),
        list(items_in(items)),
    )
    data = replace(_data(forms, held, splits, known), grid=SEARCHES[search])
    log.info("%s", data.folds)
    by_system = _systems(data, known, tables.by)
    options = Options(tuple(listed(method)), how.permutations, tables, by_system)
    return study(data, options, log.info)


def methods() -> MethodList:
    """List the methods that a study compares, by group."""
    return MethodList(METHODS)


def _data(
    forms: Forms, held: Sequence[str], splits: KFold | LeaveOut, items: Sequence[Item]
) -> Data:
    """The forms with their folds: by item, by groups, or one group each."""
    one_out = isinstance(splits, LeaveOut)
    by = splits.leave_out if isinstance(splits, LeaveOut) else splits.folds_by
    groups = None
    if by is not None:
        option = "leave_out" if one_out else "folds_by"
        groups = group_units(forms.features.units, by, items, option=option).names
    return data_of(
        forms,
        test_items=held,
        folds=splits.folds if isinstance(splits, KFold) else 5,
        seeds=splits.seeds,
        groups=groups,
        by="" if by is None else by,
        leave_out=one_out,
    )


def _systems(data: Data, items: Sequence[Item], by: str | None) -> Mapping[str, str]:
    """Item id -> group of the tables by system: as asked, else the conversations' systems."""
    if by is not None:
        units = data.forms.features.units
        names = group_units(units, by, items).names
        pairs = zip(units, names, strict=True)
        return {item: name for (item, _), name in pairs if name is not None}
    return {
        item.id: item.system
        for item in items
        if isinstance(item, Conversation) and item.system is not None
    }
