"""`assize acts`: tables, JSON, a page, and a tagger from the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from acts_taught import ASK, FIRST, ITEMS, TELL
from command_line import read_json, read_refusal, run

from assize import Pair, Turn
from assize.acts._tagger import local_folder
from assize.base.judgment import Judgment, Unscored
from assize.formats import write

HOSTILE = "\x1b[31mHi\x1b[0m <script>alert(1)</script>"


def judgment(item: str, judge: str, a: Any, **more: Any) -> Judgment:
    """A preference for A with the acts that the judge saw; B asks."""
    context = [[list(act) for act in turn] for turn in FIRST[item].context]
    acts = {"context": context, "a": [[list(a)]], "b": [[list(ASK)]]}
    return Judgment(item, judge, "preference", answer="A", details={"acts": acts}, **more)


def write_files(folder: Path) -> tuple[str, str]:
    """Twenty conversations, and the acts that one judge saw in them, with a name of its own."""
    votes = [judgment(name, f"da@{HOSTILE}", TELL, order="AB") for name in FIRST]
    write(folder / "votes.jsonl", votes)
    write(folder / "pairs.jsonl", ITEMS.values())
    return str(folder / "votes.jsonl"), str(folder / "pairs.jsonl")


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    return write_files(tmp_path)


def test_show_may_be_left_out_and_json_is_one_object(files: tuple[str, str]) -> None:
    votes, pairs = files
    (study,) = read_json("acts", votes, "--items", pairs)["studies"]
    assert [study] == read_json("acts", "show", votes, "--items", pairs)["studies"]
    assert study["acts_judge"] == f"da@{HOSTILE}"


def test_tables_and_page_show_what_others_wrote_as_text(
    files: tuple[str, str], tmp_path: Path
) -> None:
    pytest.importorskip("vl_convert")
    votes, pairs = files
    page = tmp_path / "acts.html"
    done = run("acts", votes, "--items", pairs, "--report", page)
    assert done.stdout.startswith("da@\\x1b[31mHi")
    for heading in ("How often acts change", "What follows an act", "signature "):
        assert heading in done.stdout
    assert "\x1b[31m" not in done.stdout
    assert "the page is written" in done.stderr
    text = page.read_text("utf-8")
    assert text.count("<svg") >= 4
    assert "<script" not in text


def test_too_many_invalid_votes_exit_with_1(files: tuple[str, str], tmp_path: Path) -> None:
    votes, pairs = files
    refused = Unscored("refused", "")
    failed = Judgment("q", f"da@{HOSTILE}", "preference", order="AB", unscored=refused)
    write(tmp_path / "failed.jsonl", [failed])
    first, second = ((Turn("assistant", text),) for text in "ab")
    write(tmp_path / "more.jsonl", [Pair("q", (), first, second)])
    inputs = (
        votes,
        tmp_path / "failed.jsonl",
        "--items",
        pairs,
        "--items",
        tmp_path / "more.jsonl",
    )
    run("acts", *inputs, "--max-unscored", "4", code=1)
    run("acts", *inputs, "--max-unscored", "20")
    assert "give what was judged as items" in read_refusal("acts", votes)


def test_from_the_command_line_to_judgments_and_their_analysis(
    files: tuple[str, str], tmp_path: Path
) -> None:
    votes, pairs = files
    train = ("acts", "train", votes, "--items", pairs)
    assert read_json(*train)["figures"]["scores"][0]["f1"] > 0.9
    assert local_folder().is_dir()
    shown = run(*train, "-o", tmp_path / "t")
    assert "F1 on held-out conversations" in shown.stdout
    assert f"use it as acts@{tmp_path / 't'}" in shown.stderr
    run("judge", pairs, "--judge", "acts@local", "--out", tmp_path / "run", "--quiet")
    (study,) = read_json("acts", tmp_path / "run", "--items", pairs)["studies"]
    assert study["items"]["acts"] == 20
    assert study["changes"][0]["share"]["estimate"] == 1


def test_agreement_with_a_person_is_shown(files: tuple[str, str], tmp_path: Path) -> None:
    votes, pairs = files
    write(tmp_path / "anna.jsonl", [judgment("p0", "anna", ASK, kind="person")])
    rows = read_json("acts", "agree", votes, tmp_path / "anna.jsonl", "--items", pairs)["turns"]
    turns = {row["what"]: row for row in rows}
    assert turns["right, all turns"]["share"]["count"] == len(FIRST["p0"].context) + 1
    assert turns["a function is wrong"]["functions"] == 1
