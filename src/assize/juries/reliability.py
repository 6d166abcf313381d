"""How reliable each judge is on each question, and the better side, from the votes alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, ClassVar

import numpy as np

from assize.base.errors import DataError
from assize.base.judgment import Judgment, Unscored
from assize.judgments import JudgmentTable
from assize.judgments.values import votes as votes_of
from assize.juries.decisions import Decisions
from assize.juries.rules import Verdicts, weighted_verdicts
from assize.results import Column, Estimate, Hidden, Result, Table
from assize.results.numbers import counted
from assize.stats._arrays import FloatArray
from assize.stats._reliability import Reliabilities, Votes, fit_votes

RESAMPLES = 200
_EVEN = 1e-9


@dataclass(frozen=True, slots=True)
class Learning:
    """How reliabilities are learnt; see `stats.reliability.fit_votes`.

    Args:
        exchangeable: which response is called A is chance. Then alpha equals beta and the
            share is 1/2. Where A is always the better one, as in AMULET's files, leave
            nothing else to learn.
        tied: alpha equals beta.
        trusted: full names of judges held to be right more often than wrong.
    """

    exchangeable: bool = False
    tied: bool = False
    trusted: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reliable:
    """How often one judge is right on a question, learnt from votes alone.

    Args:
        alpha: probability of the vote A where A is better (sensitivity); NaN for a judge
            without a vote for a side. Its interval is 95%, from items drawn with replacement.
        beta: probability of the vote B where B is better (specificity).
        n: votes for A or B.
        ties: votes that say tie; they carry no label.
        unscored: votes that could not be made.
    """

    question: str
    judge: str
    alpha: Annotated[Estimate, Column(ends="below")]
    beta: Annotated[Estimate, Column(ends="below")]
    n: int
    ties: Annotated[int, Column("tie votes")]
    unscored: int


@dataclass(frozen=True, slots=True)
class QuestionFit:
    """What the votes tell of a question's pairs.

    Args:
        n: pairs with a vote for a side; the others are unscored.
        known_labels: labels that were given to the fit.
        share_a: of the pairs where A is better.
        mean: of (alpha + beta) / 2 over judges.
        below_chance: judges that are wrong more often than right.
        independent_judges: how many independent ones say as much.
        right_way_round: probability that the sides are not exchanged.
        discount: design effect of the votes; their log-odds are divided by it.
        log_likelihood: of the votes, in nats.
        exchangeable: whether the two sides were taken for exchangeable.
        converged: whether the fit came to an end.
        doubts: why the result may be wrong, in sentences.
    """

    question: str
    n: int
    unscored: Hidden[int]
    known_labels: Hidden[int]
    share_a: Annotated[float, Column("A better", "percent", digits=1, unit="%")]
    mean: Annotated[Estimate, Column("mean reliability")]
    below_chance: Annotated[int, Column("below 1/2")]
    independent_judges: Annotated[float, Column("worth judges", digits=1)]
    right_way_round: float
    discount: Hidden[float]
    log_likelihood: Hidden[float]
    exchangeable: Hidden[bool]
    converged: Hidden[bool]
    doubts: Hidden[Sequence[str]]


ReliabilityRows = Annotated[
    Sequence[Reliable],
    Table(
        "Reliability of each judge, from votes alone",
        "Which judges to trust.",
        group="question",
        notes=("alpha: the vote A where A is better; beta: B where B is; n: votes for A or B.",),
    ),
]
ReliabilityFits = Annotated[
    Sequence[QuestionFit],
    Table(
        "What the votes alone tell",
        "How far the votes of all judges tell which response is better.",
        notes=(
            "Worth judges: how many independent ones say as much. Right way round: the"
            " probability that the sides are not exchanged.",
        ),
    ),
]


@dataclass(frozen=True)
class Reliability:
    """What the votes say of judges and items on one question.

    Args:
        judges: by name, those that were asked.
        probability: that A is better, by item; absent where there is no vote for a side.
        fit: what the votes tell of the question's pairs.
        signature: of the method and its settings.
    """

    judges: Mapping[str, Reliable]
    probability: Mapping[str, float]
    fit: QuestionFit
    signature: str

    def decide(self, decisions: Decisions) -> Verdicts:
        """The more probable side; `weights` are 2 |P(A) - 1/2|.

        Votes are weighed one by one: a judge with one vote each way says nothing where
        alpha equals beta. An item with ties only is a tie; one without votes unscored.
        """
        is_a = np.array([self.probability.get(item, np.nan) for item in decisions.items])
        lead = is_a - (1 - is_a)
        some_tie = (decisions.values == 0).any(axis=0)
        values = np.where(np.abs(lead) < _EVEN, 0.0, np.sign(lead))
        values = np.where(np.isnan(lead) & some_tie, 0.0, values)
        how = np.where(np.abs(values) == 1, "reliability", "").astype(object)
        return weighted_verdicts(decisions, values, how, np.nan_to_num(np.abs(lead * values)))

    def answer(self, item: str) -> tuple[str, float]:
        """`A`, `B` or `tie` of an item with a probability, and how far that is from even."""
        said = self.distribution(item)
        lead = said["A"] - said["B"]
        if abs(lead) < _EVEN:
            return "tie", 0.0
        return ("A" if lead > 0 else "B"), abs(lead)

    def distribution(self, item: str) -> dict[str, float]:
        """Probability of A and of B."""
        is_a = self.probability[item]
        return {"A": is_a, "B": 1 - is_a}


@dataclass(frozen=True)
class LearntReliabilities(Result):
    """All judges on all questions, and the label of each item on each.

    Args:
        questions: what was asked, in order of appearance.
        fit: the same as arrays; items N, judges J, questions K as they are named here.
        by_question: the same by name, with the labels.
    """

    heading: ClassVar[str] = "Reliability of judges"

    reliabilities: ReliabilityRows
    fits: ReliabilityFits
    signature: str
    judges: tuple[str, ...] = field(repr=False)
    items: tuple[str, ...] = field(repr=False)
    questions: tuple[str, ...] = field(repr=False)
    fit: Reliabilities = field(repr=False)
    by_question: Mapping[str, Reliability] = field(repr=False)

    @property
    def sentence(self) -> str:
        """Of how many judges what was learnt."""
        items, judges = counted(len(self.items), "pair"), counted(len(self.judges), "judge")
        return f"Votes of {judges} on {items} tell how reliable each judge is."

    def judgments(self, judge: str, *, leave_out: str | None = None) -> Iterator[Judgment]:
        """The labels as judgments by `judge`: answer, distribution and score 2 P(A) - 1.

        Args:
            leave_out: a question whose verdicts are made elsewhere.
        """
        for question, learnt in self.by_question.items():
            if question == leave_out:
                continue
            for item in self.items:
                yield _judged(learnt, item, judge, question)

    @property
    def notes(self) -> Sequence[str]:
        """Why a result may be wrong."""
        return [f"doubtful: {doubt}" for fit in self.fits for doubt in fit.doubts]


def _judged(learnt: Reliability, item: str, judge: str, question: str) -> Judgment:
    """One label; unscored where no vote is for a side."""
    if item not in learnt.probability:
        missing = Unscored("missing", "no judge's vote is for a side")
        return Judgment(
            item, judge, question, unscored=missing, kind="model", signature=learnt.signature
        )
    answer, weight = learnt.answer(item)
    said = learnt.distribution(item)
    return Judgment(
        item,
        judge,
        question,
        answer=answer,
        score=said["A"] - said["B"],
        distribution=said,
        kind="model",
        details={"by": "reliability", "weight": weight},
        signature=learnt.signature,
    )


def preference_questions(table: JudgmentTable) -> tuple[str, ...]:
    """The questions that ask which of two is better, in order of appearance."""
    return tuple(name for name in table.asked if table.questions[name].kind == "preference")


def family(judge: str) -> str:
    """What variants of one judge share: its model, else what stands before a slash.

    >>> family("da@openai:gpt-4o"), family("GPT-4/CoT"), family("pandalm-7b")
    ('openai:gpt-4o', 'GPT-4', 'pandalm-7b')
    """
    _, at, model = judge.partition("@")
    return model if at else judge.split("/", 1)[0]


def learn(
    table: JudgmentTable,
    questions: Sequence[str],
    judges: Sequence[str],
    items: Iterable[str],
    *,
    how: Learning | None = None,
    labels: Mapping[str, Mapping[str, str]] | None = None,
    rng: np.random.Generator,
) -> LearntReliabilities:
    """Sensitivity and specificity of each judge, and the probability that A is better.

    Args:
        questions: each is fitted on its own.
        judges: full names; at least one. Judges of one model count as one where they say
            which way round they stand (`family`).
        items: only these are looked at.
        labels: by question and item, what is known to be true (A, B, tie); nothing else of
            gold is looked at.
        rng: draws items with replacement for the intervals.

    Raises:
        DataError: there is no vote for a side on any question.

    Votes on single turns are passed over. Source: see `stats.reliability.fit_votes`.
    """
    how = Learning() if how is None else how
    names = tuple(items)
    counted, unscored = _counted(table, questions, judges, names)
    known = _known(labels or {}, questions, names)
    if not counted.sided.any():
        raise DataError("no vote is for A or B; reliabilities cannot be learnt")
    fit = fit_votes(
        counted,
        tied=how.tied,
        exchangeable=how.exchangeable,
        anchors=known,
        trusted=[list(judges).index(one) for one in how.trusted],
        families=[family(one) for one in judges],
        resamples=RESAMPLES,
        names=questions,
        rng=rng,
    )
    labelled = (~np.isnan(known)).sum(axis=0).tolist()
    found: dict[str, Reliability] = {}
    for k, question in enumerate(questions):
        sided = np.flatnonzero(~np.isnan(fit.posterior[:, k])).tolist()
        found[question] = Reliability(
            _judge_rows(fit, question, k, judges, unscored[:, k]),
            {names[n]: float(fit.posterior[n, k]) for n in sided},
            _fit_row(fit, question, k, len(names), labelled[k], how.exchangeable),
            f"{fit.signature}{'x' if how.exchangeable else ''}",
        )
    return LearntReliabilities(
        [row for learnt in found.values() for row in learnt.judges.values()],
        [learnt.fit for learnt in found.values()],
        fit.signature,
        tuple(judges),
        names,
        tuple(questions),
        fit,
        found,
    )


def fit_reliability(
    decisions: Decisions,
    judges: Sequence[str],
    items: Iterable[str],
    *,
    exchangeable: bool = False,
    rng: np.random.Generator,
) -> Reliability:
    """Return `learn` on the question of some decisions.

    Args:
        exchangeable: see `Learning`.

    Raises:
        DataError: there is no vote for a side.
    """
    table = decisions.table
    questions = table.asked or ("preference",)
    how = Learning(exchangeable=exchangeable)
    return learn(table, questions, judges, items, how=how, rng=rng).by_question[questions[0]]


def _counted(
    table: JudgmentTable, questions: Sequence[str], judges: Sequence[str], items: Sequence[str]
) -> tuple[Votes, FloatArray]:
    """The votes as counts (N, J, K), and (J, K) votes that could not be made."""
    n, j, k = len(items), len(judges), len(questions)
    counts = np.zeros((4, n, j, k))  # for A, for B, ties, unscored
    for at, question in enumerate(questions):
        rows = table.where(question=question, judge=list(judges), turn=None)
        item, judge_at = _places(rows, "item", items), _places(rows, "judge", judges)
        value = votes_of(rows)
        kind = np.select([value == 1, value == -1, value == 0], [0, 1, 2], 3)
        used = (item >= 0) & (judge_at >= 0)
        cell = np.ravel_multi_index((kind[used], item[used], judge_at[used]), (4, n, j))
        counts[:, :, :, at] = np.bincount(cell, minlength=4 * n * j).reshape(4, n, j)
    return Votes(counts[0], counts[1], counts[2]), counts[3].sum(axis=0)


def _places(rows: JudgmentTable, column: str, names: Sequence[str]) -> np.ndarray:
    """(rows,) each row's place among the names, -1 where it is none of them."""
    codes, known = rows.codes(column)
    place = {name: at for at, name in enumerate(names)}
    return np.array([*(place.get(name, -1) for name in known), -1], dtype=np.int64)[codes]


