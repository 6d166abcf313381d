"""How fast the dashboard is on 100,000 conversations, 24 raters, 9 questions with numbers and a
nominal one (24 million predicted answers with their distributions).

    python benchmarks/dashboard.py [--conversations N] [--folder DIR]

It makes the judgments, keeps their arrays, then starts a fresh process for each part.
Printed are wall-clock seconds, and the highest memory of each process.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa

QUESTIONS = 9  # with numbers; one more is nominal
RATERS = 24
ANSWERS = 4
SYSTEMS = ("bot-6", "bot-7")
TOPICS = ("billing", "booking", "health", "travel", "weather")
DAY = 86_400


def judgments(conversations: int, seed: int) -> object:
    """A table of predicted answers: every rater, question and conversation."""
    from assize.base.judgment import Question
    from assize.judgments import JudgmentTable
    from assize.judgments.schema import shares_array, table_of
    from assize.judgments.table import names_array

    rng = np.random.default_rng(seed)
    cells = conversations * RATERS
    quality = rng.normal(size=conversations)
    parts = []
    names = [f"calibration:rater-{at:02d}" for at in range(RATERS)]
    ids = [f"chat-{at:06d}" for at in range(conversations)]
    asked = [f"Q{at}" for at in range(QUESTIONS + 1)]
    for at in range(QUESTIONS + 1):
        latent = (
            0.8 * quality[:, None]
            + 0.15 * (np.arange(conversations)[:, None] % 2)  # the newer system is better
            + 0.4 * rng.normal(size=RATERS)
            + 0.5 * rng.normal(size=(conversations, RATERS))
        ).ravel()
        steps = 1 / (1 + np.exp(-(np.array([-2.0, -0.6, 1.0]) - latent[:, None]) * 1.7))
        p = np.diff(np.hstack([np.zeros((cells, 1)), steps, np.ones((cells, 1))]), axis=1)
        answers = np.tile(np.arange(ANSWERS), cells)
        columns = {
            "item": names_array(ids, np.repeat(np.arange(conversations), RATERS)),
            "judge": names_array(names, np.tile(np.arange(RATERS), conversations)),
            "question": names_array(asked, np.full(cells, at)),
            "score": pa.array(p @ np.arange(1.0, ANSWERS + 1)),
            "distribution": shares_array(
                names_array([str(one + 1) for one in range(ANSWERS)], answers),
                pa.array(p.ravel()),
                np.arange(cells + 1) * ANSWERS,
            ),
        }
        parts.append(table_of(columns, cells))
    scale = tuple(str(one + 1) for one in range(ANSWERS))
    questions = [
        Question(
            name, f"Question {name}", "ordinal", scale, tuple(map(float, scale)), higher="better"
        )
        for name in asked[:-1]
    ]
    questions.append(Question(asked[-1], f"Question {asked[-1]}", "nominal", scale))
    return JudgmentTable.from_arrow(pa.concat_tables(parts), questions)


def conversations_of(count: int, seed: int) -> Iterator[object]:
    """As many conversations of six turns."""
    from assize.base.conversation import Conversation, Turn

    rng = np.random.default_rng(seed + 1)
    topic = rng.integers(len(TOPICS), size=count)
    when = 1_767_225_600 + rng.integers(0, 120, count) * DAY
    text = "Could you tell me more about that, and what it would cost me? " * 3
    for at in range(count):
        turns = tuple(
            Turn("assistant" if turn % 2 else "user", f"{at // 2} {turn}: {text}")
            for turn in range(6)
        )
        told = {"topic": TOPICS[topic[at]], "started": int(when[at])}
        yield Conversation(f"chat-{at:06d}", turns, SYSTEMS[at % 2], told)


def prepare(folder: Path, count: int) -> None:
    """Makes the judgments and their arrays, and prints how long each took."""
    from assize.spread import gather_ratings
    from assize.spread.ratings import save_ratings

    start = time.perf_counter()
    table = judgments(count, 0)
    made = time.perf_counter()
    print(f"judgments made: {len(table):,} in {made - start:.1f} s, {memory():.1f} GB")  # type: ignore[arg-type]
    save_ratings(gather_ratings(table, conversations_of(count, 0), time="started"), folder)  # type: ignore[arg-type]
    size = sum(one.stat().st_size for one in folder.iterdir()) / 1e9
    print(f"kept in {since(made)}, at most {memory():.1f} GB, {size:.2f} GB on disk")


def bands(folder: Path) -> None:
    """All charts with their bands: together, by system, kept apart, over time."""
    from assize.spread import SpreadOptions, measure_spread
    from assize.spread.ratings import open_ratings

    ratings = open_ratings(folder)
    for named in ({}, {"by": "system"}, {"apart": True}, {"every": "week"}):
        start = time.perf_counter()
        found = measure_spread(ratings, SpreadOptions(**named))
        print(f"{len(found.distributions)} charts, {named or 'together'}: {since(start)}")


def clicks(folder: Path) -> None:
    """Regions of curves, together and kept apart; a conversation with its judgments."""
    from assize.spread import Region, SpreadOptions, list_region
    from assize.spread.ratings import open_ratings

    ratings = open_ratings(folder)
    for apart in (False, True):
        for low, high in ((1, 1.6), (1, 4)):
            start = time.perf_counter()
            found = list_region(ratings, SpreadOptions(apart=apart), Region("Q0", low, high))
            print(f"click on {low} to {high}: {found.total:,} rows, {since(start)}")
    start = time.perf_counter()
    ratings.item(ratings.size // 2)
    rows = ratings.judgments_of(ratings.size // 2)
    print(f"a conversation with its {len(rows)} judgments: {since(start)}")


def since(start: float) -> str:
    """Seconds since then."""
    return f"{time.perf_counter() - start:.2f} s"


def memory() -> float:
    """The most gigabytes that this process has held."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6


PARTS = {"bands": bands, "clicks": clicks}


def main() -> None:
    """Prepares, and runs every part in a process of its own."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--conversations", type=int, default=100_000)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--part", choices=["prepare", *PARTS])
    given = parser.parse_args()
    if given.part == "prepare":
        prepare(given.folder, given.conversations)
    elif given.part:
        PARTS[given.part](given.folder)
        print(f"  at most {memory():.1f} GB")
    else:
        with tempfile.TemporaryDirectory() as own:
            folder = given.folder or Path(own) / "ratings"
            if not (folder / "spread.json").exists():
                run("prepare", folder, given.conversations)
            for part in PARTS:
                run(part, folder, given.conversations)


def run(part: str, folder: Path, count: int) -> None:
    """One part, in a fresh process."""
    print(json.dumps(part), flush=True)
    told = ["--part", part, "--folder", str(folder), "--conversations", str(count)]
    subprocess.run([sys.executable, __file__, *told], check=True)


if __name__ == "__main__":
    main()
