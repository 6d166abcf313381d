"""Joint training on votes whose judges and qualities are planted."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from planted import Planted, plant

from assize.base.errors import ConfigError
from assize.evaluator._training.checkpoint import TRAINING
from assize.evaluator._training.given_differences import Reliabilities
from assize.evaluator._training.lessons import Lessons
from assize.evaluator._training.settings import Settings, settings_of
from assize.evaluator._training.signs import begin_from_votes
from assize.evaluator._training.train_network import (
    BestMembers,
    Trained,
    VoteData,
    batch_loss,
    rate_factor,
    train_network,
)
from assize.evaluator._training.vote_network import VoteNetwork
from assize.stats._reliability import Votes

QUICK = settings_of("linear", members=2, epochs=3)


def trained(data: Planted | Lessons, settings: Settings = QUICK, **more: Any) -> Trained:
    lessons = data.lessons if isinstance(data, Planted) else data
    first = begin_from_votes(lessons, (), (), tied=settings.tied, seed=0).begin
    x = lessons.scaling()(lessons.rows).astype(np.float32)
    return train_network(lessons, x, settings, **{"start": first, **more})


def check_equal(one: Trained, other: Trained) -> None:
    """To the last bit."""
    np.testing.assert_equal(one.tower.weights, other.tower.weights)
    np.testing.assert_equal(one.held_out, other.held_out)
    np.testing.assert_equal(one.reliabilities.alpha, other.reliabilities.alpha)


def test_reliabilities_and_the_better_side_are_recovered() -> None:
    truth = plant(2000, features=12, judges=6, seed=1)
    found = trained(truth, settings_of("linear", members=2, epochs=12))
    rates = found.reliabilities
    assert truth.rms(rates.alpha, rates.beta) < 0.03
    # an adversarial judge and one who always says A are seen for what they are
    assert rates.information[0].max() < -0.4
    assert abs(rates.information[1]).max() < 0.15
    # knowing f exactly gives 0.76: noise of deviation 1 is in quality
    assert np.mean((found.held_out > 0) == truth.is_a) > 0.72


def test_the_likelihood_rises_and_the_same_seed_gives_the_same_bits() -> None:
    truth = plant(300)
    settings = settings_of("small", members=2, epochs=4)
    one, other = trained(truth, settings), trained(truth, settings)
    assert one.likelihood[-1][0] < one.likelihood[0][0]
    check_equal(one, other)
    reseeded = trained(truth, replace(settings, seed=1))
    assert not np.array_equal(one.held_out, reseeded.held_out)


def test_a_and_b_exchanged_turn_the_differences_and_swap_alpha_and_beta() -> None:
    truth = plant(300)
    lessons = truth.lessons
    votes = Votes(lessons.votes.for_b, lessons.votes.for_a, lessons.votes.ties)
    mirrored = replace(lessons, a=lessons.b, b=lessons.a, votes=votes)
    settings = replace(QUICK, start="constant")
    one, other = trained(lessons, settings), trained(mirrored, settings)
    np.testing.assert_allclose(one.held_out, -other.held_out, atol=1e-4)
    np.testing.assert_allclose(one.reliabilities.alpha, other.reliabilities.beta, atol=1e-4)


def test_tied_reliabilities_are_equal_and_gold_stays() -> None:
    truth = plant(200)
    found = trained(truth, replace(QUICK, tied=True))
    np.testing.assert_array_equal(found.reliabilities.alpha, found.reliabilities.beta)
    gold = trained(truth.lessons, gold={"j2"}).reliabilities
    assert gold.alpha[2] == pytest.approx(0.99)
    assert gold.alpha[3] != pytest.approx(0.99, abs=0.001)


def test_weight_decay_is_of_the_network_alone() -> None:
    truth = plant(300, seed=4)
    settings = settings_of("linear", members=1, epochs=10, held_out=False)
    free, strong = (trained(truth, replace(settings, decay=decay)) for decay in (0.0, 300.0))
    assert np.abs(strong.tower.weights[0]).max() < 0.3 * np.abs(free.tower.weights[0]).max()
    # decay of 0.1 and more would draw reliabilities to one half
    assert strong.reliabilities.alpha.max() > 0.85


def test_ties_alone_change_nothing() -> None:
    lessons = plant(100).lessons
    ties = np.zeros_like(lessons.votes.ties)
    ties[:, 2] = 1
    with_ties = replace(lessons, votes=replace(lessons.votes, ties=ties))
    check_equal(trained(lessons), trained(with_ties))


class Stop(Exception):
    """A training is broken off."""


def stop(line: str) -> None:
    if line.startswith("epoch 4"):
        raise Stop


def test_an_interrupted_training_ends_at_the_same_bits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    truth = plant(300)
    settings = settings_of("small", members=2, epochs=6)
    monkeypatch.setattr("assize.evaluator._training.train_network.SAVE_EVERY", 0.0)
    with pytest.raises(Stop):
        trained(truth, settings, folder=tmp_path, progress=stop)
    told: list[str] = []
    again = trained(truth, settings, folder=tmp_path, progress=told.append)
    assert told[0].startswith("epoch 4/6")  # it went on after the third
    check_equal(trained(truth, settings), again)
    with pytest.raises(ConfigError, match="of other votes or settings"):
        trained(truth, replace(settings, seed=9), folder=tmp_path)


KILLED = """
import sys, numpy as np
from pathlib import Path
from typing import Any
sys.path[:0] = sys.argv[2:]
from planted import plant
from assize.evaluator._training import train_network
from assize.evaluator._training.settings import settings_of
train_network.SAVE_EVERY = 0.0
truth = plant(400)
x = truth.lessons.rows.astype(np.float32)
settings = settings_of("small", members=2, epochs=15, patience=15)
found = train_network.train_network(truth.lessons, x, settings, folder=Path(sys.argv[1]))
np.save(sys.argv[1] + "/found.npy", found.held_out)
"""


@pytest.mark.nightly("trains in a process that is killed, and twice more")
def test_a_training_that_is_killed_goes_on(tmp_path: Path) -> None:
    path = [p for p in sys.path if p.endswith(("servers", "src"))]
    command = [sys.executable, "-c", KILLED]
    going = subprocess.Popen([*command, str(tmp_path / "one"), *path])
    while not (tmp_path / "one" / TRAINING.manifest).exists():
        assert going.poll() is None
        time.sleep(0.01)
    os.kill(going.pid, signal.SIGKILL)
    going.wait()
    assert not (tmp_path / "one" / "found.npy").exists()
    for name in ("one", "whole"):
        (tmp_path / name).mkdir(exist_ok=True)
        subprocess.run([*command, str(tmp_path / name), *path], check=True)
    first, second = (np.load(tmp_path / name / "found.npy") for name in ("one", "whole"))
    np.testing.assert_array_equal(first, second)


def test_one_member_holds_out_a_part_and_learns_the_rest() -> None:
    one = trained(plant(100), replace(QUICK, members=1))
    assert 0.1 < np.mean(one.fold == 0) < 0.3
    everything = trained(plant(100), replace(QUICK, held_out=False))
    assert (everything.fold == -1).all()
    assert np.isnan(everything.likelihood[-1][1])


def test_a_training_that_is_too_short_to_rise_begins_at_the_full_rate() -> None:
    assert rate_factor(0, 3, 0.1) == 1


def started(settings: Settings = QUICK) -> tuple[VoteNetwork, VoteData]:
    lessons = plant(60).lessons
    x = lessons.rows.astype(np.float32)
    rate = np.full(lessons.votes.shape[1:], 0.7)
    model = VoteNetwork(settings, x.shape[1], Reliabilities(rate, rate), [False] * 5)
    return model, VoteData.of(lessons, x, settings)


def test_a_member_does_not_learn_from_the_pairs_that_it_holds_out() -> None:
    model, data = started()
    (pairs,) = data.held[0].nonzero(as_tuple=True)
    batch_loss(model, data, pairs).backward()  # type: ignore[no-untyped-call]
    parameters: list[Any] = [model.weights[0], model.reliability]
    for parameter in parameters:
        assert not parameter.grad[0].any()
        assert parameter.grad[1].any()


def test_each_member_is_kept_where_it_was_best() -> None:
    model, data = started()
    best = BestMembers.of(model, data)
    best.loss = torch.tensor([-1.0, torch.inf]).double()  # the first cannot get better
    with torch.no_grad():
        model.weights[0] += 1.0
    best.update(model, data, epoch=5)
    assert best.epoch.tolist() == [0, 5]
    kept = best.parameters["weights.0"]
    assert not kept[0].any()
    assert kept[1].all()
    assert [best.difference[held].any().item() for held in data.held] == [False, True]
