from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from assize.base.conversation import Pair, Turn
from assize.base.judgment import Judgment, Unscored
from assize.cli import app
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


def run(*arguments: str) -> Any:
    return CliRunner().invoke(app, ["jury", *arguments], catch_exceptions=False)


def test_json_is_one_object_of_the_contract(files: tuple[str, str]) -> None:
    votes, pairs = files
    done = run(votes, "--items", pairs, "--cascade", "da > maxim", "--json")
    said = json.loads(done.stdout)
    assert done.exit_code == 0
    assert (said["n"], said["unscored"]) == (4, 0)
    assert said["win"]["count"] == 3
    assert said["win"]["estimate"] == 0.75
    assert said["win"]["interval"][0] < 0.75 < said["win"]["interval"][1]
    assert {row["by"]: row["n"] for row in said["decided_by"]}["maxim@m"] == 3
    assert {row["path"]: row["items"]["count"] for row in said["paths"]}["tie-loss"] == 1
    assert {row["judge"]: row["unscored"] for row in said["judges"]}["da@m"] == 1
    assert len(said["signature"]) == 12


def test_the_tables_show_the_jury_the_judges_and_the_paths(files: tuple[str, str]) -> None:
    votes, pairs = files
    done = run(votes, "--items", pairs, "--cascade", "da > maxim")
    for said in ("jury=da > maxim|", "3 (75.0%)", "unscored-win", "tie-loss", "right"):
        assert said in done.stdout
    assert "12 votes read" not in done.stdout
    assert "14 votes read of 16" in done.stderr


def test_pairs_may_stand_among_the_judgments(files: tuple[str, str], tmp_path: Path) -> None:
    votes, pairs = files[0], str(tmp_path / "one-identical.jsonl")
    same = Pair("p1", (Turn("user", "Hi"),), *((Turn("assistant", "one"),),) * 2, gold="A")
    write(pairs, [same, *(pair(f"p{n}") for n in range(2, 5))])
    apart = json.loads(run(votes, "--items", pairs, "--cascade", "da > maxim", "--json").stdout)
    among = json.loads(run(votes, pairs, "--cascade", "da > maxim", "--json").stdout)
    assert among == apart
    assert {row["by"]: row["n"] for row in among["decided_by"]}["identical"] == 1


def test_a_panel_and_its_weights_decide(files: tuple[str, str]) -> None:
    votes, pairs = files
    even = json.loads(run(votes, "--items", pairs, "--panel", "all", "--json").stdout)
    heavy = json.loads(run(votes, "--items", pairs, "--panel", "da=2, maxim", "--json").stdout)
    assert even["tie"]["count"] == 1  # p1: one for each side
    assert heavy["win"]["count"] == even["win"]["count"] + 1


def test_reliability_adds_accuracy_alpha_and_beta(files: tuple[str, str]) -> None:
    votes, pairs = files
    done = run(votes, "--items", pairs, "--reliability", "--json", "--seed", "3")
    said = json.loads(done.stdout)
    for one in said["reliabilities"]:
        assert 0 <= one["alpha"]["estimate"] <= 1
        assert one["beta"]["interval"][0] <= one["beta"]["estimate"] <= one["beta"]["interval"][1]
    even = run(votes, "--items", pairs, "--reliability", "--exchangeable")
    assert "doubtful" in even.stderr


def test_reliability_takes_anchors(files: tuple[str, str]) -> None:
    votes, pairs = files
    given = ("--items", pairs, "--reliability", "--json")
    trusted = json.loads(run(votes, *given, "--anchor", "da@m", "--tied").stdout)
    (da,) = (row for row in trusted["reliabilities"] if row["judge"] == "da@m")
    assert da["alpha"] == da["beta"]
    known = run(votes, "--items", pairs, "--reliability", "--anchor", "gold")
    assert "4 labels were given to the fit" in known.stderr


def test_more_unscored_than_allowed_exits_with_1(files: tuple[str, str]) -> None:
    votes, pairs = files
    assert run(votes, "--items", pairs, "--cascade", "da").exit_code == 1
    assert run(votes, "--items", pairs, "--cascade", "da", "--max-unscored", "30").exit_code == 0
    lost = run(votes, "--items", pairs, "--cascade", "da", "--unscored", "loss", "--json")
    said = json.loads(lost.stdout)
    assert (said["unscored"], said["loss"]["count"], said["reasons"]) == (1, 1, {"refused": 1})


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
        (("--cascade", "da", "--json", "--out", "-"), "cannot both go to stdout"),
        (("--cascade", "da", "--max-cost", "1"), "--max-cost: this is for asking judges now"),
        (("--cascade", "da", "--dry-run"), "dry_run is for asking judges now"),
    ],
)
def test_a_wrong_command_says_what_to_do(
    arguments: tuple[str, ...], problem: str, files: tuple[str, str]
) -> None:
    with pytest.raises(Exception, match=problem):
        run(files[0], *arguments)


def test_pairs_that_nobody_judged_are_named(files: tuple[str, str], tmp_path: Path) -> None:
    write(tmp_path / "others.jsonl", [pair("q1")])
    with pytest.raises(Exception, match="judged were 'p1' and others, the pairs are 'q1'"):
        run(files[0], "--items", str(tmp_path / "others.jsonl"), "--cascade", "da")


def test_another_question_has_gold_of_its_own(tmp_path: Path) -> None:
    rows = [Judgment("p1", "j", "Overall", answer="B")]
    write(tmp_path / "votes.jsonl", rows)
    write(tmp_path / "pairs.jsonl", [pair("p1", {"Overall": "B", "Safety": "A"})])
    done = run(
        *(str(tmp_path / "votes.jsonl"), "--items", str(tmp_path / "pairs.jsonl")),
        *("--cascade", "j", "--question", "Overall", "--json"),
    )
    assert json.loads(done.stdout)["win"]["count"] == 1


AMULET = Path(__file__).parents[3] / "shared" / "data" / "amulet-hh-test"


@pytest.mark.skipif(not AMULET.exists(), reason="needs shared/data/amulet-hh-test")
def test_amulet_s_files_are_a_jury_as_they_come_or_converted(tmp_path: Path) -> None:
    sources = [str(AMULET / name) for name in ("outputs-gpt4o.jsonl.gz", "reward-models.jsonl")]
    items = str(AMULET / "instances.jsonl")
    cascade = "da > maxim > explained"
    said = json.loads(run(*sources, "--items", items, "--cascade", cascade, "--json").stdout)
    assert (said["n"], round(100 * said["win"]["estimate"], 2)) == (460, 64.13)
    out = tmp_path / "converted"
    convert = ["convert", *sources, items, str(out)]
    assert CliRunner().invoke(app, convert, catch_exceptions=False).exit_code == 0
    converted = str(next(out.glob("judgments*")))
    pairs = str(next(out.glob("pairs*")))
    again = json.loads(run(converted, "--items", pairs, "--cascade", cascade, "--json").stdout)
    assert again["paths"] == said["paths"]
    listing = run(
        *sources, "--items", items, "--cascade", "da > maxim", "--list", "tie-loss"
    ).stdout
    assert listing.count("===") == 18
    assert "context 0: Task / " in listing
    assert "maxims: Quantity-1" in listing


def test_one_repeat_of_several_is_decided(files: tuple[str, str]) -> None:
    with pytest.raises(Exception, match="no repeat 1 of any judge: da@m has 0"):
        run(files[0], "--items", files[1], "--cascade", "da", "--repeat", "1")
