"""Options of single judges are typed as `--set NAME=VALUE`, and listed by `--list`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from assize.cli import app

CHAT = {"id": "c", "turns": [{"role": "user", "text": "Hi"}, {"role": "assistant", "text": "Ho"}]}


@pytest.fixture
def chats(tmp_path: Path) -> Path:
    path = tmp_path / "x.jsonl"
    path.write_text(json.dumps(CHAT) + "\n", encoding="utf-8")
    return path


def judge(*words: Any) -> Result:
    return CliRunner().invoke(app, ["judge", *map(str, words)])


def test_an_option_reaches_the_judge(chats: Path, tmp_path: Path) -> None:
    rubric = ["-j", "rubric@scripted:any", "--set", "rubric=information-seeking"]
    done = judge(chats, *rubric, "-o", tmp_path / "run", "--json")
    assert done.exit_code == 0, done.output
    rows = json.loads(done.stdout)["answers"]
    assert ("rubric@scripted:any", "Q0") in {(row["judge"], row["question"]) for row in rows}


def test_a_prompt_is_shown_with_the_option(chats: Path) -> None:
    shown = ["--show-prompt", "rubric", "--set", "rubric=information-seeking"]
    plain, told = judge(chats, *shown[:2]), judge(chats, *shown)
    assert (plain.exit_code, told.exit_code) == (0, 0)
    assert plain.stdout != told.stdout


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (["rubrik=x"], "rubrik is not known; did you mean 'rubric'?"),
        (["corpus=x"], "corpus is for factscore and not for rubric@scripted:any; leave it out"),
        (["least=much"], "--set least=much: it is a number of at least 0"),
        (["rubric"], "write NAME=VALUE"),
        (["rubric=a", "rubric=b"], "--set rubric: it is given twice, and takes one value"),
        (["answered=run"], "answered= and least= go with adaptive="),
        (["rubric=no-such.yaml"], "no-such.yaml"),
    ],
)
def test_what_is_wrong_with_a_setting_is_said(
    chats: Path, tmp_path: Path, settings: list[str], said: str
) -> None:
    told = [word for one in settings for word in ("--set", one)]
    done = judge(chats, "-j", "rubric@scripted:any", *told, "-o", tmp_path / "run")
    assert done.exit_code != 0
    assert said in str(done.exception)


@pytest.mark.parametrize("option", ["--rubric", "--corpus", "--metrics-only", "--timeout"])
def test_an_option_of_one_judge_is_no_flag(chats: Path, option: str) -> None:
    done = judge(chats, "-j", "io@scripted:any", "--dry-run", option, "1")
    assert done.exit_code == 2
    assert "No such option" in done.output


def test_the_list_shows_each_option_with_its_help_and_default() -> None:
    rows = json.loads(judge("--list", "--json").stdout)["options"]
    options = {row["option"]: row for row in rows}
    assert options["rubric"] == {
        "option": "rubric",
        "judges": ["rubric"],
        "what_it_does": "Rubric file, or the name of a shipped rubric",
        "default": "general",
    }
    assert options["metrics_only"]["default"] == ""
    wide = CliRunner().invoke(app, ["judge", "--list"], env={"COLUMNS": "300"}).stdout
    assert "Rubric file, or the name of a shipped rubric general" in " ".join(wide.split())


@pytest.mark.parametrize("given", [["--votes", "1"], ["--set", "rubric=x"], ["--format", "csv"]])
def test_the_list_refuses_options_that_it_would_ignore(given: list[str]) -> None:
    done = judge("--list", *given)
    assert f"{given[0]} and --list do not go together; leave one out" in str(done.exception)


def test_the_names_of_options_complete_in_the_shell() -> None:
    done = CliRunner().invoke(
        app,
        [],
        env={
            "_ASSIZE_COMPLETE": "complete_bash",
            "COMP_WORDS": "assize judge --set criteria_m",
            "COMP_CWORD": "3",
        },
        prog_name="assize",
    )
    assert "criteria_model=" in done.output


def test_the_values_of_an_option_complete_in_the_shell() -> None:
    done = CliRunner().invoke(
        app,
        [],
        env={
            "_ASSIZE_COMPLETE": "complete_bash",
            "COMP_WORDS": "assize rubric ask --rubric inf",
            "COMP_CWORD": "4",
        },
        prog_name="assize",
    )
    assert "information-seeking" in done.output
