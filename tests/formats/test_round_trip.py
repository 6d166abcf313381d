"""Every record comes back as it was written, through every container."""

from __future__ import annotations

from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.formats.conftest import FUZZ

from assize.base.conversation import ROLES, Continuation, Conversation, Pair, Reference, Turn
from assize.base.judgment import Judgment, Question, Unscored, Usage
from assize.formats import Record, read_judgments, write
from assize.formats.read_options import ReadOptions
from assize.formats.reading import iter_records

ACTS = {"acts": {"context": [[["Task", "Set Question"]]], "a": [[["Task", "Inform"]]], "b": []}}

# One row of each method, shaped as the methods write them.
METHODS = {
    "a da vote in order BA": Judgment(
        "hh-test-000",
        "da@openai:gpt-4o",
        "preference",
        answer="A",
        order="BA",
        kind="model",
        explanation="Assistant-2 asks\nback, and Assistant-1 does not.",
        details=ACTS,
        attempts=2,
        usage=Usage(812, 96, 0.0031, extra={"reasoning_tokens": 12}),
        signature="9f2c41d07b1e",
        at="2026-11-20T10:00:00Z",
    ),
    "a rubric's NA": Judgment("d1", "rubric@hf:x", "Q3", answer="NA", kind="model"),
    "a first sample": Judgment("d1", "io@hf:x", "overall", answer="3", repeat=0, call="c7"),
    "a later sample": Judgment("d1", "io@hf:x", "overall", answer="4", repeat=4, call="c7"),
    "a person's rating": Judgment("d1", "rater017", "overall", answer="4", kind="person"),
    "an anonymous person's": Judgment("d1", "slot2", "overall", answer="2", anonymous=True),
    "a score for a turn": Judgment("d1", "evaluator@small", "overall", score=0.125, turn=0),
    "a criterion": Judgment(
        "d1", "criteria@openai:x", "SAT-03", answer="yes", score=1.0, kind="model"
    ),
    "a calibrated rater": Judgment(
        "d1",
        "calibration:12",
        "Q0",
        score=2.9,
        distribution={"1": 0.1, "2": 0.2, "3": 0.4, "4": 0.3 - 1e-9},
        outside=1e-9,
    ),
    "a refusal": Judgment("d1", "io@openai:x", "overall", unscored=Unscored("refused", "no")),
}
DIMENSIONS = [
    Judgment(
        "p1",
        "dimensions@openai:gpt-4o",
        f"dimension-{number}",
        answer="B" if number % 2 else "tie",
        call="call-1",
        usage=Usage(400, 30) if number == 0 else None,
    )
    for number in range(11)
]
JUDGMENTS = [*METHODS.values(), *DIMENSIONS]
CONTAINERS = ("jsonl", "jsonl.gz", "jsonl.zst", "parquet", "csv", "tsv")

SOURCE = Reference("1", "A title", "What the page said.", {"url": "https://example.org"})
ITEMS: list[Record] = [
    Conversation(
        "c1",
        (
            Turn("system", "Be kind."),
            Turn("user", "Hi", (SOURCE,), {"at": 3}),
            Turn("assistant", ""),
        ),
        system="bot-7",
        metadata={"nested": {"list": [1, None, True, 0.5]}},
        extra={"score_before": 2},
    ),
    Pair(
        "p1",
        (Turn("user", "Which?"),),
        (Turn("assistant", "This."),),
        (Turn("assistant", "That."),),
        shared_user=True,
        gold={"overall": "A", "safety": "tie"},
    ),
    Pair("p2", (), (Turn("user", "a"),), (Turn("user", "b"),), gold="B"),
    Continuation(
        "k1", (Turn("user", "And?"),), "So.", ("Well.", ""), "c1", 0, "gpt-4o", {"fold": 3}
    ),
]


@pytest.mark.parametrize("container", CONTAINERS)
def test_a_row_of_each_method_comes_back_as_it_was(container: str, tmp_path: Path) -> None:
    write(tmp_path / f"judgments.{container}", JUDGMENTS)
    assert list(iter_records(tmp_path / f"judgments.{container}")) == JUDGMENTS


@pytest.mark.parametrize("container", ["jsonl", "jsonl.gz", "jsonl.zst", "parquet"])
@pytest.mark.parametrize("item", ITEMS, ids=lambda item: item.id)
def test_an_item_comes_back_as_it_was(item: Record, container: str, tmp_path: Path) -> None:
    write(tmp_path / f"items.{container}", [item])
    assert list(iter_records(tmp_path / f"items.{container}")) == [item]


@pytest.mark.parametrize("container", CONTAINERS)
def test_questions_travel_beside_their_judgments(container: str, tmp_path: Path) -> None:
    question = Question("Q0", "How was it?", "ordinal", ("1", "2"), (1.0, 2.0), {"1": "bad"})
    path = tmp_path / f"scores.{container}"
    write(path, [Judgment("d", "j", "Q0", answer="2")], questions=[question])
    table = read_judgments([path])
    assert table.questions == {"Q0": question}
    assert table.inferred == frozenset()


# ── any record ──────────────────────────────────────────────────────────────────────────────

