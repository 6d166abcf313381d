"""`assize study`, as a user runs it: a command for each study."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.cli import test_acts, test_calibrate, test_jury
from tests.criteria.test_select import CHATS, POOL, TABLE
from tests.study.test_evaluators import PAIRS, VOTES
from tests.study.test_reference import made
from typer.testing import CliRunner

from assize.base.errors import ConfigError, DataError
from assize.cli import app
from assize.criteria._reading import criteria_text
from assize.formats import write

AMULET = Path(__file__).parents[3] / "shared" / "data" / "amulet-hh-test"
QUICK = ("-t", "Q0", "--folds", 2, "--seeds", 1, "-m", "constant", "-m", "rater-mean")


def run(*arguments: object, code: int = 0) -> Any:
    done = CliRunner().invoke(app, ["study", *map(str, arguments)])
    assert done.exit_code == code, done.output + repr(done.exception)
    return done


def refused(*arguments: object) -> str:
    done = CliRunner().invoke(app, ["study", *map(str, arguments)])
    assert isinstance(done.exception, ConfigError | DataError), done.output
    return str(done.exception)


@pytest.fixture
def votes(tmp_path: Path) -> tuple[str, ...]:
    """Arguments of `juries`: votes and pairs; one in eight votes is unscored."""
    return (*test_jury.write_files(tmp_path), "--max-unscored", "30")


@pytest.fixture
def answers(tmp_path: Path) -> test_calibrate.Files:
    return test_calibrate.write_files(tmp_path)


@pytest.fixture
def criteria(tmp_path: Path) -> tuple[object, ...]:
    """Arguments of `criteria`, but for the label."""
    pool, scores, chats = (tmp_path / one for one in ("pool.yaml", "run.jsonl", "chats.jsonl"))
    pool.write_text(criteria_text(POOL))
    write(scores, TABLE)
    write(chats, CHATS)
    quick = ("--sat", 2, "--dsat", 2, "--resamples", 50)
    return ("criteria", scores, "-i", chats, "--method", f"ours={pool}", *quick)


@pytest.mark.parametrize("option", ["--cascade", "--panel"])
def test_several_juries_are_compared(option: str, votes: tuple[str, ...]) -> None:
    done = run("juries", *votes, option, "da", option, "maxim", "--json")
    assert {row["jury"] for row in json.loads(done.stdout)["juries"]} >= {"da", "maxim"}


def test_juries_are_shown_in_tables(votes: tuple[str, ...]) -> None:
    done = run("juries", *votes, "--cascade", "da > maxim")
    for said in ("Win, tie and loss", "What the last judge", "Differences on", "p Holm"):
        assert said in done.stdout


@pytest.mark.skipif(not AMULET.exists(), reason="needs shared/data/amulet-hh-test")
def test_juries_are_shown_in_the_tables_of_the_paper() -> None:
    names = ("outputs-gpt4o.jsonl.gz", "reward-models.jsonl", "instances.jsonl")
    files = f"HH-TEST={','.join(str(AMULET / name) for name in names)}"
    done = run("juries", "--set", files, "--paper", "--json")
    cells = json.loads(done.stdout)["cells"]
    numbers = dict.fromkeys(cell["table"] for cell in cells)
    assert list(numbers) == [2, 3, 4, 18, 19, 20, 25, 26, 30]
    known = [cell for cell in cells if cell["ours"]]
    assert (len(cells), len(known)) == (207, 40)
    assert all(cell["same"] for cell in known)


def test_acts_of_data_sets_are_shown_in_the_tables_of_the_paper(tmp_path: Path) -> None:
    votes, pairs = test_acts.write_files(tmp_path)
    given = ("acts", "--set", f"HH={votes},{pairs}", "--set", f"Again={votes},{pairs}")
    shown = run(*given)
    for said in ("Table 1:", "Table 17:", "Figure 7:", "Not determined for HH, Again: needs"):
        assert said in shown.stdout
    assert "Table 5:" not in shown.stdout  # no row
    assert "left out: Figure 4: who satisfies each maxim, HH." in shown.stderr
    assert "\x1b[31m" not in shown.stdout
    assert list(json.loads(run(*given, "--json").stdout)["studies"]) == ["HH", "Again"]


def test_calibration_keeps_to_the_terminal_and_writes_its_page(
    answers: test_calibrate.Files, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    page = tmp_path / "study.html"
    command = ("calibration", *answers.judged, *QUICK, "--permutations", 50, "--by", r"(\d)$")
    shown = run(*command, "--report", page)
    assert max(map(len, shown.stdout.splitlines())) <= 80
    assert "rater mean" in shown.stdout
    assert "2 folds" in shown.stderr  # what it is at
    assert "1 rating NA" in shown.stderr
    assert "1 rating NA" in page.read_text()
    assert "by squared error" not in shown.stdout
    value = json.loads(run(*command, "--json").stdout)
    assert value["target"] == "Q0"


def test_calibration_quiet_prints_the_results_and_nothing_else(
    answers: test_calibrate.Files,
) -> None:
    shown = run("calibration", *answers.judged, *QUICK, "-q")
    assert "rater mean" in shown.stdout
    assert shown.stderr == ""
    assert "--ratings" in run("calibration", "-a", answers.answers, code=2).stderr


def test_methods_of_calibration_are_listed() -> None:
    assert "oracle-of-others" in run("calibration", "--list").stdout
    value = json.loads(run("calibration", "--list", "--json").stdout)
    assert value["methods"]["network"]["group"] == "calibrated"


def test_policies_of_criteria_are_compared(criteria: tuple[object, ...]) -> None:
    more = ("--label", "thumbs:up=1,down=0", "--policy", "rubicon", "--policy", "brute-force")
    done = run(*criteria, *more)
    for text in ("Methods and policies", "yield", "Less the first", "seed=0"):
        assert text in done.stdout
    assert "labels by thumbs:up=1,down=0: 30 good (50%), 30 bad" in done.stderr


def test_criteria_as_json_are_one_object(criteria: tuple[object, ...]) -> None:
    done = run(*criteria, "--label", "thumbs", "--json", "-q")
    assert json.loads(done.stdout)["rows"][0]["method"] == "ours"


def test_criteria_without_a_name_are_refused(criteria: tuple[object, ...]) -> None:
    said = refused(*criteria, "--label", "thumbs", "--method", "pool.yaml")
    assert "write two words with = between them" in said


def test_criteria_that_everything_meets_are_refused(
    criteria: tuple[object, ...], tmp_path: Path
) -> None:
    labels = tmp_path / "labels.csv"
    labels.write_text("id,label\nc0,1\nc1,1\n")
    assert "all 2 labelled conversations are good" in refused(*criteria, "--label", labels)


def test_a_page_of_criteria_is_written(criteria: tuple[object, ...], tmp_path: Path) -> None:
    pytest.importorskip("vl_convert")
    page = tmp_path / "study.html"
    run(*criteria, "--label", "thumbs", "--report", page)
    assert "Scores by class" in page.read_text()


def test_reference_prints_tables_and_keeps_json_alone(tmp_path: Path) -> None:
    paths = {name: tmp_path / f"{name}.jsonl" for name in ("metrics", "ratings", "items")}
    for name, path in paths.items():
        write(path, getattr(made(), name))
    files = (paths["metrics"], "-r", paths["ratings"], "-i", paths["items"])
    quick = ("--question", "content", "--ensemble", "linear", "--permutations", 100)
    done = run("reference", *files, *quick)
    assert "Agreement with people on content (simulated)" in done.stdout
    assert "no person rated anything" in done.stderr
    assert json.loads(run("reference", *files, *quick, "--json").stdout)["targets"] == ["content"]


def test_evaluators_are_learnt_from_files_and_shown_on_a_page(tmp_path: Path) -> None:
    pairs, votes, page = (tmp_path / name for name in ("p.jsonl", "v.jsonl", "page.html"))
    write(pairs, PAIRS)
    write(votes, VOTES)
    quick = ("--learners", "joint", "--folds", 2, "--seeds", 1, "--permutations", 100)
    given = (pairs, "--votes", votes, "--judges", "right,mostly", *quick)
    done = run("evaluators", *given, "--json", "--report", page)
    said = json.loads(done.stdout)
    assert {row["judge"] for row in said["judges"]} == {"right", "mostly"}
    assert "Learning from judges" in page.read_text()
