from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import pytest
from tests.formats.conftest import turn_texts, write_text

from assize.base.errors import DataError
from assize.formats import read
from assize.formats.any_log.mapping import NO_MAPPING, FieldMapping, parse_mapping
from assize.formats.any_log.messages import read_turn, text_of, turns_of

CSV = (
    "ticket,when,who,said,stars\n"
    "t1,3,bot,Hi there,5\nt2,1,user,Help,1\nt1,1,user,Hello,5\nt2,2,bot,With what?,1\n"
)
MAP = "role=who,text=said,id=ticket"
TOOLS = parse_mapping("turns=m,role=k,text=t,tool_calls=p.acts,tool_call_id=p.ref,tool=by")


@pytest.fixture
def table(tmp_path: Path) -> Path:
    return write_text(tmp_path / "log.csv", CSV)


def test_rows_of_one_id_are_a_conversation_however_they_stand(table: Path) -> None:
    assert [turn_texts(chat) for chat in read(table, map=f"{MAP},time=when")] == [
        ["Hello", "Hi there"],
        ["Help", "With what?"],
    ]


def test_what_all_rows_share_is_the_conversation_s(
    table: Path,
) -> None:
    first: Any = next(iter(read(table, map=MAP)))
    assert turn_texts(first) == ["Hi there", "Hello"]
    assert first.metadata == {"stars": "5"}
    assert first.turns[0].extra["when"] == "3"


def test_questions_and_answers_are_conversations(tmp_path: Path) -> None:
    path = write_text(tmp_path / "qa.csv", "q,a,lang\nHi,Hello,en\nBye,,en\n")
    one, two = read(path, map="user=q,assistant=a")
    assert [turn.role for turn in one.turns] == ["user", "assistant"]  # type: ignore[union-attr]
    assert turn_texts(two) == ["Bye"]
    assert one.metadata == {"lang": "en"}


@pytest.mark.parametrize(
    ("text", "map", "words"),
    [
        (CSV, "role=who,text=said", "as id=FIELD"),
        (
            "id,n,who,said\nc,,user,Hi\nc,2,user,Hello\n",
            "id=id,role=who,text=said,turn=n",
            "n is empty",
        ),
    ],
)
def test_a_table_that_lacks_an_id_or_a_place_says_so(
    text: str, map: str, words: str, tmp_path: Path
) -> None:
    with pytest.raises(DataError, match=words):
        list(read(write_text(tmp_path / "log.csv", text), map=map))


def test_an_empty_id_is_a_bad_record_among_good_ones(tmp_path: Path) -> None:
    path = write_text(tmp_path / "log.csv", "id,who,said\n,user,Hi\nc,user,Hello\n")
    found = read(path, map="id=id,role=who,text=said", on_error="skip")
    assert len(list(found)) == 1
    (bad,) = found.rejects
    assert "names the conversation" in str(bad)


def test_texts_alone_alternate() -> None:
    said = [(one.role, one.text) for one in turns_of(["Hi", "Hello", "Bye"], "m", NO_MAPPING)]
    assert said == [("user", "Hi"), ("assistant", "Hello"), ("user", "Bye")]
    assert turns_of("Hi", "a", NO_MAPPING, "assistant")[0].role == "assistant"


def test_usual_names_need_no_mapping() -> None:
    (turn,) = turns_of([{"sender": "bot", "body": "Hi"}], "m", NO_MAPPING)
    assert (turn.role, turn.text) == ("assistant", "Hi")


def test_what_is_not_named_stays_with_the_turn() -> None:
    mapping = parse_mapping("turns=m,role=w.k,text=t")
    assert read_turn({"w": {"k": "bot"}, "t": "Hi", "at": 5}, "m[0]", mapping).extra["at"] == 5


