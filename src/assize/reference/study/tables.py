"""The tables of a study; those of metrics, in the shape of UPHELD's tables 3 and 9-11."""

from __future__ import annotations

import math
from collections.abc import Sequence

from assize.reference.study.association import SHORT, UNITS, OverFolds, Unit
from assize.reference.study.data import DataSet
from assize.reference.study.ensembles import BEST
from assize.reference.study.people_tables import (
    accuracy_table,
    aggregate_table,
    agreement_table,
    answers_table,
    kept_table,
    levels_table,
    of_set,
    people_table,
    told,
)
from assize.reference.study.reading import GROUPS
from assize.reference.study.studied import Associated, Learnt, ReferenceStudy, Studied
from assize.results import Column, ResultTable, columns, with_rows
from assize.results.columns import Cell
from assize.stats import Estimate

BRIEF = ("best", "metrics ", "gains ", "kept", "agreement")
"""How the names of those tables begin that a terminal shows; a page shows all."""

_UNITS: dict[Unit, str] = {"ratings": "every rating", "items": "mean of an item"}


def study_tables(found: ReferenceStudy) -> dict[str, ResultTable]:
    """`best`; by target `metrics`, `items`, `gains`; `kept`; by data set and target `levels`,
    `accuracy`, `balanced`, `people`, `agreement`, `aggregate`, `answers`, `figures`, `regression`.

    A name ends with target and data set where there are several of these.
    """
    tables = {"best": _best(found)}
    for target in found.targets:
        if len(found.of(target)) == 1:
            tables[f"metrics {target}"] = _metrics(found, target, *UNITS)
        else:
            tables[f"metrics {target}"] = _metrics(found, target, "ratings")
            tables[f"items {target}"] = _metrics(found, target, "items")
        tables[f"gains {target}"] = _gains(found, target)
    tables["kept"] = kept_table(found)
    for data in found.sets:
        own = [one for one in found.rows if one.data is data]
        more = _suffix(found, data)
        tables[f"agreement{more}"] = agreement_table(own, data)
        tables[f"aggregate{more}"] = aggregate_table(own, data)
        tables[f"levels{more}"] = levels_table(own, data)
        for one in own:
            named = f" {one.target}{more}"
            tables[f"accuracy{named}"] = accuracy_table(one, balanced=False)
            tables[f"balanced{named}"] = accuracy_table(one, balanced=True)
            tables[f"people{named}"] = people_table(one)
            tables[f"answers{named}"] = answers_table(one)
            tables[f"figures{named}"] = _figures(one)
            tables[f"regression{named}"] = _regression(one)
    return with_rows(tables)


def shown(found: ReferenceStudy) -> dict[str, ResultTable]:
    """The tables that a terminal has room for."""
    return {name: one for name, one in found.tables.items() if name.startswith(BRIEF)}


def _suffix(found: ReferenceStudy, data: DataSet) -> str:
    return f" {data.name}" if len(found.sets) > 1 else ""


def ensemble_groups(found: ReferenceStudy) -> dict[str, str]:
    """By what an ensemble is fitted on (`own`, `train`, `others`) the heading above such rows."""
    if len(found.sets) == 1:
        return {"own": "Ensembles, cross-validated"}
    several = {"own": "Ensembles trained on each data set, cross-validated"}
    if found.train:
        several = {"train": f"Ensembles trained on {found.train}"} | several
    return several | {"others": "Ensembles trained on the other data sets"}


def learnt_in(found: ReferenceStudy, one: Studied, how: str) -> list[Learnt]:
    """The ensembles of a data set by what they are fitted on; of that which trains all, its own."""
    own = one.data.name
    on = {"own": own, "train": found.train, "others": ""}[how]
    return [each for each in one.learnt if each.trained.on == on]


