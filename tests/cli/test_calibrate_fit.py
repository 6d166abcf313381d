"""What `calibrate fit` can learn from besides one rater's grades, and how it is predicted."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from assize.artefacts import open_artefact
from assize.calibration import load
from assize.calibration.artefact import KIND
from assize.cli import app
from assize.conversation import Conversation, Pair, Turn
from assize.errors import AssizeError
from assize.formats import read_judgments, write
from assize.judgment import PREFERENCE, Judgment, Question

GRADE = Question("Q0", kind="ordinal", answers=("1", "2", "3", "4"), values=(1, 2, 3, 4))
FUN = Question("fun", kind="number", range=(0, 100))
BETTER = replace(PREFERENCE, id="better")
WORDS = ("rain", "sun", "cake", "tax")


def said(id: str, text: str) -> Conversation:
    return Conversation(id, (Turn("user", "Tell me."), Turn("assistant", text)))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model's grades of 80 chats and 40 pairs, and people's grades, numbers and choices."""
    found = tmp_path_factory.mktemp("data")
    rng = np.random.default_rng(0)
    grade = rng.integers(1, 5, size=160)
    items = [said(f"i{n}", f"It is {WORDS[n % 4]}.") for n in range(80)]
    pairs = [
        Pair(f"p{n}", (Turn("user", "?"),), (Turn("assistant", "a"),), (Turn("assistant", "b"),))
        for n in range(40)
    ]
    names = [one.id for one in items] + [side.id for one in pairs for side in one.sides()]
    answers = [
        Judgment(name, "m", "Q0", answer=str(one), kind="model")
        for name, one in zip(names, grade, strict=True)
    ]
    people = []
    for n in range(80):
        for rater in ("ann", "bob", "cyd"):
            noisy = int(np.clip(grade[n] + rng.integers(-1, 2) - (rater == "cyd"), 1, 4))
            people.append(Judgment(f"i{n}", rater, "Q0", answer=str(noisy), kind="person"))
            score = float(np.exp(grade[n] + 0.3 * rng.normal()))
            people.append(Judgment(f"i{n}", rater, "fun", score=score, kind="person"))
    for n in range(40):
        better = "A" if grade[80 + 2 * n] > grade[81 + 2 * n] else "B"
        people += [
            Judgment(f"p{n}", rater, "better", answer=better, kind="person")
            for rater in ("ann", "eve")
        ]
    write(found / "answers.jsonl", answers, questions=[GRADE])
    write(found / "people.jsonl", people, questions=[GRADE, FUN, BETTER])
    write(found / "chats.jsonl", items)
    write(found / "pairs.jsonl", pairs)
    extra = [
        Judgment(f"i{n}", "metric", "length", score=float(n), kind="metric") for n in range(80)
    ]
    write(found / "extra.jsonl", extra)
    return found


def run(*arguments: str, code: int = 0) -> Any:
    done = CliRunner().invoke(app, ["calibrate", *arguments])
    assert done.exit_code == code, done.output + repr(done.exception)
    return done


def refused(*arguments: str) -> str:
    done = CliRunner().invoke(app, ["calibrate", *arguments])
    assert isinstance(done.exception, AssizeError), done.output
    return str(done.exception)


def fit(folder: Path, out: Path, *more: str, target: str = "Q0") -> Any:
    files = ("-a", str(folder / "answers.jsonl"), "-r", str(folder / "people.jsonl"))
    return json.loads(run("fit", *files, "-t", target, "-o", str(out), "--json", *more).stdout)


def predict(folder: Path, fitted: Path, *more: str) -> Any:
    files = (str(fitted), "-a", str(folder / "answers.jsonl"))
    return json.loads(run("predict", *files, "--json", *more).stdout)


def test_groups_are_predicted_as_one(folder: Path, tmp_path: Path) -> None:
    found = fit(folder, tmp_path / "c", "--group", "both=ann,bob")
    assert found["raters"] == 2
    assert set(predict(folder, tmp_path / "c")["raters"]) == {"both", "cyd"}


