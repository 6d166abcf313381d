"""What an evaluator learns from one judge and from several: on real votes, and on planted ones.

python benchmarks/evaluator_study.py [FOLDER] [--sets llmbar,pandalm,amulet,planted] [--seeds 3]
    [--learners NAMES] [--json FILE]

FOLDER holds `judge-pairs-single-turn`, `amulet-hh-test` and `ieval`. llmbar: six language models,
each with its plain prompt in both orders; pandalm: two judges; amulet: four judges by one model and
three reward models; planted: iEval's pairs within groups, gold by people, with five simulated
judges that are right as often as `PLANTED` says. Prints each study's table, what all judges
together give over the mean single judge, and the worth of learning at all. Takes minutes.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from scripts.corpora import converted

import assize
from assize import Judgment, JudgmentTable, simulate
from assize.base.conversation import Pair
from assize.base.judgment import PREFERENCE
from assize.evaluator._study import Gold, Juries
from assize.evaluator._study.studied import EvaluatorStudy, single_mean
from assize.stats._studies import KFold

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
PLANTED = {"very good": 0.85, "good": 0.75, "fair": 0.68, "poor": 0.6, "bad": 0.4}
Made = tuple[Any, dict[str, Any]]  # what is studied, and how


def llmbar(data: Path) -> Made:
    """326 pairs, adversarial by design; judges by their plain prompts."""
    folder = str(converted("llmbar", data))
    judges = [name for name in assize.read_judgments(folder).judges if name.endswith("/Vanilla")]
    return folder, {"juries": Juries(judges)}


def pandalm(data: Path) -> Made:
    """999 pairs with two judges; gold is the majority of three annotators."""
    return str(converted("pandalm", data)), {}


def amulet(data: Path) -> Made:
    """460 pairs of helpfulness; A is always the response that people chose."""
    folder = data / "amulet-hh-test"
    files = ["instances.jsonl", "outputs-gpt4o.jsonl.gz", "reward-models.jsonl"]
    given = [str(folder / name) for name in files]
    return given[0], {"votes": given, "gold": Gold(exchangeable=True)}


def planted(data: Path, seed: int = 0) -> Made:
    """480 of iEval's pairs within groups, with simulated judges; ties are votes at random."""
    folder = str(converted("ieval", data))
    pairs = simulate.pairs(folder, "overall_rank", seed=seed).records
    return pairs, {"votes": simulated(pairs, np.random.default_rng([seed, 9]))}


def simulated(pairs: Sequence[Pair], rng: np.random.Generator) -> JudgmentTable:
    """Judges who see gold and say it as often as `PLANTED` says, each on its own."""
    rows = []
    for pair in pairs:
        gold = (
            pair.gold
            if isinstance(pair.gold, str) or pair.gold is None
            else pair.gold["preference"]
        )
        side = gold if gold in ("A", "B") else "AB"[int(rng.integers(2))]
        for name, right in PLANTED.items():
            other = "B" if side == "A" else "A"
            said = side if rng.random() < right else other
            rows.append(Judgment(pair.id, name, PREFERENCE.id, answer=said, kind="model"))
    return JudgmentTable.of(rows, [PREFERENCE])


SETS: Mapping[str, Callable[[Path], Made]] = {
    "llmbar": llmbar,
    "pandalm": pandalm,
    "amulet": amulet,
    "planted": planted,
}


def told(name: str, found: EvaluatorStudy) -> dict[str, float]:
    """Headline figures: all judges together, the mean single judge, and what gold reaches."""
    figures = found.table.figures
    together = figures[found.together]["without_tie"].estimate
    alone = single_mean(found.table, "without_tie")
    gains = {"together": together, "mean single judge": alone, "ratio": together / alone}
    if "gold" in figures:
        gains["learnt from gold"] = figures["gold"]["without_tie"].estimate
    gains["reliabilities found (Pearson)"] = found.reliability_right.estimate
    print(f"== {name}: " + ", ".join(f"{key} {value:.3f}" for key, value in gains.items()))
    return gains


def main() -> None:
    """Runs the studies that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=DATA)
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--learners", default="")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    if not given.folder.is_dir():
        print(f"no data in {given.folder}; give the folder")
        return
    kept: dict[str, Any] = {}
    for name in given.sets.split(","):
        pairs, how = SETS[name](given.folder)
        found = assize.study.evaluators(
            pairs, splits=KFold(seeds=given.seeds), learners=given.learners, quiet=True, **how
        )
        print(found)
        for note in found.notes:
            print(note)
        kept[name] = told(name, found) | {"study": found.to_json()}
    if given.json is not None:
        given.json.write_text(json.dumps(kept, indent=1))


if __name__ == "__main__":
    main()
