"""Distilling an evaluator from calibrators, from data to card."""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.calibrate.conftest import ANSWERS, QUESTIONS, make_table

import assize
from assize import Conversation, Judgment, JudgmentTable, Turn
from assize.base.errors import AssizeError
from assize.base.judgment import Unscored
from assize.calibrate import FittedCalibrator
from assize.evaluator._artefact import open_card
from assize.evaluator._distilled_result import DistilledResult

GOOD = ("Left at the church.", "The train leaves at nine.", "Boil it for eight minutes.")
BAD = ("no", "I like turtles.", "whatever")
COUNT = 40


def conversation(number: int) -> Conversation:
    reply = (GOOD if number % 2 == 0 else BAD)[number % 3]
    turns = Turn("user", f"Question {number}: can you help me?"), Turn("assistant", reply)
    return Conversation(f"c{number}", turns)


CHATS = [conversation(number) for number in range(COUNT)]


@dataclass(frozen=True)
class Home:
    """Answers of a model that sees which conversations are good: even ones; ratings;
    calibrators of Q0 and Q1."""

    answers: JudgmentTable
    ratings: JudgmentTable
    q0: FittedCalibrator
    q1: FittedCalibrator

    def distill(self, *, teachers: Any = None, **how: Any) -> DistilledResult:
        chosen: dict[str, Any] = {"items": CHATS, "folds": 2} | how
        taught = self.q0 if teachers is None else teachers
        return assize.calibrate.distill(taught, self.answers, **chosen)


@pytest.fixture(scope="module")
def home() -> Home:
    rng = np.random.default_rng(0)
    answers, ratings = [], []
    for number in range(COUNT):
        tilt = np.array([1, 2, 4, 6] if number % 2 == 0 else [6, 4, 2, 1])
        for question in QUESTIONS:
            shares = dict(zip(ANSWERS, rng.dirichlet(tilt).tolist(), strict=True))
            item = f"c{number}"
            answers.append(Judgment(item, "m", question.id, distribution=shares, kind="model"))
            for name in ("ann", "bob"):
                said = str(rng.choice(4, p=tilt / tilt.sum()) + 1)
                ratings.append(Judgment(item, name, question.id, answer=said, kind="person"))
    pair = make_table(answers), make_table(ratings)
    q0, q1 = (assize.calibrate.fit(*pair, target=name) for name in ("Q0", "Q1"))
    return Home(*pair, q0, q1)


def test_an_evaluator_reproduces_its_teacher_and_says_how_well(home: Home, tmp_path: Path) -> None:
    out = tmp_path / "small"
    result = home.distill(out=out, ratings=home.ratings, seed=3, samples=8)
    found = result.to_json()
    assert list(result.evaluator.scored) == ["overall", "Q0"]
    (teacher,), (fidelity,), (people,) = found["teachers"], found["fidelity"], found["people"]
    assert (teacher["question"], teacher["raters"]) == ("Q0", ["ann", "bob"])
    assert teacher["signature"] == home.q0.signature
    assert (teacher["labelled"], teacher["unscored"], found["label_count"]) == (COUNT, 0, 8 * COUNT)
    assert found["conversations"] == COUNT
    assert found["samples"] == 8
    assert found["seed"] == 3
    assert (fidelity["pearson"]["n"], fidelity["pearson"]["unscored"]) == (COUNT, 0)
    assert fidelity["pearson"]["interval"][0] > 0.5
    assert people["calibrator"]["n"] == people["evaluator"]["n"] == COUNT
    assert people["evaluator"]["interval"][0] > 0
    kept = assize.load(out)
    assert kept.signature == found["signature"] == result.evaluator.signature
    assert kept.about["fidelity"] == [fidelity]
    card = open_card(out).text
    assert teacher["signature"] in card
    assert "Beside people" in card


