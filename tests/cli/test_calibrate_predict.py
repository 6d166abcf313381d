from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from assize.cli import app
from assize.formats import read_judgments, write
from assize.judgment import Judgment, Question, Unscored

ANSWERS = ("1", "2", "3", "4")
QUESTIONS = tuple(
    Question(name, kind="ordinal", answers=ANSWERS, values=(1, 2, 3, 4)) for name in ("Q0", "Q1")
)


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    """A model's answers about 60 items, and two raters: bob always says one less."""
    rng = np.random.default_rng(0)
    answers, ratings = [], []
    for n in range(60):
        p = rng.dirichlet(np.ones(4))
        for question in QUESTIONS:
            shares = dict(zip(ANSWERS, p.tolist(), strict=True))
            answers.append(Judgment(f"i{n}", "m", question.id, distribution=shares, kind="model"))
        best = int(rng.choice(4, p=p)) + 1
        ratings.append(Judgment(f"i{n}", "ann", "Q0", answer=str(best), kind="person"))
        ratings.append(Judgment(f"i{n}", "bob", "Q0", answer=str(max(1, best - 1)), kind="person"))
    ratings.append(Judgment("i0", "eve", "Q0", answer="NA", kind="person"))
    write(tmp_path / "answers.jsonl", answers, questions=QUESTIONS)
    write(tmp_path / "ratings.jsonl", ratings, questions=QUESTIONS)
    return str(tmp_path / "answers.jsonl"), str(tmp_path / "ratings.jsonl")


def run(*arguments: str, code: int = 0) -> Any:
    done = CliRunner().invoke(app, ["calibrate", *arguments])
    assert done.exit_code == code, done.output + repr(done.exception)
    return done


def fit(files: tuple[str, str], out: Path, *more: str) -> Any:
    answers, ratings = files
    found = run("fit", "-a", answers, "-r", ratings, "-t", "Q0", "--out", str(out), "--json", *more)
    return json.loads(found.stdout)


def test_a_table_says_what_was_predicted(files: tuple[str, str], tmp_path: Path) -> None:
    fit(files, tmp_path / "c")
    command = ("predict", str(tmp_path / "c"), "-a", files[0], "--raters", "bob,unknown")
    done = run(*command)
    quiet = run(*command, "-q", "--out", str(tmp_path / "said.jsonl"))
    assert (quiet.stdout, quiet.stderr) == (done.stdout, "")
    lines = done.stdout.splitlines()
    assert any(line.split()[:3] == ["bob", "60", "0"] for line in lines)
    assert any(line.split()[:3] == ["unknown", "60", "0"] for line in lines)


def test_strangers_can_be_the_average(files: tuple[str, str], tmp_path: Path) -> None:
    fit(files, tmp_path / "c")

    def mean(*more: str) -> float:
        done = run("predict", str(tmp_path / "c"), "-a", files[0], "--json", *more)
        raters = json.loads(done.stdout)["raters"]
        return float(np.mean([one["mean"] for one in raters.values()]))

    average = mean("--raters", "unknown", "--strangers", "average")
    assert average == pytest.approx(mean("--raters", "all"))


def test_trusted_raters_can_be_taken_together(files: tuple[str, str], tmp_path: Path) -> None:
    fit(files, tmp_path / "c")
    out = str(tmp_path / "said.jsonl")
    fixed = ("predict", str(tmp_path / "c"), "-a", files[0])
    run(*fixed, "--out", out, "--aggregate", "mean")
    assert read_judgments([out]).judges == ("calibration:mean",)
    found = json.loads(run(*fixed, "--json", "--trusted", "bob").stdout)
    assert list(found["raters"]) == ["bob"]
    together = run(*fixed, "--json", "--trusted", "bob", "--aggregate", "max")
    assert json.loads(together.stdout)["raters"]["max"] == found["raters"]["bob"]
    apart = CliRunner().invoke(app, ["calibrate", *fixed, "--raters", "ann", "--trusted", "bob"])
    assert "none of --trusted bob is among --raters ann" in str(apart.exception)


def test_a_loss_decides_on_an_answer(files: tuple[str, str], tmp_path: Path) -> None:
    fit(files, tmp_path / "c")
    out = str(tmp_path / "said.jsonl")
    run("predict", str(tmp_path / "c"), "-a", files[0], "--out", out, "--loss", "wrong")
    for row in read_judgments([out]):
        assert row.distribution is not None
        assert row.distribution[str(row.answer)] == max(row.distribution.values())


def test_more_unscored_than_allowed_ends_with_1(files: tuple[str, str], tmp_path: Path) -> None:
    fit(files, tmp_path / "c")
    rows = list(read_judgments([files[0]]))[:18]
    gone = [Judgment(f"gone{n}", "m", "Q0", unscored=Unscored("parse")) for n in range(1)]
    write(tmp_path / "some.jsonl", [*rows, *gone], questions=QUESTIONS)
    some = str(tmp_path / "some.jsonl")
    run("predict", str(tmp_path / "c"), "-a", some, code=1)
    done = run("predict", str(tmp_path / "c"), "-a", some, "--json", "--max-unscored", "20")
    assert json.loads(done.stdout)["unscored"] == 2
