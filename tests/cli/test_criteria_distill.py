"""`assize criteria distill`, and scoring by what it made."""

from __future__ import annotations

import json
from pathlib import Path

from tests.criteria.test_distill import CHATS, NEW, POOL, TABLE
from typer.testing import CliRunner

import assize
from assize.cli import app
from assize.criteria._reading import criteria_text


def test_distil_then_score_with_no_model(tmp_path: Path) -> None:
    pool, run, chats = tmp_path / "help.yaml", tmp_path / "run.jsonl", tmp_path / "chats.jsonl"
    new, small = tmp_path / "new.jsonl", tmp_path / "small"
    pool.write_text(criteria_text(POOL))
    assize.write(run, TABLE)
    assize.write(chats, CHATS)
    assize.write(new, NEW)
    made = CliRunner().invoke(
        app,
        [
            "criteria",
            "distill",
            str(pool),
            "-j",
            str(run),
            "-i",
            str(chats),
            "--label",
            "thumbs:up=1,down=0",
            "--cluster",
            "user",
            "--folds",
            "2",
            "-o",
            str(small),
            "-q",
        ],
    )
    assert made.exit_code == 0, made.output
    assert "How well it reproduces the evaluations" in made.output
    assert "NetSAT" in made.output
    scored = CliRunner().invoke(
        app,
        [
            "criteria",
            "score",
            str(new),
            "-c",
            str(pool),
            "-m",
            f"evaluator:{small}",
            "-o",
            str(tmp_path / "out"),
            "--json",
            "-q",
        ],
    )
    assert scored.exit_code == 0, scored.output
    told = json.loads(scored.stdout)
    (labels,) = told["label_shares"]
    assert labels["open"]["n"] == len(NEW)
    assert labels["open"]["count"] < len(NEW)
    assert told["outcome"]["summary"]["spent"]["cost_usd"] == 0


def test_too_many_unscored_end_it_with_1(tmp_path: Path) -> None:
    pool, run, chats = tmp_path / "help.yaml", tmp_path / "run.jsonl", tmp_path / "chats.jsonl"
    pool.write_text(criteria_text(POOL))
    some = [row for row in TABLE if row.question != "polite" or int(row.item[1:]) >= 12]
    assize.write(run, assize.JudgmentTable.of(some, TABLE.questions.values()))
    assize.write(chats, CHATS)
    made = CliRunner().invoke(
        app,
        [
            "criteria",
            "distill",
            str(pool),
            "-j",
            str(run),
            "-i",
            str(chats),
            "--folds",
            "2",
            "-o",
            str(tmp_path / "small"),
            "-q",
        ],
    )
    assert made.exit_code == 1, made.output
    assert (tmp_path / "small" / "evaluator.json").exists()
