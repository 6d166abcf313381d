"""`assize study criteria` on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.criteria.test_select import CHATS, POOL, TABLE
from typer.testing import CliRunner

import assize
from assize.cli import app
from assize.criteria._reading import criteria_text


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    (tmp_path / "pool.yaml").write_text(criteria_text(POOL))
    assize.write(tmp_path / "run.jsonl", TABLE)
    assize.write(tmp_path / "chats.jsonl", CHATS)
    pool, run, chats = (str(tmp_path / one) for one in ("pool.yaml", "run.jsonl", "chats.jsonl"))
    return [
        "criteria",
        "study",
        run,
        "-i",
        chats,
        "--method",
        f"ours={pool}",
        "--sat",
        "2",
        "--dsat",
        "2",
        "--resamples",
        "50",
    ]


def test_policies_are_compared(files: list[str]) -> None:
    more = ["--label", "thumbs:up=1,down=0", "--policy", "rubicon", "--policy", "brute-force"]
    done = CliRunner().invoke(app, [*files, *more])
    assert done.exit_code == 0, done.output
    for text in ("Methods and policies", "yield", "Less the first", "seed=0"):
        assert text in done.stdout
    assert "labels by thumbs:up=1,down=0: 30 good (50%), 30 bad" in done.stderr


def test_json_is_one_object(files: list[str]) -> None:
    done = CliRunner().invoke(app, [*files, "--label", "thumbs", "--json", "-q"])
    assert json.loads(done.stdout)["rows"][0]["method"] == "ours"


def test_a_method_without_a_name_is_refused(files: list[str]) -> None:
    done = CliRunner().invoke(app, [*files, "--label", "thumbs", "--method", "pool.yaml"])
    assert "write two words with = between them" in str(done.exception)


def test_one_class_is_refused(files: list[str], tmp_path: Path) -> None:
    labels = tmp_path / "labels.csv"
    labels.write_text("id,label\nc0,1\nc1,1\n")
    done = CliRunner().invoke(app, [*files, "--label", str(labels)])
    assert "all 2 labelled conversations are good" in str(done.exception)


def test_a_page_is_written(files: list[str], tmp_path: Path) -> None:
    pytest.importorskip("vl_convert")
    page = tmp_path / "study.html"
    done = CliRunner().invoke(app, [*files, "--label", "thumbs", "--report", str(page)])
    assert done.exit_code == 0, done.output
    assert "Scores by class" in page.read_text()
