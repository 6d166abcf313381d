"""`assize calibrate`, as a user runs it: files in, files and tables out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from command_line import read_json, read_refusal, run

from assize.base.conversation import Conversation, Turn
from assize.base.judgment import Judgment, Question, Unscored
from assize.formats import read_judgments, write

ANSWERS = ("1", "2", "3", "4")
QUESTIONS = tuple(
    Question(name, kind="ordinal", answers=ANSWERS, values=(1, 2, 3, 4)) for name in ("Q0", "Q1")
)
COUNT = 60


class Files(NamedTuple):
    """The inputs, and the folder of a calibrator of Q0 once it is fitted."""

    answers: str
    ratings: str
    chats: str
    fitted: str

    @property
    def judged(self) -> tuple[str, ...]:
        return "-a", self.answers, "-r", self.ratings

    @property
    def fit(self) -> tuple[str, ...]:
        return "calibrate", "fit", *self.judged, "-t", "Q0"


def write_files(folder: Path) -> Files:
    """A model's answers about 60 items, and two raters: bob always says one less."""
    rng = np.random.default_rng(0)
    answers, ratings, chats = [], [], []
    for n in range(COUNT):
        p = rng.dirichlet(np.ones(4))
        for question in QUESTIONS:
            shares = dict(zip(ANSWERS, p.tolist(), strict=True))
            answers.append(Judgment(f"i{n}", "m", question.id, distribution=shares, kind="model"))
        best = int(rng.choice(4, p=p)) + 1
        ratings.append(Judgment(f"i{n}", "ann", "Q0", answer=str(best), kind="person"))
        ratings.append(Judgment(f"i{n}", "bob", "Q0", answer=str(max(1, best - 1)), kind="person"))
        turns = (Turn("user", f"Question {n}"), Turn("assistant", f"Answer {best}"))
        chats.append(Conversation(f"i{n}", turns, f"s{n % 2}"))
    ratings.append(Judgment("i0", "eve", "Q0", answer="NA", kind="person"))
    write(folder / "answers.jsonl", answers, questions=QUESTIONS)
    write(folder / "ratings.jsonl", ratings, questions=QUESTIONS)
    write(folder / "chats.jsonl", chats)
    paths = [str(folder / f"{name}.jsonl") for name in ("answers", "ratings", "chats")]
    return Files(paths[0], paths[1], paths[2], str(folder / "c"))


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Files:
    files = write_files(tmp_path_factory.mktemp("calibrate"))
    run(*files.fit, "-o", files.fitted)
    return files


def test_fit_says_what_was_learnt_from_on_stderr_alone(files: Files, tmp_path: Path) -> None:
    done = run(*files.fit, "--out", tmp_path / "c")
    assert done.stdout == ""
    assert f"{tmp_path / 'c'}: Q0 by 2 raters, from 120 ratings in 120 forms" in done.stderr
    assert "  1 answers NA" in done.stderr
    quiet = run(*files.fit, "--out", tmp_path / "c", "-q")
    assert (quiet.stdout, quiet.stderr) == ("", "")
    assert "--out" in run(*files.fit, code=2).stderr


def test_fit_and_predict_agree_on_the_signature(files: Files, tmp_path: Path) -> None:
    fitted = read_json(*files.fit, "-o", tmp_path)
    about = fitted["about"]
    assert (about["ratings"], about["raters"], about["not_applicable"]) == (120, 2, 1)
    assert fitted["folder"] == str(tmp_path)
    out = tmp_path / "predicted.jsonl"
    predicted = read_json("calibrate", "predict", tmp_path, "-a", files.answers, "--out", out)
    assert predicted["signature"] == fitted["signature"]
    assert predicted["raters"]["ann"]["mean"] > predicted["raters"]["bob"]["mean"] + 0.4
    assert read_judgments([out]).judges == ("calibration:ann", "calibration:bob")


