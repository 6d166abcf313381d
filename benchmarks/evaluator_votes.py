"""What is learnt from votes: judges recovered, many judges against one, one's own corpus.

    python benchmarks/evaluator_votes.py DATA [part ...]     DATA holds the published corpora

Parts: recovery (planted judges and qualities, 500 to 5,000 pairs), planted (many judges
against each alone, qualities planted on real dialogues), judges (the same on real votes: PandaLM,
LLMBar, HH-TEST), ieval and reliable (people's preferences in one's own corpus, against the shipped
recipe retrained without the test raters). Differences are paired, intervals 95%.
"""

from __future__ import annotations

import argparse
import gzip
import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import Any, Literal

import numpy as np

from assize.base.conversation import Pair, Turn
from assize.base.judgment import Judgment
from assize.base.torch_extra import one_thread
from assize.encoders import Encoder, load_encoder
from assize.evaluator._features.blocks import TurnFeatures
from assize.evaluator._heads.ridge import Ratings, Source, read_axes
from assize.evaluator._training.given_differences import by_em, intervals
from assize.evaluator._training.lessons import Lessons
from assize.evaluator._training.networks import gains
from assize.evaluator._training.reading import read_lessons
from assize.evaluator._training.settings import Settings, settings_of
from assize.evaluator._training.signs import begin_from_votes
from assize.evaluator._training.train_network import Trained, train_network
from assize.judgments import JudgmentTable
from assize.stats import mean
from assize.stats._reliability import Votes

Array = np.ndarray[Any, Any]
FOLDS = 5
Order = Literal["AB", "BA"]
SIDES = {"A": "A", "B": "B", "Fair": "tie", "tie": "tie"}


# -- training ----------------------------------------------------------------------------------


def train(lessons: Lessons, settings: Settings, gain: Array | None = None) -> Trained:
    """One training, from features in memory."""
    first = begin_from_votes(lessons, (), (), tied=False, seed=0).begin
    x = lessons.scaling()(lessons.rows)
    x = x if gain is None else x * gain
    with one_thread():
        return train_network(lessons, x.astype(np.float32), settings, start=first)


def with_judges(lessons: Lessons, places: Sequence[int]) -> Lessons:
    """The same pairs, some of the judges."""
    votes = lessons.votes
    kept = Votes(*(one[:, list(places)] for one in (votes.for_a, votes.for_b, votes.ties)))
    return replace(lessons, votes=kept, judges=tuple(lessons.judges[one] for one in places))


# -- planted judges -----------------------------------------------------------------------------


@dataclass(frozen=True)
class World:
    """Lessons with the truth behind them."""

    lessons: Lessons
    rates: Array  # (2, J, K)
    is_a: Array  # (N, K)
    chance: Array  # (N, K) probability that A is better, given f


def planted(
    rows: Array, pairs: int, rates: Array, seed: int, weights: Array | None = None
) -> World:
    """Judges of these reliabilities (2, J, K) on random pairs of dialogues, Thurstone's case V."""
    from scipy.special import ndtr

    rng = np.random.default_rng(seed)
    questions = rates.shape[2]
    if weights is None:
        weights = rng.normal(size=(rows.shape[1], questions))
    quality = rows @ weights
    quality *= 1.5 / quality.std(axis=0)
    order = rng.permutation(len(rows))
    while len(order) < 2 * pairs:
        order = np.concatenate([order, rng.permutation(len(rows))])
    a, b = order[:pairs], order[pairs : 2 * pairs]
    chance = ndtr((quality[a] - quality[b]) / np.sqrt(2))
    is_a = rng.random(chance.shape) < chance
    says = rng.random((pairs, *rates.shape[1:])) < np.where(is_a[:, None], rates[0], 1 - rates[1])
    names = tuple(f"judge {one}" for one in range(rates.shape[1]))
    asked = tuple(f"question {one}" for one in range(questions))
    lessons = Lessons(rows, a, b, Votes.of(says, ~says), asked, names)
    return World(lessons, rates, is_a, chance)


def recovery() -> None:
    """Reliabilities against the truth; some below chance, one adversarial, one always says A."""
    print("recovery: 6 judges, 3 questions, 100 features; 3 seeds")
    print("pairs preset   rms of reliabilities   in 95% intervals   latent side, Bayes   seconds")
    for pairs in (500, 2_000, 5_000):
        for preset in ("small", "paper"):
            _recover(preset, pairs)


