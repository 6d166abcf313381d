"""`assize calibrate next --routing` as users call it."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from assize.calibration import load_routing
from assize.cli import app
from assize.conversation import Conversation, Turn
from assize.formats import read_judgments, write
from assize.judgment import Judgment, Question

ANSWERS = ("1", "2", "3", "4")
QUESTIONS = tuple(
    Question(name, kind="ordinal", answers=ANSWERS, values=(1, 2, 3, 4)) for name in ("Q0", "Q1")
)


def run(*arguments: str) -> Any:
    done = CliRunner().invoke(app, ["calibrate", *arguments], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done


@pytest.fixture
def fixed(tmp_path: Path) -> list[str]:
    """Two calibrators of two raters, and 60 conversations, every other one German."""
    rng = np.random.default_rng(0)
    answers, ratings, chats = [], [], []
    for n in range(60):
        p = rng.dirichlet(np.ones(4))
        shares = dict(zip(ANSWERS, p.tolist(), strict=True))
        language = {"language": ("de", "en")[n % 2]}
        chats.append(Conversation(f"i{n}", (Turn("user", "hi"),), metadata=language))
        for question in QUESTIONS:
            answers.append(Judgment(f"i{n}", "m", question.id, distribution=shares, kind="model"))
            for name in ("ann", "bob"):
                said = str(rng.choice(4, p=p) + 1)
                ratings.append(Judgment(f"i{n}", name, question.id, answer=said, kind="person"))
    write(tmp_path / "answers.jsonl", answers, questions=QUESTIONS)
    write(tmp_path / "ratings.jsonl", ratings, questions=QUESTIONS)
    write(tmp_path / "chats.jsonl", chats)
    source = str(tmp_path / "answers.jsonl")
    for target in ("Q0", "Q1"):
        run("fit", "-a", source, "-r", str(tmp_path / "ratings.jsonl"), "-t", target,
            "--out", str(tmp_path / target), "-q")  # fmt: skip
    return ["next", str(tmp_path / "Q0"), str(tmp_path / "Q1"), "-a", source, "--count", "30"]


def routed(tmp_path: Path, text: str) -> list[str]:
    (tmp_path / "routing.yaml").write_text(text)
    return ["--routing", str(tmp_path / "routing.yaml"), "--items", str(tmp_path / "chats.jsonl")]


RULES = """
# Everyone rates a little; only dora, who is new, reads German.
- who: everyone
  items: {metadata.language: en}
  at_most: 4
- who: dora
  questions: [Q0]
  items:
    metadata.language: de
  cost: 1.5
  at_most: 6
  not:
    items: [i0, i2, i99]
"""


def test_the_routing_is_kept_and_what_it_excludes_is_told(fixed: list[str], tmp_path: Path) -> None:
    done = run(*fixed, *routed(tmp_path, RULES), "--json")
    found = json.loads(done.stdout)
    counted = Counter(row["rater"] for row in found["next"])
    assert counted == {"ann": 4, "bob": 4, "dora": 10}
    for row in found["next"]:
        german = int(row["item"][1:]) % 2 == 0
        assert not german or (row["rater"], row["question"]) == ("dora", "Q0")
        assert row["cost"] == (1.5 if german else 1)
        assert row["item"] not in ("i0", "i2")
    assert found["candidates"] == 60 * 2 * 3
    assert found["excluded"] == 60 * 2 * 3 - (30 * 2 * 3 + 28)
    assert set(found["at_limit"]) == {"ann", "bob", "dora"}
    assert found["new_raters"] == ["dora"]
    assert found["unknown_items"] == ["i99"]
    worth = [row["gain"] / row["cost"] for row in found["next"]]
    assert worth == sorted(worth, reverse=True)
    plain = json.loads(run(*fixed, "--json").stdout)
    assert {row["rater"] for row in plain["next"]} == {"ann", "bob"}
    assert (plain["excluded"], plain["candidates"]) == (0, 60 * 2 * 2)
    assert found["signature"] != plain["signature"]
    shown = run(*fixed, *routed(tmp_path, RULES))
    assert "excluded by the routing" in shown.stderr
    assert "dora: not known to every calibrator" in shown.stderr
    assert "i99: named in the routing, and none of the items" in shown.stderr
    assert "gain/cost" in shown.stdout


def test_the_example_of_the_docs_is_a_routing(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "calibration.md").read_text()
    (example,) = [part.split("```")[0] for part in page.split("```yaml\n")[1:] if "who:" in part]
    (tmp_path / "routing.yaml").write_text(example)
    found = load_routing(str(tmp_path / "routing.yaml"))
    assert [rule.at_most for rule in found.rules] == [20, None, 0]
    assert found.people == ("ann", "dora")
    assert found.fields == ("metadata.language",)


@pytest.mark.parametrize("name", ["requests.jsonl", "requests.csv", "requests.parquet"])
def test_requests_are_written_and_not_made_twice(
    fixed: list[str], tmp_path: Path, name: str
) -> None:
    out = str(tmp_path / name)
    found = json.loads(run(*fixed, "--json", "--out", out).stdout)
    table = read_judgments([out])
    assert [(row.item, row.judge, row.question) for row in table] == [
        (row["item"], row["rater"], row["question"]) for row in found["next"]
    ]
    assert table.unscored == len(table) == 30
    assert not table.inferred
    again = json.loads(run(*fixed, "--json", "--ratings", out).stdout)
    pairs = {(row["item"], row["rater"], row["question"]) for row in again["next"]}
    assert not pairs & {(row.item, row.judge, row.question) for row in table}
    assert again["rated"] == 30


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("- who: ann\n  asks: Q0\n", "routing.yaml:2: rule 1, asks: no such key; allowed are who"),
        ("- who: ann\n- who: bob\n  questions: Q7\n", "routing.yaml:3: rule 2, questions: no"),
        ("- who: ann\n  at_most: few\n", "routing.yaml:2: rule 1, at_most: received 'few'"),
        ("- who: ann\n  items: {pattern: '^x'}\n", "routing.yaml:2: rule 1, items: this"),
        ("- who: ann\n  not: {who: [ann]}\n", "routing.yaml:2: rule 1, not: this leaves nobody"),
        ("who: ann\n", "routing.yaml:1: expected a list of rules"),
        ("# nobody yet", "routing.yaml: the file is empty"),
        ("- who: [ann\n", "not YAML"),
        ("- who: ann\n  who: bob\n", "routing.yaml:2: 'who' stands twice"),
        ("- who: ann\n  items: {metadata.mood: x}\n", "none of the 60 items has a metadata.mood"),
    ],
)  # fmt: skip
def test_a_bad_routing_is_told_with_its_line(
    fixed: list[str], tmp_path: Path, text: str, said: str
) -> None:
    done = CliRunner().invoke(app, ["calibrate", *fixed, *routed(tmp_path, text)])
    assert said in str(done.exception)
