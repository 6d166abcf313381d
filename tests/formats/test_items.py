"""What `assize.read` takes is what stands in a file, and bad input says where and why."""

from __future__ import annotations

import dataclasses
import inspect
import io
import json
import re
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scripts.promised import promised
from tests.formats.conftest import CHAT, FUZZ, HI, OWN, RATING, TABLE, lines, turn_texts

import assize
from assize.base.conversation import ROLES, Continuation, Conversation, Pair, ToolCall, Turn
from assize.base.errors import ConfigError, DataError
from assize.base.judgment import Judgment
from assize.cli.settings import settings_of
from assize.formats import Items, read, read_any, read_judgments, to_json, write
from assize.formats.items import pairs_by_id
from assize.formats.logs.chat import openai_message
from assize.formats.read_options import ReadOptions
from assize.formats.rows import SAMPLE_ROWS
from assize.formats.sampling import draw_sample
from assize.judgments import JudgmentTable

TURNS = {
    "conversation": ["a", "a", "b"],
    "turn": [1, 0, 0],
    "role": ["bot", "user", "user"],
    "text": ["hello", "hi", "hey"],
}


def ids(given: Any, **options: Any) -> list[str]:
    return [item.id for item in read(given, **options)]


def said(given: Any, **options: Any) -> list[list[str]]:
    return [turn_texts(item) for item in read(given, **options)]


def talk(name: str, text: str = "hi", **metadata: Any) -> Conversation:
    return Conversation(name, (Turn("user", text), Turn("assistant", "ho")), metadata=metadata)


def pair(name: str, text: str = "a") -> Pair:
    return Pair(name, (Turn("user", "?"),), (Turn("assistant", text),), (Turn("assistant", "b"),))


@pytest.fixture
def chats(tmp_path: Path) -> Path:
    """A file of three conversations."""
    write(tmp_path / "chats.jsonl", [talk(name) for name in "abc"])
    return tmp_path / "chats.jsonl"


@pytest.fixture
def odd(chats: Path) -> Path:
    """The same with a bad record at the end."""
    with chats.open("a") as stream:
        stream.write('{"id": "d", "turns": [{"role": "wizard", "text": "x"}]}\n')
    return chats


# ── lazy, and read again ────────────────────────────────────────────────────────────────────


def test_a_file_is_opened_when_it_is_iterated_and_not_before(tmp_path: Path) -> None:
    late = tmp_path / "late.jsonl"
    items = read(late)
    with pytest.raises(DataError, match=r"late\.jsonl: there is no such file"):
        list(items)
    write(late, [OWN])
    assert list(items) == [OWN]
    write(late, [talk("new")])
    assert [one.id for one in items] == ["new"]


def test_the_first_item_comes_before_the_bad_record_behind_it(odd: Path) -> None:
    assert [one.id for one in islice(read(odd), 3)] == ["a", "b", "c"]
    with pytest.raises(DataError, match=r"chats\.jsonl:4: turns\[0\]\.role: received 'wizard'"):
        list(read(odd))


def test_files_lists_and_frames_are_read_as_often_as_wanted(chats: Path) -> None:
    frame = pd.DataFrame({"messages": [[HI], [HI]]})
    for source in (chats, [chats, OWN], OWN, [OWN, CHAT], CHAT, frame, [frame], (OWN, OWN)):
        items = read(source)
        assert not items.single_pass
        first = list(items)
        assert first
        assert list(items) == list(items) == first


def test_two_passes_over_one_file_may_go_on_side_by_side(chats: Path) -> None:
    items = read(chats)
    assert [(one.id, two.id) for one, two in zip(items, items, strict=True)] == [
        ("a", "a"),
        ("b", "b"),
        ("c", "c"),
    ]


@pytest.mark.parametrize("make", [iter, lambda some: (one for one in some)])
def test_an_iterator_is_read_once_and_a_second_pass_says_so(make: Callable[[Any], Any]) -> None:
    items = read(make([OWN, CHAT]))
    assert items.single_pass
    assert [one.id for one in items] == ["c", "items-2"]
    begun, judged = read(make([OWN])), read(make([OWN, RATING]))
    next(iter(begun))
    read_judgments(judged)
    for used in (items, begun, judged):
        with pytest.raises(DataError, match=r"^items: this can be read once, and was read before"):
            list(used)


