"""From a table of judgments to one column a judge."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from assize.base.errors import ConfigError
from assize.base.judgment import Judgment, Question, Unscored
from assize.judgments import JudgmentTable
from assize.judgments.answers import PEOPLE, as_one, columns, probabilities, with_people

SCALE = Question("q", kind="ordinal", answers=("bad", "good"), values=(1.0, 4.0))
KINDS = Question("q", kind="nominal", answers=("x", "y", "z"))
SOLVED = Question("q", kind="binary", answers=("no", "yes"), values=(0.0, 1.0))
NUMBER = Question("q", kind="number", range=(0.0, 1.0))


def table(*rows: Judgment, question: Question = SCALE) -> JudgmentTable:
    return JudgmentTable.of(rows, [question])


def test_failures_and_answers_that_do_not_apply_are_counted_apart() -> None:
    found = columns(
        table(
            Judgment("a", "j", "q", unscored=Unscored("parse")),
            Judgment("b", "j", "q", answer="NA"),
            Judgment("c", "j", "q", unscored=Unscored("parse"), repeat=0),
            Judgment("c", "j", "q", answer="good", repeat=1),
            Judgment("c", "j", "q", answer="good", repeat=1),
        ),
        "q",
    )
    one = found.by_judge["j"]
    assert (one.scored, one.unscored, one.not_applicable) == (1, 1, 1)
    assert found.duplicates == 1


def test_turns_of_an_item_are_units_of_their_own() -> None:
    rows = [Judgment("i", "j", "q", score=float(turn), turn=turn) for turn in (1, 3)]
    found = columns(table(*rows), "q")
    assert found.units == (("i", 1), ("i", 3))
    assert found.items == ("i", "i")


def test_people_together_are_a_judge() -> None:
    found = with_people(
        columns(
            table(
                Judgment("a", "ann", "q", score=1.0, kind="person"),
                Judgment("a", "bob", "q", score=2.0, kind="person"),
                Judgment("b", "bob", "q", score=4.0, kind="person"),
                Judgment("a", "m", "q", score=9.0, kind="model"),
                question=NUMBER,
            ),
            "q",
        )
    )
    assert found.by_judge[PEOPLE].values.tolist() == [1.5, 4.0]
    alone = columns(table(Judgment("a", "m", "q", score=1.0), question=NUMBER), "q")
    assert with_people(alone) is alone


def test_the_digest_ignores_the_order_of_rows_and_sees_every_value() -> None:
    rows = [Judgment(item, "j", "q", score=float(n)) for n, item in enumerate("abc")]
    changed = [*rows[:2], Judgment("c", "j", "q", score=2.1)]
    digests = [
        columns(table(*some, question=NUMBER), "q").digest() for some in (rows, rows[::-1], changed)
    ]
    assert digests[0] == digests[1] != digests[2]


def test_probabilities_of_a_two_way_question() -> None:
    rows = [
        Judgment("a", "j", "q", distribution={"no": 0.2, "yes": 0.6}),
        Judgment("b", "j", "q", score=0.9),
        Judgment("c", "j", "q", unscored=Unscored("refused")),
        Judgment("a", "k", "q", answer="yes"),
    ]
    solved = table(*rows, question=SOLVED)
    found = columns(solved, "q")
    assert probabilities(solved, found, "j") == pytest.approx([0.75, 0.9, np.nan], nan_ok=True)
    assert probabilities(solved, found, "k") is None
    scale = table(Judgment("a", "j", "q", score=2.0))
    assert probabilities(scale, columns(scale, "q"), "j") is None


def test_a_judge_that_answered_both_questions_is_read_once() -> None:
    rows = [
        Judgment("i", "m", "q", answer="bad"),
        Judgment("i", "m", "r", answer="good"),
        Judgment("j", "m", "q", answer="bad"),
        Judgment("i", "ann", "q", answer="bad"),
    ]
    scale = replace(SCALE, id="r")
    found = columns(as_one(JudgmentTable.of(rows, [SCALE, scale]), {"r": "q"}), "q")
    read = dict(zip(found.units, found.by_judge["m"].values.tolist(), strict=True))
    assert read == {("i", None): 4.0, ("j", None): 1.0}
    assert found.duplicates == 0


def test_two_questions_can_be_read_as_one() -> None:
    stars = Question("stars", kind="ordinal", answers=("1", "2"), values=(1.0, 2.0))
    rows = [Judgment("i", "ann", "q", answer="good"), Judgment("i", "m", "stars", answer="2")]
    found = columns(as_one(JudgmentTable.of(rows, [SCALE, stars]), {"stars": "q"}), "q")
    assert found.question.kind == "number"
    assert {name: one.values.tolist() for name, one in found.by_judge.items()} == {
        "ann": [4.0],
        "m": [2.0],
    }
    mixed = JudgmentTable.of([*rows, Judgment("i", "m", "kind", answer="x")], [SCALE, stars, KINDS])
    with pytest.raises(ConfigError, match=r"kind \(nominal\) cannot be read as q"):
        as_one(mixed, {"kind": "q"})
