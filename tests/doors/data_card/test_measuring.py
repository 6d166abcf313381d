from __future__ import annotations

from typing import Any

from assize._doors.data_card.measuring import (
    NAN,
    FieldCount,
    Length,
    Measured,
    count_fields,
    measure,
)
from assize.base.conversation import Continuation, Conversation, Pair, Reference, Turn
from assize.base.judgment import Judgment, Unscored

ASK, REPLY, MORE = Turn("user", "abc"), Turn("assistant", "de"), Turn("user", "f")


def said(item: str, judge: str, question: str = "q", **given: Any) -> Judgment:
    return Judgment(item, judge, question, **({"score": 1.0} | given))


def length(measured: Measured, name: str) -> Length:
    """The lengths with these words in their name; empty ones where there are none."""
    empty = Length(name, NAN, NAN, NAN, NAN, 0)
    return next((row for row in measured.lengths if name in row.length_of), empty)


def test_a_conversation_is_counted_by_its_turns_and_characters() -> None:
    chat = Conversation("c", (Turn("system", "s" * 9), ASK, REPLY, MORE, Turn("assistant", "gh")))
    found = measure([chat], [])
    assert (
        found.conversations,
        found.utterances,
        length(found, "turn pairs").mean,
    ) == (1, 4, 2)
    # 9+3; 9+3+2+1
    assert length(found, "before") == Length(
        "the turns before it, in characters", 13.5, 13.5, 12, 15, 2
    )
    assert (
        length(found, "response").mean,
        length(found, "reference").n,
        found.alternating,
    ) == (2, 0, 0)


def test_continuations_of_a_conversation_are_as_long_as_their_longest_context() -> None:
    items = [
        Continuation("1", (ASK,), "xx", ("y",), "c", 1, "m"),
        Continuation("2", (ASK,), " ", ("y",), "c", 1, "n"),
        Continuation("3", (ASK, REPLY, MORE), "xxxx", (), "c", 3, "m"),
        Continuation("4", (MORE,), "x", ("yyy", "y"), None),
    ]
    found = measure(items, [])
    assert (found.conversations, found.utterances) == (2, 4 + 2)
    assert (
        length(found, "turn pairs").lowest,
        length(found, "turn pairs").highest,
    ) == (1, 2)
    assert length(found, "before").mean == (3 + 3 + 6 + 1) / 4
    assert (
        length(found, "response").n,
        length(found, "response").mean,
    ) == (3, 7 / 3)
    assert (length(found, "reference").n, found.referenced) == (4, 3)
    assert found.sources == {"m": 2, "n": 1}


def test_the_sides_of_a_pair_are_a_turn_each_once() -> None:
    answers = [(Turn("assistant", text),) for text in ("one", "two", "three")]
    pairs = [Pair("p", (ASK,), answers[0], answers[1]), Pair("q", (ASK,), answers[0], answers[2])]
    found = measure(pairs, [])
    assert (found.conversations, found.utterances) == (1, 4)  # the context, three answers
    assert (
        length(found, "response").n,
        length(found, "response").mean,
    ) == (4, (3 + 3 + 3 + 5) / 4)


def test_raters_are_people_and_gold_and_programs_are_none() -> None:
    chats = [Conversation(name, (ASK, REPLY)) for name in "cd"]
    rows = [
        said("c", "ann"),
        said("c", "bob"),
        said("d", "ann", kind="person"),
        said("d", "bob", score=None, unscored=Unscored("missing")),
        said("d", "slot1", anonymous=True, kind="person"),
        said("c", "da@m"),
        said("d", "m", kind="metric"),
        said("d", "gold", kind="person"),
    ]
    found = measure(chats, rows)
    (count,) = found.labels
    assert (count.people, count.programs, count.gold, count.unscored) == (5, 2, 1, 1)
    assert (count.items, count.raters_each) == (2, 2)
    assert (found.raters, found.both) == (2, 2)


def test_labels_of_turns_are_seen_and_sources_shown() -> None:
    sourced = Turn("assistant", "x", (Reference("1"),))
    chats = [Conversation("c", (ASK, sourced)), Conversation("d", (ASK, REPLY))]
    found = measure(chats, [said("c", "ann", turn=1), said("c", "ann")])
    assert (found.sourced, found.by_turn, found.alternating) == (1, 1, 2)
    assert found.labels[0].items == 2  # the turn and the whole


def test_nothing_has_no_length() -> None:
    found = measure([], [])
    assert (found.items, found.utterances, found.lengths) == (0, 0, [])


def test_fields_are_counted_with_their_values_and_the_items_that_have_them() -> None:
    metadata: list[dict[str, Any]] = [{"csat": 4, "ticket": {"channel": "app"}}, {"csat": 4}, {}]
    chats = [
        Conversation(f"c{n}", (ASK,), system="v2" if n else "v1", metadata=fields)
        for n, fields in enumerate(metadata)
    ]
    assert count_fields(chats) == [
        FieldCount("system", 3, 3, "v2 (2), v1 (1)"),
        FieldCount("csat", 2, 3, "4 (2)"),
        FieldCount("ticket.channel", 1, 3, "app (1)"),
    ]


def test_a_field_of_many_values_shows_the_most_frequent_or_how_many() -> None:
    chats = [
        Conversation(f"c{n}", (), metadata={"ref": f"r{n}", "day": n // 2 + 10}) for n in range(14)
    ]
    ref, day = count_fields(chats)
    assert ref.values == "14 different values"
    assert day.values == "10 (2), 11 (2), 12 (2), 13 (2), 14 (2), 2 more"
