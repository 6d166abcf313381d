"""Reliabilities and labels from votes alone: planted truth, bad input, people's gold."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import spearmanr
from tests.stats.reliability.simulated import Simulated, simulated

from assize.base.errors import ConfigError, DataError
from assize.stats import Labels, dawid_skene, mcnemar
from assize.stats._reliability import Reliabilities, Votes, fit_votes

LLMBAR = Path(__file__).parents[4] / "shared/data/judge-pairs-single-turn/llmbar_votes.jsonl.gz"
needs_llmbar = pytest.mark.skipif(not LLMBAR.exists(), reason="shared/data is not here")


def fitted(votes: Votes, **named: object) -> Reliabilities:
    given: dict[str, object] = {"rng": np.random.default_rng(0), "resamples": 0, **named}
    return fit_votes(votes, **given)  # type: ignore[arg-type]


def joined(*parts: Votes, axis: int) -> Votes:
    return Votes(
        *(
            np.concatenate([getattr(one, name) for one in parts], axis=axis)
            for name in ("for_a", "for_b", "ties")
        )
    )


def right(found: Reliabilities, made: Simulated) -> float:
    return float(np.mean((found.posterior[:, 0] > 0.5) == made.truth))


@pytest.mark.parametrize("seed", range(3))
def test_planted_reliabilities_and_labels_are_recovered(seed: int) -> None:
    made = simulated(5_000, seed)
    found = fitted(made.votes)
    assert found.converged[0]
    assert made.off(found.alpha[:, 0], found.beta[:, 0]) < 0.015  # 0.03 is asked for
    assert made.best() - right(found, made) < 0.005
    assert found.alpha[6, 0] > 0.99  # says A, always
    assert found.beta[6, 0] < 0.01
    assert found.alpha[7, 0] < 0.2  # the adversary
    assert found.discount[0] < 1.2


def test_near_chance_the_error_grows_and_the_fit_says_so() -> None:
    errors = []
    for mean_sum in (1.3, 1.1, 1.05):
        made = simulated(5_000, 1, mean_sum=mean_sum)
        found = fitted(made.votes, resamples=40)
        errors.append(made.off(found.alpha[:, 0], found.beta[:, 0]))
        assert any(found.doubts) == (mean_sum < 1.2)
    assert errors[0] < 0.01 < min(errors[1:])


def test_each_question_is_fitted_on_its_own() -> None:
    one, two = simulated(800, 4).votes, simulated(800, 5, mean_sum=1.2).votes
    together, alone = fitted(joined(one, two, axis=2)), fitted(two)
    assert together.alpha[:, 1] == pytest.approx(alone.alpha[:, 0], abs=1e-4)
    assert together.posterior[:, 1] == pytest.approx(alone.posterior[:, 0], abs=1e-3)


def test_exchanged_sides_exchange_alpha_and_beta() -> None:
    votes = simulated(1_000, 6).votes
    one, two = fitted(votes), fitted(Votes(votes.for_b, votes.for_a, votes.ties))
    assert two.alpha == pytest.approx(one.beta, abs=2e-3)
    assert two.share == pytest.approx(1 - one.share, abs=2e-3)
    assert two.posterior == pytest.approx(1 - one.posterior, abs=1e-2)


def test_tied_and_exchangeable_share_what_they_say() -> None:
    votes = simulated(1_000, 7).votes
    tied = fitted(votes, tied=True)
    assert (tied.alpha == tied.beta).all()
    even = fitted(votes, exchangeable=True)
    assert even.share[0] == 0.5


def test_intervals_cover_the_truth_as_often_as_they_say() -> None:
    covered = []
    for seed in range(12):
        made = simulated(600, 100 + seed)
        found = fitted(made.votes, resamples=120, rng=np.random.default_rng(seed))
        for true, ends in ((made.alpha, found.alpha_interval), (made.beta, found.beta_interval)):
            inside = (ends[:, 0, 0] <= true) & (true <= ends[:, 0, 1])
            covered += inside[[0, 1, 2, 3, 4, 5, 7]].tolist()
    assert 0.88 < np.mean(covered) < 0.99  # 168 intervals of 95%


def test_dependence_only_moves_probabilities_towards_one_half(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    votes = simulated(1_000, 8).votes
    thrice = joined(votes, votes, votes, axis=1)
    wary = fitted(thrice, exchangeable=True)
    monkeypatch.setattr("assize.stats._reliability.fit.discount", lambda *fit: 1.0)
    bold = fitted(thrice, exchangeable=True)
    assert wary.discount[0] > 2
    assert (wary.labels() == bold.labels()).all()
    assert (np.abs(wary.posterior - 0.5) <= np.abs(bold.posterior - 0.5) + 1e-12).all()
    assert (wary.alpha == bold.alpha).all()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"trusted": [8]}, "trusted names judge 8; there are 8, from 0 on"),
        ({"resamples": -1}, "resamples is -1"),
        ({"anchors": [1.0]}, r"`anchors` must have shape \(20, 1\)"),
        ({"anchors": np.full(20, 2.0)}, r"`anchors` must hold 1 \(A\)"),
        ({"families": [0]}, r"`families` must have shape \(8,\)"),
        ({"votes": Votes.from_signs(np.zeros((5, 3)))}, "no vote is for A or B"),
    ],
)
def test_bad_arguments_say_what_is_allowed(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises((ConfigError, DataError), match=message):
        fitted(**({"votes": simulated(20, 10).votes} | arguments))


def test_a_question_without_votes_is_missing_and_the_others_are_not() -> None:
    none = Votes.from_signs(np.full((300, 8), np.nan))
    votes = joined(simulated(300, 11).votes, none, axis=2)
    found = fitted(votes, names=["Overall", "Safety"])
    assert found.doubts[1] == ("Safety: nobody voted, so there is nothing to learn from",)
    assert np.isnan(found.posterior[:, 1]).all()
    assert np.isnan(found.alpha).tolist() == [[False, True]] * 8


def test_a_judge_of_ties_alone_has_no_reliability_and_does_no_harm() -> None:
    made = simulated(300, 12)
    for_a, for_b, ties = (
        one.copy() for one in (made.votes.for_a, made.votes.for_b, made.votes.ties)
    )
    for_a[:, 5], for_b[:, 5], ties[:, 5] = 0, 0, 1
    found = fitted(Votes(for_a, for_b, ties), resamples=20)
    assert np.isnan(found.alpha[:, 0]).tolist() == [False] * 5 + [True] + [False] * 2
    assert np.isnan(found.alpha_interval[5, 0]).all()
    assert (found.votes[5, 0], found.ties[5, 0]) == (0, 300)


def test_one_vote_is_enough_not_to_break() -> None:
    found = fitted(Votes.from_signs([[1.0]]), resamples=10)
    assert any(found.doubts)
    assert np.isfinite(found.posterior).all()


def test_a_judge_that_contradicts_itself_everywhere_is_at_chance() -> None:
    made = simulated(400, 13).votes
    for_a, for_b = made.for_a.copy(), made.for_b.copy()
    for_a[:, 3], for_b[:, 3] = 1, 1
    found = fitted(Votes(for_a, for_b, made.ties), exchangeable=True)
    assert found.alpha[3, 0] == pytest.approx(0.5, abs=0.01)


def test_known_labels_stay_what_they_are() -> None:
    made = simulated(200, 14)
    anchors = np.full(200, np.nan)
    anchors[:12] = np.where(made.truth[:12], 1, -1)
    found = fitted(made.votes, anchors=anchors)
    assert (found.posterior[:12, 0] == made.truth[:12]).all()


# --- people's gold: LLMBar, one judge per model and prompt, each order a vote ----------------


def llmbar(subset: str = "") -> tuple[Votes, np.ndarray, list[str]]:
    with gzip.open(LLMBAR, "rt") as lines:
        rows = [json.loads(line) for line in lines]
    rows = [row for row in rows if row["subset"].startswith(subset)]
    names = sorted({f"{vote['judge']}/{vote['mode']}" for row in rows for vote in row["votes"]})
    place = {name: at for at, name in enumerate(names)}
    counts = np.zeros((2, len(rows), len(names)))
    for at, row in enumerate(rows):
        for vote in row["votes"]:
            if vote["label"] in ("A", "B"):
                judge = place[f"{vote['judge']}/{vote['mode']}"]
                counts["AB".index(vote["label"]), at, judge] += 1
    gold = np.array([1.0 if row["label"] == "A" else -1.0 for row in rows])
    return Votes.of(*counts), gold, names


def hits(labels: np.ndarray, gold: np.ndarray) -> np.ndarray:
    return np.asarray(np.nan_to_num(labels) == gold)


@needs_llmbar
def test_llmbar_reliabilities_and_labels_without_gold() -> None:
    votes, gold, _ = llmbar()
    found = fitted(votes, resamples=60)
    a, b = votes.for_a[:, :, 0], votes.for_b[:, :, 0]
    accuracy = np.where(gold[:, None] > 0, a, b).sum(axis=0) / (a + b).sum(axis=0)
    learnt = (found.alpha + found.beta)[:, 0] / 2
    assert spearmanr(learnt, accuracy).statistic > 0.95
    assert found.doubts == ((),)
    ours = hits(found.labels()[:, 0], gold)
    majority = hits(np.sign((a - b).sum(axis=1)), gold)
    assert ours.mean() == pytest.approx(0.856, abs=0.01)
    assert mcnemar(ours, majority).p_value < 1e-6
    pair, judge, side = np.indices((*a.shape, 2))
    times = np.stack([a, b], axis=2).astype(int).ravel()
    item, of, vote = (np.repeat(one.ravel(), times) for one in (pair, judge, side))
    peer = dawid_skene(Labels.of(item, of, vote), iterations=500)
    skene = hits(np.where(peer.probability[:, 0] > 0.5, 1.0, -1.0), gold)
    assert ours.mean() >= skene.mean() - 0.005


@needs_llmbar
@pytest.mark.parametrize("subset", ["adv-neighbor", "adv"])
def test_llmbar_where_judges_are_fooled_warns_and_ten_labels_mend_it(subset: str) -> None:
    votes, gold, _ = llmbar(subset)
    (said,) = fitted(votes, resamples=60).doubts[0]
    assert "the votes alone cannot tell which side is better" in said
    rng = np.random.default_rng(1)
    for _ in range(4):
        anchors = np.full(len(gold), np.nan)
        known = rng.choice(len(gold), 10, replace=False)
        anchors[known] = gold[known]
        found = fitted(votes, anchors=anchors, resamples=30)
        left = np.isnan(anchors)
        assert found.doubts == ((),)
        assert hits(found.labels()[left, 0], gold[left]).mean() > 0.8
