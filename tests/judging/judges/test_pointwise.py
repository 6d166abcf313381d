"""Judges that look at each response by itself."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from scripts_for_tests import by_words

from assize.base.conversation import Pair, Turn
from assize.base.errors import AuthenticationError, ServerError
from assize.base.judgment import Judgment, Usage
from assize.judging.judge import JudgeContext, JudgeSettings, Task
from assize.judging.judges.geval import HELPFULNESS
from assize.judging.judges.pointwise import PointwiseJudge, text_of
from assize.judging.judges.reward import rater
from assize.models import Reply, Request, Scripted

HI = (Turn("user", "Hi"),)
APPLE, PEAR = (Turn("assistant", "apple"),), (Turn("assistant", "pear"),)
PAIR = Pair("p1", HI, APPLE, PEAR)
SAME = Pair("s", HI, (Turn("assistant", "apple "),), APPLE)


def rewarding(
    script: Callable[[Request], Any], settings: JudgeSettings | None = None
) -> PointwiseJudge:
    settings = JudgeSettings() if settings is None else settings
    return PointwiseJudge("reward@x", "0", rater(Scripted(script), settings))


def judged(judge: Any, pair: Pair = PAIR) -> Sequence[Judgment]:
    rows: Sequence[Judgment] = asyncio.run(judge.judge(Task(pair)))
    return rows


def geval(script: Callable[[Request], Any], offered: Any = HELPFULNESS) -> PointwiseJudge:
    """The judge that asks a script; opened as by name, with the model exchanged."""

    class Bench:
        def open(self, name: str) -> Scripted:
            return Scripted(script, name=name)

    made: PointwiseJudge = offered.open("scripted:s", JudgeContext(Bench(), JudgeSettings()))  # type: ignore[arg-type]
    return made


def test_identical_responses_are_a_tie_without_a_call() -> None:
    def script(request: Request) -> str:
        raise AssertionError("asked")

    for judge in (geval(script), rewarding(script)):
        (row,) = judged(judge, SAME)
        assert row.answer == "tie"
        assert row.usage is None


@pytest.mark.parametrize(
    ("one", "two", "answer"), [("-1.5", "-2.5", "A"), ("0.1", "1e2", "B"), ("7", "7.0", "tie")]
)
def test_the_higher_reward_wins_and_equal_ones_decide_nothing(
    one: str, two: str, answer: str
) -> None:
    (row,) = judged(rewarding(by_words({"apple": one, "pear": two})))
    assert row.answer == answer
    assert row.details == {"scores": {"A": float(one), "B": float(two)}}


def test_a_failure_of_one_side_keeps_what_the_other_cost() -> None:
    script = by_words({"apple": ServerError("down"), "pear": Reply("1", usage=Usage(5, 0, 0.5))})
    (row,) = judged(rewarding(script))
    assert row.unscored is not None
    assert row.usage == Usage(5, 0, 0.5)


def test_a_wrong_key_ends_the_run() -> None:
    with pytest.raises(AuthenticationError):
        judged(rewarding(by_words({"apple": AuthenticationError("no"), "pear": "1"})))


def test_whole_dialogues_are_scored_with_their_roles() -> None:
    assert text_of((Turn("user", "a"), Turn("assistant", "b"))) == "user: a\n\nassistant: b"
    assert text_of(()) == ""
