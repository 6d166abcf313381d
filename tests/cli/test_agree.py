"""`assize agree`, as a user runs it."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import assize
from assize.base.errors import AssizeError
from assize.cli import app


def agree(*arguments: str | Path) -> tuple[int, str, str]:
    """Exit code, stdout and stderr."""
    done = CliRunner().invoke(app, ["agree", *map(str, arguments)], terminal_width=200)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done.exit_code, done.stdout, done.stderr


def write(path: Path, rows: Sequence[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.fixture
def judged(tmp_path: Path) -> Path:
    """Gold, two judges and three failures, on pairs; one judge's name is hostile."""
    rng = np.random.default_rng(0)
    rows: list[dict[str, Any]] = []
    for at in range(60):
        gold = str(rng.choice(["A", "B"]))
        rows.append({"item": f"p{at}", "judge": "gold", "question": "preference", "answer": gold})
        for judge, right in (("good", 0.9), ("<b>bad</b>\x1b[31m", 0.5)):
            answer = gold if rng.random() < right else {"A": "B", "B": "A"}[gold]
            row: dict[str, Any] = {
                "item": f"p{at}",
                "judge": judge,
                "question": "preference",
                "answer": answer,
            }
            if judge == "good" and at < 3:
                row = row | {"answer": None, "unscored": {"reason": "parse", "message": ""}}
            rows.append(row)
    return write(tmp_path / "judgments.jsonl", rows)


BAD = "<b>bad</b>\x1b[31m"


def test_the_json_holds_every_figure_with_n_and_unscored(judged: Path) -> None:
    code, out, _ = agree(judged, "--json", "--compare", "good", BAD)
    assert code == 0
    found = json.loads(out)
    counts = {row["judge"]: (row["n"], row["unscored"]) for row in found["judges"]}
    assert counts["good"] == (57, 3)
    pair = found["pairs"][0]
    assert (pair["first"], pair["second"], pair["n"]) == ("good", "gold", 57)
    accuracy = pair["accuracy"]
    assert (accuracy["n"], accuracy["unscored"]) == (57, 3)
    assert accuracy["interval"][0] < accuracy["estimate"] < accuracy["interval"][1]
    assert found["comparisons"][0]["better"] == "good"
    assert found["settings"]["permutations"] == 10_000
    assert found["signature"]
    overall = {row["statistic"]: row["estimate"]["estimate"] for row in found["overall"]}
    assert overall["perfect"] + overall["no plurality"] == pytest.approx(1)


def test_the_same_command_prints_the_same_and_another_seed_another_signature(judged: Path) -> None:
    options = ("--compare", "good", BAD, "--interval", "percentile", "--resamples", "99")
    first = agree(judged, *options)
    assert first == agree(judged, *options)
    other = agree(judged, *options, "--seed", "5", "--json")[1]
    assert json.loads(other)["signature"] not in first[1]


def test_every_kind_of_interval_is_offered_for_every_scale(tmp_path: Path) -> None:
    rng = np.random.default_rng(2)
    rows = [
        {"item": f"i{at}", "judge": judge, "question": question, **answer}
        for at in range(40)
        for judge in ("gold", "one", "two")
        for question, answer in (
            ("stars", {"answer": str(rng.integers(1, 6))}),
            ("score", {"score": float(rng.normal())}),
            ("topic", {"answer": str(rng.choice(["x", "y", "z"]))}),
        )
    ]
    path = write(tmp_path / "j.jsonl", rows)
    for method in ("jackknife", "percentile"):
        options = ("--interval", method, "--resamples", "60", "--permutations", "60")
        code, out, _ = agree(path, *options, "--compare", "one", "two", "--json")
        assert code == 0
        for pair in json.loads(out)["pairs"]:
            for figure in (one for one in pair.values() if isinstance(one, dict)):
                low, high = figure["interval"]
                assert figure["reason"] if low is None else low <= high


def test_the_table_shows_judges_pairs_comparison_and_signature(judged: Path) -> None:
    code, out, _ = agree(judged, "--compare", "good", BAD)
    assert code == 0
    for part in ("Each two judges", "accuracy", "Closer to gold", "difference"):
        assert part in out
    assert "agree=preference|data=" in out
    assert "\x1b[31m" not in out


def test_the_page_is_self_contained_and_escapes_what_it_shows(judged: Path, tmp_path: Path) -> None:
    pytest.importorskip("vl_convert")
    page = tmp_path / "out.html"
    assert agree(judged, "--report", page, "--compare", "good", BAD, "--audit")[0] == 0
    text = page.read_text()
    assert "<svg" in text
    assert "<b>bad" not in text
    assert "&lt;b&gt;bad&lt;/b&gt;" in text
    assert "\x1b" not in text
    assert "http://" not in text.replace("http://www.w3.org", "")


def test_more_unscored_than_allowed_exits_with_1(judged: Path) -> None:
    assert agree(judged, "--max-unscored", "1")[0] == 1
    assert agree(judged, "--max-unscored", "2")[0] == 0


def test_only_the_named_question_and_judges_are_shown(judged: Path) -> None:
    _, out, _ = agree(judged, "--question", "preference", "--judges", f"good,{BAD}", "--json")
    judges = [row["judge"] for row in json.loads(out)["judges"]]
    assert judges == ["gold", "good", BAD]


