"""`assize evaluator` as a user meets it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import assize

GOOD = ("Left at the church.", "The train leaves at nine.", "Boil it for eight minutes.")
BAD = ("no", "I like turtles.", "whatever")


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    """Twenty conversations, and a rating of each."""
    items: list[dict[str, object]] = []
    ratings: list[dict[str, object]] = []
    for number in range(20):
        good = number % 2 == 0
        turns = [
            {"role": "user", "text": f"Question {number}: can you help me?"},
            {"role": "assistant", "text": (GOOD if good else BAD)[number % 3]},
        ]
        items.append({"id": str(number), "turns": turns})
        rating = {"item": str(number), "judge": "ann", "question": "nice", "score": 5 * good}
        ratings.append(rating | {"kind": "person"})
    paths = tmp_path / "chats.jsonl", tmp_path / "ratings.jsonl"
    for path, records in zip(paths, (items, ratings), strict=True):
        path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return paths


def test_train_score_evaluate_and_card(files: tuple[Path, Path], tmp_path: Path) -> None:
    chats, ratings = files
    folder = tmp_path / "mine"
    done = assize("evaluator", "train", chats, "-j", ratings, "--out", folder, "--json")
    assert done.returncode == 0, done.stderr
    made = json.loads(done.stdout)
    assert (made["name"], list(made["scored"])) == ("mine", ["overall", "nice"])

    found = json.loads(assize("score", chats, "--evaluator", folder, "--json").stdout)
    assert set(found["questions"]) == {"overall", "nice"}
    assert found["signature"] == made["signature"]

    measured = ("evaluator", "evaluate", chats, "-j", ratings, "--evaluator", folder, "--json")
    done = assize(*measured)
    assert done.returncode == 2
    assert "--in-sample" in done.stderr
    done = assize(*measured, "--in-sample")
    (figure,) = json.loads(done.stdout)["figures"]
    assert figure["question"] == "nice"
    assert figure["spearman"]["n"] == 20
    assert figure["spearman"]["estimate"] > 0.5

    done = assize("evaluator", "card", "--evaluator", folder)
    assert "# mine" in done.stdout


def test_what_is_learnt_and_measured_is_said(files: tuple[Path, Path], tmp_path: Path) -> None:
    out = tmp_path / "mine"
    done = assize("evaluator", "train", files[0], "-j", files[1], "-o", out)
    assert done.returncode == 0
    assert "overall" in done.stdout
    assert f"{out}: evaluator@mine with overall, nice, from 20 judgments" in done.stderr
    done = assize("evaluator", "evaluate", files[0], "-j", files[1])
    assert done.returncode == 0
    assert "nice" in done.stdout
    assert "Spearman" in done.stdout


def test_a_new_evaluator_needs_a_folder(files: tuple[Path, Path]) -> None:
    done = assize("evaluator", "train", files[0], "-j", files[1])
    assert (done.returncode, "--out" in done.stderr) == (2, True)


def test_judgments_that_fit_nothing_end_with_two(files: tuple[Path, Path], tmp_path: Path) -> None:
    other = tmp_path / "other.jsonl"
    other.write_text('{"item": "elsewhere", "judge": "ann", "question": "q", "score": 1}\n')
    done = assize("evaluator", "evaluate", files[0], "-j", other)
    assert done.returncode == 2
    assert "no judgment fits an item" in done.stderr


def test_the_card_of_the_shipped_evaluator_is_printed() -> None:
    done = assize("evaluator", "card")
    assert done.returncode == 0
    assert "# assize-small-2" in done.stdout


def test_votes_print_how_reliable_the_judges_are(tmp_path: Path) -> None:
    pairs, votes = tmp_path / "pairs.jsonl", tmp_path / "votes.jsonl"
    items, rows = [], []
    for number in range(20):
        better = "AB"[number % 2]
        texts = (GOOD[number % 3], BAD[number % 3])
        a, b = texts if better == "A" else texts[::-1]
        user = {"role": "user", "text": f"Question {number}?"}
        sides = {"a": [{"role": "assistant", "text": a}], "b": [{"role": "assistant", "text": b}]}
        items.append({"id": f"p{number}", "context": [user], **sides})
        for judge in ("x", "y"):
            row = {"item": f"p{number}", "judge": judge, "question": "preference"}
            rows.append(row | {"answer": better})
    for path, records in ((pairs, items), (votes, rows)):
        path.write_text("".join(json.dumps(record) + "\n" for record in records))
    train = ("evaluator", "train", pairs, "--votes", votes, "--out", tmp_path / "mine")
    quick = ("--epochs", "1", "--members", "2")
    done = assize(*train, *quick)
    assert done.returncode == 0, done.stderr
    assert "Reliability of the judges" in done.stdout
    assert "given the network" in done.stdout
    found = json.loads(assize(*train, *quick, "--json").stdout)
    assert {row["judge"] for row in found["reliabilities"]} == {"x", "y"}
    assert found["about"]["pairs"] == 20
