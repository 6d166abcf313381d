"""`assize criteria select` on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.criteria.test_select import CHATS, POOL, TABLE
from typer.testing import CliRunner

import assize
from assize.cli import app
from assize.criteria._reading import criteria_text, load_criteria


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    (tmp_path / "pool.yaml").write_text(criteria_text(POOL))
    assize.write(tmp_path / "run.jsonl", TABLE)
    assize.write(tmp_path / "chats.jsonl", CHATS)
    places = [str(tmp_path / name) for name in ("pool.yaml", "run.jsonl", "chats.jsonl")]
    return ["criteria", "select", places[0], "-j", places[1], "-i", places[2]]


def test_criteria_are_shown_and_written(files: list[str], tmp_path: Path) -> None:
    out = tmp_path / "criteria.yaml"
    more = ["--label", "thumbs:up=1,down=0", "--sat", "2", "--dsat", "2", "--stability", "5"]
    done = CliRunner().invoke(app, [*files, *more, "--out", str(out)])
    assert done.exit_code == 0, done.output
    for text in ("in the pool: 12", "survives", "held out", "NetSAT: bad up to", "select=rubicon"):
        assert text in done.stdout
    assert "labels by thumbs:up=1,down=0: 30 good (50%), 30 bad" in done.stderr
    assert len(load_criteria(str(out)).criteria) == 4


def test_json_is_one_object(files: list[str]) -> None:
    done = CliRunner().invoke(app, [*files, "--label", "thumbs", "--json", "-q"])
    assert json.loads(done.stdout)["policy"] == "rubicon"


def test_a_label_is_needed(files: list[str]) -> None:
    assert CliRunner().invoke(app, files).exit_code == 2


def test_a_page_is_written(files: list[str], tmp_path: Path) -> None:
    pytest.importorskip("vl_convert")
    page = tmp_path / "selected.html"
    done = CliRunner().invoke(app, [*files, "--label", "thumbs", "--report", str(page)])
    assert done.exit_code == 0, done.output
    assert "Scores by class" in page.read_text()