def test_standard_input_is_read_once_and_a_second_pass_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    text = json.dumps(to_json(OWN)).encode() + b"\n"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text)))
    items = read("-")
    assert items.single_pass
    assert read(["-"]).single_pass
    assert list(items) == [OWN]
    with pytest.raises(DataError, match="this can be read once, and was read before"):
        list(items)


def test_items_and_judgments_come_in_one_pass() -> None:
    row = Judgment("c", "ann", "q", answer="1")
    assert read(iter([OWN, row, RATING])).items_and_judgments()[0] == [OWN]
    items, judgments = read([OWN, row, CHAT]).items_and_judgments()
    assert ([one.id for one in items], judgments) == (["c", "items-3"], [row])
    with pytest.raises(DataError, match="only judgments are here"):
        read([row]).items_and_judgments()


def test_judgments_that_were_passed_over_are_counted_anew_in_each_pass() -> None:
    items = read([OWN, Judgment("c", "ann", "q", answer="1"), OWN])
    for _ in range(2):
        assert len(list(items)) == 2
        assert items.passed_over == 1


# ── what was given ──────────────────────────────────────────────────────────────────────────


def test_paths_files_and_what_is_in_memory_are_told_apart(chats: Path) -> None:
    folder = chats.parent
    assert (read(folder).paths, read(folder).files) == ([str(folder)], [str(chats)])
    assert read(str(folder / "*.jsonl")).files == [str(chats)]
    mixed = read([chats, OWN, "other.jsonl"])
    assert (mixed.paths, mixed.in_memory) == ([str(chats), "other.jsonl"], True)
    for source, memory in ((chats, False), ([chats], False), (OWN, True), ([OWN], True)):
        assert read(source).in_memory is memory
    assert read([OWN]).paths == read([OWN]).files == []


def test_items_are_returned_as_they_are_and_take_no_further_options(chats: Path) -> None:
    items = read(chats, format="assize", on_error="skip")
    assert read(items) is items
    assert read(items, format=None, on_error="fail", options={}) is items
    more: list[dict[str, Any]] = [
        {"format": "openai"},
        {"map": "text=t,role=r"},
        {"roles": "client=user"},
        {"on_error": "skip"},
        {"max_bytes": "1GB"},
        {"options": {"x": "y"}},
    ]
    for one in more:
        with pytest.raises(ConfigError, match="these items say already how they are read"):
            read(items, **one)
        with pytest.raises(ConfigError, match="this was read with options already"):
            read_judgments(items, **one)


@pytest.mark.parametrize(
    ("option", "problem"),
    [
        ({"format": "nope"}, "no format 'nope'; .*known are"),
        ({"on_error": "stop"}, "on_error is 'stop'; give fail or skip"),
        ({"max_bytes": "much"}, "max_bytes: received 'much'"),
        ({"max_bytes": 0}, "max_bytes: received 0"),
        ({"map": "speaker=x"}, "there is no 'speaker'"),
        ({"map": "turnz=x"}, "there is no 'turnz'; did you mean 'turn'"),
        ({"roles": "client=customer"}, "allowed are user, assistant, system, tool"),
    ],
)
def test_an_option_that_is_not_allowed_is_refused_at_once(
    option: dict[str, Any], problem: str
) -> None:
    for way in (read, read_judgments):
        with pytest.raises(ConfigError, match=problem):
            way("absent.jsonl", **option)


def test_an_option_that_the_format_does_not_have_is_refused(chats: Path) -> None:
    with pytest.raises(ConfigError, match="format assize has no option 'rater_column'"):
        list(read(chats, options={"rater_column": "who"}))


