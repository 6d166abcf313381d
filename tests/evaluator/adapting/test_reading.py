from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from tests.evaluator.talks import Talk

from assize.base.errors import DataError
from assize.base.judgment import Judgment, Question, Unscored
from assize.evaluator import Evaluator
from assize.evaluator._adapting.labels import Labels
from assize.evaluator._adapting.reading import read_labels
from assize.judgments import JudgmentTable

Read = Callable[..., Labels]


def rate(item: int, judge: str, value: float, question: str = "nice", **more: Any) -> Judgment:
    return Judgment(f"c{item}", judge, question, score=value, kind="person", **more)


@pytest.fixture
def labels(small: Evaluator, talk: Talk) -> Callable[..., Labels]:
    """The labels of `overall` that judgments of 24 conversations come to."""
    items = [talk(f"c{at}", "u: abc", f"a: {'ab'[at % 2] * 3}{at}") for at in range(24)]

    def read(rows: Sequence[Judgment], *asked: Question, question: str = "overall") -> Labels:
        (found,) = read_labels(items, JudgmentTable.of(rows, asked), small)[question]
        return found

    return read


def test_raters_of_one_conversation_are_averaged_and_na_and_unscored_left_out(
    labels: Read, small: Evaluator
) -> None:
    rows = [
        rate(0, "ann", 1),
        rate(0, "bob", 4),
        rate(1, "ann", 5),
        rate(99, "ann", 5),
        Judgment("c2", "ann", "nice", unscored=Unscored("refused")),
        Judgment("c3", "ann", "nice", answer="NA"),
    ]
    found = labels(rows)
    assert sorted(found.targets.tolist()) == [2.5, 5]
    kind = (found.by, found.paired, found.natural, found.ends)
    assert kind == ("conversation", False, True, None)
    assert found.features.shape == (2, small.width)
    assert found.raw.shape == (2, len(small.scored))
    assert not {"c0", "c1", "ann"} & {*found.groups}  # no name stands in labels


def test_what_is_worse_when_higher_is_turned_round_and_has_no_scale(labels: Read) -> None:
    asked = Question("rude", kind="number", range=(0, 4), higher="worse")
    found = labels([rate(at, "ann", at, "rude") for at in range(4)], asked)
    assert sorted(found.targets.tolist()) == [-3, -2, -1, 0]
    assert not found.natural


def test_several_questions_of_no_name_here_become_their_mean(labels: Read) -> None:
    # (1, 3) and (30, 10) in deviations from their means: (-1, 1) and (1, -1).
    rows = [rate(0, "ann", 1), rate(1, "ann", 3)]
    found = labels([*rows, rate(0, "ann", 30, "good"), rate(1, "ann", 10, "good")])
    assert found.targets.tolist() == [0, 0]
    assert not found.natural


def test_a_question_of_a_name_here_teaches_that_one_and_turns_are_turns(labels: Read) -> None:
    rows = [rate(0, "ann", 1, "Q0"), rate(1, "ann", 2, "Q0", turn=1), rate(1, "ann", 3)]
    assert {turn for _, turn in labels(rows, question="Q0").units} == {None, 1}
    assert labels(rows).units == (("c1", None),)


def test_raters_stay_together_where_each_has_items_of_their_own(labels: Read) -> None:
    own = [rate(at, f"rater{at // 2}", at) for at in range(24)]
    found = labels(own)
    assert (found.by, len(set(found.groups))) == ("rater", 12)
    nameless = [rate(at, f"slot{at}", at, anonymous=True) for at in range(24)]
    for rows in ([*own, rate(0, "rater5", 3)], nameless, own[:18]):  # of 9 raters
        assert labels(rows).by == "conversation"


def test_labels_of_nothing_here_are_refused(labels: Read) -> None:
    with pytest.raises(DataError, match="`item` of the labels is the `id`"):
        labels([rate(99, "ann", 1)])
