"""What all tests share: no network but this machine's, a cache of their own, local servers."""

from __future__ import annotations

import importlib.abc
import importlib.util
import ipaddress
import itertools
import json
import os
import socket
import sys
from collections.abc import Callable, Sequence
from importlib.machinery import ModuleSpec
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from assize.base import secrets

sys.path.insert(0, str(Path(__file__).parent / "servers"))

# Before anything imports numpy, and for the workers: the threads of several wait for each other.
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")

# Nothing asserts on wall time. `make nightly` tries more examples.
settings.register_profile("assize", deadline=None, max_examples=20)
settings.register_profile("nightly", deadline=None, max_examples=200)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "assize"))

DATA = Path(__file__).parents[2] / "shared" / "data"
# Folders and files whose tests are all slow, and why.
SLOW = {
    Path(__file__).parent / name: why
    for name, why in {
        "web/browser": "a browser",
        "web/attacks": "attacks on a running server",
        "pages/test_browser.py": "a browser",
        "cli/test_endings.py": "starts each command",
        "scripts/test_corpora.py": "reads whole corpora",
        "test_structure.py": "reads every module; `make check` runs it too",
        "test_python_page.py": "runs every block of the page",
        "test_names_in_files.py": "opens every kind of file",
        "test_distribution.py": "builds and installs the package",
        "docs/test_pages.py": "runs every block of the docs",
        "figures": "computes the figures of the docs anew",
        "benchmarks": "runs each benchmark, small",
        "web/storage/test_killed.py": "kills a process that writes",
        "calibrate/study": "repeats studies, small",
    }.items()
}
# What may be missing: `make test WITHOUT=torch` goes without PyTorch, also where it is installed.
MAY_BE_MISSING = {"torch"}
WITHOUT = {*os.environ.get("WITHOUT", "").split()}
if unknown := WITHOUT - MAY_BE_MISSING:
    raise pytest.UsageError(f"WITHOUT={' '.join(unknown)}: only torch can be left out")
WITHOUT |= {name for name in MAY_BE_MISSING if importlib.util.find_spec(name) is None}
LEFT_OUT = "left out: needs "
LOOPBACK = {"localhost", "", None}
NUMBERS = itertools.count()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark all tests below `SLOW`; a mark without a reason is refused."""
    for item in items:
        for path, why in SLOW.items():
            if item.path.is_relative_to(path):
                item.add_marker(pytest.mark.slow(why))
        for mark in item.iter_markers():
            if mark.name in ("slow", "nightly") and not mark.args:
                raise pytest.UsageError(
                    f"{item.nodeid}: say why it is {mark.name}, as in"
                    f' @pytest.mark.{mark.name}("loads a model")'
                )


class LeaveOut(importlib.abc.MetaPathFinder):
    """Skips a test, or a module of tests, that imports what is left out."""

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: Any = None
    ) -> ModuleSpec | None:
        if name in WITHOUT:
            raise pytest.skip.Exception(LEFT_OUT + name, allow_module_level=True)
        return None


if WITHOUT:
    sys.meta_path.insert(0, LeaveOut())


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Say what was left out."""
    skipped = terminalreporter.stats.get("skipped", [])
    for name in sorted(WITHOUT):
        count = sum(f"{LEFT_OUT}{name}" in str(report.longrepr) for report in skipped)
        terminalreporter.write_line(f"{count} tests and modules of tests left out: need {name}")


class NetworkUsed(BaseException):  # not an Exception, so that no retry swallows it
    """A test tried to reach another machine."""


def _guarded(inner: Callable[..., Any]) -> Callable[..., Any]:
    def connect(self: socket.socket, address: Any) -> Any:
        if self.family in (socket.AF_INET, socket.AF_INET6) and not is_loopback(address[0]):
            raise NetworkUsed(f"tests may only connect to this machine, not to {address}")
        return inner(self, address)

    return connect


def is_loopback(host: Any) -> bool:
    """Whether a host is this machine."""
    if host in LOOPBACK:
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


CONNECT, CONNECT_EX, LOOK_UP = socket.socket.connect, socket.socket.connect_ex, socket.getaddrinfo


def _look_up(host: Any, *rest: Any, **named: Any) -> Any:
    name = host.decode() if isinstance(host, bytes) else host
    if not is_loopback(name):
        raise NetworkUsed(f"tests may only look up this machine, not {name}")
    return LOOK_UP(host, *rest, **named)


@pytest.fixture(autouse=True)
def _no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Anew for each test: plugins such as pytest-socket restore what they find after each."""
    monkeypatch.setattr(socket.socket, "connect", _guarded(CONNECT))
    monkeypatch.setattr(socket.socket, "connect_ex", _guarded(CONNECT_EX))
    monkeypatch.setattr(socket, "getaddrinfo", _look_up)


@pytest.fixture(autouse=True)
def _own_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    """What one test kept as a secret is a plain word to the next."""
    monkeypatch.setattr(secrets, "_known", dict(secrets._known))


@pytest.fixture(autouse=True)
def _own_places(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache and settings of the test's own, made when they are written to, and no keys."""
    home = tmp_path_factory.getbasetemp() / "homes" / str(next(NUMBERS))
    monkeypatch.setenv("ASSIZE_CACHE_DIR", str(home / "cache"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / "config"))
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(scope="session")
def corpus() -> Callable[[str], Path]:
    """Converts a corpus of the research data, once; skips where its file is absent."""
    from scripts.corpora import CORPORA, converted

    def find(name: str) -> Path:
        if not (DATA / CORPORA[name].file).exists():
            pytest.skip(f"needs shared/data/{CORPORA[name].file} beside the repository")
        return converted(name, DATA)

    return find


@pytest.fixture(scope="session")
def tiny_llama(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a tiny random Llama."""
    from tiny_llama import make_tiny_llama

    return make_tiny_llama(tmp_path_factory.mktemp("llama") / "tiny")


@pytest.fixture
def lines(tmp_path: Path) -> Any:
    """Writes records to a file of that name."""

    def write(name: str, records: list[dict[str, Any]]) -> str:
        path = tmp_path / name
        path.write_text("".join(json.dumps(one) + "\n" for one in records))
        return str(path)

    return write