def _best(found: ReferenceStudy) -> ResultTable:
    """The best metric and the best ensemble of each data set and target; of several data sets
    also the best of those that one of them trains, which is what table 3 has."""
    several = len(found.sets) > 1
    taken = found.train if several and found.learners else ""
    about = [*(["target"] if len(found.targets) > 1 else []), *(["data"] if several else [])]
    named = columns("words", *about, "metric")
    named += [
        Column("its r", "number", 2, ends="below"),
        Column("ensemble"),
        Column("r", "number", 2, ends="below"),
    ]
    if taken:
        named += [Column(f"trained on {taken}"), Column("r applied", "number", 2, ends="below")]
    rows = []
    for one in found.rows:
        metric, learnt = best_of(found, one)
        shown = [learnt, best_learnt(found, one, "train")] if taken else [learnt]
        rows.append(
            (
                *([one.target] if len(found.targets) > 1 else []),
                *([one.data.title] if several else []),
                *((None, None) if metric is None else (metric.name, metric.by["items"].pearson)),
                *(
                    cell
                    for each in shown
                    for cell in (
                        (None, None)
                        if each is None
                        else (each.trained.learner, each.by["items"].pearson)
                    )
                ),
            )
        )
    notes = [
        "r: Pearson with the mean rating of an item, with a 95% interval clustered by"
        " conversation. The metric is chosen after the fact, the ensemble's predictions are held"
        " out: the gains have both on the same terms."
    ]
    if taken:
        notes.append(
            f"ensemble: fitted and cross-validated in each data set. Trained on {taken}: fitted"
            f" there and applied here; in {taken} itself cross-validated."
        )
    title = "Best metric and best ensemble"
    title += "" if len(found.targets) > 1 else f": {found.targets[0]}"
    title += "" if several else of_set(found.sets[0])
    return ResultTable(title, named, rows, notes, grouped=len(about) > 1)


def best_of(found: ReferenceStudy, one: Studied) -> tuple[Associated | None, Learnt | None]:
    """The metric and the cross-validated ensemble with the largest r on items, if any has one."""
    single = {each.name for each in one.data.metrics}
    metrics = [
        each for each in one.metrics if each.name in single and _size(each.by["items"].pearson) >= 0
    ]
    return (
        max(metrics, key=lambda each: _size(each.by["items"].pearson), default=None),
        best_learnt(found, one, "own"),
    )


def best_learnt(found: ReferenceStudy, one: Studied, how: str) -> Learnt | None:
    """The ensemble with the largest r on items of those fitted so (see `learnt_in`), if any."""
    fitted = [each for each in learnt_in(found, one, how) if each.trained.learner != BEST]
    known = [each for each in fitted if not math.isnan(each.by["items"].pearson.estimate)]
    return max(known, key=lambda each: each.by["items"].pearson.estimate, default=None)


def _size(found: Estimate) -> float:
    return -math.inf if math.isnan(found.estimate) else abs(found.estimate)


def _metrics(found: ReferenceStudy, target: str, *units: Unit) -> ResultTable:
    """Metrics and ensembles down, data sets across (tables 9-11); of one set both units."""
    across = [(one, unit) for one in found.of(target) for unit in units]
    rows: list[Sequence[Cell]] = []
    for group in GROUPS:
        names = dict.fromkeys(
            each.name for one, _ in across for each in one.metrics if each.group == group
        )
        for name in names:
            cells: list[Cell] = []
            kinds = set[str]()
            for one, unit in across:
                by = next((each.by for each in one.metrics if each.name == name), None)
                cells.append(None if by is None else _cell(by[unit].figure))
                if by is not None:
                    kinds.add(SHORT[by[unit].statistic])
            rows.append((group, name, "/".join(sorted(kinds)), *cells))
    for how, heading in ensemble_groups(found).items():
        for learner in (BEST, *found.learners):
            cells = []
            for one, unit in across:
                own = {each.trained.learner: each for each in learnt_in(found, one, how)}
                cells.append(_cell(own[learner].by[unit].figure) if learner in own else None)
            if any(cell is not None for cell in cells):
                rows.append((heading, learner, "r", *cells))
    names_across = [_UNITS[unit] if len(units) > 1 else one.data.title for one, unit in across]
    shape = [
        Column("group"),
        Column("metric"),
        Column("figure"),
        *(Column(name, "number", 3, ends="below", coarse=2) for name in names_across),
    ]
    of = f": {_UNITS[units[0]]}" if len(units) == 1 else of_set(across[0][0].data)
    title = f"Agreement with people on {target}{of}"
    return ResultTable(title, shape, rows, _metric_notes(found), grouped=True)


def _cell(found: OverFolds) -> Cell:
    """A figure, or the reason why there is none."""
    if math.isnan(found.estimate):
        return found.reason or math.nan
    return found