def test_nothing_is_written_that_nobody_asked_for(
    home: Home, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    found = home.distill()
    assert found.evaluator.judge == "evaluator@distilled"
    assert (found.out, found.labels_out) == (None, None)
    assert list(tmp_path.iterdir()) == []
    assert home.distill(name="mine").evaluator.judge == "evaluator@mine"


def test_labels_are_judgments(home: Home, tmp_path: Path) -> None:
    labels = tmp_path / "labels.jsonl"
    found = home.distill(labels=labels, samples=3)
    written = assize.read_judgments([labels])
    assert len(written) == len(found.labels) == 3 * COUNT
    assert {row.judge for row in written} == {"calibration:ann#drawn", "calibration:bob#drawn"}
    assert {row.repeat for row in written} == {0, 1, 2}
    assert not written.inferred
    assert written.duplicates == 0


def test_the_seed_decides_what_is_drawn(home: Home) -> None:
    first, same, other = (home.distill(samples=2, seed=seed) for seed in (0, 0, 1))
    assert first.labels.rows() == same.labels.rows() != other.labels.rows()
    assert first.signature == same.signature != other.signature


@pytest.mark.parametrize("raters", ["ann", "unknown"])
def test_without_samples_expected_answers_are_the_labels(home: Home, raters: str) -> None:
    result = home.distill(raters=[raters])
    found = result.to_json()
    assert ("samples" in found, found["label_count"]) == (False, COUNT)
    assert found["teachers"][0]["raters"] == [raters]
    predicted = home.q0.predict(home.answers, raters=raters)
    assert [row.score for row in result.labels] == pytest.approx([row.score for row in predicted])


def test_a_correction_by_groups_is_taught_unless_it_is_not_wanted(home: Home) -> None:
    changed = make_table(
        [Judgment(f"c{number}", "ann", "Q0", answer="4", kind="person") for number in range(COUNT)]
    )
    corrected = assize.calibrate.correct(
        home.q0, home.answers, changed, by="rater", min_n=10, in_sample=True
    ).calibrator
    plain = replace(corrected, correction=None)
    found = [home.distill(teachers=one) for one in (corrected, plain)]
    taught = [one.teachers[0] for one in found]
    assert [one.corrected for one in taught] == [True, False]
    assert taught[0].signature != taught[1].signature == home.q0.signature
    predicted = assize.calibrate.predict(corrected, home.answers, aggregate="mean").judgments
    scores = [[row.score for row in one.labels] for one in found]
    assert scores[0] == [row.score for row in predicted] != scores[1]


def test_whose_answers_are_taught_can_be_chosen(home: Home) -> None:
    options = (
        {"raters": "unknown"},
        {"raters": "unknown", "teachers": replace(home.q0, strangers="average")},
        {"raters": "bob"},
    )
    found = [home.distill(**one) for one in options]
    assert [one.teachers[0].raters for one in found] == [("unknown",), ("unknown",), ("bob",)]
    assert len({one.signature for one in found}) == 3


def test_several_calibrators_make_several_heads(home: Home, tmp_path: Path) -> None:
    result = home.distill(teachers=[home.q0, home.q1], ratings=home.ratings, out=tmp_path / "both")
    for rows in (result.fidelity, result.people):
        assert [row.question for row in rows] == ["Q0", "Q1"]
    assert all(row.spearman.n == COUNT for row in result.fidelity)
    assert all(row.difference.n == COUNT for row in result.people)
    assert "with overall, Q0, Q1" in result.notes[0]
    assert "must not have been fitted on these ratings" in result.notes[-1]
    card = open_card(tmp_path / "both").text
    assert "distilled from 2 calibrators" in card
    assert "`overall` learnt from all questions alike" in card


def test_what_cannot_be_scored_is_counted_and_what_is_elsewhere_left_out(home: Home) -> None:
    more = [Conversation(f"new{n}", conversation(n).turns) for n in range(4)]
    result = home.distill(items=CHATS[:30] + more)
    found = result.to_json()
    assert found["conversations"] == 34
    assert found["teachers"][0]["unscored"] == 4
    assert result.missing == (4, 34)
    lost = [row.item for row in result.labels if isinstance(row.unscored, Unscored)]
    assert lost == [f"new{n}" for n in range(4)]
    assert result.answered_elsewhere == 10
    assert any("10 answered items are not among the conv" in one for one in result.notes)


def test_ratings_of_other_conversations_are_counted(
    home: Home, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "assize")
    more = [Judgment("c3", "eve", "Q0", answer="NA", kind="person")]
    more += [Judgment(f"x{n}", "eve", "Q0", answer="2", kind="person") for n in range(3)]
    more += [Judgment("c5", "eve", "Q9", answer="2", kind="person")]
    home.distill(ratings=JudgmentTable.concat([home.ratings, make_table(more)]))
    assert "3 ratings are about other conversations and left out" in caplog.text
    with pytest.raises(AssizeError, match="none of the 5 ratings is of Q1 about these conv"):
        home.distill(teachers=home.q1, ratings=make_table(more))
    wrong = [Judgment("c3", "eve", "Q0", answer="7", kind="person")]
    with pytest.raises(AssizeError, match="answer '7' is none of 1, 2, 3, 4, NA"):
        home.distill(ratings=JudgmentTable.of(wrong))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"items": [Conversation("x", CHATS[0].turns)]}, "about none of the 1 conversations"),
        ({"items": CHATS[:6], "folds": 5}, "6 of 6 conversations have labels"),
        ({"items": [*CHATS, CHATS[0]]}, "two items have the id 'c0'"),
        ({"raters": "eve"}, "rater 'eve' is not known"),
        ({"samples": 0}, "samples: received 0, allowed is at least 1"),
        ({"folds": 1}, "folds: received 1, allowed is at least 2"),
    ],
)
def test_bad_input_is_explained(
    home: Home, tmp_path: Path, options: dict[str, Any], message: str
) -> None:
    with pytest.raises(AssizeError, match=message):
        home.distill(out=tmp_path / "x", **options)
    assert not (tmp_path / "x").exists()


def test_scores_are_answers_on_the_calibrators_scale(home: Home) -> None:
    result = home.distill()
    scored = assize.score(CHATS, evaluator=result.evaluator, quiet=True)
    assert scored.questions["Q0"].answers == ANSWERS
    expected = {row.item: row.score for row in result.labels}
    rows: list[Any] = scored.where(question="Q0").rows()
    errors = np.array([row.score - expected[row.item] for row in rows])
    assert np.abs(errors.mean()) < 0.15
    assert np.abs(errors).mean() < 0.5
    ranks = [(row.score, row.details["rank"]) for row in rows]
    assert np.corrcoef(np.array(ranks).T)[0, 1] > 0.99
    notes = " ".join(assize.agree(JudgmentTable.concat([scored, home.ratings])).notes)
    assert "different scales" not in notes
    assert all("rank" not in (row.details or {}) for row in scored.where(question="overall"))


def test_a_worse_answer_has_the_lower_rank(home: Home) -> None:
    worse = replace(home.q0.target, question=replace(home.q0.target.question, higher="worse"))
    known: Any = home.q0.calibrator
    turned = replace(home.q0, calibrator=replace(known, target=worse))
    rows = assize.score(CHATS, evaluator=home.distill(teachers=turned).evaluator, quiet=True)
    found = [(row.score, (row.details or {})["rank"]) for row in rows.where(question="Q0")]
    assert np.corrcoef(np.array(found).T)[0, 1] < -0.9
