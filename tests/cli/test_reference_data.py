"""`assize reference verification` and `split` on the command line, and cutting before them."""

from __future__ import annotations

import json
from pathlib import Path

from command_line import read_json, read_refusal, run

from assize.models import Request

EXAMPLES = Path(__file__).parents[2] / "examples"
CHATS = EXAMPLES / "conversations.jsonl"
CUT = ("simulate", "candidates", CHATS, "--no-random")
SPLIT = ("reference", "split")


def read_lines(path: Path) -> list[str]:
    """The lines of a file, or of all files of a folder."""
    files = path.iterdir() if path.is_dir() else [path]
    return [line for file in files for line in file.read_text().splitlines()]


def test_conversations_become_files_for_tuning(tmp_path: Path) -> None:
    slots, split, out = tmp_path / "slots", tmp_path / "split", tmp_path / "completions"
    assert "125 continuations without a candidate" in run(*CUT, "-o", slots).stderr
    sides = read_json(*SPLIT, slots / "continuations.jsonl", "-o", split)["sides"]
    assert sum(side["items"] for side in sides) == 125
    out.mkdir()
    for side in split.iterdir():
        run("convert", side, out / side.name, "--to", "prompt-completion")
    assert len(read_lines(out)) == 125
    assert abs(len(read_lines(out / "train.jsonl")) - 100) <= 4  # whole groups


def test_pairs_become_a_verification_set(tmp_path: Path) -> None:
    pairs = EXAMPLES / "pairs.jsonl"
    shown = run("reference", "verification", pairs, "-o", tmp_path / "v.jsonl").stdout
    assert "nobody prefers any answer" in shown
    assert "contexts: 7\nclear: 5" in shown
    assert "such as 80,10,10" in read_refusal(*SPLIT, pairs, "--shares", "all")


def test_turns_are_named_by_number_and_repeat(tmp_path: Path) -> None:
    assert read_json(*CUT, "--turn", "2", "--turn", "4", "-o", tmp_path / "slots")["count"] == 65


def evades(request: Request) -> str:
    return "I cannot say anything about that."


def knows(request: Request) -> str:
    return f"You asked about this: {request.messages[-1].text}"


def test_two_models_are_compared_on_what_was_held_out(tmp_path: Path) -> None:
    split, answers, scores = (tmp_path / name for name in ("split", "answers", "scores"))
    run(*SPLIT, CHATS, "--shares", "50,50", "-o", split)
    models = [f"scripted:{__name__}:{name}" for name in ("evades", "knows")]
    allowed = ("--max-unscored", "20")  # turns of tools are in no message
    asked = ("-m", models[0], "-m", models[1], "--no-random", *allowed)
    run("simulate", "candidates", split / "test.jsonl", *asked, "-o", answers)
    turns = answers / "continuations.jsonl"
    run("reference", "score", turns, "--metric", "rouge1-f1", "-o", scores, *allowed)
    by = ("--items", turns, "--by", "source", "--baseline", models[0])
    compared = read_json("compare", scores, *by, *allowed)
    (row,) = compared["differences"]
    rows = map(json.loads, read_lines(turns))
    contexts = {json.dumps(answer["context"]) for answer in rows if answer["candidate"]}
    assert row["difference"]["n"] == len(contexts)
    assert "paired by first prompt" in json.dumps(compared)


def test_what_was_tuned_on_is_on_no_side(tmp_path: Path) -> None:
    run(*SPLIT, CHATS, "-o", tmp_path / "first")
    tuned_on = tmp_path / "first" / "test.jsonl"
    done = run(*SPLIT, CHATS, "--tuned-on", tuned_on, "-o", tmp_path / "second")
    seen, left = (
        {json.loads(line)["id"] for line in read_lines(path)}
        for path in (tuned_on, tmp_path / "second")
    )
    assert f"{len(seen)} items of what was tuned on left out" in done.stderr
    assert seen
    assert left
    assert not seen & left
    read_refusal(*SPLIT, tuned_on, "--tuned-on", CHATS)
