"""`assize reference verification` and `split` on the command line, and cutting before them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from assize.cli import app
from assize.models import Request

EXAMPLES = Path(__file__).parents[2] / "examples"


def told(*arguments: str | Path) -> tuple[int, str, str]:
    done = CliRunner().invoke(app, ["reference", *map(str, arguments)])
    return done.exit_code, done.stdout, done.stderr


def cut(*arguments: str | Path) -> tuple[int, str, str]:
    words = ["simulate", "candidates", EXAMPLES / "conversations.jsonl", "--no-random", *arguments]
    done = CliRunner().invoke(app, list(map(str, words)))
    return done.exit_code, done.stdout, done.stderr


def test_conversations_become_files_for_tuning(tmp_path: Path) -> None:
    slots, split, out = tmp_path / "slots", tmp_path / "split", tmp_path / "completions"
    code, _, said = cut("-o", slots)
    assert code == 0
    assert "125 continuations without a candidate" in said
    code, shown, _ = told("split", slots / "continuations.jsonl", "-o", split, "--json")
    assert code == 0
    sides = json.loads(shown)["sides"]
    assert sum(side["items"] for side in sides) == 125
    out.mkdir()
    for side in split.iterdir():
        words = ["convert", str(side), str(out / side.name), "--to", "prompt-completion"]
        assert CliRunner().invoke(app, words).exit_code == 0
    assert sum(len(path.read_text().splitlines()) for path in out.iterdir()) == 125
    assert abs(len((out / "train.jsonl").read_text().splitlines()) - 100) <= 4  # whole groups


def test_pairs_become_a_verification_set(tmp_path: Path) -> None:
    code, shown, _ = told("verification", EXAMPLES / "pairs.jsonl", "-o", tmp_path / "v.jsonl")
    assert code == 0
    assert "nobody prefers any answer" in shown
    assert "contexts: 7\nclear: 5" in shown


def test_turns_are_named_by_number_and_repeat(tmp_path: Path) -> None:
    code, shown, _ = cut("--turn", "2", "--turn", "4", "--json", "-o", tmp_path / "slots")
    assert code == 0
    assert json.loads(shown)["count"] == 65


def test_shares_that_are_none_end_with_an_error(tmp_path: Path) -> None:
    done = CliRunner().invoke(
        app, ["reference", "split", str(EXAMPLES / "pairs.jsonl"), "--shares", "all"]
    )
    assert "such as 80,10,10" in str(done.exception)


def evades(request: Request) -> str:
    return "I cannot say anything about that."


def knows(request: Request) -> str:
    return f"You asked about this: {request.messages[-1].text}"


def test_two_models_are_compared_on_what_was_held_out(tmp_path: Path) -> None:
    def assize(*words: str | Path) -> Any:
        done = CliRunner().invoke(app, [*map(str, words)])
        assert done.exit_code == 0, done.stderr
        return done.stdout

    split, said, scores = (tmp_path / name for name in ("split", "said", "scores"))
    assize("reference", "split", EXAMPLES / "conversations.jsonl", "--shares", "50,50", "-o", split)
    models = [f"scripted:{__name__}:{name}" for name in ("evades", "knows")]
    asked = [word for model in models for word in ("-m", model)]
    asked += ["--no-random", "--max-unscored", "20"]  # turns of tools are in no message
    assize("simulate", "candidates", split / "test.jsonl", *asked, "-o", said)
    turns = said / "continuations.jsonl"
    assize(
        "reference", "score", turns, "--metric", "rouge1-f1", "-o", scores, "--max-unscored", "20"
    )
    words = (
        "--items",
        turns,
        "--by",
        "source",
        "--baseline",
        models[0],
        "--json",
        "--max-unscored",
        "20",
    )
    compared = json.loads(assize("compare", scores, *words))
    (row,) = compared["differences"]
    rows = [json.loads(line) for line in turns.read_text().splitlines()]
    contexts = {json.dumps(answer["context"]) for answer in rows if answer["candidate"]}
    assert row["difference"]["n"] == len(contexts)
    assert "paired by first prompt" in json.dumps(compared)


def test_what_was_tuned_on_is_on_no_side(tmp_path: Path) -> None:
    chats = EXAMPLES / "conversations.jsonl"
    told("split", chats, "-o", tmp_path / "first")
    seen = tmp_path / "first" / "test.jsonl"
    code, _, said = told("split", chats, "--tuned-on", seen, "-o", tmp_path / "second")
    assert code == 0
    ids = {json.loads(line)["id"] for line in seen.read_text().splitlines()}
    assert f"{len(ids)} items of what was tuned on left out" in said
    again = [path.read_text() for path in (tmp_path / "second").iterdir()]
    left = {json.loads(line)["id"] for text in again for line in text.splitlines()}
    assert ids
    assert left
    assert not ids & left
    code, _, _ = told("split", seen, "--tuned-on", chats)
    assert code != 0
