from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from assize.base.conversation import Continuation, Item, Pair, Turn
from assize.base.errors import DataError
from assize.base.judgment import PREFERENCE, Judgment, Question
from assize.evaluator._heads.ridge import Ridge
from assize.evaluator._learning import FEATURES, learn
from assize.evaluator._scoring import score
from assize.judgments import JudgmentTable

Spelt = Callable[[bool, np.random.Generator], str]
WEAK = Ridge(dict.fromkeys(FEATURES.blocks, 1.0))
SCALE = Question("nice", kind="ordinal", answers=("1", "2", "3"), values=(1.0, 2.0, 3.0))


def rated(question: str = "nice", **more: Any) -> list[Judgment]:
    return [
        Judgment(str(number), "ann", question, answer="3" if number % 2 == 0 else "1", **more)
        for number in range(60)
    ]


def own(evaluator: Any, items: list[Item], question: str = "overall") -> list[float]:
    rows = [row for row in score(items, evaluator=evaluator) if row.question == question]
    return [row.score for row in rows if row.score is not None]


def test_ratings_teach_a_head_and_overall(items: list[Item], letters: Any) -> None:
    table = JudgmentTable.of(rated(), [SCALE])
    learnt = learn({"mine": items}, table, letters, name="mine", ridge=WEAK)
    assert list(learnt.scored) == ["overall", "nice"]
    assert learnt.judge == "evaluator@mine"
    for question in learnt.scored:
        found = own(learnt, items, question)
        assert min(found[0::2]) > max(found[1::2])
    assert learnt.scored["nice"].trained_on == ("mine",)


def test_a_question_where_higher_is_worse_is_turned_round(items: list[Item], letters: Any) -> None:
    worse = Question("nice", answers=SCALE.answers, values=SCALE.values, higher="worse")
    learnt = learn({"mine": items}, JudgmentTable.of(rated(), [worse]), letters, name="m")
    found = own(learnt, items)
    assert np.mean(found[0::2]) < np.mean(found[1::2])


def test_ratings_of_turns_teach_from_turns(items: list[Item], letters: Any) -> None:
    table = JudgmentTable.of(rated(turn=1), [SCALE])
    learnt = learn({"mine": items}, table, letters, name="m", ridge=WEAK)
    found = own(learnt, items)
    assert min(found[0::2]) > max(found[1::2])


def pairs(spelt: Spelt) -> tuple[list[Item], list[Judgment]]:
    rng = np.random.default_rng(2)
    context = (Turn("user", "abc"),)
    made: list[Item] = []
    said = []
    for number in range(60):
        first = bool(rng.random() < 0.5)
        a, b = ((Turn("assistant", spelt(good, rng)),) for good in (first, not first))
        made.append(Pair(f"p{number}", context, a, b))
        said.append(Judgment(f"p{number}", "gold", "preference", answer="A" if first else "B"))
    return made, said


def test_preferences_teach_overall(letters: Any, spelt: Spelt) -> None:
    made, said = pairs(spelt)
    table = JudgmentTable.of(said, [PREFERENCE])
    learnt = learn({"pairs": made}, table, letters, name="m", ridge=WEAK)
    assert list(learnt.scored) == ["overall"]
    found = [row.answer for row in score(made, evaluator=learnt)]
    assert found == [row.answer for row in said]


def test_ratings_of_continuations_teach_too(letters: Any, spelt: Spelt) -> None:
    rng = np.random.default_rng(3)
    made: list[Item] = [
        Continuation(str(number), (Turn("user", "abc"),), spelt(number % 2 == 0, rng))
        for number in range(60)
    ]
    learnt = learn({"k": made}, JudgmentTable.of(rated(), [SCALE]), letters, name="m", ridge=WEAK)
    found = own(learnt, made)
    assert min(found[0::2]) > max(found[1::2])


def test_judgments_of_other_items_are_no_help(items: list[Item], letters: Any) -> None:
    table = JudgmentTable.of([Judgment("elsewhere", "ann", "nice", answer="1")], [SCALE])
    with pytest.raises(DataError, match="no judgment fits an item"):
        learn({"mine": items}, table, letters, name="m")


def test_distributions_teach_as_their_mean(items: list[Item], letters: Any) -> None:
    rows = [
        Judgment(str(n), "m", "nice", distribution={"3": 0.9, "1": 0.1} if n % 2 == 0 else {"1": 1})
        for n in range(len(items))
    ]
    learnt = learn({"mine": items}, JudgmentTable.of(rows, [SCALE]), letters, name="m", ridge=WEAK)
    found = own(learnt, items)
    assert min(found[0::2]) > max(found[1::2])
