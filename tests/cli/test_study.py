"""`assize study`, as a user runs it: a command for each study."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import read_json, read_refusal, run
from tests.cli import test_acts, test_calibrate, test_jury
from tests.criteria.test_select import CHATS, POOL, TABLE
from tests.study.test_evaluators import PAIRS, VOTES
from tests.study.test_reference import made

from assize.criteria._reading import criteria_text
from assize.formats import write

AMULET = Path(__file__).parents[3] / "shared" / "data" / "amulet-hh-test"
QUICK = ("-t", "Q0", "--folds", 2, "--seeds", 1, "-m", "constant", "-m", "rater-mean")


@pytest.fixture
def juries(tmp_path: Path) -> tuple[str, ...]:
    """Command that studies votes and pairs; one in eight votes is unscored."""
    return ("study", "juries", *test_jury.write_files(tmp_path), "--max-unscored", "30")


@pytest.fixture
def calibration(tmp_path: Path) -> tuple[object, ...]:
    """Command that studies calibration by two quick methods."""
    return ("study", "calibration", *test_calibrate.write_files(tmp_path).judged, *QUICK)


@pytest.fixture
def criteria(tmp_path: Path) -> tuple[object, ...]:
    """Command that studies criteria, but for the label."""
    pool, scores, chats = (tmp_path / name for name in ("pool.yaml", "run.jsonl", "chats.jsonl"))
    pool.write_text(criteria_text(POOL))
    write(scores, TABLE)
    write(chats, CHATS)
    quick = ("--sat", 2, "--dsat", 2, "--resamples", 50)
    return ("study", "criteria", scores, "-i", chats, "--method", f"ours={pool}", *quick)


@pytest.mark.parametrize("option", ["--cascade", "--panel"])
def test_several_juries_are_compared(option: str, juries: tuple[str, ...]) -> None:
    rows = read_json(*juries, option, "da", option, "maxim")["juries"]
    assert {row["jury"] for row in rows} >= {"da", "maxim"}


def test_juries_are_shown_in_tables(juries: tuple[str, ...]) -> None:
    shown = run(*juries, "--cascade", "da > maxim").stdout
    for heading in ("Win, tie and loss", "What the last judge", "Differences on", "p Holm"):
        assert heading in shown


@pytest.mark.skipif(not AMULET.exists(), reason="needs shared/data/amulet-hh-test")
def test_juries_are_shown_in_the_tables_of_the_paper() -> None:
    names = ("outputs-gpt4o.jsonl.gz", "reward-models.jsonl", "instances.jsonl")
    files = f"HH-TEST={','.join(str(AMULET / name) for name in names)}"
    cells = read_json("study", "juries", "--set", files, "--paper")["cells"]
    numbers = dict.fromkeys(cell["table"] for cell in cells)
    assert list(numbers) == [2, 3, 4, 18, 19, 20, 25, 26, 30]
    known = [cell for cell in cells if cell["ours"]]
    assert (len(cells), len(known)) == (207, 40)
    assert all(cell["same"] for cell in known)


def test_acts_of_data_sets_are_shown_in_the_tables_of_the_paper(tmp_path: Path) -> None:
    votes, pairs = test_acts.write_files(tmp_path)
    command = ("study", "acts", "--set", f"HH={votes},{pairs}", "--set", f"Again={votes},{pairs}")
    done = run(*command)
    for text in ("Table 1:", "Table 17:", "Figure 7:", "Not determined for HH, Again: needs"):
        assert text in done.stdout
    assert "Table 5:" not in done.stdout  # no row
    assert "left out: Figure 4: who satisfies each maxim, HH." in done.stderr
    assert "\x1b[31m" not in done.stdout
    assert list(read_json(*command)["studies"]) == ["HH", "Again"]


def test_calibration_keeps_to_the_terminal_and_writes_its_page(
    calibration: tuple[object, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    page = tmp_path / "study.html"
    command = (*calibration, "--permutations", 50, "--by", r"(\d)$")
    shown = run(*command, "--report", page)
    assert max(map(len, shown.stdout.splitlines())) <= 80
    assert "rater mean" in shown.stdout
    assert "2 folds" in shown.stderr  # progress
    assert "1 rating NA" in shown.stderr
    assert "1 rating NA" in page.read_text()
    assert "by squared error" not in shown.stdout
    assert read_json(*command)["target"] == "Q0"


def test_calibration_needs_ratings_and_lists_its_methods(calibration: tuple[object, ...]) -> None:
    assert run(*calibration, "-q").stderr == ""
    assert "--ratings" in run(*calibration[:4], code=2).stderr
    assert "oracle-of-others" in run("study", "calibration", "--list").stdout
    methods = read_json("study", "calibration", "--list")["methods"]
    assert methods["network"]["group"] == "calibrated"


def test_policies_of_criteria_are_compared(criteria: tuple[object, ...], tmp_path: Path) -> None:
    pytest.importorskip("vl_convert")
    page = tmp_path / "study.html"
    more = ("--label", "thumbs:up=1,down=0", "--policy", "rubicon", "--policy", "brute-force")
    done = run(*criteria, *more, "--report", page)
    for text in ("Methods and policies", "yield", "Less the first", "seed=0"):
        assert text in done.stdout
    assert "labels by thumbs:up=1,down=0: 30 good (50%), 30 bad" in done.stderr
    assert "Scores by class" in page.read_text()
    assert read_json(*criteria, "--label", "thumbs")["rows"][0]["method"] == "ours"
    refused = read_refusal(*criteria, "--label", "thumbs", "--method", "pool.yaml")
    assert "write two words with = between them" in refused


def test_reference_prints_tables_and_keeps_json_alone(tmp_path: Path) -> None:
    paths = {name: tmp_path / f"{name}.jsonl" for name in ("metrics", "ratings", "items")}
    for name, path in paths.items():
        write(path, getattr(made(), name))
    files = (paths["metrics"], "-r", paths["ratings"], "-i", paths["items"])
    quick = ("--question", "content", "--ensemble", "linear", "--permutations", 100)
    done = run("study", "reference", *files, *quick)
    assert "Agreement with people on content (simulated)" in done.stdout
    assert "no person rated anything" in done.stderr
    assert read_json("study", "reference", *files, *quick)["targets"] == ["content"]


def test_evaluators_are_learnt_from_files_and_shown_on_a_page(tmp_path: Path) -> None:
    pairs, votes, page = (tmp_path / name for name in ("p.jsonl", "v.jsonl", "page.html"))
    write(pairs, PAIRS)
    write(votes, VOTES)
    quick = ("--learners", "joint", "--folds", 2, "--seeds", 1, "--permutations", 100)
    files = (pairs, "--votes", votes, "--judges", "right,mostly")
    judges = read_json("study", "evaluators", *files, *quick, "--report", page)["judges"]
    assert {row["judge"] for row in judges} == {"right", "mostly"}
    assert "Learning from judges" in page.read_text()
