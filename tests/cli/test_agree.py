"""`assize agree`, as a user runs it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from command_line import read_json, read_refusal, run

import assize

BAD = "<b>bad</b>\x1b[31m"


@pytest.fixture
def judged(lines: Callable[[str, Sequence[Any]], str]) -> str:
    """Gold, two judges and three failures, on pairs; one judge's name is hostile."""
    rng = np.random.default_rng(0)
    rows: list[dict[str, Any]] = []
    for number in range(60):
        row: dict[str, Any] = {"item": f"p{number}", "question": "preference"}
        gold, other = rng.permutation(["A", "B"]).tolist()
        rows.append(row | {"judge": "gold", "answer": gold})
        for judge, right in (("good", 0.9), (BAD, 0.5)):
            rows.append(row | {"judge": judge, "answer": gold if rng.random() < right else other})
    for row in rows[1:9:3]:
        row |= {"answer": None, "unscored": {"reason": "parse", "message": ""}}
    return lines("judgments.jsonl", rows)


def test_options_reach_the_figures_and_their_settings(
    judged: str, lines: Callable[[str, Sequence[Any]], str]
) -> None:
    items = [
        {
            "id": f"p{number}",
            "context": [{"role": "user", "text": "?"}],
            "a": [{"role": "assistant", "text": "x" * (1 + number)}],
            "b": [{"role": "assistant", "text": "y" * 30}],
            "metadata": {"topic": f"t{number % 12}"},
        }
        for number in range(60)
    ]
    options = (
        *("--compare", "good", BAD, "--question", "preference", "--judges", f"good,{BAD}"),
        *("--items", lines("pairs.jsonl", items), "--cluster", "topic", "--audit"),
        *("--votes", "mean", "--interval", "percentile", "--resamples", "99", "--seed", "5"),
    )
    agreement = read_json("agree", judged, *options)
    counts = [(row["judge"], row["n"], row["unscored"]) for row in agreement["judges"]]
    assert counts == [("gold", 60, 0), ("good", 57, 3), (BAD, 60, 0)]
    assert agreement["comparisons"][0]["better"] == "good"
    audits = {
        row["audit"]: row["estimate"] for row in agreement["audits"] if row["judge"] == "good"
    }
    assert audits["with length, at equal gold"]["n"] == 57
    wanted = {"clusters": "topic", "votes": "mean", "seed": 5, "permutations": 10_000}
    assert wanted.items() <= agreement["settings"].items()
    assert agreement["settings"]["interval"].startswith("percentile")
    assert read_json("agree", judged, *options)["signature"] == agreement["signature"]


def test_every_kind_of_interval_is_offered_for_every_scale(
    lines: Callable[[str, Sequence[Any]], str],
) -> None:
    rng = np.random.default_rng(2)
    rows = [
        {"item": f"i{number}", "judge": judge, "question": question, **answer}
        for number in range(40)
        for judge in ("gold", "one", "two")
        for question, answer in (
            ("stars", {"answer": str(rng.integers(1, 6))}),
            ("score", {"score": float(rng.normal())}),
            ("topic", {"answer": str(rng.choice(["x", "y", "z"]))}),
        )
    ]
    path = lines("j.jsonl", rows)
    for method in ("jackknife", "percentile"):
        options = ("--interval", method, "--resamples", "60", "--permutations", "60")
        for pair in read_json("agree", path, *options, "--compare", "one", "two")["pairs"]:
            for figure in (part for part in pair.values() if isinstance(part, dict)):
                low, high = figure["interval"]
                assert figure["reason"] if low is None else low <= high


