from __future__ import annotations

import numpy as np
import pytest

from assize.base.conversation import Continuation, Conversation, Item
from assize.base.judgment import Judgment, Question
from assize.web._monitor.collected import Collected, Work
from assize.web._monitor.continuation_check import ContinuationCheck, continuation_check

CONTENT = Question(
    "content", kind="ordinal", answers=("1", "2", "3", "4", "5"), values=(1.0, 2.0, 3.0, 4.0, 5.0)
)


def checked(means: dict[str, float], each: int = 40, seed: int = 0) -> ContinuationCheck:
    rng = np.random.default_rng(seed)
    items: dict[str, Item] = {}
    pieces = []
    for source, mean in means.items():
        for number in range(each):
            name = f"{source}-{number}"
            items[name] = Continuation(
                name, (), "x", source=source, conversation=f"c{number // 4}", turn=number % 4
            )
            for rater in "ab":
                said = str(int(np.clip(round(rng.normal(mean, 0.8)), 1, 5)))
                judgment = Judgment(name, rater, "content", answer=said)
                pieces.append((Work(rater, name), [judgment]))
    found = Collected.of(pieces, [CONTENT])
    check = continuation_check([found.answered("content")], items)
    assert check is not None
    return check


def test_nothing_is_wrong_where_rephrased_references_are_highest_and_random_turns_lowest() -> None:
    found = checked({"gpt4_rephrase": 4.5, "gpt-4o": 3, "random": 1.5})
    assert (found.breaches, found.missing) == ([], [])
    assert [one.source for one in found.means] == ["gpt-4o", "gpt4_rephrase", "random"]
    assert found.means[0].mean.n == 40


def test_a_source_above_the_rephrased_references_is_said_with_its_interval() -> None:
    found = checked({"rephrase": 3, "gpt-4o": 4.5, "random": 1.5})
    (breach,) = found.breaches
    assert breach.sure
    assert breach.gap.estimate == pytest.approx(1.4, abs=0.4)
    assert breach.sentence.startswith("content: gpt-4o is rated 1.")
    assert "above rephrase, which should be the highest (95% interval" in breach.sentence


def test_a_source_below_the_random_turns_is_said_too() -> None:
    (breach,) = checked({"rephrase": 4.5, "gpt-4o": 1.5, "random": 3}).breaches
    assert (breach.wanted, breach.source, breach.sure) == ("lowest", "gpt-4o", True)


def test_a_small_gap_may_be_chance_and_says_so() -> None:
    found = checked({"rephrase": 4, "gpt-4o": 4, "random": 1}, each=8, seed=0)
    assert [one.sure for one in found.breaches] == [False]
    assert "that may be chance (n = 16)" in found.breaches[0].sentence


def test_what_is_not_there_to_compare_with_is_named() -> None:
    assert checked({"gpt-4o": 3}).missing == ["rephrased references", "random turns"]


def test_other_items_have_no_such_check() -> None:
    assert continuation_check([], {"c": Conversation("c", ())}) is None
