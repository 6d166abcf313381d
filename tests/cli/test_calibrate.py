from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from assize.cli import app
from assize.formats import read_judgments, write
from assize.judgment import Judgment, Question

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


def test_fit_and_predict_write_judgments_of_each_rater(
    files: tuple[str, str], tmp_path: Path
) -> None:
    fitted = fit(files, tmp_path / "c")
    assert (fitted["ratings"], fitted["raters"], fitted["not_applicable"]) == (120, 2, 1)
    out = tmp_path / "said.jsonl"
    done = run("predict", str(tmp_path / "c"), "-a", files[0], "--out", str(out), "--json")
    found = json.loads(done.stdout)
    assert found["signature"] == fitted["signature"]
    assert found["raters"]["ann"]["mean"] > found["raters"]["bob"]["mean"] + 0.4
    table = read_judgments([out])
    assert table.judges == ("calibration:ann", "calibration:bob")
    assert len(table) == 120
    assert not table.inferred
    assert all(sum((row.distribution or {}).values()) == pytest.approx(1) for row in table)


def test_the_same_command_gives_the_same_bytes(files: tuple[str, str], tmp_path: Path) -> None:
    written = []
    for name in ("a", "b"):
        fit(files, tmp_path / name)
        out = tmp_path / f"{name}.jsonl"
        run("predict", str(tmp_path / name), "-a", files[0], "--raters", "unknown,bob",
            "--out", str(out))  # fmt: skip
        written.append(out.read_bytes())
    assert written[0] == written[1]


def test_a_dropped_rater_leaves_no_trace(files: tuple[str, str], tmp_path: Path) -> None:
    fitted = fit(files, tmp_path / "c", "--drop-rater", "bob")
    assert (fitted["raters"], fitted["ratings"]) == (1, 60)
    assert "bob" not in (tmp_path / "c" / "calibration.json").read_text()
    kept = [row for row in read_judgments([files[1]]) if row.judge != "bob"]
    write(tmp_path / "kept.jsonl", kept, questions=QUESTIONS)
    again = fit((files[0], str(tmp_path / "kept.jsonl")), tmp_path / "d")
    assert again["signature"] == fitted["signature"]


def test_the_published_network_is_searched_and_kept(files: tuple[str, str], tmp_path: Path) -> None:
    pytest.importorskip("torch")
    fitted = fit(files, tmp_path / "c", "--network", "paper", "--folds", "2", "--seeds", "2",
                 "--seed", "3")  # fmt: skip
    assert fitted["setting"]["hidden1"] == 25
    assert fitted["held_out_log_likelihood"] < 0
    done = run("predict", str(tmp_path / "c"), "-a", files[0], "--json")
    assert set(json.loads(done.stdout)["raters"]) == {"ann", "bob"}


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--network", "linear"), "allowed are default and paper"),
        (("--network", "paper", "--grid", "huge"), "allowed are small, published"),
        (("--drop-rater", "zoe"), "nobody of that id"),
    ],
)
def test_bad_settings_are_told(
    files: tuple[str, str], tmp_path: Path, more: tuple[str, ...], said: str
) -> None:
    done = CliRunner().invoke(
        app,
        ["calibrate", "fit", "-a", files[0], "-r", files[1], "-t", "Q0",
         "--out", str(tmp_path / "c"), *more],
    )  # fmt: skip
    assert said in str(done.exception)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--raters", "zoe"), "'zoe' is not known; known are ann, bob"),
        (("--strangers", "alien"), "allowed are shared and average"),
        (("--aggregate", "sum"), "allowed are none, mean and max"),
        (("--loss", "cubic"), "allowed are squared, absolute and wrong"),
    ],
)
def test_bad_wishes_are_told(
    files: tuple[str, str], tmp_path: Path, more: tuple[str, ...], said: str
) -> None:
    fit(files, tmp_path / "c")
    arguments = ["calibrate", "predict", str(tmp_path / "c"), "-a", files[0], *more]
    done = CliRunner().invoke(app, arguments)
    assert said in str(done.exception)


def test_next_lists_ratings_worth_having_and_items_in_doubt(
    files: tuple[str, str], tmp_path: Path
) -> None:
    fit(files, tmp_path / "c")
    fixed = ("next", str(tmp_path / "c"), "-a", files[0], "--count", "4")
    found = json.loads(run(*fixed, "--json").stdout)
    assert len(found["next"]) == 4
    assert {row["rater"] for row in found["next"]} <= {"ann", "bob"}
    assert [len(rows) for rows in found["items"]["Q0"].values()] == [4, 4]
    assert json.loads(run(*fixed, "--json", "-r", files[1]).stdout)["next"] == []
    assert "controversial items" in run(*fixed).stdout


def test_one_file_may_hold_answers_and_ratings(files: tuple[str, str], tmp_path: Path) -> None:
    apart = fit(files, tmp_path / "apart")
    both = tmp_path / "both.jsonl"
    write(both, [row for file in files for row in read_judgments([file])], questions=QUESTIONS)
    done = run("fit", "-a", str(both), "-r", str(both), "-t", "Q0", "--out", str(tmp_path / "c"))
    assert "121 ratings by people in these files are not read here" in done.stderr
    assert "120 judgments by no person in these files are not read here" in done.stderr
    together = fit((str(both), str(both)), tmp_path / "together")
    assert together["signature"] == apart["signature"]


def test_bad_rows_are_left_out_on_request(
    files: tuple[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with open(files[1], "a") as stream:
        stream.write('{"item": "i1"}\n')
    arguments = ["-a", files[0], "-r", files[1], "-t", "Q0", "--out", "c", "--on-error", "skip"]
    assert "1 bad record was left out" in run("fit", *arguments).stderr


def test_answers_off_their_scale_are_left_out_on_request_and_kept(
    files: tuple[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with open(files[1], "a") as stream:
        stream.write('{"item": "i1", "judge": "ann", "question": "Q0", "answer": "great"}\n')
    shares = '{"1": 0.9, "2": 0.9, "3": 0.0, "4": 0.0}'
    with open(files[0], "a") as stream:
        stream.write(
            f'{{"item": "i1", "judge": "m", "question": "Q0", "distribution": {shares}}}\n'
        )
    arguments = ["-a", files[0], "-r", files[1], "-t", "Q0", "--out", "c"]
    done = CliRunner().invoke(app, ["calibrate", "fit", *arguments])
    assert done.exception is not None
    said = run("fit", *arguments, "--on-error", "skip").stderr
    assert said.count("1 bad record was left out") == 2
    kept = json.loads((tmp_path / "ratings.rejects.jsonl").read_text())
    assert kept["problem"] == "item 'i1': not an answer of 'Q0'"
    assert json.loads(kept["raw"])["answer"] == "great"
    kept = json.loads((tmp_path / "answers.rejects.jsonl").read_text())
    assert "sum to 1.8" in kept["problem"]
