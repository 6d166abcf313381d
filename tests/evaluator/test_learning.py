from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from tests.evaluator.talks import scores_of

from assize.base.conversation import Continuation, Conversation, Item, Pair, Turn
from assize.base.errors import DataError
from assize.base.judgment import PREFERENCE, Judgment, Question
from assize.evaluator._heads.ridge import Ridge
from assize.evaluator._learning import FEATURES, learn
from assize.evaluator._scoring import score
from assize.judgments import JudgmentTable

Spelt = Callable[[bool, np.random.Generator], str]
WEAK = Ridge(dict.fromkeys(FEATURES.blocks, 1.0))
SCALE = Question("nice", kind="ordinal", answers=("1", "2", "3"), values=(1.0, 2.0, 3.0))


GOOD = [number % 2 == 0 for number in range(60)]


def rated(**more: Any) -> list[Judgment]:
    """Even ones are good."""
    return [
        Judgment(str(number), "ann", "nice", answer="3" if good else "1", **more)
        for number, good in enumerate(GOOD)
    ]


@pytest.mark.parametrize(
    ("rows", "scale", "responses"),
    [
        (rated(), SCALE, False),
        (rated(), replace(SCALE, higher="worse"), False),
        (rated(turn=1), SCALE, False),
        (rated(), SCALE, True),
        (
            [
                Judgment(
                    str(n), "m", "nice", distribution={"3": 0.9, "1": 0.1} if good else {"1": 1}
                )
                for n, good in enumerate(GOOD)
            ],
            SCALE,
            False,
        ),
    ],
    ids=["conversations", "higher is worse", "turns", "continuations", "distributions"],
)
def test_ratings_teach_a_head_and_overall(
    rows: list[Judgment], scale: Question, responses: bool, items: list[Item], letters: Any
) -> None:
    if responses:
        talks = [item for item in items if isinstance(item, Conversation)]
        items = [Continuation(one.id, one.turns[:1], one.turns[1].text) for one in talks]
    table = JudgmentTable.of(rows, [scale])
    learnt = learn({"mine": items}, table, letters, name="mine", ridge=WEAK)
    assert list(learnt.scored) == ["overall", "nice"]
    assert learnt.scored["nice"].trained_on == ("mine",)
    for question in learnt.scored:
        found = scores_of(learnt, items, question)
        better, worse = found[0::2], found[1::2]
        if scale.higher == "worse":
            better, worse = worse, better
        assert min(better) > max(worse)


def test_preferences_teach_overall(letters: Any, spelt: Spelt) -> None:
    rng = np.random.default_rng(2)
    pairs: list[Item] = []
    for number, good in enumerate(GOOD):
        a, b = ((Turn("assistant", spelt(side, rng)),) for side in (good, not good))
        pairs.append(Pair(f"p{number}", (Turn("user", "abc"),), a, b))
    said = [
        Judgment(f"p{n}", "gold", "preference", answer="A" if good else "B")
        for n, good in enumerate(GOOD)
    ]
    table = JudgmentTable.of(said, [PREFERENCE])
    learnt = learn({"pairs": pairs}, table, letters, name="m", ridge=WEAK)
    assert list(learnt.scored) == ["overall"]
    assert [row.answer for row in score(pairs, evaluator=learnt)] == [row.answer for row in said]


def test_judgments_of_other_items_are_no_help(items: list[Item], letters: Any) -> None:
    table = JudgmentTable.of([Judgment("elsewhere", "ann", "nice", answer="1")], [SCALE])
    with pytest.raises(DataError, match="no judgment fits an item"):
        learn({"mine": items}, table, letters, name="m")
