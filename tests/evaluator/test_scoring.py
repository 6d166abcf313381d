from __future__ import annotations

from dataclasses import replace

import pytest
from tests.evaluator.talks import Talk, details_of, scores_of, why_unscored

from assize.base.conversation import Continuation, Conversation, Pair, Turn
from assize.base.judgment import Judgment
from assize.evaluator import Evaluator
from assize.evaluator._features import views
from assize.evaluator._heads.scored_question import TieRule
from assize.evaluator._scoring import score


def conversations(talk: Talk) -> list[Conversation]:
    return [
        talk("one", "u: Where is the station?", "a: Left at the church, then straight on."),
        talk("two", "u: hi", "a: hi", "u: Who are you?", "a: hi", "u: What?", "a: hi"),
        talk("three", "a: Welcome! How can I help?", "u: My train is late.", "a: I am sorry."),
    ]


def rated(evaluator: Evaluator) -> list[str]:
    """Questions that single items are asked."""
    return [name for name, one in evaluator.scored.items() if not one.pairs_only]


def test_every_conversation_gets_one_score_a_question_and_a_call(
    shipped: Evaluator, talk: Talk
) -> None:
    rows = list(score(conversations(talk), evaluator=shipped))
    assert [(row.item, row.question) for row in rows] == [
        (item, question) for item in ("one", "two", "three") for question in rated(shipped)
    ]
    assert all(row.score is not None and 0 <= row.score <= 1 for row in rows)
    assert {(row.judge, row.kind, row.signature) for row in rows} == {
        ("evaluator@assize-small-2", "evaluator", shipped.signature)
    }
    assert len({row.call for row in rows}) == len({(row.call, row.item) for row in rows}) == 3