def _known(
    labels: Mapping[str, Mapping[str, str]], questions: Sequence[str], items: Sequence[str]
) -> FloatArray:
    """(N, K) known labels as votes, NaN where there is none."""
    sign = {"A": 1.0, "B": -1.0, "tie": 0.0}
    columns = [
        [sign.get(labels.get(question, {}).get(item, ""), np.nan) for item in items]
        for question in questions
    ]
    return np.array(columns, dtype=np.float64).reshape(len(questions), len(items)).T


def _judge_rows(
    fit: Reliabilities, question: str, k: int, judges: Sequence[str], unscored: FloatArray
) -> dict[str, Reliable]:
    """The judges that were asked question k, by name."""
    rows = {}
    for j, name in enumerate(judges):
        n, ties, missing = int(fit.votes[j, k]), int(fit.ties[j, k]), int(unscored[j])
        if n + ties + missing:
            alpha, beta = (
                Estimate(float(values[j, k]), tuple(ends[j, k].tolist()), n, missing)
                for values, ends in (
                    (fit.alpha, fit.alpha_interval),
                    (fit.beta, fit.beta_interval),
                )
            )
            rows[name] = Reliable(question, name, alpha, beta, n, ties, missing)
    return rows


def _fit_row(
    fit: Reliabilities, question: str, k: int, items: int, labels: int, exchangeable: bool
) -> QuestionFit:
    n = int((~np.isnan(fit.posterior[:, k])).sum())
    return QuestionFit(
        question,
        n,
        items - n,
        labels,
        float(fit.share[k]),
        Estimate(float(fit.mean[k]), tuple(fit.mean_interval[k].tolist()), n, items - n),
        int(fit.below[k]),
        float(fit.independent[k]),
        float(fit.right_way[k]),
        float(fit.discount[k]),
        float(fit.log_likelihood[k]),
        exchangeable,
        bool(fit.converged[k]),
        fit.doubts[k],
    )
