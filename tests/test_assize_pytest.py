"""The pytest plugin, in a pytest of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.versions.two_versions import two_versions

from assize.formats import write

TESTS = """
def test_passes(assize_gate):
    found = assize_gate("new.jsonl", helpful=2.0, max_unscored=1)
    assert len(found.checks) == 2

def test_fails(assize_gate):
    assize_gate("new.jsonl", fail_under={"helpful.share>=4": 0.99})

def test_falls(assize_gate):
    assize_gate("old.jsonl", baseline="new.jsonl", pairing="id", max_drop={"helpful": 0.01})

def test_is_wrong(assize_gate):
    assize_gate("new.jsonl", nothing=1)

def test_compares_itself(assize_gate):
    assize_gate("new.jsonl", baseline="new.jsonl", max_drop={"helpful": 0.01})
"""


def pytest_in(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    named = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "assize_pytest",
        "-p",
        "no:cacheprovider",
    ]
    return subprocess.run(
        [*command, *arguments],
        cwd=folder,
        env={**os.environ, **named},
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_gate_is_a_test(tmp_path: Path) -> None:
    old, new = two_versions()
    for name, made in (("old", old), ("new", new)):
        write(tmp_path / f"{name}.jsonl", list(made.table), questions=made.table.questions.values())
    (tmp_path / "test_bot.py").write_text(TESTS)
    done = pytest_in(tmp_path, "-q")
    assert "4 failed, 1 passed" in done.stdout, done.stdout + done.stderr
    assert "helpful share>=4 >= 0.99" in done.stdout
    assert "helpful drop <= 0.01" in done.stdout
    assert "new and baseline both take their judgments of 90 items from here" in done.stdout
    assert "nothing: no such question; judged are helpful" in done.stdout


def test_the_plugin_loads_nothing_heavy(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(
        "import sys\n"
        "def test_it():\n"
        "    assert 'assize_pytest' in sys.modules\n"
        "    heavy = {'numpy', 'scipy', 'pyarrow', 'pydantic', 'assize'}\n"
        "    assert not heavy & set(sys.modules)\n"
    )
    done = pytest_in(tmp_path, "-q")
    assert "1 passed" in done.stdout, done.stdout + done.stderr


def test_a_project_with_an_assize_of_its_own_runs_its_tests(tmp_path: Path) -> None:
    (tmp_path / "assize.py").write_text("NAME = 'mine'\n")
    (tmp_path / "test_it.py").write_text(
        "import sys\n"
        f"sys.path.insert(0, {str(tmp_path)!r})\n"
        "import assize\n"
        "def test_it():\n"
        "    assert assize.NAME == 'mine'\n"
        "def test_gate(assize_gate):\n"
        "    assize_gate('new.jsonl', helpful=2.0)\n"
    )
    done = pytest_in(tmp_path, "-q", "--import-mode=importlib")
    assert "1 failed, 1 passed" in done.stdout, done.stdout + done.stderr
    assert f"`import assize` finds {tmp_path / 'assize.py'}: rename it" in done.stdout
