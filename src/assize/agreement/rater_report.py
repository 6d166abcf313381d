"""Each rater beside the others of the same items: agreement, offset, speed, gold; what is disputed.

The mean of all answers' parts in alpha is alpha, so the table of raters says where it comes from.
Marks allow for the number of raters and questions: among raters who are alike, each kind of mark
stands beside somebody with a chance of about 5%.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from assize import stats
from assize.agreement.consistency import measure_consistency
from assize.agreement.disputed import DisputedItem, find_disputed, order_disputed
from assize.agreement.figures import LEVELS, all_together
from assize.agreement.join_questions import join_people
from assize.agreement.ordinary import ordinary_ratings
from assize.agreement.raters import compare_raters, others_mean, rater_names
from assize.agreement.result import READ_FIRST
from assize.agreement.rows import OverallFigure, RaterFigures
from assize.base.conversation import Continuation, Item
from assize.formats import ItemsLike, JudgmentsLike
from assize.formats.arguments import items_in, judgments_of, known_questions, names_of
from assize.judgments import JudgmentTable
from assize.judgments.answers import Columns, columns
from assize.judgments.values import name_answer
from assize.results import Column, Estimate, Result, Share, Table
from assize.stats import Interval, Level
from assize.stats._arrays import FloatArray
from assize.stats._statistics import StatisticsSettings

MOST_DISPUTED = 30  # rows that are shown
FEW = 10  # items below which nobody is marked
FAST, SLOW = 0.5, 2.0  # times the others' time
LEAST_RIGHT = 0.7  # share of gold answers below which a rater is marked
ANCHORS = (("highest", "rephras", 1), ("lowest", "random", -1))
"""What the names of sources hold that must be rated highest, and lowest (UPHELD, section 3)."""

Below = Annotated[Estimate | None, Column(digits=2, ends="below")]


@dataclass(frozen=True, slots=True)
class RaterMark:
    """Why a lead should look at a rater, or at the task where `rater` is ""."""

    rater: str
    mark: str


@dataclass(frozen=True, slots=True)
class RaterRow:
    """One rater, over all questions.

    Args:
        n: items that somebody else answered too.
        agreement: the rater's mean part in alpha: 1 is full agreement with the others of the same
            items, 0 is chance level.
        less: how much lower that is than what the others reach among themselves.
        correlation: mean over questions of the rank correlation with the others' mean, which no
            level changes; None with fewer than three raters.
        seconds: median time of an item; NaN where none was timed.
        speed: geometric mean of own time over that of the others of the same items.
        gold: share of gold answers that the rater gives too.
    """

    rater: str
    n: int
    agreement: Below
    less: Annotated[
        Estimate | None, Column("less than the others", digits=2, ends="below", signed=True)
    ]
    correlation: Annotated[
        Estimate | None, Column("Spearman with the rest", digits=2, ends="below")
    ]
    seconds: Annotated[float, Column(digits=0)]
    speed: Annotated[Estimate | None, Column("times the others' time", digits=2, ends="below")]
    gold: Annotated[Share | None, Column("gold right", "share", digits=0, unit="%", ends="below")]


@dataclass(frozen=True, slots=True)
class GroupSize:
    """Of the items with so many raters, in how many `largest` give one answer, and no more."""

    question: str
    raters: int
    largest: int
    items: Share


@dataclass(frozen=True, slots=True)
class MissedGold:
    """A gold answer that raters miss; one that nearly all miss says more about the gold answer."""

    item: str
    question: str
    expected: str
    right: Share


@dataclass(frozen=True, slots=True)
class SourceMean:
    """How the continuations of one source are rated; an item counts with the mean of its raters."""

    question: str
    source: str
    mean: Estimate


@dataclass(frozen=True, slots=True)
class RaterReport(Result):
    """How each rater compares with the others."""

    heading = "Raters"

    marks: Annotated[Sequence[RaterMark], Table("What to look at", "Who stands out, and how.")]
    overall: Annotated[
        Sequence[OverallFigure],
        Table("All raters together", "How far raters agree beyond chance.", "question"),
    ]
    rows: Annotated[
        Sequence[RaterRow],
        Table(
            "Raters over all questions", "Each rater compared with the others on the same items."
        ),
    ]
    by_question: Annotated[
        Sequence[RaterFigures],
        Table(
            "Raters by question",
            "Level: the mean less the others'. Consistency: the rank correlation with the rest,"
            " which no level changes.",
            "question",
            most=40,
        ),
    ]
    sizes: Annotated[
        Sequence[GroupSize],
        Table(
            "How many raters agree",
            "How often the largest group of raters with one answer has this size.",
            "question",
            notes=["As in MTDEval, appendix B."],
            most=40,
        ),
    ]
    disputed: Annotated[
        Sequence[DisputedItem],
        Table(
            "Disputed items",
            "What to discuss, most disputed first: 0 is full agreement, 1 is chance level.",
            most=MOST_DISPUTED,
        ),
    ]
    missed: Annotated[Sequence[MissedGold], Table("Gold answers that raters miss", most=30)]
    sources: Annotated[
        Sequence[SourceMean],
        Table(
            "Ratings by source",
            "Did raters of continuations understand? Rephrased references should be rated highest,"
            " random turns lowest.",
            "question",
        ),
    ]

    @property
    def table_notes(self) -> Mapping[str, Sequence[str]]:
        """Which figure to read first, and how to see the disputed items that are not shown."""
        several = len({row.question for row in self.disputed}) > 1
        question = "--question Q shows those of one question, " if several else ""
        hint = f"To see further rows: {question}--json has all."
        questions = {row.question for row in self.overall}
        return {
            "overall": [READ_FIRST] if len(questions) > 1 else [],
            "disputed": [hint] if len(self.disputed) > MOST_DISPUTED else [],
        }


def report_raters(
    judgments: JudgmentsLike,
    *,
    question: str | Sequence[str] = (),
    items: ItemsLike | None = None,
) -> RaterReport:
    """Compare each rater with the others of the same items: agreement, time, gold, disputed items.

    Agreement is measured on ordinary items, by each person's first answers. Answers to gold items
    and of a qualification are compared with the judge called gold.

    Args:
        judgments: folders of runs, or files of judgments, gold among them. In Python also
            records, dicts, and tables.
        question: only this question (repeatable). Default: all.
        items: the judged items: disputed ones show how they begin. With continuations that name
            sources, ratings by source are checked.

    Raises:
        ConfigError: a question that is named is not there.
        DataError: a row is bad, or there is no judgment.
    """
    table = join_people(judgments_of(judgments))
    wanted = names_of(question)
    if wanted is not None:
        table = table.where(question=known_questions(wanted, table.asked))
    return measure_raters(table, list(items_in(items)))


def measure_raters(table: JudgmentTable, items: Iterable[Item] = ()) -> RaterReport:
    """Return how each rater does beside the others; see `report_raters`."""
    items = list(items)
    ratings = ordinary_ratings(table).table
    questions = [name for name in ratings.asked if ratings.questions[name].kind != "text"]
    compared = [columns(ratings, name) for name in questions]
    names = sorted({name for block in compared for name in rater_names(block, None)})
    if not names:
        return RaterReport([], [], [], [], [], [], [], [])
    parts = {
        block.question.id: alpha_parts(
            matrix(block, names), LEVELS.get(block.question.kind, "nominal")
        )
        for block in compared
    }
    own, others = by_item(compared, [parts[block.question.id] for block in compared])
    speeds, seconds = compare_speeds(ratings, names)
    gold, missed = check_gold(table, names)
    sources: list[SourceMean] = []
    marks = [*mark_offsets(compared, names), *mark_sources(compared, items, sources)]
    consistency = measure_consistency(compared, names)
    rows = []
    for row, name in enumerate(names):
        less, stands_out = compare_agreement(own, others, row)
        if stands_out:
            text = f"agrees {less.estimate:.2f} less with the others than they do among themselves"
            marks.append(RaterMark(name, f"{text} ({less.n:,} items)"))
        correlation = consistency.estimate(row)
        theirs, inconsistent = consistency.compare(row, len(names))
        if correlation is not None and correlation.n >= FEW and inconsistent:
            figures = f"rank correlation {correlation.estimate:.2f}, theirs {theirs:.2f}"
            text = f"is less consistent than the others: {figures} ({correlation.n:,} items)"
            marks.append(RaterMark(name, text))
        speed = speeds.get(name)
        if speed is not None and speed.n >= FEW:
            low, high = speed.details["low"], speed.details["high"]
            if high < FAST or low > SLOW:
                marks.append(RaterMark(name, f"takes {speed.estimate:.2f} times the others' time"))
        right = gold.get(name)
        if right is not None and right.n >= FEW and right.estimate < LEAST_RIGHT:
            text = f"is right on {right.estimate:.0%} of {right.n:,} gold answers"
            sure = right.interval[1] < LEAST_RIGHT
            marks.append(RaterMark(name, text if sure else f"{text}, which may be chance"))
        known = own[row][~np.isnan(own[row])]
        rows.append(
            RaterRow(
                name,
                len(known),
                stats.mean(known),
                less,
                correlation,
                seconds.get(name, np.nan),
                speed,
                right,
            )
        )
    disputed = [
        row
        for block in compared
        for row in find_disputed(block, names, matrix(block, names), parts[block.question.id][0])
    ]
    disputed = order_disputed(disputed, {item.id: item for item in items})
    sizes = [row for block in compared for row in group_sizes(block, names)]
    how = StatisticsSettings()
    overall: list[OverallFigure] = []
    by_question: list[RaterFigures] = []
    for block in compared:
        clusters = np.asarray(block.items)
        overall += all_together(block, None, clusters, how)
        by_question += compare_raters(block, None, clusters, how)
    return RaterReport(marks, overall, rows, by_question, sizes, disputed, missed, sources)


def matrix(answers: Columns, names: Sequence[str]) -> FloatArray:
    """(R, N) the answers of these raters; NaN for none."""
    empty = np.full(len(answers.units), np.nan)
    return np.stack(
        [answers.by_judge[name].values if name in answers.by_judge else empty for name in names]
    )


def alpha_parts(values: FloatArray, level: Level) -> tuple[FloatArray, FloatArray]:
    """Return each answer's part in alpha (R, N), and the same of the others among themselves.

    A part is 1 less the mean distance to the others' answers to the same unit, as a share of the
    distance that chance would bring; NaN where nobody else answered, and of the others where fewer
    than two did. Their mean over all answers is alpha.

    Source: Krippendorff (2011), section 3: the observed disagreement is a mean over answers.
    """
    known = ~np.isnan(values)
    raters = known.sum(axis=0)
    pairable = values[known & (raters >= 2)]
    if level == "nominal":
        places = [values == value for value in np.unique(pairable)]
    elif level == "ordinal":  # distances between mean ranks
        different, counts = np.unique(pairable, return_counts=True)
        ranks = np.cumsum(counts) - counts / 2
        places = [np.interp(values, different, ranks) if len(different) else values]
    else:
        places = [values - pairable.mean() if len(pairable) else values]
    position = np.where(known, np.stack(places or [values]), 0.0)  # (C, R, N)
    total, squares = position.sum(axis=1), (position**2).sum(axis=1)
    apart = (raters * position**2 - 2 * position * total[:, None] + squares[:, None]).sum(axis=0)
    within = 2 * (raters * squares - total**2).sum(axis=0)
    pooled = position[:, known & (raters >= 2)]
    n = pooled.shape[1]
    with np.errstate(divide="ignore", invalid="ignore"):
        chance = 2 * (n * (pooled**2).sum() - (pooled.sum(axis=1) ** 2).sum()) / (n * (n - 1))
        own = 1 - apart / (raters - 1) / chance
        others = 1 - (within - 2 * apart) / ((raters - 1) * (raters - 2)) / chance
    own = np.where(known & (raters >= 2) & (chance > 0), own, np.nan)
    return own, np.where(~np.isnan(own) & (raters >= 3), others, np.nan)


def by_item(
    compared: Sequence[Columns], parts: Sequence[tuple[FloatArray, FloatArray]]
) -> tuple[FloatArray, FloatArray]:
    """Return parts in alpha (R, items) as means over questions and turns."""
    ids: dict[str, int] = {}
    places = [
        np.array([ids.setdefault(item, len(ids)) for item in block.items], dtype=int)
        for block in compared
    ]
    means = []
    for side in (0, 1):
        raters = len(parts[0][0]) if parts else 0
        total, count = np.zeros((raters, len(ids))), np.zeros((raters, len(ids)))
        for part, position in zip(parts, places, strict=True):
            rows, columns = np.nonzero(~np.isnan(part[side]))
            np.add.at(total, (rows, position[columns]), part[side][rows, columns])
            np.add.at(count, (rows, position[columns]), 1)
        with np.errstate(invalid="ignore"):
            means.append(total / count)
    return means[0], means[1]


def compare_agreement(own: FloatArray, others: FloatArray, row: int) -> tuple[Estimate, bool]:
    """Return how much less a rater agrees than the others, and whether that is beyond doubt.

    Paired with the others of the same items where these are two or more, else held to the items
    that the rater has not answered.
    """
    mine = ~np.isnan(own[row])
    wide = look_interval(len(own), one_sided=True)
    gap = (others - own)[row][mine]
    if 2 * (~np.isnan(gap)).sum() >= len(gap):
        less, sure = stats.mean(gap), stats.mean(gap, interval=wide)
    else:
        rest = np.delete(own, row, axis=0)[:, ~mine]
        rater, item = np.nonzero(~np.isnan(rest))
        clusters = item, len(own[0]) + np.arange(len(gap))
        less, sure = (
            stats.difference(
                rest[rater, item], own[row][mine], paired=False, clusters=clusters, interval=how
            )
            for how in (Interval(), wide)
        )
    enough = less.n >= FEW and len(gap) >= FEW
    return less, bool(enough and sure.interval[0] > 0)


def look_interval(looks: int, *, one_sided: bool = False) -> Interval:
    """The interval that keeps the chance of any false mark among so many at 5% (Bonferroni)."""
    return Interval(confidence=1 - (0.1 if one_sided else 0.05) / max(1, looks))


def mark_offsets(compared: Sequence[Columns], names: Sequence[str]) -> list[RaterMark]:
    """Mark who rates higher or lower than the others of the same items beyond doubt."""
    scaled = [block for block in compared if block.question.kind != "nominal"]
    marks, wide = [], look_interval(len(scaled) * len(names))
    for block in scaled:
        values, items = matrix(block, names), np.array(block.items)
        gap = values - others_mean(values)
        for row, name in enumerate(names):
            mine = ~np.isnan(gap[row])
            mean = stats.mean(gap[row][mine], clusters=items[mine], interval=wide)
            low, high = mean.interval
            if mean.clusters >= FEW and (low > 0 or high < 0):
                side = "higher" if mean.estimate > 0 else "lower"
                text = (
                    f"rates {abs(mean.estimate):.2f} {side} than the others on {block.question.id}"
                )
                marks.append(RaterMark(name, f"{text} ({mean.n:,} answers)"))
    return marks


def compare_speeds(
    table: JudgmentTable, names: Sequence[str]
) -> tuple[dict[str, Estimate], dict[str, float]]:
    """Return each rater's time beside that of the others of the same items, and median seconds.

    Time is that of a whole form (`seconds` in the details). The wide interval, of all raters looked
    at together, stands in `details`.
    """
    text = pc.struct_field(
        pc.extract_regex(table.arrow["details"], r'"seconds"\s*:\s*(?P<seconds>[0-9.]+)'), "seconds"
    )
    seconds = pc.cast(text, pa.float64()).to_numpy(zero_copy_only=False)
    judges, known = table.codes("judge")
    items, ids = table.codes("item")
    logs = np.full((len(names), len(ids)), np.nan)
    position = np.array([names.index(name) if name in names else -1 for name in known])[judges]
    timed = (seconds > 0) & (position >= 0)
    logs[position[timed], items[timed]] = np.log(seconds[timed])
    gap, speeds = logs - others_mean(logs), {}
    for row, name in enumerate(names):
        mean = stats.mean(gap[row][~np.isnan(gap[row])])
        wide = stats.mean(gap[row], interval=look_interval(len(names)))
        if mean.n:
            low, high = np.exp(mean.interval).tolist()
            sure = dict(zip(("low", "high"), np.exp(wide.interval).tolist(), strict=True))
            speeds[name] = replace(
                mean, estimate=float(np.exp(mean.estimate)), interval=(low, high), details=sure
            )
    spent = {name: np.exp(row[~np.isnan(row)]) for name, row in zip(names, logs, strict=True)}
    return speeds, {name: float(np.median(row)) for name, row in spent.items() if len(row)}


def check_gold(
    table: JudgmentTable, names: Sequence[str]
) -> tuple[dict[str, Share], list[MissedGold]]:
    """Return each rater's share of gold answers, and the gold answers that are missed."""
    right: dict[str, tuple[list[bool], list[str]]] = {}
    missed = []
    for question in table.asked if "gold" in table.judges else ():
        block = columns(table, question)
        if "gold" not in block.by_judge or block.question.kind == "text":
            continue
        gold, values = block.by_judge["gold"].values, matrix(block, names)
        known = ~np.isnan(values) & ~np.isnan(gold)
        for row, name in enumerate(names):
            hits, clusters = right.setdefault(name, ([], []))
            hits += (values[row] == gold)[known[row]].tolist()
            clusters += [block.items[unit] for unit in np.flatnonzero(known[row])]
        for unit in np.flatnonzero(known.any(axis=0)):
            hit = stats.share((values[:, unit] == gold[unit])[known[:, unit]])
            if hit.estimate < 1:
                expected = name_answer(block.question, float(gold[unit]))
                missed.append(MissedGold(block.items[unit], question, expected, hit))
    missed.sort(key=lambda row: (row.right.estimate, -row.right.n, row.item, row.question))
    shares = {
        name: stats.share(hits, clusters=items) for name, (hits, items) in right.items() if hits
    }
    return shares, missed