@pytest.mark.parametrize(
    ("messages", "map", "words"),
    [
        (
            [{"w": "user", "body": {"html": "x"}}],
            parse_mapping("turns=m,role=w,text=body.text"),
            r"m\[0\].body.text: is not there: body has the fields html",
        ),
        (
            [{"role": "robot", "text": "x"}],
            NO_MAPPING,
            "--roles robot=ROLE .user, .*; skip leaves the message out",
        ),
        ([{"type": "event"}], parse_mapping("turns=m,role=w"), "with --roles none=skip"),
        ([{"k": "assistant", "p": {"acts": []}}], TOOLS, "the mapping has text=t"),
        ([{"k": "assistant", "p": {"acts": [{"q": 1}]}}], TOOLS, "names no tool"),
    ],
)
def test_a_message_that_cannot_be_read_says_what_is_wrong(
    messages: list[Any], map: FieldMapping, words: str
) -> None:
    with pytest.raises(DataError, match=words):
        turns_of(messages, "m", map)


def test_one_call_needs_no_list() -> None:
    (called,) = turns_of({"k": "assistant", "p": {"acts": {"name": "now"}}}, "m", TOOLS)
    assert [one.name for one in called.tool_calls] == ["now"]


@pytest.mark.parametrize(
    ("value", "text"), [({"at": "depot"}, '{"at":"depot"}'), ([1, 2], "[1,2]"), (["a"], "a")]
)
def test_a_result_may_be_data(value: Any, text: str) -> None:
    assert turns_of({"k": "tool", "t": value}, "m", TOOLS)[0].text == text


def test_a_truth_value_can_be_a_role() -> None:
    mapping = parse_mapping("turns=m,role=is_bot,text=t", "true=assistant,false=user")
    turns = turns_of([{"is_bot": True, "t": "x"}, {"is_bot": False, "t": "y"}], "m", mapping)
    assert [one.role for one in turns] == ["assistant", "user"]


def test_text_comes_in_parts_numbers_or_not_at_all() -> None:
    assert text_of([{"type": "text", "text": "a"}, {"type": "image"}, "b"], "t") == "a\nb"
    assert (text_of(None, "t"), text_of(3, "t")) == ("", "3")
    with pytest.raises(DataError, match="name the field that holds text"):
        text_of({"html": "x"}, "t")


def test_calls_and_results_stand_where_the_mapping_says() -> None:
    said = [
        {"k": "assistant", "p": {"acts": [{"id": "a1", "tool": "find", "input": {"q": 1}}]}},
        {"k": "tool", "t": "found", "p": {"ref": 1}, "by": "find"},
    ]
    called, result = turns_of(said, "m", TOOLS)
    (call,) = called.tool_calls
    assert (called.text, call.id, call.name, call.arguments) == ("", "a1", "find", {"q": 1})
    assert (result.tool_call_id, result.name, result.text) == ("1", "find", "found")


EVENTS: list[dict[str, Any]] = [
    {"by": {"kind": "user"}, "text": "Hi"},
    {"by": {"kind": "event"}, "name": "typing"},
    {"name": "seen"},
    {"by": {"kind": "bot"}, "text": "Hello"},
]


def test_messages_of_a_skipped_role_or_of_none_are_left_out_unread_and_counted(
    caplog: pytest.LogCaptureFixture,
) -> None:
    rows: list[Any] = [{"id": "c", "m": EVENTS}, {"id": "d", "m": EVENTS}]
    with caplog.at_level(logging.INFO, "assize"):
        chats = list(read(rows, map="turns=m,role=by.kind", roles="Event=skip,none=skip"))
    assert [turn_texts(chat) for chat in chats] == [["Hi", "Hello"]] * 2
    assert "4 messages left out by role: event 2, none 2" in caplog.text


def test_rows_of_a_skipped_role_are_left_out() -> None:
    rows: list[Any] = [{"id": "c", "bot": "v1", **event} for event in EVENTS]
    rows[1] = {"name": "typing", "by": {"kind": "event"}}  # with no id either
    (chat,) = read(rows, map="id=id,role=by.kind,text=text", roles="event=skip,none=skip")
    assert turn_texts(chat) == ["Hi", "Hello"]
    assert chat.metadata == {"bot": "v1"}


def test_a_message_without_a_role_may_have_one() -> None:
    mapping = parse_mapping("turns=m,role=by.kind", "none=user")
    assert read_turn({"text": "Hi"}, "m[0]", mapping).role == "user"


