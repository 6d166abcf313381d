"""How well each rater is predicted, beside everything simpler."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal

from assize.agreement.membership import group_units
from assize.arguments import check_range
from assize.calibration import GRIDS, Forms, features_of, forms_of
from assize.calibration.data.features import NotAsked
from assize.calibration.results.questions import MethodList
from assize.calibration.study import QUICK, Data, Options, Study, data_of, study
from assize.conversation import Conversation, Item
from assize.errors import ConfigError
from assize.formats import ItemsLike, JudgmentsLike
from assize.judgments import JudgmentTable
from assize.workflows.reading import answers_in, items_in, listed, ratings_in

log = logging.getLogger("assize")

SEARCHES = {"none": None, "quick": QUICK, **GRIDS}
"""By what `search` of `study_calibrators` is called."""


def study_calibrators(
    answers: JudgmentsLike,
    ratings: JudgmentsLike,
    *,
    target: str,
    test_answers: JudgmentsLike | None = None,
    test_ratings: JudgmentsLike | None = None,
    method: str | Sequence[str] = (),
    folds: int | None = None,
    folds_by: str | None = None,
    leave_out: str | None = None,
    seeds: int = 3,
    curve: int = 0,
    every_question: bool = False,
    adaptive: bool = False,
    search: Literal["quick", "small", "published", "none"] = "quick",
    items: ItemsLike | None = None,
    na: NotAsked = "kept",
    by: str | None = None,
    permutations: int = 20_000,
) -> Study:
    """Compares the calibrator with baselines, ablations and oracles, cross-validated.

    Folds are of items, of groups of items (`folds_by`), or one group each
    (`leave_out`), for every method alike. Every difference is tested. With
    `test_ratings` all is also measured on a test set that nothing is fitted on.

    Args:
        answers: judgments by models, as files or runs (repeatable).
        ratings: judgments by people (repeatable).
        target: the question to be predicted.
        test_answers: as `answers`, for the items that are tested on.
        test_ratings: as `ratings`, whose items are never fitted on.
        method: a method or a group, as `study_methods` or --list names them (repeatable).
        folds: parts that items are split into: 5.
        folds_by: keep groups of items in one fold: system, metadata.NAME (of `items`) or a
            regex, group 1.
        leave_out: hold out one group at a time, groups being as in `folds_by`.
        seeds: repetitions with other folds and starts.
        curve: subsamples at each point of a learning curve, 0 for none.
        every_question: predict every other question too.
        adaptive: measure what an adaptive rubric would save.
        search: settings of each network that are searched inside every split: quick (starts and
            epochs), small, published (days), or none.
        items: the conversations: their systems and metadata (repeatable).
        na: a model's answers to what people were not asked: kept, or zeros as in the paper.
        by: tables of every question by group, as in `folds_by`: by system where `items` has any.
        permutations: of each paired test.

    Raises:
        ConfigError: a method is not known, or two options exclude each other.
        DataError: a row is bad, or there is too little to learn from.
    """
    for name, value, least in (
        ("folds", folds, 2),
        ("seeds", seeds, 1),
        ("curve", curve, 0),
        ("permutations", permutations, 1),
    ):
        check_range(name, value, least)
    said = answers_in(answers)
    rated = ratings_in(ratings, stated=said.stated_questions, target=target)
    if test_answers is not None:
        more = answers_in(test_answers, what="test_answers")
        said = JudgmentTable.concat([said, more])
    held: Sequence[str] = ()
    if test_ratings is not None:
        tested = ratings_in(
            test_ratings,
            what="test_ratings",
            stated=said.stated_questions,
            target=target,
        )
        rated, held = JudgmentTable.concat([rated, tested]), tested.items
    forms, known = (
        forms_of(features_of(said, na=na), rated, target),
        list(items_in(items)),
    )
    data = replace(
        _data(forms, held, folds, seeds, folds_by, leave_out, known), grid=SEARCHES[search]
    )
    log.info("%s", data.folds)
    options = Options(
        tuple(listed(method)),
        permutations,
        curve,
        every_question,
        adaptive,
        _systems(data, known, by),
        "system" if by is None else by,
    )
    return study(data, options, log.info)


def study_methods() -> MethodList:
    """Lists the methods that a study compares, by group."""
    return MethodList.of_study()


def _data(
    forms: Forms,
    held: Sequence[str],
    folds: int | None,
    seeds: int,
    folds_by: str | None,
    leave_out: str | None,
    items: Sequence[Item],
) -> Data:
    """The forms with their folds: by item, by groups, or one group each."""
    if folds_by is not None and leave_out is not None:
        raise ConfigError("give folds_by or leave_out, not both")
    if folds is not None and leave_out is not None:
        raise ConfigError("with leave_out a fold is a group: leave folds out", "folds")
    option, what = ("folds_by", folds_by) if leave_out is None else ("leave_out", leave_out)
    groups = None
    if what is not None:
        groups = group_units(forms.features.units, what, items, option=option).names
    return data_of(
        forms,
        test_items=held,
        folds=5 if folds is None else folds,
        seeds=seeds,
        groups=groups,
        by="" if what is None else what,
        leave_out=leave_out is not None,
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
