"""What functions take from Python is what stands in a file, and bad input says where and why."""

from __future__ import annotations

import asyncio
import io
import json
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.formats.conftest import FUZZ

from assize.conversation import ROLES, Conversation, Pair, ToolCall, Turn
from assize.errors import ConfigError, DataError
from assize.formats import (
    Record,
    Reject,
    items_from,
    judgments_from,
    read,
    read_judgments,
    to_json,
    write,
    write_questions,
)
from assize.formats.logs.openai import message
from assize.formats.rows import SAMPLE_ROWS
from assize.judgment import Judgment, Question
from assize.judgments import JudgmentTable

HI = {"role": "user", "content": "hi"}
CHAT = {"messages": [HI, {"role": "assistant", "content": "hello"}]}
OWN = Conversation("c", (Turn("user", "hi"),))
RATING = {"item": "c", "judge": "ann", "question": "q", "answer": "2"}
SCALE = Question("q", kind="ordinal", answers=("1", "2", "3"), values=(1.0, 2.0, 3.0))
TABLE = JudgmentTable.of([Judgment("c", "ann", "q", answer="2")], [SCALE])
TURNS = {
    "conversation": ["a", "a", "b"],
    "turn": [1, 0, 0],
    "role": ["bot", "user", "user"],
    "text": ["hello", "hi", "hey"],
}


def ids(given: Any, **options: Any) -> list[str]:
    return [item.id for item in items_from(given, **options)]


def said(given: Any, **options: Any) -> list[list[str]]:
    return [[turn.text for turn in item.turns] for item in items_from(given, **options)]  # type: ignore[union-attr]


# Conversations in the OpenAI form, in assize's own form, and as tables.

words = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
turns = st.lists(st.builds(Turn, st.sampled_from(ROLES), words), min_size=1, max_size=4)
conversations = st.lists(
    st.builds(
        Conversation,
        st.text("abc", min_size=1),
        turns.map(tuple),
        system=st.none() | st.just("bot-7"),
        metadata=st.dictionaries(st.text("xyz", min_size=1), st.integers() | words, max_size=2),
    ),
    min_size=1,
    max_size=4,
)


def openai_form(one: Conversation) -> dict[str, Any]:
    form: dict[str, Any] = {"messages": [message(turn) for turn in one.turns]}
    return form if one.system is None else form | {"model": one.system}


