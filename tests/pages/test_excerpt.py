from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.pages.conftest import conversation

from assize import report
from assize.base.conversation import Continuation, Conversation, Pair, Reference, ToolCall, Turn
from assize.base.judgment import Judgment
from assize.pages.excerpt import (
    LONGEST_ITEM,
    LONGEST_TURN,
    MOST_TURNS,
    Excerpt,
    excerpt,
)
from assize.pages.page import render


def characters(found: Excerpt) -> int:
    return sum(
        min(shown.longest, len(shown.turn.text)) for part in found.parts for shown in part.turns
    )


def page_of(*turns: Turn) -> str:
    """The page's markup of a conversation."""
    view = excerpt(Conversation("c", turns), 0.5, (), ())
    return render("conversation.html", item=view, table="", shown=str)


def test_an_ordinary_conversation_is_whole() -> None:
    found = excerpt(conversation("c", "hello", "hi", "bye"), 0.5, (), ())
    (part,) = found.parts
    assert [shown.turn.text for shown in part.turns] == ["hello", "hi", "bye"]
    assert [said.number for said in part.turns] == [0, 1, 2]
    assert all(said.gap == 0 for said in part.turns)
    assert found.gist == "hello"


@given(st.lists(st.integers(0, 3 * LONGEST_TURN), max_size=MOST_TURNS + 80))
def test_a_conversation_of_any_size_is_bounded_and_no_turn_goes_missing_unsaid(
    sizes: list[int],
) -> None:
    turns = tuple(Turn("user", "x" * size) for size in sizes)
    found = excerpt(Conversation("c", turns), 0.5, (), ())
    (part,) = found.parts
    shown = part.turns
    assert len(shown) + sum(said.gap for said in part.turns) == len(sizes)
    assert len(shown) <= MOST_TURNS
    assert characters(found) <= LONGEST_ITEM + LONGEST_TURN
    assert [said.number for said in shown] == sorted(said.number for said in shown)
    assert bool(shown) == bool(sizes)


def test_a_very_long_conversation_shows_its_start_and_more_of_its_end() -> None:
    found = excerpt(conversation("c", *(f"turn {n}" for n in range(600))), 0.5, (), ())
    numbers = [said.number for said in found.parts[0].turns]
    assert numbers[:40] == list(range(40))
    assert numbers[40:] == list(range(520, 600))
    assert found.parts[0].turns[40].gap == 480
    assert found.turn_count == 600


def test_scores_stand_at_their_turns() -> None:
    rows = [Judgment("c", "j", "overall", turn=1, score=0.0)]
    found = excerpt(conversation("c", "a", "b"), 0.5, (), rows)
    assert found.parts[0].turns[1].scores == [("overall", 0.0)]
    assert found.parts[0].turns[0].scores == ()


def test_references_are_listed_and_what_is_left_out_counted() -> None:
    sources = tuple(Reference(str(n), f"title {n}", "x" * 1_201) for n in range(15))
    page = page_of(Turn("assistant", "answer", references=sources))
    assert "15 references shown to the assistant" in page
    assert "<b>title 11</b>" in page
    assert "title 12" not in page
    assert "3 more not shown" in page
    assert page.count("1 characters not shown") == 12


@pytest.mark.parametrize(
    ("item", "titles"),
    [
        (
            Pair("p", (Turn("user", "q"),), (Turn("assistant", "a"),), (Turn("assistant", "b"),)),
            ["Context", "A", "B"],
        ),
        (
            Continuation("k", (Turn("user", "q"),), "mine", ("theirs",), source="gpt"),
            ["Context", "Candidate (gpt)", "What people said at this point"],
        ),
        ("c9", []),
    ],
    ids=["a pair", "a continuation", "an id alone"],
)
def test_an_item_of_another_kind_has_its_parts(item: Any, titles: list[str]) -> None:
    found = excerpt(item, 0.0, (), ())
    assert [part.title for part in found.parts] == titles
    assert [part.turns[0].number for part in found.parts] == list(range(len(titles)))


def test_calls_and_results_are_shown_with_their_tools() -> None:
    calls = (ToolCall("t1", "search", {"q": "tea"}), ToolCall("t2", "now"))
    turns = (Turn("assistant", "", tool_calls=calls), Turn("tool", "green", tool_call_id="t1"))
    page = page_of(*turns)
    assert page.count('<details class="tool">') == 3
    assert "{&#34;q&#34;:&#34;tea&#34;}" in page
    assert page.index("no result in the log") > page.index("now")
    assert page.count("no result in the log") == 1
    assert 'result of <code dir="auto">search</code>' in page


def test_many_and_long_calls_are_bounded_and_counted() -> None:
    calls = tuple(ToolCall(str(at), "f", {"x": "y" * 9_000}) for at in range(23))
    page = page_of(Turn("assistant", "", tool_calls=calls))
    assert page.count('<details class="tool">') == 20
    assert "3 more calls not shown" in page
    assert page.count("characters not shown") == 20
    assert len(page) < 50_000


def test_a_hostile_call_or_result_is_text_on_the_page(tmp_path: Path) -> None:
    script = "</pre></details><script>alert(1)</script>\x1b[31m"
    chat = Conversation(
        "c",
        (
            Turn("user", "Where is it?"),
            Turn("assistant", "", tool_calls=(ToolCall("t", script, {"q": script}),)),
            Turn("tool", script, tool_call_id="t", name=script),
            Turn("assistant", "At the depot; it comes on Friday."),
        ),
    )
    report([Judgment("c", "j", "overall", score=0.5)], tmp_path / "page.html", items=[chat])
    page = (tmp_path / "page.html").read_text()
    assert page.count("&lt;script&gt;alert(1)") >= 4
    assert "<script>alert" not in page
    assert "\x1b" not in page
    assert page.count('<details class="tool">') == 2
    assert '<div class="said" dir="auto"></div>' not in page
