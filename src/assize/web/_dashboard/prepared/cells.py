"""From judgments of one question to cells: one number a rater and conversation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from assize.base.judgment import Question
from assize.judgments import JudgmentTable
from assize.judgments.combine import Combined, combine
from assize.judgments.values import scale_of, value_of_answer
from assize.web._dashboard.prepared.view import CALIBRATED, Cells, FloatArray, IntArray, Rater

STEPS = 1 << 16  # equally likely numbers that answers are drawn by


def cells_of(
    table: JudgmentTable,
    question: Question,
    raters: Sequence[Rater],
    items: Mapping[str, int],
) -> Cells:
    """The answers to a question, as numbers.

    Repeats and orders are put together as everywhere (`assize.judgments.combine`); where nothing
    was said of whole conversations, the turns of each are averaged. Answers to a nominal question
    are their places among its answers; of turns the one most frequent answer counts, and where
    several are the conversation is unscored.

    Args:
        table: rows that all answer `question`.
        raters: all raters of the view; every judge of the table is among them.
        items: the place of each conversation.
    """
    whole = table.where(turn=None)
    table = whole if len(whole) else table
    found = combine(table, question)
    size = len(items)
    rater = _places(found, raters)
    unit = np.array([items[item] for item, _ in found.units], dtype=np.int64)[found.unit]
    key = rater * size + unit
    scored = ~np.isnan(found.values)
    joined = _most_frequent if question.kind == "nominal" else _means
    keys, value, count = joined(key[scored], found.values[scored])
    split = len(keys) < scored.sum() and question.kind == "nominal"
    lost = _others(key[found.unscored | scored] if split else key[found.unscored], keys)
    skipped = _others(key[found.not_applicable], np.union1d(keys, lost) if len(lost) else keys)
    owner = keys // size if size else keys
    starts = np.searchsorted(owner, np.arange(len(raters) + 1))
    levels, cuts, drawn = _draws(table, question, found, key, keys, count, raters, starts)
    return Cells(
        starts,
        (keys - owner * size).astype(np.int32),
        value,
        levels,
        cuts,
        drawn,
        *(np.bincount(one // max(size, 1), minlength=len(raters)) for one in (keys, lost, skipped)),
    )


def _places(found: Combined, raters: Sequence[Rater]) -> IntArray:
    """(C,) the place of each cell's rater among all of the view."""
    place = {one.name: at for at, one in enumerate(raters)}
    return np.array([place[name] for name in found.judges], dtype=np.int64)[found.judge]


def _others(found: IntArray, known: IntArray) -> IntArray:
    """Those that are not among the known ones, which rise; each once."""
    found = np.unique(found)
    if not len(found) or not len(known):
        return found
    at = np.minimum(np.searchsorted(known, found), len(known) - 1)
    return np.asarray(found[known[at] != found])


def _means(key: IntArray, values: FloatArray) -> tuple[IntArray, FloatArray, IntArray]:
    """Different keys, rising, the mean of the values of each, and how many these were."""
    order = np.argsort(key, kind="stable")
    key, values = key[order], values[order]
    first = np.flatnonzero(np.r_[True, key[1:] != key[:-1]]) if len(key) else np.arange(0)
    count = np.diff(np.r_[first, len(key)])
    if len(first) == len(key):
        return key, values, count
    return key[first], np.add.reduceat(values, first) / count, count


def _most_frequent(key: IntArray, values: FloatArray) -> tuple[IntArray, FloatArray, IntArray]:
    """The same of places: the one most frequent of each key; a key without one is left out."""
    width = int(values.max(initial=0)) + 1
    pair, times = np.unique(key * width + values.astype(np.int64), return_counts=True)
    owner = pair // width
    order = np.lexsort((times, owner))
    pair, times, owner = pair[order], times[order], owner[order]
    last = np.flatnonzero(np.diff(owner, append=-1))  # of each key, with its most frequent place
    before = np.maximum(last - 1, 0)
    tied = (last > 0) & (owner[before] == owner[last]) & (times[before] == times[last])
    kept = last[~tied]
    count = np.unique(key, return_counts=True)[1][~tied]
    return owner[kept], (pair[kept] % width).astype(np.float64), count


def _draws(
    table: JudgmentTable,
    question: Question,
    found: Combined,
    key: IntArray,
    keys: IntArray,
    count: IntArray,
    raters: Sequence[Rater],
    starts: IntArray,
) -> tuple[FloatArray, NDArray[np.uint16] | None, NDArray[np.bool_]]:
    """What answers of calibrated raters are drawn by: levels, cuts, and of whom."""
    none = np.empty(0), None, np.zeros(len(raters), dtype=bool)
    calibrated = np.array([one.name.startswith(CALIBRATED) for one in raters], dtype=bool)
    if not calibrated.any() or not table.present("distribution").any():
        return none
    row, share, p, answers = table.shares()
    worth = [_worth(one, question) for one in answers]
    levels = np.unique([one for one in worth if one is not None])
    if len(levels) < 2:
        return none
    level = np.array([-1 if one is None else int(np.searchsorted(levels, one)) for one in worth])
    valued = (level[share] >= 0) & (p > 0)
    row, place, p = row[valued], level[share][valued], p[valued]
    rows_of = np.bincount(found.cell, minlength=len(key))  # rows of each cell
    at = np.searchsorted(keys, key)  # of each combined cell its cell here
    there = (at < len(keys)) & (keys[np.minimum(at, len(keys) - 1)] == key)
    alone = there & (rows_of == 1)
    alone[alone] = count[at[alone]] == 1
    kept = alone[found.cell[row]]
    mine = at[found.cell[row[kept]]]
    mass = np.bincount(mine * len(levels) + place[kept], p[kept], len(keys) * len(levels))
    shares = mass.reshape(len(keys), len(levels))
    total = shares.sum(axis=1)
    full = np.r_[0, np.cumsum(total > 0)]
    drawn = calibrated & (np.diff(full[starts]) == np.diff(starts)) & (np.diff(starts) > 0)
    if not drawn.any():
        return none
    up_to = np.cumsum(shares, axis=1)[:, :-1] / np.maximum(total, 1e-300)[:, None]
    cuts = np.minimum(np.rint(up_to * STEPS), STEPS - 1).astype(np.uint16)
    return levels, np.ascontiguousarray(cuts.T), drawn


def _worth(answer: str, question: Question) -> float | None:
    if question.kind == "nominal":
        return scale_of(question).get(answer)
    return value_of_answer(answer, question)
