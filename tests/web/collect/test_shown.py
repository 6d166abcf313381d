"""What raters see of a chat tells nothing of its systems."""

from __future__ import annotations

from assize.base.conversation import Reference
from assize.simulate._topics_file import Topic
from assize.web._collect.shown import exchanges, retrieved, shown_answer
from assize.web._storage.chats import Chat, Message

KEYS, VAULTS = (
    Reference(n, title, "text", {"page": title}) for n, title in (("1", "Keys"), ("2", "Vaults"))
)
SECRET = {"system": "DS-secret", "model": "openai:secret", "query": "secret", "error": "secret"}
CHAT = Chat(
    "c1",
    1,
    1,
    Topic("t", "keys"),
    ("DS-secret", "DS-other"),
    "open",
    0.0,
    messages=(
        Message(0, "user", "How?"),
        Message(1, "assistant", "See [1].", "A", references=(KEYS, VAULTS), details=SECRET),
        Message(1, "assistant", "No idea [1].", "B", "interrupted", details=SECRET),
        Message(2, "user", "And?"),
        Message(3, "assistant", "As told [1].", "A", references=(VAULTS,)),
        Message(3, "assistant", "", "B", "writing"),
    ),
)


def test_each_message_stands_with_its_answers() -> None:
    found = exchanges(CHAT)
    assert [one["asked"] for one in found] == ["How?", "And?"]
    assert [[(a["side"], a["state"]) for a in one["answers"]] for one in found] == [
        [("A", "whole"), ("B", "interrupted")],
        [("A", "whole"), ("B", "writing")],
    ]


def test_nothing_of_the_systems_is_in_what_is_shown() -> None:
    assert "secret" not in repr([exchanges(CHAT), retrieved(CHAT)])


def test_the_sources_of_its_side_that_an_answer_cites_stand_beside_it() -> None:
    (first, other), (later, _) = (one["answers"] for one in exchanges(CHAT))
    assert [one.title for one in first["sources"]] == ["Keys"]
    assert other["sources"] == []
    assert "uncited" in other["html"]
    assert [(one.id, one.anchor) for one in later["sources"]] == [("1", "source-3-a-1")]
    assert 'href="#source-3-a-1"' in later["html"]


def test_at_the_end_everything_that_was_retrieved_is_shown_by_side() -> None:
    found = retrieved(CHAT)
    assert [(one.id, one.cited) for one in found["A"]] == [("1", True), ("2", False)]
    assert found["B"] == []


def test_a_source_without_a_title_is_called_after_its_page() -> None:
    bare = Message(1, "assistant", "[1]", references=(Reference("1", "", "t", {"page": "a.md"}),))
    chat = Chat("c", 1, 1, Topic("t", "x"), ("s",), "open", 0.0, messages=(bare,))
    assert shown_answer(chat, bare)["sources"][0].title == "a.md"
