"""`assize acts`: tables, JSON, a page, and a tagger from the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from acts_taught import ASK, FIRST, ITEMS, TELL
from typer.testing import CliRunner

from assize import Pair, Turn
from assize.acts._tagger import local_folder
from assize.base.errors import DataError
from assize.base.judgment import Judgment, Unscored
from assize.cli import app
from assize.formats import write

HOSTILE = "\x1b[31mHi\x1b[0m <script>alert(1)</script>"


def write_files(folder: Path) -> tuple[str, str]:
    """Twenty conversations, and the acts that one judge saw in them, with a name of its own."""
    votes = [
        Judgment(
            name,
            f"da@{HOSTILE}",
            "preference",
            answer="A",
            order="AB",
            details={
                "acts": {
                    "context": [[list(a) for a in turn] for turn in one.context],
                    "a": [[list(TELL)]],
                    "b": [[list(ASK)]],
                }
            },
        )
        for name, one in FIRST.items()
    ]
    write(folder / "votes.jsonl", votes)
    write(folder / "pairs.jsonl", ITEMS.values())
    return str(folder / "votes.jsonl"), str(folder / "pairs.jsonl")


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    return write_files(tmp_path)


def run(*arguments: object) -> Any:
    return CliRunner().invoke(app, [*map(str, arguments)], catch_exceptions=False)


def test_show_may_be_left_out_and_json_is_one_object(files: tuple[str, str]) -> None:
    votes, pairs = files
    first = run("acts", votes, "--items", pairs, "--json")
    assert first.exit_code == 0
    assert first.stdout == run("acts", "show", votes, "--items", pairs, "--json").stdout
    (study,) = json.loads(first.stdout)["studies"]
    assert study["acts_judge"] == f"da@{HOSTILE}"


def test_the_tables_show_no_control_characters(files: tuple[str, str]) -> None:
    votes, pairs = files
    done = run("acts", votes, "--items", pairs)
    assert done.exit_code == 0
    assert done.stdout.startswith("da@\\x1b[31mHi")
    for shown in ("How often acts change", "What follows an act", "signature "):
        assert shown in done.stdout
    assert "\x1b[31m" not in done.stdout


def test_the_page_holds_figures_and_escapes_what_others_wrote(
    files: tuple[str, str], tmp_path: Path
) -> None:
    pytest.importorskip("vl_convert")
    votes, pairs = files
    page = tmp_path / "acts.html"
    done = run("acts", votes, "--items", pairs, "--report", page)
    assert (done.exit_code, "the page is written" in done.stderr) == (0, True)
    text = page.read_text("utf-8")
    assert text.count("<svg") >= 4
    assert "<script" not in text


def test_too_many_invalid_votes_exit_with_1(files: tuple[str, str], tmp_path: Path) -> None:
    votes, pairs = files
    failed = [
        Judgment(
            f"q{n}", f"da@{HOSTILE}", "preference", order="AB", unscored=Unscored("refused", "")
        )
        for n in range(2)
    ]
    write(tmp_path / "failed.jsonl", failed)
    more = [
        Pair(f"q{n}", (), (Turn("assistant", "a"),), (Turn("assistant", "b"),)) for n in range(2)
    ]
    write(tmp_path / "more.jsonl", more)
    given = (
        "acts",
        votes,
        tmp_path / "failed.jsonl",
        "--items",
        pairs,
        "--items",
        tmp_path / "more.jsonl",
    )
    assert run(*given).exit_code == 1
    assert run(*given, "--max-unscored", "20").exit_code == 0
    with pytest.raises(DataError, match="give what was judged as items"):
        run("acts", votes)


def test_from_the_command_line_to_judgments_and_their_analysis(
    files: tuple[str, str], tmp_path: Path
) -> None:
    votes, pairs = files
    trained = ("acts", "train", votes, "--items", pairs)
    done = run(*trained, "--json")
    assert done.exit_code == 0
    assert json.loads(done.stdout)["figures"]["scores"][0]["f1"] > 0.9
    assert local_folder().is_dir()
    shown = run(*trained, "-o", tmp_path / "t")
    assert "F1 on held-out conversations" in shown.stdout
    assert f"use it as acts@{tmp_path / 't'}" in shown.stderr
    judged = run("judge", pairs, "--judge", "acts@local", "--out", tmp_path / "run", "--quiet")
    assert judged.exit_code == 0
    analysed = run("acts", tmp_path / "run", "--items", pairs, "--json")
    (study,) = json.loads(analysed.stdout)["studies"]
    assert study["items"]["acts"] == 20
    assert study["changes"][0]["share"]["estimate"] == 1


def test_agreement_with_a_person_is_shown(files: tuple[str, str], tmp_path: Path) -> None:
    votes, pairs = files
    name, one = next(iter(FIRST.items()))
    details = {
        "acts": {
            "context": [[list(a) for a in turn] for turn in one.context],
            "a": [[list(ASK)]],
            "b": [[list(ASK)]],
        }
    }
    anna = Judgment(name, "anna", "preference", answer="A", kind="person", details=details)
    write(tmp_path / "anna.jsonl", [anna])
    done = run("acts", "agree", votes, tmp_path / "anna.jsonl", "--items", pairs, "--json")
    assert done.exit_code == 0
    turns = {row["what"]: row for row in json.loads(done.stdout)["turns"]}
    assert turns["right, all turns"]["share"]["count"] == len(one.context) + 1
    assert turns["a function is wrong"]["functions"] == 1