def _recover(preset: str, pairs: int) -> None:
    errors, held, right, began = [], [], [], time.process_time()
    for seed in range(3):
        rng = np.random.default_rng(seed)
        rates = rng.uniform(0.6, 0.95, (2, 6, 3))
        rates[:, 0] = 0.2
        rates[0, 1], rates[1, 1] = 0.97, 0.05
        rates[:, 2] = 0.45
        world = planted(rng.normal(size=(2 * pairs, 100)), pairs, rates, seed)
        settings = settings_of(preset, apart=False)
        found = train(world.lessons, settings)
        rate = found.reliabilities
        if settings.held_out:
            rate = by_em(world.lessons.votes, found.held_out, rate)
        ends = intervals(world.lessons.votes, found.held_out, rate)
        low = np.stack([ends.alpha_low, ends.beta_low])
        high = np.stack([ends.alpha_high, ends.beta_high])
        errors.append(np.stack([rate.alpha, rate.beta]) - rates)
        held.append(np.mean((low <= rates) & (rates <= high)))
        right.append(_labels(world, found.held_out, np.stack([rate.alpha, rate.beta])))
    shown = " ".join(f"{np.sqrt(np.mean(np.square(error))):.3f}" for error in errors)
    ours, best = np.mean(right, axis=0)
    seconds = (time.process_time() - began) / 3
    figures = f"{np.mean(held):.2f}   {ours:.3f} {best:.3f}   {seconds:.0f}"
    print(f"{pairs:5} {preset:8} {shown}   {figures}", flush=True)


def _labels(world: World, difference: Array, rates: Array) -> tuple[float, float]:
    """Share of latent sides that the posterior names, with what was learnt and with the truth."""
    from scipy.special import ndtri

    from assize.stats._reliability import mixture

    votes = world.lessons.votes
    true = np.sqrt(2) * ndtri(np.clip(world.chance, 1e-9, 1 - 1e-9))
    shares = []
    for d, (alpha, beta) in ((difference, rates), (true, world.rates)):
        posterior = mixture(votes, d, alpha, beta).posterior
        shares.append(float(((posterior > 0.5) == world.is_a).mean()))
    return shares[0], shares[1]


# -- many judges against one ---------------------------------------------------------------------


def against_each(
    name: str, lessons: Lessons, gold: Array, places: Sequence[int], gain: Array
) -> None:
    """Accuracy on pairs that were not learnt from, all judges against each one alone.

    Args:
        gold: (N,) 1 for A, -1 for B, anything else not counted.
        places: the judges that stand alone.
    """
    settings, decided = settings_of("small"), np.abs(gold) == 1
    group = lessons.groups()[lessons.a][decided]

    def right(some: Lessons) -> Array:
        found = train(some, settings, gain).held_out[:, 0]
        return np.asarray((np.sign(found) == gold)[decided], float)

    together = right(lessons)
    alone = {lessons.judges[one]: right(with_judges(lessons, [one])) for one in places}
    every = np.mean(list(alone.values()), axis=0)
    gap = mean(together - every, clusters=group)
    shown = ", ".join(f"{judge} {one.mean():.3f}" for judge, one in alone.items())
    print(
        f"{name}: n {decided.sum()}, all {len(lessons.judges)} judges {together.mean():.3f},"
        f" one alone {every.mean():.3f} on average ({shown})"
    )
    print(f"  all less the average one: {_estimate(gap)}", flush=True)
    best = max(alone, key=lambda one: float(alone[one].mean()))
    lead = _estimate(mean(together - alone[best], clusters=group))
    print(f"  all less the best one ({best}): {lead}", flush=True)


def _estimate(found: Any) -> str:
    low, high = found.interval
    return f"{found.estimate:+.3f} [{low:+.3f}, {high:+.3f}]"


def judges(data: Path, encoder: Encoder, gain: Array) -> None:
    """Real votes, people's labels as gold."""
    for name, items, rows, gold, alone in (_pandalm(data), _llmbar(data), _hh_test(data)):
        read = read_lessons(items, JudgmentTable.of(rows), encoder, TurnFeatures())
        known = np.array([{"A": 1.0, "B": -1.0}.get(gold[one] or "", 0.0) for one in read.pairs])
        places = [n for n, one in enumerate(read.lessons.judges) if alone(one)]
        against_each(name, read.lessons, known, places, gain)


Known = tuple[str, list[Pair], list[Judgment], dict[str, str | None], Callable[[str], bool]]


def _turns(given: Sequence[Any]) -> tuple[Turn, ...]:
    return tuple(Turn(one["role"], str(one["text"])) for one in given)


def _lines(path: Path) -> Iterator[Any]:
    data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    yield from map(json.loads, data.decode().splitlines())


def _pair(one: Any) -> Pair:
    return Pair(one["id"], _turns(one["prompt_turns"]), _turns(one["a"]), _turns(one["b"]))


