"""The study: learners and juries on the same held-out pairs, against the same gold."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from assize import stats
from assize.base.errors import ConfigError, DataError
from assize.base.signature import sign
from assize.evaluator._measuring.tasks import GOLD
from assize.evaluator._study.joint_head import fit_joint
from assize.evaluator._study.juries import Jury, juries_of
from assize.evaluator._study.learners import (
    FITS,
    Fit,
    Learner,
    from_targets,
    gold_labels,
    with_ties,
)
from assize.evaluator._study.measures import PAIR_LOSSES, PAIR_MEASURES, right, right_side
from assize.evaluator._study.networks import network_learner
from assize.evaluator._study.studied import EvaluatorStudy, JudgeOnPairs, JuryChange, learners_of
from assize.evaluator._study.targets import TARGETS
from assize.evaluator._study.vote_counts import VoteCounts
from assize.evaluator._study.voted_pairs import VotedPairs
from assize.formats import JudgmentsLike
from assize.stats._arrays import FloatArray, IntArray
from assize.stats._reliability import fit_votes
from assize.stats._studies import (
    Folds,
    MethodTable,
    Predictions,
    Row,
    Truth,
    cross_fit,
    folds_of,
    method_tables,
)

VERSION = 1  # rises when the same votes give other figures
NETWORK = "network"
SHOWN = (*FITS, NETWORK)
"""Ways to learn from all judges, in the order of the table."""

ALONE, TOGETHER, CAST, CHANGED = "one judge", "all judges", "votes themselves", "other juries"
GOLD_GROUP = "gold labels"


@dataclass(frozen=True, slots=True)
class Juries:
    """Which judges there are, and how juries of them are learnt from.

    Args:
        judges: only these judges (repeatable, or separated by commas). Default: all but people.
        learner: learner that learns from the juries.
        weak: judge that replaces the most reliable judge of the default jury. Default: the least
            reliable of five or more.
        strong: judge added to the default jury. Default: the second most reliable of five or more.
    """

    judges: str | Sequence[str] = ()
    learner: str = "joint"
    weak: str | None = None
    strong: str | None = None


@dataclass(frozen=True, slots=True)
class Gold:
    """What pairs are measured against.

    Args:
        judge: judge whose answers count as true.
        gold_from: files of gold labels, or of preferences by people, if neither the pairs nor the
            votes hold them (repeatable).
        exchangeable: assume that the names A and B tell nothing: A is a random side, or always the
            better one.
    """

    judge: str = GOLD
    gold_from: JudgmentsLike | None = None
    exchangeable: bool = False


@dataclass(frozen=True, slots=True)
class Settings:
    """What decides the numbers of a study, beside the data."""

    learners: tuple[str, ...] = SHOWN  # names of `FITS`, and `network`
    learner: str = "joint"  # by which each judge alone and the juries are learnt from
    folds: int = 5
    seeds: int = 3  # how often the folds are dealt anew
    permutations: int = 2_000  # of each test
    resamples: int = 200  # for the intervals of reliabilities
    seed: int = 0  # of the tests and of what is drawn; folds are dealt by `seeds`
    # judges that table 3 adds and exchanges; see `juries_of`
    weak: str | None = None
    strong: str | None = None

    def __post_init__(self) -> None:
        for name in (*self.learners, self.learner):
            if name not in SHOWN:
                raise ConfigError(f"no learner {name!r}; there are {', '.join(SHOWN)}")


def study(
    data: VotedPairs,
    settings: Settings | None = None,
    *,
    question: str = "preference",
    counts: Sequence[VoteCounts] = (),
    tick: Callable[[int], None] = lambda _: None,
) -> EvaluatorStudy:
    """Learns from every judge alone, from all, and from other juries, on held-out folds.

    Args:
        data: see `voted_pairs`.
        question: what the votes are about, for headings.
        counts: see `vote_counts`; shown beside.
        tick: called with 1 after each learner.

    Pairs that share a text are in one fold. Gold is never learnt from, save by the row that says
    what there is to be reached; a pair without gold teaches and is not measured.

    Raises:
        ConfigError: no such learner or judge.
        DataError: too few independent pairs for so many folds.

    Source: MTDEval (Tang et al.), section 5.5, figure 3 and table 3. Differs: cross-validated on
    the pairs that were judged, because learnt and measured pairs are one set here; repeated over
    seeds, with paired tests.
    """
    how = Settings() if settings is None else settings
    folds = folds_of(
        data.ids,
        folds=how.folds,
        seeds=how.seeds,
        groups=[str(one) for one in data.groups],
        by="text",
    )
    truth = Truth(data.truth, data.groups)
    juries = juries_of(data, weak=how.weak, strong=how.strong)
    rows, failed = [], {}
    for row, learner in _planned(data, how, juries):
        try:
            found = cross_fit(learner, data, folds, ask=truth.known)
        except DataError as error:
            failed[row.name] = error.problem
            found = np.full(folds.fold.shape, np.nan)
        rows.append(Row(row.name, Predictions(found), row.group, row.about))
        tick(1)
    rows += _cast(data, folds)
    (table,) = method_tables(
        rows,
        truth,
        folds.test,
        permutations=how.permutations,
        measures=PAIR_MEASURES,
        losses=PAIR_LOSSES,
    )
    default = f"{juries[0].name} ({how.learner})"
    together = _all_judges(how)
    judges, doubts = _judges(data, how, question)
    return EvaluatorStudy(
        question=question,
        source=data.source,
        learners=learners_of(table, together),
        juries=_changes(table, default, juries, truth, how),
        judges=sorted(judges, key=lambda row: -row.reliability),
        votes=tuple(counts),
        tests=table.tests,
        table=table,
        together=together,
        default=default,
        pairs=len(data),
        groups=len(set(data.groups.tolist())),
        measured=table.count,
        left_out=data.left_out,
        reliability_right=stats.pearson(
            [row.reliability for row in judges], [row.right for row in judges]
        ),
        folds=folds.count,
        seeds=len(folds.seeds),
        failed=failed,
        doubts=doubts,
        signature=sign(VERSION, data.ids, data.judges, data.truth.tolist(), _drawn(data), str(how)),
    )


def learner_of(name: str, judges: tuple[str, ...] | None = None) -> Learner:
    """The learner of a name, from some of the judges; all when None."""
    return network_learner(judges) if name == NETWORK else with_ties(FITS[name], judges)


def _planned(data: VotedPairs, how: Settings, juries: Sequence[Jury]) -> list[tuple[Row, Learner]]:
    """All that is learnt, in the order of the table."""
    empty = Predictions(np.empty((0, 0)))
    found: list[tuple[Row, Learner]] = []
    for judge in data.judges:
        fit: Fit = from_targets(TARGETS["majority vote"])
        about = "a ridge on its votes"
        found.append((Row(f"only {judge}", empty, ALONE, about), with_ties(fit, (judge,))))
    for name in how.learners:
        found.append((Row(name, empty, TOGETHER), learner_of(name)))
    if len(juries) > 1:
        for jury in juries:
            row = Row(f"{jury.name} ({how.learner})", empty, CHANGED, jury.about)
            found.append((row, learner_of(how.learner, jury.judges)))
    if int((~np.isnan(data.truth)).sum()) * 2 > len(data):
        row = Row("gold", empty, GOLD_GROUP, "a ridge on the training folds' gold")
        found.append((row, with_ties(from_targets(gold_labels))))
    return found


def _all_judges(how: Settings) -> str:
    """The row of all judges that single judges are compared with."""
    return how.learner if how.learner in how.learners else how.learners[0]


def _cast(data: VotedPairs, folds: Folds) -> list[Row]:
    """What the votes on a pair say themselves; no text is read."""
    seeds = len(folds.seeds)
    every = np.arange(len(data))
    found = [(f"{judge} (votes)", _decided(data.by((judge,)), every)) for judge in data.judges]
    found.append(("majority vote (votes)", _decided(data, every)))
    for name in ("Dawid-Skene", "learnt reliabilities"):
        lead = TARGETS[name](data, every)
        decided = np.where(np.abs(lead) < 1e-9, 0.0, 2 * np.sign(lead))
        found.append((f"{name} (votes)", np.where(np.isnan(lead), np.nan, decided)))
    return [Row(name, Predictions(np.tile(one, (seeds, 1))), CAST) for name, one in found]


def _decided(data: VotedPairs, rows: IntArray) -> FloatArray:
    """2 or -2 where most votes are for a side, 0.5 in size where they only lean, 0 for a tie."""
    counts = data.counts[rows]
    answer, lean = data.majority[rows], np.sign(counts[:, 0] - counts[:, 2])
    return np.where(answer == 0, 0.5 * lean, 2 * answer)


def _changes(
    table: MethodTable, default: str, juries: Sequence[Jury], truth: Truth, how: Settings
) -> list[JuryChange]:
    """Every jury less the default one, pair by pair."""
    by_name = {row.name: row for row in table.rows}
    if default not in by_name:
        return []
    base = by_name[default].predicted
    p_with, p_without = (table.against(default, loss) for loss in table.losses)
    changes = []
    for jury in juries[1:]:
        name = f"{jury.name} ({how.learner})"
        predicted = by_name[name].predicted
        gap, gap_of_sides = (
            _gap(of(predicted, truth), of(base, truth), truth) for of in (right, right_side)
        )
        changes.append(
            JuryChange(
                jury.name,
                jury.about,
                gap,
                p_with.get(name, np.nan),
                gap_of_sides,
                p_without.get(name, np.nan),
            )
        )
    return changes


def _gap(one: FloatArray, base: FloatArray, truth: Truth) -> stats.Estimate:
    """The mean difference over the pairs of the means over seeds, clustered."""
    each = (one - base).mean(axis=0)
    kept = ~np.isnan(each)
    return stats.mean(each[kept], clusters=truth.clusters[kept])


def _judges(
    data: VotedPairs, how: Settings, question: str
) -> tuple[tuple[JudgeOnPairs, ...], tuple[str, ...]]:
    """What is learnt of each judge and how often it is right; why that may be wrong."""
    rng = np.random.default_rng([how.seed, 4])
    alone = fit_votes(data.votes, resamples=how.resamples, names=[question], rng=rng)
    with_texts = fit_joint(data, np.arange(len(data)))[1]
    decided = np.isin(data.truth, (1, -1))
    found = []
    for at, name in enumerate(data.judges):
        a, b = data.votes.for_a[:, at, 0], data.votes.for_b[:, at, 0]
        total = (a + b)[decided].sum()
        hits = np.where(data.truth == 1, a, b)[decided].sum()
        found.append(
            JudgeOnPairs(
                judge=name,
                alpha=_rate(alone.alpha[at, 0], alone.alpha_interval[at, 0], (a + b).sum()),
                beta=_rate(alone.beta[at, 0], alone.beta_interval[at, 0], (a + b).sum()),
                alpha_with_texts=float(with_texts.alpha[at, 0]),
                beta_with_texts=float(with_texts.beta[at, 0]),
                right=float(hits / total) if total else np.nan,
            )
        )
    return tuple(found), alone.doubts[0]


def _rate(value: float, interval: FloatArray, votes: float) -> stats.Estimate:
    return stats.Estimate(float(value), (float(interval[0]), float(interval[1])), int(votes))


def _drawn(data: VotedPairs) -> Mapping[str, object]:
    """What tells these votes and features from others."""
    votes = data.votes
    parts = (data.a, data.b, votes.for_a, votes.for_b, votes.ties)
    return {"sums": [float(np.nansum(part * _weights(part))) for part in parts]}


def _weights(part: FloatArray) -> FloatArray:
    """Weights by place, so that an exchange of two rows is another sum."""
    return np.linspace(1, 2, part.size).reshape(part.shape)