def test_scores_depend_neither_on_order_nor_on_company(
    shipped: Evaluator, talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    items = conversations(talk)
    together = pytest.approx(scores_of(shipped, items), abs=2e-5)
    assert scores_of(shipped, items[::-1])[::-1] == together
    monkeypatch.setattr(views, "BATCH_ITEMS", 1)
    assert scores_of(shipped, items) == together


def test_the_stream_is_read_a_batch_at_a_time(
    shipped: Evaluator, talk: Talk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(views, "BATCH_ITEMS", 2)
    items = iter([talk(str(number), "u: hi", "a: hello") for number in range(10)])
    next(score(items, evaluator=shipped))
    assert [item.id for item in items] == [str(number) for number in range(2, 10)]


def test_what_cannot_be_judged_is_unscored_on_every_question(
    shipped: Evaluator, talk: Talk
) -> None:
    items = [talk("none", "u: hello?"), Conversation("empty", ()), talk("blank", "u: a", "a:  ")]
    rows = list(score(items, evaluator=shipped))
    assert len(rows) == 3 * len(rated(shipped))
    assert {(row.item, why_unscored(row)[0], row.score) for row in rows} == {
        ("none", "no_assistant", None),
        ("empty", "empty", None),
        ("blank", "empty", None),
    }


def test_turns_are_scored_on_request(shipped: Evaluator, talk: Talk) -> None:
    item = conversations(talk)[1]
    plain = list(score([item], evaluator=shipped))
    rows = list(score([item], evaluator=shipped, turns=True))
    assert rows[: len(plain)] == plain
    turns = [row.turn for row in rows if row.turn is not None and row.question == "overall"]
    assert turns == [1, 3, 5]


def pair(a: str, b: str) -> Pair:
    context = (Turn("user", "How long do I boil an egg?"),)
    return Pair("p", context, (Turn("assistant", a),), (Turn("assistant", b),))


GOOD = "Put it into boiling water for eight minutes, then cool it under the tap."
BAD = "I like turtles."


def test_exchanging_the_sides_exchanges_the_answer(shipped: Evaluator) -> None:
    first, second = (
        next(score([one], evaluator=shipped)) for one in (pair(GOOD, BAD), pair(BAD, GOOD))
    )
    assert (first.answer, second.answer) == ("A", "B")
    assert first.question == second.question == "preference"
    one, other = details_of(first), details_of(second)
    assert one["margin"] == pytest.approx(-other["margin"], abs=1e-5)
    assert one["scores"]["A"] == pytest.approx(other["scores"]["B"], abs=1e-5)


def test_a_head_for_pairs_only_answers_pairs_and_nothing_else(
    shipped: Evaluator, talk: Talk
) -> None:
    asked = [row.question for row in score([pair(GOOD, BAD)], evaluator=shipped)]
    assert asked == ["preference", "safe"]
    alone = {row.question for row in score([talk("c", "u: Hi", "a: Hello")], evaluator=shipped)}
    assert alone == set(rated(shipped)) == set(shipped.scored) - {"safe"}


def test_equal_sides_are_a_tie(shipped: Evaluator) -> None:
    row = next(score([pair(GOOD, GOOD)], evaluator=shipped))
    assert (row.answer, details_of(row)["margin"]) == ("tie", 0)


@pytest.mark.parametrize("b", [" ", "\U0001f44d"], ids=["empty", "of unknown tokens"])
def test_a_pair_with_a_side_that_cannot_be_read_is_unscored_and_says_which(
    b: str, shipped: Evaluator
) -> None:
    row = next(score([pair(GOOD, b)], evaluator=shipped))
    assert row.answer is None
    assert why_unscored(row)[1].startswith("B: ")


def test_a_continuation_is_scored_as_a_turn(shipped: Evaluator, talk: Talk) -> None:
    context = (Turn("user", "How long do I boil an egg?"),)
    item = talk("c", "u: How long do I boil an egg?", f"a: {GOOD}")
    rows = score([Continuation("k", context, GOOD), item], evaluator=shipped, turns=True)
    alone, turn = (
        row for row in rows if row.question == "overall" and (row.item == "k" or row.turn == 1)
    )
    assert alone.score == pytest.approx(turn.score, abs=2e-5)


def test_other_languages_are_flagged(shipped: Evaluator, talk: Talk) -> None:
    items = [
        talk("de", "u: Wo ist der Bahnhof?", "a: Gehen Sie bitte links, dann ist es nicht weit."),
        *conversations(talk),
    ]
    found = {row.item: details_of(row).get("language") for row in score(items, evaluator=shipped)}
    assert found == {"de": "de", "one": None, "two": None, "three": None}


def test_what_the_evaluator_cannot_read_is_unscored_unless_asked_for(
    shipped: Evaluator, talk: Talk
) -> None:
    said = ["u: Gdzie jest moja paczka?", "a: Nie wiem, proszę zapytać kuriera."]
    items = [talk("pl", *said), *conversations(talk)]
    rows = list(score(items, evaluator=shipped, turns=True, any_language=False))
    found = {(row.item, row.unscored.reason) for row in rows if row.unscored is not None}
    assert found == {("pl", "language")}
    assert next(score(items[:1], evaluator=shipped)).score is not None


def test_a_greeting_alone_is_too_short_and_a_question_behind_one_is_not(
    shipped: Evaluator, talk: Talk
) -> None:
    items = [
        talk("short", "u: hi", "a: Hello! How can I help you today?"),
        talk("longer", "u: hi", "a: Hello!", "u: When do you open?", "a: At nine."),
    ]
    short, longer = (next(score([item], evaluator=shipped)) for item in items)
    assert (why_unscored(short)[0], short.score) == ("too_short", None)
    assert longer.score is not None


def test_a_turn_longer_than_the_window_is_read_whole_and_said(
    shipped: Evaluator, talk: Talk
) -> None:
    long = "The train to Leeds leaves at nine from the second platform. " * 60
    row = next(score([talk("c", "u: When?", f"a: {long}")], evaluator=shipped))
    assert details_of(row)["windows"]["1"] > 1
    assert row.score is not None


def test_a_text_of_unknown_tokens_is_unscored_whatever_is_asked_for(
    shipped: Evaluator, talk: Talk
) -> None:
    cats, rain = "ฉันรักแมว", "ฝนกำลังตก"
    thai = talk("th", f"u: {cats}", f"a: {rain}")
    answered = talk("answered", "u: Say that it rains in Thai, please.", f"a: {rain}")
    waved = talk("waved", "u: Thank you so much for the help.", "a: Any time, ask me again. 👍")
    rows = list(score([thai, answered, waved], evaluator=shipped, turns=True))
    assert all(row.score is not None for row in rows if row.item == "waved")
    unread = {why_unscored(row)[0] for row in rows if row.item != "waved"}
    assert unread == {"unreadable"}


@pytest.mark.parametrize("text", ["\x00", "\ud800 \udfff", "x " * 5_000, "<b>&\x1b[31m"])
def test_odd_text_is_scored(shipped: Evaluator, talk: Talk, text: str) -> None:
    row = next(score([talk("c", "u: and now?", f"a: {text}")], evaluator=shipped))
    assert row.score is not None


def test_a_question_with_a_tie_rule_is_asked_of_pairs_and_decides_preference(
    shipped: Evaluator,
) -> None:
    def under(threshold: float) -> dict[str, Judgment]:
        ruled = {
            name: replace(one, ties=TieRule(threshold)) if name in ("overall", "specific") else one
            for name, one in shipped.scored.items()
        }
        told = replace(shipped, scored=ruled)
        rows = {row.question: row for row in score([pair(GOOD, BAD)], evaluator=told)}
        assert [one.id for one in told.pair_questions] == list(rows)
        return rows

    near, far = under(0.0), under(1.0)
    assert list(near) == ["preference", "overall", "specific", "safe"]
    assert {name for name in near if near[name].answer == "A"} >= {*near} - {"safe"}
    assert [row.answer for row in far.values()] == ["tie", "tie", "tie", near["safe"].answer]
    details = details_of(near["specific"])
    assert details["by"] == "specific"
    middle = details["scores"]["A"] - details["scores"]["B"]
    assert under(middle * 0.99)["specific"].answer == "A"
    assert under(min(1.0, middle * 1.01))["specific"].answer == "tie"
