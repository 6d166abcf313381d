from __future__ import annotations

import json
from pathlib import Path

import pytest

from assize.base.conversation import Conversation, Turn
from assize.base.errors import DataError
from assize.simulate._mining.queries import Asked, Query, counted_up, read_log, together

CHAT = Conversation("c", (Turn("system", "x"), Turn("user", "Why?"), Turn("assistant", "So.")))


def test_queries_are_read_a_line_a_row_or_out_of_conversations(tmp_path: Path) -> None:
    (tmp_path / "q.txt").write_text("\ufeffhow so\n\nwhy not\n")
    (tmp_path / "q.csv").write_text("query,n\nhow so,3\n")
    (tmp_path / "clicks.jsonl").write_text(
        json.dumps({"query": "how", "url": "https://x.org/a", "dwell": "31.5"}) + "\n"
    )
    chat = {
        "id": "c",
        "turns": [{"role": "user", "text": "Why?"}, {"role": "assistant", "text": "So."}],
    }
    (tmp_path / "chats.jsonl").write_text(json.dumps(chat) + "\n")
    files = [tmp_path / one for one in ("q.txt", "q.csv", "clicks.jsonl", "chats.jsonl")]
    assert read_log(files) == [
        Asked("how so"),
        Asked("why not"),
        Asked("how so"),
        Asked("how", None, "https://x.org/a", 31.5),
        Asked("Why?", "c"),
    ]
    assert read_log([{"query": "a"}, CHAT]) == [Asked("a"), Asked("Why?", "c")]


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("q.jsonl", '{"query": "a"}\n{"text": "b"}\n', r"q\.jsonl:2: no query here, but text"),
        (
            "q.jsonl",
            '{"query": "a", "url": "x", "dwell": "long"}\n',
            r"q\.jsonl:1: received 'long' for dwell",
        ),
        ("q.txt", "\n", "the log is empty"),
    ],
)
def test_a_bad_row_is_named_and_an_empty_log_refused(
    name: str, content: str, problem: str, tmp_path: Path
) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(DataError, match=problem):
        read_log(tmp_path / name)


def test_the_same_query_counts_once_with_its_clicks() -> None:
    rows = [
        Asked("How  so", None, "a", 1),
        Asked("how so", None, "a"),
        Asked("how so", None, "b"),
        Asked("other", "c"),
        Asked(" "),
    ]
    assert counted_up(rows) == [
        Query("How  so", 3, {"a": 2, "b": 1}),
        Query("other", 1, {}, "c"),
    ]
    one, two = counted_up(rows)
    assert together(one, two) == Query("How  so", 4, {"a": 2, "b": 1})
