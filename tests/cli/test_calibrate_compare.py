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
Q0 = Question("Q0", kind="ordinal", answers=ANSWERS, values=(1, 2, 3, 4))


def answered(path: Path, items: list[str], lean: float, seed: int) -> str:
    rng = np.random.default_rng(seed)
    weights = np.exp(lean * np.arange(4))
    rows = [
        Judgment(item, "m", "Q0", kind="model",
                 distribution=dict(zip(ANSWERS, rng.dirichlet(weights).tolist(), strict=True)))
        for item in items
    ]  # fmt: skip
    write(path, rows, questions=[Q0])
    return str(path)


@pytest.fixture
def old(tmp_path: Path) -> str:
    items = [f"V{n % 2}_{n // 2}" for n in range(60)]
    return answered(tmp_path / "old.jsonl", items, 0.0, 0)


@pytest.fixture
def fitted(tmp_path: Path, old: str) -> str:
    from assize.formats import read_judgments

    rng = np.random.default_rng(1)
    rows = []
    for row in read_judgments([old]):
        said = int(rng.choice(4, p=np.array(list((row.distribution or {}).values()))))
        for name, less in (("ann", 0), ("bob", 1)):
            answer = ANSWERS[max(0, said - less)]
            rows.append(Judgment(row.item, name, "Q0", answer=answer, kind="person"))
    write(tmp_path / "ratings.jsonl", rows, questions=[Q0])
    run("fit", "-a", old, "-r", str(tmp_path / "ratings.jsonl"), "-t", "Q0",
        "--out", str(tmp_path / "c"), "-q")  # fmt: skip
    return str(tmp_path / "c")


def run(*arguments: str) -> Any:
    done = CliRunner().invoke(app, ["calibrate", *arguments], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done


def test_a_better_version_is_found_better_and_the_page_shows_it(
    fitted: str, old: str, tmp_path: Path
) -> None:
    new = answered(tmp_path / "new.jsonl", [f"V{n % 2}_{n // 2}" for n in range(60)], 1.0, 3)
    page = tmp_path / "sets.html"
    fixed = ("compare", fitted, "-a", old, "--against", new, "--resamples", "100")
    found = json.loads(run(*fixed, "--json", "--report", str(page)).stdout)
    gap = found["differences"][0]
    assert (gap["first"], gap["second"], gap["shared"]) == ("answers", "against", 60)
    assert gap["mean"]["interval"][0] > 0
    assert gap["at_most"]["2"]["interval"][1] < 0
    assert "against - answers" in page.read_text()
    assert json.loads(run(*fixed, "--json").stdout) == found
    apart = json.loads(run(*fixed, "--json", "--unpaired").stdout)["differences"][0]
    assert apart["shared"] == 0
    assert apart["mean"]["estimate"] == gap["mean"]["estimate"]


def test_versions_are_told_apart_by_their_ids_or_systems(
    fitted: str, old: str, tmp_path: Path
) -> None:
    fixed = ("compare", fitted, "-a", old, "--json", "--resamples", "50", "--raters", "ann,bob")
    found = json.loads(run(*fixed, "--by", r"V(\d)_", "--trusted", "bob").stdout)
    assert set(found["sets"]) == {"0", "1"}
    assert found["differences"][0]["shared"] == 30  # V0_7 and V1_7 are one conversation
    items = [
        Conversation(f"V{n % 2}_{n // 2}", turns=(Turn("user", "hi"),), system="ab"[n % 2])
        for n in range(50)
    ]
    write(tmp_path / "items.jsonl", items)
    by_system = json.loads(
        run(*fixed, "--by", "system", "--items", f"{tmp_path}/items.jsonl").stdout
    )
    assert set(by_system["sets"]) == {"a", "b"}
    assert by_system["left_out"] == 10
    assert by_system["differences"][0]["shared"] == 0


def test_a_source_of_doubt_can_be_left_out(fitted: str, old: str) -> None:
    fixed = ("compare", fitted, "-a", old, "--json", "--resamples", "200")

    def mean(*more: str) -> list[float]:
        found = json.loads(run(*fixed, *more).stdout)["sets"]["answers"]["mean"]["interval"]
        return list(found)

    whole, less = mean(), mean("--without", "raters")
    assert whole[1] - whole[0] > 1.5 * (less[1] - less[0])
    assert (
        mean("--without", "raters", "--without", "conversations", "--without", "answers")
        == [None] * 2
    )


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (("--by", "("), "is no pattern"),
        (("--by", "V"), "neither system nor metadata.NAME nor a pattern"),
        (("--by", "(z)"), "finds a group in none of 60 ids"),
        (("--by", "system"), "needs the conversations"),
        (("--without", "luck"), "allowed are raters, conversations, answers"),
        (("--trusted", "ann", "--raters", "bob"), "none of --trusted ann"),
    ],
)
def test_bad_options_say_what_is_allowed(
    fitted: str, old: str, more: tuple[str, ...], message: str
) -> None:
    done = CliRunner().invoke(app, ["calibrate", "compare", fitted, "-a", old, *more])
    assert message in str(done.exception)


def test_the_table_shows_both_sets(fitted: str, old: str) -> None:
    shown = run("compare", fitted, "-a", old, "--by", r"V(\d)_", "--resamples", "50").stdout
    assert "Differences, second less first" in shown
    assert "1 - 0" in shown
