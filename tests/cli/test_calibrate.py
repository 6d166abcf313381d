"""`assize calibrate`, as a user runs it: files in, files and tables out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from typer.testing import CliRunner

from assize.base.conversation import Conversation, Turn
from assize.base.errors import ConfigError
from assize.base.judgment import Judgment, Question, Unscored
from assize.cli import app
from assize.formats import read_judgments, write

ANSWERS = ("1", "2", "3", "4")
QUESTIONS = tuple(
    Question(name, kind="ordinal", answers=ANSWERS, values=(1, 2, 3, 4)) for name in ("Q0", "Q1")
)
COUNT = 60


class Files(NamedTuple):
    """What is given, and where a calibrator of Q0 stands once it is fitted."""

    answers: str
    ratings: str
    chats: str
    fitted: str

    @property
    def judged(self) -> tuple[str, ...]:
        return "-a", self.answers, "-r", self.ratings


def run(*arguments: object, code: int = 0) -> Any:
    done = CliRunner().invoke(app, ["calibrate", *map(str, arguments)])
    assert done.exit_code == code, done.output + repr(done.exception)
    return done


def refused(*arguments: object) -> str:
    done = CliRunner().invoke(app, ["calibrate", *map(str, arguments)])
    assert isinstance(done.exception, ConfigError), done.output
    return str(done.exception)


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
    found = write_files(tmp_path_factory.mktemp("calibrate"))
    run("fit", *found.judged, "-t", "Q0", "-o", found.fitted)
    return found


def test_fit_says_what_was_learnt_from_on_stderr_alone(files: Files, tmp_path: Path) -> None:
    fixed = ("fit", *files.judged, "--target", "Q0", "--out", tmp_path / "c")
    done = run(*fixed)
    assert done.stdout == ""
    assert f"{tmp_path / 'c'}: Q0 by 2 raters, from 120 ratings in 120 forms" in done.stderr
    assert "  1 answers NA" in done.stderr
    quiet = run(*fixed, "-q")
    assert (quiet.stdout, quiet.stderr) == ("", "")


def test_fit_needs_a_folder(files: Files) -> None:
    assert "--out" in run("fit", *files.judged, "-t", "Q0", code=2).stderr


def test_fit_and_predict_agree_on_the_signature(files: Files, tmp_path: Path) -> None:
    fitted = json.loads(run("fit", *files.judged, "-t", "Q0", "-o", tmp_path, "--json").stdout)
    about = fitted["about"]
    assert (about["ratings"], about["raters"], about["not_applicable"]) == (120, 2, 1)
    assert fitted["folder"] == str(tmp_path)
    out = tmp_path / "said.jsonl"
    done = run("predict", tmp_path, "-a", files.answers, "--out", out, "--json")
    found = json.loads(done.stdout)
    assert found["signature"] == fitted["signature"]
    assert found["raters"]["ann"]["mean"] > found["raters"]["bob"]["mean"] + 0.4
    assert read_judgments([out]).judges == ("calibration:ann", "calibration:bob")


def test_raters_are_grouped_trusted_and_dropped_by_name(files: Files, tmp_path: Path) -> None:
    fixed = ("fit", *files.judged, "-t", "Q0", "-o", tmp_path, "--json")
    assert json.loads(run(*fixed, "--group", "both=ann,bob").stdout)["about"]["raters"] == 1
    assert json.loads(run(*fixed, "--trusted", "ann,bob").stdout)["about"]["raters"] == 2
    assert json.loads(run(*fixed, "--trusted", "ann").stdout)["about"]["helpers"] == 1
    assert json.loads(run(*fixed, "--drop-rater", "bob").stdout)["about"]["ratings"] == 60
    told = run("fit", *files.judged, "-t", "Q0", "-o", tmp_path, "--trusted", "ann").stderr
    assert "1 more raters help, are not predicted" in told
    assert "write two words with = between them" in refused(*fixed, "--group", "crowd")
    assert "rater ann is in two groups" in refused(*fixed, "--group", "a=ann", "--group", "b=ann")


def test_sets_are_learnt_by_what_tells_them_apart(files: Files, tmp_path: Path) -> None:
    fixed = ("fit", *files.judged, "-t", "Q0", "--json")
    by_system = ("--set", "system", "--items", files.chats)
    found = json.loads(run(*fixed, "-o", tmp_path / "sets", *by_system).stdout)
    plain = json.loads(run(*fixed, "-o", tmp_path / "plain").stdout)
    assert (found["about"]["sets"], found["about"]["ratings"]) == (["s0", "s1"], 120)
    assert found["signature"] != plain["signature"]
    by_id = ("--set", r"(\d)$")
    ids = json.loads(run(*fixed, "-o", tmp_path / "ids", *by_id).stdout)
    assert ids["about"]["sets"] == list("0123456789")
    told = []
    for items in (("--items", files.chats), ()):  # at its system's level; as of a new one
        out = tmp_path / f"{len(items)}.jsonl"
        run("predict", tmp_path / "sets", "-a", files.answers, *items, "--out", out)
        told.append(read_judgments([out]).numeric("score"))
    assert np.abs(told[0] - told[1]).max() > 0.001
    assert "needs the conversations" in refused(*fixed, "-o", tmp_path / "c", "--set", "system")


def test_as_fitted_predicts_wherever_the_answers_lie(files: Files, tmp_path: Path) -> None:
    rows = [
        row
        for row in read_judgments([files.answers])
        if (row.distribution or {}).get("1", 0) > 0.5  # far below those of fitting
    ]
    write(tmp_path / "low.jsonl", rows, questions=QUESTIONS)
    scores = {}
    for name, answers in (("whole", files.answers), ("low", tmp_path / "low.jsonl")):
        for more in ((), ("--as-fitted",)):
            out = tmp_path / "said.jsonl"
            run("predict", files.fitted, "-a", answers, *more, "--out", out)
            table = read_judgments([out]).where(item={row.item for row in rows})
            scores[name, bool(more)] = table.numeric("score")
    assert scores["low", True] == pytest.approx(scores["whole", True])
    assert np.abs(scores["low", False] - scores["low", True]).max() > 0.02


def test_predict_shows_a_table_and_notes_where_it_wrote(files: Files, tmp_path: Path) -> None:
    fixed = ("predict", files.fitted, "-a", files.answers, "--raters", "bob,unknown")
    done = run(*fixed)
    out = tmp_path / "said.jsonl"
    assert f"{out}: 120 judgments" in run(*fixed, "--out", out).stderr
    quiet = run(*fixed, "-q", "--out", out)
    assert (quiet.stdout, quiet.stderr) == (done.stdout, "")
    lines = done.stdout.splitlines()
    assert any(line.split()[:3] == ["bob", "60", "0"] for line in lines)
    assert any(line.split()[:3] == ["unknown", "60", "0"] for line in lines)
    apart = run(*fixed[:-1], "bob", "--raters", "unknown", "-q", "--out", tmp_path / "apart.jsonl")
    assert apart.stdout == done.stdout
    assert (tmp_path / "apart.jsonl").read_bytes() == out.read_bytes()


def test_more_unscored_than_allowed_ends_with_1(files: Files, tmp_path: Path) -> None:
    rows = list(read_judgments([files.answers]))[:18]
    gone = Judgment("gone", "m", "Q0", unscored=Unscored("parse"))
    write(tmp_path / "some.jsonl", [*rows, gone], questions=QUESTIONS)
    fixed = ("predict", files.fitted, "-a", tmp_path / "some.jsonl")
    assert "10.0% unscored is more than" in run(*fixed, code=1).stderr
    done = run(*fixed, "--json", "--max-unscored", "20")
    assert json.loads(done.stdout)["unscored"] == 2


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (("--strangers", "alien"), "shared"),
        (("--aggregate", "sum"), "mean"),
        (("--loss", "cubic"), "absolute"),
    ],
)
def test_a_word_that_is_not_allowed_is_told_with_those_that_are(
    files: Files, more: tuple[str, ...], said: str
) -> None:
    assert said in run("predict", files.fitted, "-a", files.answers, *more, code=2).stderr


def test_one_file_may_hold_answers_and_ratings(files: Files, tmp_path: Path) -> None:
    both = tmp_path / "both.jsonl"
    rows = [row for file in files[:2] for row in read_judgments([file])]
    write(both, rows, questions=QUESTIONS)
    done = run("fit", "-a", both, "-r", both, "-t", "Q0", "--out", tmp_path / "c")
    assert "121 ratings by people in these files are not read here" in done.stderr
    assert "120 judgments by no person in these files are not read here" in done.stderr
    apart, together = (
        json.loads((Path(one) / "calibration.json").read_text())["signature"]
        for one in (files.fitted, tmp_path / "c")
    )
    assert together == apart


def test_bad_rows_are_left_out_on_request_and_kept(
    files: Files, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    bad = {
        "answers": {
            "item": "i1",
            "judge": "m",
            "question": "Q0",
            "distribution": {"1": 0.9, "2": 0.9, "3": 0.0, "4": 0.0},
        },
        "ratings": {"item": "i1", "judge": "ann", "question": "Q0", "answer": "great"},
    }
    for name, row in bad.items():
        rows = read_judgments([getattr(files, name)])
        write(f"{name}.jsonl", rows, questions=QUESTIONS)
        with open(f"{name}.jsonl", "a") as stream:
            stream.write(json.dumps(row) + "\n")
    arguments = ["fit", "-a", "answers.jsonl", "-r", "ratings.jsonl", "-t", "Q0", "-o", "c"]
    run(*arguments, code=1)
    said = run(*arguments, "--on-error", "skip").stderr
    assert said.count("1 bad record was left out") == 2
    kept = json.loads((tmp_path / "ratings.rejects.jsonl").read_text())
    assert kept["problem"] == "item 'i1': not an answer of 'Q0'"
    assert json.loads(kept["raw"])["answer"] == "great"
    kept = json.loads((tmp_path / "answers.rejects.jsonl").read_text())
    assert "sum to 1.8" in kept["problem"]


def test_next_writes_requests_and_takes_several_calibrators(files: Files, tmp_path: Path) -> None:
    out = tmp_path / "requests.jsonl"
    fixed = ("next", files.fitted, "-a", files.answers, "-n", "4")
    done = run(*fixed, "--out", out)
    assert "Controversial items" in done.stdout
    assert f"{out}: 4 requests" in done.stderr
    assert read_judgments([out]).unscored == 4
    found = json.loads(run(*fixed, "--json", "--ratings", files.ratings).stdout)
    assert found["requests"] == []
    assert "out" not in found
    assert "one calibrator a question: received Q0, Q0" in refused(
        "next", files.fitted, files.fitted, "-a", files.answers
    )
    (tmp_path / "routing.yaml").write_text("- who: ann\n  at_most: 2\n")
    rules = ("--routing", tmp_path / "routing.yaml")
    assert len(json.loads(run(*fixed, *rules, "--json").stdout)["requests"]) == 2


def test_audit_and_correct_go_by_the_groups_that_are_named(files: Files, tmp_path: Path) -> None:
    run("fit", *files.judged, "-t", "Q0", "-o", tmp_path / "c")
    by = ("--items", files.chats, "--by", "system", "--by", "rater")
    judged = (*files.judged, "--in-sample")
    audit = ("audit", tmp_path / "c", *judged)
    shown = run(*audit, *by)
    assert shown.stdout.index("system") < shown.stdout.index("rater")
    assert "bias: predicted minus answered" in shown.stdout
    assert run(*audit, "-q").stderr == ""
    assert "or --in-sample to go on" in refused(*audit[:-1])
    found = json.loads(run("correct", tmp_path / "c", *judged, *by, "--json").stdout)
    assert (found["n"], found["out"]) == (120, str(tmp_path / "c"))
    corrected = json.loads(run(*audit, *by, "--json").stdout)
    assert (corrected["corrected"], corrected["signature"]) == (True, found["signature"])
    plain = json.loads(run(*audit, "--uncorrected", "--json").stdout)
    assert not plain["corrected"]
    assert "--by" in run("correct", tmp_path / "c", *files.judged, code=2).stderr


def test_what_belongs_to_one_network_is_refused_with_another(files: Files, tmp_path: Path) -> None:
    fixed = ("fit", *files.judged, "-t", "Q0", "-o", tmp_path / "c")
    only = "default has none; leave it out, or give --network paper"
    assert refused(*fixed, "--seeds", "2") == f"--seeds: {only}"
    assert refused(*fixed, "--privacy", "3") == f"--privacy: {only}"
    paper = (*fixed, "--network", "paper")
    told = refused(*paper, "--privacy", "3", "--joint-errors")
    assert told == "--joint-errors and --privacy do not go together; leave one out"
    assert "name --privacy" in run(*paper, "--delta", "1e-6", code=2).stderr
    assert refused(*paper, "--set", "system").startswith("--set: paper has none")
    assert not (tmp_path / "c").exists()


def test_a_calibrator_is_opened_with_the_options_that_are_typed(
    files: Files, tmp_path: Path
) -> None:
    run("fit", *files.judged, "-t", "Q0", "-o", tmp_path / "c")
    few = ("-a", files.answers, "--raters", "unknown", "-q", "--json")
    means = [
        json.loads(run("predict", tmp_path / "c", *few, *more).stdout)["raters"]["unknown"]["mean"]
        for more in ((), ("--strangers", "shared"), ("--strangers", "average"))
    ]
    assert means[0] == means[1] != means[2]
    more = ("--by", "rater", "--encoder", "hf:x", "--in-sample")
    found = run("correct", tmp_path / "c", *files.judged, *more)
    assert f"{tmp_path / 'c'}: " in found.stderr  # a calibrator that was opened keeps its folder


def test_compare_writes_its_page(files: Files, tmp_path: Path) -> None:
    page = tmp_path / "sets.html"
    fixed = ("compare", files.fitted, "-a", files.answers, "--resamples", "50")
    shown = run(*fixed, "--by", "system", "--items", files.chats, "--report", page)
    assert "Differences, second less first" in shown.stdout
    assert f"{page}: the page is written" in shown.stderr
    assert "assize " in page.read_text()
    without = ("--without", "raters", "--without", "answers")
    found = json.loads(run(*fixed, "--against", files.answers, *without, "--json").stdout)
    assert found["differences"][0]["mean"]["estimate"] == 0


def test_select_writes_its_choices(files: Files, tmp_path: Path) -> None:
    out = tmp_path / "chosen.jsonl"
    fixed = ("select", files.fitted, "-a", files.answers, "--by", r"^i(\d)")
    done = run(*fixed, "--out", out, "--max-entropy", "1.2")
    assert "Chosen candidates" in done.stdout
    assert "groups chosen from" in done.stdout
    assert len(read_judgments([out])) == COUNT
    assert json.loads(run(*fixed, "--json").stdout)["groups"] == 10


def test_importance_takes_a_main_network_and_others(files: Files) -> None:
    fixed = ("importance", files.fitted, files.fitted, "--answers", files.answers)
    assert "one calibrator a question: received Q0, Q0" in refused(*fixed)


def test_distill_makes_what_score_and_card_read(files: Files, tmp_path: Path) -> None:
    out, labels = tmp_path / "small", tmp_path / "labels.jsonl"
    fixed = ("distill", files.fitted, "-a", files.answers, "--items", files.chats, "--out", out)
    done = run(*fixed, "--folds", 2, "--labels", labels, "--samples", 3, "--json")
    found = json.loads(done.stdout)
    assert (found["out"], found["labels_out"]) == (str(out), str(labels))
    assert len(read_judgments([labels])) == 3 * COUNT

    def assize(*arguments: object) -> str:
        said = CliRunner().invoke(app, [str(one) for one in arguments])
        assert said.exit_code == 0, said.output + repr(said.exception)
        return said.stdout

    scored = json.loads(assize("score", files.chats, "--evaluator", out, "--json"))
    assert scored["signature"] == found["signature"]
    assert found["teachers"][0]["signature"] in assize("evaluator", "card", "--evaluator", out)
    trained = assize(
        "evaluator", "train", files.chats, "-j", labels, "--out", tmp_path / "t", "--json"
    )
    assert json.loads(trained)["scored"].keys() == scored["questions"].keys()


def test_distill_ends_with_1_where_too_much_is_unscored(files: Files, tmp_path: Path) -> None:
    more = [Conversation(f"new{n}", (Turn("user", "Hi"),)) for n in range(6)]
    write(tmp_path / "more.jsonl", more)
    fixed = (
        "distill",
        files.fitted,
        "-a",
        files.answers,
        "--items",
        files.chats,
        "--items",
        tmp_path / "more.jsonl",
        "--out",
        tmp_path / "small",
        "--folds",
        2,
    )
    assert "unscored is more than" in run(*fixed, code=1).stderr
    assert (tmp_path / "small" / "evaluator.json").is_file()
    run(*fixed, "--max-unscored", 10)
