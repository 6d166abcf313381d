"""`assize judge` as users call it; options of single judges are `--set NAME=VALUE`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import scripts_for_tests
from chat_server import ChatServer
from command_line import assize, read_json, read_refusal, run

from assize.base.conversation import Pair, Turn
from assize.formats import write
from assize.running import run as running

CHAT = {"id": "c", "turns": [{"role": "user", "text": "Hi"}, {"role": "assistant", "text": "Ho"}]}


@pytest.fixture
def pairs(tmp_path: Path) -> Path:
    path = tmp_path / "pairs.jsonl"
    sides = (Turn("assistant", "x"),), (Turn("assistant", "y"),)
    write(path, (Pair(f"p{n}", (Turn("user", f"q{n}"),), *sides) for n in range(3)))
    return path


@pytest.fixture
def chats(tmp_path: Path) -> Path:
    path = tmp_path / "chats.jsonl"
    path.write_text(json.dumps(CHAT) + "\n", encoding="utf-8")
    return path


def test_a_run_prints_a_table_and_the_same_command_goes_on(pairs: Path, tmp_path: Path) -> None:
    judges = ("--judge", "explained@scripted:any", "--judge", "io@scripted:any")
    command = ("judge", pairs, *judges, "--out", tmp_path / "run")
    shown = run(*command).stdout
    assert "answers" in shown
    assert "Judgments (1 of" not in shown  # in one piece
    assert "12 calls" in run(*command).stderr
    assert len((tmp_path / "run" / "judgments.jsonl").read_text().splitlines()) == 12


def test_json_is_one_object_whose_counts_add_up(pairs: Path, tmp_path: Path) -> None:
    outcome = read_json("judge", pairs, "--judge", "io@scripted:any", "--out", tmp_path / "run")
    (row,) = outcome["answers"]
    assert (row["judge"], row["question"]) == ("io@scripted:any", "preference")
    assert sum(row["answers"].values()) == row["n"] == outcome["n"] == 6 - row["unscored"]
    assert len(outcome["signature"]) == 12


def test_too_many_unscored_end_with_1(pairs: Path, tmp_path: Path) -> None:
    tape = tmp_path / "tape.jsonl"
    tape.write_text('{"item": "p0", "judge": "io", "order": "AB", "text": "{}"}\n')
    command = ["judge", pairs, "--judge", f"io@replay:{tape}", "--out", tmp_path / "run"]
    run(*command, code=1)
    run(*command, "--max-unscored", 100)


@pytest.mark.parametrize("quiet", [[], ["--quiet"]])
def test_a_judge_that_fails_on_everything_ends_with_2_and_shows_what_there_is(
    pairs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, quiet: list[str]
) -> None:
    def defect(_: object) -> str:
        raise TypeError("a defect")

    monkeypatch.setattr(running, "GIVE_UP_AFTER", 3)
    monkeypatch.setattr(scripts_for_tests, "breaks", defect)
    command = ["judge", pairs, "--judge", "io@scripted:scripts_for_tests:breaks"]
    done = assize(*command, "--out", tmp_path / "run", "--json", *quiet)
    assert done.returncode == 2
    assert json.loads(done.stdout)["interrupted"]
    assert done.stderr.endswith("the same call (or command) continues\n")
    assert "interrupted" not in done.stderr
    assert ("3 answers in a row failed" in done.stderr) is not bool(quiet)


def test_a_dry_run_says_an_unknown_price_and_writes_nothing(pairs: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    command = ["judge", pairs, "--judge", "io@openai:mine", "--out", out, "--dry-run"]
    assert "no price is known" in run(*command, "--base-url", "http://127.0.0.1:9/v1").stderr
    assert not out.exists()
    estimate = read_json("judge", pairs, "-j", "io@openai:gpt-4o", "--dry-run")
    assert estimate["by_model"]["openai:gpt-4o"]["calls"] == 6
    assert estimate["by_model"]["openai:gpt-4o"]["cost_usd"] > 0


def test_the_exact_messages_of_an_item_are_shown(pairs: Path) -> None:
    shown = run("judge", pairs, "--show-prompt", "io").stdout
    assert "--- system ---" in shown
    assert "q0" in shown
    with ChatServer() as server:
        out = pairs.with_name("run")
        run("judge", pairs, "-j", "io@openai:m", "--base-url", server.url, "--out", out)
        sent = [seen.body["messages"] for seen in server.seen]
    assert read_json("judge", pairs, "--show-prompt", "io")["messages"] in sent


def test_judges_that_ask_several_times_show_their_first_prompt(pairs: Path) -> None:
    rated = read_json("judge", pairs, "--show-prompt", "geval-helpfulness")
    assert rated["item"] == "p0/A"
    assert rated["prompt"].startswith("geval-helpfulness 1 ")
    assert "round 1 of 2" in run("judge", pairs, "--show-prompt", "debate").stdout
    refused = read_refusal("judge", pairs, "--show-prompt", "evaluator@default")
    assert "asks with no prompt" in refused


def test_own_prompts_and_settings_change_what_is_shown(
    pairs: Path, chats: Path, tmp_path: Path
) -> None:
    own = tmp_path / "prompts"
    own.mkdir()
    (own / "io.jinja").write_text(
        "{% block system %}My words.{% endblock %}{% block user %}{{ fence('A', a) }}{% endblock %}"
    )
    assert "My words." in run("judge", pairs, "--show-prompt", "io", "--prompts", own).stdout
    prompt = ("judge", chats, "--show-prompt", "rubric")
    assert run(*prompt).stdout != run(*prompt, "--set", "rubric=information-seeking").stdout


@pytest.mark.parametrize("words", [["--out", "run"], ["--judge", "io@scripted:any"]])
def test_what_is_needed_and_was_not_typed_is_a_usage_error(words: list[str]) -> None:
    assert "name FILES" in run("judge", *words, code=2).stderr


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--batch", "--no-cache"], "needs the cache"),
        (["--votes", "3"], "a pair has two orders"),
        (["--concurrency", "0"], "concurrency: received 0, allowed is at least 1"),
        (["--max-cost", "1"], "price"),
    ],
)
def test_an_option_that_does_not_fit_is_said(
    pairs: Path, tmp_path: Path, more: list[str], message: str
) -> None:
    command = ["judge", pairs, "-j", "io@openai:mine", "--base-url", "http://127.0.0.1:9/v1"]
    assert message in read_refusal(*command, "--out", tmp_path / "run", *more)


def test_every_option_reaches_the_run(pairs: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    options = (
        *("--votes", 1, "--repeats", 2, "--samples", 3, "--concurrency", 3, "--temperature", 0.5),
        *("--seed", 4, "--truncate", "oldest", "--no-cache", "--retry", "--format", "assize"),
        *("--set", "rubric=information-seeking"),
    )
    judges = ("-j", "rating@openai:m", "-j", "rubric@openai:m")
    with ChatServer() as server:
        run("judge", pairs, *judges, "--base-url", server.url, "--out", out, *options)
        assert server.peak <= 3
        assert {seen.body["temperature"] for seen in server.seen} == {0.5}
        assert {4, 5} <= {seen.body["seed"] for seen in server.seen}
    assert '"question": "Q0"' in (out / "judgments.jsonl").read_text()
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


def test_the_injection_suite_reports_its_rates() -> None:
    first, *others = read_json("judge", "--injections", "-j", "io@scripted:first")["rates"]
    assert (first["judge"], first["attack"]) == ("io@scripted:first", "none")
    won = first["won"]
    assert (won["n"], won["count"], won["estimate"], won["unscored"]) == (40, 20, 0.5, 0)
    assert "forged-fence" in {row["attack"] for row in others}


@pytest.mark.parametrize(
    ("settings", "message"),
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
    chats: Path, tmp_path: Path, settings: list[str], message: str
) -> None:
    words = [word for setting in settings for word in ("--set", setting)]
    command = ("judge", chats, "-j", "rubric@scripted:any", *words, "-o", tmp_path / "run")
    assert message in read_refusal(*command)


@pytest.mark.parametrize("option", ["--rubric", "--corpus", "--metrics-only", "--timeout"])
def test_an_option_of_one_judge_is_no_flag(chats: Path, option: str) -> None:
    judge = ("judge", chats, "-j", "io@scripted:any", "--dry-run")
    assert "No such option" in run(*judge, option, "1", code=2).output


def test_the_list_shows_each_option_with_its_help_and_default() -> None:
    listed = read_json("judge", "--list")
    assert "openai" in listed["providers"]
    options = {row["option"]: row for row in listed["options"]}
    assert options["rubric"] == {
        "option": "rubric",
        "judges": ["rubric"],
        "what_it_does": "Rubric file, or the name of a shipped rubric",
        "default": "general",
    }
    assert options["metrics_only"]["default"] == ""
    wide = run("judge", "--list", env={"COLUMNS": "300"}).stdout
    assert "Rubric file, or the name of a shipped rubric general" in " ".join(wide.split())


@pytest.mark.parametrize("words", [["--votes", "1"], ["--set", "rubric=x"], ["--format", "csv"]])
def test_the_list_refuses_options_that_it_would_ignore(words: list[str]) -> None:
    refused = read_refusal("judge", "--list", *words)
    assert f"{words[0]} and --list do not go together; leave one out" in refused


@pytest.mark.parametrize(
    ("words", "completed"),
    [
        ("assize judge --set criteria_m", "criteria_model="),
        ("assize rubric ask --rubric inf", "information-seeking"),
    ],
)
def test_names_and_values_of_options_complete_in_the_shell(words: str, completed: str) -> None:
    place = str(len(words.split()) - 1)
    shell = {"_ASSIZE_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": place}
    assert completed in run(env=shell, prog_name="assize").output