def test_groups_are_audited_and_corrected_as_one(folder: Path, tmp_path: Path) -> None:
    both = ("--group", "both=ann,bob,gone")
    fit(folder, tmp_path / "c", "--group", "both=ann,bob")
    judged = ("-a", str(folder / "answers.jsonl"), "-r", str(folder / "people.jsonl"))
    files = (str(tmp_path / "c"), *judged, "--by", "rater", "--json")
    found = json.loads(run("audit", *files, *both).stdout)
    assert {one["group"]: one["n"] for one in found["groups"]} == {"both": 160, "cyd": 80}
    assert found["unknown_raters"] == 0
    assert json.loads(run("audit", *files).stdout)["unknown_raters"] == 2
    assert json.loads(run("correct", *files, *both).stdout)["n"] == 240
    told = refused("audit", *files, "--group", "crowd=ann")
    assert "--group crowd: the calibrator was not fitted with that group" in told


def test_only_trusted_raters_are_predicted(folder: Path, tmp_path: Path) -> None:
    found = fit(folder, tmp_path / "c", "--trusted", "ann,bob")
    assert (found["raters"], found["helpers"]) == (2, 1)
    assert 0 <= found["helpers_count"] <= 1
    assert "cyd" not in (tmp_path / "c" / "calibration.json").read_text()
    answers = str(folder / "answers.jsonl")
    told = refused("predict", str(tmp_path / "c"), "-a", answers, "--raters", "cyd")
    assert "rater 'cyd' is not known" in told


def test_a_number_is_predicted_with_quantiles(folder: Path, tmp_path: Path) -> None:
    found = fit(folder, tmp_path / "c", target="fun")
    assert found["ratings"] == 240
    out = tmp_path / "said.jsonl"
    predict(folder, tmp_path / "c", "--raters", "ann", "--out", str(out))
    first = next(iter(read_judgments([out])))
    assert first.details is not None
    levels = first.details["quantiles"]
    assert list(levels) == ["0.05", "0.25", "0.5", "0.75", "0.95"]
    assert sorted(levels.values()) == list(levels.values())
    assert first.score is not None
    assert levels["0.05"] < first.score < levels["0.95"]
    audit = run("audit", str(tmp_path / "c"), "-a", str(folder / "answers.jsonl"),
                "-r", str(folder / "people.jsonl"), "--json")  # fmt: skip
    assert json.loads(audit.stdout)["all"]["n"] == 240


def test_choices_alone_are_learnt_and_predicted(folder: Path, tmp_path: Path) -> None:
    found = fit(folder, tmp_path / "c", target="better")
    assert (found["choices"], found["raters"]) == (80, 2)
    out = tmp_path / "chosen.jsonl"
    pairs = ("--items", str(folder / "pairs.jsonl"), "--choices", "--out", str(out))
    predict(folder, tmp_path / "c", *pairs)
    table = read_judgments([out])
    assert table.questions["preference"].kind == "preference"
    people = {
        row.item: row.answer
        for row in read_judgments([folder / "people.jsonl"])
        if row.question == "better"
    }
    right = [
        ((row.score or 0) > 0) == (people[row.item] == "A")
        for row in table
        if row.judge == "calibration:ann"
    ]
    assert np.mean(right) > 0.85
    ranked = predict(folder, tmp_path / "c", "--raters", "unknown")
    assert abs(ranked["raters"]["unknown"]["mean"]) < 0.2  # standardised on the items


def test_what_nobody_answers_is_neither_audited_nor_asked_for(folder: Path, tmp_path: Path) -> None:
    fit(folder, tmp_path / "c", target="better")
    files = (str(tmp_path / "c"), "-a", str(folder / "answers.jsonl"))
    ratings = ("-r", str(folder / "people.jsonl"))
    chats = ("--items", str(folder / "chats.jsonl"), "--out", str(tmp_path / "e"))
    for command in (
        ("audit", *files, *ratings),
        ("correct", *files, *ratings, "--by", "rater"),
        ("next", *files),
        ("distill", *files, *ratings, *chats),
    ):
        assert "was fitted on choices alone" in refused(*command)


