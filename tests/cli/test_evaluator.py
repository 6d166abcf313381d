"""`assize evaluator` as a user meets it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from command_line import read_json, read_refusal, run

GOOD = ("Left at the church.", "The train leaves at nine.", "Boil it for eight minutes.")
BAD = ("no", "I like turtles.", "whatever")


@pytest.fixture
def files(lines: Callable[[str, Any], str]) -> tuple[str, str]:
    """Twenty conversations, and a rating of each."""
    items, ratings = [], []
    for number in range(20):
        good = number % 2 == 0
        turns = [
            {"role": "user", "text": f"Question {number}: can you help me?"},
            {"role": "assistant", "text": (GOOD if good else BAD)[number % 3]},
        ]
        items.append({"id": str(number), "turns": turns})
        rating = {"item": str(number), "judge": "ann", "question": "nice", "score": 5 * good}
        ratings.append(rating | {"kind": "person"})
    return lines("chats.jsonl", items), lines("ratings.jsonl", ratings)


def test_train_score_evaluate_and_card(files: tuple[str, str], tmp_path: Path) -> None:
    chats, ratings = files
    folder = tmp_path / "mine"
    train = ("evaluator", "train", chats, "-j", ratings, "--out", folder)
    trained = read_json(*train)
    assert (trained["name"], list(trained["scored"])) == ("mine", ["overall", "nice"])
    shown = run(*train)
    assert "overall" in shown.stdout
    assert f"{folder}: evaluator@mine with overall, nice, from 20 judgments" in shown.stderr

    scored = read_json("score", chats, "--evaluator", folder)
    assert set(scored["questions"]) == {"overall", "nice"}
    assert scored["signature"] == trained["signature"]

    evaluate = ("evaluator", "evaluate", chats, "-j", ratings, "--evaluator", folder)
    assert "--in-sample" in read_refusal(*evaluate)
    (figure,) = read_json(*evaluate, "--in-sample")["figures"]
    assert (figure["question"], figure["spearman"]["n"]) == ("nice", 20)
    assert figure["spearman"]["estimate"] > 0.5
    assert "Spearman" in run("evaluator", "evaluate", chats, "-j", ratings).stdout

    assert "# mine" in run("evaluator", "card", "--evaluator", folder).stdout
    assert "# assize-small-2" in run("evaluator", "card").stdout
    assert "--out" in run(*train[:-2], code=2).stderr


def test_votes_print_how_reliable_the_judges_are(
    lines: Callable[[str, Any], str], tmp_path: Path
) -> None:
    items, rows = [], []
    for number in range(20):
        better, worse = ("AB", "BA")[number % 2]
        texts = {better: GOOD[number % 3], worse: BAD[number % 3]}
        sides = {side.lower(): [{"role": "assistant", "text": texts[side]}] for side in texts}
        user = {"role": "user", "text": f"Question {number}?"}
        items.append({"id": f"p{number}", "context": [user], **sides})
        row = {"item": f"p{number}", "question": "preference", "answer": better}
        rows += [row | {"judge": judge} for judge in ("x", "y")]
    inputs = (lines("pairs.jsonl", items), "--votes", lines("votes.jsonl", rows))
    quick = ("--epochs", "1", "--members", "2", "--out", tmp_path / "mine")
    shown = run("evaluator", "train", *inputs, *quick).stdout
    assert "Reliability of the judges" in shown
    assert "given the network" in shown
    trained = read_json("evaluator", "train", *inputs, *quick)
    assert {row["judge"] for row in trained["reliabilities"]} == {"x", "y"}
    assert trained["about"]["pairs"] == 20
