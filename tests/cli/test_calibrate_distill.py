"""`assize calibrate distill` as a user meets it."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from assize.cli import app
from assize.conversation import Conversation, Turn
from assize.evaluator.artefact import read_card
from assize.formats import read_judgments, write
from assize.judgment import Judgment, Question

ANSWERS = ("1", "2", "3", "4")
QUESTIONS = tuple(
    Question(name, kind="ordinal", answers=ANSWERS, values=(1, 2, 3, 4)) for name in ("Q0", "Q1")
)
GOOD = ("Left at the church.", "The train leaves at nine.", "Boil it for eight minutes.")
BAD = ("no", "I like turtles.", "whatever")
COUNT = 40


def conversation(number: int) -> Conversation:
    reply = (GOOD if number % 2 == 0 else BAD)[number % 3]
    turns = Turn("user", f"Question {number}: can you help me?"), Turn("assistant", reply)
    return Conversation(f"c{number}", turns)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Conversations of which even ones are good; answers of a model that sees it; ratings;
    calibrators of Q0 and Q1."""
    folder = tmp_path_factory.mktemp("distill")
    rng = np.random.default_rng(0)
    answers, ratings = [], []
    for number in range(COUNT):
        tilt = np.array([1, 2, 4, 6] if number % 2 == 0 else [6, 4, 2, 1])
        for question in QUESTIONS:
            shares = dict(zip(ANSWERS, rng.dirichlet(tilt).tolist(), strict=True))
            item = f"c{number}"
            answers.append(Judgment(item, "m", question.id, distribution=shares, kind="model"))
            for name in ("ann", "bob"):
                said = str(rng.choice(4, p=tilt / tilt.sum()) + 1)
                ratings.append(Judgment(item, name, question.id, answer=said, kind="person"))
    write(folder / "chats.jsonl", [conversation(number) for number in range(COUNT)])
    write(folder / "answers.jsonl", answers, questions=QUESTIONS)
    write(folder / "ratings.jsonl", ratings, questions=QUESTIONS)
    for name in ("Q0", "Q1"):
        run("calibrate", "fit", "-a", folder / "answers.jsonl", "-r", folder / "ratings.jsonl",
            "-t", name, "--out", folder / name, "-q")  # fmt: skip
    return folder


def run(*arguments: object, code: int = 0) -> Any:
    done = CliRunner().invoke(app, [str(one) for one in arguments])
    assert done.exit_code == code, done.output + repr(done.exception)
    return done


def distill(home: Path, out: Path, *more: object, code: int = 0) -> Any:
    return run("calibrate", "distill", home / "Q0", "-a", home / "answers.jsonl",
               "--items", home / "chats.jsonl", "--out", out, "--folds", 2, *more,
               code=code)  # fmt: skip


def failure(*arguments: object) -> str:
    return str(run(*arguments, code=1).exception)


def test_distill_score_and_card(home: Path, tmp_path: Path) -> None:
    out = tmp_path / "small"
    done = distill(home, out, "--ratings", home / "ratings.jsonl", "--json", "--seed", 3,
                   "--samples", 8)  # fmt: skip
    found = json.loads(done.stdout)
    assert (found["evaluator"], found["heads"]) == ("evaluator@small", ["overall", "Q0"])
    (teacher,) = found["distilled_from"]
    assert (teacher["question"], teacher["raters"]) == ("Q0", ["ann", "bob"])
    assert teacher["signature"] == signature_of(home / "Q0")
    assert (teacher["labelled"], teacher["unscored"], found["labels"]) == (COUNT, 0, 8 * COUNT)
    assert (found["conversations"], found["samples"], found["seed"]) == (COUNT, 8, 3)
    fidelity = found["fidelity"]["Q0"]
    assert (fidelity["pearson"]["n"], fidelity["pearson"]["unscored"]) == (COUNT, 0)
    assert fidelity["pearson"]["interval"][0] > 0.5
    people = found["people"]["Q0"]
    assert people["calibrator"]["n"] == people["evaluator"]["n"] == COUNT
    assert people["evaluator"]["interval"][0] > 0

    scored = json.loads(run("score", home / "chats.jsonl", "--evaluator", out, "--json").stdout)
    assert scored["signature"] == found["signature"]
    assert scored["questions"]["Q0"]["n"] == COUNT
    card = run("evaluator", "card", "--evaluator", out).stdout
    assert teacher["signature"] in card
    assert "Beside people" in card
    about = json.loads((out / "evaluator.json").read_text())["facts"]["about"]
    assert about["fidelity"]["Q0"] == fidelity


def signature_of(folder: Path) -> str:
    return str(json.loads((folder / "calibration.json").read_text())["signature"])


