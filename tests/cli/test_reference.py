"""`assize reference` as users call it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import multiplicity_said as said
import pytest
from chat_server import ChatServer
from tests.reference.ensemble.made import continuations, metrics_table, ratings_table, simulated
from tests.reference.rating_sheets.filling import filled
from tests.reference.test_contrast import GIVEN, RATINGS, label
from typer.testing import CliRunner

from assize.base.conversation import Continuation, Turn
from assize.cli import app
from assize.formats import read_judgments, write

ASKED = (Turn("user", "How do I get to Leeds?"),)
ITEMS = [
    Continuation("k1", ASKED, "Take the train.", ("By train.",), "c1", 1, "gpt"),
    Continuation("k2", ASKED, "No idea, sorry.", ("Take the bus.",), "c2", 1, "random"),
]


@pytest.fixture
def command(tmp_path: Path) -> list[str]:
    write(tmp_path / "items.jsonl", ITEMS)
    return ["reference", "score", str(tmp_path / "items.jsonl"), "--metric", "rouge1-f1"]


def run(*arguments: object, code: int = 0) -> Any:
    result = CliRunner().invoke(app, [str(argument) for argument in arguments])
    assert result.exit_code == code, result.output + repr(result.exception)
    return result


def test_multiplicity_is_priced_measured_and_shown(tmp_path: Path) -> None:
    write(tmp_path / "chats.jsonl", said.talks(6))
    with ChatServer(said.answer) as server:
        command = [
            "reference",
            "multiplicity",
            tmp_path / "chats.jsonl",
            "-m",
            "openai:gpt-4o",
            "--n",
            "5",
            "--base-url",
            server.url,
            "-o",
            tmp_path / "run",
        ]
        assert "openai:gpt-4o" in run(*command, "--dry-run").output
        assert not (tmp_path / "run").exists()
        shown = run(*command).output
        assert "open-ended" in shown
        assert "5 (100.0%) [56.6%, 100.0%]" in shown
        told = json.loads(run(*command, "--json").stdout)
    assert told["places"][1]["equivalent"]["estimate"] == 1.0
    assert told["places"][0]["equivalent"]["estimate"] == 0.0


def test_two_sources_are_contrasted_labelled_and_drawn(tmp_path: Path) -> None:
    write(tmp_path / "items.jsonl", GIVEN)
    write(tmp_path / "ratings.jsonl", RATINGS)
    out = tmp_path / "out"
    written = run(
        *("reference", "contrast", tmp_path / "items.jsonl", "-r", tmp_path / "ratings.jsonl"),
        *("--sources", "m1", "m2", "--n", 5, "-o", out),
    )
    assert "keep" in written.output
    sheet = label(out, tmp_path / "anna.xlsx")
    page = tmp_path / "page.html"
    shown = run("reference", "themes", out, sheet, "--report", page)
    assert "much longer" in shown.output
    assert "<svg" in page.read_text("utf-8")
    told = json.loads(run("reference", "themes", out, sheet, "--json").stdout)
    assert told["phrasing"][1]["sounds_human"]["estimate"] == 1.0


def test_a_rating_sheet_goes_out_and_comes_back(tmp_path: Path) -> None:
    write(tmp_path / "items.jsonl", GIVEN[:4])
    run("reference", "sheet", tmp_path / "items.jsonl", "-o", tmp_path / "out")
    sheet = filled(tmp_path / "out", tmp_path / "anna.xlsx", lambda row, column: "5")
    shown = run("reference", "labels", tmp_path / "out", sheet, "-o", tmp_path / "r.jsonl")
    assert "reasonableness" in shown.output
    assert len((tmp_path / "r.jsonl").read_text().splitlines()) == 12
    empty = filled(tmp_path / "out", tmp_path / "ben.xlsx", lambda row, column: "")
    run("reference", "labels", tmp_path / "out", empty, code=1)


def test_scores_are_shown_and_kept(command: list[str], tmp_path: Path) -> None:
    shown = run(*command, "-o", tmp_path / "run").output
    assert "continuations: 2" in shown
    assert "By source" in shown
    assert len(read_judgments([tmp_path / "run"])) == 2


def test_json_is_one_object(command: list[str], tmp_path: Path) -> None:
    found = json.loads(run(*command, "-o", tmp_path / "run", "--json").stdout)
    means = {row["metric"]: row["mean"]["estimate"] for row in found["metrics"]}
    assert means["rouge1-f1"] == pytest.approx(0.2)


def test_a_continuation_is_explained(command: list[str]) -> None:
    shown = run(*command, "--metric", "rougel-f1", "--explain", "k1").output
    assert "Metrics of the continuation" in shown


def test_many_unscored_end_with_1(tmp_path: Path) -> None:
    write(tmp_path / "items.jsonl", [Continuation("k1", ASKED, "", ("By train.",))])
    run(
        "reference",
        "score",
        tmp_path / "items.jsonl",
        "--metric",
        "cosine",
        "-o",
        tmp_path / "run",
        code=1,
    )


def test_without_a_folder_it_says_so(command: list[str]) -> None:
    done = CliRunner().invoke(app, command)
    assert done.exit_code == 2
    assert "name --out; only --dry-run or --explain can do without" in " ".join(
        done.stderr.replace("│", "").split()
    )


def test_an_ensemble_is_fitted_shown_and_kept(tmp_path: Path) -> None:
    metrics, answers = simulated(80)
    write(tmp_path / "metrics.jsonl", [*metrics_table(metrics)])
    write(tmp_path / "rated.jsonl", [*continuations(80), *ratings_table(answers)])
    fit = [
        "reference",
        "fit",
        "-m",
        tmp_path / "metrics.jsonl",
        "-r",
        tmp_path / "rated.jsonl",
        "--question",
        "content",
        "--model",
        "ridge",
        "-o",
        tmp_path / "e",
    ]
    shown = run(*fit)
    assert "best single metric" in shown.output
    found = json.loads(run(*fit, "--json", "-q").stdout)
    assert found["about"]["conversations"] == 20
    assert found["folder"] == str(tmp_path / "e")
    assert (tmp_path / "e" / "ensemble.json").is_file()


def test_fitting_on_too_few_conversations_says_how_many_are_needed(tmp_path: Path) -> None:
    metrics, answers = simulated(40)
    write(tmp_path / "metrics.jsonl", [*metrics_table(metrics)])
    write(tmp_path / "rated.jsonl", [*continuations(40), *ratings_table(answers)])
    failed = run(
        "reference",
        "fit",
        "-m",
        tmp_path / "metrics.jsonl",
        "-r",
        tmp_path / "rated.jsonl",
        "--question",
        "content",
        "-o",
        tmp_path / "e",
        code=1,
    )
    assert "at least 20 conversations" in str(failed.exception)
