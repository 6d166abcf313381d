"""`assize criteria score`, `select` and `distill` as users call them."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import read_json, read_refusal, run
from tests.criteria import test_distill as distilling
from tests.criteria import test_select as selecting
from tests.criteria.conftest import BAD, GOOD, SET

import assize
from assize.criteria._reading import criteria_text, load_criteria
from assize.formats import read_judgments, write


@pytest.fixture
def command(tmp_path: Path) -> list[str]:
    """Command that scores two conversations by a set, but for the model."""
    criteria, chats = tmp_path / "criteria.yaml", tmp_path / "chats.jsonl"
    criteria.write_text(criteria_text(SET), encoding="utf-8")
    write(chats, [GOOD, BAD])
    return ["criteria", "score", str(chats), "-c", str(criteria), "-o", str(tmp_path / "run")]


def test_scores_are_shown_and_kept_and_have_a_page(command: list[str], tmp_path: Path) -> None:
    pytest.importorskip("vl_convert")
    out, page = tmp_path / "run", tmp_path / "page.html"
    shown = run(*command, "-m", "scripted:any", "--report", page).output
    assert "NetSAT of this set lies between -10 and 20." in shown
    assert "left open" in shown
    assert "use &lt; instead of &lt;=." in page.read_text()
    assert len(read_judgments([out])) == 2 * 4
    scored = read_json(*command, "-m", "scripted:any")
    (labels,) = scored["label_shares"]
    assert sum(labels[name]["count"] for name in ("good", "open", "bad", "unscored")) == 2
    assert (scored["outcome"]["n"], scored["outcome"]["summary"]["spent"]["calls"]) == (8, 4)
    run("report", out, "--criteria", command[4], "--items", command[2], "--out", page)
    assert "Two conversations side by side" in page.read_text()


def test_a_dry_run_and_a_prompt_write_nothing(command: list[str], tmp_path: Path) -> None:
    first = [*command, "-m", "scripted:first"]
    assert "scripted:first" in run(*first, "--dry-run").output
    shown = run(*first, "--show-prompt", "again").output
    assert "The assistant repeats a fix that did not work." in shown
    page = tmp_path / "p.html"
    refused = read_refusal(*first, "--dry-run", "--report", page)
    assert "--report and --dry-run do not go together" in refused
    assert not (tmp_path / "run").exists()
    assert not page.exists()


def test_it_is_a_judge_beside_others(command: list[str], tmp_path: Path) -> None:
    name = f"criteria@{command[4]}"
    judges = ("-j", name, "-j", "rating@scripted:any", "--set", "criteria_model=scripted:any")
    run("judge", command[2], *judges, "-o", tmp_path / "run")
    table = read_judgments([tmp_path / "run"])
    assert set(table.judges) == {f"{name}@scripted:any", "rating@scripted:any"}
    assert set(table.asked) == {"NetSAT", "line", "works", "again", "rating"}


def test_conversations_by_standard_input_have_no_text_on_the_page(
    command: list[str], tmp_path: Path
) -> None:
    pytest.importorskip("vl_convert")
    page, chats = tmp_path / "page.html", Path(command[2]).read_text()
    words = [*command[:2], "-", *command[3:], "-m", "scripted:any", "--report", page]
    run(*words, "--max-unscored", "100", input=chats)
    assert "Give the conversations (items)" in page.read_text()


@pytest.fixture
def pool(tmp_path: Path) -> list[str]:
    """Command that selects from a pool, but for the label."""
    paths = [str(tmp_path / name) for name in ("pool.yaml", "run.jsonl", "chats.jsonl")]
    Path(paths[0]).write_text(criteria_text(selecting.POOL))
    assize.write(paths[1], selecting.TABLE)
    assize.write(paths[2], selecting.CHATS)
    return ["criteria", "select", paths[0], "-j", paths[1], "-i", paths[2]]


def test_selected_criteria_are_shown_and_written(pool: list[str], tmp_path: Path) -> None:
    pytest.importorskip("vl_convert")
    out, page = tmp_path / "criteria.yaml", tmp_path / "selected.html"
    more = ["--label", "thumbs:up=1,down=0", "--sat", "2", "--dsat", "2", "--stability", "5"]
    done = run(*pool, *more, "--out", out, "--report", page)
    for text in ("in the pool: 12", "survives", "held out", "NetSAT: bad up to", "select=rubicon"):
        assert text in done.stdout
    assert "labels by thumbs:up=1,down=0: 30 good (50%), 30 bad" in done.stderr
    assert len(load_criteria(str(out)).criteria) == 4
    assert "Scores by class" in page.read_text()


def test_selection_needs_a_label_and_gives_one_object(pool: list[str]) -> None:
    run(*pool, code=2)
    assert read_json(*pool, "--label", "thumbs", "-q")["policy"] == "rubicon"


@pytest.fixture
def distill(tmp_path: Path) -> list[object]:
    """Command that distils the scores of a pool into the folder `small`."""
    pool, scores, chats = (tmp_path / name for name in ("help.yaml", "run.jsonl", "chats.jsonl"))
    pool.write_text(criteria_text(distilling.POOL))
    assize.write(scores, distilling.TABLE)
    assize.write(chats, distilling.CHATS)
    inputs = ["criteria", "distill", pool, "-j", scores, "-i", chats]
    return [*inputs, "--folds", "2", "-o", tmp_path / "small", "-q"]


def test_distil_then_score_with_no_model(distill: list[object], tmp_path: Path) -> None:
    new = tmp_path / "new.jsonl"
    assize.write(new, distilling.NEW)
    shown = run(*distill, "--label", "thumbs:up=1,down=0", "--cluster", "user").output
    assert "How well it reproduces the evaluations" in shown
    assert "NetSAT" in shown
    model = ("-m", f"evaluator:{tmp_path / 'small'}")
    scored = read_json("criteria", "score", new, "-c", distill[2], *model, "-o", tmp_path / "out")
    (labels,) = scored["label_shares"]
    assert labels["open"]["n"] == len(distilling.NEW)
    assert labels["open"]["count"] < len(distilling.NEW)
    assert scored["outcome"]["summary"]["spent"]["cost_usd"] == 0


def test_too_many_unscored_end_it_with_1(distill: list[object], tmp_path: Path) -> None:
    table = distilling.TABLE
    rows = [row for row in table if row.question != "polite" or int(row.item[1:]) >= 12]
    assize.write(tmp_path / "run.jsonl", assize.JudgmentTable.of(rows, table.questions.values()))
    run(*distill, code=1)
    assert (tmp_path / "small" / "evaluator.json").exists()
