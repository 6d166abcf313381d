"""`assize reference cut`, `verification`, and `split` on the command line."""

from __future__ import annotations

import json
from pathlib import Path

from typer.testing import CliRunner

from assize.cli import app

EXAMPLES = Path(__file__).parents[2] / "examples"


def told(*arguments: str | Path) -> tuple[int, str, str]:
    done = CliRunner().invoke(app, ["reference", *map(str, arguments)])
    return done.exit_code, done.stdout, done.stderr


def test_conversations_become_files_for_tuning(tmp_path: Path) -> None:
    cut, split, out = tmp_path / "k.jsonl", tmp_path / "split", tmp_path / "completions"
    code, shown, said = told(
        "cut", EXAMPLES / "conversations.jsonl", "--random-candidates", "-o", cut
    )
    assert (code, said.splitlines()) == (0, [f"{cut}: 125 continuations"])
    assert "random" in shown
    code, shown, _ = told("split", cut, "-o", split, "--json")
    assert code == 0
    sides = json.loads(shown)["sides"]
    assert sum(side["items"] for side in sides) == 125
    out.mkdir()
    for side in split.iterdir():
        words = ["convert", str(side), str(out / side.name), "--to", "prompt-completion"]
        assert CliRunner().invoke(app, words).exit_code == 0
    assert sum(len(path.read_text().splitlines()) for path in out.iterdir()) == 125
    assert len((out / "train.jsonl").read_text().splitlines()) == 100


def test_pairs_become_a_verification_set(tmp_path: Path) -> None:
    code, shown, said = told("verification", EXAMPLES / "pairs.jsonl", "-o", tmp_path / "v.jsonl")
    assert code == 0
    assert "nobody prefers any answer" in shown
    assert "5 of 7 contexts have a clear winner" in said


def test_turns_are_named_by_number_and_repeat(tmp_path: Path) -> None:
    code, shown, _ = told(
        "cut", EXAMPLES / "conversations.jsonl", "--turn", "2", "--turn", "4", "--json"
    )
    assert code == 0
    assert json.loads(shown)["continuations"] == 65


def test_shares_that_are_none_end_with_an_error(tmp_path: Path) -> None:
    done = CliRunner().invoke(
        app, ["reference", "split", str(EXAMPLES / "pairs.jsonl"), "--shares", "all"]
    )
    assert "such as 80,10,10" in str(done.exception)


def test_two_models_are_compared_on_what_was_held_out(tmp_path: Path) -> None:
    told("cut", EXAMPLES / "conversations.jsonl", "-o", tmp_path / "k.jsonl")
    told("split", tmp_path / "k.jsonl", "-o", tmp_path / "split")
    scripts = "tests.reference.test_tuning"
    code, shown, said = told(
        "tuning",
        tmp_path / "split" / "test.jsonl",
        "--base",
        f"scripted:{scripts}:evades",
        "--tuned",
        f"scripted:{scripts}:knows",
        "--tuned-on",
        tmp_path / "split" / "train.jsonl",
        "--metric",
        "rouge1-f1",
        "-o",
        tmp_path / "said.jsonl",
        "-q",
    )
    assert (code, said) == (0, "")
    assert "conversations: 5" in shown
    assert len((tmp_path / "said.jsonl").read_text().splitlines()) == 26