def test_helpers_choices_are_weighed_by_trusted_ones(folder: Path, tmp_path: Path) -> None:
    found = fit(folder, tmp_path / "c", "--trusted", "ann", target="better")
    assert (found["raters"], found["helpers"], found["helpers_count"]) == (1, 1, 1.0)
    assert load(tmp_path / "c").raters == ("ann",)


def test_choices_alone_are_told_as_what_was_learnt_from(folder: Path, tmp_path: Path) -> None:
    files = ("-a", str(folder / "answers.jsonl"), "-r", str(folder / "people.jsonl"))
    told = run("fit", *files, "-t", "better", "-o", str(tmp_path / "c")).output
    assert "better by 2 raters, from 80 choices between items" in told
    assert "forms" not in told


@pytest.mark.parametrize("size", [1e-9, 1e9, 1e17])
def test_numbers_of_any_size_have_their_mean_and_deviation(
    folder: Path, tmp_path: Path, size: float
) -> None:
    rows = [
        replace(row, score=size * (1 + row.score / 1e4))
        for row in read_judgments([folder / "people.jsonl"])
        if row.question == "fun" and row.score is not None
    ]
    write(tmp_path / "people.jsonl", rows, questions=[replace(FUN, range=None)])
    files = ("-a", str(folder / "answers.jsonl"), "-r", str(tmp_path / "people.jsonl"))
    run("fit", *files, "-t", "fun", "-o", str(tmp_path / "c"))
    found = predict(folder, tmp_path / "c", "--raters", "ann", "--out", str(tmp_path / "s.jsonl"))
    said = [row.score for row in read_judgments([tmp_path / "s.jsonl"]) if row.score is not None]
    assert found["raters"]["ann"]["mean"] == pytest.approx(np.mean(said), rel=1e-12)
    assert found["raters"]["ann"]["deviation"] == pytest.approx(np.std(said), rel=1e-6)
    table = run("predict", str(tmp_path / "c"), *files[:2], "--raters", "ann").output
    assert max(map(len, table.splitlines())) <= 80


def test_choices_help_with_grades(folder: Path, tmp_path: Path) -> None:
    found = fit(folder, tmp_path / "c", "--preferences", "better")
    assert (found["choices"], found["raters"]) == (80, 4)  # eve only chose
    assert set(predict(folder, tmp_path / "c")["raters"]) == {"ann", "bob", "cyd", "eve"}


def test_scores_and_embeddings_stand_beside(folder: Path, tmp_path: Path) -> None:
    chats = ("--items", str(folder / "chats.jsonl"))
    fit(
        folder, tmp_path / "c", "--beside", str(folder / "extra.jsonl"), "--embed", "minilm", *chats
    )
    blocks = load(tmp_path / "c").blocks
    assert [block.late for block in blocks] == [False, True, True]
    assert [block.width for block in blocks] == [1 * 4, 1, 2 * 384]
    told = refused("predict", str(tmp_path / "c"), "-a", str(folder / "answers.jsonl"))
    assert "reads the conversations' embeddings: give --items" in told
    done = run("predict", str(tmp_path / "c"), "-a", str(folder / "answers.jsonl"), *chats)
    assert "length by metric: it counts as average" in " ".join(done.stderr.split())
    both = ("-a", str(folder / "extra.jsonl"), *chats)
    assert predict(folder, tmp_path / "c", *both)["unscored"] == 0


def test_items_without_what_stands_beside_are_told(folder: Path, tmp_path: Path) -> None:
    some = list(read_judgments([folder / "extra.jsonl"]))[:60]
    write(tmp_path / "extra.jsonl", some)
    files = ("-a", str(folder / "answers.jsonl"), "-r", str(folder / "people.jsonl"))
    beside = ("--beside", str(tmp_path / "extra.jsonl"), "-o", str(tmp_path / "c"))
    chats = ("--embed", "minilm", "--items", str(folder / "chats.jsonl"))
    told = run("fit", *files, "-t", "Q0", *beside, *chats).output.replace("\n", " ")
    assert "100 of 160 items have no length by metric" in told
    assert "80 of 160 items have no embedding by embedding@minilm" in told
    given = (*files[:2], "-a", str(tmp_path / "extra.jsonl"), *chats[2:])
    told = run("predict", str(tmp_path / "c"), *given).output.replace("\n", " ")
    assert "100 of 160 items have no length by metric" in told


