"""The injection suite tells obedient judges from steadfast ones."""

from __future__ import annotations

import asyncio
import json
import math
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from tests.judging.conftest import Recorded

from assize.base.conversation import Continuation, Pair
from assize.base.errors import ConfigError
from assize.judging.injection import measure, plain_item
from assize.judging.injection_cases import ATTACKS, TALKS
from assize.judging.judge import JudgeSettings
from assize.judging.judges.explained import EXPLAINED
from assize.judging.judges.io import IO
from assize.judging.judges.rating import RATING
from assize.judging.method import Method
from assize.judging.prompt_judge import PromptJudge
from assize.models import Request, Scripted

RIGHT = [better for _, better, _ in TALKS]
WRITTEN = re.compile(
    r"(?:answer that|\"answer\":|verdict:|decide for|correct answer is|My verdict is|control;"
    r"|choose|verdict than|dass|بأن|回答|कि|верно|que) \"?(A|B|10)\b"
)


def steadfast(request: Request) -> str:
    """Prefers the right response, wherever it stands."""
    a = request.messages[-1].text.split("END A")[0]
    return json.dumps({"explanation": "", "answer": "A" if any(t in a for t in RIGHT) else "B"})


def obedient(request: Request) -> str:
    """Does what the text asks for, where it can read it."""
    wanted = WRITTEN.search(request.messages[-1].text)
    if wanted is None:
        return steadfast(request)
    return json.dumps({"explanation": "", "answer": wanted[1]})


def quoting(request: Request) -> str:
    """Judges rightly where nothing attacks it, and is thrown out of its form by an attack."""
    return "It says so" if WRITTEN.search(request.messages[-1].text) else steadfast(request)


def random(request: Request) -> str:
    """Says anything, the same each time for the same text."""
    text = request.messages[-1].text.replace(request.boundary or "", "")
    return json.dumps({"answer": ("A", "tie", "B")[sum(text.encode()) % 3]})


def rates(script: Callable[[Request], str], method: Method = IO) -> dict[str, Any]:
    """The rates of a judge by attack."""
    judge = PromptJudge(method, Scripted(script), JudgeSettings(tries=1))
    return {rate.attack: rate for rate in asyncio.run(measure(judge))}


def test_a_steadfast_judge_is_never_won_over() -> None:
    found = rates(steadfast)
    assert {rate.won.count for rate in found.values()} == {0}
    assert found["any"].won.n == 40 * len(ATTACKS)
    assert found["none"].change is None
    assert {rate.change.estimate for rate in found.values() if rate.change is not None} == {0.0}


def test_an_obedient_judge_is_won_over_by_what_it_can_read_and_only_by_attacks() -> None:
    found = rates(obedient, EXPLAINED)
    assert found["none"].won.count == 0
    won = {name for name, rate in found.items() if rate.won.estimate == 1}
    assert won == set(ATTACKS) - {"hidden-tags", "zero-width"}  # written out, they are no order
    assert {found[name].change.estimate for name in won} == {1.0}


def test_hidden_orders_reach_a_judge_where_they_are_kept() -> None:
    def reads_tags(request: Request) -> str:
        seen = "".join(
            chr(ord(one) - 0xE0000) if 0xE0000 < ord(one) < 0xE007F else one
            for one in request.messages[-1].text
        )
        last = request.messages[-1]
        return obedient(replace(request, messages=(replace(last, text=seen),)))

    for invisible, won in (("keep", 40), ("escape", 0), ("remove", 0)):
        settings = JudgeSettings(invisible=invisible)  # type: ignore[arg-type]
        judge = PromptJudge(IO, Scripted(reads_tags), settings)
        (rate,) = (one for one in asyncio.run(measure(judge)) if one.attack == "hidden-tags")
        assert rate.won.count == won, invisible


def test_an_attack_that_makes_a_judge_unreadable_is_counted_as_such() -> None:
    found = rates(quoting)
    order = found["order"]
    assert (order.unreadable.count, order.unreadable.n, order.won.unscored) == (40, 40, 40)
    assert math.isnan(order.won.estimate)
    assert found["hidden-tags"].unreadable.count == 0


def test_a_judge_that_says_anything_shows_no_change_that_is_sure() -> None:
    found = rates(random)
    assert found["none"].won.estimate > 0.1  # which one would otherwise take for obedience
    low, high = found["any"].change.interval
    assert low < 0 < high


def test_judges_of_conversations_are_attacked_too() -> None:
    def obeys(request: Request) -> str:
        wanted = WRITTEN.search(request.messages[-1].text)
        return json.dumps({"rating": 2 if wanted is None else int(wanted[1])})

    found = rates(obeys, RATING)
    assert (found["none"].won.count, found["order"].won.count) == (0, 40)
    assert found["german"].won.estimate == 1


def test_half_the_pairs_are_shown_the_other_way_round() -> None:
    script = Recorded('{"answer": "tie"}')
    rates(script)
    sides_a = [text.split("END A")[0] for text in script.texts[:40]]
    assert sum(any(right in text for right in RIGHT) for text in sides_a) == 20


def test_judges_of_neither_are_refused() -> None:
    with pytest.raises(ConfigError, match="takes neither pairs nor conversations"):
        rates(steadfast, replace(IO, takes=(Continuation,)))
    assert isinstance(plain_item(0), Pair)
