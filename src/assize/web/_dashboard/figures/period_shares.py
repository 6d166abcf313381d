"""How often each answer to a nominal question is given over time: a share for each period.

Conversations and raters count as in `shares`, with the same replicates, drawn within each period of
each group. Intervals are Wilson's with the replicates' standard error (`share_by_replicates`): a
period may have a dozen conversations, and an answer that nobody gives.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from assize.base.errors import ConfigError
from assize.base.judgment import Question
from assize.base.signature import sign
from assize.formats.times import periods_of
from assize.results import Estimate, to_json
from assize.web._dashboard.figures.charts import MOST, Look, groups_of
from assize.web._dashboard.figures.estimates import share_by_replicates
from assize.web._dashboard.figures.panels import panel_of
from assize.web._dashboard.figures.periods import SHARE, OverTime, Timeline
from assize.web._dashboard.figures.replicates import drawn_shares, group_means
from assize.web._dashboard.figures.resampling import Drawing, Drawn, Resampler
from assize.web._dashboard.figures.shares import votes_of
from assize.web._dashboard.prepared.view import FloatArray, IntArray, View

METHOD = 1  # rises when numbers can change


@dataclass(frozen=True, slots=True, eq=False)
class _Shares:
    """The shares of each answer in C cells: a cell is a period of a group.

    Args:
        share, drawn: (C, K), and (B, C, K) replicates of it.
        conversations, answers: (C,) that were answered, and raters' answers about them.
        n: (C,) the one of these that is counted.
    """

    share: FloatArray
    drawn: FloatArray
    conversations: IntArray
    answers: IntArray
    n: IntArray
    told: Drawn

    def figure(self, cell: int, answer: int) -> Estimate | None:
        if not self.conversations[cell]:
            return None
        return share_by_replicates(
            float(self.share[cell, answer]),
            self.drawn[:, cell, answer],
            int(self.conversations[cell]),
            int(self.answers[cell]),
            int(self.n[cell]),
            self.told,
        )


def shares_over_time(
    view: View,
    look: Look,
    *,
    every: str = "week",
    answer: str = "",
    how: Drawing = Drawing(),  # noqa: B008  (frozen)
    seed: int = 0,
) -> OverTime:
    """How often answers are given in each period.

    Args:
        every: day, week, month, or a number of conversations.
        answer: of this one a line for each group; "" for a line for each answer (the six that are
            given most), or for the first answer where the look splits into groups.
        how: what the intervals draw.
        seed: with the look it decides every draw.

    Raises:
        ConfigError: the question is not nominal or has no such answer, the view has no times, or
            something is not allowed.
    """
    question = view.question(look.question)
    answer = _asked(question, look, answer)
    if view.at is None:
        raise ConfigError("these conversations have no times; name the field in `time`")
    group, names, left_out = groups_of(view.fields, look.by, view.size, look.where)
    votes, count = votes_of(view, look)
    there = (count > 0) & (group >= 0)
    unit = np.flatnonzero(there & ~np.isnan(view.at))
    period, periods = periods_of(view.at[unit], every)
    code = np.full(view.size, -1)
    code[unit] = group[unit] * len(periods) + period
    found = _shares(view, look, votes, count, code, len(names) * len(periods), how, seed)
    if answer:
        place = question.answers.index(answer)
        drawn = [(name, at, place) for at, name in enumerate(names)]
    else:
        places, left_out = _most_given(question, votes[:, unit].sum(axis=1))
        drawn = [(question.answers[place], 0, place) for place in places]
    spans = range(len(periods))
    lines = [
        Timeline(name, [found.figure(at * len(periods) + one, place) for one in spans])
        for name, at, place in drawn
    ]
    untimed = count[there & np.isnan(view.at)]
    return OverTime(
        SHARE,
        every,
        periods,
        lines,
        int(untimed.sum()) if look.disaggregated else len(untimed),
        to_json(found.told),
        answer,
        left_out,
    )


def _asked(question: Question, look: Look, answer: str) -> str:
    """The answer of which there is a line a group; "" for a line an answer."""
    if question.kind != "nominal":
        raise ConfigError(f"the answers to {question.id} are numbers: they have a mean over time")
    if answer and answer not in question.answers:
        known = ", ".join(question.answers)
        raise ConfigError(f"{question.id} has no answer {answer!r}; there are {known}")
    return question.answers[0] if look.by and not answer else answer


def _shares(
    view: View,
    look: Look,
    votes: NDArray[np.float32],
    count: NDArray[np.float32],
    code: NDArray[np.integer],
    cells: int,
    how: Drawing,
    seed: int,
) -> _Shares:
    """The shares in cells.

    Args:
        votes, count: as `votes_of`.
        code: (U,) the cell of each conversation, -1 for none.
    """
    rng = np.random.default_rng([seed, int(sign(look.said, SHARE), 16)])
    panel, apart = panel_of(view, look.panel), look.disaggregated
    draws = Resampler(view.cells(look.question), panel, view.size, how, rng)
    inside = code >= 0
    conversations = np.bincount(code[inside], minlength=cells)
    answers = np.bincount(code[inside], count[inside], cells).astype(np.int64)
    return _Shares(
        group_means(votes, count, np.ones(view.size), code, cells, disaggregated=apart),
        drawn_shares(draws, len(votes), code, cells, disaggregated=apart),
        conversations,
        answers,
        answers if apart else conversations,
        draws.told(seed, METHOD, view.made_of, look.said, SHARE),
    )


def _most_given(question: Question, given: FloatArray) -> tuple[list[int], tuple[str, ...]]:
    """The places of the six answers that are given most, in the question's order, and the names of
    the others."""
    kept = sorted(np.argsort(-given, kind="stable")[:MOST].tolist())
    return kept, tuple(name for at, name in enumerate(question.answers) if at not in kept)
