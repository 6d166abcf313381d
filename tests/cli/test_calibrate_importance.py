from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from assize.calibration import Setting, features_of, fit_networks, forms_of, save
from assize.cli import app
from assize.formats import write
from assize.judgment import Judgment, Question
from assize.judgments import JudgmentTable

ANSWERS = ("1", "2", "3", "4")
QUESTIONS = tuple(
    Question(name, kind="ordinal", answers=ANSWERS, values=(1, 2, 3, 4)) for name in ("Q0", "Q1")
)


@pytest.fixture
def fitted(tmp_path: Path) -> list[str]:
    """Both networks' folders; behind them the answers, as the command takes them."""
    pytest.importorskip("torch")
    rng = np.random.default_rng(0)
    answers = [
        Judgment(f"i{n}", "m", question.id, kind="model",
                 distribution=dict(zip(ANSWERS, rng.dirichlet(np.ones(4)).tolist(), strict=True)))
        for n in range(30) for question in QUESTIONS
    ]  # fmt: skip
    ratings = [
        Judgment(f"i{n}", rater, question.id, answer=str(rng.integers(1, 5)), kind="person")
        for n in range(30) for rater in ("ann", "bob") for question in QUESTIONS
    ]  # fmt: skip
    write(tmp_path / "answers.jsonl", answers, questions=QUESTIONS)
    features = features_of(JudgmentTable.of(answers, QUESTIONS))
    setting = Setting(hidden1=4, hidden2=4, pretrain=1, finetune=1)
    for name in ("Q0", "Q1"):
        forms = forms_of(features, JudgmentTable.of(ratings, QUESTIONS), name)
        save(fit_networks(forms, setting, [0]), tmp_path / name)
    return [str(tmp_path / "Q0"), str(tmp_path / "Q1"), "-a", str(tmp_path / "answers.jsonl")]


def test_importance_stands_by_question_direction_and_item(fitted: list[str]) -> None:
    done = CliRunner().invoke(app, ["calibrate", "importance", *fitted, "--json"])
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert (found["target"], found["raters"]) == ("Q0", ["ann", "bob"])
    for way in ("free", "simplex", "manifold"):
        each = [row["Q1"][way] for row in found["items"]]
        assert np.mean(each) == pytest.approx(found["questions"]["Q1"][way]["estimate"])
    more = ("--json", "--trusted", "bob", "--variance", "0.5")
    other = json.loads(CliRunner().invoke(app, ["calibrate", "importance", *fitted, *more]).stdout)
    assert other["raters"] == ["bob"]
    assert other["questions"]["Q1"] != found["questions"]["Q1"]


def test_a_table_shows_every_direction(fitted: list[str]) -> None:
    done = CliRunner().invoke(app, ["calibrate", "importance", *fitted])
    assert "Worth of one point more, for Q0" in done.stdout
    assert all(way in done.stdout for way in ("free", "simplex", "manifold"))