def test_users_have_no_weights_of_their_own(folder: Path, tmp_path: Path) -> None:
    fit(folder, tmp_path / "c", "--personal", "last")
    mean = open_artefact(KIND, tmp_path / "c").arrays()["mean.0"]
    assert np.ptp(mean[:, 3:], axis=0).max() < 1e-12
    assert np.ptp(mean[:, 0]) > 0


def test_the_network_takes_vectors_of_many_answers_and_helpers(
    folder: Path, tmp_path: Path
) -> None:
    options = ("--network", "paper", "--folds", "2", "--answer-embeddings", "3", "--trusted", "ann")
    found = fit(folder, tmp_path / "c", *options, target="fun")
    assert found["answer_embeddings"] == {"fun": 3}
    assert found["setting"]["wait"] == 30
    assert predict(folder, tmp_path / "c")["raters"].keys() == {"ann"}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--network", "paper", "--answer-embeddings", "3"), "no question has more than 12"),
        (("--group", "crowd"), "expected a name and raters, as crowd=3,17,22"),
        (("--group", "a=ann", "--group", "b=ann"), "rater ann is in two groups"),
        (("--group", "a=zoe"), "rater 'zoe' of group 'a' rated nothing"),
        (("--trusted", ","), "nobody is trusted; name one or more of ann, bob, cyd"),
        (("--trusted", "zoe"), "trusted rater 'zoe' rated nothing"),
        (("--preferences", "fun"), "'fun' is not a preference"),
        (("--grid", "published"), "--grid is for --network paper"),
        (("--dropout", "0.2"), "--dropout is for --network paper"),
        (("--group", "all=ann,bob"), "a rater is called 'all', which has a meaning"),
        (("--personal", "some"), "--personal some: allowed are all and last"),
        (("--embed", "minilm"), "--embed and --items go together"),
        (("--network", "paper", "--preferences", "better"), "does not learn from choices"),
    ],
)
def test_bad_options_are_told(
    folder: Path, tmp_path: Path, options: tuple[str, ...], message: str
) -> None:
    files = ("-a", str(folder / "answers.jsonl"), "-r", str(folder / "people.jsonl"))
    assert message in refused("fit", *files, "-t", "Q0", "-o", str(tmp_path / "c"), *options)


def test_a_new_fit_removes_the_old_correction(folder: Path, tmp_path: Path) -> None:
    fit(folder, tmp_path / "c")
    files = ("-a", str(folder / "answers.jsonl"), "-r", str(folder / "people.jsonl"))
    run("correct", str(tmp_path / "c"), *files, "--by", "rater")
    assert predict(folder, tmp_path / "c")["corrected"]
    fit(folder, tmp_path / "c", "--drop-rater", "cyd")
    assert [one.name for one in (tmp_path / "c").iterdir() if b"cyd" in one.read_bytes()] == []
    assert not predict(folder, tmp_path / "c")["corrected"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ((), "--choices needs the pairs"),
        (("--aggregate", "mean"), "leave out --aggregate and --loss"),
    ],
)
def test_choices_that_cannot_be_asked_are_told(
    folder: Path, tmp_path: Path, options: tuple[str, ...], message: str
) -> None:
    fit(folder, tmp_path / "c")
    asked = ("predict", str(tmp_path / "c"), "-a", str(folder / "answers.jsonl"), "--choices")
    assert message in refused(*asked, *options)
    pairs = ("--items", str(folder / "pairs.jsonl"))
    assert "was not fitted on choices" in refused(*asked, *pairs)