@pytest.mark.parametrize(
    ("options", "facts"),
    [
        (("--group", "both=ann,bob"), {"raters": 1}),
        (("--trusted", "ann,bob"), {"raters": 2}),
        (("--trusted", "ann"), {"helpers": 1}),
        (("--drop-rater", "bob"), {"ratings": 60}),
        (("--set", r"(\d)$"), {"sets": list("0123456789")}),
    ],
)
def test_raters_and_sets_are_named(
    files: Files, options: tuple[str, ...], facts: dict[str, object], tmp_path: Path
) -> None:
    assert facts.items() <= read_json(*files.fit, "-o", tmp_path, *options)["about"].items()


def test_predict_takes_the_sets_of_the_conversations(files: Files, tmp_path: Path) -> None:
    items = ("--items", files.chats)
    fitted = read_json(*files.fit, "-o", tmp_path / "sets", "--set", "system", *items)
    assert fitted["about"]["sets"] == ["s0", "s1"]
    scores = []
    for more in (items, ()):  # at its system's level; as of a new one
        out = tmp_path / f"{len(more)}.jsonl"
        run("calibrate", "predict", tmp_path / "sets", "-a", files.answers, *more, "--out", out)
        scores.append(read_judgments([out]).numeric("score"))
    assert np.abs(scores[0] - scores[1]).max() > 0.001


def test_predict_shows_a_table_and_notes_where_it_wrote(files: Files, tmp_path: Path) -> None:
    predict = ("calibrate", "predict", files.fitted, "-a", files.answers)
    done = run(*predict, "--raters", "bob,unknown")
    rows = [line.split()[:3] for line in done.stdout.splitlines()]
    assert ["bob", "60", "0"] in rows
    assert ["unknown", "60", "0"] in rows
    out = tmp_path / "predicted.jsonl"
    repeated = run(*predict, "--raters", "bob", "--raters", "unknown", "--out", out)
    assert repeated.stdout == done.stdout
    assert f"{out}: 120 judgments" in repeated.stderr


def test_more_unscored_than_allowed_ends_with_1(files: Files, tmp_path: Path) -> None:
    rows = list(read_judgments([files.answers]))[:18]
    gone = Judgment("gone", "m", "Q0", unscored=Unscored("parse"))
    write(tmp_path / "some.jsonl", [*rows, gone], questions=QUESTIONS)
    predict = ("calibrate", "predict", files.fitted, "-a", tmp_path / "some.jsonl")
    assert "10.0% unscored is more than" in run(*predict, code=1).stderr
    assert read_json(*predict, "--max-unscored", "20")["unscored"] == 2


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("predict", "{c}", "-a", "{a}", "--strangers", "alien"), "shared"),
        (("predict", "{c}", "-a", "{a}", "--aggregate", "sum"), "mean"),
        (("predict", "{c}", "-a", "{a}", "--loss", "cubic"), "absolute"),
        (("fit", "--group", "crowd"), "write two words with = between them"),
        (("fit", "--group", "a=ann", "--group", "b=ann"), "rater ann is in two groups"),
        (("fit", "--seeds", "2"), "--seeds: default has none; leave it out, or give --network"),
        (("fit", "--privacy", "3"), "--privacy: default has none; leave it out, or give --network"),
        (
            ("fit", "--network", "paper", "--privacy", "3", "--joint-errors"),
            "--joint-errors and --privacy do not go together; leave one out",
        ),
        (("fit", "--network", "paper", "--delta", "1e-6"), "name --privacy"),
        (("fit", "--network", "paper", "--set", "system"), "--set: paper has none"),
        (("next", "{c}", "{c}", "-a", "{a}"), "one calibrator a question: received Q0, Q0"),
        (("importance", "{c}", "{c}", "-a", "{a}"), "one calibrator a question: received Q0, Q0"),
        (("audit", "{c}", "-a", "{a}", "-r", "{r}"), "or --in-sample to go on"),
        (("correct", "{c}", "-a", "{a}", "-r", "{r}"), "--by"),
    ],
)
def test_what_cannot_be_is_told_in_the_words_that_are_typed(
    files: Files, words: tuple[str, ...], message: str, tmp_path: Path
) -> None:
    out = tmp_path / "c"
    if words[0] == "fit":
        words = (*words, *files.fit[2:], "-o", str(out))
    typed = [word.format(c=files.fitted, a=files.answers, r=files.ratings) for word in words]
    assert message in read_refusal("calibrate", *typed)
    assert not out.exists()


