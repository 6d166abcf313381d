"""How fast a network is trained from votes, and what scoring with it costs beside the encoder.

    python benchmarks/evaluator_training.py [part ...]     parts: training, scoring, scoring:N

`training`: 10,000 pairs, 5 judges, 11 questions, features as wide as the embedded encoder's, once
they are there; each preset in a process of its own, whose peak memory is told. `scoring`: dialogues
of ten turns, read by the embedded encoder, with a network of five members behind it; the cost is
the ratio of the whole to the encoder's own time, both by the processor's clock and the least of
five rounds, with the ratios of single rounds beside it. N is the number of dialogues.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import time
from typing import Any

import numpy as np

from assize.evaluator._training.lessons import Lessons

PAIRS, JUDGES, QUESTIONS, FEATURES = 10_000, 5, 11, 1559
PRESETS = ("small", "linear", "paper")


def lessons() -> tuple[Lessons, np.ndarray[Any, Any]]:
    """Votes planted on a linear quality."""
    from assize.judging.judges.dimensions import NAMES
    from assize.stats._reliability import Votes

    rng = np.random.default_rng(0)
    rows = rng.normal(size=(2 * PAIRS, FEATURES))
    quality = 1.5 * rows @ rng.normal(size=(FEATURES, QUESTIONS)) / np.sqrt(FEATURES)
    a, b = np.arange(PAIRS), np.arange(PAIRS) + PAIRS
    is_a = rng.normal(size=(PAIRS, QUESTIONS)) < (quality[a] - quality[b]) / np.sqrt(2)
    rate = rng.uniform(0.6, 0.95, (2, JUDGES, QUESTIONS))
    says_a = rng.random((PAIRS, JUDGES, QUESTIONS)) < np.where(is_a[:, None], rate[0], 1 - rate[1])
    tie = rng.random(says_a.shape) < 0.2
    votes = Votes.of(says_a & ~tie, ~says_a & ~tie, tie)
    judges = tuple(f"judge {one}" for one in range(JUDGES))
    return Lessons(rows, a, b, votes, tuple(NAMES), judges), rate


def train(preset: str) -> None:
    """One training from features in memory: seconds, peak memory, error of the reliabilities."""
    from assize.base.torch_extra import one_thread
    from assize.evaluator._training.given_differences import Reliabilities
    from assize.evaluator._training.networks import towers_of
    from assize.evaluator._training.settings import settings_of
    from assize.evaluator._training.signs import begin_from_votes
    from assize.evaluator._training.train_network import train_network

    given, rate = lessons()
    began, spent = time.perf_counter(), time.process_time()
    settings = settings_of(preset)
    x = given.scaling()(given.rows).astype(np.float32)
    first = begin_from_votes(given, (), (), tied=False, seed=0).begin
    parts = towers_of(given.questions, apart=settings.apart)
    gaps = []
    for places in parts:
        own = Reliabilities(first.alpha[:, places], first.beta[:, places])
        with one_thread():
            found = train_network(given.of_questions(places), x, settings, start=own)
        told = found.reliabilities
        gaps += [told.alpha - rate[0][:, places], told.beta - rate[1][:, places]]
    taken, spent = time.perf_counter() - began, time.process_time() - spent
    rms = np.sqrt(np.mean(np.concatenate([one.ravel() for one in gaps]) ** 2))
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(
        f"{preset:7} {taken:6.1f} s, {spent:.0f} s of processor   {peak:5.2f} GB"
        f"   {found.epochs} epochs   rms {rms:.3f}"
    )


def scoring(dialogues: int = 300) -> None:
    """The whole of `score` against the encoder alone, on the same texts."""
    from assize import Conversation, Turn, score
    from assize.base.judgment import Question
    from assize.encoders import load_encoder
    from assize.evaluator import Evaluator, load_evaluator
    from assize.evaluator._features.blocks import TurnFeatures
    from assize.evaluator._heads.linear import Scaling
    from assize.evaluator._heads.network import Network
    from assize.evaluator._heads.scored_question import MonotoneMap, ScoredQuestion
    from assize.evaluator._training.given_differences import Reliabilities
    from assize.evaluator._training.settings import settings_of
    from assize.evaluator._training.vote_network import VoteNetwork
    from assize.judging.judges.dimensions import NAMES

    words = ["the", "train", "leaves", "at", "nine", "and", "I", "would", "like", "some", "tea"]
    rng = np.random.default_rng(0)
    items = [
        Conversation(
            str(n),
            tuple(
                Turn("user" if turn % 2 == 0 else "assistant", " ".join(rng.choice(words, 25)))
                for turn in range(10)
            ),
        )
        for n in range(dialogues)
    ]
    encoder, width = load_encoder("minilm"), sum(TurnFeatures().widths(384).values())
    rate = np.full((1, QUESTIONS), 0.7)
    tower = VoteNetwork(settings_of(), width, Reliabilities(rate, rate), [False]).tower()
    scaling = Scaling(np.zeros(width), np.ones(width))
    head = Network(tuple(NAMES), scaling, np.ones(width), (tower,), np.ones(QUESTIONS), "silu")
    line = MonotoneMap(np.array([-3.0, 3.0]), np.array([0.1, 0.9]))
    scored = {name: ScoredQuestion(Question(name), {"conversation": line}) for name in NAMES}
    network = Evaluator("network", encoder, TurnFeatures(), head, scored)
    texts = [turn.text for item in items for turn in item.turns]
    times: dict[str, list[float]] = {}
    for _ in range(5):
        for name, work in (
            ("encoder alone", lambda: encoder.encode(texts)),
            ("score, network", lambda: list(score(items, evaluator=network))),
            ("score, shipped", lambda: list(score(items, evaluator=load_evaluator()))),
        ):
            began = time.process_time()
            work()
            times.setdefault(name, []).append(time.process_time() - began)
    alone = times["encoder alone"]
    for name, taken in times.items():
        each = np.divide(taken, alone)
        print(
            f"{name:15} {1e3 * min(taken) / dialogues:6.2f} ms a dialogue"
            f"   {min(taken) / min(alone):5.3f} [{each.min():.3f}, {each.max():.3f}]"
        )


def main() -> None:
    """Runs the parts that are asked for."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("parts", nargs="*", default=["training", "scoring"])
    for part in asked.parse_args().parts:
        if part == "training":
            for preset in PRESETS:
                subprocess.run([sys.executable, __file__, f"train:{preset}"], check=True)
        elif part.startswith("scoring"):
            scoring(int(part.partition(":")[2] or 300))
        else:
            train(part.partition(":")[2])


if __name__ == "__main__":
    main()
