"""`assize reference` as users call it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import multiplicity_said as said
import pytest
from chat_server import ChatServer
from command_line import read_json, read_refusal, run
from tests.reference.ensemble.made import continuations, metrics_table, ratings_table, simulated
from tests.reference.rating_sheets.filling import filled
from tests.reference.test_contrast import GIVEN, RATINGS, label

from assize.base.conversation import Continuation, Turn
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


def test_multiplicity_is_priced_measured_and_shown(tmp_path: Path) -> None:
    write(tmp_path / "chats.jsonl", said.talks(6))
    with ChatServer(said.answer) as server:
        model = ("-m", "openai:gpt-4o", "--n", "5", "--base-url", server.url)
        out = ("-o", tmp_path / "run")
        command = ("reference", "multiplicity", tmp_path / "chats.jsonl", *model, *out)
        assert "openai:gpt-4o" in run(*command, "--dry-run").output
        assert not (tmp_path / "run").exists()
        shown = run(*command).output
        places = read_json(*command)["places"]
    assert "open-ended" in shown
    assert "5 (100.0%) [56.6%, 100.0%]" in shown
    assert [places[n]["equivalent"]["estimate"] for n in (0, 1)] == [0.0, 1.0]


def test_two_sources_are_contrasted_labelled_and_drawn(tmp_path: Path) -> None:
    write(tmp_path / "items.jsonl", GIVEN)
    write(tmp_path / "ratings.jsonl", RATINGS)
    out, page = tmp_path / "out", tmp_path / "page.html"
    files = (tmp_path / "items.jsonl", "-r", tmp_path / "ratings.jsonl")
    written = run("reference", "contrast", *files, "--sources", "m1", "m2", "--n", 5, "-o", out)
    assert "keep" in written.output
    themes = ("reference", "themes", out, label(out, tmp_path / "anna.xlsx"))
    assert "much longer" in run(*themes, "--report", page).output
    assert "<svg" in page.read_text("utf-8")
    assert read_json(*themes)["phrasing"][1]["sounds_human"]["estimate"] == 1.0


def test_a_rating_sheet_goes_out_and_comes_back(tmp_path: Path) -> None:
    write(tmp_path / "items.jsonl", GIVEN[:4])
    run("reference", "sheet", tmp_path / "items.jsonl", "-o", tmp_path / "out")
    sheet = filled(tmp_path / "out", tmp_path / "anna.xlsx", lambda row, column: "5")
    shown = run("reference", "labels", tmp_path / "out", sheet, "-o", tmp_path / "r.jsonl")
    assert "reasonableness" in shown.output
    assert len((tmp_path / "r.jsonl").read_text().splitlines()) == 12
    empty = filled(tmp_path / "out", tmp_path / "ben.xlsx", lambda row, column: "")
    run("reference", "labels", tmp_path / "out", empty, code=1)


def test_scores_are_shown_kept_and_explained(command: list[str], tmp_path: Path) -> None:
    out = tmp_path / "run"
    shown = run(*command, "-o", out).output
    assert "continuations: 2" in shown
    assert "By source" in shown
    assert len(read_judgments([out])) == 2
    assert read_json(*command, "-o", out)["metrics"][0]["mean"]["estimate"] == pytest.approx(0.2)
    explained = run(*command, "--metric", "rougel-f1", "--explain", "k1").output
    assert "Metrics of the continuation" in explained
    needed = "name --out; only --dry-run or --explain can do without"
    assert needed in read_refusal(*command)


def test_many_unscored_end_with_1(tmp_path: Path) -> None:
    items = tmp_path / "items.jsonl"
    write(items, [Continuation("k1", ASKED, "", ("By train.",))])
    run("reference", "score", items, "--metric", "cosine", "-o", tmp_path / "run", code=1)


@pytest.fixture
def fit(tmp_path: Path) -> Callable[[int], list[object]]:
    """Return the command that fits an ensemble to that many continuations."""

    def write_command(count: int) -> list[object]:
        metrics, answers = simulated(count)
        write(tmp_path / "metrics.jsonl", [*metrics_table(metrics)])
        write(tmp_path / "rated.jsonl", [*continuations(count), *ratings_table(answers)])
        files = ["-m", tmp_path / "metrics.jsonl", "-r", tmp_path / "rated.jsonl"]
        return ["reference", "fit", *files, "--question", "content", "-o", tmp_path / "e"]

    return write_command


def test_an_ensemble_is_fitted_shown_and_kept(
    fit: Callable[[int], list[object]], tmp_path: Path
) -> None:
    command = [*fit(80), "--model", "ridge"]
    assert "best single metric" in run(*command).output
    fitted = read_json(*command)
    assert fitted["about"]["conversations"] == 20
    assert fitted["folder"] == str(tmp_path / "e")
    assert (tmp_path / "e" / "ensemble.json").is_file()


def test_fitting_on_too_few_conversations_says_how_many_are_needed(
    fit: Callable[[int], list[object]],
) -> None:
    assert "at least 20 conversations" in read_refusal(*fit(40))