def _pandalm(data: Path) -> Known:
    """Two models, gold by three people."""
    items: list[Pair] = []
    rows: list[Judgment] = []
    gold: dict[str, str | None] = {}
    for one in _lines(data / "judge-pairs-single-turn" / "pandalm_votes.jsonl"):
        items.append(
            Pair(one["id"], _turns(one["prompt_turns"]), _turns(one["a"]), _turns(one["b"]))
        )
        gold[one["id"]] = SIDES.get(one["label"])
        for vote in one["votes"]:
            if vote["label"] in SIDES:
                answer = SIDES[vote["label"]]
                rows.append(Judgment(one["id"], vote["judge"], "preference", answer=answer))
    return "PandaLM", items, rows, gold, lambda judge: True


def _llmbar(data: Path) -> Known:
    """Six models in several modes and both orders; alone stands each model in its plain mode."""
    items: list[Pair] = []
    rows: list[Judgment] = []
    gold: dict[str, str | None] = {}
    for one in _lines(data / "judge-pairs-single-turn" / "llmbar_votes.jsonl.gz"):
        items.append(
            Pair(one["id"], _turns(one["prompt_turns"]), _turns(one["a"]), _turns(one["b"]))
        )
        gold[one["id"]] = one["label"]
        for vote in one["votes"]:
            if vote["label"] in SIDES:
                judge = f"{vote['judge']}/{vote['mode']}"
                order: Order = "AB" if vote["shown_first"] == "A" else "BA"
                answer = SIDES[vote["label"]]
                rows.append(Judgment(one["id"], judge, "preference", answer=answer, order=order))
    return "LLMBar", items, rows, gold, lambda judge: judge.endswith("/Vanilla")


def _hh_test(data: Path) -> Known:
    """GPT-4o asked in four ways, in both orders, and three reward models."""
    folder, rng = data / "amulet-hh-test", np.random.default_rng(0)
    said = {one["id"]: one for one in _lines(folder / "outputs-gpt4o.jsonl.gz")}
    rewards = {one["id"]: one for one in _lines(folder / "reward-models.jsonl")}
    items: list[Pair] = []
    rows: list[Judgment] = []
    gold: dict[str, str | None] = {}
    for one in _lines(folder / "instances.jsonl"):
        name, chosen = one["id"], "AB"[int(rng.random() < 0.5)]
        side = {"chosen": chosen, "rejected": "B" if chosen == "A" else "A"}
        text = {side[which]: (Turn("assistant", one[which]),) for which in side}
        items.append(Pair(name, _turns(one["turns"]), text["A"], text["B"]))
        gold[name] = chosen
        for judge in ("da", "maxim", "io", "w-expl"):
            for shown, vote in (said[name][judge] or {}).items():
                order: Order = "AB" if side[shown.removesuffix("_first")] == "A" else "BA"
                answer = side[vote["answer"]]
                rows.append(Judgment(name, judge, "preference", answer=answer, order=order))
        for judge, scores in rewards[name].items():
            if isinstance(scores, dict) and scores.keys() == side.keys():
                best = max(scores, key=lambda which: float(scores[which]))
                rows.append(Judgment(name, judge, "preference", answer=side[best]))
    return "HH-TEST", items, rows, gold, lambda judge: True


# -- one's own corpus ------------------------------------------------------------------------------


def own_corpus(data: Path, encoder: Encoder, name: str) -> None:
    """People's preferences between dialogues that one person rated, folds by person.

    The recipe is the shipped evaluator's, retrained on all its corpora without the test people; the
    network learns from the pairs of the other people of this corpus alone, from features `turns` as
    `assize.evaluator.train` does.
    """
    from scripts.default_evaluator.carryover import RECIPE, Learner
    from scripts.default_evaluator.corpora import FEATURES, Reader, load
    from scripts.default_evaluator.recipe import DIMENSIONS, sources

    corpora, overall = load(data, Reader(encoder)), DIMENSIONS[0]
    shipped = corpora.conversations[name].rows
    table = load(data, Reader(encoder, TurnFeatures())).conversations[name]
    target = table.target(overall.conversations[name])
    people = np.unique(table.clusters, return_inverse=True)[1].reshape(-1)
    gold = table.ratings["overall_rank"] if name == "ieval" else target
    a, b = _pairs_within(people, gold)
    sign = np.sign(gold[a] - gold[b])
    votes = Votes.from_signs(sign[:, None])
    fold = np.random.default_rng(0).permutation(np.arange(people.max() + 1) % FOLDS)[people]
    settings = settings_of("small")
    gain = gains(TurnFeatures().widths(encoder.dimension), settings)
    ours, theirs = np.empty(len(people)), np.empty(len(people))
    for held in range(FOLDS):
        test = fold == held
        seen = np.flatnonzero(~test[a])
        lessons = Lessons(
            table.rows, a[seen], b[seen], votes.take(seen), ("Overall",), ("people",), people
        )
        inside = replace(lessons, **_only(lessons, ~test))
        found = train(inside, settings, gain)
        x = inside.scaling()(table.rows[test]) * gain
        ours[test] = found.tower(x, settings.activation).mean(axis=0)[:, 0]
        given = [_without(one, name, test) for one in sources(overall, corpora)]
        widths, axes = FEATURES.widths(encoder.dimension), read_axes(encoder)
        theirs[test] = Learner(corpora, RECIPE, widths, axes).fit(given)(shipped[test])
    _told_of_corpus(name, ours, theirs, (a, b, sign), target, people)