def test_options_hold_for_what_is_in_memory_as_for_files() -> None:
    log = {"conv": "c1", "m": [{"w": "client", "t": "Hi"}, {"w": "helper", "t": "Hello"}]}
    how = {"map": "turns=m,role=w,text=t,id=conv", "roles": "client=user,helper=assistant"}
    assert said([log], **how) == [["Hi", "Hello"]]


def test_bad_records_can_be_saved_to_a_file_in_each_pass(odd: Path) -> None:
    items = read(odd, on_error="skip")
    for name in ("bad/rejects.jsonl", "again.jsonl"):
        with items.rejects.saved_to(odd.parent / name):
            assert len(list(items)) == 3
        assert [reject.line for reject in items.rejects] == [4]
        assert items.rejects.location == str(odd.parent / name)
        (row,) = map(json.loads, (odd.parent / name).read_text().splitlines())
        assert (row["source"], row["line"]) == (str(odd), 4)


# ── bad records ─────────────────────────────────────────────────────────────────────────────


def test_bad_records_are_kept_once_however_often_they_are_met(odd: Path) -> None:
    items = read(odd, on_error="skip")
    assert len(items.rejects) == 0
    for _ in range(2):
        assert [one.id for one in items] == ["a", "b", "c"]
    (reject,) = items.rejects
    assert len(items.rejects) == 1
    assert (reject.source, reject.line) == (str(odd), 4)
    assert json.loads(reject.raw)["id"] == "d"


def test_a_part_is_read_alike_and_keeps_its_bad_records_with_the_whole(odd: Path) -> None:
    items = read([odd, OWN], on_error="skip")
    part = items.part(str(odd))
    assert (part.options, part.name, part.paths) == (items.options, "items", [str(odd)])
    assert [one.id for one in part] == ["a", "b", "c"]
    assert part.rejects is items.rejects
    assert [one.id for one in items] == ["a", "b", "c", "c"]
    assert len(items.rejects) == 1


def test_lenient_items_pass_over_what_was_refused_already(odd: Path) -> None:
    items = read(odd, format="assize")
    lenient = items.lenient()
    assert [one.id for one in lenient] == ["a", "b", "c"]
    assert (len(lenient.rejects), len(items.rejects)) == (1, 0)
    assert (lenient.options.format, lenient.source) == ("assize", items.source)
    with pytest.raises(DataError, match="wizard"):
        list(items)


