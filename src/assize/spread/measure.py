"""How answers are spread: a density or shares for each question and group, with bands.

In the view that keeps raters apart no answers are drawn for a density: a drawn answer is one of
few, and no replicate of the expected answers whose density is shown.

Source: Hashemi et al. (2024), appendix A. Differs: see `bootstrap` and `density`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from assize.base.signature import sign
from assize.formats import ItemsLike, JudgmentsLike
from assize.formats.arguments import items_beside, judgments_of
from assize.formats.times import Period
from assize.judgments.values import name_answer
from assize.spread.bootstrap import (
    Sample,
    difference_test,
    estimate_mean,
    estimate_share,
    grid_counts,
    side_means,
)
from assize.spread.density import few_values, kernel, kernel_width, make_grid, strip_edges
from assize.spread.groups import make_groups, name_panel, pair_groups
from assize.spread.look import Look, look_at
from assize.spread.options import SpreadOptions
from assize.spread.over_time import follow
from assize.spread.ratings import FloatArray, Ratings, gather_ratings
from assize.spread.result import (
    AnswerShare,
    Distribution,
    Fallen,
    GroupMean,
    PeriodFigure,
    Spread,
)
from assize.stats import adjust
from assize.stats._resampling import draw_weights

METHOD = 1  # rises when numbers can change
READ = 10  # conversations that fell furthest


def spread(
    judgments: JudgmentsLike,
    *,
    items: ItemsLike | None = None,
    options: SpreadOptions = SpreadOptions(),  # noqa: B008  (frozen)
) -> Spread:
    """Return how answers are spread over conversations, with bands.

    For each question a density, or the shares of its answers, for all conversations or for each
    value of a field: systems, versions, topics. Bands and intervals draw raters, the answers of
    predicted raters, and conversations anew.

    Args:
        judgments: folders of runs, files of judgments, records or tables.
        items: what was judged, for fields, times and pairs by prompt.
        options: what is shown, and how.

    Raises:
        ConfigError: there is no such question, field, value or rater.
        DataError: a row is bad, or no question has numbers or answers to choose from.
    """
    table = judgments_of(judgments)
    labelled = [name for name in (options.by, options.where.partition(":")[0]) if name]
    beside = items_beside(judgments, items)
    ratings = gather_ratings(table, beside, fields=labelled or None, time=options.time)
    return measure_spread(ratings, options)


def measure_spread(ratings: Ratings, options: SpreadOptions = SpreadOptions()) -> Spread:  # noqa: B008
    """Return how the answers in `ratings` are spread; without `every` nothing over time.

    Raises:
        ConfigError: there is no such question, field, value or rater.
    """
    groups = make_groups(ratings, options)
    questions = [ratings.question(name) for name in options.questions] or ratings.questions
    distributions: list[Distribution] = []
    means: list[GroupMean] = []
    shares: list[AnswerShare] = []
    periods: list[PeriodFigure] = []
    spans: Sequence[Period] = []
    fallen: list[Fallen] = []
    for question in questions:
        look = look_at(ratings, options, question, groups)
        distribution, rows, columns = measure_question(look)
        distributions.append(distribution)
        means += rows
        shares += columns
        if options.every:
            spans, figures = follow(look)
            periods += figures
        if question.kind != "nominal" and not fallen:
            fallen = find_fallen(look)
    adjusted = adjust([np.nan if row.test is None else row.test.p_value for row in means])
    means = [judge_difference(row, p, ratings) for row, p in zip(means, adjusted, strict=True)]
    how = options.resampling
    settings = {
        "by": options.by or None,
        "where": options.where or None,
        "raters": ", ".join(options.raters) or None,
        "apart": options.apart or None,
        "every": options.every or None,
        "draws": "+".join(how.sources),
        "replicates": how.replicates,
        "confidence": how.confidence,
        "seed": how.seed,
    }
    notes = list(ratings.notes)
    if groups.left_out:
        notes.append(f"six groups are the most; left out: {', '.join(groups.left_out)}")
    values = [[row.mean.estimate for row in means], [row.share.estimate for row in shares]]
    signature = sign("spread", METHOD, settings, values)
    return Spread(
        int((groups.code >= 0).sum()),
        means,
        shares,
        periods,
        fallen,
        distributions,
        spans,
        groups,
        notes,
        settings,
        signature,
    )


def measure_question(
    look: Look,
) -> tuple[Distribution, Sequence[GroupMean], Sequence[AnswerShare]]:
    """Return what the chart of a question shows, and the figures of its groups."""
    question, numbers = look.question, look.numbers
    raters = name_panel(look.ratings, look.panel)
    if question.kind == "nominal":
        words = [name_answer(question, answer) for answer in question.answers]
        shares = share_rows(look, words, look.means(look.observed), look.resample(look.means))
        return Distribution(question, raters, None, {}, np.zeros(0)), [], shares
    apart, groups = look.options.apart, look.groups
    grid, few = make_grid(question, numbers), few_values(numbers)
    if few is None:
        weights = kernel(grid, kernel_width(numbers, grid, 0.0 if apart else answer_step(look)))
    else:
        weights = np.eye(len(few))[np.abs(grid.centres[:, None] - few).argmin(axis=1)]
    count = (
        look.count_apart(grid)
        if apart
        else lambda sample: grid_counts(sample, grid, groups.code, len(groups.names))
    )

    def summarize(sample: Sample) -> FloatArray:
        counts = count(sample)
        with np.errstate(invalid="ignore"):
            heights = (counts @ weights) / counts.sum(axis=1, keepdims=True)
        return np.hstack([look.means(sample), heights])

    value, replicates = summarize(look.observed), look.resample(summarize, answers=not apart)
    means = mean_rows(look, value[:, 0], replicates[:, :, 0])
    if few is not None:
        words = [name_answer(question, number) for number in few.tolist()]
        shares = share_rows(look, words, value[:, 1:], replicates[:, :, 1:])
        return Distribution(question, raters, grid, {}, np.zeros(0), few), means, shares
    tail = (1 - look.options.resampling.confidence) / 2
    curves = {
        name: np.stack(
            [value[row, 1:], *np.quantile(replicates[:, row, 1:], [tail, 1 - tail], axis=0)]
        )
        for row, name in enumerate(groups.names)
        if not np.isnan(value[row, 0])
    }
    return Distribution(question, raters, grid, curves, strip_edges(grid, numbers)), means, []


def answer_step(look: Look) -> float:
    """How far means of drawn answers are from each other; 0 where none are drawn."""
    replicates = look.answers.predicted[look.panel].any()
    if not replicates or "answers" not in look.options.resampling.sources:
        return 0.0
    return float(np.diff(look.answers.levels[0]).min() / len(look.panel))


def mean_rows(look: Look, value: FloatArray, replicates: FloatArray) -> list[GroupMean]:
    """Return the mean of each group from its value (S,) and replicates (B, S)."""
    how, names = look.options.resampling, look.groups.names
    counts, rows = look.counts(look.groups.code, len(names)), []
    for row, name in enumerate(names):
        n, conversations = int(counts.n[row]), int(counts.conversations[row])
        mean = estimate_mean(float(value[row]), replicates[:, row], conversations, how, n=n)
        means = GroupMean(
            look.question.id,
            name,
            n,
            int(counts.unscored[row]),
            int(counts.not_applicable[row]),
            mean,
        )
        if row:
            change, changes, size = compare_with_first(look, row, value, replicates)
            means = replace(
                means,
                difference=estimate_mean(change, changes, size, how),
                test=difference_test(change, changes, size, how),
            )
        rows.append(means)
    return rows


def compare_with_first(
    look: Look, row: int, value: FloatArray, replicates: FloatArray
) -> tuple[float, FloatArray, int]:
    """Return a group's mean less the first's, the same in replicates (B,), and on how many.

    Over pairs where conversations have the same prompts: pairs are drawn as pairs.
    """
    pairs = None if look.options.apart else pair_groups(look.ratings, look.groups, row)
    if pairs is None:
        counts = look.counts(look.groups.code, len(look.groups.names)).conversations
        return (
            float(value[row] - value[0]),
            replicates[:, row] - replicates[:, 0],
            int(counts[[0, row]].min()),
        )
    again = "conversations" in look.options.resampling.sources

    def summarize(sample: Sample) -> FloatArray:
        change = side_means(sample, pairs[1]) - side_means(sample, pairs[0])
        change = change[~np.isnan(change)]
        weights = np.ones(len(change))
        if again and sample is not look.observed:
            weights = draw_weights(1, len(change), look.rng)[0]
        mean = weights @ change / len(change) if len(change) else np.nan
        return np.asarray([mean, len(change)])

    changes = look.resample(summarize, conversations=False)
    change, size = summarize(look.observed)
    return float(change), changes[:, 0], int(size)


def share_rows(
    look: Look, words: Sequence[str], value: FloatArray, replicates: FloatArray
) -> list[AnswerShare]:
    """Return the share of each answer in each group, from values (S, K) and replicates."""
    how, names = look.options.resampling, look.groups.names
    counts, rows = look.counts(look.groups.code, len(names)), []
    for column, word in enumerate(words):
        for row, name in enumerate(names):
            n, size = int(counts.n[row]), int(counts.conversations[row])
            share, answers = float(value[row, column]), int(counts.answers[row])
            estimate = estimate_share(
                share, replicates[:, row, column], size, how, n=n, answers=answers
            )
            less = None
            if row:
                changes = replicates[:, row, column] - replicates[:, 0, column]
                least = int(counts.conversations[[0, row]].min())
                less = estimate_mean(share - float(value[0, column]), changes, least, how)
            unscored = int(counts.unscored[row])
            rows.append(AnswerShare(look.question.id, word, name, n, unscored, estimate, less))
    return rows


def judge_difference(row: GroupMean, p: float, ratings: Ratings) -> GroupMean:
    """Return the row with its adjusted p-value and what its difference means."""
    if row.difference is None:
        return row
    higher, verdict = ratings.question(row.question).higher, "not shown"
    if p < 0.05:
        rises = row.difference.estimate > 0
        verdict = "higher" if rises else "lower"
        if higher in ("better", "worse"):
            verdict = "better" if rises == (higher == "better") else "worse"
    return replace(row, p_holm=p, verdict=verdict)


def find_fallen(look: Look) -> list[Fallen]:
    """Return the conversations of each other group that are furthest below their pair."""
    value, ids = look.conversation_means, look.ratings.items["id"]
    sign_of = -1 if look.question.higher == "worse" else 1
    rows = []
    for group, name in list(enumerate(look.groups.names))[1:]:
        pairs = pair_groups(look.ratings, look.groups, group)
        if pairs is None:
            continue
        before = side_means(look.observed, pairs[0])
        change = np.where(pairs[1] >= 0, value - before[pairs[1]], np.nan)
        order = np.argsort(np.where(sign_of * change < 0, sign_of * change, np.inf))
        for position in order[:READ].tolist():
            if sign_of * change[position] < 0:
                other = int(np.flatnonzero(pairs[0] == pairs[1][position])[0])
                row = look.question.id, ids[position].as_py(), name, ids[other].as_py()
                rows.append(Fallen(*row, float(value[position]), float(change[position])))
    return rows
