"""Run tests with a mutant in a process forked from the collected tests, up to a failure.

The modules are imported and the tests collected once. In the fork the code of the file's
functions is replaced where it is. Where that is not enough (constants, defaults, class attributes,
modules of tests that calculate when they are imported) all is imported anew in the fork.
"""

from __future__ import annotations

import gc
import importlib
import importlib.abc
import importlib.machinery
import os
import resource
import signal
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FunctionType, ModuleType

import pytest

from golden.operators.draw import ROOT, read_sources
from golden.operators.sites import Mutant

SURVIVED, KILLED = 0, 1  # exit codes of a fork; any other means that the trial itself broke
ENOUGH = 30.0  # seconds of processor after which a fork begins no further test
LIMIT = 60  # seconds of processor after which a fork is ended
MEMORY = 12 * 2**30
WALL = 10  # times as long on the clock: other processes take their share
OPTIONS = ["-p", "no:cacheprovider", "-s", "--hypothesis-seed=0"]
MARKED = "not slow and not nightly"


def fork(run: Callable[[], int]) -> int:
    """Return the process that runs a function and exits with the code it returns."""
    sys.stdout.flush()
    process = os.fork()
    if process:
        return process
    code = 70
    try:
        code = run()
    except BaseException as error:  # whatever it is, the fork ends here
        print(f"{type(error).__name__}: {error}", file=sys.__stderr__, flush=True)
    os._exit(code)


def limit(seconds: int, folder: str) -> None:
    """Limit a fork's processor, clock and memory, give it files of its own, and silence it."""
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.alarm(WALL * seconds)
    os.environ["PYTEST_DEBUG_TEMPROOT"] = folder
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nothing, stream)


def run_items(session: pytest.Session, items: Sequence[pytest.Item], failed: Path) -> int:
    """Run collected tests up to the first that fails, and write its name."""
    for item, following in zip(items, [*items[1:], None], strict=True):
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        if session.testsfailed:
            failed.write_text(item.nodeid, encoding="utf8")
            return KILLED
        if time.process_time() > ENOUGH:
            break
    return SURVIVED


def swap(mutant: Mutant, functions: Sequence[FunctionType]) -> bool:
    """Replace the code of a file's functions by the mutant's; say whether there is one of each."""
    path = ROOT / mutant.file
    text = path.read_text(encoding="utf8")
    old, new = (
        list(nested_codes(compile(each, str(path), "exec", dont_inherit=True)))
        for each in (text, mutant.mutate(text))
    )
    if len(old) != len(new):  # a branch that is never taken is not compiled
        return False
    codes = dict(zip(old, new, strict=True))
    for function in functions:
        function.__code__ = codes[function.__code__]
    return True


def nested_codes(code: CodeType) -> Iterator[CodeType]:
    """Yield a code and all codes in it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from nested_codes(constant)


def import_sources() -> None:
    """Import every module of the packages, so that all their functions are there."""
    for file, _ in read_sources():
        name = file.removeprefix("src/").removesuffix(".py").removesuffix("/__init__")
        importlib.import_module(name.replace("/", "."))


def live_functions() -> dict[str, list[FunctionType]]:
    """Return all functions in memory by the file that they come from."""
    functions: dict[str, list[FunctionType]] = defaultdict(list)
    for value in gc.get_objects():
        if type(value) is not FunctionType:  # `isinstance` would ask proxies, which then warn
            continue
        path = Path(value.__code__.co_filename)
        if path.is_relative_to(ROOT / "src"):
            functions[str(path.relative_to(ROOT))].append(value)
    return functions


@dataclass
class MutantFinder(importlib.abc.MetaPathFinder):
    """Let one module be imported from a mutant's text."""

    mutant: Mutant

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Return where the mutant's module comes from; nothing of any other."""
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        if spec is not None and spec.origin == str(ROOT / self.mutant.file):
            spec.loader = MutantLoader(name, spec.origin, self.mutant)
        return spec


class MutantLoader(importlib.machinery.SourceFileLoader):
    """Compile a mutant's text in place of its file's."""

    def __init__(self, name: str, path: str, mutant: Mutant) -> None:
        super().__init__(name, path)
        self.mutant = mutant

    def get_code(self, fullname: str) -> CodeType:
        """Return the mutant's code; caches hold the file's."""
        text = self.mutant.mutate(Path(self.path).read_text(encoding="utf8"))
        return compile(text, self.path, "exec", dont_inherit=True)


def run_anew(mutant: Mutant, tests: Sequence[str], failed: Path) -> int:
    """Import package and tests anew with the mutant, and run tests up to the first that fails."""
    for name in list(sys.modules):
        if name.split(".")[0] in ("assize", "assize_pytest", "tests", "conftest"):
            del sys.modules[name]
    sys.meta_path.insert(0, MutantFinder(mutant))
    code = pytest.main([*OPTIONS, "--assert=plain", "-x", *tests], plugins=[FirstFailure(failed)])
    ended = (pytest.ExitCode.OK, pytest.ExitCode.INTERRUPTED)  # interrupted: enough was run
    return SURVIVED if code in ended and not failed.exists() else KILLED


def quiet_hypothesis() -> None:
    """Let properties draw, and neither shrink nor remember: a failure is all that is asked."""
    from hypothesis import HealthCheck, Phase, settings  # pytest rewrites it when it starts

    settings.register_profile(
        "operators",
        parent=settings.default,
        phases=(Phase.explicit, Phase.generate),
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    settings.load_profile("operators")


@dataclass(eq=False)
class FirstFailure:
    """A pytest plugin that writes the name of what fails, and stops when enough was run."""

    path: Path

    def pytest_configure(self) -> None:
        """Draw, and neither shrink nor remember."""
        quiet_hypothesis()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Write the name of a test."""
        if report.failed:
            self.path.write_text(report.nodeid, encoding="utf8")

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Write the name of a file that cannot be imported."""
        if report.failed:
            self.path.write_text(report.nodeid, encoding="utf8")

    def pytest_runtest_teardown(self, item: pytest.Item) -> None:
        """Begin no further test after `ENOUGH`."""
        if time.process_time() > ENOUGH:
            item.session.shouldstop = "enough"
