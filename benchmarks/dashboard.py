"""How fast the dashboard is on 100,000 conversations, 24 raters, 9 questions with numbers and a
nominal one (24 million predicted answers with their distributions).

    python benchmarks/dashboard.py [--conversations N] [--folder DIR]

It makes the judgments, prepares the view, then starts a fresh process for each figure of a cold
start. Printed are wall-clock seconds, and the highest memory of each process.
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
    """Makes the judgments and the view, and prints how long each took."""
    from assize.web._dashboard.prepared.preparing import prepare_view

    start = time.perf_counter()
    table = judgments(count, 0)
    made = time.perf_counter()
    print(f"judgments made: {len(table):,} in {made - start:.1f} s, {memory():.1f} GB")  # type: ignore[arg-type]
    prepare_view(table, conversations_of(count, 0), folder, time="started", made_of="benchmark")  # type: ignore[arg-type]
    size = sum(one.stat().st_size for one in folder.iterdir()) / 1e9
    took = time.perf_counter() - made
    print(f"view prepared in {took:.1f} s, at most {memory():.1f} GB, {size:.2f} GB on disk")


def first_view(folder: Path) -> None:
    """Opens the view and makes every chart, as the first page does."""
    begun = time.perf_counter()
    from assize.web._dashboard.figures.charts import Look, chart_of
    from assize.web._dashboard.figures.shares import shares_of
    from assize.web._dashboard.prepared.view import open_view

    imported = time.perf_counter()
    view = open_view(folder)
    for by in ("", "system"):
        start = time.perf_counter()
        for one in view.questions:
            (chart_of if one in view.numbered else shares_of)(view, Look(one.id, by))
        print(f"{len(view.questions)} charts by {by or 'nothing'}: {since(start)}")
    print(f"imports {imported - begun:.2f} s; opened and first charts after {since(imported)}")


def bands(folder: Path) -> None:
    """The bands of every chart, by as many threads as there are processors."""
    from concurrent.futures import ThreadPoolExecutor

    from assize.web._dashboard.figures.bands import bands_of
    from assize.web._dashboard.figures.charts import Look
    from assize.web._dashboard.figures.resampling import Drawing
    from assize.web._dashboard.figures.shares import share_bands_of
    from assize.web._dashboard.prepared.view import open_view

    view = open_view(folder)

    def made(look: Look) -> object:
        nominal = view.question(look.question) not in view.numbered
        return (share_bands_of if nominal else bands_of)(view, look, Drawing(), 0)

    for apart, by in ((False, ""), (False, "system"), (True, "")):
        looks = [Look(one.id, by, disaggregated=apart) for one in view.questions]
        start = time.perf_counter()
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(made, looks))
        kind = "disaggregated" if apart else "aggregated"
        print(f"bands of {len(looks)} charts, {kind}, by {by or 'nothing'}: {since(start)}")


def clicks(folder: Path) -> None:
    """Regions of curves: a tail, the middle and all, aggregated and not."""
    from assize.web._dashboard.figures.charts import Look
    from assize.web._dashboard.figures.selection import Region, select
    from assize.web._dashboard.prepared.view import open_view

    view = open_view(folder)
    for apart in (False, True):
        for low, high in ((1, 1.6), (2, 3), (1, 4)):
            times = []
            for one in view.questions:
                start = time.perf_counter()
                found = select(view, Look(one.id, "system", "", apart), Region(low, high))
                times.append(time.perf_counter() - start)
            kind = "pairs" if apart else "conversations"
            print(
                f"click on {low} to {high}: {found.total:,} {kind},"
                f" first {times[0]:.3f} s, slowest {max(times):.3f} s"
            )


def others(folder: Path) -> None:
    """A conversation's page, quality over time, versions."""
    from assize.web._dashboard.figures.charts import Look
    from assize.web._dashboard.figures.periods import over_time
    from assize.web._dashboard.figures.versions import compare_groups
    from assize.web._dashboard.prepared.rows import item_of, judgments_of
    from assize.web._dashboard.prepared.view import open_view

    view = open_view(folder)
    start = time.perf_counter()
    rows = judgments_of(view, view.size // 2)
    item_of(view, view.size // 2)
    print(f"a conversation with its {len(rows)} judgments: {since(start)}")
    for apart in (False, True):
        start = time.perf_counter()
        over_time(view, Look("Q0", "system", "", apart))
        print(f"over time by system, {'kept apart' if apart else 'put together'}: {since(start)}")
    start = time.perf_counter()
    compare_groups(view, "system", *SYSTEMS)
    print(f"versions, {len(view.questions)} questions: {since(start)}")


def since(start: float) -> str:
    """Seconds since then."""
    return f"{time.perf_counter() - start:.2f} s"


def memory() -> float:
    """The most gigabytes that this process has held."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6


PARTS = {
    "first_view": first_view,
    "bands": bands,
    "clicks": clicks,
    "others": others,
}


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
            folder = given.folder or Path(own) / "view"
            if not (folder / "view.json").exists():
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
