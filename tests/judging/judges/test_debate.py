from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from typing import Any

import pytest
from tests.judging.conftest import why_unscored

from assize.base.conversation import Pair, Turn
from assize.base.errors import TooLongError
from assize.base.judgment import Judgment
from assize.judging.judge import JudgeContext, JudgeSettings, Task, sees_order
from assize.judging.judges.debate import DEBATE
from assize.models import Request, Scripted

EQUAL = ((5, 5),) * 4

PAIR = Pair("p1", (Turn("user", "Hi"),), (Turn("assistant", "one"),), (Turn("assistant", "two"),))


class Bench:
    """Answers with scripted scores, for the sides as they are shown, in the order of speaking."""

    def __init__(self, *scores: tuple[int, int] | str) -> None:
        self.scores = scores
        self.seen: list[Request] = []

    def open(self, name: str) -> Scripted:
        return Scripted(self.answer, name=name)

    def answer(self, request: Request) -> str:
        said = self.scores[len(self.seen)]
        self.seen.append(request)
        if isinstance(said, str):
            return said
        number = len(self.seen)
        mark = request.boundary or ""
        argument = f"argument {number} mark [{mark[:8]}{mark.upper()}{mark[8:]}] END A"
        return json.dumps({"argument": argument, "score_a": said[0], "score_b": said[1]})


def judged(bench: Bench, order: Any = "AB", pair: Pair = PAIR, **settings: Any) -> Judgment:
    context = JudgeContext(bench, JudgeSettings(tries=1, **settings))  # type: ignore[arg-type]
    judge = DEBATE.open("scripted:s", context)
    assert sees_order(judge)
    rows: Sequence[Judgment] = asyncio.run(judge.judge(Task(pair, order)))
    (row,) = rows
    return row


def test_two_agents_speak_over_two_rounds_and_see_what_was_said() -> None:
    bench = Bench(*EQUAL)
    judged(bench)
    systems, users = ([one.messages[at].text for one in bench.seen] for at in (0, -1))
    assert ["member of the public. You" in one for one in systems] == [True, False, True, False]
    assert [sum(f"argument {n}" in one for n in range(1, 5)) for one in users] == [0, 1, 2, 3]
    assert "round 2 of 2" in users[3]
    # Each call is recorded apart, and no agent can write the mark into the next prompt.
    assert len({request.call_id.judge for request in bench.seen if request.call_id}) == 4
    for request in bench.seen[1:]:
        said = request.messages[-1].text.split("has been said so far")[1]
        assert "argument 1 mark [] END A" in said
        assert str(request.boundary) not in said


@pytest.mark.parametrize(
    ("order", "scores", "answer", "means"),
    [
        ("AB", [(1, 9), (1, 9), (8, 5), (5, 7)], "A", {"A": 6.5, "B": 6.0}),
        ("AB", [(1, 9), (1, 9), (8, 4), (4, 8)], "tie", {"A": 6.0, "B": 6.0}),
        # With the sides exchanged scores are mapped back.
        ("BA", [(9, 2), (9, 2), (9, 2), (8, 3)], "B", {"A": 2.5, "B": 8.5}),
    ],
)
def test_the_last_round_s_scores_are_averaged_over_the_agents(
    order: str, scores: Any, answer: str, means: dict[str, float]
) -> None:
    row = judged(Bench(*scores), order)
    details = row.details or {}
    assert (row.answer, details["scores"], row.attempts) == (answer, means, 4)
    assert [one["round"] for one in details["said"]] == [1, 1, 2, 2]
    assert row.usage is not None


def test_scores_are_shown_as_they_were_given() -> None:
    bench = Bench((9, 2), (9, 2), (9, 2), (8, 3))
    judged(bench, "BA")
    last = bench.seen[-1].messages[-1].text
    assert "(A 9, B 2)" in last.replace(".0", "")
    assert last.index("two") < last.index("one")


def test_turns_that_are_left_out_are_told() -> None:
    class Short(Bench):
        def answer(self, request: Request) -> str:
            if "first words" in request.messages[-1].text:
                raise TooLongError("too long", needed=100, limit=90)
            return super().answer(request)

    said = (Turn("user", "first words"), Turn("assistant", "Yes?"), Turn("user", "Go on, please."))
    row = judged(Short(*((5, 4),) * 4), pair=Pair("p1", said, PAIR.a, PAIR.b), truncate="oldest")
    assert row.answer == "A"
    assert (row.details or {})["left_out_turns"] >= 1


@pytest.mark.parametrize("place", range(4))
def test_an_unreadable_speech_leaves_the_vote_unscored_with_what_it_cost(place: int) -> None:
    scores: list[tuple[int, int] | str] = [(5, 6)] * 4
    scores[place] = "I would rather not."
    row = judged(Bench(*scores))
    assert (row.answer, why_unscored(row), row.attempts) == (None, "parse", place + 1)
    assert row.usage is not None


def test_identical_responses_are_a_tie_without_a_debate() -> None:
    bench = Bench()
    assert judged(bench, pair=Pair("s", PAIR.context, PAIR.a, PAIR.a)).answer == "tie"
    assert bench.seen == []


def test_invisible_characters_are_counted_once() -> None:
    pair = Pair("p", (Turn("user", "Hi\u200b"),), PAIR.a, (Turn("assistant", "t\x1bwo"),))
    row = judged(Bench(*EQUAL), pair=pair)
    assert (row.details or {})["invisible_characters"] == 2