def _metric_notes(found: ReferenceStudy) -> list[str]:
    notes = [
        "The figure is chosen by the metric's scale: r Pearson (numbers), V Cramer's without"
        " correction (answers in order; of items against their mode), pb point-biserial (yes and"
        " no), phi the same against ratings of two values. On all rows; below it the 95% interval,"
        " clustered by conversation.",
        f"±: standard error of the mean of the figures of {found.folds} folds of conversations,"
        " which is their standard deviation over the root of their number. V is larger in a fold"
        " than on all rows, since fewer rows raise it.",
    ]
    if found.learners:
        more = " Elsewhere they are of one fit on all of that data set." if found.train else ""
        notes.append(
            f"Ensembles are fitted on {'ratings' if found.unit == 'ratings' else 'item means'}; in"
            f" their own data set predictions are of held-out conversations.{more} {BEST}: the one"
            " with the largest r where the ensemble is fitted."
        )
    return notes


def _gains(found: ReferenceStudy, target: str) -> ResultTable:
    """Ensembles less the best metric, on the same held-out items."""
    several = len(found.sets) > 1
    shape = [
        Column("group"),
        Column("ensemble"),
        *([Column("data")] if several else []),
        Column(BEST, "number", 3, ends="none"),
        Column("r", "number", 3, ends="none"),
        Column("gain", "number", 3, ends="below", coarse=2, signed=True),
        Column("gain %", "percent", 0, signed=True),
        Column("p", "p"),
    ]
    rows = []
    for how, heading in ensemble_groups(found).items():
        for learner in found.learners:
            for one in found.of(target):
                if how == "train" and one.data.name == found.train:
                    continue  # stands among its own
                for each in learnt_in(found, one, how):
                    if each.gain is not None and each.trained.learner == learner:
                        gain = each.gain
                        rows.append(
                            (
                                heading,
                                learner,
                                *([one.data.title] if several else []),
                                gain.best,
                                gain.found,
                                gain.difference,
                                gain.relative,
                                gain.p_value,
                            )
                        )
    notes = [
        "Pearson with the mean rating of an item, on items that both have a value for. The best"
        " metric is chosen where the ensemble is fitted. The gain is paired, its 95% interval"
        " clustered by conversation; p: the two exchanged conversation by conversation."
    ]
    return ResultTable(f"Ensembles against the best metric: {target}", shape, rows, notes, True)


def _figures(one: Studied) -> ResultTable:
    """Every metric by every figure, on ratings and on items."""
    shape = [
        Column("group"),
        Column("metric"),
        Column("figure"),
        Column("own, ratings", "number", 3),
        Column("own, items", "number", 3),
        *columns(
            "number", "r, ratings", "rho, ratings", "r, items", "rho, items", digits=3, ends="none"
        ),
        Column("items", "count"),
        Column("unscored", "count"),
    ]
    rows: list[Sequence[Cell]] = []
    for each in one.metrics:
        ratings, items = each.by["ratings"], each.by["items"]
        kinds = dict.fromkeys((SHORT[ratings.statistic], SHORT[items.statistic]))
        rows.append(
            (
                each.group,
                each.name,
                "/".join(kinds),
                told(ratings.own),
                told(items.own),
                ratings.pearson,
                ratings.spearman,
                items.pearson,
                items.spearman,
                items.pearson.n,
                items.pearson.unscored,
            )
        )
    title = f"Every figure: {one.target}{of_set(one.data)}"
    notes = ["r: Pearson; rho: Spearman. Intervals of both stand in --json."]
    return ResultTable(title, shape, rows, notes, grouped=True)


def _regression(one: Studied) -> ResultTable:
    """Which metrics go with the ratings, alone and together (figures 2-3 and 8-11)."""
    shape = [
        Column("metric"),
        Column("alone", "number", 3, ends="below", signed=True),
        Column("p", "p"),
        Column("p, rows independent", "p"),
        Column("together", "number", 3, ends="below", signed=True),
        Column("p together", "p"),
    ]
    rows = []
    for each in one.weights.rows:
        cells = [each.alone, each.together]
        first, second = (one.reason if math.isnan(one.estimate) else one for one in cells)
        rows.append(
            (each.column, first, each.alone.p_value, each.plain_p, second, each.together.p_value)
        )
    found = one.weights
    r2 = "" if math.isnan(found.r2) else f" They explain {100 * found.r2:.0f}% of the variance."
    notes = [
        "Steps of the rating for one standard deviation of the metric, every rating a row; errors"
        f" clustered by {found.conversations:,} conversations. Together: {found.n:,} ratings of"
        f" items with all metrics, {found.unscored:,} without.{r2}"
    ]
    title = f"Regression on metrics: {one.target}{of_set(one.data)}"
    return ResultTable(title, shape, rows, notes)
