"""The web app under load: raters who think for a second, a server that is killed in between.

python -m benchmarks.web_load --database postgres --minutes 10

A step is a POST that saves an answer and returns the next item, as a browser with scripts sends
it. Sign-ins and the first page precede the clock. The server runs in a process of its own, as
`assize web` starts it; this process sends. Half way the server is killed (SIGKILL) and started
again; raters send what was not acknowledged again. At the end every acknowledged answer must
stand in the database, once. Then, with fewer pauses, the highest rate whose 95th percentile
stays under 200 ms is looked for. Exits with 1 where an answer is lost or doubled.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from sqlalchemy import func, insert, select

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "servers"))

from benchmarks.web_load_raters import Rater, Server
from postgres import Postgres, postgres

from assize.web._accounts.sessions import begin_session, viewer_of
from assize.web._forms import Form
from assize.web._project import Project, read_project
from assize.web._queue import sync_project
from assize.web._storage import open_store
from assize.web._storage.schema import answers, assignments, items, people, tasks
from assize.web._tasks import kind_of

TASK = """
task: load
kind: rate
items: items.jsonl
raters_per_item: 3
settings: {rubric: information-seeking}
"""
LIMIT = 200.0  # milliseconds
RAMP = 12.0  # seconds at each rate
GROWTH = 1.2  # from one rate to the next


@dataclass(frozen=True)
class Settings:
    """How much, how long; `think` in seconds, `database` is sqlite or postgres."""

    raters: int = 50
    seconds: float = 600.0
    think: float = 1.0
    items: int = 100_000
    database: str = "sqlite"
    kill: bool = True
    ramp: bool = True


@dataclass
class Load:
    """What a round of steps measured; times in milliseconds.

    Args:
        cut: steps that the kill interrupted, or that waited for the restart; they are sent again
            and stand in no percentile.
    """

    seconds: float
    times: list[float] = field(default_factory=list)
    cut: int = 0
    errors: list[str] = field(default_factory=list)
    server: float = 0.0  # seconds of processor
    database: float = 0.0  # of PostgreSQL's processes
    generator: float = 0.0

    def said(self) -> dict[str, Any]:
        p50, p95, p99 = np.percentile(self.times, [50, 95, 99]) if self.times else [np.nan] * 3
        return {
            "steps": len(self.times),
            "rate": round(len(self.times) / self.seconds, 1),
            "p50": round(p50, 1),
            "p95": round(p95, 1),
            "p99": round(p99, 1),
            "interrupted": self.cut,
            "errors": len(self.errors),
            "cpu_percent": {
                "server": round(100 * self.server / self.seconds),
                "postgres": round(100 * self.database / self.seconds),
                "generator": round(100 * self.generator / self.seconds),
            },
        }


def made_project(folder: Path, settings: Settings) -> Project:
    """A project with one task; its conversations are of a common length."""
    (folder / "tasks").mkdir(parents=True)
    (folder / "tasks" / "load.yaml").write_text(TASK, encoding="utf-8")
    text = "The allotment office keeps a list of all who wait for a plot. " * 6
    turns = [{"role": role, "text": text} for role in ("user", "assistant") * 3]
    with (folder / "items.jsonl").open("w", encoding="utf-8") as stream:
        for number in range(settings.items):
            stream.write(json.dumps({"id": f"c{number}", "turns": turns}) + "\n")
    return read_project(folder)


def signed_in(project: Project, url: str, count: int) -> list[tuple[str, str, int]]:
    """Raters with a session each: cookie, token of their forms, and number."""
    store = open_store(url)

    def enter(connection: Any) -> list[tuple[str, str, int]]:
        sync_project(connection, project, time.time())
        found = []
        for number in range(count):
            row = insert(people).values(
                name=f"rater-{number}", role="rater", disabled=False, created=time.time()
            )
            person = connection.execute(row.returning(people.c.id)).scalar_one()
            token = begin_session(connection, person, time.time())
            viewer = viewer_of(connection, token, time.time())
            assert viewer is not None
            found.append((token, viewer.csrf, person))
        return found

    made = store.write_now(enter)
    store.close()
    return made


def form_of(project: Project) -> Form:
    task = project.tasks[0]
    return kind_of(task).form(task, next(iter(kind_of(task).items(task))))


async def measured(
    server: Server,
    raters: list[Rater],
    seconds: float,
    pause: float,
    *,
    kill: bool = False,
    cluster: Postgres | None = None,
) -> Load:
    """All raters at work for so long.

    Args:
        pause: mean seconds between a step's answer and the next step.
    """
    found = Load(seconds)
    before = server.processor(), cluster_processor(cluster), time.process_time()
    end = time.perf_counter() + seconds
    for one in raters:
        one.times, one.cut = [], 0
    work = [asyncio.create_task(one.work(end, pause)) for one in raters]
    if kill:
        await asyncio.sleep(seconds / 2)
        found.server += server.processor() - before[0]
        await asyncio.to_thread(server.kill_and_restart)
        before = 0.0, before[1], before[2]
    for done in await asyncio.gather(*work, return_exceptions=True):
        if isinstance(done, BaseException):
            found.errors.append(f"{type(done).__name__}: {done}")
    found.server += server.processor() - before[0]
    found.database = cluster_processor(cluster) - before[1]
    found.generator = time.process_time() - before[2]
    found.times = [took for one in raters for took in one.times]
    found.cut = sum(one.cut for one in raters)
    return found


def cluster_processor(cluster: Postgres | None) -> float:
    """Seconds of processor of a cluster and its children, those that ended among them."""
    if cluster is None:
        return 0.0
    ticks = 0
    for place in Path("/proc").glob("[0-9]*/stat"):
        try:
            parts = place.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(place.parent.name) == cluster.process.pid:
            ticks += sum(map(int, parts[11:15]))
        elif int(parts[1]) == cluster.process.pid:
            ticks += sum(map(int, parts[11:13]))
    return ticks / os.sysconf("SC_CLK_TCK")


async def highest(
    server: Server, raters: list[Rater], start: float, cluster: Postgres | None
) -> list[dict[str, Any]]:
    """Faster and faster until the 95th percentile is above the limit; slower until it is below,
    where it is above from the start."""
    found: list[dict[str, Any]] = []
    rate = start
    while True:
        load = await measured(server, raters, RAMP, len(raters) / rate, cluster=cluster)
        said = load.said()
        found.append(said)
        good = said["p95"] <= LIMIT and not load.errors and said["rate"] >= 0.6 * rate
        up = found[0]["p95"] <= LIMIT
        if good != up or rate < start / 10:
            return found
        rate *= GROWTH if up else 1 / GROWTH


def highest_rate(rounds: Sequence[dict[str, Any]]) -> float:
    """The highest rate of the rounds, the main one among them, whose 95th percentile is good."""
    good = [one["rate"] for one in rounds if one["p95"] <= LIMIT and not one["errors"]]
    return max(good, default=0.0)


def kept(url: str, raters: list[Rater]) -> dict[str, int]:
    """What of the acknowledged answers is in the database, and what must not be there."""
    store = open_store(url)
    with store.connect() as connection:
        rows = connection.execute(
            select(answers.c.assignment, answers.c.number, answers.c.answers, assignments.c.person)
            .join(assignments, assignments.c.id == answers.c.assignment)
            .where(answers.c.event == "submit")
        ).all()
        over = connection.execute(
            select(func.count())
            .select_from(items)
            .join(tasks, tasks.c.id == items.c.task)
            .where(items.c.taken > tasks.c.wanted)
        ).scalar_one()
    store.close()
    there = {(row.assignment, row.number): (row.person, row.answers) for row in rows}
    sent = {key: (one.person, said) for one in raters for key, said in one.acknowledged.items()}
    return {
        "acknowledged": len(sent),
        "lost": sum(there.get(key) != said for key, said in sent.items()),
        "doubled": len(rows) - len({row.assignment for row in rows}),
        "never_acknowledged": len(there.keys() - sent.keys()),
        "items_with_too_many": over,
    }


@contextmanager
def database(name: str, folder: Path) -> Iterator[tuple[str, Postgres | None]]:
    """The URL of an empty database, and the cluster behind it."""
    with postgres(durable=True) if name == "postgres" else nullcontext() as cluster:
        if cluster is None:
            yield f"sqlite:///{folder / 'assize.db'}", None
        else:
            yield cluster.database(socket=True), cluster


async def run(settings: Settings) -> dict[str, Any]:
    """The whole benchmark."""
    with tempfile.TemporaryDirectory() as place, database(settings.database, Path(place)) as at:
        url, cluster = at
        folder = Path(place) / "project"
        project = made_project(folder, settings)
        people_in = signed_in(project, url, settings.raters)
        form = form_of(project)
        with Server(folder, url) as server:
            raters = [Rater(server, *one, form) for one in people_in]
            for one in raters:
                await one.begin()
            load = await measured(
                server,
                raters,
                settings.seconds,
                settings.think,
                kill=settings.kill,
                cluster=cluster,
            )
            found: dict[str, Any] = {
                "database": settings.database,
                "raters": settings.raters,
                "seconds": settings.seconds,
                "other_load": os.getloadavg()[0],
                **load.said(),
                "faults": load.errors[:3],
            }
            if settings.ramp:
                found["ramp"] = await highest(
                    server, raters, settings.raters / settings.think, cluster
                )
                found["highest_rate"] = highest_rate([load.said(), *found["ramp"]])
            for one in raters:
                one.close()
        found["kept"] = kept(url, raters)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--database", choices=("sqlite", "postgres"), default="sqlite")
    parser.add_argument("--raters", type=int, default=50)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--think", type=float, default=1.0, help="seconds")
    parser.add_argument("--items", type=int, default=100_000)
    parser.add_argument("--no-kill", action="store_true")
    parser.add_argument("--no-ramp", action="store_true")
    given = parser.parse_args()
    settings = Settings(
        given.raters,
        given.minutes * 60,
        given.think,
        given.items,
        given.database,
        not given.no_kill,
        not given.no_ramp,
    )
    found = asyncio.run(run(settings))
    print(json.dumps(found, indent=1))
    wrong = found["kept"]["lost"] + found["kept"]["doubled"] + found["errors"]
    sys.exit(1 if wrong or found["kept"]["items_with_too_many"] else 0)


if __name__ == "__main__":
    main()
