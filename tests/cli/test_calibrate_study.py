"""`assize calibrate study` as users call it."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from assize.cli import app
from assize.conversation import Conversation, Turn
from assize.errors import ConfigError
from assize.formats import read_judgments, write
from assize.formats.writing import write_questions
from assize.judgment import Judgment, Question

SCALE = ("1", "2", "3")
ASKED = [Question(name, "?", "ordinal", SCALE, (1.0, 2.0, 3.0)) for name in ("overall", "clear")]


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """Answers and ratings of twenty conversations by two systems."""
    rng = np.random.default_rng(0)
    said, rated = [], []
    for number in range(20):
        item, level = f"V{number % 2}_{number}", int(rng.integers(0, 3))
        for question in ASKED:
            shares = dict(zip(SCALE, (0.7 * np.eye(3)[level] + 0.1).tolist(), strict=True))
            said.append(Judgment(item, "rubric@m", question.id, distribution=shares))
            for rater in "ab":
                rated.append(Judgment(item, rater, question.id, answer=SCALE[level], kind="person"))
    for name, rows in (("answers", said), ("ratings", rated)):
        write(tmp_path / f"{name}.jsonl", rows)
        write_questions(tmp_path / f"{name}.jsonl", ASKED)
    return ["-a", str(tmp_path / "answers.jsonl"), "-r", str(tmp_path / "ratings.jsonl")]


def run(*arguments: object, code: int = 0) -> Any:
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    assert result.exit_code == code, result.output + repr(result.exception)
    return result


QUICK = ("--folds", 2, "--seeds", 1, "-m", "baselines", "-m", "network", "--permutations", 50)


def test_tables_are_printed_and_the_page_is_written(files: list[str], tmp_path: Path) -> None:
    page = tmp_path / "study.html"
    pattern = ("--by", r"V(\d)_")
    command = ("calibrate", "study", *files, "-t", "overall", *QUICK, *pattern)
    shown = run(*command, "--report", page, "--curve", 1, "--every-question")
    for said in ("rater mean", "network", r"By V(\d)_", "Learning curve", "Every question"):
        assert said in shown.stdout
    html = page.read_text()
    for said in ("Are the probabilities true?", "How raters differ", r"Every question by V(\d)_"):
        assert said in html


def test_quiet_prints_the_results_and_nothing_else(files: list[str]) -> None:
    shown = run("calibrate", "study", *files, "-t", "overall", *QUICK, "-q")
    assert "rater mean" in shown.stdout
    assert shown.stderr == ""


def test_tables_keep_to_the_terminal_and_their_cells_whole(
    files: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    page = tmp_path / "study.html"
    command = ["calibrate", "study", *files, "-t", "overall", *QUICK, "--by", r"_(\d+)"]
    shown = run(*command, "--curve", 2, "--every-question", "--report", page)
    assert max(map(len, shown.stdout.splitlines())) <= 80
    assert "(1 of " in shown.stdout  # twenty groups and all of them
    assert re.search(r"\d\.\d{3} \[-?\d\.\d{3}, -?\d\.\d{3}\]", shown.stdout)
    assert re.search(r"1\.00 ± 0\.00 \(2\)", shown.stdout)  # without spread, and with its n
    html = page.read_text()
    assert "At one seed" in html
    assert "1 seeds" not in html


def test_what_does_not_apply_is_counted_in_the_notes(files: list[str], tmp_path: Path) -> None:
    rated = read_judgments([tmp_path / "ratings.jsonl"])
    rows = [replace(row, answer="NA") if row.item == "V0_0" else row for row in rated]
    write(tmp_path / "ratings.jsonl", rows, questions=ASKED)
    page = tmp_path / "study.html"
    shown = run("calibrate", "study", *files, "-t", "overall", *QUICK, "--report", page)
    assert "4 ratings NA" in shown.stderr
    assert "4 ratings NA" in page.read_text()


def test_json_holds_the_test_set_apart(files: list[str], tmp_path: Path) -> None:
    rows = [Judgment(f"V1_{n}", "a", "overall", answer="2", kind="person") for n in (1, 3)]
    write(tmp_path / "held.jsonl", rows)
    write_questions(tmp_path / "held.jsonl", ASKED)
    command = ("calibrate", "study", *files, "-t", "overall", *QUICK, "--json", "-q")
    value = json.loads(run(*command, "--test-ratings", tmp_path / "held.jsonl").stdout)
    assert value["target"] == "overall"
    assert value["sets"]["test set"]["forms"] == 2 * 2 + 2  # their other ratings are held too
    assert len(value["signature"]) == 12


def test_systems_come_from_the_conversations(files: list[str], tmp_path: Path) -> None:
    turns = (Turn("user", "Hi"),)
    made = [Conversation(f"V{n % 2}_{n}", turns, f"bot-{n % 2}") for n in range(20)]
    write(tmp_path / "chats.jsonl", made)
    command = ("calibrate", "study", *files, "-t", "overall", "--folds", 2, "--seeds", 1)
    more = ("-m", "constant", "--items", tmp_path / "chats.jsonl", "--json")
    value = json.loads(run(*command, *more).stdout)
    assert {cell["system"] for cell in value["systems"]} == {"all", "bot-0", "bot-1"}


def test_the_methods_are_listed() -> None:
    assert "oracle-of-others" in run("calibrate", "study", "--list").stdout
    value = json.loads(run("calibrate", "study", "--list", "--json").stdout)
    assert value["methods"]["network"]["group"] == "calibrated"


def test_what_is_missing_or_unknown_is_said(files: list[str]) -> None:
    run("calibrate", "study", *files, code=2)
    command = ["calibrate", "study", *files, "-t", "overall"]
    unknown = CliRunner().invoke(app, [*command, "-m", "magic"])
    assert isinstance(unknown.exception, ConfigError)
    for option in ("--by", "--folds-by", "--leave-out"):
        for what, said in (
            ("V", "neither system nor metadata.NAME nor a pattern with a group"),
            ("(z)", "finds a group in none of 20 ids"),
            ("system", "needs the conversations: give --items"),
        ):
            done = CliRunner().invoke(app, [*command, "-m", "constant", option, what])
            assert f"{option} " in str(done.exception)
            assert said in str(done.exception)
    both = [*command, "--folds-by", "V(.)", "--leave-out", "V(.)"]
    assert "not both" in str(CliRunner().invoke(app, both).exception)
    few = [*command, "--leave-out", "V(.)", "--folds", "3"]
    assert "leave --folds out" in str(CliRunner().invoke(app, few).exception)


WAYS = {
    r"--folds-by _(\d)": "2 folds by _(\\d), 10 groups",
    r"--leave-out V(\d)_": "one of 2 groups by V(\\d)_ left out at a time",
    "--folds-by metadata.topic": "2 folds by metadata.topic, 5 groups",
    "--leave-out system": "one of 2 groups by system left out at a time",
}


@pytest.mark.parametrize("way", WAYS)
def test_groups_are_held_out_together_and_all_places_say_so(
    files: list[str], tmp_path: Path, way: str
) -> None:
    option, what = way.split(" ")
    turns = (Turn("user", "Hi"),)
    made = [
        Conversation(f"V{n % 2}_{n}", turns, f"bot-{n % 2}", {"topic": n % 5} if n else {})
        for n in range(20)
    ]
    write(tmp_path / "chats.jsonl", made)
    said = WAYS[way]
    command = ["calibrate", "study", *files, "-t", "overall", "--seeds", 1, "-m", "constant"]
    command += ["--items", tmp_path / "chats.jsonl", option, what]
    command += [] if option == "--leave-out" else ["--folds", 2]
    if what == "metadata.topic":
        said = said.replace("5 groups", "6 groups")  # one item has none
    shown = run(*command, "--report", tmp_path / "study.html")
    assert said in " ".join(shown.stdout.split())
    assert said in shown.stderr
    assert said in (tmp_path / "study.html").read_text()
    value = json.loads(run(*command, "--json", "-q").stdout)
    plain = json.loads(run(*command[:10], "--folds", 2, "--json", "-q").stdout)
    lost = int(what == "metadata.topic")
    groups = int(said.split(", ")[1].split(" ")[0]) if option == "--folds-by" else 2
    assert value["held_out"] == {
        "by": what, "leave_out": option == "--leave-out", "groups": groups,
        "items_without_group": lost,
    }  # fmt: skip
    assert plain["held_out"] == {"by": "item", "leave_out": False}
    assert value["signature"] != plain["signature"]
    assert ("held out together" in shown.stderr) is bool(lost)
