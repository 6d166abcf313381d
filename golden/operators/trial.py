"""Try mutants: choose the tests that mirror each, run them in a fork, keep what came of it."""

from __future__ import annotations

import gc
import json
import os
import signal
import tempfile
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path
from types import FunctionType
from typing import Literal

import pytest

from golden.operators.forks import (
    KILLED,
    LIMIT,
    SURVIVED,
    fork,
    import_sources,
    limit,
    live_functions,
    quiet_hypothesis,
    run_anew,
    run_items,
    swap,
)
from golden.operators.sites import Mutant

Outcome = Literal["killed", "timed out", "survived", "untested"]


@dataclass(frozen=True)
class Result:
    """What became of a mutant, and the test that failed."""

    mutant: str
    outcome: Outcome
    test: str | None = None


@dataclass
class Broken(Exception):
    """A fork ended as no test can end it."""

    mutant: str
    status: int


@dataclass(eq=False)  # pluggy hashes its plugins
class Trials:
    """A pytest plugin that tries mutants in place of running the tests collected."""

    mutants: Sequence[Mutant]
    path: Path  # where results are appended, a line each
    lanes: int = 1
    items: dict[str, list[pytest.Item]] = field(default_factory=dict)  # by file
    functions: dict[str, list[FunctionType]] = field(default_factory=dict)
    # without a fault, in a fork as it is and with everything imported anew
    passes: dict[tuple[str, bool], bool] = field(default_factory=dict)

    def pytest_configure(self) -> None:
        """Let properties only draw."""
        quiet_hypothesis()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Try what has no result yet, in lanes side by side."""
        import_sources()
        self.items = defaultdict(list)
        for item in session.items:
            self.items[item.nodeid.split("::")[0]].append(item)
        self.functions = live_functions()
        gc.collect()
        gc.freeze()  # the forks share what stands now
        tried = {result.mutant for result in read_results(self.path)}
        left = [mutant for mutant in self.mutants if str(mutant) not in tried]
        lanes = [
            fork(partial(self.run_lane, session, left[lane :: self.lanes]))
            for lane in range(self.lanes)
        ]
        for lane in lanes:
            if os.waitpid(lane, 0)[1]:
                raise RuntimeError("a lane of trials broke: see above")
        return True

    def run_lane(self, session: pytest.Session, mutants: Sequence[Mutant]) -> int:
        """Try mutants one after the other and append their results."""
        for mutant in mutants:
            result = self.try_mutant(session, mutant)
            with self.path.open("a", encoding="utf8") as file:
                file.write(json.dumps(asdict(result)) + "\n")
            print(f"{result.outcome:10}{result.mutant}", flush=True)
        return 0

    def try_mutant(self, session: pytest.Session, mutant: Mutant) -> Result:
        """Return what became of a mutant.

        What a module of tests calculates when it is imported was calculated without the fault:
        a mutant that survives is tried once more, with everything imported anew.
        """
        result = self.try_tests(session, mutant, anew=not mutant.function)
        if result.outcome == "survived" and mutant.function:
            result = self.try_tests(session, mutant, anew=True)
        return result

    def try_tests(self, session: pytest.Session, mutant: Mutant, *, anew: bool) -> Result:
        """Return what the mirrored tests say; a test counts if it passes without the fault."""
        while True:
            items = [
                item
                for file in choose_files(mutant.file, self.items)
                for item in self.items[file]
                if self.passes.get((item.nodeid, anew), True)
            ]
            if not items:
                return Result(str(mutant), "untested")
            outcome, test = self.run_fork(session, mutant, items, anew)
            first = [item for item in items if item.nodeid == test] or items[:1]
            if outcome != "killed" or self.passes_without(session, mutant, first, anew):
                return Result(str(mutant), outcome, test)

    def passes_without(
        self, session: pytest.Session, mutant: Mutant, items: Sequence[pytest.Item], anew: bool
    ) -> bool:
        """Whether a test passes in a fork that differs only by the fault."""
        key = items[0].nodeid, anew
        if key not in self.passes:
            whole = replace(mutant, new=mutant.old)
            self.passes[key] = self.run_fork(session, whole, items, anew)[0] == "survived"
        return self.passes[key]

    def run_fork(
        self, session: pytest.Session, mutant: Mutant, items: Sequence[pytest.Item], anew: bool
    ) -> tuple[Outcome, str | None]:
        """Return the outcome of tests in a fork, and the test that failed."""
        with tempfile.TemporaryDirectory() as folder:
            failed = Path(folder, "failed")

            def run() -> int:
                limit(LIMIT, folder)
                if not anew and swap(mutant, self.functions[mutant.file]):
                    return run_items(session, items, failed)
                return run_anew(mutant, [item.nodeid for item in items], failed)

            status = os.waitpid(fork(run), 0)[1]
            test = failed.read_text(encoding="utf8") if failed.exists() else None
        if os.WIFSIGNALED(status):
            late = os.WTERMSIG(status) in (signal.SIGXCPU, signal.SIGALRM)
            return ("timed out" if late else "killed"), test
        code = os.WEXITSTATUS(status)
        if code not in (SURVIVED, KILLED):
            raise Broken(str(mutant), code)
        return ("killed" if code == KILLED else "survived"), test


def choose_files(file: str, tests: Collection[str]) -> list[str]:
    """Return the files of tests for a source: the mirrored one, else those of its folder.

    Where the folder has none, those of the nearest folder above. The doctests of the source
    itself come last.
    """
    own = [file] if file in tests else []
    parts = [part.lstrip("_") for part in Path(file).with_suffix("").parts[2:]]
    mirror = Path("tests", *parts[:-1], f"test_{parts[-1]}.py")
    if str(mirror) in tests:
        return [str(mirror), *own]
    for folder in mirror.parents:
        beside = [test for test in tests if Path(test).is_relative_to(folder)]
        if beside:
            return [*beside, *own]
    return own


def read_results(path: Path) -> list[Result]:
    """Return the results in a file; none where there is no file."""
    if not path.exists():
        return []
    rows = path.read_text(encoding="utf8").splitlines()
    return [Result(**json.loads(row)) for row in rows]
