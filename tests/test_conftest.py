"""What the set-up of the tests promises: parts left out are counted, slow tests say why."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

MODULE = "import torch\n\ndef test_of_a_module(): pass\n"
TESTS = "import pytest\n\n{mark}\ndef test_one(): import torch\n\ndef test_two(): pass\n"


def run_pytest(
    folder: Path, *, mark: str = "", without: str = ""
) -> subprocess.CompletedProcess[str]:
    """Run a module that imports PyTorch, one with a test that does, under this conftest."""
    shutil.copy(Path(__file__).parent / "conftest.py", folder)
    (folder / "test_module.py").write_text(MODULE)
    (folder / "test_some.py").write_text(TESTS.format(mark=mark))
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "."]
    env = {**os.environ, "WITHOUT": without}
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True)


def test_what_needs_a_part_that_is_left_out_is_skipped_and_counted(tmp_path: Path) -> None:
    done = run_pytest(tmp_path, without="torch")
    assert done.returncode == 0, done.stdout
    assert "1 passed, 2 skipped" in done.stdout
    assert "2 tests and modules of tests left out: need torch" in done.stdout


def test_only_what_may_be_missing_can_be_left_out(tmp_path: Path) -> None:
    done = run_pytest(tmp_path, without="numpy")
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert "WITHOUT=numpy: only torch can be left out" in done.stdout + done.stderr


@pytest.mark.parametrize(
    ("mark", "refused"),
    [("@pytest.mark.slow", True), ('@pytest.mark.slow("loads a model")', False)],
    ids=["bare", "with a reason"],
)
def test_a_slow_test_must_say_why(mark: str, refused: bool, tmp_path: Path) -> None:
    done = run_pytest(tmp_path, mark=mark, without="torch")
    assert ("say why it is slow" in done.stdout + done.stderr) is refused
    assert (done.returncode == pytest.ExitCode.USAGE_ERROR) is refused
