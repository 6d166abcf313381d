"""What one question came to, and why it may be wrong."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Self

import numpy as np

from assize.stats._arrays import FloatArray
from assize.stats._reliability import orientation
from assize.stats._reliability.cells import Cells
from assize.stats._reliability.em import Climbed, State

_ENDS = [0.025, 0.975]
_REMEDY = (
    f"name a judge to trust, or give at least {orientation.FEWEST_ANCHORS} pairs with known labels"
)


@dataclass(frozen=True, slots=True)
class Found:
    """The fit of one question.

    Args:
        name: of the question.
        sided: whether there is any vote for a side.
        state: one row of parameters, the right way round.
        end: the fit that it comes from; None without votes for a side.
        drawn: (resamples, J, 2) alpha and beta.
        discount: see `Reliabilities`.
        weight: (J,) how much of an independent judge each one is.
        posterior: (N,) probability of A.
        votes, ties: (J,) votes for a side, tie votes.
        added: log-odds that known labels add to the way round; None without any.
        anchors: pairs with a known label.
        trusted: places of trusted judges who voted for a side.
        doubts: sentences.
    """

    name: str
    sided: bool
    state: State
    end: Climbed | None
    drawn: FloatArray
    discount: float
    weight: FloatArray
    posterior: FloatArray
    votes: FloatArray
    ties: FloatArray
    added: float | None
    anchors: int
    trusted: tuple[int, ...] = ()
    doubts: tuple[str, ...] = ()

    @classmethod
    def nothing(cls, name: str, shape: tuple[int, int, int], ties: FloatArray) -> Self:
        """A question without any vote for a side."""
        n, j, _ = shape
        empty = np.full((1, j), np.nan)
        state = State(empty, empty, np.full((1, 2), np.nan))
        why = "every vote is a tie" if ties.any() else "nobody voted"
        return cls(
            name,
            False,
            state,
            None,
            np.zeros((0, j, 2)),
            np.nan,
            np.zeros(j),
            np.full(n, np.nan),
            np.zeros(j),
            ties,
            None,
            0,
            (),
            (f"{name}: {why}, so there is nothing to learn from",),
        )

    @property
    def share(self) -> float:
        """Of the pairs where A is better."""
        return float(self.state.share[0, 0] / self.state.share[0].sum())

    @property
    def log_likelihood(self) -> float:
        """Of the votes, in nats, less nothing for priors."""
        return np.nan if self.end is None else float(self.end.log_likelihood[0])

    @property
    def converged(self) -> bool:
        """Whether the fit came to an end."""
        return self.end is not None and self.end.converged

    @property
    def voted(self) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """(J,) judges with a vote for a side."""
        return np.asarray(self.votes > 0)

    @property
    def right(self) -> FloatArray:
        """(judges who voted,) mean of alpha and beta."""
        return np.asarray((self.state.alpha + self.state.beta)[0, self.voted] / 2)

    @property
    def mean(self) -> float:
        """Over the judges who voted."""
        return float(self.right.mean()) if self.sided else np.nan

    @property
    def mean_interval(self) -> tuple[float, float]:
        """95%, over resamples of pairs."""
        if not len(self.drawn):
            return np.nan, np.nan
        low, high = np.quantile(self.drawn[:, self.voted].mean(axis=(1, 2)), _ENDS)
        return float(low), float(high)

    @property
    def below(self) -> int:
        """Judges that are worse than chance."""
        return int((self.right < 0.5).sum())

    def interval(self, name: Literal["alpha", "beta"]) -> FloatArray:
        """(J, 2) 95% of each judge; NaN where so few votes draw the same again and again."""
        if not len(self.drawn):
            return np.full((len(self.votes), 2), np.nan)
        one = self.drawn[:, :, 0 if name == "alpha" else 1]
        ends = np.quantile(one, _ENDS, axis=0)
        return np.where(ends[1] > ends[0], ends, np.nan).T

    @property
    def right_way(self) -> float:
        """Probability that the sides are not exchanged; with trusted judges and no labels the
        share of resamples in which these are right more often than wrong."""
        if not self.sided:
            return np.nan
        if self.trusted and self.added is None and len(self.drawn):
            return float((self.drawn[:, self.trusted].mean(axis=(1, 2)) > 0.5).mean())
        alpha, beta = self.state.alpha[:, self.voted], self.state.beta[:, self.voted]
        if len(self.drawn):
            alpha, beta = self.drawn[:, self.voted, 0], self.drawn[:, self.voted, 1]
        added = 0.0 if self.added is None else self.added
        return orientation.probability(alpha, beta, self.weight[self.voted], added)

    @property
    def independent(self) -> float:
        """How many independent judges those who voted are worth, at most their number."""
        return float(self.weight[self.voted].sum())


def doubts_of(
    found: Found, cells: Cells, trusted: Sequence[int], families: FloatArray | None
) -> tuple[str, ...]:
    """Why the result may be wrong, one sentence each, with what would help."""
    said = _too_little(found, cells, families)
    if 0 < found.anchors < orientation.FEWEST_ANCHORS:
        said.append(
            f"only {found.anchors} labels are known; at least {orientation.FEWEST_ANCHORS} are"
            " needed to say which way round the judges stand"
        )
    if trusted and found.added is None:
        said += _trusted(found)
    elif found.added is None:
        said += _alone(found)
    elif found.right_way < orientation.LEVEL or _labels_disagree(found):
        said.append(
            "the known labels contradict the votes about which way round the judges stand (right"
            f" way round with probability {found.right_way:.2f}); give more of them"
        )
    if not found.converged:
        said.append("the fit did not come to an end; its figures may still move")
    return tuple(f"{found.name}: {one}" for one in said)


def _labels_disagree(found: Found) -> bool:
    """Whether labels speak against the way round, or judges are as sure of the other one."""
    alpha, beta = found.state.alpha[0, found.voted], found.state.beta[0, found.voted]
    judges = orientation.probability(alpha, beta, found.weight[found.voted], 0.0)
    return found.added is not None and (found.added < 0 or judges < 1 - orientation.LEVEL)


def _too_little(found: Found, cells: Cells, families: FloatArray | None) -> list[str]:
    """Votes that no fit could separate into right and wrong."""
    judges = int(found.voted.sum())
    if judges < 3:
        return [
            f"{judges} judge{'s have' if judges > 1 else ' has'} voted for a side; with fewer than"
            " three, votes cannot tell right from wrong"
        ]
    models = 3 if families is None else int(families[found.voted].any(axis=0).sum())
    if models < 3:
        return [
            f"the {judges} judges are variants of {models} model{'s' if models > 1 else ''}; what"
            " variants share is taken for right, their common errors too"
        ]
    if int(((cells.sided > 0).sum(axis=1)).max()) < 2:
        return ["no two judges voted for a side on one pair, so nothing tells who is right"]
    if found.end is None or found.added is not None:
        return []
    if not _better_than_one_class(found, cells):
        return [f"the judges agree no more than chance would have it: {_REMEDY}"]
    return []


def _better_than_one_class(found: Found, cells: Cells) -> bool:
    """Whether a latent better side explains the votes better than each judge's habit (BIC)."""
    for_a, number = cells.count @ cells.for_a, cells.count @ cells.sided
    rate = np.clip(for_a / np.maximum(number, 1), 1e-12, 1 - 1e-12)
    habit = float((for_a * np.log(rate) + (number - for_a) * np.log1p(-rate)).sum())
    more = found.independent + 1
    gain = found.log_likelihood - habit
    return bool(2 * gain / found.discount > more * np.log(max(2.0, cells.count.sum())))


def _alone(found: Found) -> list[str]:
    """Whether the votes alone can tell the way round."""
    divided = orientation.divided(
        found.state.alpha[0, found.voted], found.state.beta[0, found.voted]
    )
    if found.right_way >= orientation.LEVEL and not divided:
        return []
    low, high = found.mean_interval
    judges = int(found.voted.sum())
    mean = f"{found.mean:.2f} [{low:.2f}, {high:.2f}]"
    return [
        "the votes alone cannot tell which side is better: on average judges are right"
        f" {mean} of the time, {found.below} of {judges} are below one half, and they say as much"
        f" as {found.independent:.1f} independent ones; all labels may be exchanged"
        f" (probability {1 - found.right_way:.2f}): {_REMEDY}"
    ]


def _trusted(found: Found) -> list[str]:
    """Whether the trusted judges are clearly on one side of chance."""
    if not found.trusted:
        return ["no trusted judge voted for a side here", *_alone(found)]
    if found.right_way >= orientation.LEVEL or not len(found.drawn):
        return []
    return [
        "the trusted judge is too near chance here to say which way round the others stand"
        f" (above it in {found.right_way:.0%} of resamples)"
    ]
