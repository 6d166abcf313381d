"""Rewards from anywhere: the higher one wins, and what is no number is none."""

from __future__ import annotations

import pytest
from scores_asked import PAIR, context, judged, rewarding
from scripts_for_tests import by_words
from tests.judging.conftest import Recorded, why_unscored

from assize.base.conversation import Pair, Turn
from assize.base.errors import AuthenticationError, TooLongError
from assize.judging.judge import JudgeSettings
from assize.judging.table import open_judge
from assize.models import Request


@pytest.mark.parametrize(
    ("one", "two", "answer"), [("-1.5", "-2.5", "A"), ("0.1", "1e2", "B"), ("7", "7.0", "tie")]
)
def test_the_higher_reward_wins_and_equal_ones_decide_nothing(
    one: str, two: str, answer: str
) -> None:
    (row,) = judged(rewarding(by_words({"apple": one, "pear": two})))
    assert row.answer == answer
    assert row.details == {"scores": {"A": float(one), "B": float(two)}}


@pytest.mark.parametrize("said", ["nan", "inf", "", "good"])
def test_what_is_no_finite_number_is_unscored(said: str) -> None:
    (row,) = judged(rewarding(by_words({"apple": said, "pear": "1"})))
    assert why_unscored(row) == "server"
    assert row.answer is None


def test_a_wrong_key_ends_the_run() -> None:
    with pytest.raises(AuthenticationError):
        judged(rewarding(by_words({"apple": AuthenticationError("no"), "pear": "1"})))


def test_what_is_too_long_loses_its_oldest_turns_when_asked_to() -> None:
    def script(request: Request) -> str:
        if len(request.messages) > 2:
            raise TooLongError("too long", needed=100, limit=50)
        return str(-len(request.messages[-1].text))

    long = Pair("p", PAIR.context * 4, PAIR.a, (Turn("assistant", "a pear"),))
    (row,) = judged(rewarding(script), long)
    assert why_unscored(row) == "too_long"
    (row,) = judged(rewarding(script, JudgeSettings(truncate="oldest")), long)
    assert row.answer == "A"
    left_out = (row.details or {})["left_out_turns"]
    assert left_out in (3, 4)  # of four: at most one turn and the response fit


def test_a_reward_model_sees_roles_and_no_lone_surrogate() -> None:
    script = Recorded("1")
    turns = (Turn("system", "s"), Turn("user", "u\ud800"), Turn("tool", "t"))
    judged(rewarding(script), Pair("p", turns, PAIR.a, PAIR.b))
    roles = [message.role for message in script.seen[0].messages]
    assert roles == ["system", "user", "user", "assistant"]
    assert script.seen[0].messages[1].text == "u\ufffd"


def test_two_models_behind_one_address_are_two_judges() -> None:
    one, two = (open_judge(f"reward@http://127.0.0.1:9/x?key=k#{name}", context()) for name in "mn")
    assert (one.name, two.name) == (
        "reward@http://127.0.0.1:9/x#m",
        "reward@http://127.0.0.1:9/x#n",
    )
    assert one.signature != two.signature
