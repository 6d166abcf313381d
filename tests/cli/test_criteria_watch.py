"""`assize criteria watch` on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.criteria.watching.drifting import SET, drifting
from typer.testing import CliRunner

import assize
from assize.cli import app
from assize.criteria._reading import criteria_text


def command(folder: Path, drop: float) -> list[str]:
    chats, table = drifting(300, drop=drop)
    (folder / "criteria.yaml").write_text(criteria_text(SET))
    assize.write(folder / "run.jsonl", table)
    assize.write(folder / "chats.jsonl", chats)
    places = [str(folder / name) for name in ("run.jsonl", "criteria.yaml", "chats.jsonl")]
    asked = ["--time", "started", "--permutations", "199"]
    return ["criteria", "watch", places[0], "-c", places[1], "-i", places[2], *asked]


@pytest.fixture
def broken(tmp_path: Path) -> list[str]:
    return command(tmp_path, drop=2.0)


def test_tables_and_the_page_are_made(broken: list[str], tmp_path: Path) -> None:
    done = CliRunner().invoke(app, [*broken, "--report", str(tmp_path / "page.html")])
    assert done.exit_code == 0, done.output
    assert "By period" in done.stdout
    assert "<svg" in (tmp_path / "page.html").read_text()


def test_a_drop_ends_with_one_where_asked(broken: list[str]) -> None:
    done = CliRunner().invoke(app, [*broken, "--fail-on-drop", "--json"])
    assert done.exit_code == 1
    assert "worse than before, latest week" in done.stderr
    worse = [row["id"] for row in json.loads(done.stdout)["latest"] if row["verdict"] == "worse"]
    assert "s2" in worse


def test_no_drop_ends_with_none(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, [*command(tmp_path, drop=0.0), "--fail-on-drop"])
    assert done.exit_code == 0, done.output


def test_a_time_is_needed(broken: list[str]) -> None:
    at = broken.index("--time")
    assert CliRunner().invoke(app, broken[:at]).exit_code == 2
