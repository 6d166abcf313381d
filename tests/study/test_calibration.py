from __future__ import annotations

import logging
import re
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import assize
from assize import Conversation, Judgment, JudgmentTable, Question, Statistics, Turn
from assize._doors.report import report
from assize.base.errors import ConfigError
from assize.calibrate._study import Study, StudyTables
from assize.stats._studies import KFold, LeaveOut

SCALE = ("1", "2", "3")
ASKED = [Question(name, "?", "ordinal", SCALE, (1.0, 2.0, 3.0)) for name in ("overall", "clear")]


class Pair(NamedTuple):
    answers: JudgmentTable
    ratings: JudgmentTable


@pytest.fixture(scope="module")
def pair() -> Pair:
    """Answers and ratings of twenty conversations by two systems."""
    rng = np.random.default_rng(0)
    said, rated = [], []
    for number in range(20):
        item, level = f"V{number % 2}_{number}", int(rng.integers(0, 3))
        for question in ASKED:
            shares = dict(zip(SCALE, (0.7 * np.eye(3)[level] + 0.1).tolist(), strict=True))
            said.append(Judgment(item, "rubric@m", question.id, distribution=shares))
            for rater in "ab":
                rated.append(Judgment(item, rater, question.id, answer=SCALE[level], kind="person"))
    return Pair(JudgmentTable.of(said, ASKED), JudgmentTable.of(rated, ASKED))


def grouped(option: str, what: str) -> dict[str, Any]:
    """The argument of a study that groups items."""
    if option == "by":
        return {"tables": StudyTables(by=what)}
    return {"splits": LeaveOut(what, seeds=1) if option == "leave_out" else KFold(2, what, seeds=1)}


def study(pair: Pair, **how: Any) -> Study:
    quick: dict[str, Any] = {
        "splits": KFold(2, seeds=1),
        "method": "constant",
        "statistics": Statistics(permutations=50),
    }
    return assize.study.calibration(*pair, target="overall", **quick | how)


def chats() -> list[Conversation]:
    turns = (Turn("user", "Hi"),)
    return [
        Conversation(f"V{n % 2}_{n}", turns, f"bot-{n % 2}", {"topic": n % 5} if n else {})
        for n in range(20)
    ]


def test_the_page_has_what_the_tables_have(pair: Pair, tmp_path: Path) -> None:
    pytest.importorskip("torch")
    tables = StudyTables(curve=1, every_question=True, by=r"V(\d)_")
    found = study(pair, method=["baselines", "network"], tables=tables)
    for said in ("rater mean", "network", r"By V(\d)_", "Learning curve", "Every question"):
        assert said in str(found)
    report(found, tmp_path / "study.html")
    html = (tmp_path / "study.html").read_text()
    for said in ("Are the probabilities true?", "How raters differ", r"By V(\d)_: people"):
        assert said in html


def test_tables_by_system_are_shown_where_systems_are_known(pair: Pair) -> None:
    found = study(pair, method=["constant", "rater-mean"])
    assert "cross-validated by squared error" in found.tables
    assert not any(name.startswith("system ") for name in found.tables)
    asked = study(pair, tables=StudyTables(by=r"V(\d)_"))
    assert any(name.startswith("system ") for name in asked.tables)


def test_what_does_not_apply_is_counted_in_the_notes(pair: Pair, tmp_path: Path) -> None:
    rows = [replace(row, answer="NA") if row.item == "V0_0" else row for row in pair.ratings]
    found = study(Pair(pair.answers, JudgmentTable.of(rows, ASKED)))
    assert any("4 ratings NA" in one for one in found.notes)
    report(found, tmp_path / "study.html")
    assert "4 ratings NA" in (tmp_path / "study.html").read_text()


def test_the_test_set_stands_apart(pair: Pair) -> None:
    rows = [Judgment(f"V1_{n}", "a", "overall", answer="2", kind="person") for n in (1, 3)]
    value = study(pair, test_ratings=JudgmentTable.of(rows, ASKED)).to_json()
    assert value["target"] == "overall"
    assert value["tests"]["test set"]["forms"] == 2 * 2 + 2  # their other ratings are held too
    assert len(value["signature"]) == 12


def test_answers_about_the_test_set_may_stand_elsewhere(pair: Pair) -> None:
    here = pair.answers.filter(np.arange(len(pair.answers)) < 36)
    there = pair.answers.filter(np.arange(len(pair.answers)) >= 36)
    held = pair.ratings.where(item=["V0_18", "V1_19"])
    rest = pair.ratings.where(item=[f"V{n % 2}_{n}" for n in range(18)])
    apart = study(Pair(here, rest), test_answers=there, test_ratings=held).to_json()
    assert apart["tests"]["test set"]["forms"] == 4
    assert study(Pair(here, rest), test_ratings=held).to_json()["unmatched"] != {}


def test_systems_come_from_the_conversations(pair: Pair) -> None:
    value = study(pair, items=chats()).to_json()
    assert {cell["system"] for cell in value["systems"]} == {"all", "bot-0", "bot-1"}


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ("V", "neither system nor metadata.NAME nor a pattern with a group"),
        ("(z)", "finds a group in none of 20 ids"),
        ("system", "needs the conversations: give items"),
    ],
)
@pytest.mark.parametrize("option", ["by", "folds_by", "leave_out"])
def test_groups_that_are_none_are_told(pair: Pair, option: str, what: str, said: str) -> None:
    with pytest.raises(ConfigError, match=f"^{option} .*{re.escape(said)}"):
        study(pair, **grouped(option, what))


WAYS = {
    r"folds_by _(\d)": "2 folds by _(\\d), 10 groups",
    r"leave_out V(\d)_": "one of 2 groups by V(\\d)_ left out at a time",
    "folds_by metadata.topic": "2 folds by metadata.topic, 6 groups",  # one item has none
    "leave_out system": "one of 2 groups by system left out at a time",
}


@pytest.mark.parametrize("way", WAYS)
def test_groups_are_held_out_together_and_all_places_say_so(
    pair: Pair, tmp_path: Path, way: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "assize")
    option, what = way.split(" ")
    said = WAYS[way]
    found = study(pair, items=chats(), **grouped(option, what))
    assert said in " ".join(str(found).split())
    assert said in caplog.text
    report(found, tmp_path / "study.html")
    assert said in (tmp_path / "study.html").read_text()
    value, plain = found.to_json(), study(pair, items=chats()).to_json()
    lost = int(what == "metadata.topic")
    groups = int(said.split(", ")[1].split(" ")[0]) if option == "folds_by" else 2
    assert value["held_out"] == {
        "by": what,
        "leave_out": option == "leave_out",
        "groups": groups,
        "ungrouped": lost,
        "seeds": [0],
    }
    assert "by" not in plain["held_out"]
    assert value["signature"] != plain["signature"]
    assert any("held out together" in one for one in found.notes) is bool(lost)


def test_what_cannot_be_is_said(pair: Pair) -> None:
    with pytest.raises(ConfigError, match="nothing here depends on seed"):
        study(pair, statistics=Statistics(seed=1))
    with pytest.raises(ConfigError, match="curve: received -1, allowed is at least 0"):
        StudyTables(curve=-1)