def test_labels_are_judgments_that_train_the_same_evaluator(home: Path, tmp_path: Path) -> None:
    labels = tmp_path / "labels.jsonl"
    done = distill(home, tmp_path / "small", "--labels", labels, "--samples", 3, "--json")
    table = read_judgments([labels])
    assert len(table) == 3 * COUNT
    assert {row.judge for row in table} == {"calibration:ann#drawn", "calibration:bob#drawn"}
    assert {row.repeat for row in table} == {0, 1, 2}
    assert not table.inferred
    assert table.duplicates == 0
    trained = run("evaluator", "train", home / "chats.jsonl", "-j", labels,
                  "--out", tmp_path / "t", "--json")  # fmt: skip
    assert json.loads(trained.stdout)["signature"] == json.loads(done.stdout)["signature"]


def test_the_seed_decides_what_is_drawn(home: Path, tmp_path: Path) -> None:
    written = []
    for name, seed in (("a", 0), ("b", 0), ("c", 1)):
        labels = tmp_path / f"{name}.jsonl"
        distill(home, tmp_path / name, "--labels", labels, "--samples", 2, "--seed", seed)
        (kept,) = (tmp_path / name).glob("heads-*.safetensors")
        written.append(labels.read_bytes() + kept.read_bytes())
    assert written[0] == written[1]
    assert written[0] != written[2]


def test_without_samples_expected_answers_are_the_labels(home: Path, tmp_path: Path) -> None:
    labels = tmp_path / "labels.jsonl"
    done = distill(home, tmp_path / "small", "--labels", labels,
                   "--raters", "ann", "--json")  # fmt: skip
    found = json.loads(done.stdout)
    assert (found["labels_as"], found["samples"], found["labels"]) == ("expected", None, COUNT)
    assert found["distilled_from"][0]["raters"] == ["ann"]
    predicted = tmp_path / "predicted.jsonl"
    run("calibrate", "predict", home / "Q0", "-a", home / "answers.jsonl", "--raters", "ann",
        "--out", predicted)  # fmt: skip
    scores = [[row.score for row in read_judgments([path])] for path in (labels, predicted)]
    assert scores[0] == pytest.approx(scores[1])


def test_a_correction_by_groups_is_taught_unless_it_is_not_wanted(
    home: Path, tmp_path: Path
) -> None:
    corrected = tmp_path / "corrected"
    shutil.copytree(home / "Q0", corrected)
    changed = [
        Judgment(f"c{number}", "ann", "Q0", answer="4", kind="person") for number in range(COUNT)
    ]
    write(tmp_path / "changed.jsonl", changed, questions=QUESTIONS[:1])
    run("calibrate", "correct", corrected, "-a", home / "answers.jsonl", "-r",
        tmp_path / "changed.jsonl", "--by", "rater", "--min-n", 10)  # fmt: skip
    found, scores = [], []
    for more in ((), ("--uncorrected",)):
        labels = tmp_path / "labels.jsonl"
        done = run("calibrate", "distill", corrected, "-a", home / "answers.jsonl", "--items",
                   home / "chats.jsonl", "--out", tmp_path / "small", "--folds", 2, "--json",
                   "--labels", labels, *more)  # fmt: skip
        found.append(json.loads(done.stdout)["distilled_from"][0])
        scores.append([row.score for row in read_judgments([labels])])
    assert [one["corrected"] for one in found] == [True, False]
    assert found[0]["signature"] != found[1]["signature"] == signature_of(home / "Q0")
    predicted = tmp_path / "predicted.jsonl"
    run("calibrate", "predict", corrected, "-a", home / "answers.jsonl", "--aggregate", "mean",
        "--out", predicted)  # fmt: skip
    assert scores[0] == [row.score for row in read_judgments([predicted])] != scores[1]


def test_whose_answers_are_taught_can_be_chosen(home: Path, tmp_path: Path) -> None:
    found = []
    for more in (("--raters", "unknown"), ("--raters", "unknown", "--strangers", "average"),
                 ("--trusted", "bob")):  # fmt: skip
        done = distill(home, tmp_path / "small", "--json", *more)
        found.append(json.loads(done.stdout))
    raters = [one["distilled_from"][0]["raters"] for one in found]
    assert raters == [["unknown"], ["unknown"], ["bob"]]
    assert len({one["signature"] for one in found}) == 3


def test_several_calibrators_make_several_heads(home: Path, tmp_path: Path) -> None:
    done = run("calibrate", "distill", home / "Q0", home / "Q1", "-a", home / "answers.jsonl",
               "--items", home / "chats.jsonl", "--out", tmp_path / "both",
               "-r", home / "ratings.jsonl", "--folds", 2)  # fmt: skip
    lines = [line.split() for line in done.stdout.splitlines()]
    for question in ("Q0", "Q1"):
        assert [question, str(COUNT), "0"] in [line[:3] for line in lines]
        place = lines.index([question])  # heads its group of the second table
        beside = [line[:3] for line in lines[place + 1 : place + 4]]
        assert beside == [
            [who, str(COUNT), "0"] for who in ("calibrator", "evaluator", "difference")
        ]
    assert "with overall, Q0, Q1" in done.stderr
    assert "must not have been fitted on these ratings" in done.stderr
    card = read_card(tmp_path / "both")
    assert "distilled from 2 calibrators" in card
    assert "`overall` learnt from all questions alike" in card


