from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from assize.cli import app
from assize.conversation import Pair, Turn
from assize.formats import read, write
from assize.judgment import Judgment, Unscored

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


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
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
    write(tmp_path / "votes.jsonl", rows)
    write(tmp_path / "pairs.jsonl", [pair(f"p{n}") for n in range(1, 5)])
    return str(tmp_path / "votes.jsonl"), str(tmp_path / "pairs.jsonl")


def run(*arguments: str) -> Any:
    return CliRunner().invoke(app, ["jury", *arguments], catch_exceptions=False)


def test_a_path_is_listed_with_acts_maxims_and_every_vote_and_no_control_character(
    files: tuple[str, str],
) -> None:
    votes, pairs = files
    done = run(votes, "--items", pairs, "--cascade", "da > maxim", "--list", "tie-loss")
    said = done.stdout
    assert "=== p2: gold A, jury B" in said
    assert "p3" not in said
    assert "da@m (AB): A" in said
    assert "da@m (BA): B" in said
    assert "maxim@m (BA): B" in said
    assert "maxims: Quality A" in said
    assert "context 0: Task / act of context" in said
    assert "A: Task / act of a" in said
    assert "was shown B as A" in said
    assert "\\x1b[31mthe answer is A" in said
    assert "\x1b" not in said
    assert "\u202e" not in said


def test_a_path_that_nobody_took_names_those_that_were(files: tuple[str, str]) -> None:
    votes, pairs = files
    with pytest.raises(Exception, match="the paths are win, tie-loss"):
        run(votes, "--items", pairs, "--cascade", "da > maxim", "--list", "tie-tie")


def test_listed_items_stand_in_json_too(files: tuple[str, str]) -> None:
    votes, pairs = files
    done = run(votes, "--items", pairs, "--cascade", "da > maxim", "--list", "win", "--json")
    (item,) = json.loads(done.stdout)["listed"]
    assert (item["item"], item["by"], item["votes"][0]["answer"]) == ("p1", "da@m", "A")
    assert item["context"][0] == {"role": "user", "text": "What of p1?"}


def test_verdicts_are_written_as_judgments(files: tuple[str, str], tmp_path: Path) -> None:
    votes, pairs = files
    out = tmp_path / "verdicts.jsonl"
    done = run(votes, "--items", pairs, "--cascade", "da > maxim", "--out", str(out))
    rows = [one for one in read(out) if isinstance(one, Judgment)]
    assert [row.answer for row in rows] == ["A", "B", "A", "A"]
    assert {row.judge for row in rows} == {"jury:da > maxim"}
    assert rows[1].details is not None
    assert [one["judge"] for one in rows[1].details["ballots"]] == ["da@m", "maxim@m"]
    assert done.exit_code == 0


def test_verdicts_on_stdout_stand_there_alone(files: tuple[str, str]) -> None:
    votes, pairs = files
    done = run(votes, "--items", pairs, "--cascade", "da > maxim", "--out", "-")
    assert [json.loads(line)["item"] for line in done.stdout.splitlines()] == [
        "p1", "p2", "p3", "p4",
    ]  # fmt: skip


def test_quiet_leaves_the_tables_and_no_note(files: tuple[str, str]) -> None:
    votes, pairs = files
    command = (votes, "--items", pairs, "--cascade", "da > maxim")
    loud, quiet = run(*command), run(*command, "--quiet")
    assert quiet.stdout == loud.stdout
    assert "votes read of" in loud.stderr
    assert quiet.stderr == ""