def test_items_give_clusters_and_lengths(judged: Path, tmp_path: Path) -> None:
    items = write(
        tmp_path / "pairs.jsonl",
        [
            {
                "id": f"p{at}",
                "context": [{"role": "user", "text": "?"}],
                "a": [{"role": "assistant", "text": "x" * (1 + at)}],
                "b": [{"role": "assistant", "text": "y" * 30}],
                "metadata": {"topic": f"t{at % 12}"},
            }
            for at in range(60)
        ],
    )
    _, out, _ = agree(judged, "--items", items, "--cluster", "topic", "--audit", "--json")
    found = json.loads(out)
    assert found["settings"]["clusters"] == "topic"
    audit = {row["audit"]: row["estimate"] for row in found["audits"] if row["judge"] == "good"}
    assert audit["with length, at equal gold"]["n"] == 57
    assert audit["unscored, all"]["estimate"] == pytest.approx(3 / 60)


def test_several_questions_are_adjusted_by_holm(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    rows = [
        {"item": f"i{at}", "judge": judge, "question": question, "score": float(rng.normal())}
        for at in range(20)
        for judge in ("gold", "one", "two")
        for question in ("q1", "q2")
    ]
    _, out, err = agree(write(tmp_path / "j.jsonl", rows), "--compare", "one", "two")
    assert "(Holm)" in out
    assert "scales guessed from the answers seen: q1, q2" in err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--gold", "nobody"], "no judge 'nobody' among these judgments"),
        (["--question", "q9"], "no question 'q9'; asked were preference"),
        (["--judges", "good,nobody"], "no judge 'nobody'"),
        (["--cluster", "topic"], "item 'p0' is not among --items"),
        (["--own", "good"], "good: write two words"),
        (["--same", "preference=other"], "no question 'other'"),
        (["--confidence", "2"], "--confidence: received 2.0, allowed is 0.5 to 0.999999"),
    ],
)
def test_what_cannot_be_is_said(judged: Path, options: list[str], message: str) -> None:
    with pytest.raises(AssizeError, match=message):
        agree(judged, *options)


def test_compare_needs_gold(tmp_path: Path) -> None:
    rows = [{"item": "i", "judge": name, "question": "q", "score": 1.0} for name in "ab"]
    with pytest.raises(AssizeError, match="compare needs gold"):
        agree(write(tmp_path / "j.jsonl", rows), "--compare", "a", "b")


def test_files_without_judgments_are_an_error(tmp_path: Path) -> None:
    chats = write(tmp_path / "c.jsonl", [{"id": "c", "turns": [{"role": "user", "text": "Hi"}]}])
    with pytest.raises(AssizeError, match="there is no judgment here"):
        agree(chats)


def test_published_votes_agree_with_their_gold_as_their_readme_says(
    corpus: Callable[[str], Path],
) -> None:
    votes = corpus("pandalm")
    _, out, _ = agree(votes / "items.jsonl", votes / "judgments.jsonl", "--json")
    share = {
        pair["first"]: pair["agreement"]["estimate"] * pair["n"] / 999
        for pair in json.loads(out)["pairs"]
        if pair["second"] == "gold"
    }
    assert share["gpt-3.5-turbo"] == pytest.approx(0.70, abs=0.005)
    assert share["pandalm-7b"] == pytest.approx(0.67, abs=0.005)


def test_published_raters_that_are_positions_are_not_paired(
    tmp_path: Path, corpus: Callable[[str], Path]
) -> None:
    table = assize.read_judgments(corpus("uss"))
    few = table.where(item=set(table.items[:60]))
    assize.write(tmp_path / "judgments.jsonl", few)
    _, out, _ = agree(tmp_path / "judgments.jsonl", "--json")
    found = json.loads(out)
    assert found["pairs"] == []
    assert "anonymous" in found["notes"][0]
    overall = {row["statistic"]: row["estimate"] for row in found["overall"]}
    assert overall["alpha (ordinal)"]["n"] > 100


def test_published_scores_correlate_with_people_as_their_readme_says(
    corpus: Callable[[str], Path],
) -> None:
    source = corpus("reliable-eval")
    options = ("--same", "overall=interesting", "--question", "interesting", "--gold", "people")
    _, out, _ = agree(source, *options, "--json")
    pairs = json.loads(out)["pairs"]
    (pair,) = [one for one in pairs if (one["first"], one["second"]) == ("gpt-4", "people")]
    assert pair["n"] == 362  # of the 500; the others are held out
    assert pair["spearman"]["unscored"] == 0
    low, high = pair["spearman"]["interval"]
    assert low < 0.419 < high


def test_votes_that_differ_by_order_are_a_tie_or_count_by_their_mean(tmp_path: Path) -> None:
    # gold is A throughout. p0: A and tie: a tie for `agree`, A for `mean`. p1: A and B: a tie
    # either way. p2: A in one order alone: unscored for `agree`, A for `mean`.
    votes = [
        ("p0", "AB", "A"),
        ("p0", "BA", "tie"),
        ("p1", "AB", "A"),
        ("p1", "BA", "B"),
        ("p2", "AB", "A"),
    ]
    fixed = {"question": "preference"}
    rows: list[dict[str, Any]] = [
        fixed | {"item": f"p{n}", "judge": "gold", "answer": "A"} for n in range(3)
    ]
    rows += [
        fixed | {"item": item, "judge": "j", "order": order, "answer": answer}
        for item, order, answer in votes
    ]
    path = write(tmp_path / "j.jsonl", rows)

    def told(*more: str) -> list[float]:
        _, out, _ = agree(path, "--json", "--max-unscored", "100", *more)
        found = json.loads(out)
        (judge,) = [row for row in found["judges"] if row["judge"] == "j"]
        right = found["pairs"][0]["accuracy_with_tie"]
        return [judge["n"], judge["unscored"], judge["split_votes"], right["estimate"]]

    assert told() == told("--votes", "agree") == [2, 1, 2, 0]
    assert told("--votes", "mean") == pytest.approx([3, 0, 1, 2 / 3])
