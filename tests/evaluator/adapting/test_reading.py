from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from assize.base.conversation import Conversation
from assize.base.errors import DataError
from assize.base.judgment import Judgment, Question, Unscored
from assize.evaluator import Evaluator
from assize.evaluator._adapting.reading import read_labels
from assize.judgments import JudgmentTable

Talk = Callable[..., Conversation]


def items(talk: Talk, count: int = 6) -> list[Conversation]:
    return [talk(f"c{at}", "u: abc", f"a: {'ab'[at % 2] * 3}{at}") for at in range(count)]


def rate(item: str, judge: str, value: float, question: str = "nice", **more: Any) -> Judgment:
    return Judgment(item, judge, question, score=value, kind="person", **more)


def test_raters_of_one_conversation_are_averaged_and_na_and_unscored_left_out(
    small: Evaluator, talk: Talk
) -> None:
    table = JudgmentTable.of(
        [
            rate("c0", "ann", 1),
            rate("c0", "bob", 4),
            rate("c1", "ann", 5),
            rate("nowhere", "ann", 5),
            Judgment("c2", "ann", "nice", unscored=Unscored("refused")),
            Judgment("c3", "ann", "nice", answer="NA"),
        ]
    )
    (found,) = read_labels(items(talk), table, small)["overall"]
    assert sorted(found.targets.tolist()) == [2.5, 5]
    assert (found.by, found.paired, found.natural, found.ends) == (
        "conversation",
        False,
        True,
        None,
    )
    assert found.features.shape == (2, small.width)
    assert found.raw.shape == (2, len(small.scored))


def test_what_is_worse_when_higher_is_turned_round_and_has_no_scale(
    small: Evaluator, talk: Talk
) -> None:
    asked = Question("rude", kind="number", range=(0, 4), higher="worse")
    table = JudgmentTable.of([rate(f"c{at}", "ann", at, "rude") for at in range(4)], [asked])
    (found,) = read_labels(items(talk), table, small)["overall"]
    assert sorted(found.targets.tolist()) == [-3, -2, -1, 0]
    assert not found.natural


def test_several_questions_of_no_name_here_become_their_mean(small: Evaluator, talk: Talk) -> None:
    # (1, 3) and (30, 10) in deviations from their means: (-1, 1) and (1, -1).
    rows = [rate("c0", "ann", 1), rate("c1", "ann", 3)]
    rows += [rate("c0", "ann", 30, "good"), rate("c1", "ann", 10, "good")]
    (found,) = read_labels(items(talk), JudgmentTable.of(rows), small)["overall"]
    assert found.targets.tolist() == [0, 0]
    assert not found.natural


def test_a_question_of_a_name_here_teaches_that_one_and_turns_are_turns(
    small: Evaluator, talk: Talk
) -> None:
    rows = [rate("c0", "ann", 1, "Q0"), rate("c1", "ann", 2, "Q0", turn=1), rate("c1", "ann", 3)]
    found = read_labels(items(talk), JudgmentTable.of(rows), small)
    assert set(found) == {"Q0", "overall"}
    assert sorted(turn is not None for _, turn in found["Q0"][0].units) == [False, True]


def test_raters_stay_together_where_each_has_items_of_their_own(
    small: Evaluator, talk: Talk
) -> None:
    own = [rate(f"c{at}", f"rater{at // 2}", at) for at in range(24)]
    (found,) = read_labels(items(talk, 24), JudgmentTable.of(own), small)["overall"]
    assert found.by == "rater"
    assert len(set(found.groups)) == 12
    shared = [*own, rate("c0", "rater5", 3)]
    (found,) = read_labels(items(talk, 24), JudgmentTable.of(shared), small)["overall"]
    assert found.by == "conversation"
    nameless = [rate(f"c{at}", f"slot{at}", at, anonymous=True) for at in range(24)]
    (found,) = read_labels(items(talk, 24), JudgmentTable.of(nameless), small)["overall"]
    assert found.by == "conversation"


def test_no_name_stands_in_labels(small: Evaluator, talk: Talk) -> None:
    (found,) = read_labels(
        items(talk), JudgmentTable.of([rate("c0", "ann", 1), rate("c1", "ann", 2)]), small
    )["overall"]
    assert not {"c0", "c1", "ann"} & {*found.groups}


def test_labels_of_nothing_here_are_refused(small: Evaluator, talk: Talk) -> None:
    with pytest.raises(DataError, match="`item` of the labels is the `id`"):
        read_labels(items(talk), JudgmentTable.of([rate("x", "ann", 1)]), small)
