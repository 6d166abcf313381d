from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from assize.cli import app
from assize.conversation import Conversation, Turn
from assize.formats import write
from assize.judgment import Judgment, Question

ANSWERS = ("1", "2", "3", "4")
QUESTION = Question("Q0", kind="ordinal", answers=ANSWERS, values=(1, 2, 3, 4))


def run(*arguments: str, code: int = 0) -> Any:
    done = CliRunner().invoke(app, ["calibrate", *arguments])
    assert done.exit_code == code, done.output + repr(done.exception)
    return done


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A calibrator of two raters, and held ratings in which answers about German
    conversations are one lower."""
    rng = np.random.default_rng(0)
    answers: list[Judgment] = []
    seen: list[Judgment] = []
    held: list[Judgment] = []
    chats: list[Conversation] = []
    for n in range(400):
        p = rng.dirichlet(np.ones(4))
        shares = dict(zip(ANSWERS, p.tolist(), strict=True))
        answers.append(Judgment(f"i{n}", "m", "Q0", distribution=shares, kind="model"))
        german = n % 2 == 0
        turns = (Turn("user", "hello"), Turn("assistant", "hi"))
        about = {"language": "de" if german else "en"}
        chats.append(Conversation(f"i{n}", turns, system=f"s{n % 3}", metadata=about))
        for rater in ("ann", "bob"):
            given = int(rng.choice(4, p=p)) + 1
            if n >= 150 and german:
                given = max(1, given - 1)
            rows = seen if n < 150 else held
            rows.append(Judgment(f"i{n}", rater, "Q0", answer=str(given), kind="person"))
    held.append(Judgment("i399", "eve", "Q0", answer="1", kind="person"))
    held.append(Judgment("nothing", "ann", "Q0", answer="1", kind="person"))
    for name, rows in (("answers", answers), ("seen", seen), ("held", held)):
        write(tmp_path / f"{name}.jsonl", rows, questions=[QUESTION])
    write(tmp_path / "chats.jsonl", chats)
    run("fit", "-a", str(tmp_path / "answers.jsonl"), "-r", str(tmp_path / "seen.jsonl"),
        "-t", "Q0", "--out", str(tmp_path / "c"))  # fmt: skip
    return tmp_path


def asked(folder: Path, *more: str) -> list[str]:
    held = str(folder / "held.jsonl")
    return ["audit", str(folder / "c"), "-a", str(folder / "answers.jsonl"), "-r", held, *more]


def test_an_audit_finds_the_group_that_is_misjudged(folder: Path) -> None:
    chats = str(folder / "chats.jsonl")
    by = ("--by", "metadata.language", "--by", "system", "--by", "rater")
    found = json.loads(run(*asked(folder, "--items", chats, *by, "--json")).stdout)
    groups = {(one["field"], one["group"]): one for one in found["groups"]}
    german = groups["metadata.language", "de"]
    assert german["bias"]["estimate"] > 0.4
    assert german["tests"]["bias"]["holm"] < 0.001
    assert groups["system", "s0"]["tests"]["bias"]["holm"] > 0.05
    assert groups["rater", "eve"]["n"] == 1
    assert groups["rater", "eve"]["tests"]["bias"]["p_value"] is None
    assert (found["all"]["n"], found["unknown_raters"]) == (501, 1)
    assert found["ratings_without_answers"] == 1
    gaps = {(one["field"], one["figure"]): one["group"] for one in found["worst"]}
    assert gaps["metadata.language", "bias"] == "de"
    again = json.loads(run(*asked(folder, "--items", chats, *by, "--json")).stdout)
    assert again == found


def test_a_table_stands_for_every_field(folder: Path) -> None:
    done = run(*asked(folder, "--items", str(folder / "chats.jsonl")))
    assert "Q0 by rater" in done.stdout
    assert "Q0 by system" in done.stdout
    assert "Worst group less everybody" in done.stdout
    assert "ratings without answers: 1" in done.output


def test_metadata_needs_conversations(folder: Path) -> None:
    done = CliRunner().invoke(app, ["calibrate", *asked(folder, "--by", "metadata.language")])
    assert "give the conversations that have it with --items" in str(done.exception)


def test_answers_without_order_are_audited_without_means(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    kinds = Question("q", kind="nominal", answers=("cat", "dog", "fox"))
    ordered = Question("z", kind="ordinal", answers=("1", "2"), values=(1, 2))
    said: list[Judgment] = []
    rated: list[Judgment] = []
    for n in range(60):
        for one in (kinds, ordered):
            p = rng.dirichlet(np.ones(len(one.answers))).tolist()
            shares = dict(zip(one.answers, p, strict=True))
            said.append(Judgment(f"i{n}", "m", one.id, distribution=shares, kind="model"))
        for rater in ("10", "9", "x" * 40):
            answer = kinds.answers[rng.integers(3)]
            rated.append(Judgment(f"i{n}", rater, "q", answer=answer, kind="person"))
    write(tmp_path / "answers.jsonl", said, questions=[kinds, ordered])
    write(tmp_path / "held.jsonl", rated, questions=[kinds])
    pair = ("-a", str(tmp_path / "answers.jsonl"), "-r", str(tmp_path / "held.jsonl"))
    run("fit", *pair, "-t", "q", "--out", str(tmp_path / "c"))
    done = run("audit", str(tmp_path / "c"), *pair)
    lines = [line.split() for line in done.stdout.splitlines() if line.strip()]
    assert lines[1] == ["rater", "n", "loss", "ece", "p", "loss"]
    assert [line[0] for line in lines[3:7]] == ["all", "9", "10", "x" * 15 + "..." + "x" * 6]
    found = json.loads(run("audit", str(tmp_path / "c"), *pair, "--json").stdout)
    assert "rmse" not in found["all"]


def test_files_of_the_other_kind_are_named(folder: Path) -> None:
    answers, held = str(folder / "answers.jsonl"), str(folder / "held.jsonl")
    for pair, said in (
        (("-a", answers, "-r", answers), "no judgment here is by a person"),
        (("-a", held, "-r", held), "ratings by people; give a model's answers"),
    ):
        done = CliRunner().invoke(app, ["calibrate", "audit", str(folder / "c"), *pair])
        assert said in str(done.exception)