TEXT = st.text(max_size=12)
ID = st.text(min_size=1, max_size=12)
NUMBER = st.floats(allow_nan=False, allow_infinity=False)
COUNT = st.integers(0, 2**63 - 1)
JSON = st.recursive(
    st.none() | st.booleans() | COUNT | NUMBER | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)
OBJECT = st.dictionaries(TEXT, JSON, max_size=3)
KNOWN = {
    field.name
    for record in (Conversation, Pair, Continuation, Turn, Reference, Judgment, Usage)
    for field in fields(record)
} - {"extra"}
EXTRA = st.dictionaries(TEXT.filter(lambda key: key not in KNOWN), JSON, max_size=2)


def maybe(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.none() | inner


TURN = st.builds(
    Turn,
    st.sampled_from(ROLES),
    TEXT,
    st.lists(st.builds(Reference, ID, TEXT, TEXT, EXTRA), max_size=2).map(tuple),
    EXTRA,
)
TURNS = st.lists(TURN, min_size=1, max_size=3).map(tuple)
GOLD = maybe(
    st.sampled_from(["A", "B", "tie"]) | st.dictionaries(TEXT, TEXT, min_size=1, max_size=2)
)
RECORDS: dict[str, st.SearchStrategy[Record]] = {
    "conversation": st.builds(Conversation, ID, TURNS, maybe(TEXT), OBJECT, EXTRA),
    "pair": st.builds(Pair, ID, TURNS, TURNS, TURNS, st.just(False), GOLD, OBJECT, EXTRA),
    "continuation": st.builds(
        Continuation,
        ID,
        TURNS,
        TEXT,
        st.lists(TEXT, max_size=2).map(tuple),
        maybe(ID),
        maybe(COUNT),
        maybe(TEXT),
        OBJECT,
        EXTRA,
    ),
    "judgment": st.builds(
        Judgment,
        ID,
        ID,
        ID,
        answer=TEXT,
        score=maybe(NUMBER),
        distribution=maybe(st.dictionaries(TEXT, st.floats(0, 0.25), max_size=3)),
        outside=maybe(st.floats(0, 0.25)),
        order=st.sampled_from([None, "AB", "BA"]),
        turn=maybe(COUNT),
        repeat=COUNT,
        anonymous=st.booleans(),
        call=maybe(ID),
        kind=st.sampled_from([None, "person", "model", "metric", "evaluator"]),
        explanation=maybe(TEXT),
        details=maybe(OBJECT),
        unscored=maybe(st.builds(Unscored, TEXT, TEXT)),
        attempts=maybe(COUNT),
        usage=maybe(st.builds(Usage, COUNT, COUNT, maybe(st.floats(0, 9)), st.booleans(), EXTRA)),
        signature=maybe(TEXT),
        at=maybe(TEXT),
        extra=EXTRA,
    ),
}
CASES = [
    (kind, container)
    for kind in RECORDS
    for container in ("jsonl", "parquet", "csv")
    if container != "csv" or kind == "judgment"
]


def as_cells(row: Any) -> Any:
    """A judgment that the cells of a table can say: no NUL, no empty text."""
    values = {one.name: getattr(row, one.name) for one in fields(row)}
    held = {
        name: value.replace("\0", "?") or "x"
        for name, value in values.items()
        if isinstance(value, str)
    }
    return replace(row, **held)


@pytest.mark.parametrize(("kind", "container"), CASES)
@FUZZ
@given(data=st.data())
def test_any_record_round_trips(
    kind: str, container: str, data: st.DataObject, tmp_path: Path
) -> None:
    one = RECORDS[kind].map(as_cells) if container == "csv" else RECORDS[kind]
    records = data.draw(st.lists(one, min_size=1, max_size=3))
    write(tmp_path / f"x.{container}", records)
    own = {"jsonl": "assize", "parquet": "assize-parquet", "csv": "assize-csv"}[container]
    assert list(iter_records(tmp_path / f"x.{container}", ReadOptions(format=own))) == records


@pytest.mark.parametrize("name", ["openai", "sharegpt"])
@FUZZ
@given(data=st.data())
def test_any_conversation_round_trips_through_a_chat_format(
    name: str, data: st.DataObject, tmp_path: Path
) -> None:
    records = data.draw(st.lists(RECORDS["conversation"], min_size=1, max_size=3))
    # A field of a chat message that is null counts as absent.
    chats = [one for one in records if isinstance(one, Conversation)]
    assume(all(None not in turn.extra.values() for one in chats for turn in one.turns))
    write(tmp_path / "x.jsonl", records, format=name)
    assert list(iter_records(tmp_path / "x.jsonl", ReadOptions(format=name))) == records


NO_CELL = {"exclude_categories": ("Cs",), "exclude_characters": "\0"}


@FUZZ
@given(texts=st.lists(st.text(st.characters(**NO_CELL)), min_size=1, max_size=4))  # type: ignore[arg-type]
def test_any_text_round_trips_through_a_table_of_turns(texts: list[str], tmp_path: Path) -> None:
    turns = tuple(Turn(ROLES[n % 2], text) for n, text in enumerate(texts))
    record = Conversation("c", turns, metadata={"texts": texts})
    write(tmp_path / "x.csv", [record], format="turns-csv")
    assert list(iter_records(tmp_path / "x.csv")) == [record]
