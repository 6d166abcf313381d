from __future__ import annotations

import pytest

from assize._doors.data_card.card import DataCard, describe
from assize._doors.data_card.measuring import measure
from assize._doors.data_card.provenance import Provenance
from assize.base.conversation import Continuation, Conversation, Item, Pair, Reference, Turn
from assize.base.judgment import Judgment

ASK, REPLY = Turn("user", "Hi"), Turn("assistant", "Yes?")
CHAT = Conversation("c", (ASK, REPLY))
PAIR = Pair("p", (ASK,), (REPLY,), (Turn("assistant", "No"),))
NEXT = Continuation("k", (ASK,), "Yes", ("Yes?",), "c", 1)


def card(*items: Item, rows: list[Judgment] | None = None, **said: str) -> DataCard:
    return describe(measure(items, rows or []), Provenance(said), "set", "abc")


def measured(found: DataCard) -> dict[str, str | None]:
    return {row.property: row.measured for row in found.properties}


@pytest.mark.parametrize(
    ("items", "basis"),
    [
        ((CHAT,), "reference-free"),
        ((PAIR,), "reference-free"),
        ((NEXT,), "explicit"),
        ((NEXT, CHAT), "mixed"),
        ((Continuation("k", (ASK,), "x"),), "reference-free"),
    ],
)
def test_a_comparison_is_explicit_where_there_are_references(
    items: tuple[Item, ...], basis: str
) -> None:
    assert measured(card(*items))["comparison"] == basis


def test_predictions_are_of_turns_or_of_whole_conversations() -> None:
    turn = Judgment("c", "ann", "q", score=1.0, turn=1)
    whole = Judgment("c", "ann", "q", score=1.0)
    cards = [card(CHAT), card(CHAT, rows=[turn]), card(CHAT, rows=[turn, whole])]
    cards += [card(NEXT), card(PAIR)]
    levels = ["entire-conversation", "per-turn", "both", "per-turn", "per-turn"]
    assert [measured(one)["predictions"] for one in cards] == levels


def test_what_is_declared_against_what_is_measured_is_told() -> None:
    sourced = Conversation("d", (ASK, Turn("assistant", "x", (Reference("1"),))))
    rows = [Judgment("d", "ann", "q", score=1.0)]
    found = card(
        sourced,
        rows=rows,
        evaluation="explicit",
        context="none",
        annotators="no, none",
        conversation="yes",
    )
    assert [note.partition(":")[0] for note in found.notes] == [
        "use of context",
        "comparison",
        "human annotators",
        "not declared",
    ]
    assert not [one for one in card(NEXT, evaluation="explicit, by hand").properties if one.clash]


def test_what_nobody_declares_is_said_and_what_is_declared_shown() -> None:
    found = card(CHAT, licence="CC0", human="yes")
    shown = {row[1]: row[3] for row in found.tables["properties"].rows}
    assert (shown["licence"], shown["written by people"]) == ("CC0", "yes")
    assert (shown["verified by people"], shown["predictions"]) == (None, None)
    assert "licence" not in found.notes[-1]


def test_correlation_can_be_measured_where_programs_judged_what_people_did() -> None:
    rows = [Judgment("c", "ann", "q", score=1.0), Judgment("c", "m@x", "q", score=1.0)]
    assert measured(card(CHAT, rows=rows))["correlation stated"] == ("can be measured on 1 item")
    assert measured(card(CHAT, rows=rows[:1]))["correlation stated"] is None


def test_a_card_is_a_document_in_which_untrusted_text_stays_text() -> None:
    found = card(CHAT, name="x", about="<script>alert(1)</script> *b*", licence="| a | [x](y)")
    text = found.to_markdown()
    assert "<script>" not in text
    assert "&lt;script&gt;alert(1)&lt;/script&gt; \\*b\\*" in text
    assert "\\| a \\| [x\\](y)" in text
    assert text.startswith("# set\n")
    assert [line for line in text.splitlines() if line.startswith("## ")] == [
        "## Lengths",
        "## Collection, task and evaluation",
    ]


def test_json_has_every_figure() -> None:
    found = card(NEXT, rows=[Judgment("k", "ann", "content", answer="3")]).to_json()
    assert found["items"] == {"continuations": 1}
    means = {row["length_of"]: row["mean"] for row in found["lengths"]}
    assert means["the turns before it, in characters"] == 2
    assert found["labels"][0]["raters_each"] == 1
    assert "programs" not in found["labels"][0]
    assert found["properties"][6] == {
        "group": "task",
        "property": "predictions",
        "measured": "per-turn",
    }


def test_the_card_shows_how_many_items_each_system_has() -> None:
    shown = card(Conversation("c", (ASK, REPLY), system="v2"), CHAT).tables["fields"].rows
    assert shown == [["system", 1, 2, "v2 (1)"]]