def test_tables_and_page_show_hostile_names_as_text(judged: str, tmp_path: Path) -> None:
    pytest.importorskip("vl_convert")
    page = tmp_path / "out.html"
    shown = run("agree", judged, "--report", page, "--compare", "good", BAD, "--audit").stdout
    for part in ("Judges, two at a time", "accuracy", "Closer to gold", "agree=preference|data="):
        assert part in shown
    assert "\x1b[31m" not in shown
    text = page.read_text()
    assert "<svg" in text
    assert "<b>bad" not in text
    assert "&lt;b&gt;bad&lt;/b&gt;" in text
    assert "\x1b" not in text
    assert "http://" not in text.replace("http://www.w3.org", "")


def test_raters_have_a_page_of_their_own_and_choose_questions(
    lines: Callable[[str, Sequence[Any]], str], tmp_path: Path
) -> None:
    pytest.importorskip("vl_convert")
    rows = [
        {"item": f"i{n}", "judge": name, "question": asked, "answer": str(n % 5), "kind": "person"}
        for n in range(12)
        for name in ("ann", "bob", "cy")
        for asked in ("clear", "kind")
    ]
    judged, page = lines("ratings.jsonl", rows), tmp_path / "raters.html"
    run("agree", judged, "--raters", "--report", page)
    assert "<svg" in page.read_text()
    assert "Raters over all questions" in page.read_text()
    report = read_json("agree", judged, "--raters", "--question", "kind")
    assert {row["question"] for row in report["overall"]} == {"kind"}


def test_more_unscored_than_allowed_exits_with_1(judged: str) -> None:
    run("agree", judged, "--max-unscored", "1", code=1)
    run("agree", judged, "--max-unscored", "2")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--cluster", "topic"], "item 'p0' is not among --items"),
        (["--own", "good"], "good: write two words"),
        (["--same", "preference=other"], "no question 'other'"),
        (["--confidence", "2"], "--confidence: received 2.0, allowed is 0.5 to 0.999999"),
    ],
)
def test_what_cannot_be_is_said(judged: str, options: list[str], message: str) -> None:
    assert message in read_refusal("agree", judged, *options)


def test_files_without_judgments_are_an_error(lines: Callable[[str, Sequence[Any]], str]) -> None:
    chats = lines("c.jsonl", [{"id": "c", "turns": [{"role": "user", "text": "Hi"}]}])
    assert "there is no judgment here" in read_refusal("agree", chats)


def test_published_votes_agree_with_their_gold_as_their_readme_says(
    corpus: Callable[[str], Path],
) -> None:
    votes = corpus("pandalm")
    pairs = read_json("agree", votes / "items.jsonl", votes / "judgments.jsonl")["pairs"]
    share = {
        pair["first"]: pair["agreement"]["estimate"] * pair["n"] / 999
        for pair in pairs
        if pair["second"] == "gold"
    }
    assert share["gpt-3.5-turbo"] == pytest.approx(0.70, abs=0.005)
    assert share["pandalm-7b"] == pytest.approx(0.67, abs=0.005)


def test_published_raters_that_are_positions_are_not_paired(
    tmp_path: Path, corpus: Callable[[str], Path]
) -> None:
    table = assize.read_judgments(corpus("uss"))
    assize.write(tmp_path / "judgments.jsonl", table.where(item=set(table.items[:60])))
    agreement = read_json("agree", tmp_path / "judgments.jsonl")
    assert agreement["pairs"] == []
    assert "anonymous" in agreement["notes"][0]
    overall = {row["statistic"]: row["estimate"] for row in agreement["overall"]}
    assert overall["alpha (ordinal)"]["n"] > 100


def test_published_scores_correlate_with_people_as_their_readme_says(
    corpus: Callable[[str], Path],
) -> None:
    options = ("--same", "overall=interesting", "--question", "interesting", "--gold", "people")
    pairs = read_json("agree", corpus("reliable-eval"), *options)["pairs"]
    (pair,) = [row for row in pairs if (row["first"], row["second"]) == ("gpt-4", "people")]
    assert pair["n"] == 362  # of the 500; the others are held out
    assert pair["spearman"]["unscored"] == 0
    low, high = pair["spearman"]["interval"]
    assert low < 0.419 < high
