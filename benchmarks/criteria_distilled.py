"""How much is lost when an evaluator scores criteria in place of people, or of a model.

python benchmarks/criteria_distilled.py [FOLDER] [--only NAME]

FOLDER holds `ieval` and `fed-conture`. What people (or GPT-4) answered about a conversation is
what the evaluator learns; every figure is of conversations that it had not learnt from, folds by
worker or by conversation. Minutes, most of them for encoding and for the folds.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.criteria_selection import CONTURE, DATA, DSAT, IEVAL
from scripts.corpora import CORPORA, converted, read_rows

import assize
from assize import Conversation, JudgmentTable, Turn
from assize.criteria._criterion import CriteriaSet, Criterion

GPT4 = ("coherence", "diversity", "engagingness", "informativeness")  # that GPT-4 was asked


@dataclass(frozen=True)
class Taught:
    """Conversations, what was said about them by each criterion, and which are good."""

    name: str
    chats: Sequence[Conversation]
    criteria: CriteriaSet
    said: JudgmentTable
    good: Mapping[str, bool]
    cluster: str


def samples(folder: Path) -> Iterable[Taught]:
    """People's ratings of both, and GPT-4's of iEval, whose labels are people's."""
    rows = list(read_rows(folder / CORPORA["ieval"].file))
    ranks = {row["id"]: _rating(row, "overall_rank") for row in rows}
    chats = [_chat(row, {"worker": _worker(row)}) for row in rows]
    said = assize.read_judgments([converted("ieval", folder)])
    people, model = said.where(kind="person"), said.where(kind="model")
    for least in (2, 3):
        good = {name: rank >= least for name, rank in ranks.items()}
        title = f"iEval, people, rank {' or '.join(map(str, range(least, 4)))} good"
        yield Taught(title, chats, _set(IEVAL), people, good, "worker")
    scored = [one for one in chats if one.id in set(model.items)]
    good = {one.id: ranks[one.id] >= 2 for one in scored}
    yield Taught("iEval, GPT-4, rank 2 or 3 good", scored, _set(GPT4), model, good, "worker")
    rows = list(read_rows(folder / CORPORA["fed-conture"].file))
    overall = {row["id"]: _rating(row, "overall") for row in rows}
    middle = float(np.median(list(overall.values())))
    good = {name: value >= middle for name, value in overall.items()}
    people = assize.read_judgments([converted("fed-conture", folder)])
    people = people.where(kind="person", turn=None)
    yield Taught(
        "ConTurE, people", [_chat(row, {}) for row in rows], _set(CONTURE), people, good, "item"
    )


def _rating(row: Mapping[str, Any], name: str) -> float:
    given = [
        one["score"]
        for one in row["ratings"]
        if one["dimension"] == name and one["kind"] == "human" and "turn" not in one
    ]
    return float(np.mean(given))


def _worker(row: Mapping[str, Any]) -> str:
    return str(next(one["judge"] for one in row["ratings"] if one["kind"] == "human"))


def _chat(row: Mapping[str, Any], told: Mapping[str, str]) -> Conversation:
    turns = tuple(Turn(one["role"], one["text"]) for one in row["turns"])
    return Conversation(row["id"], turns, metadata=told)


def _set(names: Sequence[str]) -> CriteriaSet:
    made = [Criterion(one, f"{one}.", "dsat" if one in DSAT else "sat") for one in names]
    return CriteriaSet("people", tuple(made))


def main() -> None:
    """Prints two tables a sample."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", nargs="?", type=Path, default=DATA)
    parser.add_argument("--only", default="")
    given = parser.parse_args()
    if not given.folder.is_dir():
        print(f"nothing measured: there is no folder {given.folder.name} beside the project")
        return
    for one in samples(given.folder):
        if given.only not in one.name:
            continue
        found = assize.criteria.distill(
            one.criteria, one.said, items=one.chats, label=one.good, cluster=one.cluster, quiet=True
        )
        print(f"\n{one.name}: {len(one.chats)} conversations\n{found}", flush=True)


if __name__ == "__main__":
    main()
