from __future__ import annotations

import pytest

from assize.base.errors import DataError
from assize.formats.any_log.mapping import NO_MAPPING, parse_mapping
from assize.formats.any_log.turns import one_turn, renamed, text_of, turns_of


def test_texts_alone_alternate() -> None:
    said = [(one.role, one.text) for one in turns_of(["Hi", "Hello", "Bye"], "m", NO_MAPPING)]
    assert said == [("user", "Hi"), ("assistant", "Hello"), ("user", "Bye")]
    assert turns_of("Hi", "a", NO_MAPPING, "assistant")[0].role == "assistant"


def test_usual_names_need_no_mapping() -> None:
    (turn,) = turns_of([{"sender": "bot", "body": "Hi"}], "m", NO_MAPPING)
    assert (turn.role, turn.text) == ("assistant", "Hi")


def test_what_is_not_named_stays_with_the_turn() -> None:
    turn = one_turn(
        {"w": {"k": "bot"}, "t": "Hi", "at": 5}, "m[0]", parse_mapping("turns=m,role=w.k,text=t")
    )
    assert turn.extra["at"] == 5


def test_a_missing_field_is_named_with_what_is_there() -> None:
    mapping = parse_mapping("turns=m,role=w,text=body.text")
    with pytest.raises(
        DataError, match=r"m\[0\].body.text: is not there: body has the fields html"
    ):
        turns_of([{"w": "user", "body": {"html": "x"}}], "m", mapping)


def test_an_unknown_role_says_the_option() -> None:
    with pytest.raises(DataError, match="--roles robot=user"):
        turns_of([{"role": "robot", "text": "x"}], "m", NO_MAPPING)


def test_a_truth_value_can_be_a_role() -> None:
    mapping = parse_mapping("turns=m,role=is_bot,text=t", "true=assistant,false=user")
    turns = turns_of([{"is_bot": True, "t": "x"}, {"is_bot": False, "t": "y"}], "m", mapping)
    assert [one.role for one in turns] == ["assistant", "user"]


def test_text_comes_in_parts_numbers_or_not_at_all() -> None:
    assert text_of([{"type": "text", "text": "a"}, {"type": "image"}, "b"], "t") == "a\nb"
    assert (text_of(None, "t"), text_of(3, "t")) == ("", "3")
    with pytest.raises(DataError, match="name the field that holds text"):
        text_of({"html": "x"}, "t")


def test_roles_of_own_records_are_renamed() -> None:
    said = renamed({"turns": [{"role": "Pat", "text": "Hi"}]}, {"pat": "user"})
    assert said == {"turns": [{"role": "user", "text": "Hi", "speaker": "Pat"}]}
    assert renamed(5, {}) == 5


TOOLS = parse_mapping("turns=m,role=k,text=t,tool_calls=p.acts,tool_call_id=p.ref,tool=by")


def test_calls_and_results_stand_where_the_mapping_says() -> None:
    said = [
        {"k": "assistant", "p": {"acts": [{"id": "a1", "tool": "find", "input": {"q": 1}}]}},
        {"k": "tool", "t": "found", "p": {"ref": 1}, "by": "find"},
    ]
    called, result = turns_of(said, "m", TOOLS)
    (call,) = called.tool_calls
    assert (called.text, call.id, call.name, call.arguments) == ("", "a1", "find", {"q": 1})
    assert (result.tool_call_id, result.name, result.text) == ("1", "find", "found")


def test_one_call_needs_no_list_and_a_result_may_be_data() -> None:
    (called,) = turns_of({"k": "assistant", "p": {"acts": {"name": "now"}}}, "m", TOOLS)
    assert [one.name for one in called.tool_calls] == ["now"]
    for value, text in (({"at": "depot"}, '{"at":"depot"}'), ([1, 2], "[1,2]"), (["a"], "a")):
        (turn,) = turns_of({"k": "tool", "t": value}, "m", TOOLS)
        assert turn.text == text


def test_a_message_without_text_and_calls_is_still_an_error() -> None:
    with pytest.raises(DataError, match="the mapping has text=t"):
        turns_of([{"k": "assistant", "p": {"acts": []}}], "m", TOOLS)


def test_a_call_that_names_no_tool_is_an_error_that_says_where() -> None:
    with pytest.raises(DataError, match="names no tool"):
        turns_of([{"k": "assistant", "p": {"acts": [{"q": 1}]}}], "m", TOOLS)
