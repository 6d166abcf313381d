"""`assize judge` as users call it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from chat_server import ChatServer
from typer.testing import CliRunner

from assize.base.conversation import Pair, Turn
from assize.cli import app
from assize.formats import write


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    path = tmp_path / "pairs.jsonl"
    made = (
        Pair(
            f"p{n}", (Turn("user", f"q{n}"),), (Turn("assistant", "x"),), (Turn("assistant", "y"),)
        )
        for n in range(3)
    )
    write(path, made)
    return path


def run(*arguments: object, code: int = 0) -> Any:
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    assert result.exit_code == code, result.output + repr(result.exception)
    return result


def test_a_run_prints_a_table_and_the_same_command_goes_on(pairs: Path, tmp_path: Path) -> None:
    command = ["judge", pairs, "--judge", "io@scripted:any", "--out", tmp_path / "run"]
    assert "io@scripted:any" in run(*command).stdout
    assert "6 calls" in run(*command).stderr
    assert len((tmp_path / "run" / "judgments.jsonl").read_text().splitlines()) == 6


def test_json_is_one_object_whose_counts_add_up(pairs: Path, tmp_path: Path) -> None:
    result = run("judge", pairs, "--judge", "io@scripted:any", "--out", tmp_path / "run", "--json")
    value = json.loads(result.stdout)
    (row,) = value["answers"]
    assert (row["judge"], row["question"]) == ("io@scripted:any", "preference")
    assert sum(row["answers"].values()) == row["n"] == value["n"] == 6 - row["unscored"]
    assert len(value["signature"]) == 12


def test_the_answers_of_a_judge_stand_in_one_piece(pairs: Path, tmp_path: Path) -> None:
    command = "judge", pairs, "--judge", "explained@scripted:any", "--judge", "io@scripted:any"
    table = run(*command, "--out", tmp_path / "run").stdout
    assert "Judgments (1 of" not in table
    assert "answers" in table


def test_too_many_unscored_end_with_1(pairs: Path, tmp_path: Path) -> None:
    tape = tmp_path / "tape.jsonl"
    tape.write_text('{"item": "p0", "judge": "io", "order": "AB", "text": "{}"}\n')
    command = ["judge", pairs, "--judge", f"io@replay:{tape}", "--out", tmp_path / "run"]
    run(*command, code=1)
    run(*command, "--max-unscored", 100)


def test_a_dry_run_says_an_unknown_price_and_writes_nothing(pairs: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    command = ["judge", pairs, "--judge", "io@openai:mine", "--out", out, "--dry-run"]
    assert "no price is known" in run(*command, "--base-url", "http://127.0.0.1:9/v1").stderr
    assert not out.exists()
    value = json.loads(run("judge", pairs, "-j", "io@openai:gpt-4o", "--dry-run", "--json").stdout)
    assert value["by_model"]["openai:gpt-4o"]["calls"] == 6
    assert value["by_model"]["openai:gpt-4o"]["cost_usd"] > 0


def test_the_exact_messages_of_an_item_are_shown(pairs: Path) -> None:
    shown = run("judge", pairs, "--show-prompt", "io").stdout
    assert "--- system ---" in shown
    assert "q0" in shown
    with ChatServer() as server:
        out = pairs.with_name("run")
        run("judge", pairs, "-j", "io@openai:m", "--base-url", server.url, "--out", out)
        sent = [seen.body["messages"] for seen in server.seen]
    described = json.loads(run("judge", pairs, "--show-prompt", "io", "--json").stdout)
    assert described["messages"] in sent


def test_judges_and_providers_are_listed() -> None:
    assert "dimensions" in run("judge", "--list").stdout
    assert "openai" in json.loads(run("judge", "--list", "--json").stdout)["providers"]


def test_bad_records_are_kept_in_a_file_with_skip(pairs: Path, tmp_path: Path) -> None:
    pairs.write_text(pairs.read_text() + '{"id": "broken", "a": []}\n')
    out = tmp_path / "run"
    command = ["judge", pairs, "--judge", "io@scripted:any", "--out", out]
    failed = run(*command, code=1)
    assert "pairs.jsonl:4" in str(failed.exception)
    skipped = run(*command, "--on-error", "skip")
    assert "1 bad record was left out: see" in skipped.stderr
    assert "broken" in (out / "rejects.jsonl").read_text()


@pytest.mark.parametrize("given", [["--out", "run"], ["--judge", "io@scripted:any"]])
def test_what_is_needed_and_was_not_typed_is_a_usage_error(given: list[str]) -> None:
    said = run("judge", *given, code=2).stderr
    assert "name FILES" in said


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--batch", "--no-cache"], "needs the cache"),
        (["--votes", "3"], "a pair has two orders"),
        (["--concurrency", "0"], "concurrency: received 0, allowed is at least 1"),
        (["--max-cost", "1"], "price"),
    ],
)
def test_an_option_that_does_not_fit_is_said(
    pairs: Path, tmp_path: Path, more: list[str], said: str
) -> None:
    command = ["judge", pairs, "-j", "io@openai:mine", "--base-url", "http://127.0.0.1:9/v1"]
    result = run(*command, "--out", tmp_path / "run", *more, code=1)
    assert said in str(result.exception)


def test_every_option_reaches_the_run(pairs: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    with ChatServer() as server:
        run(
            "judge",
            pairs,
            "-j",
            "rating@openai:m",
            "--base-url",
            server.url,
            "--out",
            out,
            "--votes",
            1,
            "--repeats",
            2,
            "--samples",
            3,
            "--concurrency",
            3,
            "--temperature",
            0.5,
            "--seed",
            4,
            "--truncate",
            "oldest",
            "--no-cache",
            "--retry",
            "--format",
            "assize",
            "--quiet",
        )
        assert server.peak <= 3
        assert {seen.body["temperature"] for seen in server.seen} == {0.5}
        assert {seen.body["seed"] for seen in server.seen} == {4, 5}
    settings = json.loads((out / "run.json").read_text())["settings"]
    assert settings["run"] == {
        "votes": 1,
        "repeats": 2,
        "seed": 4,
        "concurrency": 3,
        "on_error": "fail",
        "retry": True,
    }
    assert settings["judges"]["samples"] == 3
    assert settings["judges"]["truncate"] == "oldest"
    assert settings["models"]["use_cache"] is False


def test_own_prompts_replace_the_shipped_ones(pairs: Path, tmp_path: Path) -> None:
    own = tmp_path / "prompts"
    own.mkdir()
    (own / "io.jinja").write_text(
        "{% block system %}My words.{% endblock %}{% block user %}{{ fence('A', a) }}{% endblock %}"
    )
    shown = run("judge", pairs, "--show-prompt", "io", "--prompts", own).stdout
    assert "My words." in shown


def test_the_injection_suite_reports_its_rates() -> None:
    value = json.loads(run("judge", "--injections", "-j", "io@scripted:first", "--json").stdout)
    first, *_ = value["rates"]
    assert (first["judge"], first["attack"]) == ("io@scripted:first", "none")
    won = first["won"]
    assert (won["n"], won["count"], won["estimate"], won["unscored"]) == (40, 20, 0.5, 0)
    assert "forged-fence" in run("judge", "--injections", "-j", "io@scripted:any").stdout


def test_judges_that_ask_several_times_show_their_first_prompt(pairs: Path, tmp_path: Path) -> None:
    rated = json.loads(run("judge", pairs, "--show-prompt", "geval-helpfulness", "--json").stdout)
    assert rated["item"] == "p0/A"
    assert rated["prompt"].startswith("geval-helpfulness 1 ")
    debated = run("judge", pairs, "--show-prompt", "debate")
    assert "round 1 of 2" in debated.stdout
    result = CliRunner().invoke(app, ["judge", str(pairs), "--show-prompt", "evaluator@default"])
    assert "asks with no prompt" in repr(result.exception)