@pytest.mark.parametrize("form", [to_json, openai_form])
@given(chats=conversations)
@FUZZ
def test_a_list_of_dicts_is_what_a_file_of_them_is(
    form: Callable[[Any], dict[str, Any]], chats: list[Conversation], tmp_path: Path
) -> None:
    rows = [form(one) for one in chats]
    (tmp_path / "items.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    assert list(items_from(rows)) == list(read(tmp_path / "items.jsonl"))
    assert [one.turns for one in items_from(rows)] == [one.turns for one in chats]  # type: ignore[union-attr]


@given(chats=conversations)
@FUZZ
def test_frames_are_what_the_parquet_file_of_them_is(
    chats: list[Conversation], tmp_path: Path
) -> None:
    write(tmp_path / "own.parquet", chats)
    own = pq.read_table(tmp_path / "own.parquet")
    assert list(items_from(own)) == list(items_from(own.to_pandas())) == chats
    frame = pd.DataFrame([openai_form(one) for one in chats])
    frame.to_parquet(tmp_path / "items.parquet", index=False)
    filed = list(read(tmp_path / "items.parquet"))
    assert list(items_from(frame)) == list(items_from(pa.Table.from_pandas(frame))) == filed
    assert [one.turns for one in filed] == [one.turns for one in chats]  # type: ignore[union-attr]


def test_a_table_with_one_turn_a_row_is_read_from_any_frame_and_from_dicts() -> None:
    table = pa.table(TURNS)
    for one in (table, table.to_pandas(), table.to_pylist()):
        assert said(one) == [["hi", "hello"], ["hey"]]
    alone = table.select(["role", "text"]).slice(0, 2)
    assert said(alone) == said(alone.to_pylist()) == [["hello", "hi"]]


def test_absent_fields_of_messages_in_columns_are_no_fields() -> None:
    search = {"id": "t", "type": "function", "function": {"name": "search", "arguments": "{}"}}
    call = {"role": "assistant", "content": None, "tool_calls": [search]}
    (item,) = items_from(pd.DataFrame({"messages": [[HI, call]]}))
    assert isinstance(item, Conversation)
    assert [dict(turn.extra) for turn in item.turns] == [{}, {"content": None}]
    assert item.turns[1].tool_calls == (ToolCall("t", "search"),)


def test_a_list_of_messages_is_one_conversation_and_a_list_of_lists_several() -> None:
    messages = CHAT["messages"]
    assert (ids(messages), said(messages)) == (["items-1"], [["hi", "hello"]])
    assert ids([messages, messages]) == ["items-1", "items-2"]
    own = [{"role": "user", "text": "hi"}, {"role": "assistant", "text": "hello"}]
    assert said(own) == [["hi", "hello"]]
    named = [{"conversation_id": name, **HI} for name in "aab"]
    assert (ids(named), said(named)) == (["a", "b"], [["hi", "hi"], ["hi"]])


def test_made_ids_are_called_after_the_argument_and_stay_apart() -> None:
    frame = pd.DataFrame({"messages": [[HI], [HI]]})
    given = [CHAT, {"id": "mine"} | CHAT, OWN, CHAT, frame]
    expected = ["items-1", "mine", "c", "items-4", "items[4]-1", "items[4]-2"]
    assert ids(given) == ids(given) == expected
    assert ids(CHAT, argument="chats") == ["chats-1"]
    assert ids([{"turns": [{"role": "user", "text": "hi"}]}]) == ["items-1"]


def test_sources_and_records_may_be_mixed_and_judgments_are_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "chats.jsonl"
    write(path, [OWN])
    given = [path, str(path), Judgment("c", "ann", "q", answer="1"), OWN, CHAT]
    assert ids(given) == ["c", "c", "c", "items-5"]
    assert ids(path) == ids(OWN) == ["c"]
    assert ids(path.as_uri()) == ["c"]


def test_the_format_may_be_named() -> None:
    row = {"conversations": [{"from": "human", "value": "hi"}]}
    assert said([row], format="sharegpt") == said([row]) == [["hi"]]
    with pytest.raises(ConfigError, match="no format 'nope'; known are"):
        items_from([row], format="nope")
    with pytest.raises(DataError, match=r"^items\[0\]: messages: received None"):
        ids([row], format="openai")


def test_records_are_not_looked_ahead_and_of_dicts_at_most_20() -> None:
    drawn: list[int] = []

    def endless(one: Any) -> Iterator[Any]:
        while True:
            drawn.append(1)
            yield one

    records = items_from(endless(OWN))
    assert [next(records).id for _ in range(2)] == ["c", "c"]
    assert len(drawn) == 2
    drawn.clear()
    rows = items_from(endless(CHAT))
    assert not drawn
    for count in range(1, SAMPLE_ROWS + 5):
        assert next(rows).id == f"items-{count}"
        assert len(drawn) == max(SAMPLE_ROWS, count)


def test_bad_records_are_handed_over_where_asked_for() -> None:
    rejects: list[Reject] = []
    given = [CHAT, {"messages": [{"content": "hi"}]}, {"messages": [{1, 2}]}, CHAT]
    assert ids(given, on_reject=rejects.append) == ["items-1", "items-4"]
    assert [(one.source, one.line) for one in rejects] == [("items", 2), ("items", 3)]


# Bad input


async def later() -> list[Any]:
    return []


async def one_by_one() -> AsyncIterator[Any]:
    yield CHAT


def used_up() -> Iterator[Any]:
    chats = iter([CHAT])
    next(chats)
    return chats


BAD_ITEMS: dict[str, tuple[Any, str]] = {
    "nothing": (None, "^items: received None; give a path or URL, conversations"),
    "a number": (7, "^items: received an int: 7; give"),
    "bytes": (b"{}", "^items: received a bytes: b'{}'; give"),
    "an open file": (io.StringIO("x"), r"^items: received a StringIO: <.*>; give a path"),
    "a function": (later, "^items: received a function, which is not called yet: call it first"),
    "an async generator": (one_by_one(), "^items: received an async_generator: collect it first"),
    "an empty list": ([], "^items: received an empty list; give"),
    "an empty dict": ({}, r"^items: this format is not known; the fields are: none"),
    "what was read": (used_up(), "^items: received an iterator that gives nothing; one that was"),
    "a number among dicts": ([CHAT, 7], r"^items\[1\]: received an int: 7; give"),
    "an empty list inside": ([CHAT, []], r"^items\[1\]: received a list: \[\]; give"),
    "no file": ("nope.jsonl", "^nope.jsonl: there is no such file"),
    "no file inside": ([CHAT, "nope.jsonl"], "^nope.jsonl: there is no such file"),
    "content as text": (json.dumps(CHAT), "^items: received the text .* which is no path; give"),
    "no role": (
        [CHAT, {"messages": [{"content": "hi"}]}],
        r"^items\[1\]: messages\[0\].role: received None; known names of roles are user, .*;"
        " mend it, or leave bad ones out with on_reject$",
    ),
    "no role in the first": (
        [{"messages": [{"content": "hi"}]}],
        r"^items\[0\]: messages\[0\].role: received None",
    ),
    "no role in one": ({"turns": [{"text": "hi"}]}, r"^items: turns\[0\].role: is missing; all"),
    "a bad turn of a table": (
        [dict(zip(TURNS, row, strict=True)) for row in (["a", 0, "user", "x"], ["a", 1, "?", "x"])],
        r"^items\[1\]: role: received '\?'; known names",
    ),
    "unlike dicts": ([CHAT, {"turns": []}], r"^items\[1\]: messages: received None"),
    "what JSON has not": ([{"messages": {1}}], r"^items\[0\]: holds \{1\} of type set; give text"),
    "frames by name": (
        {"train": pd.DataFrame({"messages": [[HI]]})},
        r"^items: received a dict of the frames \['train'\]: give one of them; give a path",
    ),
    "no columns": (
        pd.DataFrame({"n": [1]}),
        r"^items: this format is not known; the fields are: n \(number 1\). Say where role,",
    ),
    "no rows": (pd.DataFrame({"messages": []}), "^items: this DataFrame holds no records"),
    "a bad row": (
        pd.DataFrame({"messages": [[HI], [{**HI, "role": "wizard"}]]}),
        r"^items\[1\]: messages\[0\].role: received 'wizard'",
    ),
    "a bad row of a frame inside": (
        [OWN, pd.DataFrame({"messages": [[HI], [{**HI, "role": "wizard"}]]})],
        r"^items\[1\]\[1\]: messages\[0\].role: received 'wizard'",
    ),
    "a table of judgments": (TABLE, "^items: received a table of judgments; give what was judged"),
    "one inside": ([CHAT, TABLE], r"^items\[1\]: received a table of judgments; give what"),
    "only judgments": ([RATING], "^items: only judgments are here; give what was judged"),
}


@pytest.mark.parametrize("case", BAD_ITEMS)
def test_what_is_no_item_says_where_what_and_what_to_do(case: str) -> None:
    given, words = BAD_ITEMS[case]
    with pytest.raises(DataError, match=words):
        list(items_from(given))


def test_a_coroutine_is_refused_by_the_name_of_the_argument() -> None:
    waiting: Any = later()
    with pytest.raises(DataError, match=r"^chats: received a coroutine, .*: await it first; give"):
        items_from(waiting, argument="chats")
    assert asyncio.run(waiting) == []


@pytest.mark.parametrize(
    "huge",
    [
        [{"messages": [{"role": "x" * 100_000, "content": ""}]}],
        [{"x" * 100_000: 1}],
        [{str(number): 1 for number in range(100_000)}],
        ["x" * 100_000],
        [{"messages": [{"role": "user", "content": {"x" * 100_000}}]}],
        [CHAT, ["x" * 100_000]],
        "[" * 100_000,
    ],
    ids=range(7),
)
def test_errors_stay_short_whatever_was_given(huge: Any) -> None:
    with pytest.raises(DataError) as caught:
        list(items_from(huge))
    assert len(str(caught.value)) < 1500


# Judgments


def test_judgments_come_from_records_dicts_frames_tables_and_files(tmp_path: Path) -> None:
    write(tmp_path / "judgments.jsonl", TABLE)
    row = TABLE.rows()
    frame = pd.DataFrame([RATING])
    for one in (row, row[0], RATING, [RATING], frame, pa.Table.from_pandas(frame), tmp_path):
        assert judgments_from(one).rows() == row
    assert judgments_from(TABLE) is TABLE
    given = [TABLE, tmp_path / "judgments.jsonl", row[0], RATING, frame, OWN]
    assert judgments_from(given).rows() == row * 5


def test_questions_travel_from_tables_files_and_the_caller(tmp_path: Path) -> None:
    path = tmp_path / "scores.jsonl"
    write(path, TABLE.rows())
    write_questions(path, [SCALE])
    assert judgments_from([path]).questions == read_judgments([path]).questions == {"q": SCALE}
    rest = Judgment("c", "ann", "other", answer="yes")
    table = judgments_from([TABLE, rest])
    assert (table.questions["q"], table.inferred) == (SCALE, frozenset({"other"}))
    for questions in (
        SCALE,
        [SCALE],
        to_json(SCALE),
        [to_json(SCALE)],
        tmp_path / "scores.questions.json",
    ):
        assert judgments_from([RATING], questions=questions).questions == {"q": SCALE}
    other = Question("q", kind="number")
    with pytest.raises(DataError, match=r"^judgments\[1\]: question 'q' has two scales"):
        judgments_from([RATING, TABLE], questions=[other])
    with pytest.raises(DataError, match=r"^questions: received None; give a list of questions"):
        judgments_from([RATING], questions=None)  # type: ignore[arg-type]
    with pytest.raises(DataError, match=r"^questions\[0\]: id: is missing"):
        judgments_from([RATING], questions=[{"text": "?"}])


def test_a_frame_of_distributions_is_read_as_columns_and_as_rows() -> None:
    rows = [
        {**RATING, "answer": None, "distribution": {"1": 0.25, "2": 0.75}},
        {**RATING, "answer": None, "distribution": {"3": 1.0}},
    ]
    expected = [{"1": 0.25, "2": 0.75}, {"3": 1.0}]
    frame = pd.DataFrame(rows)
    assert [one.distribution for one in judgments_from(frame)] == expected
    rejects: list[Reject] = []
    bad = pd.concat([frame, frame[:1].assign(distribution=[{"1": 2.0}])])
    kept = judgments_from(bad, on_reject=rejects.append)
    assert [one.distribution for one in kept] == expected
    assert [(one.line, one.field) for one in rejects] == [(3, "distribution.1")]


def test_a_pairs_gold_is_a_judgment_and_published_votes_are_read() -> None:
    pair = Pair("p", (), (Turn("assistant", "a"),), (Turn("assistant", "b"),), gold="B")
    assert [(one.judge, one.answer) for one in judgments_from([pair])] == [("gold", "B")]
    rated = {
        "turns": [{"role": "user", "text": "hi"}],
        "ratings": [{"dimension": "overall", "score": 3, "judge": "ann", "kind": "human"}],
        "id": "d1",
    }
    assert [one.item for one in judgments_from([rated])] == ["d1"]


BAD_JUDGMENTS: dict[str, tuple[Any, str]] = {
    "nothing": (None, "^judgments: received None; give a table of judgments, a path"),
    "an empty list": ([], "^judgments: received an empty list; give"),
    "an empty table": (JudgmentTable.of([]), "^judgments: there is no judgment here; give"),
    "conversations": ([OWN], "^judgments: there is no judgment here; give .* what was judged"),
    "a chat": ([CHAT], "^judgments: there is no judgment here; give"),
    "a number inside": ([RATING, 7], r"^judgments\[1\]: received an int: 7; give"),
    "no result": ([RATING, {**RATING, "answer": None}], r"^judgments\[1\]: needs one of `answer`"),
    "no columns": (
        pd.DataFrame([RATING])[["item", "answer"]],
        r"^judgments: this format is not known; the fields are: item \(text .*\), answer \(text",
    ),
    "a bad row": (
        pd.DataFrame([RATING, {**RATING, "score": np.inf}]),
        r"^judgments\[1\]: score: received inf; a score is a finite number",
    ),
    "no file": ("nope.jsonl", "^nope.jsonl: there is no such file"),
}


@pytest.mark.parametrize("case", BAD_JUDGMENTS)
def test_what_is_no_judgment_says_where_what_and_what_to_do(case: str) -> None:
    given, words = BAD_JUDGMENTS[case]
    with pytest.raises(DataError, match=words):
        judgments_from(given)


def test_columns_and_rows_of_judgments_are_the_same_table() -> None:
    rows: list[Record] = [
        Judgment(
            f"i{n}", "ann", "q", answer=str(n % 3 + 1), score=None if n else 0.5, turn=n or None
        )
        for n in range(30)
    ]
    table = JudgmentTable.of(rows)  # type: ignore[arg-type]
    dicts = [to_json(one) for one in rows]
    for form in (dicts, table.to_pandas(), table.to_arrow(), pd.DataFrame(dicts)):
        assert judgments_from(form).rows() == rows
