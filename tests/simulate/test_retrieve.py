"""Searching from Python and the command line: hits, recall, an index that is used again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from dialogue_parts import PAGES
from typer.testing import CliRunner

import assize
from assize.base.conversation import Conversation
from assize.base.errors import ConfigError, DataError
from assize.cli import app
from assize.retrieval import Cutting, Page, build_index

TOPICS = [
    {"text": "rotate thing3", "documents": [{"id": "p3"}]},
    {"text": "thing5", "documents": ["p5", "nowhere"]},
    {"text": "thing6"},
]
RUBRIC = Path(__file__).parents[2].parent / "shared/data/llm-rubric/real_dialogues.jsonl"


def test_what_topics_name_is_the_recall() -> None:
    found: Any = assize.simulate.retrieve(build_index(PAGES), topics=TOPICS)
    assert (found.recall.estimate, found.recall.n, found.recall.interval) == (0.75, 2, (0, 1))
    assert [one.page for one in found.hits["thing6"]] == ["p6"]
    assert list(found.tables) == ["found"]
    assert found.to_json()["top"] == 5


def test_a_query_that_finds_nothing_is_said() -> None:
    found = assize.simulate.retrieve(build_index(PAGES), query=["zebra", "thing1"])
    assert found.notes == ["1 of 2 queries found nothing"]
    assert found.recall is None


def test_the_command_keeps_its_index(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("# Keys\n\nRotate \x1b[31mkeys.")
    options = ["--query", "keys", "--index", str(tmp_path / "index")]
    shown = CliRunner().invoke(app, ["retrieve", str(tmp_path / "a.md"), *options])
    assert shown.exit_code == 0, shown.output
    assert "\x1b[31m" not in shown.output
    again = CliRunner().invoke(app, ["retrieve", *options, "--json"])
    assert [one["page"] for one in json.loads(again.stdout)["found"]] == ["a.md"]


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"query": "x"}, "documents: name folders or files of pages"),
        ({"documents": "nowhere", "query": "x"}, "nowhere: there is no such file or folder"),
        ({"documents": build_index([Page("a", "b")])}, "query: write what is searched for"),
        (
            {"documents": build_index([Page("a", "b")]), "query": ["b", " "]},
            "query: received an empty",
        ),
        ({"query": "x", "top": 0}, "top: received 0"),
        ({"query": "x", "words": -1}, "words: received -1"),
    ],
)
def test_what_cannot_be_searched_is_said(given: dict[str, Any], problem: str) -> None:
    with pytest.raises((ConfigError, DataError), match=problem):
        assize.simulate.retrieve(**given)


def test_an_index_that_is_cut_otherwise_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("rotate keys " * 20)
    place = tmp_path / "index"
    build_index([tmp_path / "a.txt"], place, Cutting(20, 5))
    with pytest.raises(ConfigError, match=r"words: this index has .*; give its words"):
        assize.simulate.retrieve(query="keys", index=place, words=10, overlap=5)
    assert assize.simulate.retrieve(query="keys", index=place, words=20, overlap=5).hits["keys"]


@pytest.mark.skipif(
    not RUBRIC.is_file(), reason="needs LLM-Rubric's data, which assize does not ship"
)
def test_what_llm_rubric_recorded_is_found_by_the_topic() -> None:
    """Its system 2 recorded what BM25 found: circular, so this says that both searches agree."""
    chats = [one for one in assize.read(RUBRIC) if isinstance(one, Conversation)]
    shown = {one.id: [ref for turn in one.turns for ref in turn.references] for one in chats}
    pages = {str(ref.extra["url"]): ref for refs in shown.values() for ref in refs}
    index = build_index(
        [Page(url, ref.text, ref.title) for url, ref in pages.items()], cutting=Cutting(None)
    )
    topics = [
        {
            "id": one.id,
            "text": one.metadata["topic"],
            "documents": [str(ref.extra["url"]) for ref in shown[one.id]],
        }
        for one in chats
        if shown[one.id] and str(one.system).endswith("2")
    ]
    found: Any = assize.simulate.retrieve(index, topics=topics).recall
    assert found.n == 76
    assert found.estimate == pytest.approx(0.81, abs=0.02)