def test_one_file_may_hold_answers_and_ratings(files: Files, tmp_path: Path) -> None:
    both = tmp_path / "both.jsonl"
    rows = [row for file in files[:2] for row in read_judgments([file])]
    write(both, rows, questions=QUESTIONS)
    done = run("calibrate", "fit", "-a", both, "-r", both, "-t", "Q0", "-o", tmp_path / "c")
    assert "121 ratings by people in these files are not read here" in done.stderr
    assert "120 judgments by no person in these files are not read here" in done.stderr
    apart, together = (
        json.loads((Path(folder) / "calibration.json").read_text())["signature"]
        for folder in (files.fitted, tmp_path / "c")
    )
    assert together == apart


def test_bad_rows_are_left_out_on_request_and_kept(
    files: Files, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    shares = {"1": 0.9, "2": 0.9, "3": 0.0, "4": 0.0}
    row = {"item": "i1", "question": "Q0"}
    bad = {
        "answers": row | {"judge": "m", "distribution": shares},
        "ratings": row | {"judge": "ann", "answer": "great"},
    }
    for name, broken in bad.items():
        write(f"{name}.jsonl", read_judgments([getattr(files, name)]), questions=QUESTIONS)
        with open(f"{name}.jsonl", "a") as stream:
            stream.write(json.dumps(broken) + "\n")
    fit = ["calibrate", "fit", "-a", "answers.jsonl", "-r", "ratings.jsonl", "-t", "Q0", "-o", "c"]
    run(*fit, code=1)
    assert run(*fit, "--on-error", "skip").stderr.count("1 bad record was left out") == 2
    reject = json.loads(Path("ratings.rejects.jsonl").read_text())
    assert reject["problem"] == "item 'i1': not an answer of 'Q0'"
    assert json.loads(reject["raw"])["answer"] == "great"
    assert "sum to 1.8" in Path("answers.rejects.jsonl").read_text()


def test_next_writes_requests(files: Files, tmp_path: Path) -> None:
    out = tmp_path / "requests.jsonl"
    command = ("calibrate", "next", files.fitted, "-a", files.answers, "-n", "4")
    done = run(*command, "--out", out)
    assert "Controversial items" in done.stdout
    assert f"{out}: 4 requests" in done.stderr
    assert read_judgments([out]).unscored == 4
    requests = read_json(*command, "--ratings", files.ratings)
    assert requests["requests"] == []
    assert "out" not in requests
    (tmp_path / "routing.yaml").write_text("- who: ann\n  at_most: 2\n")
    assert len(read_json(*command, "--routing", tmp_path / "routing.yaml")["requests"]) == 2


def test_audit_and_correct_go_by_the_groups_that_are_named(files: Files, tmp_path: Path) -> None:
    folder = tmp_path / "c"
    run(*files.fit, "-o", folder)
    by = ("--items", files.chats, "--by", "system", "--by", "rater")
    judged = (*files.judged, "--in-sample")
    audit = ("calibrate", "audit", folder, *judged)
    shown = run(*audit, *by).stdout
    assert shown.index("system") < shown.index("rater")
    assert "bias: predicted minus answered" in shown
    correction = read_json("calibrate", "correct", folder, *judged, *by)
    assert (correction["n"], correction["out"]) == (120, str(folder))
    corrected = read_json(*audit, *by)
    assert (corrected["corrected"], corrected["signature"]) == (True, correction["signature"])
    assert not read_json(*audit, "--uncorrected")["corrected"]


def test_a_calibrator_is_opened_with_the_options_that_are_typed(
    files: Files, tmp_path: Path
) -> None:
    run(*files.fit, "-o", tmp_path / "c")
    few = ("-a", files.answers, "--raters", "unknown")
    predict = ("calibrate", "predict", tmp_path / "c", *few)
    means = [
        read_json(*predict, *more)["raters"]["unknown"]["mean"]
        for more in ((), ("--strangers", "shared"), ("--strangers", "average"))
    ]
    assert means[0] == means[1] != means[2]
    more = ("--by", "rater", "--encoder", "hf:x", "--in-sample")
    corrected = run("calibrate", "correct", tmp_path / "c", *files.judged, *more)
    assert f"{tmp_path / 'c'}: " in corrected.stderr  # an opened calibrator keeps its folder


def test_as_fitted_reaches_the_calibrator(files: Files, tmp_path: Path) -> None:
    low = [
        row
        for row in read_judgments([files.answers])
        if (row.distribution or {}).get("1", 0) > 0.5  # far below those of fitting
    ]
    write(tmp_path / "low.jsonl", low, questions=QUESTIONS)
    predict = ("calibrate", "predict", files.fitted, "-a", tmp_path / "low.jsonl")
    shifted, fitted = (
        read_json(*predict, *more)["raters"]["ann"]["mean"] for more in ((), ("--as-fitted",))
    )
    assert abs(shifted - fitted) > 0.01


def test_compare_writes_its_page(files: Files, tmp_path: Path) -> None:
    page = tmp_path / "sets.html"
    compare = ("calibrate", "compare", files.fitted, "-a", files.answers, "--resamples", "50")
    shown = run(*compare, "--by", "system", "--items", files.chats, "--report", page)
    assert "Differences, second less first" in shown.stdout
    assert f"{page}: the page is written" in shown.stderr
    assert "assize " in page.read_text()
    without = ("--without", "raters", "--without", "answers")
    compared = read_json(*compare, "--against", files.answers, *without)
    assert compared["differences"][0]["mean"]["estimate"] == 0


def test_select_writes_its_choices(files: Files, tmp_path: Path) -> None:
    out = tmp_path / "chosen.jsonl"
    select = ("calibrate", "select", files.fitted, "-a", files.answers, "--by", r"^i(\d)")
    done = run(*select, "--out", out, "--max-entropy", "1.2")
    assert "Chosen candidates" in done.stdout
    assert "groups chosen from" in done.stdout
    assert len(read_judgments([out])) == COUNT
    assert read_json(*select)["groups"] == 10


def test_distill_makes_what_score_and_card_read(files: Files, tmp_path: Path) -> None:
    out, labels = tmp_path / "small", tmp_path / "labels.jsonl"
    inputs = ("-a", files.answers, "--items", files.chats)
    options = ("--out", out, "--folds", 2, "--labels", labels, "--samples", 3)
    distilled = read_json("calibrate", "distill", files.fitted, *inputs, *options)
    assert (distilled["out"], distilled["labels_out"]) == (str(out), str(labels))
    assert len(read_judgments([labels])) == 3 * COUNT
    scored = read_json("score", files.chats, "--evaluator", out)
    assert scored["signature"] == distilled["signature"]
    teacher = distilled["teachers"][0]["signature"]
    assert teacher in run("evaluator", "card", "--evaluator", out).stdout
    trained = read_json("evaluator", "train", files.chats, "-j", labels, "--out", tmp_path / "t")
    assert trained["scored"].keys() == scored["questions"].keys()


def test_distill_ends_with_1_where_too_much_is_unscored(files: Files, tmp_path: Path) -> None:
    more = [Conversation(f"new{n}", (Turn("user", "Hi"),)) for n in range(6)]
    write(tmp_path / "more.jsonl", more)
    items = ("--items", files.chats, "--items", tmp_path / "more.jsonl")
    distill = ("calibrate", "distill", files.fitted, "-a", files.answers, *items, "--folds", 2)
    assert "unscored is more than" in run(*distill, "--out", tmp_path / "small", code=1).stderr
    assert (tmp_path / "small" / "evaluator.json").is_file()
    run(*distill, "--out", tmp_path / "small", "--max-unscored", 10)
