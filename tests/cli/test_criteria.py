"""`assize criteria` as users call it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.criteria.conftest import BAD, GOOD, SET
from typer.testing import CliRunner

from assize.cli import app
from assize.criteria.reading import criteria_text
from assize.formats import read_judgments, write


@pytest.fixture
def command(tmp_path: Path) -> list[str]:
    (tmp_path / "criteria.yaml").write_text(criteria_text(SET), encoding="utf-8")
    write(tmp_path / "chats.jsonl", [GOOD, BAD])
    return [
        "criteria",
        "score",
        str(tmp_path / "chats.jsonl"),
        "-c",
        str(tmp_path / "criteria.yaml"),
    ]


def run(*arguments: object, code: int = 0) -> Any:
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    assert result.exit_code == code, result.output + repr(result.exception)
    return result


def test_scores_are_shown_and_kept(command: list[str], tmp_path: Path) -> None:
    out = tmp_path / "run"
    shown = run(*command, "-m", "scripted:any", "--turns", "-o", out).output
    assert "NetSAT, from -10 to 20" in shown
    assert "left open" in shown
    assert len(read_judgments([out])) == 2 * 4
    said = json.loads(run(*command, "-m", "scripted:any", "--turns", "-o", out, "--json").stdout)
    (scores,) = said["scores"].values()
    assert sum(one["count"] for one in scores["labels"].values()) == 2
    assert (said["n"], said["calls"]) == (8, 4)


def test_a_dry_run_and_a_prompt_write_nothing(command: list[str], tmp_path: Path) -> None:
    assert "scripted:first" in run(*command, "-m", "scripted:first", "--dry-run").output
    shown = run(*command, "-m", "scripted:first", "--show-prompt", "again").output
    assert "The assistant repeats a fix that did not work." in shown
    assert not (tmp_path / "run").exists()


def test_it_is_a_judge_beside_others(command: list[str], tmp_path: Path) -> None:
    name = f"criteria@{command[-1]}"
    run("judge", command[2], "-j", name, "-j", "rating@scripted:any", "--criteria-model",
        "scripted:any", "--impute", "neutral", "-o", tmp_path / "run")  # fmt: skip
    table = read_judgments([tmp_path / "run"])
    assert set(table.judges) == {f"{name}@scripted:any", "rating@scripted:any"}
    assert set(table.asked) == {"NetSAT", "line", "works", "again", "rating"}
