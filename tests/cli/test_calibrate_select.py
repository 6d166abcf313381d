from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from assize.cli import app
from assize.conversation import Conversation, Turn
from assize.formats import read_judgments, write
from assize.judgment import Judgment, Question

ANSWERS = ("1", "2", "3", "4")
Q0 = Question("Q0", kind="ordinal", answers=ANSWERS, values=(1, 2, 3, 4))


@pytest.fixture
def fixed(tmp_path: Path) -> list[str]:
    """A calibrator of two raters, and answers about 20 prompts with three candidates each."""
    rng = np.random.default_rng(0)
    answers, ratings = [], []
    for n in range(60):
        p = rng.dirichlet(np.full(4, 0.3))
        item = f"p{n // 3}_c{n % 3}"
        shares = dict(zip(ANSWERS, p.tolist(), strict=True))
        answers.append(Judgment(item, "m", "Q0", distribution=shares, kind="model"))
        for name in ("ann", "bob"):
            said = str(rng.choice(4, p=p) + 1)
            ratings.append(Judgment(item, name, "Q0", answer=said, kind="person"))
    write(tmp_path / "answers.jsonl", answers, questions=[Q0])
    write(tmp_path / "ratings.jsonl", ratings, questions=[Q0])
    source = str(tmp_path / "answers.jsonl")
    run("fit", "-a", source, "-r", str(tmp_path / "ratings.jsonl"), "-t", "Q0",
        "--out", str(tmp_path / "c"), "-q")  # fmt: skip
    return ["select", str(tmp_path / "c"), "-a", source]


def run(*arguments: str) -> Any:
    done = CliRunner().invoke(app, ["calibrate", *arguments], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done


def test_one_candidate_a_group_is_chosen(fixed: list[str], tmp_path: Path) -> None:
    out = str(tmp_path / "chosen.jsonl")
    found = json.loads(run(*fixed, "--by", "^(.*)_", "--json", "--out", out).stdout)
    assert (found["groups"], found["chosen"], found["abstained"]) == (20, 20, 0)
    assert found["expected_gain"]["interval"][0] > 0
    table = read_judgments([out])
    assert len(table) == 60
    yes = [row.item for row in table if row.answer == "yes"]
    assert yes == [one["item"] for one in found["selections"]]
    for one in found["selections"]:
        rivals = [row for row in table if (row.details or {})["group"] == one["group"]]
        assert one["reward"] == max((row.details or {})["reward"] for row in rivals)


def test_long_names_are_cut_in_the_tables_and_whole_in_json(
    fixed: list[str], tmp_path: Path
) -> None:
    rows = read_judgments([tmp_path / "answers.jsonl"]).rows()
    long = "a-conversation-with-an-id-as-long-as-they-come-"
    write(
        tmp_path / "answers.jsonl",
        [replace(row, item=long + row.item) for row in rows],
        questions=[Q0],
    )
    for command in ([*fixed, "--by", "^(.*)_"], ["next", *fixed[1:], "--count", "3"]):
        shown = run(*command).stdout
        assert re.search(r"a-convers(ation-)?\.\.\.\S{6} ", shown)
        assert long not in shown
        assert long in run(*command, "--json").stdout


def test_abstentions_are_counted_and_written_as_unscored(fixed: list[str], tmp_path: Path) -> None:
    out = str(tmp_path / "chosen.jsonl")
    more = ("--max-entropy", "0.9", "--trusted", "bob", "--out", out, "--json")
    found = json.loads(run(*fixed, "--by", "^(.*)_", *more).stdout)
    assert 0 < found["abstained"] < 20
    assert found["abstained"] + found["chosen"] == 20
    unscored = [row for row in read_judgments([out]) if row.unscored is not None]
    assert len(unscored) == 3 * found["abstained"]


def test_groups_can_stand_in_the_metadata(fixed: list[str], tmp_path: Path) -> None:
    items = [
        Conversation(f"p{n // 3}_c{n % 3}", (Turn("user", "hi"),), metadata={"prompt": n // 3})
        for n in range(57)
    ]
    write(tmp_path / "items.jsonl", items)
    more = ("--by", "metadata.prompt", "--items", str(tmp_path / "items.jsonl"))
    found = json.loads(run(*fixed, *more, "--json").stdout)
    assert (found["groups"], found["left_out"]) == (19, 3)
    shown = run(*fixed, *more).stdout
    assert "Highest expected Q0" in shown
    assert "p0_c" in shown
    done = CliRunner().invoke(app, ["calibrate", *fixed, "--by", "metadata.prompt"])
    assert "give --items" in str(done.exception)
