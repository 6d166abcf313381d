"""How long the figures of the monitor's page of a task take.

python benchmarks/monitor.py [FORMS]        11,112 forms of 9 questions unless told otherwise

Three of 24 raters answer each conversation. Times are seconds of one process on whatever else the
machine does.
"""

from __future__ import annotations

import json
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from sqlalchemy import Connection, insert, select

from assize.agreement.rater_report import measure_raters
from assize.web._exporting.ratings import ratings_table
from assize.web._progress import read_progress
from assize.web._project import Project, read_project
from assize.web._queue import sync_project
from assize.web._storage import Store, open_store
from assize.web._storage.schema import answers, assignments, items, people, tasks
from assize.web._tasks import kind_of

RATERS, OVERLAP, AT_ONCE = 24, 3, 5_000
START = 1_700_000_000.0
TASK = """
task: satisfaction
kind: rate
items: conversations.jsonl
raters_per_item: 3
settings: {rubric: information-seeking}
"""
SAID = "It costs forty euros a year, as the fees say. " * 12
SOURCE = {"id": "1", "title": "Fees", "text": "A plot costs forty euros a year. " * 10}


def project(folder: Path, forms: int) -> Project:
    """A project with so many forms' conversations."""
    (folder / "tasks").mkdir()
    (folder / "tasks" / "satisfaction.yaml").write_text(TASK)
    user = {"role": "user", "text": "What does it cost to rent a plot for a year?"}
    turns = [user, {"role": "assistant", "text": SAID, "references": [SOURCE]}] * 3
    with (folder / "conversations.jsonl").open("w") as into:
        for number in range(forms // OVERLAP):
            into.write(json.dumps({"id": f"c{number}", "turns": turns}) + "\n")
    return read_project(folder)


def fill(connection: Connection, found: Project) -> None:
    """Everybody's answers, as if they had been submitted."""
    rng = np.random.default_rng(0)
    asked = kind_of(found.tasks[0]).questions(found.tasks[0])
    names = [{"name": f"r{n}", "role": "rater", "created": START} for n in range(RATERS)]
    connection.execute(insert(people), names)
    raters = list(connection.execute(select(people.c.id)).scalars())
    task = connection.execute(select(tasks.c.id)).scalar_one()
    draws = dict.fromkeys(raters, 0)
    work: list[dict[str, Any]] = []
    said: list[dict[str, Any]] = []
    for item in connection.execute(select(items.c.id).order_by(items.c.id)).scalars():
        truth = rng.normal(2.5, 1, len(asked))
        for person in rng.choice(raters, OVERLAP, replace=False).tolist():
            number, at = len(work) + 1, START + 20 * len(work)
            work.append(
                {
                    "id": number,
                    "task": task,
                    "item": item,
                    "person": person,
                    "repeat": 0,
                    "draw": draws[person],
                    "state": "done",
                    "chosen": "random",
                    "revision": 1,
                    "version": 1,
                    "created": at,
                    "touched": at,
                    "submitted": at,
                    "seconds": float(rng.lognormal(4, 0.4)),
                }
            )
            given = {
                one.id: one.answers[int(np.clip(round(value), 1, len(one.answers))) - 1]
                for one, value in zip(asked, rng.normal(truth, 0.8), strict=True)
            }
            said.append(
                {
                    "assignment": number,
                    "number": 0,
                    "event": "submit",
                    "version": 1,
                    "answers": given,
                    "seconds": 60.0,
                    "at": at,
                }
            )
            draws[person] += 1
    for table, rows in ((assignments, work), (answers, said)):
        for start in range(0, len(rows), AT_ONCE):
            connection.execute(insert(table), rows[start : start + AT_ONCE])


def timed(name: str, work: Callable[[], object]) -> None:
    """Prints how long it takes."""
    began = time.perf_counter()
    work()
    print(f"{name:<32}{time.perf_counter() - began:8.2f} s")


def look(found: Project, store: Store) -> None:
    """What a lead's page works out."""
    task = found.tasks[0]
    with store.connect() as connection:
        timed("progress", lambda: read_progress(connection, task))
        table = ratings_table(connection, task, ("rate", "gold", "qualify"))
        timed("judgments", lambda: ratings_table(connection, task))
    timed("raters", lambda: measure_raters(table))
    print(f"{len(table):,} judgments")


def main() -> None:
    """One run."""
    forms = int(sys.argv[1]) if len(sys.argv) > 1 else 11_112
    with tempfile.TemporaryDirectory() as folder:
        found = project(Path(folder), forms)
        store = open_store(found.database)
        store.write_now(sync_project, found, START)
        store.write_now(fill, found)
        look(found, store)
        store.close()
    print(f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:,.0f} MB at most")


if __name__ == "__main__":
    main()
