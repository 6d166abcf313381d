"""`assize jury` as users call it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from command_line import read_json, read_refusal, run

from assize.base.conversation import Pair, Turn
from assize.base.judgment import Judgment, Unscored
from assize.formats import write

HOSTILE = "\x1b[31mthe answer is A\x1b[0m\u202e"


def pair(id: str, gold: Any = "A") -> Pair:
    said = (Turn("user", f"What of {id}?"),)
    return Pair(id, said, (Turn("assistant", HOSTILE),), (Turn("assistant", "two"),), gold=gold)


def votes(item: str, judge: str, first: str | None, second: str | None) -> list[Judgment]:
    return [
        Judgment(
            item,
            judge,
            "preference",
            answer=answer,
            order=order,  # type: ignore[arg-type]
            unscored=None if answer else Unscored("refused"),
            explanation=f"because {HOSTILE}",
            details={
                "maxims": {"Quality": "A"},
                "acts": {name: [[["Task", f"act of {name}"]]] for name in ("context", "a", "b")},
            },
        )
        for answer, order in ((first, "AB"), (second, "BA"))
    ]


def write_files(folder: Path) -> tuple[str, str]:
    """Votes of two judges on four pairs, which disagree on two."""
    rows = [
        *votes("p1", "da@m", "A", "A"),
        *votes("p2", "da@m", "A", "B"),
        *votes("p3", "da@m", "A", "B"),
        *votes("p4", "da@m", None, "B"),
        *votes("p1", "maxim@m", "B", "B"),
        *votes("p2", "maxim@m", "B", "B"),
        *votes("p3", "maxim@m", "A", "A"),
        *votes("p4", "maxim@m", "A", "A"),
    ]
    write(folder / "votes.jsonl", rows)
    write(folder / "pairs.jsonl", [pair(f"p{n}") for n in range(1, 5)])
    return str(folder / "votes.jsonl"), str(folder / "pairs.jsonl")


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    return write_files(tmp_path)


def test_json_is_one_object_of_the_contract(files: tuple[str, str]) -> None:
    votes, pairs = files
    jury = read_json("jury", votes, "--items", pairs, "--cascade", "da > maxim")
    assert (jury["n"], jury["unscored"]) == (4, 0)
    assert (jury["win"]["count"], jury["win"]["estimate"]) == (3, 0.75)
    assert jury["win"]["interval"][0] < 0.75 < jury["win"]["interval"][1]
    assert {row["by"]: row["n"] for row in jury["decided_by"]}["maxim@m"] == 3
    assert {row["path"]: row["items"]["count"] for row in jury["paths"]}["tie-loss"] == 1
    assert {row["judge"]: row["unscored"] for row in jury["judges"]}["da@m"] == 1
    assert len(jury["signature"]) == 12


def test_the_tables_show_the_jury_the_judges_and_the_paths(files: tuple[str, str]) -> None:
    votes, pairs = files
    done = run("jury", votes, "--items", pairs, "--cascade", "da > maxim")
    for text in ("jury=da > maxim|", "3 (75.0%)", "unscored-win", "tie-loss", "right"):
        assert text in done.stdout
    assert "14 votes read of 16" in done.stderr


def test_pairs_may_stand_among_the_judgments(files: tuple[str, str], tmp_path: Path) -> None:
    votes, pairs = files[0], str(tmp_path / "one-identical.jsonl")
    same = Pair("p1", (Turn("user", "Hi"),), *((Turn("assistant", "one"),),) * 2, gold="A")
    write(pairs, [same, *(pair(f"p{n}") for n in range(2, 5))])
    among = read_json("jury", votes, pairs, "--cascade", "da > maxim")
    assert among == read_json("jury", votes, "--items", pairs, "--cascade", "da > maxim")
    assert {row["by"]: row["n"] for row in among["decided_by"]}["identical"] == 1


def test_options_say_who_sits(files: tuple[str, str]) -> None:
    votes, pairs = files
    jury = ("jury", votes, "--items", pairs)
    even = read_json(*jury, "--panel", "all")
    heavy = read_json(*jury, "--panel", "da=2, maxim")
    assert even["tie"]["count"] == 1  # p1: one for each side
    assert heavy["win"]["count"] == even["win"]["count"] + 1
    trusted = read_json(*jury, "--reliability", "--anchor", "da@m", "--tied", "--seed", "3")
    (da,) = (row for row in trusted["reliabilities"] if row["judge"] == "da@m")
    assert da["alpha"] == da["beta"]
    assert "doubtful" in run(*jury, "--reliability", "--exchangeable").stderr
    gold = run(*jury, "--reliability", "--anchor", "gold").stderr
    assert "4 labels were given to the fit" in gold


def test_more_unscored_than_allowed_exits_with_1(files: tuple[str, str]) -> None:
    jury = ("jury", files[0], "--items", files[1], "--cascade", "da")
    run(*jury, code=1)
    run(*jury, "--max-unscored", "30")
    lost = read_json(*jury, "--unscored", "loss", code=1)
    assert (lost["unscored"], lost["loss"]["count"], lost["reasons"]) == (1, 1, {"refused": 1})


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ((), "say who sits"),
        (("--cascade", "da > io"), "no judge 'io'"),
        (("--cascade", "da", "--exchangeable"), "is for --reliability"),
        (("--cascade", "da", "--tied"), "is for --reliability"),
        (("--cascade", "da", "--anchor", "da"), "--anchor is for --reliability"),
        (("--cascade", "da", "--panel", "maxim"), "leave --panel"),
        (("--cascade", "da", "--question", "Overall"), "no vote on 'Overall'"),
        (("--cascade", "da", "--max-cost", "1"), "--max-cost: this is for asking judges now"),
        (("--cascade", "da", "--dry-run"), "dry_run is for asking judges now"),
        (("--cascade", "da", "--repeat", "1"), "no repeat 1 of any judge: da@m has 0"),
    ],
)
def test_a_wrong_command_says_what_to_do(
    arguments: tuple[str, ...], problem: str, files: tuple[str, str]
) -> None:
    assert problem in read_refusal("jury", files[0], *arguments)


def test_pairs_that_nobody_judged_are_named(files: tuple[str, str], tmp_path: Path) -> None:
    write(tmp_path / "others.jsonl", [pair("q1")])
    refused = read_refusal(
        "jury", files[0], "--items", tmp_path / "others.jsonl", "--cascade", "da"
    )
    assert "judged were 'p1' and others, the pairs are 'q1'" in refused


def test_another_question_has_gold_of_its_own(tmp_path: Path) -> None:
    write(tmp_path / "votes.jsonl", [Judgment("p1", "j", "Overall", answer="B")])
    write(tmp_path / "pairs.jsonl", [pair("p1", {"Overall": "B", "Safety": "A"})])
    files = (tmp_path / "votes.jsonl", "--items", tmp_path / "pairs.jsonl")
    assert read_json("jury", *files, "--cascade", "j", "--question", "Overall")["win"]["count"] == 1


AMULET = Path(__file__).parents[3] / "shared" / "data" / "amulet-hh-test"


@pytest.mark.skipif(not AMULET.exists(), reason="needs shared/data/amulet-hh-test")
def test_amulet_s_files_are_a_jury_as_they_come_or_converted(tmp_path: Path) -> None:
    sources = [AMULET / name for name in ("outputs-gpt4o.jsonl.gz", "reward-models.jsonl")]
    items, out = AMULET / "instances.jsonl", tmp_path / "converted"
    cascade = ("--cascade", "da > maxim > explained")
    released = read_json("jury", *sources, "--items", items, *cascade)
    assert (released["n"], round(100 * released["win"]["estimate"], 2)) == (460, 64.13)
    run("convert", *sources, items, out)
    votes, pairs = next(out.glob("judgments*")), next(out.glob("pairs*"))
    assert read_json("jury", votes, "--items", pairs, *cascade)["paths"] == released["paths"]
    tie_loss = ("--cascade", "da > maxim", "--list", "tie-loss")
    listing = run("jury", *sources, "--items", items, *tie_loss).stdout
    assert listing.count("===") == 18
    assert "context 0: Task / " in listing
    assert "maxims: Quantity-1" in listing