def _without(source: Source, name: str, test: Array) -> Source:
    """The source; of this corpus, without the test people."""
    if source.corpus != name or not isinstance(source, Ratings):
        return source
    return replace(source, rows=source.rows[~test], targets=source.targets[~test])


def _only(lessons: Lessons, kept: Array) -> dict[str, Any]:
    """The dialogues that are kept, and the pairs' places among them."""
    place = np.cumsum(kept) - 1
    assert lessons.group is not None
    return {
        "rows": lessons.rows[kept],
        "a": place[lessons.a],
        "b": place[lessons.b],
        "group": lessons.group[kept],
    }


def _pairs_within(people: Array, gold: Array) -> tuple[Array, Array]:
    """All pairs of dialogues of one person with a rating."""
    found = []
    for person in range(people.max() + 1):
        rated = np.flatnonzero((people == person) & ~np.isnan(gold))
        found += list(combinations(rated.tolist(), 2))
    first, second = np.array(found).T
    return first, second


def _told_of_corpus(
    name: str,
    ours: Array,
    theirs: Array,
    pairs: tuple[Array, Array, Array],
    target: Array,
    people: Array,
) -> None:
    from assize.stats import compare

    a, b, sign = pairs
    decided = sign != 0
    right = [((np.sign(one[a] - one[b]) == sign)[decided]).astype(float) for one in (ours, theirs)]
    gap = mean(right[0] - right[1], clusters=people[a][decided])
    print(
        f"{name}: {decided.sum()} decided pairs of {people.max() + 1} people; network"
        f" {right[0].mean():.3f}, recipe {right[1].mean():.3f}: {_estimate(gap)}"
    )
    known = ~np.isnan(target)
    found = compare(ours[known], theirs[known], target[known], rng=np.random.default_rng(0))
    first, second = found.first.estimate, found.second.estimate
    shown = f"network {first:.3f}, recipe {second:.3f}: {_estimate(found.difference)}"
    print(f"  Spearman with the composite rating, n {known.sum()}: {shown}", flush=True)


def on_real_dialogues(data: Path, encoder: Encoder, gain: Array) -> None:
    """Qualities planted on features of real dialogues; five judges, one near chance."""
    from scripts.default_evaluator.corpora import Reader, load

    found = load(data, Reader(encoder, TurnFeatures())).conversations["reliable-eval"]
    rows = np.nan_to_num(found.rows)
    spread = rows.std(axis=0)
    scaled = (rows - rows.mean(axis=0)) / np.where(spread > 1e-9, spread, 1.0)
    weights = np.random.default_rng(3).normal(size=(scaled.shape[1], 1)) * gain[:, None]
    rates = np.array([[0.9, 0.8, 0.7, 0.65, 0.55], [0.8, 0.85, 0.6, 0.7, 0.5]])[:, :, None]
    world = planted(scaled, 2000, rates, 1, weights)
    gold = np.where(world.chance[:, 0] > 0.5, 1.0, -1.0)
    against_each("planted on real dialogues", world.lessons, gold, range(5), gain)


def main() -> None:
    """Runs the parts that are asked for."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("data", type=Path)
    asked.add_argument(
        "parts", nargs="*", default=["recovery", "planted", "judges", "ieval", "reliable"]
    )
    given = asked.parse_args()
    encoder = load_encoder("minilm", cached=True)
    gain = gains(TurnFeatures().widths(encoder.dimension), settings_of())
    for part in given.parts:
        if part == "recovery":
            recovery()
        elif part == "planted":
            on_real_dialogues(given.data, encoder, gain)
        elif part == "judges":
            judges(given.data, encoder, gain)
        else:
            own_corpus(given.data, encoder, {"reliable": "reliable-eval"}.get(part, part))


if __name__ == "__main__":
    main()
