"""Topics are read from text, JSON and memory, and say what is wrong with a line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from assize.base.conversation import Reference
from assize.base.errors import DataError
from assize.simulate._mining.mined import SimulatedTopics
from assize.simulate._topics_file import Topic, read_topics, write_topics


def test_a_text_file_has_a_topic_a_line(tmp_path: Path) -> None:
    path = tmp_path / "topics.txt"
    path.write_bytes(b"\xef\xbb\xbfrotate storage keys\n\n  set alerts \n")
    assert read_topics(path) == [Topic("t1", "rotate storage keys"), Topic("t2", "set alerts")]


def test_json_holds_documents_personas_and_what_nobody_knows(tmp_path: Path) -> None:
    path = tmp_path / "topics.jsonl"
    path.write_text(
        '{"text": "keys", "documents": ["a.html", {"id": "b", "clicks": 3}], "seen": 1}\n'
        '{"id": 7, "text": "alerts", "persona": "a beginner", "level": "hard"}\n'
    )
    first, second = read_topics([path])
    assert first.id == "t1"
    assert first.extra == {"seen": 1}
    assert (second.id, second.persona, second.extra) == ("7", "a beginner", {"level": "hard"})
    write_topics(tmp_path / "again.jsonl", [first, second])
    assert read_topics(tmp_path / "again.jsonl") == [first, second]


def test_the_best_documents_are_those_most_clicked_else_the_first() -> None:
    pages = [Reference(str(n), extra={"clicks": n % 3}) for n in range(6)]
    assert [one.id for one in Topic("t", "x", tuple(pages)).best(4)] == ["2", "5", "1", "4"]
    assert [one.id for one in Topic("t", "x", tuple(pages[:2] * 2)).best(5)] == ["1", "0"]


def test_clicks_may_be_text_or_end_in_a_point_and_zero() -> None:
    said = [
        {"id": "a", "clicks": 2},
        {"id": "b", "clicks": " 7"},
        {"id": "c", "clicks": 9.0},
        {"id": "d", "clicks": None},
    ]
    [one] = read_topics([{"text": "x", "documents": said}])
    assert [page.id for page in one.best(4)] == ["c", "b", "a", "d"]


def test_what_holds_topics_gives_them() -> None:
    topics = [Topic("a", "rotate keys")]
    assert read_topics(SimulatedTopics(records=topics)) == topics


def test_a_table_with_a_column_text_holds_topics(tmp_path: Path) -> None:
    (tmp_path / "topics.csv").write_text("id,text\na,rotate keys\nb,set alerts\n")
    assert [one.text for one in read_topics(tmp_path / "topics.csv")] == [
        "rotate keys",
        "set alerts",
    ]


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ([{"topic": "x"}], "topics:1: text: is missing"),
        ([{"text": " "}], "topics:1: text: the topic is empty"),
        ([{"text": "x", "documents": 3}], "documents: received 3"),
        ([{"text": "x", "documents": [{"title": "A"}]}], r"documents\[0\]"),
        (
            [{"text": "x", "documents": [{"id": "a", "clicks": "many"}]}],
            r"topics:1: documents: a.clicks: received 'many'; expected a whole number",
        ),
        ([{"text": "x", "documents": [{"id": "a", "clicks": 7.5}]}], "clicks: received 7.5"),
        ([{"text": "x", "documents": [{"id": "a", "clicks": -1}]}], "clicks: received -1"),
        ([{"text": "x", "documents": [{"id": "a", "clicks": True}]}], "clicks: received"),
        ([{"id": "a", "text": "x"}, {"id": "a", "text": "y"}], "two topics have the id 'a'"),
        ([], "there is no topic"),
        ("how do I rotate keys", "there is no such file"),
    ],
)
def test_what_is_no_topic_is_said_with_its_place(given: Any, problem: str) -> None:
    with pytest.raises(DataError, match=problem):
        read_topics(given)


def test_a_bad_line_is_named(tmp_path: Path) -> None:
    path = tmp_path / "topics.jsonl"
    path.write_text('{"text": "x"}\n{"text": 5}\n')
    with pytest.raises(DataError, match=r"topics.jsonl:2: text: received 5"):
        read_topics(path)
