"""Tables of judgments against the libraries they stand on: Parquet, agreement, juries.

2.4 million judgments with distributions are written and read beside pyarrow's own writing and
reading of the same columns; one figure of `agree` stands beside a pandas pivot, scipy's Spearman
and the same interval; a jury decides a million stored votes.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
from scipy.stats import spearmanr as scipy_spearman

from assize.base.judgment import PREFERENCE, Question
from assize.formats import read_judgments, write
from assize.judgments import JudgmentTable
from assize.judgments.answers import columns
from assize.judgments.schema import SCHEMA, shares_array, table_of
from assize.judgments.table import names_array
from assize.juries import Cascade
from assize.juries.decide import decide
from assize.stats import spearman

ITEMS, RATERS = 100_000, 24
ROUNDS = 6
ANSWERS = ("1", "2", "3", "4")
TARGET = Question("Q0", kind="ordinal", answers=ANSWERS, values=(1.0, 2.0, 3.0, 4.0))


def seconds(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def beside(ours: Callable[[], object], theirs: Callable[[], object]) -> tuple[float, float]:
    """The medians of both in seconds, taken in turn, so that neither has the fresher memory."""
    rounds = [(seconds(ours), seconds(theirs)) for _ in range(ROUNDS)]
    mine, alone = np.median(rounds[1:], axis=0)  # the first warms up
    return float(mine), float(alone)


def judged(columns: dict[str, pa.Array], question: Question) -> JudgmentTable:
    """A table of these columns, all others empty."""
    size = len(next(iter(columns.values())))
    return JudgmentTable(table_of(columns, size), {question.id: question})


def names(prefix: str, codes: np.ndarray) -> pa.Array:
    """Ids such as `item-17` for codes from 0."""
    return names_array([f"{prefix}-{n}" for n in range(int(codes.max()) + 1)], codes)


def predictions(rng: np.random.Generator) -> JudgmentTable:
    """What a calibrator says: every rater's distribution over four answers, for every item."""
    size = ITEMS * RATERS
    p = rng.dirichlet(np.ones(len(ANSWERS)), size)
    places = np.tile(np.arange(len(ANSWERS)), size)
    shares = shares_array(
        names_array(ANSWERS, places), pa.array(p.ravel()), np.arange(size + 1) * len(ANSWERS)
    )
    item, rater = np.repeat(np.arange(ITEMS), RATERS), np.tile(np.arange(RATERS), ITEMS)
    return judged(
        {
            "item": names("item", item),
            "judge": names("calibration:rater", rater),
            "question": names_array(["Q0"], np.zeros(size, dtype=np.int64)),
            "score": pa.array(p @ np.arange(1, 5)),
            "distribution": shares,
        },
        TARGET,
    )


def told(what: str, ours: float, theirs: float) -> None:
    print(f"  {what} in {ours:.2f} s, pyarrow {theirs:.2f} s: {theirs / ours:.2f} of its speed")


def parquet(table: JudgmentTable, folder: Path) -> None:
    """Written and read, beside pyarrow alone."""
    held = [n for n in SCHEMA.names if table.arrow[n].null_count < len(table)]
    bare = table.arrow.select(held)
    print(f"{len(table):,} judgments with distributions")
    ours, theirs = folder / "ours.parquet", folder / "theirs.parquet"
    told(
        "written",
        *beside(
            lambda: write(ours, table), lambda: pq.write_table(bare, theirs, compression="zstd")
        ),
    )
    told("read", *beside(lambda: read_judgments([ours]), lambda: pq.read_table(theirs)))


def agreement(rng: np.random.Generator) -> None:
    """Spearman of two judges over two million judgments, beside pandas and scipy."""
    half = 1_000_000
    truth = rng.normal(size=half)
    score = np.concatenate([truth + rng.normal(size=half) for _ in range(2)]).round(1)
    item, judge = np.tile(np.arange(half), 2), np.repeat([0, 1], half)
    table = judged(
        {
            "item": names("item", item),
            "judge": names("judge", judge),
            "question": names_array(["q"], np.zeros(2 * half, dtype=np.int64)),
            "score": pa.array(score),
        },
        Question("q", kind="number"),
    )
    frame = pd.DataFrame({"item": table.arrow["item"].to_pylist(), "score": score})
    frame["judge"] = table.arrow["judge"].to_pylist()

    def ours() -> object:
        found = columns(table, "q")
        one, two = (column.values for column in found.by_judge.values())
        return spearman(one, two, clusters=found.items)

    def theirs() -> object:
        wide = frame.pivot_table(index="item", columns="judge", values="score")
        one, two = wide.to_numpy().T
        return scipy_spearman(one, two), spearman(one, two, clusters=wide.index)

    mine, pandas = beside(ours, theirs)
    state = table.arrow.nbytes / len(table)
    print(f"Spearman of two judges over {len(table):,} judgments: {mine:.2f} s")
    print(f"  pandas pivot, scipy and the same interval {pandas:.2f} s: {mine / pandas:.2f} times")
    print(f"  {state:.0f} bytes a judgment in memory")


def jury(rng: np.random.Generator, folder: Path) -> None:
    """A cascade over a million votes stored as Parquet: four judges, both orders."""
    items, judges = 125_000, 4
    size = items * judges * 2
    code = np.arange(size)
    side = rng.choice(3, size, p=[0.45, 0.45, 0.1])
    table = judged(
        {
            "item": names("pair", code // (2 * judges)),
            "judge": names("judge", code // 2 % judges),
            "question": names_array(["preference"], np.zeros(size, dtype=np.int64)),
            "answer": names_array(["A", "B", "tie"], side),
            "order": names_array(["AB", "BA"], code % 2),
        },
        PREFERENCE,
    )
    write(folder / "votes.parquet", table)
    order = tuple(f"judge-{n}" for n in range(judges))

    def run() -> object:
        return decide(read_judgments([folder / "votes.parquet"]), Cascade(order))

    print(f"jury over {size:,} votes stored as Parquet: {seconds(run):.2f} s")


if __name__ == "__main__":
    rng = np.random.default_rng(0)
    with tempfile.TemporaryDirectory() as name:
        parquet(predictions(rng), Path(name))
        agreement(rng)
        jury(rng, Path(name))
