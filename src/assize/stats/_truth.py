"""The true answer from several judges: majority, average, Dawid-Skene.

Labels come long: one entry a label, with the item and the judge that it belongs to.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assize.base.errors import DataError
from assize.base.signature import sign_text
from assize.stats._arrays import FloatArray, IntArray, numbers, same_length
from assize.stats._estimate import describe


def majority(votes: ArrayLike) -> IntArray:
    """Return the majority answer of each item from votes (items N, answers K), counts or weights.

    Weights are at least 0. The answer is -1 for a tie and -2 for an item without a vote.

    >>> majority([[2, 1], [1, 1], [0, 0]]).tolist()
    [0, -1, -2]
    """
    counts = numbers(votes, "votes", dimensions=2)
    if np.isnan(counts).any() or (counts < 0).any():
        raise DataError("`votes` must be counts of at least 0 without NaN")
    if counts.shape[1] < 2:
        raise DataError("`votes` needs at least 2 answers")
    top = counts.max(axis=1)
    answer: IntArray = counts.argmax(axis=1).astype(np.int64)
    answer[(counts == top[:, None]).sum(axis=1) > 1] = -1
    answer[top == 0] = -2
    return answer


def average(ratings: ArrayLike) -> FloatArray:
    """Return the mean rating of each item (N,) from ratings (judges R, items N).

    NaN marks a missing rating, and an item without any.
    """
    matrix = numbers(ratings, "ratings", dimensions=2)
    present = ~np.isnan(matrix)
    count = present.sum(axis=0)
    total = np.where(present, matrix, 0).sum(axis=0)
    return np.where(count > 0, total / np.maximum(count, 1), np.nan)


@dataclass(frozen=True, slots=True)
class Labels:
    """One entry a label: the item, the judge and the answer, as codes from 0.

    Args:
        item, judge, answer: (L,) codes; a judge may label an item more than once.
        items, judges, answers: how many of each there are (N, W, K).
    """

    item: IntArray
    judge: IntArray
    answer: IntArray
    items: int
    judges: int
    answers: int

    @classmethod
    def of(
        cls, item: ArrayLike, judge: ArrayLike, answer: ArrayLike, *, answers: int | None = None
    ) -> Labels:
        """Labels from codes (L,) each; raises DataError on bad codes."""
        columns: dict[str, NDArray[np.int64]] = {}
        for name, values in (("item", item), ("judge", judge), ("answer", answer)):
            array = np.asarray(values)
            if array.ndim != 1 or array.dtype.kind not in "iu" or (array < 0).any():
                raise DataError(f"`{name}` must be a column of codes 0, 1, ...")
            columns[name] = array.astype(np.int64)
        same_length(**columns)
        if len(columns["item"]) == 0:
            raise DataError("`item` is empty: there are no labels")
        sizes = {name: int(column.max()) + 1 for name, column in columns.items()}
        if answers is not None and sizes["answer"] > answers:
            raise DataError(f"`answer` holds {sizes['answer'] - 1}, `answers` is {answers}")
        count = sizes["answer"] if answers is None else answers
        return cls(**columns, items=sizes["item"], judges=sizes["judge"], answers=max(2, count))

    def votes(self) -> FloatArray:
        """How often each answer was given to each item: (N, K)."""
        cells = np.bincount(
            self.item * self.answers + self.answer, minlength=self.items * self.answers
        )
        return cells.reshape(self.items, self.answers).astype(np.float64)


@dataclass(frozen=True, slots=True)
class Priors:
    """Pseudo-counts added in every step, so that no probability becomes 0 or 1.

    Args:
        right, wrong: of each judge's answers where they are right, and for each wrong
            answer; 0 and 0 is maximum likelihood.
        answer: of each answer's share among the items.
    """

    right: float = 0.0
    wrong: float = 0.0
    answer: float = 0.0


@dataclass(frozen=True, slots=True)
class Truth:
    """What the labels say about items and judges.

    Args:
        probability: (N, K) of each answer being true.
        answer: (N,) the most probable one; -1 where two are equally probable, -2 for an
            item without labels.
        confusion: (W, K, K) probability of each given answer (last) where one is true.
        share: (K,) of the answers among the items.
        log_likelihood: of the labels; with priors, plus theirs.
        iterations: steps made; `converged` says whether the last one changed less than
            `tolerance`.
        signature: short hash of the method and its settings.
    """

    probability: FloatArray
    answer: IntArray
    confusion: FloatArray
    share: FloatArray
    log_likelihood: float
    iterations: int
    converged: bool
    signature: str


def dawid_skene(
    labels: Labels,
    *,
    priors: Priors | None = None,
    iterations: int = 100,
    tolerance: float = 1e-5,
) -> Truth:
    """Estimate the true answers and each judge's confusion matrix by expectation maximisation.

    Starts from each item's vote shares. It finds judges that are worse than chance as long as most
    are better; otherwise the likelihood cannot tell which answer is which.

    Args:
        labels: see `Labels`.
        priors: pseudo-counts; none by default.
        iterations: maximum number of steps, at least 1.
        tolerance: stop when the log-likelihood per label rises by less, in nats.

    Source: Dawid and Skene (1979), equations 2.3-2.5. Differs: optional priors.
    """
    from scipy.sparse import csr_array

    if iterations < 1:
        raise DataError(f"`iterations` must be at least 1; it is {iterations}")
    priors = Priors() if priors is None else priors
    k, wide = labels.answers, (labels.items, labels.judges * labels.answers)
    columns = labels.judge * k + labels.answer
    given = csr_array((np.ones(len(columns)), (labels.item, columns)), shape=wide)
    given.sum_duplicates()  # (N, W * K)
    by_judge = given.T.tocsr()
    prior = np.full((k, k), priors.wrong)
    np.fill_diagonal(prior, priors.right)
    votes = labels.votes()
    seen = votes.sum(axis=1) > 0
    truth = np.where(seen[:, None], votes, 1.0)
    truth /= truth.sum(axis=1, keepdims=True)
    truth[~seen] = 0  # an item without labels says nothing
    before, step, converged = -np.inf, 0, False
    while step < iterations and not converged:
        step += 1
        # expected labels of each judge, (W, K true, K given), as shares of each true answer
        counts = np.asarray(by_judge @ truth).reshape(-1, k, k).transpose(0, 2, 1) + prior
        total = counts.sum(axis=2, keepdims=True)
        confusion = np.where(total > 0, counts / np.where(total > 0, total, 1), 1 / k)
        weight = truth.sum(axis=0) + priors.answer
        share = weight / weight.sum()
        with np.errstate(divide="ignore"):
            logs = np.maximum(np.log(confusion), -1e4).transpose(0, 2, 1).reshape(-1, k)
            joint = np.asarray(given @ logs) + np.log(share)
        top = joint.max(axis=1, keepdims=True)
        truth = np.exp(joint - top)
        total = truth.sum(axis=1, keepdims=True)
        truth /= total
        now = float((top[seen] + np.log(total[seen])).sum())
        # the log density of the Dirichlet priors, less a constant
        if priors.right or priors.wrong:
            now += float((prior * np.log(np.maximum(confusion, 1e-300))).sum())
        if priors.answer:
            now += float(priors.answer * np.log(np.maximum(share, 1e-300)).sum())
        truth[~seen] = 0
        converged = now - before < tolerance * len(labels.item)
        before = now
    probability = np.where(seen[:, None], truth, share)
    top_two = np.partition(probability, -2, axis=1)[:, -2:]
    answer = probability.argmax(axis=1).astype(np.int64)
    answer[top_two[:, 1] - top_two[:, 0] < 1e-12] = -1
    answer[~seen] = -2
    settings = (f"{priors.right:g},{priors.wrong:g},{priors.answer:g}", iterations, tolerance)
    signature = sign_text(describe("dawid_skene", 1, *settings))
    return Truth(probability, answer, confusion, share, now, step, converged, signature)
