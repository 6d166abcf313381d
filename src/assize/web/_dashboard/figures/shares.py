"""How often each answer to a nominal question is given: shares, with intervals, by group.

Put together, each conversation counts once, with the shares of its raters who give each answer;
kept apart, each rater's answer counts. A predicted rater gives each answer with its probability,
so a share is what is expected of the raters, and answers drawn from the predictions are
replicates of it in both views.

A conversation *has* the answer that most of its raters give (`most_given`); that is what lists
hold, so with several raters a share need not be that of the conversations listed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assize.base.errors import ConfigError
from assize.base.judgment import Question
from assize.base.signature import sign
from assize.results import to_json
from assize.stats._resampling import percentile_ends
from assize.web._dashboard.figures.charts import Look, numbers_of, rounded
from assize.web._dashboard.figures.panels import panel_of
from assize.web._dashboard.figures.replicates import drawn_shares, group_means
from assize.web._dashboard.figures.resampling import Drawing, Drawn, RaterVotes, Resampler
from assize.web._dashboard.prepared.view import FloatArray, IntArray, View

METHOD = 1  # rises when numbers can change
SPLIT = "(split)"
"""What the answer of a conversation is called whose raters give several equally often."""


@dataclass(frozen=True, slots=True, eq=False)
class Answered:
    """One group's answers.

    Args:
        share: (K,) of each answer; NaN without any.
        listed: (K + 1,) conversations that have each answer, or answers of a rater; last those
            whose raters are split.
        n: what is counted: conversations, or answers of a rater.
        conversations: how many these are of.
        unscored: conversations of the group without an answer.
    """

    name: str
    share: FloatArray
    listed: IntArray
    n: int
    conversations: int
    unscored: int


@dataclass(frozen=True, slots=True, eq=False)
class AnswerShares:
    """How one nominal question is answered.

    Args:
        left_out: groups that are not drawn, as there are more than six; the smallest ones.
        skipped, unscored: answers that are not applicable, and that could not be made.
    """

    look: Look
    question: Question
    groups: tuple[Answered, ...]
    left_out: tuple[str, ...]
    skipped: int
    unscored: int


@dataclass(frozen=True, slots=True, eq=False)
class ShareBand:
    """How far one group's shares can be trusted.

    Args:
        low, high: (K,) ends; NaN where all replicates are the same.
        apart: (K, 2) ends of the share less that of the first group; NaN of the first itself.
    """

    name: str
    low: FloatArray
    high: FloatArray
    apart: FloatArray


@dataclass(frozen=True, slots=True)
class ShareBands:
    """The intervals of `shares_of`."""

    bands: tuple[ShareBand, ...]
    drawn: Drawn


def share_bands_to_json(bands: ShareBands) -> dict[str, Any]:
    """Return intervals of shares as they are kept."""
    rows = [
        {
            "name": band.name,
            "low": rounded(band.low),
            "high": rounded(band.high),
            "apart": [rounded(ends) for ends in band.apart],
        }
        for band in bands.bands
    ]
    return {"bands": rows, "kind": "answers", "drawn": to_json(bands.drawn)}


def answer_at(question: Question, answer: str) -> int:
    """The place by which an answer, or `SPLIT`, is counted and listed.

    Raises:
        ConfigError: the question does not name it, or is not nominal.
    """
    if question.kind != "nominal":
        raise ConfigError(f"{question.id} has numbers: a region has two ends, `low` and `high`")
    if answer in question.answers:
        return question.answers.index(answer)
    if answer == SPLIT:
        return len(question.answers)
    raise ConfigError(
        f"{question.id} has no answer {answer!r}; there are {', '.join(question.answers)}"
    )


def answer_in(question: Question, low: float, high: float) -> str:
    """The answer that a region of places holds; "" where it holds several, or none."""
    names = (*question.answers, SPLIT)
    held = [name for place, name in enumerate(names) if low <= place <= high]
    return held[0] if len(held) == 1 else ""


def shares_of(view: View, look: Look) -> AnswerShares:
    """How a nominal question is answered, without intervals.

    Raises:
        ConfigError: the question is not nominal, or as `numbers_of`.
    """
    question = view.question(look.question)
    if question.kind != "nominal":
        raise ConfigError(f"the answers to {question.id} are numbers: they have a density")
    found = numbers_of(view, look)
    cells, panel = view.cells(look.question), panel_of(view, look.panel)
    answers, groups = len(question.answers), len(found.names)
    votes, count = votes_of(view, look)
    share = group_means(
        votes, count, np.ones(view.size), found.code, groups, disaggregated=look.disaggregated
    )
    group = found.code[found.unit]
    flat = group * (answers + 1) + found.value.astype(np.intp)
    listed = np.bincount(flat, minlength=groups * (answers + 1)).reshape(groups, -1)
    named = []
    for at, name in enumerate(found.names):
        unit = found.unit[group == at]
        here = len(unit) if found.rater is None else int(np.count_nonzero(np.bincount(unit)))
        named.append(
            Answered(name, share[at], listed[at], len(unit), here, int(found.size[at]) - here)
        )
    return AnswerShares(
        look,
        question,
        tuple(named),
        found.left_out,
        int(cells.skipped[list(panel)].sum()),
        int(cells.unscored[list(panel)].sum()),
    )


def votes_of(view: View, look: Look) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """(K, U) how many raters give each answer, with their probabilities, and (U,) how many there
    are."""
    cells, panel = view.cells(look.question), panel_of(view, look.panel)
    draws = Resampler(cells, panel, view.size, Drawing(()), np.random.default_rng(0))
    return RaterVotes(draws, len(view.question(look.question).answers)).draw()


def share_bands_of(view: View, look: Look, how: Drawing, seed: int) -> ShareBands:
    """The intervals of `shares_of`: percentiles of replicates.

    Args:
        seed: with the look it decides every draw.
    """
    found, answers = numbers_of(view, look), len(view.question(look.question).answers)
    rng = np.random.default_rng([seed, int(sign(look.said), 16)])
    cells, panel = view.cells(look.question), panel_of(view, look.panel)
    draws = Resampler(cells, panel, view.size, how, rng)
    drawn = drawn_shares(
        draws, answers, found.code, len(found.names), disaggregated=look.disaggregated
    )
    bands = []
    for at, name in enumerate(found.names):
        ends, apart = _ends(drawn[:, at], how), _ends(drawn[:, at] - drawn[:, 0], how)
        bands.append(ShareBand(name, ends[:, 0], ends[:, 1], apart))
    return ShareBands(tuple(bands), draws.told(seed, METHOD, view.made_of, look.said))


def _ends(drawn: FloatArray, how: Drawing) -> FloatArray:
    """(K, 2) percentile ends of replicates (B, K)."""
    return np.array([percentile_ends(one, how.confidence).interval for one in drawn.T])
