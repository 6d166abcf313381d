from __future__ import annotations

from collections.abc import Callable

import pytest

from assize.base.conversation import Conversation, Pair, ToolCall, Turn
from assize.base.judgment import Judgment, Unscored
from assize.evaluator import Evaluator, load_evaluator
from assize.evaluator._scoring import score_items
from assize.evaluator._summary import LOWEST, ScoreCounter

Talk = Callable[..., Conversation]


@pytest.fixture(scope="module")
def shipped() -> Evaluator:
    return load_evaluator()


def row(item: str, score: float | None, **more: object) -> Judgment:
    unscored = Unscored("empty") if score is None else None
    return Judgment(item, "j", "overall", score=score, unscored=unscored, **more)  # type: ignore[arg-type]


def test_figures_by_hand(shipped: Evaluator, talk: Talk) -> None:
    counter = ScoreCounter(shipped)
    for name, value in (("a", 0.1), ("b", 0.5), ("c", 0.9), ("d", None)):
        counter.add(talk(name, "a: hi"), [row(name, value)])
    summary = counter.summary()
    found = summary.questions["overall"]
    assert found.mean.estimate == pytest.approx(0.5)
    assert (found.mean.n, found.mean.unscored) == (3, 1)
    assert found.q50 == 0.5
    assert found.low is not None
    assert found.low.count == 1
    assert (summary.unscored, summary.items) == (1, 4)
    assert summary.reasons == {"empty": 1}


def test_the_lowest_come_first_and_are_few(shipped: Evaluator, talk: Talk) -> None:
    counter = ScoreCounter(shipped)
    for number in range(3 * LOWEST):
        value = (7 * number % 30) / 30
        counter.add(talk(str(number), "a: hi\nthere"), [row(str(number), value)])
    found = counter.summary().lowest
    assert len(found) == LOWEST
    assert [one.score for one in found] == sorted(one.score for one in found)
    assert found[0].score == 0
    assert found[0].text == "hi there"


def test_preferences_and_unscored_add_up(shipped: Evaluator) -> None:
    counter = ScoreCounter(shipped)
    pair = Pair("p", (), (Turn("assistant", "x"),), (Turn("assistant", "y"),))
    for answer in ("A", "A", "B", "tie"):
        counter.add(pair, [Judgment("p", "j", "preference", answer=answer)])
    counter.add(pair, [Judgment("p", "j", "preference", unscored=Unscored("empty"))])
    found = counter.summary().to_json()["pairs"]["preference"]
    assert (found["a"]["count"], found["b"]["count"], found["tie"]["count"]) == (2, 1, 1)
    assert (found["n"], found["unscored"]) == (5, 1)


def test_turns_are_kept_apart_and_clustered_by_conversation(shipped: Evaluator, talk: Talk) -> None:
    counter = ScoreCounter(shipped)
    for name, base in (("a", 0.2), ("b", 0.6), ("c", 0.7)):
        turns = [row(name, base + place / 100, turn=place) for place in range(5)]
        counter.add(talk(name, "a: hi"), [row(name, base), *turns])
    assert counter.summary().questions["overall"].mean.n == 3
    found = counter.summary().turns["overall"].mean
    assert (found.n, found.clusters) == (15, 3)


def test_nothing_scored_is_null_and_not_zero(shipped: Evaluator, talk: Talk) -> None:
    counter = ScoreCounter(shipped)
    counter.add(talk("a"), [row("a", None)])
    found = counter.summary().to_json()["questions"]["overall"]
    assert found["mean"]["estimate"] is None
    assert found["q50"] is None
    assert (found["mean"]["n"], found["mean"]["unscored"]) == (0, 1)


def test_the_lowest_name_the_turns_that_pull_them_down(small: Evaluator, talk: Talk) -> None:
    counter = ScoreCounter(small)
    item = talk("c", "u: abc", "a: aab", "u: abc", "a: eef", "u: abc", "a: aab")
    plain = talk("d", "u: abc", "a: eee")
    for one, rows in score_items([item, plain], evaluator=small, explain=True):
        counter.add(one, rows)
    summary = counter.summary()
    low = {one.item: one for one in summary.lowest}
    assert (low["c"].turns, low["c"].text) == ("2-3", "eef")
    assert low["c"].effect is not None
    assert low["c"].effect < 0
    assert (low["d"].turns, low["d"].effect) == (None, None)
    assert "moved by" in str(summary.tables["lowest"])
    found = {one["item"]: one for one in summary.to_json()["lowest"]}
    assert found["c"]["turns"] == "2-3"
    assert "turns" not in found["d"]


def test_people_are_asked_about_the_share_that_is_most_urgent(small: Evaluator, talk: Talk) -> None:
    counter = ScoreCounter(small, ask=0.25)
    items = [talk(str(n), "u: abc", f"a: {'aab' if n % 2 else 'eef'}{n}") for n in range(11)]
    items.append(talk("odd", "u: fffffffff", "a: dddd", "u: dd", "a: ff"))
    for one, rows in score_items(items, evaluator=small, doubt=True):
        counter.add(one, rows)
    summary = counter.summary()
    found = summary.ask
    assert len(found) == 3
    assert "odd" in {one.item for one in found}
    assert [one.urgency for one in found] == sorted((one.urgency for one in found), reverse=True)
    assert [one["item"] for one in summary.to_json()["ask"]] == [one.item for one in found]
    assert len(summary.tables["ask"].rows) == 3
    assert "ask" not in ScoreCounter(small).summary().tables


def test_turns_of_tools_are_told_of(shipped: Evaluator) -> None:
    call = Turn("assistant", "", tool_calls=(ToolCall("t", "find"),))
    result = Turn("tool", "42", tool_call_id="t")
    chat = Conversation("c", (Turn("user", "hi"), call, result, Turn("assistant", "It is 42.")))
    counter = ScoreCounter(shipped)
    for item, rows in score_items([chat, chat], evaluator=shipped):
        counter.add(item, rows)
    summary = counter.summary()
    assert summary.to_json()["tool_turns"] == {"results": 2, "calls": 2, "items": 2}
    assert "2 tool results and 2 turns that only called tools passed over" in summary.notes[-1]
    assert "tool_turns" not in ScoreCounter(shipped).summary().to_json()