def test_a_conversation_of_events_alone_is_a_bad_record() -> None:
    with pytest.raises(DataError, match="every message is left out by its role"):
        list(read([{"m": [{"k": "event"}]}], map="turns=m,role=k", roles="event=skip"))


TRANSCRIPT = "Chat of 3 May\nBuyer: Hi\nAgent: Hello,\nthere\nNote: closed"


def read_transcript(text: str, roles: str = "", map: str = "turns=chat") -> list[tuple[str, str]]:
    (chat,) = read([{"id": "c", "chat": text}], map=map, roles=roles or None)
    return [(turn.role, turn.text) for turn in chat.turns]  # type: ignore[union-attr]


def test_a_transcript_in_one_text_is_read_as_turns() -> None:
    text = "[10:03] Customer: Hi\n[10:04] Agent: Hello,\nthere\nNote: closed"
    assert read_transcript(text) == [("user", "Hi"), ("assistant", "Hello,\nthere\nNote: closed")]
    assert read_transcript(text, "note=tool")[2] == ("tool", "closed")
    assert read_transcript(text, "agent=user,note=skip") == [
        ("user", "Hi"),
        ("user", "Hello,\nthere"),
    ]
    (chat,) = read([{"chat": text}], map="turns=chat")
    assert chat.turns[0].extra == {"role_name": "Customer", "time": "10:03"}  # type: ignore[union-attr]


def test_a_transcript_in_a_cell_is_read_beside_the_other_columns(tmp_path: Path) -> None:
    path = write_text(tmp_path / "chats.csv", 'id,model,chat\nc1,v2,"User: Hi\nBot: Hello"\n')
    (chat,) = read(path, map="turns=chat,system=model")
    assert (chat.id, chat.system, turn_texts(chat)) == ("c1", "v2", ["Hi", "Hello"])  # type: ignore[union-attr]


def test_what_stands_before_the_first_speaker_can_be_left_out(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.INFO, "assize"):
        assert read_transcript(TRANSCRIPT, "none=skip,buyer=user,note=skip") == [
            ("user", "Hi"),
            ("assistant", "Hello,\nthere"),
        ]
    assert "2 messages left out by role: none 1, note 1" in caplog.text
    assert read_transcript(TRANSCRIPT, "none=system,buyer=user")[0] == ("system", "Chat of 3 May")


@pytest.mark.parametrize(
    ("text", "roles", "map", "words"),
    [
        ("Hello there", "", "turns=chat", r"chat: received 'Hello there'; .* as `User: Hi`; mend"),
        ("Shop: a\nGuest: b", "", "turns=chat", "with --roles Shop=user,Guest=assistant"),
        ("Ann (me): a\nBot: b", "", "turns=chat", r"--roles 'Ann \(me\)=user'"),
        ("Chat\nUser: a\nBot: b", "", "turns=chat", "first speaker with --roles none=skip"),
        (TRANSCRIPT, "note=skip", "turns=chat", "--roles Buyer=user"),
        ("User: a\nBot: b", "", "turns=chat,role=who", "leave role and text out of --map"),
        ("", "", "turns=chat", "expected a list of messages"),
    ],
)
def test_a_text_that_begins_with_no_speaker_says_what_to_do(
    text: str, roles: str, map: str, words: str
) -> None:
    with pytest.raises(DataError, match=words):
        read_transcript(text, roles, map)


def test_rows_that_repeat_a_transcript_under_its_id_count_once() -> None:
    rows = [{"id": id, "chat": f"User: {text}"} for id, text in ("aH", "aH", "bH", "aG")]
    assert [chat.id for chat in read(rows, map="turns=chat")] == ["a", "b", "a"]
    below = [{"id": "a", "chat": "User: Hi"}, {"id": "a", "chat": ""}, {"id": "b", "chat": ""}]
    log = read(below, map="turns=chat", on_error="skip")
    assert ([chat.id for chat in log], [reject.line for reject in log.rejects]) == (["a"], [3])
    unnamed = [{"chat": "User: Hi"}] * 2
    assert len(list(read(unnamed, map="turns=chat"))) == 2
