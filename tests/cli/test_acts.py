"""`assize acts`: tables, JSON, a page, and what is wrong with what it is given."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from assize.cli import app
from assize.conversation import Pair, Turn
from assize.dialogue_acts.maxims import MAXIMS
from assize.errors import ConfigError, DataError, OutputError
from assize.formats import write
from assize.judgment import Judgment, Order, Unscored

DATA = Path(__file__).resolve().parents[3] / "shared" / "data" / "amulet-hh-test"
HOSTILE = "\x1b[31mHi\x1b[0m <script>alert(1)</script>"
CONTEXT = (Turn("user", HOSTILE), Turn("assistant", "Yes?"), Turn("user", "Go on."))


def pair(id: str) -> Pair:
    return Pair(id, CONTEXT, (Turn("assistant", "one"),), (Turn("assistant", "two"),), gold="A")


def rows(id: str, order: Order) -> list[Judgment]:
    tell, ask = ["Task", "Inform"], ["Task", f"Ask {HOSTILE}"]
    acts = {"context": [[ask], [tell], [tell]], "a": [[tell]], "b": [[ask]]}
    maxims = dict.fromkeys(MAXIMS, "A")
    return [
        Judgment(id, "da@m", "preference", answer="A", order=order, details={"acts": acts}),
        Judgment(id, "maxim@m", "preference", answer="A", order=order, details={"maxims": maxims}),
    ]


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    votes = [row for n in range(4) for order in ("AB", "BA") for row in rows(f"p{n}", order)]
    write(tmp_path / "votes.jsonl", votes)
    write(tmp_path / "pairs.jsonl", [pair(f"p{n}") for n in range(4)])
    return str(tmp_path / "votes.jsonl"), str(tmp_path / "pairs.jsonl")


def run(*arguments: str) -> Any:
    return CliRunner().invoke(app, ["acts", *arguments], catch_exceptions=False)


def test_show_may_be_left_out(files: tuple[str, str]) -> None:
    votes, pairs = files
    first = run(votes, "--items", pairs, "--json")
    assert first.exit_code == 0
    assert first.stdout == run("show", votes, "--items", pairs, "--json").stdout


def test_json_is_one_object_with_shares_and_signatures(files: tuple[str, str]) -> None:
    votes, pairs = files
    found = json.loads(run(votes, "--items", pairs, "--json").stdout)
    study = found["studies"]["da@m + maxim@m"]
    assert found["signature"]
    assert study["signature"]
    assert study["items"] == {"acts": 4, "maxims": 4}
    assert study["crossed"]["different"]["chosen_more"] == {
        "count": 4, "percent": 100.0, "interval": [51.01, 100.0],
    }  # fmt: skip
    change = study["acts"]["changes"]["function"]["user"]["turns"]
    assert (change["count"], change["percent"]) == (4, 100.0)
    assert study["maxims"]["asymmetry"]["estimate"] == 12
    assert study["acts"]["validity"]["hallucinated"]["count"] == 8


def test_the_tables_show_no_control_characters(files: tuple[str, str]) -> None:
    votes, pairs = files
    done = run(votes, "--items", pairs)
    assert done.exit_code == 0
    for title in ("How often acts change", "Who keeps to each maxim", "What follows an act"):
        assert title in done.stdout
    assert "\x1b[31m" not in done.stdout


def test_the_page_holds_figures_and_escapes_what_others_wrote(
    files: tuple[str, str], tmp_path: Path
) -> None:
    votes, pairs = files
    page = tmp_path / "acts.html"
    assert run(votes, "--items", pairs, "--report", str(page)).exit_code == 0
    text = page.read_text("utf-8")
    assert text.count("<svg") >= 5
    assert "<script" not in text


def test_judges_and_taxonomy_can_be_chosen(files: tuple[str, str], tmp_path: Path) -> None:
    votes, pairs = files
    own = tmp_path / "own.toml"
    name = json.dumps(f"Ask {HOSTILE}")
    own.write_text(f'extends = "iso-24617-2"\n[functions.x]\ngeneral = true\n{name} = "x"\n')
    done = run(votes, "--items", pairs, "--judges", "da@m", "--taxonomy", str(own), "--json")
    (study,) = json.loads(done.stdout)["studies"].values()
    assert study["maxims"] is None
    assert study["acts"]["validity"]["hallucinated"]["count"] == 0
    with pytest.raises(ConfigError, match="no taxonomy"):
        run(votes, "--items", pairs, "--taxonomy", "none")


def test_items_may_stand_among_the_judgments_and_gold_too(tmp_path: Path) -> None:
    both = tmp_path / "both.jsonl"
    write(both, [pair("p0"), *rows("p0", "AB")])
    found = json.loads(run(str(both), "--json").stdout)
    assert found["studies"]["da@m + maxim@m"]["gold"] == 1


def test_gold_can_be_a_judge(files: tuple[str, str], tmp_path: Path) -> None:
    votes, _ = files
    bare = tmp_path / "bare.jsonl"
    write(bare, [Pair(f"p{n}", CONTEXT, pair("").a, pair("").b) for n in range(4)])
    gold = tmp_path / "gold.jsonl"
    write(gold, [Judgment("p1", "anna", "preference", answer="B", kind="person")])
    done = run(votes, str(gold), "--items", str(bare), "--gold", "anna", "--json")
    study = json.loads(done.stdout)["studies"]["da@m + maxim@m"]
    assert study["gold"] == 1
    assert study["crossed"]["different"]["rejected_more"]["count"] == 1


def test_too_many_invalid_votes_exit_with_1(files: tuple[str, str], tmp_path: Path) -> None:
    votes, pairs = files
    failed = tmp_path / "failed.jsonl"
    write(
        failed,
        [Judgment("p9", "da@m", "preference", order="AB", unscored=Unscored("refused", ""))],
    )
    assert run(votes, str(failed), "--items", pairs).exit_code == 1
    assert run(votes, str(failed), "--items", pairs, "--max-unscored", "20").exit_code == 0


def test_without_items_or_acts_it_says_what_is_missing(
    files: tuple[str, str], tmp_path: Path
) -> None:
    votes, pairs = files
    with pytest.raises(DataError, match="--items"):
        run(votes)
    other = tmp_path / "io.jsonl"
    write(other, [Judgment("p0", "io@m", "preference", answer="A", order="AB")])
    with pytest.raises(DataError, match="no judgment here holds dialogue acts"):
        run(str(other), "--items", pairs)


@pytest.mark.skipif(not DATA.is_dir(), reason="the research data are not here")
def test_two_items_of_one_id_are_refused(files: tuple[str, str], tmp_path: Path) -> None:
    votes, pairs = files
    other = Pair("p0", CONTEXT[:1], (Turn("assistant", "1"),), (Turn("assistant", "2"),))
    write(tmp_path / "other.jsonl", [other])
    with pytest.raises(DataError, match="two items have the id 'p0'"):
        run(votes, "--items", pairs, "--items", str(tmp_path / "other.jsonl"))


def test_a_folder_that_cannot_be_written_is_said_before_training(tmp_path: Path) -> None:
    acts = {"context": [[["Task", "Inform"]]] * 3, "a": [[["Task", "Inform"]]]}
    acts["b"] = acts["a"]
    votes = [Judgment(f"p{n}", "da@m", "preference", answer="A", details={"acts": acts})
             for n in range(10)]  # fmt: skip
    write(tmp_path / "votes.jsonl", votes)
    write(tmp_path / "pairs.jsonl", [pair(f"p{n}") for n in range(10)])
    (tmp_path / "file").write_text("")
    given = (str(tmp_path / "votes.jsonl"), "--items", str(tmp_path / "pairs.jsonl"))
    with pytest.raises(OutputError, match="cannot be made"):
        run("train", *given, "--least", "1", "--out", str(tmp_path / "file" / "x"))


def test_amulets_files_are_read_as_they_were_released() -> None:
    done = run(
        str(DATA / "outputs-gpt4o.jsonl.gz"), "--items", str(DATA / "instances.jsonl"), "--json"
    )
    (study,) = json.loads(done.stdout)["studies"].values()
    assert study["crossed"]["same"]["percent"] == 22.83
    assert study["crossed"]["different"]["chosen_more"]["percent"] == 59.13
    assert study["acts"]["following"]["function"]["percent"] == 82.71
