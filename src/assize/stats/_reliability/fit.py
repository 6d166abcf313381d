"""Reliabilities and labels from votes alone: the whole fit, question by question."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit, logit

from assize.base.errors import ConfigError, DataError
from assize.base.signature import sign_text
from assize.stats._arrays import FloatArray, IntArray, numbers
from assize.stats._estimate import describe
from assize.stats._reliability import orientation
from assize.stats._reliability.cells import CLASSES, Cells, cells_of
from assize.stats._reliability.dependence import capped, discount, evidence, independence
from assize.stats._reliability.doubts import Fit, doubts_of
from assize.stats._reliability.em import Climbed, Model, State, climb, expect
from assize.stats._reliability.reliabilities import Reliabilities
from assize.stats._reliability.resampled import resampled
from assize.stats._reliability.starts import started
from assize.stats._reliability.votes import Votes


def fit_votes(
    votes: Votes,
    *,
    tied: bool = False,
    exchangeable: bool = False,
    anchors: ArrayLike | None = None,
    trusted: Sequence[int] = (),
    families: ArrayLike | None = None,
    resamples: int = 200,
    names: Sequence[str] | None = None,
    rng: np.random.Generator,
) -> Reliabilities:
    """Learn each judge's sensitivity and specificity, and the better side of each pair.

    Args:
        votes: of J judges on N pairs and K questions; each question is fitted on its own.
        tied: alpha equals beta, one number a judge and question.
        exchangeable: which response is called A is chance: tied, and A and B equally often
            better.
        anchors: (N, K) known labels, 1 for A, -1 for B, 0 for the same (left out), NaN for
            not known; (N,) for one question.
        trusted: places of judges that are held to be right more often than wrong.
        families: (J,) codes; judges of one code are variants of one model, and together count
            as one where judges say which way round they stand. Their reliabilities are apart.
        resamples: of pairs, for intervals and the way round; 0 for none.
        names: (K,) names of the questions, for what `doubts` say.
        rng: draws resamples; of many rows also those that the first rounds look at.

    Raises:
        DataError: no question has a vote for a side, or anchors are not labels.
        ConfigError: an argument is not allowed, or a trusted judge is not there.

    The likelihood cannot tell (alpha, beta) from (1 - beta, 1 - alpha): `orientation` says
    what decides, `doubts` where that is not enough.

    Source: Tang et al., "Learning an Efficient Multi-Turn Dialogue Evaluator from Multiple
    LLM Judges", equations 5 to 9, with a class share in the place of the network; without
    one this is Dawid and Skene (1979) with two answers. Differs: A is the positive class
    (theirs is B); starts above one half, not at it, where slopes vanish; weak priors;
    several starts; the way round. Probabilities are discounted for judges that err together
    (`dependence.discount`), which changes neither reliabilities nor the order of labels. Tie votes
    are left out, as published.
    """
    if resamples < 0:
        raise ConfigError(f"resamples is {resamples}; it must be at least 0")
    n, j, k = votes.shape
    for judge in trusted:
        if not 0 <= judge < j:
            raise ConfigError(f"trusted names judge {judge}; there are {j}, from 0 on")
    known = _known(anchors, (n, k))
    model = Model(tied or exchangeable, exchangeable)
    called = [f"question {at}" for at in range(k)] if names is None else list(names)
    kin = _groups(families, j)
    asked = _Asked(model, tuple(trusted), kin, resamples)
    fits = [_fit_question(votes, at, known[:, at], asked, called[at], rng) for at in range(k)]
    if all(np.isnan(fit["mean"]) for fit in fits):
        raise DataError("no vote is for A or B; reliabilities cannot be learnt")
    settings = (
        tied,
        exchangeable,
        "discounted",
        resamples,
        list(trusted),
        None if kin is None else kin.argmax(axis=1).tolist(),
        "1,1,1",  # the priors
        int((known >= 0).sum()),
    )
    version = 2 if (known >= 0).any() else 1  # what labels count for is bounded since 2
    signature = sign_text(describe("fit_votes", version, *settings))
    columns = {
        name: np.stack([fit[name] for fit in fits], axis=1 if name in _BY_ROW else 0)
        for name in fits[0]
        if name != "doubts"
    }
    doubts = tuple(fit["doubts"] for fit in fits)
    return Reliabilities(**columns, doubts=doubts, signature=signature)


_BY_ROW = ("alpha", "beta", "alpha_interval", "beta_interval", "posterior", "votes", "ties")
"""What has a column a question, of judges or pairs; all else has a row a question."""


@dataclass(frozen=True, slots=True)
class _Asked:
    model: Model
    trusted: tuple[int, ...]
    families: FloatArray | None
    resamples: int


def _fit_question(
    votes: Votes, at: int, known: IntArray, asked: _Asked, name: str, rng: np.random.Generator
) -> dict[str, Any]:
    """The fields of `Reliabilities` for one question."""
    cells = cells_of(votes, at, known)
    n, j, _ = votes.shape
    ties = votes.ties[:, :, at].sum(axis=0)
    none = dict.fromkeys(("share", "log_likelihood", "discount", "mean", "right_way"), np.nan)
    fields: dict[str, Any] = {
        "alpha": np.full(j, np.nan),
        "beta": np.full(j, np.nan),
        "alpha_interval": np.full((j, 2), np.nan),
        "beta_interval": np.full((j, 2), np.nan),
        "posterior": np.full(n, np.nan),
        "votes": cells.count @ cells.sided,
        "ties": ties,
        **none,
        "mean_interval": np.full(2, np.nan),
        "independent": 0.0,
        "below": 0,
        "converged": False,
    }
    if not cells.votes:
        why = "every vote is a tie" if ties.any() else "nobody voted"
        return {**fields, "doubts": (f"{name}: {why}, so there is nothing to learn from",)}
    best = _oriented(cells, _ends(cells, asked, rng), asked)
    state, said = best.state, best.expected.posterior[0]
    design = discount(cells, state, said)
    weight = capped(independence(cells, state, said), asked.families)
    drawn = resampled(cells, state, asked.model, asked.resamples, rng)
    voted = fields["votes"] > 0
    right = (state.alpha + state.beta)[0, voted] / 2
    added, heard = _added(cells, state, design), tuple(i for i in asked.trusted if voted[i])
    skills = np.stack([state.alpha, state.beta], axis=2)  # (1, J, 2)
    if len(drawn):
        skills = drawn
        low, high = np.quantile(drawn, [0.025, 0.975], axis=0)
        # NaN where so few votes draw the same again and again
        both = np.where((high > low)[..., None], np.stack([low, high], axis=2), np.nan)
        both = np.where(voted[:, None, None], both, np.nan)
        fields["alpha_interval"], fields["beta_interval"] = both[:, 0], both[:, 1]
        fields["mean_interval"] = np.quantile(drawn[:, voted].mean(axis=(1, 2)), [0.025, 0.975])
    if heard and added is None and len(drawn):
        right_way = float((drawn[:, heard].mean(axis=(1, 2)) > 0.5).mean())
    else:
        alpha, beta = skills[:, voted, 0], skills[:, voted, 1]
        right_way = orientation.probability(alpha, beta, weight[voted], added or 0.0)
    is_a = _probabilities(cells, best, design)[cells.row]
    fields |= {
        "alpha": np.where(voted, state.alpha[0], np.nan),
        "beta": np.where(voted, state.beta[0], np.nan),
        "posterior": np.where(cells.row < 0, np.nan, is_a),
        "share": float(state.share[0, 0] / state.share[0].sum()),
        "log_likelihood": float(best.log_likelihood[0]),
        "discount": design,
        "independent": float(weight[voted].sum()),
        "mean": float(right.mean()),
        "below": int((right < 0.5).sum()),
        "right_way": right_way,
        "converged": best.converged,
    }
    anchors, resamples = int((known >= 0).sum()), bool(len(drawn))
    fit = Fit(best, voted, weight, resamples, added, anchors, asked.trusted, heard, asked.families)
    doubts = tuple(f"{name}: {doubt}" for doubt in doubts_of(fit, cells, fields))
    return {**fields, "doubts": doubts}


def _ends(cells: Cells, asked: _Asked, rng: np.random.Generator) -> list[Climbed]:
    """Where the best starts lead; from both ways round where labels are known."""
    first = started(cells, asked.model, rng)
    states = [first.take(at) for at in range(len(first.alpha))]
    if (cells.known >= 0).any():
        states += [one.flipped() for one in states]
    return [climb(cells, one, asked.model) for one in states]


def _oriented(cells: Cells, ends: Sequence[Climbed], asked: _Asked) -> Climbed:
    """The most probable end, the way round that judges, trusted ones or labels speak for."""
    if (cells.known >= 0).any():
        upright = [end for end in ends if _log_odds(cells, end, asked) >= 0]
        return max(upright or ends, key=lambda end: float(end.objective[0]))
    best = max(ends, key=lambda end: float(end.objective[0]))
    if _log_odds(cells, best, asked) >= 0:
        return best
    flipped = best.state.flipped()
    return replace(best, state=flipped, expected=expect(cells, flipped))


def _log_odds(cells: Cells, end: Climbed, asked: _Asked) -> float:
    """Log-odds that an end is the right way round, by labels and judges, or by trusted judges."""
    state, posterior = end.state, end.expected.posterior[0]
    added = _added(cells, state, discount(cells, state, posterior))
    weight = capped(independence(cells, state, posterior), asked.families)
    if added is None:
        voted = cells.count @ cells.sided > 0
        trusted = [judge for judge in asked.trusted if voted[judge]]
        if trusted:
            weight = np.zeros(len(voted))
            weight[trusted] = 1.0
    judges = float(orientation.log_odds(state.alpha[0], state.beta[0], weight))
    return judges + (0.0 if added is None else added)


def _probabilities(cells: Cells, best: Climbed, by: float) -> FloatArray:
    """(U,) probability of A."""
    state = best.state
    votes = cells.sided.sum(axis=1) > 0
    sides = logit(state.share[0, 0] / state.share[0].sum()) + evidence(cells, state) / by
    is_a = np.where(votes, expit(sides), np.nan)
    return np.where(cells.known == 0, 1.0, np.where(cells.known == 1, 0.0, is_a))


def _added(cells: Cells, state: State, design: float) -> float | None:
    """Log-odds of the way round that known labels add; None without any."""
    if not (cells.known >= 0).any():
        return None
    for_a, for_b = (cells.known_as(side) * cells.count for side in range(len(CLASSES)))
    return orientation.of_labels(evidence(cells, state), for_a, for_b, design)


def _known(anchors: ArrayLike | None, shape: tuple[int, int]) -> IntArray:
    """(N, K) places in `CLASSES`, -1 for not known."""
    if anchors is None:
        return np.full(shape, -1, dtype=np.int64)
    given = numbers(anchors, "anchors", dimensions=np.ndim(anchors))
    given = given[:, None] if given.ndim == 1 else given
    if given.shape != shape:
        raise DataError(f"`anchors` must have shape {shape}; it has {given.shape}")
    if not np.isin(given[~np.isnan(given)], (1.0, 0.0, -1.0)).all():
        raise DataError("`anchors` must hold 1 (A), -1 (B), 0 (the same) or NaN (not known)")
    found = np.full(shape, -1, dtype=np.int64)
    found[given == 1], found[given == -1] = 0, 1
    return found


def _groups(codes: ArrayLike | None, judges: int) -> FloatArray | None:
    """(J, G) which judges have which code."""
    if codes is None:
        return None
    codes = np.asarray(codes)
    if codes.shape != (judges,):
        raise DataError(f"`families` must have shape ({judges},); it has {codes.shape}")
    _, place = np.unique(codes, return_inverse=True)
    return np.eye(int(place.max()) + 1)[place.ravel()]
