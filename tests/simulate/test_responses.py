from __future__ import annotations

import asyncio
import re
from collections import Counter
from typing import Any

import pytest

from assize.base.conversation import Conversation, Turn
from assize.base.errors import AuthenticationError, ServerError
from assize.judging.judge import JudgeSettings
from assize.judging.steps import Steps
from assize.models import Reply, Request
from assize.models.scripted import Scripted
from assize.simulate._lengths import length_difference
from assize.simulate._responses import (
    GIVEN,
    LENGTHS,
    Plan,
    Responder,
    planned,
)
from assize.simulate._settings import Answers

CHAT = Conversation(
    "c",
    (
        Turn("system", "Be kind."),
        Turn("user", "One?"),
        Turn("assistant", "recorded 1"),
        Turn("user", "Two?"),
        Turn("assistant", "recorded 2"),
    ),
    "old-bot",
)


class Models:
    """Models that say so many words, and remember what they were asked."""

    def __init__(self, **sizes: Any) -> None:
        self.seen: list[tuple[str, Request]] = []
        self.sizes = sizes
        self.models = {name: Scripted(self._script(name), name=name) for name in sizes}

    def _script(self, name: str) -> Any:
        def said(request: Request) -> Any:
            self.seen.append((name, request))
            found = self.sizes[name]
            found = found(request) if callable(found) else found
            return " ".join([name, *["w"] * (found - 1)]) if isinstance(found, int) else found

        return said

    def answer(self, plan: Plan, steps: Steps | None = None, **how: Any) -> Any:
        settings = JudgeSettings(seed=5)
        steps = Steps() if steps is None else steps
        one = Responder(self.models, steps, settings, Answers(**how))
        return asyncio.run(one.answer(plan))


def obliging(request: Request) -> int:
    """40 words, or as many as the wish asks for."""
    said = " ".join(one.text for one in request.messages if one.role == "system")
    wish = re.search(r"in about (\d+) words", said)
    return int(wish[1]) if wish else 40


PLAN = Plan(CHAT, ("x", "y"), 0)


def test_each_side_sees_its_own_answers_and_the_same_user() -> None:
    models = Models(x=5, y=6)
    found = models.answer(PLAN)
    assert [turn.text for turn in found.pair.a] == ["One?", "x w w w w", "Two?", "x w w w w"]
    assert [turn.text for turn in found.pair.b][0::2] == ["One?", "Two?"]
    assert found.pair.shared_user
    assert found.pair.context == (Turn("system", "Be kind."),)
    assert found.pair.metadata["systems"] == {"A": "x", "B": "y"}
    last = [request for name, request in models.seen if name == "y"][-1]
    assert [(one.role, one.text) for one in last.messages] == [
        ("system", "Be kind."),
        ("user", "One?"),
        ("assistant", "y w w w w w"),
        ("user", "Two?"),
    ]


def test_the_follower_is_asked_again_with_a_wish_for_the_leader_s_length() -> None:
    models = Models(x=12, y=obliging)
    found = models.answer(PLAN, words=10)
    assert length_difference(found.pair) == 0
    assert found.again == 2  # once a turn
    wishes = [one.messages[0].text for name, one in models.seen if name == "y"][1::2]
    assert all("in about 12 words: at least\n2 and at most 22" in one for one in wishes)
    assert all(one.startswith("Be kind.\n\n") for one in wishes)
    assert "had 40." in wishes[0]


def test_who_cannot_come_near_drops_the_pair_at_once() -> None:
    models = Models(x=12, y=40)
    found = models.answer(PLAN, words=10, attempts=3)
    assert (found.pair, found.reason, found.again) == (None, LENGTHS, 2)
    assert Counter(name for name, _ in models.seen) == {"x": 1, "y": 3}
    assert models.answer(PLAN, words=28).pair is not None
    assert models.answer(PLAN, words=-1).pair is not None


def test_what_was_recorded_leads_and_is_named_by_its_system() -> None:
    models = Models(x=2)
    plan = planned(CHAT, ("x", GIVEN), 0)
    assert plan.sources[plan.leader] == GIVEN
    found = models.answer(plan)
    side = found.pair.a if plan.leader == 0 else found.pair.b
    assert [turn.text for turn in side][1::2] == ["recorded 1", "recorded 2"]
    assert set(found.pair.metadata["systems"].values()) == {"x", "old-bot"}


def test_who_answers_on_which_side_and_leads_is_even_chance_and_kept_by_seed() -> None:
    """600 conversations, three sources: each a side 200 times, leads half the time, 5 sd."""
    chats = [Conversation(f"c{n}", CHAT.turns) for n in range(600)]
    plans = [planned(one, ("x", "y", "z"), 1) for one in chats]
    assert plans == [planned(one, ("x", "y", "z"), 1) for one in chats]
    assert plans != [planned(one, ("x", "y", "z"), 2) for one in chats]
    for side in (0, 1):
        counts = Counter(one.sources[side] for one in plans)
        assert all(abs(count - 200) < 5 * (600 * 2 / 9) ** 0.5 for count in counts.values())
    assert all(one.sources[0] != one.sources[1] for one in plans)
    assert abs(sum(one.leader for one in plans) - 300) < 5 * 150**0.5


def failing(request: Request) -> Any:
    raise ServerError("down")


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("", "empty"),
        (Reply("half an", finish="length"), "cut_off"),
        (Reply("", finish="refused"), "refused"),
        (failing, "server"),
    ],
)
def test_an_answer_that_is_none_leaves_no_pair(said: Any, reason: str) -> None:
    steps = Steps()
    found = Models(x=said if callable(said) else (lambda _: said), y=5).answer(PLAN, steps)
    assert found.reason == f"no answer by x: {reason}"
    assert steps.unscored("respond") == {reason: 1}


def test_a_wrong_key_ends_the_run() -> None:
    def refused(_: Request) -> Any:
        raise AuthenticationError("no such key")

    with pytest.raises(AuthenticationError):
        Models(x=refused, y=5).answer(PLAN)


def test_what_was_answered_is_not_asked_again() -> None:
    models, steps = Models(x=12, y=obliging), Steps()
    first = models.answer(PLAN, steps)
    calls = len(models.seen)
    assert models.answer(PLAN, steps) == first
    assert len(models.seen) == calls
    models.answer(PLAN, steps, sample_temperature=0.2)
    assert len(models.seen) == 2 * calls
