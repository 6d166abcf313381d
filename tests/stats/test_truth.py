"""The true answer from several judges."""

from __future__ import annotations

import warnings
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assize.base.errors import DataError
from assize.stats import Labels, Priors, average, dawid_skene, majority


def simulated(
    items: int = 2_000, judges: int = 8, answers: int = 3, seed: int = 0
) -> tuple[Labels, np.ndarray, np.ndarray]:
    """Labels, the truth and the judges' true confusion matrices."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, answers, items)
    right = rng.uniform(0.5, 0.95, judges)
    right[0] = 0.2  # worse than chance
    confusion = np.stack(
        [(1 - r) / (answers - 1) + (r - (1 - r) / (answers - 1)) * np.eye(answers) for r in right]
    )
    item = np.repeat(np.arange(items), judges)
    judge = np.tile(np.arange(judges), items)
    cumulative = confusion[judge, truth[item]].cumsum(axis=1)
    answer = (rng.random(len(item))[:, None] > cumulative).sum(axis=1)
    return Labels.of(item, judge, answer), truth, confusion


def test_majority_and_average_by_hand() -> None:
    found = majority([[3.0, 1, 0], [1.0, 1, 0], [0.0, 0, 0], [0.4, 0.1, 0.5]])
    assert found.tolist() == [0, -1, -2, 2]
    means = average([[1, np.nan, np.nan], [2, 4, np.nan]])
    assert means == pytest.approx([1.5, 4, np.nan], nan_ok=True)


def test_one_step_of_dawid_skene_by_hand() -> None:
    # two items, judges a and b: (0, 0) and (0, 1). Shares: item 0 is 0, item 1 half and half.
    # a gives 0 to all: his columns are (1, 0) for both. b: where 0 is true, expected labels
    # 0: 1, 1: 1/2, so 2/3, 1/3; where 1 is true 0: 0, 1: 1/2. Prior shares 3/4, 1/4.
    # item 1: 3/4 * 1 * 1/3 against 1/4 * 1 * 1 is 1/2; item 0: 3/4 * 2/3 against 0.
    found = dawid_skene(Labels.of([0, 0, 1, 1], [0, 1, 0, 1], [0, 0, 0, 1]), iterations=1)
    assert found.probability == pytest.approx(np.array([[1, 0], [0.5, 0.5]]))
    assert found.answer.tolist() == [0, -1]
    assert found.confusion[1] == pytest.approx(np.array([[2 / 3, 1 / 3], [0, 1]]))


def test_dawid_skene_is_crowd_kits() -> None:
    pandas = pytest.importorskip("pandas")
    aggregation = pytest.importorskip("crowdkit.aggregation", reason="crowd-kit is not installed")
    labels, _, _ = simulated(300)
    frame = pandas.DataFrame({"task": labels.item, "worker": labels.judge, "label": labels.answer})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # crowd-kit calls what pandas deprecates
        reference = aggregation.DawidSkene(n_iter=200, tol=1e-12).fit(frame)
    found = dawid_skene(labels, iterations=200, tolerance=1e-12)
    expected = reference.probas_.sort_index()[[0, 1, 2]].to_numpy()
    assert found.probability == pytest.approx(expected, abs=1e-3)


def test_truth_and_judges_are_recovered_also_one_that_is_worse_than_chance() -> None:
    labels, truth, confusion = simulated()
    found = dawid_skene(labels)
    assert found.converged
    assert (found.answer == truth).mean() > (majority(labels.votes()) == truth).mean()
    assert np.abs(found.confusion - confusion).max() < 0.06
    assert found.share == pytest.approx(np.full(3, 1 / 3), abs=0.04)


@given(st.permutations(range(4)), st.permutations(range(3)))
def test_names_of_judges_and_answers_do_not_matter(judges: list[int], answers: list[int]) -> None:
    labels, _, _ = simulated(40, 4)
    renamed = Labels.of(
        labels.item, np.array(judges)[labels.judge], np.array(answers)[labels.answer]
    )
    one, two = dawid_skene(labels), dawid_skene(renamed)
    assert two.probability[:, answers] == pytest.approx(one.probability, abs=1e-6)
    assert two.log_likelihood == pytest.approx(one.log_likelihood)


def test_the_likelihood_never_falls() -> None:
    labels, _, _ = simulated(100, 5)
    for priors in (Priors(), Priors(right=3, wrong=1, answer=1)):
        steps = [
            dawid_skene(labels, priors=priors, iterations=n, tolerance=0).log_likelihood
            for n in range(1, 20)
        ]
        assert (np.diff(steps) > -1e-9).all()


def test_priors_keep_probabilities_inside() -> None:
    labels = Labels.of([0, 1, 2], [0, 0, 0], [0, 0, 1])
    assert (dawid_skene(labels).confusion == 0).any()
    kept = dawid_skene(labels, priors=Priors(right=2, wrong=1, answer=1))
    assert ((kept.confusion > 0) & (kept.confusion < 1)).all()
    assert kept.signature != dawid_skene(labels).signature


def test_an_item_without_labels_gets_the_shares_and_no_answer() -> None:
    found = dawid_skene(Labels.of([0, 2, 2], [0, 0, 1], [1, 1, 0]))
    assert found.answer[1] == -2
    assert found.probability[1] == pytest.approx(found.share)
    assert found.share == pytest.approx(
        dawid_skene(Labels.of([0, 1, 1], [0, 0, 1], [1, 1, 0])).share
    )


def test_one_judge_or_one_class_is_no_error() -> None:
    found = dawid_skene(Labels.of([0, 1], [0, 0], [0, 0]))
    assert found.answer.tolist() == [0, 0]
    assert np.isfinite(found.probability).all()


NOTHING = np.array([], dtype=int)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: Labels.of(NOTHING, NOTHING, NOTHING), "`item` is empty"),
        (lambda: Labels.of([0], [-1], [0]), "`judge` must be a column of codes"),
        (lambda: Labels.of([0], [0], [4], answers=3), "`answer` holds 4, `answers` is 3"),
        (lambda: majority([[1]]), "`votes` needs at least 2 answers"),
        (
            lambda: dawid_skene(Labels.of([0], [0], [0]), iterations=0),
            "`iterations` must be at least 1",
        ),
    ],
)
def test_bad_arguments_are_named(call: Callable[[], object], message: str) -> None:
    with pytest.raises(DataError, match=message):
        call()
