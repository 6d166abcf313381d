"""`assize criteria` as users call it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.criteria.conftest import BAD, GOOD, SET
from typer.testing import CliRunner

from assize.cli import app
from assize.criteria._reading import criteria_text
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
    shown = run(*command, "-m", "scripted:any", "-o", out).output
    assert "NetSAT of this set lies between -10 and 20." in shown
    assert "left open" in shown
    assert len(read_judgments([out])) == 2 * 4
    said = json.loads(run(*command, "-m", "scripted:any", "-o", out, "--json").stdout)
    (labels,) = said["label_shares"]
    assert sum(labels[name]["count"] for name in ("good", "open", "bad", "unscored")) == 2
    assert (said["outcome"]["n"], said["outcome"]["summary"]["spent"]["calls"]) == (8, 4)


def test_a_dry_run_and_a_prompt_write_nothing(command: list[str], tmp_path: Path) -> None:
    assert "scripted:first" in run(*command, "-m", "scripted:first", "--dry-run").output
    shown = run(*command, "-m", "scripted:first", "--show-prompt", "again").output
    assert "The assistant repeats a fix that did not work." in shown
    assert not (tmp_path / "run").exists()


def test_it_is_a_judge_beside_others(command: list[str], tmp_path: Path) -> None:
    name = f"criteria@{command[-1]}"
    run(
        "judge",
        command[2],
        "-j",
        name,
        "-j",
        "rating@scripted:any",
        "--set",
        "criteria_model=scripted:any",
        "-o",
        tmp_path / "run",
    )
    table = read_judgments([tmp_path / "run"])
    assert set(table.judges) == {f"{name}@scripted:any", "rating@scripted:any"}
    assert set(table.asked) == {"NetSAT", "line", "works", "again", "rating"}


def test_the_page_has_the_text_of_the_conversations(command: list[str], tmp_path: Path) -> None:
    pytest.importorskip("vl_convert")
    page, out = tmp_path / "page.html", tmp_path / "run"
    run(*command, "-m", "scripted:any", "-o", out, "--report", page)
    assert "use &lt; instead of &lt;=." in page.read_text()


def test_a_run_is_reported_by_its_criteria(command: list[str], tmp_path: Path) -> None:
    pytest.importorskip("vl_convert")
    page, out = tmp_path / "page.html", tmp_path / "run"
    run(*command, "-m", "scripted:any", "-o", out)
    run("report", out, "--criteria", command[-1], "--items", command[2], "--out", page)
    assert "Two conversations side by side" in page.read_text()


def test_conversations_by_standard_input_have_no_text_on_the_page(
    command: list[str], tmp_path: Path
) -> None:
    pytest.importorskip("vl_convert")
    page, chats = tmp_path / "page.html", Path(command[2]).read_text()
    given = [*command[:2], "-", *command[3:], "-m", "scripted:any", "-o", tmp_path / "run"]
    given += ["--report", page, "--max-unscored", "100"]
    done = CliRunner().invoke(app, [*map(str, given)], input=chats)
    assert done.exit_code == 0, done.output
    assert "Give the conversations (items)" in page.read_text()


def test_a_dry_run_has_no_page(command: list[str], tmp_path: Path) -> None:
    given = [*command, "-m", "scripted:any", "--dry-run", "--report", str(tmp_path / "p.html")]
    done = CliRunner().invoke(app, given)
    assert "--report and --dry-run do not go together" in str(done.exception)
    assert not (tmp_path / "p.html").exists()
