"""Metrics, judges and ensembles against people, on one data set of continuations or several."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal

from assize.base.arguments import check_word
from assize.base.conversation import Item
from assize.base.errors import ConfigError, DataError
from assize.base.judgment import Judgment
from assize.formats import Items, ItemsLike, JudgmentsLike, read_judgments
from assize.formats.arguments import (
    answers_in,
    items_beside,
    items_in,
    named,
    names_of,
    ratings_in,
    source_of,
)
from assize.judgments import JudgmentTable
from assize.judgments.membership import group_units
from assize.reference._ensemble.columns import Columns, of_paper
from assize.reference._ensemble.models.learners import PAPER as PAPER_MODELS
from assize.reference._ensemble.models.learners import fit_here, learner_of
from assize.reference._study.ensembles import SHOWN
from assize.reference._study.reading import data_sets, targets_of
from assize.reference._study.result import ReferenceStudy
from assize.reference._study.run import Ensembles, Settings, study
from assize.running.progress import progress
from assize.stats._statistics import Statistics

NO_LEARNER = "none"
USUAL = Statistics(permutations=2_000, seed=0)


def reference(
    judgments: JudgmentsLike,
    *,
    ratings: JudgmentsLike | None = None,
    items: ItemsLike | None = None,
    question: str | Sequence[str] = (),
    data: Mapping[str, ItemsLike] | None = None,
    by: str | None = None,
    judges: str | Sequence[str] = (),
    ensembles: Ensembles = Ensembles(),
    preset: Literal["own", "paper"] = "own",
    statistics: Statistics = USUAL,
    quiet: bool = False,
) -> ReferenceStudy:
    """Measure how well metrics, judges and ensembles of them agree with people.

    Compares every metric with the ratings by the figure that fits its scale, and with ensembles
    that predict held-out conversations; and shows how far people agree, by source, and from one
    data set to another.

    Args:
        judgments: judgments of the continuations by metrics and judges, for example a run of
            `assize reference score`.
        ratings: judgments by people (repeatable). Default: those among all the files.
        items: files of the continuations, for their conversations and sources (repeatable).
        question: question that people answered: a, a+b for a mean on 0..1, or NAME=a if data sets
            were asked differently (repeatable). Default: every ordered question.
        data: named data set of continuations, for example UPHELD=upheld.csv (repeatable).
        by: also split items into data sets by system (the source), metadata.NAME, or the group of a
            regular expression on ids.
        judges: only these judges among the metrics (repeatable, or separated by commas).
        ensembles: which ensembles are fitted, and on what; see `Ensembles`.
        preset: recipe: own, or paper (the metrics of UPHELD's tables, its four untuned models, and
            one row per rating).
        statistics: how the tests between ensembles and the best metric are made, and what is
            drawn; see `Statistics`.
        quiet: no progress and no notes.

    Returns:
        A `ReferenceStudy`: figures with intervals clustered by conversation and standard
        errors over folds. A figure that cannot be had is NaN with its reason; a judge that was
        not asked is absent.

    Raises:
        ConfigError: no such question, data set, judge or ensemble.
        DataError: nobody rated, or nothing that was rated is measured.
        MissingExtra: an ensemble that was named needs scikit-learn, which is not installed; of
            the usual ones those are fitted that do not, and ridge.

    Source: UPHELD, section 3.5, appendices B, E, I, J, L and M.
    """
    check_word("preset", preset, ("own", "paper"))
    usual = statistics.settings(USUAL)
    learners, note = _learners(names_of(ensembles.models), preset)
    sets_given = {} if data is None else dict(data)
    files: list[Any] = [*([] if items is None else [items]), *sets_given.values()]
    metrics, people = _tables(judgments, ratings, files)
    wanted_judges = names_of(judges)
    if wanted_judges is not None:
        for name in wanted_judges:
            if name not in metrics.judges:
                raise ConfigError(f"no judge {name!r} here; there are {', '.join(metrics.judges)}")
        metrics = metrics.where(judge=tuple(wanted_judges))
    if preset == "paper":
        metrics = _of_paper(metrics)
    given = [one for place in files for one in items_in(place)]
    given += items_beside(judgments, None)
    wanted = [question] if isinstance(question, str) else list(question)
    targets = targets_of(wanted, people)
    names = _set_names(sets_given, by, people, given)
    sets = data_sets(metrics, people, given, targets, names)
    known = [data_set.name for data_set in sets]
    if ensembles.train is not None and ensembles.train not in known:
        problem = f"train {ensembles.train!r}: the data sets are {', '.join(known)}"
        raise ConfigError(problem, "train")
    by_rating = ensembles.rows == "ratings" or (ensembles.rows is None and preset == "paper")
    how = Settings(
        learners=learners,
        train=ensembles.train or "",
        unit="ratings" if by_rating else "items",
        folds=ensembles.folds,
        permutations=usual.permutations,
        seed=usual.seed,
    )
    total = sum(len(one.ratings) for one in sets)
    with progress("studying", total, quiet=quiet) as advance:
        studied = study(sets, how, tick=advance)
    return studied if note is None else replace(studied, notes=[note, *studied.notes])


def _learners(wanted: Sequence[str] | None, preset: str) -> tuple[Sequence[str], str | None]:
    """The learners that are fitted, and a note where usual ones cannot be."""
    if wanted is None:
        if preset == "paper":
            return fit_here(PAPER_MODELS, instead="linear")
        return fit_here(SHOWN, instead="ridge")
    if wanted == [NO_LEARNER]:
        return [], None
    for name in wanted:
        learner_of(name)
    return list(dict.fromkeys(wanted)), None


def _of_paper(metrics: JudgmentTable) -> JudgmentTable:
    """The judgments of the 12 metrics of UPHELD that are there."""
    columns = Columns.of(metrics)
    there = columns.take(of_paper(columns)).sources
    wanted = dict.fromkeys((one.judge, one.question) for one in there)
    kept = [metrics.where(judge=judge, question=question) for judge, question in wanted]
    return JudgmentTable.concat(kept)


def _tables(
    judgments: JudgmentsLike,
    ratings: JudgmentsLike | None,
    files: Sequence[Any],
) -> tuple[JudgmentTable, JudgmentTable]:
    """What metrics said, and what people did."""
    if ratings is not None:
        return answers_in(judgments), ratings_in(ratings)
    every = [read_judgments(one) for one in (judgments, *_rated_files(files))]
    table = JudgmentTable.concat([one for one in every if len(one)])
    people = table.where(kind="person")
    metrics = table.where(kind=("model", "metric", "evaluator", None))
    for found, what, remedy in (
        (people, "no judgment by a person", "give those of your raters as ratings"),
        (metrics, "no judgment by a metric or a model", "give a run of assize reference score"),
    ):
        if not len(found):
            raise DataError(f"{what} is among what is given; {remedy}", source=named(judgments))
    return metrics, people


def _rated_files(given: Sequence[Any]) -> list[Items]:
    """The files of items in which judgments stand, too."""
    files = [source.part(file) for source in map(source_of, given) for file in source.paths]
    return [file for file in files if any(isinstance(row, Judgment) for row in file.records())]


def _set_names(
    given: Mapping[str, ItemsLike],
    by: str | None,
    people: JudgmentTable,
    items: Iterable[Item],
) -> dict[str, str]:
    """The data set of each item: the file that it stands in, else what `by` says."""
    names: dict[str, str] = {}
    if by is not None:
        units = [(item, None) for item in people.items]
        found = group_units(units, by, items).names
        names = {
            item: name for (item, _), name in zip(units, found, strict=True) if name is not None
        }
    for name, place in given.items():
        for one in items_in(place):
            if names.get(one.id, name) != name and by is None:
                raise DataError(
                    f"item {one.id!r} stands in the data sets {names[one.id]} and {name}; an item"
                    " is of one"
                )
            names[one.id] = name
    return names
