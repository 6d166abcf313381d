from __future__ import annotations

import pytest

from assize.base.conversation import Conversation, Pair, Reference, ToolCall, Turn
from assize.web._tasks.shown import shown_item, shown_turns

SOURCE = Reference("1", "Keys", "Choose Regenerate key.")


@pytest.mark.parametrize(
    ("turns", "names"),
    [
        (
            [Turn(role, "x") for role in ("user", "assistant", "system", "tool")],
            ["User", "Assistant", "Instructions", "Tool"],
        ),
        ([Turn("user", "x", name="Ana"), Turn("user", "y", name="Bo")], ["User Ana", "User Bo"]),
        ([Turn("user", "x", name="Ana")], ["User"]),
    ],
    ids=["by role", "users who share a conversation are told apart", "a user alone is not"],
)
def test_speakers_are_named_by_their_role(turns: list[Turn], names: list[str]) -> None:
    assert [one.who for one in shown_turns(turns)] == names


def test_the_name_of_an_assistant_is_not_shown() -> None:
    (turn,) = shown_turns([Turn("assistant", "x", name="bot-7")])
    assert "bot-7" not in repr(turn)


def test_a_source_of_an_earlier_turn_stands_beside_the_turn_that_cites_it() -> None:
    other = Reference("2", "Doors", "They close at six.")
    turns = [
        Turn("assistant", "Press it [1].", (SOURCE, other)),
        Turn("user", "And [2]?"),
        Turn("assistant", "See [2] <b>, not [7]."),
        Turn("assistant", "Gladly."),
    ]
    first, user, cites, thanks = shown_turns(turns)
    assert [one.id for one in first.sources] == ["1", "2"]
    assert (user.sources, user.html, thanks.sources) == ((), None, ())
    assert [one.id for one in cites.sources] == ["2"]
    (anchor,) = (one.anchor for one in cites.sources)
    assert f'<a class="cite" href="#{anchor}" aria-label="Source 2">2</a>' in str(cites.html)
    assert "&lt;b&gt;, not [7]." in str(cites.html)
    assert len({one.anchor for turn in (first, cites) for one in turn.sources}) == 3


def test_where_numbers_begin_anew_each_turn_a_turn_cites_its_own_sources_alone() -> None:
    """DS4 and DS5: [3] of the first turn is no source of the second."""
    first = [Reference(str(at), f"Keys {at}", f"Choose {at}.") for at in (1, 2, 3)]
    second = [Reference(str(at), f"Doors {at}", f"Close {at}.") for at in (1, 2)]
    turns = [
        Turn("assistant", "So [3].", tuple(first)),
        Turn("user", "And doors?"),
        Turn("assistant", "Close it [2], see [3].", tuple(second)),
        Turn("assistant", "As I said [1]."),
    ]
    keys, _, doors, last = shown_turns(turns)
    assert [one.id for one in keys.sources] == ["1", "2", "3"]
    assert [one.text for one in doors.sources] == ["Close 1.", "Close 2."]
    assert 'aria-label="Source 2"' in str(doors.html)
    assert "see [3]." in str(doors.html)
    assert (last.sources, last.html) == ((), None)


def test_a_source_that_is_named_again_without_its_text_is_the_same_source() -> None:
    other = Reference("2", "Doors", "They close at six.")
    turns = [
        Turn("assistant", "x", (SOURCE, other)),
        Turn("assistant", "See [2].", (Reference("1"), Reference("1", "Keys"))),
    ]
    assert [one.id for one in shown_turns(turns)[1].sources] == ["1", "2"]


def test_where_one_side_numbers_each_turn_anew_neither_cites_what_stands_before() -> None:
    context = (Turn("assistant", "x", (SOURCE,)), Turn("assistant", "see [1]"))
    own = Reference("1", "Doors", "They close at six.")
    a, b = (Turn("assistant", "so [1]", (own,)),), (Turn("assistant", "no [1]"),)
    pair = Pair("p", context, a, b)
    first, second = shown_item(pair, None)["sides"]
    assert [one.title for one in first.turns[0].sources] == ["Doors"]
    assert second.turns[0].sources == ()
    assert [len(one.sources) for one in shown_item(pair, None)["turns"]] == [1, 0]


def test_sides_with_sources_of_their_own_do_not_number_anew() -> None:
    other = Reference("1", "Doors", "They close at six.")
    later = Turn("assistant", "as said [1]")
    pair = Pair(
        "p",
        (),
        (Turn("assistant", "x", (SOURCE,)), later),
        (Turn("assistant", "y", (other,)), later),
    )
    cited = [one.text for side in shown_item(pair, None)["sides"] for one in side.turns[1].sources]
    assert cited == [SOURCE.text, other.text]


def test_both_sides_may_cite_what_stands_before_them() -> None:
    context = (Turn("user", "x"), Turn("assistant", "y", (SOURCE,)))
    pair = Pair("p", context, (Turn("assistant", "so [1]"),), (Turn("assistant", "no [1]"),))
    cited = [
        one.anchor for side in shown_item(pair, None)["sides"] for one in side.turns[0].sources
    ]
    assert len(set(cited)) == 2


def test_calls_of_tools_are_json_and_what_tools_answer_is_folded() -> None:
    calls = (ToolCall("1", "search", {"query": "schlüssel"}), ToolCall("2", "raw", "not json"))
    result = Turn("tool", "{}", tool_call_id="1", name="search")
    call, answer = shown_turns([Turn("assistant", "", tool_calls=calls), result])
    assert [one.arguments for one in call.calls] == ['{\n  "query": "schlüssel"\n}', "not json"]
    assert (answer.who, answer.folded) == ("Tool search", True)


def test_exchanged_sides_keep_the_numbers_of_their_turns() -> None:
    user, both = Turn("user", "x"), (Turn("assistant", "first"), Turn("assistant", "second"))
    pair = Pair("p", (user,), both[:1], both[1:])
    seen = [
        (side.name, side.turns[0].number, side.turns[0].text)
        for side in shown_item(pair, "BA")["sides"]
    ]
    assert seen == [("A", 2, "second"), ("B", 1, "first")]


def test_an_information_need_may_stand_deeper() -> None:
    talk = Conversation("c", (), metadata={"task": {"need": "a visa"}})
    needs = [shown_item(talk, None, one)["need"] for one in ("task.need", "metadata.task.need")]
    assert needs == ["a visa", "a visa"]
    assert [shown_item(talk, None, one)["need"] for one in ("gone", "")] == ["", ""]


def test_words_that_only_one_of_two_responses_has_are_marked() -> None:
    pair = Pair(
        "p",
        (Turn("user", "How?"),),
        (Turn("assistant", "Press **Start** & wait."),),
        (Turn("assistant", "Press *Stop* & wait."),),
    )
    first, second = (str(side.turns[0].html) for side in shown_item(pair, None)["sides"])
    assert first == (
        '<p>Press <strong><span class="differs">Start</span></strong> &amp; wait.</p>\n'
    )
    assert second == '<p>Press <em><span class="differs">Stop</span></em> &amp; wait.</p>\n'
    exchanged = [str(side.turns[0].html) for side in shown_item(pair, "BA")["sides"]]
    assert exchanged == [second, first]


def test_sides_of_unequal_length_and_long_turns_are_not_compared() -> None:
    answer, more = Turn("assistant", "yes"), Turn("user", "no")
    for a, b in (((answer,), (answer, more)), ((Turn("assistant", "x " * 501),), (more,))):
        sides = shown_item(Pair("p", (), a, b), None)["sides"]
        assert not any("differs" in str(turn.html) for side in sides for turn in side.turns)