def test_a_run_in_memory_and_scores_in_memory_leave_rejects_where_they_are(
    odd: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (odd.parent / "empty").mkdir()
    monkeypatch.chdir(odd.parent / "empty")
    uses: list[Callable[[Items], object]] = [
        lambda items: assize.score(items, quiet=True),
        lambda items: assize.judge(items, "rating@scripted:any", quiet=True),
    ]
    for use in uses:
        items = read(odd, on_error="skip")
        use(items)
        assert [reject.line for reject in items.rejects] == [4]
        assert items.rejects.location is None
    assert not list(Path().iterdir())


def test_items_stand_in_lists_each_read_in_its_own_way(tmp_path: Path) -> None:
    log = read(lines(tmp_path / "log.jsonl", {"i": "x", "q": "Hi"}), map="id=i,user=q")
    assert ids([log, talk("y", "Hi")]) == ["x", "y"]
    table = assize.read_judgments([read([RATING]), {**RATING, "judge": "bob"}])
    assert table.judges == ("ann", "bob")
    assert isinstance(read_any([read([RATING])]), JudgmentTable)
    assert isinstance(read_any([log]), Items)


def test_a_sample_is_drawn_from_a_file_as_from_its_items(tmp_path: Path) -> None:
    many = [talk(f"c{n}", f"question {n}", lang="pl" if n == 7 else "en") for n in range(30)]
    write(tmp_path / "many.jsonl", many)
    items = read(tmp_path / "many.jsonl")
    assert items.sample(5, seed=3) == draw_sample(many, 5, seed=3) != items.sample(5, seed=4)
    assert items.sample(99) == many
    # Of every value of a field there is something.
    assert "c7" in ids(read(many).sample(4, by="metadata.lang"))
    with pytest.raises(DataError, match="mood"):
        read(many).sample(4, by="metadata.mood")


# ── what items can do ───────────────────────────────────────────────────────────────────────


def test_pairs_come_by_their_ids_and_two_of_one_id_that_differ_are_refused(tmp_path: Path) -> None:
    given = [pair("p"), OWN, pair("q"), pair("p")]
    assert read(given).pairs_by_id() == {"p": pair("p"), "q": pair("q")}
    with pytest.raises(DataError, match=r"^items: two pairs have the id 'p'"):
        read([pair("p"), pair("p", "other")]).pairs_by_id()
    write(tmp_path / "x.jsonl", [pair("p"), pair("p", "other")])
    with pytest.raises(DataError, match=r"x\.jsonl: two pairs have the id 'p'"):
        read(tmp_path / "x.jsonl").pairs_by_id()
    assert pairs_by_id([OWN], "here") == {}


# ── how they are shown ──────────────────────────────────────────────────────────────────────


def test_items_show_what_they_are_read_from(chats: Path) -> None:
    assert repr(read(chats)) == f"Items({chats})"
    assert repr(read([chats], format="assize")) == f"Items({chats}, format='assize')"
    assert repr(read(["a.jsonl", "b.jsonl"])) == "Items(a.jsonl, b.jsonl)"
    assert repr(read([OWN])) == "Items(<list>)"
    assert repr(read(iter([OWN]))) == "Items(<list_iterator>)"


def test_a_notebook_shows_the_first_few(chats: Path) -> None:
    more = [pair("p"), Continuation("k", (Turn("user", "before"),), "after")]
    shown = read([chats, *more, OWN])._repr_html_()
    assert shown.count("<tr><td>") == 5
    assert "<td>a</td><td>conversation</td><td>hi</td>" in shown
    assert "<td>p</td><td>pair</td><td>?</td>" in shown
    assert "<td>k</td><td>continuation</td><td>before</td>" in shown
    assert "..." in read([talk("long", "x" * 200)])._repr_html_()


def test_what_a_notebook_shows_is_escaped(tmp_path: Path) -> None:
    evil = "<script>alert(1)</script>"
    path = tmp_path / "<b>.jsonl"
    write(path, [OWN])
    for source in ([talk(evil, f"<img src=x onerror=1>{evil}")], [talk("a"), talk(evil)], path):
        shown = read(source)._repr_html_()
        assert not re.search("<script|<img|<b>", shown)
        assert "&lt;" in shown


def test_showing_does_not_use_up_what_can_be_read_once() -> None:
    items = read(iter([OWN]))
    assert items._repr_html_() == "<p>Items(&lt;list_iterator&gt;): can be read once</p>"
    assert list(items) == [OWN]


# ── the forms that items come in ────────────────────────────────────────────────────────────

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
    form: dict[str, Any] = {"messages": [openai_message(turn) for turn in one.turns]}
    return form if one.system is None else form | {"model": one.system}


@pytest.mark.parametrize("form", [to_json, openai_form])
@given(chats=conversations)
@FUZZ
def test_a_list_of_dicts_is_what_a_file_of_them_is(
    form: Callable[[Any], dict[str, Any]], chats: list[Conversation], tmp_path: Path
) -> None:
    rows = [form(one) for one in chats]
    (tmp_path / "items.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    assert list(read(rows)) == list(read(tmp_path / "items.jsonl"))
    assert [one.turns for one in read(rows)] == [one.turns for one in chats]  # type: ignore[union-attr]


@given(chats=conversations)
@FUZZ
def test_frames_are_what_the_parquet_file_of_them_is(
    chats: list[Conversation], tmp_path: Path
) -> None:
    write(tmp_path / "own.parquet", chats)
    own = pq.read_table(tmp_path / "own.parquet")
    assert list(read(own)) == list(read(own.to_pandas())) == chats
    frame = pd.DataFrame([openai_form(one) for one in chats])
    frame.to_parquet(tmp_path / "items.parquet", index=False)
    filed = list(read(tmp_path / "items.parquet"))
    assert list(read(frame)) == list(read(pa.Table.from_pandas(frame))) == filed
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
    (item,) = read(pd.DataFrame({"messages": [[HI, call]]}))
    turns = (Turn("user", "hi"), Turn("assistant", "", tool_calls=(ToolCall("t", "search"),)))
    assert item.turns == turns  # type: ignore[union-attr]


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
    assert [one.id for one in Items(CHAT, ReadOptions(), "chats")] == ["chats-1"]
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
    with pytest.raises(DataError, match=r"^items\[0\]: messages: received None"):
        ids([row], format="openai")


def test_records_are_not_looked_ahead_and_of_dicts_at_most_20() -> None:
    drawn: list[int] = []

    def endless(one: Any) -> Iterator[Any]:
        while True:
            drawn.append(1)
            yield one

    records = iter(read(endless(OWN)))
    assert [next(records).id for _ in range(2)] == ["c", "c"]
    assert len(drawn) == 2
    drawn.clear()
    rows = iter(read(endless(CHAT)))
    assert not drawn
    for count in range(1, SAMPLE_ROWS + 5):
        assert next(rows).id == f"items-{count}"
        assert len(drawn) == max(SAMPLE_ROWS, count)


# ── bad input ───────────────────────────────────────────────────────────────────────────────


async def one_by_one() -> AsyncIterator[Any]:
    yield CHAT


BAD_ITEMS: dict[str, tuple[Any, str]] = {
    "nothing": (None, "^items: received None; give a path or URL, conversations"),
    "a number": (7, r"^items: received 7 \(int\); give"),
    "bytes": (b"{}", r"^items: received b'{}' \(bytes\); give"),
    "an open file": (io.StringIO("x"), r"^items: received <.*> \(StringIO\); give a path"),
    "a function": (ids, "^items: received a function, ids; give"),
    "an async generator": (one_by_one(), "^items: received <async_generator"),
    "an empty list": ([], "^items: received an empty list; give"),
    "an empty dict": ({}, r"^items: this format is not known; the fields are: none"),
    "what was read": (
        iter([]),
        "^items: received an empty list_iterator; what was read before",
    ),
    "a number among dicts": ([CHAT, 7], r"^items\[1\]: received 7 \(int\); give"),
    "an empty list inside": ([CHAT, []], r"^items\[1\]: received \[\] \(list\); give"),
    "no file": ("nope.jsonl", "^nope.jsonl: there is no such file"),
    "no file inside": ([CHAT, "nope.jsonl"], "^nope.jsonl: there is no such file"),
    "content as text": (json.dumps(CHAT), "^items: received the text .* which is no path; give"),
    "no role": (
        [CHAT, {"messages": [{"content": "hi"}]}],
        r"^items\[1\]: messages\[0\].role: received None; known names of roles are user, .*;"
        ' mend it, or leave bad ones out with on_error="skip"$',
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
        r"^items: received \{'train': .* \(dict\); give a path",
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
        list(read(given))


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
        list(read(huge))
    assert len(str(caught.value)) < 1500


# ── one door ────────────────────────────────────────────────────────────────────────────────

DOORS = {"read", "read_judgments"}
WRITERS = {"write", "open_writer"}


def taken_by(one: Any) -> set[str]:
    """What a function, or a class when it is made, takes by name; fields of settings too."""
    parameters = inspect.signature(one).parameters
    settings = settings_of(one).values() if "asking" in parameters else ()
    return {*parameters, *(part for record in settings for part in record.fields)}


def test_only_what_reads_says_how_a_source_is_read() -> None:
    taken = {
        name.rpartition(".")[2]: taken_by(value)
        for name, value in promised().items()
        if inspect.isfunction(value) or dataclasses.is_dataclass(value)
    }
    del taken["Annotation"]  # its roles are those of the turns that were labelled
    assert len(taken) > 80
    assert {"concurrency", "votes", "quiet"} <= taken["judge"]  # of `Asking`, too
    for option in ("map", "roles", "on_error", "max_bytes"):
        assert {name for name, known in taken.items() if option in known} == DOORS, option
    assert {name for name, known in taken.items() if "format" in known} == DOORS | WRITERS
