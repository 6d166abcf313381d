"""`assize jury` on pairs that nobody has judged yet."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from assize.cli import app
from assize.conversation import Pair, Turn
from assize.formats import read, write
from assize.judgment import Judgment


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    """Nothing judged, and four pairs."""
    sides = (Turn("assistant", "one"),), (Turn("assistant", "two"),)
    pairs = [
        Pair(name, (Turn("user", f"What of {name}?"),), *sides, gold="A")
        for name in ("p1", "p2", "p3", "p4")
    ]
    write(tmp_path / "pairs.jsonl", pairs)
    return "", str(tmp_path / "pairs.jsonl")


def run(*arguments: str) -> Any:
    return CliRunner().invoke(app, ["jury", *arguments], catch_exceptions=False)


def test_pairs_alone_are_judged_now_each_judge_only_where_needed(
    files: tuple[str, str], tmp_path: Path
) -> None:
    _, pairs = files
    out = tmp_path / "run"
    command = (pairs, "--cascade", "io > explained", "--model", "scripted:any", "--out", str(out))
    done = run(*command, "--report", str(tmp_path / "jury.html"))
    assert "asked io@scripted:any about 4" in done.stderr
    assert "votes read of 16" in done.stderr
    assert "jury" in (tmp_path / "jury.html").read_text()
    assert (out / "run.json").is_file()
    rows = [one for one in read(out / "verdicts.jsonl") if isinstance(one, Judgment)]
    assert len(rows) == 4
    again = json.loads(run(*command, "--json").stdout)
    assert again["asked"]["io@scripted:any"] == 4
    assert (again["interrupted"], again["waiting"], again["out"]) == (False, 0, str(out))
    stored = json.loads(
        run(str(out), "--items", pairs, "--cascade", "io > explained", "--json").stdout
    )
    assert stored["paths"] == again["paths"]


def test_a_dry_run_says_what_it_would_take_at_most(files: tuple[str, str], tmp_path: Path) -> None:
    _, pairs = files
    arguments = (pairs, "--cascade", "io > explained", "--model", "scripted:any", "--dry-run")
    found = json.loads(run(*arguments, "--json").stdout)
    assert found["at_most"]["scripted:any"]["calls"] == 2 * 2 * 4
    assert "At most" in run(*arguments).stdout


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("--cascade", "io", "--model", "scripted:any"), "name --out RUN"),
        (("--cascade", "io", "--out", "x"), "io needs a model"),
        (("--cascade", "reward", "--out", "x"), "name the reward model"),
        (("--panel", "io", "--out", "x"), "asked in turn by a --cascade"),
        (("--cascade", "io", "--items", "x", "--out", "x"), "leave --items out"),
        (("--cascade", "io", "--gold", "people", "--out", "x"), "leave --gold out"),
    ],
)
def test_a_wrong_live_command_says_what_to_do(
    arguments: tuple[str, ...], problem: str, files: tuple[str, str]
) -> None:
    with pytest.raises(Exception, match=problem):
        run(files[1], *arguments)