def group_sizes(answers: Columns, names: Sequence[str]) -> list[GroupSize]:
    """Return how many of an item's raters give the most frequent answer."""
    if answers.question.kind == "number" or not len(answers.units):
        return []
    bins = stats.agreement_bins(matrix(answers, names))
    rows = []
    for raters in sorted({*bins.rated[bins.rated >= 2].tolist()}, reverse=True):
        here = bins.rated == raters
        for largest in sorted({*bins.largest[here].tolist()}, reverse=True):
            hits = stats.share(
                (bins.largest == largest)[here], clusters=np.array(answers.items)[here]
            )
            rows.append(GroupSize(answers.question.id, int(raters), int(largest), hits))
    return rows


def mark_sources(
    compared: Sequence[Columns], items: Sequence[Item], means: list[SourceMean]
) -> list[RaterMark]:
    """Mark sources of continuations that are rated above rephrased references, or below random
    turns; the mean of each source is added to `means`.

    Source: UPHELD, section 3 and table 3, where both baselines bound all models.
    """
    known: Mapping[str, Continuation] = {
        item.id: item for item in items if isinstance(item, Continuation) and item.source
    }
    marks = []
    for block in compared if known else ():
        if block.question.kind in ("nominal", "preference"):
            continue
        rated: dict[str, tuple[list[float], list[str]]] = {}
        values = np.stack([column.values for column in block.by_judge.values() if column.person])
        count = (~np.isnan(values)).sum(axis=0)
        for item, total, n in zip(block.items, np.nansum(values, axis=0), count, strict=True):
            if n and item in known:
                entry = known[item]
                numbers, turns = rated.setdefault(str(entry.source), ([], []))
                numbers.append(float(total / n))
                turns.append(f"{entry.conversation or item}\x1f{entry.turn}")
        for source, (numbers, turns) in sorted(rated.items()):
            means.append(SourceMean(block.question.id, source, stats.mean(numbers, clusters=turns)))
        for extreme, part, sign in ANCHORS:
            marks += _breaches(block.question.id, rated, extreme, part, sign)
    return marks


def _breaches(
    question: str,
    rated: Mapping[str, tuple[list[float], list[str]]],
    extreme: str,
    part: str,
    sign: int,
) -> list[RaterMark]:
    marks = []
    anchors = [name for name in rated if part in name.casefold()]
    for anchor in anchors:
        for source in rated.keys() - anchors:
            (values, turns), (held, own) = rated[source], rated[anchor]
            gap = stats.difference(
                sign * np.array(values), sign * np.array(held), paired=False, clusters=(turns, own)
            )
            if gap.estimate > 0:
                side = "above" if sign > 0 else "below"
                chance = "" if gap.interval[0] > 0 else "; that may be chance"
                text = f"{question}: {source} is rated {gap.estimate:.2f} {side} {anchor}"
                marks.append(RaterMark("", f"{text}, which should be the {extreme}{chance}"))
    return marks