def test_what_cannot_be_scored_is_counted_and_decides_the_exit(home: Path, tmp_path: Path) -> None:
    more = [Conversation(f"new{n}", conversation(n).turns) for n in range(4)]
    write(tmp_path / "more.jsonl", more)
    labels = tmp_path / "labels.jsonl"
    args = ("--items", tmp_path / "more.jsonl", "--labels", labels, "--json")
    done = distill(home, tmp_path / "small", *args, code=1)
    found = json.loads(done.stdout)
    assert (found["conversations"], found["distilled_from"][0]["unscored"]) == (COUNT + 4, 4)
    assert found["fidelity"]["Q0"]["spearman"]["unscored"] == 4
    lost = [row for row in read_judgments([labels]) if row.unscored is not None]
    assert [row.item for row in lost] == [f"new{n}" for n in range(4)]
    assert (tmp_path / "small" / "evaluator.json").is_file()
    distill(home, tmp_path / "small", *args, "--max-unscored", 10)


def test_answers_about_other_conversations_are_left_out(home: Path, tmp_path: Path) -> None:
    write(tmp_path / "some.jsonl", [conversation(n) for n in range(30)])
    done = run("calibrate", "distill", home / "Q0", "-a", home / "answers.jsonl",
               "--items", tmp_path / "some.jsonl", "--out", tmp_path / "small",
               "--folds", 2)  # fmt: skip
    assert "10 answered items are not among the conversations" in done.stderr


def test_ratings_of_other_conversations_are_counted(home: Path, tmp_path: Path) -> None:
    more = [Judgment("c3", "eve", "Q0", answer="NA", kind="person")]
    more += [Judgment(f"x{n}", "eve", "Q0", answer="2", kind="person") for n in range(3)]
    more += [Judgment("c5", "eve", "Q9", answer="2", kind="person")]
    write(tmp_path / "more.jsonl", more, questions=QUESTIONS[:1])
    done = distill(home, tmp_path / "small", "-r", home / "ratings.jsonl", "-r",
                   tmp_path / "more.jsonl")  # fmt: skip
    assert "3 ratings are about other conversations and left out" in done.stderr
    base = ("calibrate", "distill", "-a", home / "answers.jsonl", "--items", home / "chats.jsonl",
            "--out", tmp_path / "x")  # fmt: skip
    said = failure(*base, home / "Q1", "-r", tmp_path / "more.jsonl")
    assert "none of the 5 ratings is of Q1 about these conversations" in said
    write(tmp_path / "wrong.jsonl", [Judgment("c3", "eve", "Q0", answer="7", kind="person")])
    said = failure(*base, home / "Q0", "-r", tmp_path / "wrong.jsonl")
    assert "answer '7' is none of 1, 2, 3, 4, NA" in said


def test_bad_input_is_explained(home: Path, tmp_path: Path) -> None:
    base = ("calibrate", "distill", home / "Q0", "-a", home / "answers.jsonl", "--out",
            tmp_path / "x", "--items")  # fmt: skip
    write(tmp_path / "other.jsonl", [Conversation("elsewhere", conversation(0).turns)])
    assert "about none of the 1 conversations" in failure(*base, tmp_path / "other.jsonl")
    (tmp_path / "empty.jsonl").write_text("")
    assert "empty" in failure(*base, tmp_path / "empty.jsonl")
    write(tmp_path / "few.jsonl", [conversation(n) for n in range(6)])
    assert "6 of 6 conversations have labels" in failure(*base, tmp_path / "few.jsonl")
    chats = home / "chats.jsonl"
    assert "two items have the id 'c0'" in failure(*base, chats, "--items", chats)
    assert "--strangers all" in failure(*base, chats, "--strangers", "all")
    assert "rater 'eve' is not known" in failure(*base, chats, "--raters", "eve")
    twice = ("calibrate", "distill", home / "Q0", home / "Q0", *base[3:], chats)
    assert "two of these calibrators predict 'Q0'" in failure(*twice)
    assert not (tmp_path / "x").exists()


def test_answers_without_an_order_are_refused(tmp_path: Path, home: Path) -> None:
    kinds = Question("kind", kind="nominal", answers=("chat", "task"))
    rows = [
        Judgment(f"c{n}", "eve", "kind", answer=("chat", "task")[n % 2], kind="person")
        for n in range(COUNT)
    ]
    write(tmp_path / "kinds.jsonl", rows, questions=[kinds])
    run("calibrate", "fit", "-a", home / "answers.jsonl", "-r", tmp_path / "kinds.jsonl",
        "-t", "kind", "--out", tmp_path / "kind", "-q")  # fmt: skip
    said = failure("calibrate", "distill", tmp_path / "kind", "-a", home / "answers.jsonl",
                   "--items", home / "chats.jsonl", "--out", tmp_path / "x")  # fmt: skip
    assert "the answers to 'kind' are not ordered" in said
