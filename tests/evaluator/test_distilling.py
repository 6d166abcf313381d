from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tests.evaluator.talks import Talk

from assize.base.conversation import Item
from assize.base.errors import DataError
from assize.base.judgment import Judgment, Question, Unscored
from assize.evaluator._distilling import (
    CORPUS,
    Distilled,
    Fidelity,
    beside_people,
    distil,
    fidelity,
    values_of,
)
from assize.evaluator._learning import learn
from assize.judgments import JudgmentTable, Unit

SCALE = Question("nice", kind="ordinal", answers=("1", "2", "3"), values=(1.0, 2.0, 3.0))
COUNT = 60


def labelled(**more: Any) -> list[Judgment]:
    """Two draws a conversation; even ones are good."""
    return [
        Judgment(
            str(number),
            "calibration:ann#drawn",
            "nice",
            answer="23"[repeat] if number % 2 == 0 else "12"[repeat],
            repeat=repeat,
            **more,
        )
        for number in range(COUNT)
        for repeat in range(2)
    ]


def table(rows: list[Judgment]) -> JudgmentTable:
    return JudgmentTable.of(rows, [SCALE])


def distilled(items: list[Item], rows: list[Judgment], encoder: Any, folds: int = 5) -> Distilled:
    rng = np.random.default_rng(0)
    return distil(items, table(rows), encoder, name="small", folds=folds, rng=rng)


def test_the_evaluator_is_the_one_that_all_labels_teach(items: list[Item], letters: Any) -> None:
    found = distilled(items, labelled(), letters)
    assert len(letters.seen) == len(set(letters.seen)) > COUNT  # each text is encoded once
    direct = learn({CORPUS: items}, table(labelled()), letters, name="small")
    assert found.evaluator.signature == direct.signature
    assert found.evaluator.encoder is letters
    assert list(found.evaluator.scored) == ["overall", "nice"]


def test_a_held_out_score_does_not_depend_on_its_own_label(items: list[Item], letters: Any) -> None:
    before = distilled(items, labelled(), letters).held["nice"]
    turned = [replace(row, answer="1") if row.item == "8" else row for row in labelled()]
    after = distilled(items, turned, letters).held["nice"]
    assert before["8", None] == after["8", None]
    assert before != after
    assert len(before) == COUNT


def faithful(items: list[Item], rows: list[Judgment], encoder: Any) -> Fidelity:
    (found,) = fidelity(distilled(items, rows, encoder).held, values_of(table(rows)))
    return found


def test_fidelity_is_high_where_the_text_tells_and_none_where_it_does_not(
    items: list[Item], letters: Any
) -> None:
    found = faithful(items, labelled(), letters)
    assert found.question == "nice"
    assert found.pearson.estimate > 0.8
    assert found.spearman.interval[0] > 0.7
    rng = np.random.default_rng(2)
    noise = [replace(row, answer=str(rng.integers(1, 4))) for row in labelled()]
    assert faithful(items, noise, letters).pearson.interval[0] < 0


def test_what_either_cannot_score_is_counted(items: list[Item], letters: Any, talk: Talk) -> None:
    silent, late = talk("silent", "u: abc"), talk("later", "u: abc", "a: abc")
    lost = [
        Judgment("silent", "calibration:ann#drawn", "nice", answer="3"),
        Judgment("later", "calibration:ann#drawn", "nice", unscored=Unscored("missing")),
    ]
    one = faithful([*items, silent, late], labelled() + lost, letters)
    counts = {(figure.n, figure.unscored) for figure in (one.pearson, one.spearman)}
    assert counts == {(COUNT, 2)}


def test_labels_of_turns_teach_turns(items: list[Item], letters: Any) -> None:
    one = faithful(items, labelled(turn=1), letters)
    assert one.spearman.n == COUNT
    assert one.spearman.estimate > 0.8


SOME = [row for row in labelled() if int(row.item) < 9]
SAME = [replace(row, answer="2") for row in labelled()]


@pytest.mark.parametrize(
    ("rows", "twice", "message"),
    [
        (labelled(), [3], "two items have the id '3'"),
        (SOME, [], "9 of 60 conversations have labels; 5 folds need at least"),
        (SAME, [], "all targets are the same"),
    ],
)
def test_bad_input_is_refused(
    rows: list[Judgment], twice: list[int], message: str, items: list[Item], letters: Any
) -> None:
    with pytest.raises(DataError, match=message):
        distilled([*items, *(items[at] for at in twice)], rows, letters)


def test_as_many_labels_as_folds_need_are_enough(items: list[Item], letters: Any) -> None:
    assert distilled(items, SOME, letters, folds=4).held["nice"]


def test_values_are_means_with_higher_better() -> None:
    rows = [
        Judgment("a", "x", "nice", answer="3"),
        Judgment("a", "y", "nice", answer="2"),
        Judgment("b", "x", "nice", answer="NA"),
        Judgment("b", "y", "nice", unscored=Unscored("refused")),
        Judgment("c", "x", "nice", score=1.25, turn=2),
    ]
    for sign, scale in ((1, SCALE), (-1, replace(SCALE, higher="worse"))):
        found = values_of(JudgmentTable.of(rows, [scale]))["nice"]
        expected = {("a", None): sign * 2.5, ("b", None): np.nan, ("c", 2): sign * 1.25}
        assert found == pytest.approx(expected, nan_ok=True)
    bad = [*rows, Judgment("d", "eve", "nice", answer="7")]
    with pytest.raises(DataError, match=r"judge 'eve'.* answer '7' is none of 1, 2, 3, NA"):
        values_of(JudgmentTable.of(bad, [SCALE]))


def test_both_are_compared_with_people_on_the_same_conversations() -> None:
    units: list[Unit] = [(str(number), None) for number in range(40)]
    truth = {unit: float(place) for place, unit in enumerate(units)}
    teacher = {unit: 2 + value / 100 for unit, value in truth.items()}  # right, on its own scale
    rng = np.random.default_rng(0)
    own = {unit: value + rng.normal(0, 30) for unit, value in truth.items()}
    own[units[0]] = teacher[units[1]] = np.nan
    people = truth | {("elsewhere", None): 3.0, units[2]: np.nan}
    rng = np.random.default_rng(0)
    (row,) = beside_people({"q": own}, {"q": teacher, "r": teacher}, {"q": people}, rng)
    assert row.question == "q"  # nobody was asked r
    assert (row.calibrator.n, row.calibrator.unscored) == (37, 2)
    assert row.calibrator.estimate == 1
    assert row.evaluator.estimate < 0.8
    assert row.difference.estimate == pytest.approx(1 - row.evaluator.estimate)
    assert row.p_value < 0.05


def test_two_that_are_alike_but_for_their_scale_are_not_told_apart() -> None:
    rng = np.random.default_rng(3)
    units: list[Unit] = [(str(number), None) for number in range(80)]
    truth = dict(zip(units, rng.normal(size=80).tolist(), strict=True))
    one, two = (
        {unit: (value + rng.normal()) * scale for unit, value in truth.items()}
        for scale in (1.0, 100.0)
    )
    (row,) = beside_people({"q": two}, {"q": one}, {"q": truth}, rng)
    assert row.p_value > 0.05
