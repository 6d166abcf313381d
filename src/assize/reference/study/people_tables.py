"""Tables of people: how far they agree, and what they say of each source.

In the shape of UPHELD's tables 4, 5 and 12, and figures 1, 7 and 12.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from assize.reference.study.association import SHORT
from assize.reference.study.data import DataSet
from assize.reference.study.levels import ALL, ANY, LEVELS
from assize.reference.study.studied import ReferenceStudy, Studied
from assize.results import Column, ResultTable, columns
from assize.results.columns import Cell
from assize.stats import Estimate


def of_set(data: DataSet) -> str:
    """A data set in a title; nothing where all items are one."""
    if data.name == "all":
        return " (simulated)" if data.simulated else ""
    return f", {data.title}"


def kept_table(found: ReferenceStudy) -> ResultTable:
    """How many items reach each level of agreement (figure 7)."""
    several = len(found.sets) > 1
    rows = [
        (
            *([one.data.title] if several else []),
            one.target,
            one.levels.kept.perfect.n,
            *one.levels.shares.values(),
            one.levels.kept.perfect.unscored,
        )
        for one in found.rows
        if one.levels.reason is None
    ]
    shape = [
        *columns("words", *(["data"] if several else []), "target"),
        Column("items", "count"),
        *(Column(name, "percent", 1, ends="below", unit="%") for name in LEVELS),
        Column("one rating", "count"),
    ]
    notes = [
        "perfect: all ratings of an item are the same; majority: more than half; plurality: one is"
        " given more often than any other. Each level holds those above it. Shares are of items"
        " with two ratings or more."
    ]
    simulated = "" if several else of_set(found.sets[0])
    title = f"Items kept by how far people agree{simulated}"
    return ResultTable(title, shape, rows, notes)


def agreement_table(own: Sequence[Studied], data: DataSet) -> ResultTable:
    """Kappa and alpha by source (table 4)."""
    rows = [
        (one.target, source.name, source.items, source.kappa, source.alpha)
        for one in own
        if one.ratings.several
        for source in one.sources
    ]
    shape = [
        Column("target"),
        Column("source"),
        Column("items", "count"),
        *columns("number", "Fleiss' kappa", "alpha", digits=2, ends="below"),
    ]
    notes = ["alpha: Krippendorff's, on answers in order (on numbers with equal distances)."]
    title = f"Agreement between people by source{of_set(data)}"
    return ResultTable(title, shape, rows, notes, grouped=True)


def aggregate_table(own: Sequence[Studied], data: DataSet) -> ResultTable:
    """Scores as a share of the best that they could be (figure 1)."""
    names = list(dict.fromkeys(source.name for one in own for source in one.sources))
    rows = []
    for name in names:
        by = {one.target: next((s for s in one.sources if s.name == name), None) for one in own}
        rows.append((name, *(None if s is None else s.aggregate for s in by.values())))
    shape = [
        Column("source"),
        *(Column(one.target, "percent", 1, ends="below", unit="%") for one in own),
    ]
    notes = [
        "Sum of the ratings over the sum of the highest that they could be (UPHELD, E.1): on a"
        " scale from 1 to 5 the least is 20%."
    ]
    return ResultTable(f"Aggregate score by source{of_set(data)}", shape, rows, notes)


def levels_table(own: Sequence[Studied], data: DataSet) -> ResultTable:
    """Metrics where people agree more and more, and the change (table 12)."""
    shape = [
        *columns("words", "metric", "target", "figure"),
        *columns("number", "means", ALL, digits=2, ends="none"),
    ]
    for name in LEVELS:
        shape.append(Column(name, "number", 2, ends="none"))
        shape.append(Column(f"Δ% {name[:3]}.", "number", 1, signed=True))
    rows: list[Sequence[Cell]] = []
    targets = [one for one in own if one.levels.rows]
    names = list(dict.fromkeys(row.column for one in targets for row in one.levels.rows))
    for name in names:
        for one in targets:
            for row in one.levels.rows:
                if row.column == name:
                    cells: list[Cell] = [name, one.target, SHORT[row.statistic], row.means]
                    cells.append(row.figures[ALL])
                    for level in LEVELS:
                        cells += [row.figures[level], row.change[level]]
                    rows.append(cells)
    notes = [
        "all: every rating a row; from plurality on the target is the mode of an item, so that the"
        " first change is of items and of the target. means: all items with their mean rating."
        " Δ%: in percent against the level before. Where people agree ratings are also further"
        " apart, which raises a correlation by itself."
    ]
    title = f"Agreement by how far people agree{of_set(data)}"
    return ResultTable(title, shape, rows, notes, grouped=len(targets) > 1)


def accuracy_table(one: Studied, *, balanced: bool) -> ResultTable:
    """Judges against the mode, by exclusive level (table 5)."""
    judges = list(one.bins[0].judges) if one.bins else []
    people = [] if balanced else [Column("people", "number", 2, ends="none")]
    people += [] if balanced else [Column("one by the others", "number", 2, ends="none")]
    shape = [
        Column("level"),
        Column("items", "count"),
        *people,
        *(Column(name, "number", 2, ends="below") for name in judges),
    ]
    rows = []
    for found in one.bins if judges or not balanced else ():
        own = [] if balanced else [found.people, found.others]
        said = (found.judges[name] for name in judges)
        cells = [each.balanced if balanced else each.right for each in said]
        shown = (told(one) if found.n else math.nan for one in cells)
        rows.append((found.level, found.n, *own, *shown))
    what = "Balanced accuracy" if balanced else "Accuracy"
    notes = [
        "An item stands in the highest level that it reaches alone; any: all of them. The mode is"
        " the answer to give; to yes and no judges it is yes above the middle of the scale."
    ]
    if balanced:
        notes = ["Mean over the modes' values of the share of their items."]
    else:
        notes.append(
            "people: share of an item's ratings that are its mode, which they themselves made: two"
            " of five are 0.40. one by the others: a rating against the mode of the others,"
            " which compares with a judge."
        )
    return ResultTable(f"{what} by agreement: {one.target}{of_set(one.data)}", shape, rows, notes)


def told(found: Estimate) -> Cell:
    """A figure, or the reason why there is none."""
    return (found.reason or math.nan) if math.isnan(found.estimate) else found


def people_table(one: Studied) -> ResultTable:
    """What people's own figure is made of: how many of how many ratings are the mode."""
    rows = [
        (found.level, f"{k} of {m}", n, k / m)
        for found in one.bins
        if found.level != ANY
        for (k, m), n in sorted(found.counts.items())
    ]
    shape = [
        Column("level"),
        Column("ratings at the mode"),
        Column("items", "count"),
        Column("share", "number", 2),
    ]
    title = f"How people's own accuracy comes about: {one.target}{of_set(one.data)}"
    notes = ["The figure of a level is the mean of these shares over its items."]
    return ResultTable(title, shape, rows, notes)


def answers_table(one: Studied) -> ResultTable:
    """How often each answer was given, by source (figure 12)."""
    values = sorted({value for source in one.sources for value in source.counts})
    shape = [Column("source"), Column("ratings", "count")]
    shape += [Column(f"{value:.3g}", "percent", 1, unit="%") for value in values]
    rows = []
    for source in one.sources:
        total = sum(source.counts.values())
        shares = [source.counts.get(value, 0) / total if total else math.nan for value in values]
        rows.append((source.name, total, *shares))
    return ResultTable(f"Ratings by source: {one.target}{of_set(one.data)}", shape, rows)
