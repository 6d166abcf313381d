"""What calibration's results show as tables: sets, groups, importance, wishes, choices."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from assize.calibration.data.binning import is_binned
from assize.results import Cell, Column, ResultTable, columns, with_rows
from assize.results.escape import shortened
from assize.results.numbers import NONE
from assize.stats import Estimate

if TYPE_CHECKING:
    from assize.calibration.groups.audit import Group
    from assize.calibration.prediction.best_of_n import Selection
    from assize.calibration.prediction.compare_systems import Compared, Spread
    from assize.calibration.prediction.rater_means import RaterMeans
    from assize.calibration.study.importance import Along, Importance
    from assize.judgments import Unit

MOST_ANSWERS = 8  # that a table has a column each for; JSON has all
MOST_GROUPS = 50
_MEAN = Column("mean", "number", 2, ends="below")
_Figures = Callable[["Spread"], list[Estimate]]


def set_tables(compared: Compared) -> dict[str, ResultTable]:
    """`sets`: mean, shares of answers or P(answer <= k) in percent; and their `differences`."""
    scale = compared.scale
    steps = _up_to(compared) if scale.ordered else None
    named, figures = _shares(compared)
    if steps is not None and len(scale) > MOST_ANSWERS:
        named, figures = steps
    sets = [
        (name, one.shares[0].n, one.shares[0].unscored, _mean(one), *figures(one))
        for name, one in compared.sets.items()
    ]
    head = [Column("set"), *columns("count", "n", "unscored"), _MEAN]
    note = "95% intervals from resampling stand below each figure."
    found = {"sets": ResultTable(f"{scale.id}, predicted", head + named, sets, [note])}
    named, figures = _shares(compared) if steps is None else steps
    gaps = [
        (f"{gap.second} - {gap.first}", gap.shared, _mean(gap.spread), *figures(gap.spread))
        for gap in compared.gaps
    ]
    head = [Column("difference"), *columns("count", "shared"), _MEAN]
    note = (
        "Second less first. Shared: conversations in both, drawn together."
        " Not corrected for the number of pairs."
    )
    title = "Differences, second less first"
    found["differences"] = ResultTable(title, head + named, gaps, [note])
    return with_rows(found)


def _mean(one: Spread) -> Cell:
    return float("nan") if one.mean is None else one.mean


def _shares(compared: Compared) -> tuple[list[Column], _Figures]:
    """Columns and what stands in them: shares of the most frequent answers."""
    answers = compared.scale.question.answers
    of_all = [[one.estimate for one in each.shares] for each in compared.sets.values()]
    frequent = np.argsort(-np.nan_to_num(of_all).sum(axis=0), kind="stable")[:MOST_ANSWERS]
    places = sorted(frequent.tolist())
    return _percents(f"% {answers[k]}" for k in places), lambda one: [one.shares[k] for k in places]


def _up_to(compared: Compared) -> tuple[list[Column], _Figures]:
    """Columns and what stands in them: P(answer <= k) at all steps, or quarters."""
    scale = compared.scale
    rising = [scale.question.answers[k] for k in np.argsort(scale.values, kind="stable")]
    places = list(range(len(rising) - 1))
    if len(rising) > MOST_ANSWERS:
        places = [round(part * len(rising)) - 1 for part in (0.25, 0.5, 0.75)]
    binned = is_binned(scale.question)
    names = [rising[k].rpartition(" to ")[2] if binned else rising[k] for k in places]
    return _percents(f"% <= {name}" for name in names), lambda one: [one.at_most[k] for k in places]


def _percents(names: Iterable[str]) -> list[Column]:
    return columns("percent", *names, digits=1, ends="below", coarse=0)


def audit_tables(
    target: str, everybody: Group, groups: Sequence[Group], gaps: Sequence[Mapping[str, object]]
) -> dict[str, ResultTable]:
    """A table a field, narrow enough for 80 columns, and `worst`; the rest stands in JSON."""
    found = {}
    for field in dict.fromkeys(group.field for group in groups):
        within = [group for group in groups if group.field == field]
        largest = sorted(range(len(within)), key=lambda place: -within[place].n)[:MOST_GROUPS]
        shown = [within[place] for place in sorted(largest)]
        left = len(shown) < len(within)
        notes = [f"The {len(shown)} largest of {len(within):,} groups; --json has all."] * left
        found[field] = _audited(target, field, [everybody, *shown], notes)
    keys = ("field", "figure", "group", "gap")
    rows = [tuple(one[key] for key in keys) for one in gaps]
    named = columns("words", "groups", "figure", "worst") + columns("number", "gap")
    found["worst"] = ResultTable("Worst group less everybody", named, rows)
    return with_rows(found)


def _audited(target: str, field: str, groups: Sequence[Group], notes: Sequence[str]) -> ResultTable:
    rows = [
        (
            *(shortened(group.name) or "(none)", group.n, group.unscored or None),
            *(group.figures.get(name) for name in ("rmse", "bias", "log_loss", "smooth_ece")),
            *(group.adjusted.get(name) for name in ("bias", "log_loss")),
        )
        for group in groups
    ]
    named = [Column(field.rpartition(".")[2]), *columns("count", "n", "unscored")]
    named += columns("number", "rmse", digits=2, ends="none")
    named += columns("number", "bias [95%]", digits=2)
    named += columns("number", "loss", "ece", digits=2, ends="none")
    named += columns("p", "p bias", "p loss")
    return ResultTable(f"{target} by {field}", named, rows, notes)


def importance_table(target: str, found: Mapping[str, Mapping[Along, Importance]]) -> ResultTable:
    """What a point more of each question is worth, along each kind of directions."""
    rows = [
        (
            question,
            way,
            one.mean.n,
            one.mean.unscored,
            one.mean,
            one.median,
            one.pooled,
            *(one.refitted or ()),
        )
        for question, ways in found.items()
        for way, one in ways.items()
    ]
    named = columns("words", "question", "along") + columns("count", "n", "unscored")
    named += columns("number", "mean [95%]", "median", "pooled", digits=2)
    note = "Intervals are over items; networks of other seeds differ by more (`refits`)."
    if any(one.refitted for ways in found.values() for one in ways.values()):
        named += columns("number", "mean, refitted [95%]", "pooled, refitted [95%]", digits=2)
        note = "Refitted: intervals over resampled items and ratings, and other first weights."
    return ResultTable(f"Worth of one point more, for {target}", named, rows, [note])


def predicted_table(question: str, means: RaterMeans) -> ResultTable:
    """What was predicted of whom."""
    rows = [
        (shortened(rater), one.n, one.unscored, one.mean, one.deviation, one.entropy)
        for rater, one in means.by_rater.items()
    ]
    named = columns("words", "rater") + columns("count", "items", "unscored")
    named += columns("number", "mean", "deviation", "entropy", digits=None)
    return ResultTable(f"{question}, predicted", named, rows)


def selection_table(
    chosen: Sequence[Selection], units: Sequence[Unit], target: str, most: int
) -> ResultTable:
    """What was chosen from each group."""
    rows = []
    for one in chosen:
        said = NONE
        if one.abstained:
            said = "(abstained)"
        elif one.chosen is not None:
            said = _unit(*units[one.chosen])
        figures = (one.reward, one.average, one.entropy)
        rows.append((shortened(one.group), said, len(one.candidates), *figures))
    named = columns("words", "group", "chosen") + columns("count", "of")
    named += columns("number", "reward", "average", "entropy", digits=2)
    return ResultTable(f"Highest expected {target}", named, rows).head(most)


def _unit(item: str, turn: int | None) -> str:
    return shortened(item) + ("" if turn is None else f", turn {turn}")
