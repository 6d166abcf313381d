"""Operator mutants are the same for a seed, change one place each, and leave texts alone."""

from __future__ import annotations

import ast
import importlib.util
import os
import signal
import subprocess
import sys
from pathlib import Path
from types import FunctionType

import pytest
from golden.operators.__main__ import format_table
from golden.operators.draw import ROOT, draw_mutants, read_sources
from golden.operators.forks import fork, limit, swap
from golden.operators.sites import Mutant, mutants_of
from golden.operators.trial import Outcome, Result, choose_files

SOURCE = '''"""A text with 1 number, 1 < 2, not more."""

from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    Rows = int | 5

Level = Literal[0, 1]
Number = int | float
FEWEST = 3


@cached(maxsize=5)
def share(rows: "ndarray[7]", side: Level = 1) -> "float | None":
    """Below 2 rows there is no share."""
    if rows.ndim > 1 and not rows.any(axis=0):
        raise ValueError(f"{rows.ndim + 1} dimensions, not 1" + "!")
    half: float = 0.5
    text = "a" * 3 + f"{side - 1}"
    café = "é", rows <= half  # columns count letters
    return -rows[rows is not None] + max(side, 2)
'''
MUTANTS = {
    "FEWEST = 4",
    "FEWEST = 2",
    "side: Level = 2",
    "side: Level = 0",
    "if rows.ndim >= 1",
    "if rows.ndim < 1",
    "if rows.ndim > 2",
    "if rows.ndim > 0",
    "1 or not",
    "and rows.any",
    "not rows.all(",
    "axis=1",
    "half: float = 1.0",
    '"a" * 4',
    '"a" * 2',
    '"é", rows < half',
    '"é", rows >= half',
    "return rows[",
    "rows is None",
    "] - max(",
    "min(side",
    "max(side, 3)",
    "max(side, 1)",
}


def made_up() -> list[Mutant]:
    return mutants_of("src/assize/stats/_x.py", SOURCE)


def test_every_operator_of_a_calculation_is_a_place_and_nothing_else_is() -> None:
    texts = [mutant.mutate(SOURCE) for mutant in made_up()]
    for new in MUTANTS:
        assert any(new in text and new not in SOURCE for text in texts), new
    assert len(texts) == len(set(texts)) == len(MUTANTS)


def test_what_a_module_calculates_when_it_is_imported_is_told_apart() -> None:
    imported = [mutant.line for mutant in made_up() if not mutant.function]
    assert imported == [10, 10, 14, 14]  # the constant and the default


def test_a_mutant_changes_its_place_alone() -> None:
    for mutant in made_up():
        text = mutant.mutate(SOURCE)
        end = mutant.start + len(mutant.old)
        assert SOURCE[mutant.start : end] == mutant.old
        assert text.startswith(SOURCE[: mutant.start] + mutant.new)
        assert text.endswith(SOURCE[end:])


def test_a_seed_draws_the_same_and_a_larger_count_goes_on() -> None:
    few, more, others = draw_mutants(1, 5), draw_mutants(1, 80), draw_mutants(2, 5)
    assert few == more[:5]
    assert few != others
    assert len({(mutant.file, mutant.start) for mutant in more}) == 80


def test_drawn_mutants_parse_and_differ() -> None:
    sources = dict(read_sources())
    for mutant in draw_mutants(3, 60):
        source = sources[mutant.file]
        old, new = ast.parse(source), ast.parse(mutant.mutate(source))
        assert ast.dump(old) != ast.dump(new), mutant


FILES = [
    "tests/stats/test_x.py",
    "tests/stats/test_y.py",
    "tests/stats/studies/test_z.py",
    "src/assize/stats/_x.py",
]


def test_a_mutant_is_put_to_the_mirrored_tests_and_its_own_doctests() -> None:
    assert choose_files("src/assize/stats/_x.py", FILES) == [FILES[0], FILES[3]]
    assert choose_files("src/assize/stats/_studies/z.py", FILES) == [FILES[2]]


def test_without_a_mirror_it_is_put_to_the_tests_of_the_nearest_folder() -> None:
    assert choose_files("src/assize/stats/_studies/other.py", FILES) == [FILES[2]]
    assert choose_files("src/assize/stats/_none/other.py", FILES) == FILES[:3]
    assert choose_files("src/assize/stats/_x.py", []) == []


def test_functions_in_memory_calculate_as_the_mutant_does(tmp_path: Path) -> None:
    path = tmp_path / "module.py"
    path.write_text("def outer(x):\n    return [(lambda y: y + 1)(x), (lambda y: y - 1)(x)]\n")
    spec = importlib.util.spec_from_file_location("module", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    outer: FunctionType = module.outer
    mutant = next(item for item in mutants_of(str(path), path.read_text()) if item.old == "-")
    assert outer(5) == [6, 4]
    assert swap(mutant, [outer])
    assert outer(5) == [6, 6]


def test_a_fork_that_takes_too_long_is_ended(tmp_path: Path) -> None:
    def run() -> int:
        limit(1, str(tmp_path))
        while True:
            pass

    status = os.waitpid(fork(run), 0)[1]
    assert os.WTERMSIG(status) in (signal.SIGXCPU, signal.SIGALRM)


def test_a_fork_that_breaks_is_no_killed_mutant() -> None:
    assert os.WEXITSTATUS(os.waitpid(fork(lambda: 1 // 0), 0)[1]) not in (0, 1)


def test_the_table_counts_a_mutant_out_of_time_as_killed() -> None:
    mutants = made_up()[:4]
    outcomes: tuple[Outcome, ...] = ("killed", "timed out", "survived", "untested")
    results = [Result(str(made_up()[index]), outcomes[index]) for index in range(4)]
    last = format_table(mutants, results).splitlines()[-1].split()
    # Wilson, 2 of 4: centre 1/2, half width z sqrt(4/4 + z^2) / (2 (4 + z^2)) * 2 = 0.3500
    assert last == ["all", "4", "1", "1", "1", "1", "0.500", "0.150-0.850"]


TRIAL = """
import sys
from pathlib import Path
import pytest
from golden.operators.draw import ROOT
from golden.operators.forks import OPTIONS
from golden.operators.sites import mutants_of
from golden.operators.trial import Trials
file = "src/assize/stats/_ranks.py"
mutants = mutants_of(file, Path(ROOT, file).read_text())
drawn = [next(item for item in mutants if item.old == old) for old in ("1", "<=")]
trials = Trials(drawn, Path(sys.argv[1]))
sys.exit(pytest.main([*OPTIONS, "tests/stats/test_ranks.py"], plugins=[trials]))
"""


@pytest.mark.slow("imports all that calculates, PyTorch with it")
def test_a_trial_tells_the_killed_from_those_that_survive(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    command = [sys.executable, "-c", TRIAL, str(path)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    assert '"killed"' in path.read_text()
    assert '"survived"' in path.read_text()
